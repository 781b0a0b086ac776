// `wait` and `update` lines of assembly text (isa_wire_format 1.3).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "models/isa/text_result.h"

namespace dve {

/// What a wait or update line puts into a record.
struct EventText {
    std::uint8_t mode = 0;               ///< WAIT_MODE or UPDATE_MODE
    std::uint8_t index = 0;              ///< semaphore or event
    std::optional<std::uint32_t> value;  ///< semaphore_value; absent where the mode ignores it
};

/// What follows `wait`: `sem[i] OP n` or `sem[i] OP R[n]` with OP one of == < <= > >=,
/// `event[i] set|clear|set_then_clear|clear_then_set`, or `unordered`.
Result<EventText> parse_wait(std::string_view text);

/// What follows `update`: `sem[i] += n`, `-= n`, `= n` (n a number or R[n]), `sem[i]++`, `sem[i]--`
/// or `event[i] set|clear`, then optionally `on read` or `on complete` (default).
Result<EventText> parse_update(std::string_view text);

/// The line without its indentation, e.g. `wait sem[3] >= 1`; nothing for NONE and for values that
/// have no such form.
std::optional<std::string> format_wait(std::uint8_t mode, std::uint8_t index, std::uint32_t value);
std::optional<std::string> format_update(std::uint8_t mode, std::uint8_t index,
                                         std::uint32_t value);

}  // namespace dve
