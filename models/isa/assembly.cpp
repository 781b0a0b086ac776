// The assembler: directives, labels, wait and update lines, instructions.
#include "models/isa/assembly.h"

#include <algorithm>
#include <array>
#include <map>

#include "models/isa/text_instruction.h"
#include "models/isa/text_name.h"
#include "models/isa/text_number.h"

namespace dve {
namespace {

class Assembler {
public:
    explicit Assembler(const AssemblyOptions& options) : options_(options) {
        result_.generation = options.generation.value_or(Generation::MARIANA);
        context_.tensors = &result_.tensors;
        enter_generation(result_.generation);
    }

    Assembly run(std::string_view text) {
        for (const std::string_view line : split(text, '\n')) {
            if (result_.errors.size() >= maximum_assembly_errors) {
                return std::move(result_);
            }
            ++line_;
            parse_line(trim(line.substr(0, line.find(';'))));
        }
        if (events_.any()) {
            line_ = event_line_;
            refuse("wait or update without an instruction after it; legal: in front of one");
        }
        resolve_labels();
        return std::move(result_);
    }

private:
    void enter_generation(Generation generation) {
        result_.generation = generation;
        context_.generation = generation;
        context_.memory = options_.memory(generation);
    }

    void refuse(std::string message) {
        if (result_.errors.size() < maximum_assembly_errors) {
            result_.errors.push_back({line_, std::move(message)});
        }
    }

    void parse_line(std::string_view line) {
        const std::size_t end = line.find_first_of(" \t");
        const std::string_view first = line.substr(0, end);
        if (first.empty()) {
            return;
        }
        const std::string_view rest =
            end == std::string_view::npos ? std::string_view() : trim(line.substr(end));
        if (first.back() == ':') {
            define_label(first.substr(0, first.size() - 1));
            parse_line(rest);
        } else if (first == "wait") {
            take_event(events_.wait, parse_wait(rest), first);
        } else if (first == "update") {
            take_event(events_.update, parse_update(rest), first);
        } else if (first.front() == '.') {
            parse_directive(first, rest);
        } else {
            parse_instruction_line(line);
        }
    }

    void define_label(std::string_view name) {
        if (!is_identifier(name)) {
            refuse("label " + quoted(name) +
                   " is malformed; legal: letters, digits, '_' and '.', then ':'");
        } else if (!labels_.emplace(name, result_.records.size()).second) {
            refuse("label " + quoted(name) + " is defined twice; legal: once");
        }
    }

    void take_event(std::optional<EventText>& slot, const Result<EventText>& parsed,
                    std::string_view kind) {
        started_ = true;
        if (!parsed) {
            return refuse(parsed.error());
        }
        if (slot) {
            return refuse("second " + std::string(kind) +
                          " in front of one instruction; legal: one wait and one update");
        }
        const std::optional<std::uint32_t> shared = events_.value();
        if (shared && parsed->value && *shared != *parsed->value) {
            return refuse(std::string(kind) + " needs semaphore_value " +
                          std::to_string(*parsed->value) + ", the line before it " +
                          std::to_string(*shared) +
                          "; legal: one value for both, ++ or --, or an event_semaphore record");
        }
        slot = *parsed;
        event_line_ = line_;
    }

    void parse_directive(std::string_view name, std::string_view rest) {
        if (name == ".gen") {
            parse_generation(rest);
        } else if (name == ".tensor") {
            started_ = true;
            Result<TensorDeclaration> tensor = parse_tensor(split_words(rest), context_);
            if (tensor) {
                result_.tensors.push_back(std::move(tensor).value());
            } else {
                refuse(tensor.error());
            }
        } else if (name == ".raw") {
            parse_raw(rest);
        } else {
            refuse(unknown_name("directive", name, {".gen", ".tensor", ".raw"}).message);
        }
    }

    void parse_generation(std::string_view name) {
        const std::optional<Generation> generation = generation_from_name(name);
        if (!generation) {
            std::vector<std::string_view> names;
            for (const GenerationRow& row : generation_rows()) {
                names.emplace_back(row.name);
            }
            refuse(unknown_name("generation", name, names).message);
        } else if (started_) {
            refuse(".gen after a tensor, an instruction or another .gen; legal: once, before them");
        } else if (options_.generation && *options_.generation != *generation) {
            refuse(".gen " + std::string(name) + " disagrees with --gen " +
                   generation_row(*options_.generation).name + "; legal: one of the two");
        } else {
            enter_generation(*generation);
        }
        started_ = true;
    }

    void parse_raw(std::string_view digits) {
        const auto bytes = parse_hex_bytes(digits);
        Record record;
        if (!bytes || bytes->size() != record_bytes) {
            refuse(".raw has " +
                   (bytes ? std::to_string(bytes->size()) + " bytes" : std::string("bad digits")) +
                   "; legal: 64 bytes as 128 hexadecimal digits, blanks allowed");
        } else {
            std::copy(bytes->begin(), bytes->end(), record.bytes.begin());
        }
        if (events_.any()) {
            refuse("wait or update in front of .raw; legal: in front of an instruction");
        }
        add(record);
    }

    void parse_instruction_line(std::string_view line) {
        std::vector<std::string> errors;
        InstructionText instruction =
            parse_instruction(split_words(line), events_, context_, errors);
        for (std::string& error : errors) {
            refuse(std::move(error));
        }
        if (instruction.label) {
            label_uses_.push_back({result_.records.size(), *instruction.label});
        }
        add(instruction.record);
    }

    void add(const Record& record) {
        started_ = true;
        events_ = {};
        result_.records.push_back(record);
        result_.lines.push_back(line_);
    }

    void resolve_labels() {
        for (const auto& [index, use] : label_uses_) {
            const auto label = labels_.find(use.label);
            if (label == labels_.end()) {
                std::vector<std::string_view> names;
                for (const auto& [name, target] : labels_) {
                    names.emplace_back(name);
                }
                line_ = result_.lines[index];
                refuse(unknown_name("label", use.label, names).message);
                continue;
            }
            // Relative targets count records from the branch itself (decisions 4).
            result_.records[index].set(*use.field, label->second - index);
        }
    }

    const AssemblyOptions& options_;
    Assembly result_;
    TextContext context_;
    unsigned line_ = 0;
    bool started_ = false;  // something that depends on the generation was read
    EventLines events_;
    unsigned event_line_ = 0;
    std::map<std::string, std::size_t, std::less<>> labels_;
    std::vector<std::pair<std::size_t, LabelUse>> label_uses_;
};

}  // namespace

Assembly assemble(std::string_view text, const AssemblyOptions& options) {
    return Assembler(options).run(text);
}

}  // namespace dve
