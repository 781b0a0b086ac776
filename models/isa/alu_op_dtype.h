// Which data types an ALU operation takes: table 5.3 of the ALU page (isa_wire_format 8.4).
#pragma once

#include <array>
#include <cstdint>

#include "models/isa/alu_op.h"
#include "models/isa/dtype.h"

namespace dve {

/// Bit set of the types (one bit for each code) in the table's row of each operation.
extern const std::array<std::uint32_t, 256> alu_op_dtypes;

/// True where the table has a cell for the operation and the type: 8- to 64-bit integers, floats
/// up to FP32 and FP8; FP32R counts for results only, which is_valid_dtype enforces on sources.
/// Cells of operations that read two signednesses are true for both.
inline bool alu_op_accepts_dtype(AluOp op, Dtype dtype) {
    return (alu_op_dtypes[static_cast<std::uint8_t>(op)] >> static_cast<unsigned>(dtype) & 1U) != 0;
}

}  // namespace dve
