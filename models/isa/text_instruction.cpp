// Assembly of one instruction line.
#include "models/isa/text_instruction.h"

#include <algorithm>

#include "models/isa/text_field.h"
#include "models/isa/text_immediate.h"
#include "models/isa/text_name.h"
#include "models/isa/text_number.h"

namespace dve {
namespace {

// Which operands a dtype field speaks of (isa_wire_format 4).
struct DtypeSource {
    const char* dtype;
    const char* first;
    const char* second;  // high nibble of a pair
};
constexpr DtypeSource dtype_sources[] = {
    {"in_dtype", "src_mem_pattern", nullptr},
    {"out_dtype", "dst_mem_pattern", nullptr},
    {"dtype", "dst_mem_pattern", nullptr},
    {"in0_in1_dtype", "src0_mem_pattern", "src1_mem_pattern"},
};

class InstructionParser {
public:
    InstructionParser(const OpcodeRow& row, const TextContext& context,
                      std::vector<std::string>& errors)
        : row_(row), layout_(layout(row.layout)), context_(context), errors_(errors) {
        result_.record = default_record(row);
    }

    InstructionText parse(const std::vector<std::string_view>& words, const EventLines& events) {
        set_events(events);
        for (std::size_t i = 1; i < words.size(); ++i) {
            collect(words[i], events);
        }
        // Immediates depend on dtypes and operations, and all text forms on the opcode, so the
        // order in which fields are written does not matter.
        assign_if([](FieldKind kind) {
            return kind != FieldKind::IMMEDIATE && kind != FieldKind::OPCODE;
        });
        if (errors_.empty()) {
            infer_dtypes();
            infer_channels();
        }
        assign_if([](FieldKind kind) { return kind == FieldKind::IMMEDIATE; });
        assign_if([](FieldKind kind) { return kind == FieldKind::OPCODE; });
        return result_;
    }

private:
    struct Assignment {
        const Field* field;
        std::string_view value;
        OperandFacts facts;
    };

    void refuse(std::string_view field, const std::string& why) {
        errors_.push_back(std::string(row_.mnemonic) + ", field " + std::string(field) + ": " +
                          why);
    }

    void set_events(const EventLines& events) {
        Record& record = result_.record;
        if (events.wait) {
            record.set(fields::HEADER::wait_mode, events.wait->mode);
            record.set(fields::HEADER::wait_idx, events.wait->index);
        }
        if (events.update) {
            record.set(fields::HEADER::update_mode, events.update->mode);
            record.set(fields::HEADER::update_idx, events.update->index);
        }
        record.set(fields::HEADER::semaphore_value, events.value().value_or(0));
    }

    static bool set_by_events(std::string_view name, const EventLines& events) {
        if (name == fields::HEADER::semaphore_value.name) {
            return events.value().has_value();
        }
        if (name == fields::HEADER::wait_mode.name || name == fields::HEADER::wait_idx.name) {
            return events.wait.has_value();
        }
        return events.update.has_value() && (name == fields::HEADER::update_mode.name ||
                                             name == fields::HEADER::update_idx.name);
    }

    void collect(std::string_view word, const EventLines& events) {
        const std::size_t equals = word.find('=');
        if (equals == std::string_view::npos || equals == 0 || equals + 1 == word.size()) {
            errors_.push_back(std::string(row_.mnemonic) + ": " + quoted(word) +
                              " is malformed; legal: field=value without blanks around '='");
            return;
        }
        const std::string_view name = word.substr(0, equals);
        const Field* field = find_field(layout_, name);
        if (field == nullptr) {
            errors_.push_back(std::string(row_.mnemonic) + ": " +
                              unknown_name("field", name, field_names(layout_)).message);
        } else if (written(field->name) != nullptr) {
            refuse(name, "is written twice; legal: once");
        } else if (set_by_events(field->name, events)) {
            refuse(name, "is set by the wait or update line above; legal: one of the two");
        } else {
            assignments_.push_back({field, word.substr(equals + 1), {}});
        }
    }

    const Assignment* written(std::string_view record_name) const {
        const auto found = std::find_if(
            assignments_.begin(), assignments_.end(),
            [record_name](const Assignment& a) { return record_name == a.field->name; });
        return found == assignments_.end() ? nullptr : &*found;
    }

    template <typename Condition>
    void assign_if(Condition wanted) {
        for (Assignment& assignment : assignments_) {
            if (wanted(assignment.field->kind)) {
                assign(assignment);
            }
        }
    }

    void assign(Assignment& assignment) {
        const Field& field = *assignment.field;
        Status status = Done{};
        if (field.is_pattern()) {
            Result<OperandFacts> facts =
                parse_operand(assignment.value, field, context_, result_.record);
            if (facts) {
                assignment.facts = *facts;
            } else {
                status = facts.failure();
            }
        } else if (field.kind == FieldKind::IMMEDIATE) {
            const Field* source = immediate_source(layout_, field);
            status = parse_immediate(assignment.value, field,
                                     source != nullptr && written(source->name) != nullptr,
                                     context_, result_.record);
        } else if (field.kind == FieldKind::SIGNED && assignment.value.front() == '@') {
            set_label(field, assignment.value.substr(1));
        } else {
            status = parse_field(assignment.value, field, result_.record);
        }
        if (!status) {
            refuse(field_alias(field.name), status.error());
        }
    }

