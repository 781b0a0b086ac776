// The FP32 operations of the ALU, one struct each, named by the last column of alu_op.def.
//
//   fp32     the definition: bits, any number model, exact status
//   lane     the same value for the default model as branch-free code that vectorises; NaN results
//            may carry any payload and sign
//   suspect  status flags other than inexact that the lane may have raised: never too few, and
//   cheap flags    the status the lane raised, exactly; inexact included
//
// The lane forms are compiled once per instruction set: each copy has a namespace of its own, so
// that no copy for a larger instruction set is linked into the code for a smaller one.
#pragma once

#include <cstdint>

#include "models/alu/lane_arithmetic.h"
#include "models/alu/soft_float.h"
#include "models/isa/alu_op.h"

namespace dve::DVE_KERNEL_NAMESPACE {

/// Every row of the table has a struct; the ones that this header leaves open are defined beside
/// it.
#define DVE_ALU_OP(value, name, operands, classes, first, function) struct function;
#include "models/isa/alu_op.def"
#undef DVE_ALU_OP

/// Whether a row has an FP32 meaning (the integer band has values of its own).
constexpr bool is_fp32_operation(int value, int classes) {
    return value < 0xC4 && (classes & (ARITH | GENERAL_ARITH | UNDECIDED_ARITH)) != 0;
}

/// An operation that can only be invalid, for a signalling NaN operand.
struct SignallingBinary {
    static constexpr bool moves_bits = false;  ///< NaN results keep their payload
    static constexpr bool has_lane = true;
    static constexpr bool has_flags = true;
    static constexpr std::uint32_t may_raise = FpStatus::INVALID;
    static std::uint32_t suspect(std::uint32_t left, std::uint32_t right, std::uint32_t) {
        return when(signalling(left) | signalling(right), FpStatus::INVALID);
    }
    static std::uint32_t flags(std::uint32_t left, std::uint32_t right, std::uint32_t result) {
        return suspect(left, right, result);
    }
};

struct SignallingUnary : SignallingBinary {
    static std::uint32_t suspect(std::uint32_t left, std::uint32_t, std::uint32_t) {
        return when(signalling(left), FpStatus::INVALID);
    }
    static std::uint32_t flags(std::uint32_t left, std::uint32_t right, std::uint32_t result) {
        return suspect(left, right, result);
    }
};

/// An ordered relation is invalid with any NaN (IEEE 754 section 5.11).
struct Relation : SignallingBinary {
    static std::uint32_t suspect(std::uint32_t left, std::uint32_t right, std::uint32_t) {
        return when(nan(left) | nan(right), FpStatus::INVALID);
    }
    static std::uint32_t flags(std::uint32_t left, std::uint32_t right, std::uint32_t result) {
        return suspect(left, right, result);
    }
};

/// Sums: overflow and invalid show in the result; a tiny sum is exact.
struct Sum : SignallingBinary {
    static constexpr std::uint32_t may_raise =
        FpStatus::INVALID | FpStatus::OVERFLOW_ | FpStatus::INEXACT;
    static std::uint32_t suspect(std::uint32_t, std::uint32_t, std::uint32_t result) {
        return when(not_finite(result), FpStatus::INVALID | FpStatus::OVERFLOW_);
    }
    static std::uint32_t flags(std::uint32_t left, std::uint32_t right, std::uint32_t result) {
        return sum_flags(left, right, result);
    }
};

/// Products and quotients.
struct Product : SignallingBinary {
    static constexpr std::uint32_t may_raise =
        FpStatus::INVALID | FpStatus::OVERFLOW_ | FpStatus::UNDERFLOW_ | FpStatus::INEXACT;
    static std::uint32_t suspect(std::uint32_t left, std::uint32_t right, std::uint32_t result) {
        return when(not_finite(result), FpStatus::INVALID | FpStatus::OVERFLOW_) |
               when(at_most_smallest_normal(result) & not_zero(left) & not_zero(right),
                    FpStatus::UNDERFLOW_);
    }
    static std::uint32_t flags(std::uint32_t left, std::uint32_t right, std::uint32_t result) {
        return product_flags(left, right, result);
    }
};

/// Operations without a lane form: the definition runs element by element.
struct WithoutLane {
    static constexpr bool moves_bits = false;
    static constexpr bool has_lane = false;
    static constexpr bool has_flags = false;
};

// One parameter list for all, used or not.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"

using Lane = std::uint32_t;

struct bypass : SignallingBinary {
    static constexpr bool moves_bits = true;
    static constexpr std::uint32_t may_raise = 0;
    static std::uint32_t fp32(Lane left, Lane right, const NumberModel& model, FpStatus& status) {
        return left;
    }
    static std::uint32_t lane(Lane left, Lane right) { return left; }
    static std::uint32_t suspect(std::uint32_t, std::uint32_t, std::uint32_t) { return 0; }
    static std::uint32_t flags(std::uint32_t, std::uint32_t, std::uint32_t) { return 0; }
    static std::uint32_t bitvec(std::uint32_t left, std::uint32_t, unsigned, const NumberModel&) {
        return left;
    }
    static std::uint32_t bitvec_lane(std::uint32_t left, std::uint32_t, unsigned) { return left; }
};

struct add : Sum {
    static std::uint32_t fp32(Lane left, Lane right, const NumberModel& model, FpStatus& status) {
        return soft::add(left, right, model, status);
    }
    static std::uint32_t lane(Lane left, Lane right) { return bits(real(left) + real(right)); }
};

struct subtract : Sum {
    static std::uint32_t fp32(Lane left, Lane right, const NumberModel& model, FpStatus& status) {
        return soft::subtract(left, right, model, status);
    }
    static std::uint32_t lane(Lane left, Lane right) { return bits(real(left) - real(right)); }
    static std::uint32_t flags(std::uint32_t left, std::uint32_t right, std::uint32_t result) {
        return sum_flags(left, right ^ 0x80000000, result);
    }
};

struct mult : Product {
    static std::uint32_t fp32(Lane left, Lane right, const NumberModel& model, FpStatus& status) {
        return soft::multiply(left, right, model, status);
    }
    static std::uint32_t lane(Lane left, Lane right) { return bits(real(left) * real(right)); }
};

struct divide : Product {
    static constexpr std::uint32_t may_raise = Product::may_raise | FpStatus::DIVIDE_BY_ZERO;
    static std::uint32_t fp32(Lane left, Lane right, const NumberModel& model, FpStatus& status) {
        return soft::divide(left, right, model, status);
    }
    static std::uint32_t lane(Lane left, Lane right) { return bits(real(left) / real(right)); }
    static std::uint32_t suspect(std::uint32_t left, std::uint32_t, std::uint32_t result) {
        return when(not_finite(result),
                    FpStatus::INVALID | FpStatus::OVERFLOW_ | FpStatus::DIVIDE_BY_ZERO) |
               when(at_most_smallest_normal(result) & not_zero(left), FpStatus::UNDERFLOW_);
    }
    static std::uint32_t flags(std::uint32_t left, std::uint32_t right, std::uint32_t result) {
        return quotient_flags(left, right, result);
    }
};

struct max : SignallingBinary {
    static std::uint32_t fp32(Lane left, Lane right, const NumberModel& model, FpStatus& status) {
        return soft::maximum(left, right, model, status);
    }
    static std::uint32_t lane(Lane left, Lane right) { return maximum_lane(left, right); }
};

struct min : SignallingBinary {
    static std::uint32_t fp32(Lane left, Lane right, const NumberModel& model, FpStatus& status) {
        return soft::minimum(left, right, model, status);
    }
    static std::uint32_t lane(Lane left, Lane right) { return minimum_lane(left, right); }
};

struct absolute_value : SignallingUnary {
    static std::uint32_t fp32(Lane left, Lane right, const NumberModel& model, FpStatus& status) {
        left = soft::operand(left, model);
        return soft::is_nan(left) ? soft::nan_of(left, left, status) : soft::magnitude(left);
    }
    static std::uint32_t lane(Lane left, Lane right) { return left & 0x7FFFFFFF; }
};

struct absolute_diff : Sum {
    static std::uint32_t fp32(Lane left, Lane right, const NumberModel& model, FpStatus& status) {
        return soft::magnitude(soft::subtract(left, right, model, status));
    }
    static std::uint32_t lane(Lane left, Lane right) {
        return bits(real(left) - real(right)) & 0x7FFFFFFF;
    }
    static std::uint32_t flags(std::uint32_t left, std::uint32_t right, std::uint32_t) {
        return sum_flags(left, right ^ 0x80000000, subtract::lane(left, right));
    }
};

struct abs_max : SignallingBinary {
    static std::uint32_t fp32(Lane left, Lane right, const NumberModel& model, FpStatus& status) {
        return soft::maximum(soft::magnitude(left), soft::magnitude(right), model, status);
    }
    static std::uint32_t lane(Lane left, Lane right) {
        return maximum_lane(left & 0x7FFFFFFF, right & 0x7FFFFFFF);
    }
};

struct abs_min : SignallingBinary {
    static std::uint32_t fp32(Lane left, Lane right, const NumberModel& model, FpStatus& status) {
        return soft::minimum(soft::magnitude(left), soft::magnitude(right), model, status);
    }
    static std::uint32_t lane(Lane left, Lane right) {
        return minimum_lane(left & 0x7FFFFFFF, right & 0x7FFFFFFF);
    }
};

struct re_lu : SignallingUnary {
    static std::uint32_t fp32(Lane left, Lane right, const NumberModel& model, FpStatus& status) {
        return soft::maximum(left, 0, model, status);
    }
    static std::uint32_t lane(Lane left, Lane right) { return maximum_lane(left, 0); }
};

struct square : Product {
    static std::uint32_t fp32(Lane left, Lane right, const NumberModel& model, FpStatus& status) {
        return soft::multiply(left, left, model, status);
    }
    static std::uint32_t lane(Lane left, Lane right) { return bits(real(left) * real(left)); }
    static std::uint32_t suspect(std::uint32_t left, std::uint32_t, std::uint32_t result) {
        return Product::suspect(left, left, result);
    }
    static std::uint32_t flags(std::uint32_t left, std::uint32_t, std::uint32_t result) {
        return product_flags(left, left, result);
    }
};

/// The magnitude of ABS_MAX with the sign bit of a number `left`.
struct symmetric_clamp : SignallingBinary {
    static std::uint32_t fp32(Lane left, Lane right, const NumberModel& model, FpStatus& status) {
        const std::uint32_t magnitude = model.symmetric_clamp_min
                                            ? abs_min::fp32(left, right, model, status)
                                            : abs_max::fp32(left, right, model, status);
        const bool signed_result = !soft::is_nan(left) && !soft::is_nan(magnitude);
        return magnitude | (signed_result ? left & soft::sign_bit : 0U);
    }
    static std::uint32_t lane(Lane left, Lane right) {
        return abs_max::lane(left, right) | (nan(left) != 0 ? 0U : left & 0x80000000);
    }
};

struct rsqrt : WithoutLane {
    static constexpr bool has_lane = true;
    static constexpr std::uint32_t may_raise =
        FpStatus::INVALID | FpStatus::DIVIDE_BY_ZERO | FpStatus::INEXACT;
    static std::uint32_t fp32(Lane left, Lane right, const NumberModel& model, FpStatus& status) {
        return soft::reciprocal_square_root(left, model, status);
    }
    /// In double; a test runs all significands of both exponent parities against the definition.
    static std::uint32_t lane(Lane left, Lane right) {
        return bits(static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(real(left)))));
    }
    static std::uint32_t suspect(std::uint32_t left, std::uint32_t, std::uint32_t) {
        return when(left - 1U >= 0x7F800000 ? all_lane_bits : 0U,
                    FpStatus::INVALID | FpStatus::DIVIDE_BY_ZERO);
    }
};

