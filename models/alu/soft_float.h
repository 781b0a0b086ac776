// FP32 arithmetic on bit patterns with integers only: exact intermediate values, rounded once.
//
// A NaN result is the canonical one. A signalling NaN operand raises invalid everywhere; a quiet
// one only where the caller says so (IEEE 754 sections 5.11 and 6.2).
#pragma once

#include <cstdint>

#include "models/alu/evaluate.h"
#include "models/alu/float_format.h"
#include "models/alu/number_model.h"

namespace dve::soft {

inline constexpr std::uint32_t sign_bit = 0x80000000;
inline constexpr std::uint32_t infinity = 0x7F800000;
inline constexpr std::uint32_t quiet_bit = 0x00400000;
inline constexpr std::uint32_t one = 0x3F800000;

constexpr std::uint32_t magnitude(std::uint32_t bits) { return bits & ~sign_bit; }
constexpr bool negative(std::uint32_t bits) { return (bits & sign_bit) != 0; }
constexpr bool is_nan(std::uint32_t bits) { return magnitude(bits) > infinity; }
constexpr bool is_signalling(std::uint32_t bits) { return is_nan(bits) && (bits & quiet_bit) == 0; }
constexpr bool is_infinity(std::uint32_t bits) { return magnitude(bits) == infinity; }
constexpr bool is_zero(std::uint32_t bits) { return magnitude(bits) == 0; }

/// A finite value: significand * 2^exponent.
struct Value {
    std::uint64_t significand;
    int exponent;
};

constexpr Value value_of(std::uint32_t bits) {
    const std::uint32_t field = magnitude(bits) >> 23;
    const std::uint32_t fraction = bits & 0x007FFFFF;
    return field == 0 ? Value{fraction, -149}
                      : Value{fraction | 0x00800000, static_cast<int>(field) - 150};
}

/// Same value, highest set bit at position 23.
constexpr Value normalised(Value value) {
    const unsigned shift = leading_zeros(value.significand) - 40;
    return {value.significand << shift, value.exponent - static_cast<int>(shift)};
}

/// An operand as a stage sees it: subnormals become signed zero under the flush model.
constexpr std::uint32_t operand(std::uint32_t bits, const NumberModel& model) {
    return model.flush_subnormals && magnitude(bits) < 0x00800000 ? bits & sign_bit : bits;
}

/// Order of the values as integers; -0 lies just below +0.
constexpr std::int32_t order_key(std::uint32_t bits) {
    return negative(bits) ? static_cast<std::int32_t>(bits ^ 0x7FFFFFFF)
                          : static_cast<std::int32_t>(bits);
}

inline std::uint32_t invalid(FpStatus& status) {
    status.raise(FpStatus::INVALID);
    return canonical_nan_fp32;
}

inline void raise_if_signalling(std::uint32_t left, std::uint32_t right, FpStatus& status) {
    if (is_signalling(left) || is_signalling(right)) {
        status.raise(FpStatus::INVALID);
    }
}

inline std::uint32_t nan_of(std::uint32_t left, std::uint32_t right, FpStatus& status) {
    raise_if_signalling(left, right, status);
    return canonical_nan_fp32;
}

inline std::uint32_t rounded(bool sign, std::uint64_t significand, int exponent,
                             const NumberModel& model, FpStatus& status) {
    const RoundingRules rules{model.rounding, false, model.flush_subnormals};
    return (sign ? sign_bit : 0U) |
           round_to_format(fp32_format, sign, significand, exponent, rules, status);
}

constexpr std::uint32_t truth(bool value) { return value ? one : 0U; }

/// Logical truth: not zero, NaN included.
constexpr bool is_true(std::uint32_t bits, const NumberModel& model) {
    return !is_zero(operand(bits, model));
}

enum class Order { LESS, EQUAL, GREATER, UNORDERED };

/// Invalid with a signalling NaN only (for == and !=).
inline Order compare_quiet(std::uint32_t left, std::uint32_t right, const NumberModel& model,
                           FpStatus& status) {
    left = operand(left, model);
    right = operand(right, model);
    if (is_nan(left) || is_nan(right)) {
        raise_if_signalling(left, right, status);
        return Order::UNORDERED;
    }
    if (is_zero(left) && is_zero(right)) {
        return Order::EQUAL;
    }
    const std::int32_t a = order_key(left);
    const std::int32_t b = order_key(right);
    return a < b ? Order::LESS : a > b ? Order::GREATER : Order::EQUAL;
}

/// Invalid with any NaN (for <, <=, > and >=).
inline Order compare(std::uint32_t left, std::uint32_t right, const NumberModel& model,
                     FpStatus& status) {
    const Order order = compare_quiet(left, right, model, status);
    if (order == Order::UNORDERED) {
        status.raise(FpStatus::INVALID);
    }
    return order;
}

std::uint32_t add(std::uint32_t left, std::uint32_t right, const NumberModel& model,
                  FpStatus& status);
std::uint32_t subtract(std::uint32_t left, std::uint32_t right, const NumberModel& model,
                       FpStatus& status);
std::uint32_t multiply(std::uint32_t left, std::uint32_t right, const NumberModel& model,
                       FpStatus& status);
std::uint32_t divide(std::uint32_t left, std::uint32_t right, const NumberModel& model,
                     FpStatus& status);
std::uint32_t reciprocal_square_root(std::uint32_t value, const NumberModel& model,
                                     FpStatus& status);

/// x^y with the special cases of IEEE 754 section 9.2. Exact results are exact; others come from
/// the double-precision pow of the C library, so one in about 2^28 results can be the neighbour of
/// the correctly rounded one.
std::uint32_t power(std::uint32_t left, std::uint32_t right, const NumberModel& model,
                    FpStatus& status);

/// Larger (or smaller) operand; a number wins over NaN unless model.minmax_propagates_nan.
std::uint32_t maximum(std::uint32_t left, std::uint32_t right, const NumberModel& model,
                      FpStatus& status);
std::uint32_t minimum(std::uint32_t left, std::uint32_t right, const NumberModel& model,
                      FpStatus& status);

}  // namespace dve::soft
