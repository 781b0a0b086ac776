// Why an instruction stops the engine: an error type of the ISA and what exactly is at fault.
#pragma once

#include <string>

#include "models/isa/check.h"
#include "models/isa/enums.h"

namespace dve {

/// Sequencer subtypes of the error notification (isa_wire_format 5.5).
enum class FaultSubtype : std::uint8_t {
    BAD_OPCODE = 0x00,
    INT_DIVIDE_BY_ZERO = 0x02,
    ASSERT = 0x40,
};

struct Fault {
    ErrorType type = ErrorType::SEQUENCER_FATAL;
    FaultSubtype subtype = FaultSubtype::ASSERT;
    Violation violation;

    std::string message() const {
        return std::string(error_type_name(type)) + ": " + violation.message();
    }
};

}  // namespace dve
