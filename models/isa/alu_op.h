// ALU operations: identifiers, classes and the table behind them (isa_wire_format 5.2).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "models/isa/generation.h"

namespace dve {

enum class AluOp : std::uint8_t {
#define DVE_ALU_OP(value, name, operands, classes, first, function) name = value,
#include "models/isa/alu_op.def"
#undef DVE_ALU_OP
};

/// Membership flags behind the class predicates of the ISA headers.
enum AluOpClass : std::uint16_t {
    NO_CLASS = 0,
    BITVEC = 1U << 0,          ///< is_bitvec_op, 10 members
    GENERAL_BITVEC = 1U << 1,  ///< is_general_bitvec_op, 9 members
    ARITH = 1U << 2,           ///< is_arith_op, 26 members (30 from MARIANA on)
    GENERAL_ARITH = 1U << 3,   ///< is_general_arith_op, 17 members (21 from MARIANA on)
    INT = 1U << 4,             ///< is_valid_int_aluop, 26 members
    INT_DVE = 1U << 5,         ///< is_valid_int_aluop_dve, 15 members, MAVERICK
    INT_SIGNED = 1U << 6,      ///< is_signed_alu_op
    INT_UNSIGNED = 1U << 7,    ///< is_unsigned_alu_op
    CACHE_REDUCE = 1U << 8,    ///< is_valid_cache_reduce_op, 5 members
    SHIFT_LEFT = 1U << 9,
    SHIFT_RIGHT = 1U << 10,
    UNDECIDED_ARITH = 1U << 11,  ///< arithmetic by its header comment, in no published set (D-14)
};

struct AluOpRow {
    AluOp op;
    const char* name;       ///< ISA identifier, upper case
    const char* text;       ///< lower case, as in the assembly
    std::uint8_t operands;  ///< 1, 2, or 0 for a reduction over a span
    std::uint16_t classes;  ///< AluOpClass flags
    Generation first;       ///< first generation whose enumeration has it

    bool in(AluOpClass wanted) const { return (classes & wanted) != 0; }
    bool exists_in(Generation generation) const { return generation >= first; }
};

/// The row of a byte, or null where no generation defines the value. O(1).
const AluOpRow* find_alu_op(std::uint8_t value);

/// The row of an operation that is known to exist.
const AluOpRow& alu_op_row(AluOp op);

/// Lower- or upper-case name; null if unknown.
const AluOpRow* find_alu_op(std::string_view name);

/// All 65 rows by ascending value.
const std::vector<AluOpRow>& alu_op_rows();

}  // namespace dve
