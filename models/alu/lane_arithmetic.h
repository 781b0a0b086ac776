// Branch-free building blocks of the lane forms: conditions are all-ones or zero words, so that a
// loop over them becomes vector code. Host floating point in the default model only.
#pragma once

#include <cstdint>

#include "models/alu/number_model.h"

namespace dve::DVE_KERNEL_NAMESPACE {

inline constexpr std::uint32_t all_lane_bits = 0xFFFFFFFF;

inline float real(std::uint32_t bits) { return __builtin_bit_cast(float, bits); }
inline std::uint32_t bits(float real) { return __builtin_bit_cast(std::uint32_t, real); }

inline std::uint32_t condition(bool value) { return 0U - static_cast<std::uint32_t>(value); }
inline std::uint32_t when(std::uint32_t mask, std::uint32_t value) { return mask & value; }

inline std::uint32_t magnitude(std::uint32_t lane) { return lane & 0x7FFFFFFF; }
inline std::uint32_t nan(std::uint32_t lane) { return condition(magnitude(lane) > 0x7F800000); }
inline std::uint32_t signalling(std::uint32_t lane) {
    return condition(magnitude(lane) - 0x7F800001 < 0x003FFFFF);
}
inline std::uint32_t infinite(std::uint32_t lane) {
    return condition(magnitude(lane) == 0x7F800000);
}
inline std::uint32_t not_finite(std::uint32_t lane) {
    return condition(magnitude(lane) >= 0x7F800000);
}
inline std::uint32_t not_zero(std::uint32_t lane) { return condition(magnitude(lane) != 0); }

/// Results that may have been tiny before rounding.
inline std::uint32_t at_most_smallest_normal(std::uint32_t lane) {
    return condition(magnitude(lane) <= 0x00800000);
}

/// 1.0 or 0.0.
inline std::uint32_t truth(std::uint32_t mask) { return mask & 0x3F800000; }

inline std::uint32_t canonical(std::uint32_t lane) {
    return magnitude(lane) > 0x7F800000 ? 0x7FC00000 : lane;
}

/// A number wins over NaN; +0 is larger than -0.
inline std::uint32_t maximum_lane(std::uint32_t left, std::uint32_t right) {
    const float a = real(left);
    const float b = real(right);
    const std::uint32_t ordered = a > b || b != b ? left : right;
    return a == b ? left & right : ordered;
}

inline std::uint32_t minimum_lane(std::uint32_t left, std::uint32_t right) {
    const float a = real(left);
    const float b = real(right);
    const std::uint32_t ordered = a < b || b != b ? left : right;
    return a == b ? left | right : ordered;
}

/// Values below this bound are tiny after rounding to 24 bits (the tie goes up to 2^-126).
inline constexpr double tiny_bound = 0x1p-126 - 0x1p-151;

inline std::uint32_t invalid_flags(std::uint32_t left, std::uint32_t right, std::uint32_t result) {
    const std::uint32_t created = nan(result) & ~nan(left) & ~nan(right);
    return when(created | signalling(left) | signalling(right), FpStatus::INVALID);
}

/// Exact status of result = left + right. The sum is exact if and only if both differences give
/// the other operand back: the difference with the larger operand is always exact.
inline std::uint32_t sum_flags(std::uint32_t left, std::uint32_t right, std::uint32_t result) {
    const std::uint32_t finite = ~(not_finite(left) | not_finite(right));
    const float a = real(left);
    const float b = real(right);
    const float sum = real(result);
    const std::uint32_t inexact = finite & (condition(sum - a != b) | condition(sum - b != a));
    const std::uint32_t overflow = finite & infinite(result);
    return invalid_flags(left, right, result) | when(inexact, FpStatus::INEXACT) |
           when(overflow, FpStatus::OVERFLOW_);
}

/// Exact status of result = left * right: the product is exact in double.
inline std::uint32_t product_flags(std::uint32_t left, std::uint32_t right, std::uint32_t result) {
    const std::uint32_t finite = ~(not_finite(left) | not_finite(right));
    const double product = static_cast<double>(real(left)) * static_cast<double>(real(right));
    const std::uint32_t inexact = finite & condition(product != static_cast<double>(real(result)));
    const std::uint32_t tiny = condition(product < tiny_bound) & condition(product > -tiny_bound);
    const std::uint32_t overflow = finite & infinite(result);
    return invalid_flags(left, right, result) | when(inexact, FpStatus::INEXACT) |
           when(overflow, FpStatus::OVERFLOW_) | when(inexact & tiny, FpStatus::UNDERFLOW_);
}

/// Exact status of result = left / right, by products that are exact in double.
inline std::uint32_t quotient_flags(std::uint32_t left, std::uint32_t right, std::uint32_t result) {
    const std::uint32_t finite = ~(not_finite(left) | not_finite(right));
    const std::uint32_t by_number = finite & not_zero(right);
    const double dividend = static_cast<double>(real(left));
    const double divisor = static_cast<double>(real(right));
    const std::uint32_t inexact =
        by_number & condition(static_cast<double>(real(result)) * divisor != dividend);
    const double positive_dividend = dividend < 0 ? -dividend : dividend;
    const double positive_divisor = divisor < 0 ? -divisor : divisor;
    const std::uint32_t tiny = condition(positive_dividend < tiny_bound * positive_divisor);
    return invalid_flags(left, right, result) | when(inexact, FpStatus::INEXACT) |
           when(inexact & tiny, FpStatus::UNDERFLOW_) |
           when(by_number & infinite(result), FpStatus::OVERFLOW_) |
           when(finite & not_zero(left) & ~not_zero(right), FpStatus::DIVIDE_BY_ZERO);
}

}  // namespace dve::DVE_KERNEL_NAMESPACE
