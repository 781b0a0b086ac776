// Exact integers of 8 to 64 bits: the integer band C4..E1 and the scalar evaluator on R[].
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "models/alu/number_model.h"
#include "models/isa/alu_op.h"
#include "models/isa/dtype.h"

namespace dve {

/// Width and signedness of an integer dtype.
struct IntegerType {
    std::uint8_t bits = 32;  ///< 8, 16, 32 or 64
    bool is_signed = true;

    static IntegerType of(Dtype dtype) {
        const DtypeRow& row = dtype_row(dtype);
        return {row.bits, row.kind == DtypeKind::SIGNED};
    }
};

/// Raw bits of an element to 64 bits, by the signedness of its type.
std::uint64_t extend(std::uint64_t raw, IntegerType type);

/// Low bits of the type's width.
std::uint64_t wrap(std::uint64_t value, IntegerType type);

/// One operation of the integer band or MOD 0x1B on extended operands (decisions 3): exact, then
/// wrapped to `out`. `operands`: signedness of both. Comparisons give 1 or 0. Division by zero
/// raises DIVIDE_BY_ZERO and gives all ones (-1), the remainder is the dividend.
/// Nothing for an operation that is no such operation (argmax and argmin are reductions).
std::optional<std::uint64_t> evaluate_integer(AluOp op, std::uint64_t left, std::uint64_t right,
                                              IntegerType operands, IntegerType out,
                                              FpStatus& status);

/// A bitvec operation on 64-bit values (0x51): counts of 64 and more shift everything out, or by
/// the count modulo 64 with model.shift_modulo.
std::optional<std::uint64_t> evaluate_bitvec64(AluOp op, std::uint64_t left, std::uint64_t right,
                                               const NumberModel& model);

/// What the scalar evaluator of the sequencer says of an operation.
enum class ScalarOutcome : std::uint8_t {
    OK,
    NOT_SUPPORTED_OP,
    NOT_SUPPORTED_DTYPE,
    DIVIDE_BY_ZERO
};

struct ScalarResult {
    ScalarOutcome outcome = ScalarOutcome::OK;
    std::uint64_t value = 0;
};

/// R[d] = OP(R[s0], R[s1]) (op_semantics 1.5, decisions 3): base codes with an integer meaning and
/// the integer band, native width of the dtype: INT32, UINT32, INT64, UINT64.
ScalarResult evaluate_scalar(AluOp op, std::uint64_t left, std::uint64_t right, Dtype dtype,
                             const NumberModel& model);

/// Index of the largest (or least) element of a span, the first one on ties (decisions 3). The
/// operations AMAX_INT .. AMIN_UINT; reached by no opcode.
std::uint32_t evaluate_arg(AluOp op, const std::uint64_t* extended, std::size_t count);

}  // namespace dve