struct pow : WithoutLane {
    static std::uint32_t fp32(Lane left, Lane right, const NumberModel& model, FpStatus& status) {
        return soft::power(left, right, model, status);
    }
};

/// Integer only (op_semantics 1.2): no FP32 value.
struct mod : WithoutLane {
    static std::uint32_t fp32(Lane left, Lane right, const NumberModel& model, FpStatus& status) {
        return canonical_nan_fp32;
    }
};

// Relations and logical operations give 1.0 or 0.0. NaN is unequal to everything, and true.

struct is_eq : SignallingBinary {
    static std::uint32_t fp32(Lane left, Lane right, const NumberModel& model, FpStatus& status) {
        return soft::truth(soft::compare_quiet(left, right, model, status) == soft::Order::EQUAL);
    }
    static std::uint32_t lane(Lane left, Lane right) {
        return truth(condition(real(left) == real(right)));
    }
};

struct is_gt : Relation {
    static std::uint32_t fp32(Lane left, Lane right, const NumberModel& model, FpStatus& status) {
        return soft::truth(soft::compare(left, right, model, status) == soft::Order::GREATER);
    }
    static std::uint32_t lane(Lane left, Lane right) {
        return truth(condition(real(left) > real(right)));
    }
};

struct is_ge : Relation {
    static std::uint32_t fp32(Lane left, Lane right, const NumberModel& model, FpStatus& status) {
        const soft::Order order = soft::compare(left, right, model, status);
        return soft::truth(order == soft::Order::GREATER || order == soft::Order::EQUAL);
    }
    static std::uint32_t lane(Lane left, Lane right) {
        return truth(condition(real(left) >= real(right)));
    }
};