    void set_label(const Field& field, std::string_view label) {
        result_.label = LabelUse{&field, std::string(label)};
        const Field* mode = layout_.find("target_mode");
        if (mode != nullptr && written(mode->name) == nullptr) {
            constexpr std::uint8_t immediate_relative = 3;  // isa_wire_format 4.7
            result_.record.set(*mode, immediate_relative);
        }
    }

    std::optional<std::uint8_t> dtype_of(const Field& target, const char* pattern) {
        const Assignment* operand = written(pattern);
        if (operand == nullptr) {
            refuse(target.name, "is not known, because " + std::string(field_alias(pattern)) +
                                    " is not written; legal: write either");
            return std::nullopt;
        }
        if (!operand->facts.dtype) {
            refuse(target.name, "is not known, because " + std::string(field_alias(pattern)) +
                                    " names no dtype; legal: write the field, a tensor, or a "
                                    "literal that ends in :DTYPE");
            return std::nullopt;
        }
        return static_cast<std::uint8_t>(*operand->facts.dtype);
    }

    void infer_dtypes() {
        for (const DtypeSource& source : dtype_sources) {
            const Field* target = layout_.find(source.dtype);
            if (target == nullptr || written(source.dtype) != nullptr ||
                layout_.find(source.first) == nullptr) {
                continue;
            }
            const std::optional<std::uint8_t> first = dtype_of(*target, source.first);
            const std::optional<std::uint8_t> second =
                source.second != nullptr ? dtype_of(*target, source.second) : std::uint8_t{0};
            if (!first || !second) {
                continue;
            }
            if (source.second != nullptr && (*first > 0xF || *second > 0xF)) {
                refuse(target->name, "holds dtypes up to number 15 only, and an operand has " +
                                         std::to_string(std::max(*first, *second)) +
                                         "; legal: an older dtype");
                continue;
            }
            result_.record.set(*target, *first | *second << 4);
        }
        const Field* immediate = layout_.find("imm0_dtype");
        const Field* pair = layout_.find("in0_in1_dtype");
        if (immediate != nullptr && pair != nullptr && written(immediate->name) == nullptr) {
            result_.record.set(*immediate, is_bitvec(row_)
                                               ? result_.record.get8(*pair) & 0xFU
                                               : static_cast<std::uint8_t>(Dtype::FP32));
        }
    }

    void infer_channels() {
        const Field* channels = layout_.find("num_active_channels");
        if (channels == nullptr || written(channels->name) != nullptr) {
            return;
        }
        const Assignment* known = nullptr;
        for (const Assignment& assignment : assignments_) {
            if (!assignment.facts.partitions) {
                continue;
            }
            if (known != nullptr && *known->facts.partitions != *assignment.facts.partitions) {
                refuse(channels->name,
                       "is not known, because " + std::string(field_alias(known->field->name)) +
                           " has " + std::to_string(*known->facts.partitions) + " partitions and " +
                           std::string(field_alias(assignment.field->name)) + " has " +
                           std::to_string(*assignment.facts.partitions) +
                           "; legal: tensors that agree, or write the field");
                return;
            }
            known = &assignment;
        }
        if (known != nullptr) {
            result_.record.set(*channels, *known->facts.partitions);
        } else if (std::any_of(layout_.fields.begin(), layout_.fields.end(),
                               [](const Field& field) { return field.is_pattern(); })) {
            refuse(channels->name,
                   "is not known, because no operand is a tensor; legal: write it, 1..128");
        }
    }

    const OpcodeRow& row_;
    const Layout& layout_;
    const TextContext& context_;
    std::vector<std::string>& errors_;
    std::vector<Assignment> assignments_;
    InstructionText result_;
};

}  // namespace

std::optional<std::uint32_t> EventLines::value() const {
    return wait && wait->value ? wait->value : update ? update->value : std::nullopt;
}

Record default_record(const OpcodeRow& row) {
    Record record = make_record(row.opcode);
    for (const Field& field : layout(row.layout).fields) {
        if (field.is_pattern()) {
            record.set_pattern(field, Pattern{});
        }
    }
    if (row.layout == StructId::D1_RD) {
        record.set(fields::D1_RD::dst_element_count, 1);  // the one legal value (4.6)
    }
    return record;
}

std::vector<std::string_view> split_words(std::string_view line) {
    std::vector<std::string_view> words;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= line.size(); ++i) {
        const bool end = i == line.size();
        if (!end && (line[i] == '[' || line[i] == '(')) {
            ++depth;
        } else if (!end && (line[i] == ']' || line[i] == ')')) {
            --depth;
        }
        if (end || (is_blank(line[i]) && depth <= 0)) {
            if (i > begin) {
                words.push_back(line.substr(begin, i - begin));
            }
            begin = i + 1;
        }
    }
    return words;
}

InstructionText parse_instruction(const std::vector<std::string_view>& words,
                                  const EventLines& events, const TextContext& context,
                                  std::vector<std::string>& errors) {
    const OpcodeRow* row = find_opcode(words.front());
    if (row != nullptr) {
        return InstructionParser(*row, context, errors).parse(words, events);
    }
    std::vector<std::string_view> names;
    for (const OpcodeRow& each : opcode_rows()) {
        names.emplace_back(each.mnemonic);
    }
    errors.push_back(unknown_name("mnemonic", words.front(), names,
                                  "(the opcodes in lower case), wait, update, a directive or a "
                                  "label")
                         .message);
    return {};
}

}  // namespace dve
