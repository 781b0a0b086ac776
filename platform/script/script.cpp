// Lines of a script: a table of actions, each with the operands it takes.
#include "platform/script/script.h"

#include <algorithm>
#include <array>

#include "models/isa/text_number.h"
#include "platform/whole_file.h"

namespace dve::script {
namespace {

enum class Operand : std::uint8_t { ADDRESS, BYTES, VALUE, MASK, LEVEL, NANOSECONDS, FILE };

struct ActionRow {
    Action action;
    const char* name;
    const char* usage;
    std::vector<Operand> operands;
    std::size_t required;
};

const std::array<ActionRow, 7>& action_rows() {
    using O = Operand;
    static const std::array<ActionRow, 7> rows = {{
        {Action::LOAD_MEM, "load_mem", "ADDRESS BYTES FILE", {O::ADDRESS, O::BYTES, O::FILE}, 3},
        {Action::DUMP_MEM, "dump_mem", "ADDRESS BYTES FILE", {O::ADDRESS, O::BYTES, O::FILE}, 3},
        {Action::WRITE_REG, "write_reg", "ADDRESS VALUE", {O::ADDRESS, O::VALUE}, 2},
        {Action::READ_REG, "read_reg", "ADDRESS MASK EXPECTED", {O::ADDRESS, O::MASK, O::VALUE}, 3},
        {Action::POLL_REG,
         "poll_reg",
         "ADDRESS MASK EXPECTED [NANOSECONDS]",
         {O::ADDRESS, O::MASK, O::VALUE, O::NANOSECONDS},
         3},
        {Action::WAIT_IRQ, "wait_irq", "[high | low] [NANOSECONDS]", {O::LEVEL, O::NANOSECONDS}, 0},
        {Action::WAIT, "wait", "NANOSECONDS", {O::NANOSECONDS}, 1},
    }};
    return rows;
}

/// Words of a line up to a comment.
std::vector<std::string_view> words_of(std::string_view line) {
    line = line.substr(0, line.find('#'));
    std::vector<std::string_view> words;
    while (!(line = trim(line)).empty()) {
        const auto end = std::find_if(line.begin(), line.end(), is_blank);
        words.push_back(line.substr(0, static_cast<std::size_t>(end - line.begin())));
        line.remove_prefix(words.back().size());
    }
    return words;
}

/// Puts a word into the field of its operand; the error says what is legal.
Status set_operand(Command& command, Operand operand, std::string_view word) {
    const auto number = [&](const char* what, std::uint64_t least, std::uint64_t most,
                            auto& field) {
        const auto value = parse_unsigned(word, most);
        if (!value || *value < least) {
            return Status(Error{std::string(what) + ' ' + quoted(word) + "; legal: " +
                                format_unsigned(least) + " to " + format_unsigned(most)});
        }
        field = static_cast<std::remove_reference_t<decltype(field)>>(*value);
        return Status(Done{});
    };
    switch (operand) {
        case Operand::ADDRESS: return number("address", 0, UINT64_MAX, command.address);
        case Operand::BYTES: return number("size", 1, maximum_file_bytes, command.bytes);
        case Operand::VALUE: return number("value", 0, UINT32_MAX, command.value);
        case Operand::MASK: return number("mask", 0, UINT32_MAX, command.mask);
        case Operand::NANOSECONDS: return number("time", 1, UINT32_MAX, command.nanoseconds);
        case Operand::LEVEL: command.level = word == "high"; return Done{};
        case Operand::FILE: command.file = word; return Done{};
    }
    return Done{};
}

bool is_level(std::string_view word) { return word == "high" || word == "low"; }

Result<Command> parse_command(const std::vector<std::string_view>& words) {
    const auto& rows = action_rows();
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [&](const ActionRow& each) { return words[0] == each.name; });
    if (row == rows.end()) {
        std::string names;
        for (const ActionRow& each : rows) {
            names += (names.empty() ? "" : ", ") + std::string(each.name);
        }
        return Error{"unknown command " + quoted(words[0]) + "; legal: " + names};
    }
    const std::size_t given = words.size() - 1;
    const Error count{std::string(row->name) + " with " + std::to_string(given) +
                      " operands; legal: " + row->name + ' ' + row->usage};
    if (given < row->required || given > row->operands.size()) {
        return count;
    }
    Command command;
    command.action = row->action;
    std::size_t word = 1;
    for (const Operand operand : row->operands) {
        // A level may be left out before a time.
        if (word == words.size() || (operand == Operand::LEVEL && !is_level(words[word]))) {
            continue;
        }
        if (const Status set = set_operand(command, operand, words[word++]); !set) {
            return Error{std::string(row->name) + ": " + set.error()};
        }
    }
    if (word != words.size()) {
        return count;
    }
    if ((command.value & ~command.mask) != 0 && command.action != Action::WRITE_REG) {
        return Error{std::string(row->name) + ": expected " + format_hex(command.value) +
                     " has bits outside mask " + format_hex(command.mask) + " and is never read"};
    }
    return command;
}

}  // namespace

Result<std::vector<Command>> parse_script(const std::string& name, std::string_view text) {
    std::vector<Command> commands;
    unsigned number = 0;
    for (const std::string_view line : split(text, '\n')) {
        ++number;
        const auto words = words_of(line);
        if (words.empty()) {
            continue;
        }
        auto command = parse_command(words);
        if (!command) {
            return Error{name + ':' + std::to_string(number) + ": " + command.error()};
        }
        command.value().line = number;
        commands.push_back(*command);
    }
    return commands;
}

}  // namespace dve::script
