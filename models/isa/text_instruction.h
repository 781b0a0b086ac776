// One instruction line of assembly text: field assignments, and the defaults of what is not
// written.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/isa/text_event.h"
#include "models/isa/text_pattern.h"

namespace dve {

/// The wait and update lines in front of an instruction.
struct EventLines {
    std::optional<EventText> wait;
    std::optional<EventText> update;

    bool any() const { return wait || update; }
    /// The semaphore_value that the lines share; absent if neither has one.
    std::optional<std::uint32_t> value() const;
};

/// `field=@label`, to be resolved when all labels are known.
struct LabelUse {
    const Field* field = nullptr;
    std::string label;
};

struct InstructionText {
    Record record;
    std::optional<LabelUse> label;
};

/// A record of the opcode as it is before any field is written: inst_word_len 16, every pattern one
/// element at address 0, one element for DVE_READ_ACCUMULATOR.
Record default_record(const OpcodeRow& row);

/// Words of a line: separated by blanks outside of brackets and parentheses.
std::vector<std::string_view> split_words(std::string_view line);

/// Assembles mnemonic and `name=value` words. Appends one message to `errors` for each fault; the
/// result is meaningless if there are any.
InstructionText parse_instruction(const std::vector<std::string_view>& words,
                                  const EventLines& events, const TextContext& context,
                                  std::vector<std::string>& errors);

}  // namespace dve
