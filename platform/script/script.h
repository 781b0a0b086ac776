// Register scripts as text: what the lines of a file ask for. No SystemC.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/isa/text_result.h"

namespace dve::script {

enum class Action : std::uint8_t {
    LOAD_MEM,   ///< load_mem ADDRESS BYTES FILE
    DUMP_MEM,   ///< dump_mem ADDRESS BYTES FILE
    WRITE_REG,  ///< write_reg ADDRESS VALUE
    READ_REG,   ///< read_reg ADDRESS MASK EXPECTED
    POLL_REG,   ///< poll_reg ADDRESS MASK EXPECTED [NANOSECONDS]
    WAIT_IRQ,   ///< wait_irq [high | low] [NANOSECONDS]
    WAIT,       ///< wait NANOSECONDS
};

/// Simulated time after which a wait or a poll is a difference, unless the line gives another.
inline constexpr std::uint64_t default_timeout_ns = 1'000'000'000;

/// One line of a script; what its action does not have stays zero.
struct Command {
    unsigned line = 0;  ///< from 1
    Action action = Action::WAIT_IRQ;
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    std::uint32_t value = 0;  ///< to write, or expected under the mask
    std::uint32_t mask = 0;
    bool level = true;  ///< of the interrupt line
    std::uint64_t nanoseconds = default_timeout_ns;
    std::string file;
};

/// Commands of a text; `#` starts a comment. The error begins with `name:line`.
Result<std::vector<Command>> parse_script(const std::string& name, std::string_view text);

}  // namespace dve::script