struct is_le : Relation {
    static std::uint32_t fp32(Lane left, Lane right, const NumberModel& model, FpStatus& status) {
        const soft::Order order = soft::compare(left, right, model, status);
        return soft::truth(order == soft::Order::LESS || order == soft::Order::EQUAL);
    }
    static std::uint32_t lane(Lane left, Lane right) {
        return truth(condition(real(left) <= real(right)));
    }
};

struct is_lt : Relation {
    static std::uint32_t fp32(Lane left, Lane right, const NumberModel& model, FpStatus& status) {
        return soft::truth(soft::compare(left, right, model, status) == soft::Order::LESS);
    }
    static std::uint32_t lane(Lane left, Lane right) {
        return truth(condition(real(left) < real(right)));
    }
};

struct is_ne : SignallingBinary {
    static std::uint32_t fp32(Lane left, Lane right, const NumberModel& model, FpStatus& status) {
        return soft::truth(soft::compare_quiet(left, right, model, status) != soft::Order::EQUAL);
    }
    static std::uint32_t lane(Lane left, Lane right) {
        return truth(condition(real(left) != real(right)));
    }
};

struct logical_and : SignallingBinary {
    static std::uint32_t fp32(Lane left, Lane right, const NumberModel& model, FpStatus& status) {
        soft::raise_if_signalling(left, right, status);
        return soft::truth(soft::is_true(left, model) && soft::is_true(right, model));
    }
    static std::uint32_t lane(Lane left, Lane right) {
        return truth(not_zero(left) & not_zero(right));
    }
};

struct logical_or : SignallingBinary {
    static std::uint32_t fp32(Lane left, Lane right, const NumberModel& model, FpStatus& status) {
        soft::raise_if_signalling(left, right, status);
        return soft::truth(soft::is_true(left, model) || soft::is_true(right, model));
    }
    static std::uint32_t lane(Lane left, Lane right) {
        return truth(not_zero(left) | not_zero(right));
    }
};

struct logical_xor : SignallingBinary {
    static std::uint32_t fp32(Lane left, Lane right, const NumberModel& model, FpStatus& status) {
        soft::raise_if_signalling(left, right, status);
        return soft::truth(soft::is_true(left, model) != soft::is_true(right, model));
    }
    static std::uint32_t lane(Lane left, Lane right) {
        return truth(not_zero(left) ^ not_zero(right));
    }
};

#pragma GCC diagnostic pop

}  // namespace dve::DVE_KERNEL_NAMESPACE
