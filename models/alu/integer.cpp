// Integer operations on extended 64-bit values, all through 32-bit halves.
#include "models/alu/integer.h"

#include "models/alu/evaluate.h"
#include "models/alu/halves.h"

namespace dve {
namespace {

/// Operands of one evaluation. Both are extended to 64 bits by the same signedness.
struct Operands {
    Halves left;
    Halves right;
    bool is_signed;

    bool less(Halves a, Halves b) const {
        return is_signed ? less_signed(a, b) : less_unsigned(a, b);
    }
    /// Magnitude as an unsigned 64-bit number: that of the least integer is exact.
    Halves magnitude(Halves a) const { return is_signed && a.negative() ? negate(a) : a; }
};

constexpr Halves truth(bool value) { return {value ? 1U : 0U, 0}; }
constexpr Halves all_ones{0xFFFFFFFFU, 0xFFFFFFFFU};

/// Division with the engine's answers for a zero divisor.
HalvesDivision divide(const Operands& x, bool& by_zero) {
    if (x.right.zero()) {
        by_zero = true;
        return {all_ones, x.left};
    }
    return x.is_signed ? divide_signed(x.left, x.right) : divide_unsigned(x.left, x.right);
}

/// The operations that the band and the base codes share; nothing where `op` is none of them.
std::optional<Halves> exact(AluOp op, const Operands& x, bool& by_zero) {
    switch (op) {
        case AluOp::BYPASS: return x.left;
        case AluOp::ADD:
        case AluOp::ADD_INT: return add(x.left, x.right);
        case AluOp::SUBTRACT:
        case AluOp::SUBTRACT_INT: return subtract(x.left, x.right);
        case AluOp::MULT:
        case AluOp::MULT_INT:
        case AluOp::MULT_UINT: return multiply(x.left, x.right);
        case AluOp::DIVIDE:
        case AluOp::DIVIDE_INT:
        case AluOp::DIVIDE_UINT: return divide(x, by_zero).quotient;
        case AluOp::MOD:
        case AluOp::MOD_INT:
        case AluOp::MOD_UINT: return divide(x, by_zero).remainder;
        case AluOp::MAX:
        case AluOp::MAX_INT:
        case AluOp::MAX_UINT: return x.less(x.left, x.right) ? x.right : x.left;
        case AluOp::MIN:
        case AluOp::MIN_INT:
        case AluOp::MIN_UINT: return x.less(x.right, x.left) ? x.right : x.left;
        case AluOp::IS_EQ:
        case AluOp::IS_EQUAL_INT: return truth(x.left == x.right);
        case AluOp::IS_NE:
        case AluOp::IS_NE_INT: return truth(!(x.left == x.right));
        case AluOp::IS_GT:
        case AluOp::IS_GT_INT:
        case AluOp::IS_GT_UINT: return truth(x.less(x.right, x.left));
        case AluOp::IS_GE:
        case AluOp::IS_GE_INT:
        case AluOp::IS_GE_UINT: return truth(!x.less(x.left, x.right));
        case AluOp::IS_LE:
        case AluOp::IS_LE_INT:
        case AluOp::IS_LE_UINT: return truth(!x.less(x.right, x.left));
        case AluOp::IS_LT:
        case AluOp::IS_LT_INT:
        case AluOp::IS_LT_UINT: return truth(x.less(x.left, x.right));
        case AluOp::ABSOLUTE_DIFF:
        case AluOp::ABS_DIFF_INT:
            return x.less(x.left, x.right) ? subtract(x.right, x.left) : subtract(x.left, x.right);
        case AluOp::ABSOLUTE_VALUE:
        case AluOp::ABS_VALUE_INT: return x.magnitude(x.left);
        case AluOp::ABS_MAX:
        case AluOp::ABS_MAX_INT: {
            const Halves left = x.magnitude(x.left);
            const Halves right = x.magnitude(x.right);
            return less_unsigned(left, right) ? right : left;
        }
        case AluOp::ABS_MIN:
        case AluOp::ABS_MIN_INT: {
            const Halves left = x.magnitude(x.left);
            const Halves right = x.magnitude(x.right);
            return less_unsigned(right, left) ? right : left;
        }
        default: return std::nullopt;
    }
}

/// Base codes that mean something on integers and have no twin in the band.
std::optional<Halves> base_only(AluOp op, const Operands& x, const NumberModel& model) {
    switch (op) {
        case AluOp::LOGICAL_AND: return truth(!x.left.zero() && !x.right.zero());
        case AluOp::LOGICAL_OR: return truth(!x.left.zero() || !x.right.zero());
        case AluOp::LOGICAL_XOR: return truth(x.left.zero() != x.right.zero());
        case AluOp::RE_LU: return x.is_signed && x.left.negative() ? Halves{} : x.left;
        case AluOp::SQUARE: return multiply(x.left, x.left);
        case AluOp::SYMMETRIC_CLAMP: {
            const bool take = model.symmetric_clamp_min;
            const Halves left = x.magnitude(x.left);
            const Halves right = x.magnitude(x.right);
            const Halves chosen = less_unsigned(left, right) != take ? right : left;
            if (x.left.zero()) {
                return Halves{};
            }
            return x.is_signed && x.left.negative() ? negate(chosen) : chosen;
        }
        default: return std::nullopt;
    }
}

bool in_integer_band(AluOp op) { return static_cast<std::uint8_t>(op) >= 0xC0; }

}  // namespace

std::uint64_t wrap(std::uint64_t value, IntegerType type) {
    return type.bits == 64 ? value : value & ((std::uint64_t{1} << type.bits) - 1);
}

std::uint64_t extend(std::uint64_t raw, IntegerType type) {
    const std::uint64_t value = wrap(raw, type);
    const bool negative = type.is_signed && (value >> (type.bits - 1) & 1U) != 0;
    return negative && type.bits < 64 ? value | ~std::uint64_t{0} << type.bits : value;
}

std::optional<std::uint64_t> evaluate_integer(AluOp op, std::uint64_t left, std::uint64_t right,
                                              IntegerType operands, IntegerType out,
                                              FpStatus& status) {
    if (!in_integer_band(op) && op != AluOp::MOD && op != AluOp::BYPASS) {
        return std::nullopt;
    }
    bool by_zero = false;
    const auto result =
        exact(op, {Halves::from(left), Halves::from(right), operands.is_signed}, by_zero);
    if (by_zero) {
        status.raise(FpStatus::DIVIDE_BY_ZERO);
    }
    return result ? std::optional(wrap(result->joined(), out)) : std::nullopt;
}

std::optional<std::uint64_t> evaluate_bitvec64(AluOp op, std::uint64_t left, std::uint64_t right,
                                               const NumberModel& model) {
    const Halves a = Halves::from(left);
    const Halves b = Halves::from(right);
    const std::uint32_t count = model.shift_modulo ? b.low & 63U : (b.high != 0 ? 64U : b.low);
    switch (op) {
        case AluOp::BYPASS: return left;
        case AluOp::BITWISE_NOT: return Halves{~a.low, ~a.high}.joined();
        case AluOp::BITWISE_AND: return Halves{a.low & b.low, a.high & b.high}.joined();
        case AluOp::BITWISE_OR: return Halves{a.low | b.low, a.high | b.high}.joined();
        case AluOp::BITWISE_XOR: return Halves{a.low ^ b.low, a.high ^ b.high}.joined();
        case AluOp::ARITH_SHIFT_LEFT:
        case AluOp::LOGICAL_SHIFT_LEFT: return shift_left(a, count).joined();
        case AluOp::LOGICAL_SHIFT_RIGHT: return shift_right(a, count, 0).joined();
        case AluOp::ARITH_SHIFT_RIGHT:
            return shift_right(a, count, a.negative() ? ~0U : 0U).joined();
        default: return std::nullopt;
    }
}

ScalarResult evaluate_scalar(AluOp op, std::uint64_t left, std::uint64_t right, Dtype dtype,
                             const NumberModel& model) {
    switch (dtype) {
        case Dtype::INT32:
        case Dtype::UINT32:
        case Dtype::INT64:
        case Dtype::UINT64: break;
        default: return {ScalarOutcome::NOT_SUPPORTED_DTYPE, 0};
    }
    const IntegerType type = IntegerType::of(dtype);
    const AluOpRow& row = alu_op_row(op);
    if (row.operands == 0 || op == AluOp::CRC32) {
        return {ScalarOutcome::NOT_SUPPORTED_OP, 0};
    }
    // The band's own signedness wins where a row has only one.
    IntegerType compare = type;
    if (row.in(INT_SIGNED) != row.in(INT_UNSIGNED)) {
        compare.is_signed = row.in(INT_SIGNED);
    }
    if (row.in(BITVEC) && op != AluOp::BYPASS) {
        const auto value = type.bits == 64
                               ? evaluate_bitvec64(op, left, right, model)
                               : std::optional<std::uint64_t>(evaluate_bitvec(
                                     op, static_cast<std::uint32_t>(left),
                                     static_cast<std::uint32_t>(right), type.bits, model));
        return {ScalarOutcome::OK, *value};
    }
    const Operands operands{Halves::from(extend(left, compare)),
                            Halves::from(extend(right, compare)), compare.is_signed};
    bool by_zero = false;
    auto value = exact(op, operands, by_zero);
    if (by_zero) {
        return {ScalarOutcome::DIVIDE_BY_ZERO, 0};
    }
    if (!value) {
        value = base_only(op, operands, model);
    }
    if (!value) {
        return {ScalarOutcome::NOT_SUPPORTED_OP, 0};
    }
    return {ScalarOutcome::OK, wrap(value->joined(), type)};
}

std::uint32_t evaluate_arg(AluOp op, const std::uint64_t* extended, std::size_t count) {
    const bool is_signed = op == AluOp::AMAX_INT || op == AluOp::AMIN_INT;
    const bool largest = op == AluOp::AMAX_INT || op == AluOp::AMAX_UINT;
    std::size_t best = 0;
    for (std::size_t i = 1; i < count; ++i) {
        const Halves a = Halves::from(extended[largest ? best : i]);
        const Halves b = Halves::from(extended[largest ? i : best]);
        if (is_signed ? less_signed(a, b) : less_unsigned(a, b)) {
            best = i;
        }
    }
    return static_cast<std::uint32_t>(best);
}

}  // namespace dve
