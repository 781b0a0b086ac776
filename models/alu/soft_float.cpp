// FP32 add, multiply, divide, reciprocal square root, maximum and minimum from bits.
#include "models/alu/soft_float.h"

namespace dve::soft {
namespace {

/// value >> shift, with the lowest bit set if a one was shifted out.
std::uint64_t shift_right_sticky(std::uint64_t value, unsigned shift) {
    if (shift >= 64) {
        return value != 0 ? 1 : 0;
    }
    const std::uint64_t kept = value >> shift;
    return kept | ((kept << shift) != value ? 1U : 0U);
}

std::uint64_t integer_square_root(std::uint64_t value) {
    std::uint64_t root = 0;
    for (std::uint64_t bit = std::uint64_t{1} << 31; bit != 0; bit >>= 1) {
        const std::uint64_t candidate = root | bit;
        if (candidate * candidate <= value) {
            root = candidate;
        }
    }
    return root;
}

std::uint32_t add_operands(std::uint32_t left, std::uint32_t right, const NumberModel& model,
                           FpStatus& status) {
    if (is_nan(left) || is_nan(right)) {
        return nan_of(left, right, status);
    }
    if (is_infinity(left)) {
        return is_infinity(right) && left != right ? invalid(status) : left;
    }
    if (is_infinity(right)) {
        return right;
    }
    Value large = value_of(left);
    Value small = value_of(right);
    bool large_sign = negative(left);
    bool small_sign = negative(right);
    if (large.exponent < small.exponent) {
        const Value value = large;
        large = small;
        small = value;
        const bool sign = large_sign;
        large_sign = small_sign;
        small_sign = sign;
    }
    // 38 bits below the larger operand: exact, or far enough below it for a sticky bit.
    constexpr unsigned guard = 38;
    const std::uint64_t high = large.significand << guard;
    const std::uint64_t low = shift_right_sticky(
        small.significand << guard, static_cast<unsigned>(large.exponent - small.exponent));
    const int exponent = large.exponent - static_cast<int>(guard);
    if (large_sign == small_sign) {
        if (high + low == 0) {
            return large_sign ? sign_bit : 0U;
        }
        return rounded(large_sign, high + low, exponent, model, status);
    }
    if (high == low) {
        return model.rounding == Rounding::DOWN ? sign_bit : 0U;
    }
    return high > low ? rounded(large_sign, high - low, exponent, model, status)
                      : rounded(small_sign, low - high, exponent, model, status);
}

std::uint32_t select_by_order(std::uint32_t left, std::uint32_t right, bool larger,
                              const NumberModel& model, FpStatus& status) {
    left = operand(left, model);
    right = operand(right, model);
    if (is_nan(left) || is_nan(right)) {
        raise_if_signalling(left, right, status);
        if (model.minmax_propagates_nan || (is_nan(left) && is_nan(right))) {
            return canonical_nan_fp32;
        }
        return is_nan(left) ? right : left;
    }
    return (order_key(left) > order_key(right)) == larger ? left : right;
}

}  // namespace

std::uint32_t add(std::uint32_t left, std::uint32_t right, const NumberModel& model,
                  FpStatus& status) {
    return add_operands(operand(left, model), operand(right, model), model, status);
}

std::uint32_t subtract(std::uint32_t left, std::uint32_t right, const NumberModel& model,
                       FpStatus& status) {
    return add(left, right ^ sign_bit, model, status);
}

std::uint32_t multiply(std::uint32_t left, std::uint32_t right, const NumberModel& model,
                       FpStatus& status) {
    left = operand(left, model);
    right = operand(right, model);
    const std::uint32_t sign = (left ^ right) & sign_bit;
    if (is_nan(left) || is_nan(right)) {
        return nan_of(left, right, status);
    }
    if (is_infinity(left) || is_infinity(right)) {
        return is_zero(left) || is_zero(right) ? invalid(status) : sign | infinity;
    }
    if (is_zero(left) || is_zero(right)) {
        return sign;
    }
    const Value a = value_of(left);
    const Value b = value_of(right);
    return rounded(sign != 0, a.significand * b.significand, a.exponent + b.exponent, model,
                   status);
}

std::uint32_t divide(std::uint32_t left, std::uint32_t right, const NumberModel& model,
                     FpStatus& status) {
    left = operand(left, model);
    right = operand(right, model);
    const std::uint32_t sign = (left ^ right) & sign_bit;
    if (is_nan(left) || is_nan(right)) {
        return nan_of(left, right, status);
    }
    if (is_infinity(left)) {
        return is_infinity(right) ? invalid(status) : sign | infinity;
    }
    if (is_infinity(right)) {
        return sign;
    }
    if (is_zero(right)) {
        if (is_zero(left)) {
            return invalid(status);
        }
        status.raise(FpStatus::DIVIDE_BY_ZERO);
        return sign | infinity;
    }
    if (is_zero(left)) {
        return sign;
    }
    const Value a = normalised(value_of(left));
    const Value b = normalised(value_of(right));
    const std::uint64_t dividend = a.significand << 40;
    const std::uint64_t quotient = dividend / b.significand;
    const std::uint64_t sticky = dividend % b.significand != 0 ? 1 : 0;
    return rounded(sign != 0, quotient | sticky, a.exponent - b.exponent - 40, model, status);
}

std::uint32_t reciprocal_square_root(std::uint32_t value, const NumberModel& model,
                                     FpStatus& status) {
    value = operand(value, model);
    if (is_nan(value)) {
        return nan_of(value, value, status);
    }
    if (is_zero(value)) {
        status.raise(FpStatus::DIVIDE_BY_ZERO);
        return value | infinity;
    }
    if (negative(value)) {
        return invalid(status);
    }
    if (is_infinity(value)) {
        return 0;
    }
    Value v = normalised(value_of(value));
    if ((v.exponent & 1) != 0) {
        v = {v.significand << 1, v.exponent - 1};
    }
    // floor(sqrt(2^76 / significand)) in two division steps; at least 25 bits and a sticky bit.
    constexpr std::uint64_t first_dividend = std::uint64_t{1} << 63;
    const std::uint64_t first = first_dividend / v.significand;
    const std::uint64_t second_dividend = (first_dividend % v.significand) << 13;
    const std::uint64_t square = (first << 13) + second_dividend / v.significand;
    const std::uint64_t root = integer_square_root(square);
    const bool exact = root * root == square && second_dividend % v.significand == 0;
    return rounded(false, (root << 2) | (exact ? 0U : 1U), -v.exponent / 2 - 38 - 2, model, status);
}

std::uint32_t maximum(std::uint32_t left, std::uint32_t right, const NumberModel& model,
                      FpStatus& status) {
    return select_by_order(left, right, true, model, status);
}

std::uint32_t minimum(std::uint32_t left, std::uint32_t right, const NumberModel& model,
                      FpStatus& status) {
    return select_by_order(left, right, false, model, status);
}

}  // namespace dve::soft
