// FP32 power: special cases and exact results from bits, the rest from the C library in double.
#include <cmath>
#include <cstring>

#include "models/alu/soft_float.h"

namespace dve::soft {
namespace {

double to_double(std::uint32_t bits) {
    const Value value = value_of(bits);
    const double result = std::ldexp(static_cast<double>(value.significand), value.exponent);
    return negative(bits) ? -result : result;
}

/// Odd significand, or 0.
Value odd(Value value) {
    while (value.significand != 0 && (value.significand & 1U) == 0) {
        value = {value.significand >> 1, value.exponent + 1};
    }
    return value;
}

/// Replaces value by its square root if that is a significand with a power of two.
bool take_square_root(Value& value) {
    if ((value.exponent & 1) != 0) {
        return false;
    }
    std::uint64_t root = 1;
    while (root * root < value.significand) {
        ++root;
    }
    if (root * root != value.significand) {
        return false;
    }
    value = {root, value.exponent / 2};
    return true;
}

/// |left|^|right| as an odd significand and an exponent, if it has at most 64 bits.
/// right_negative: the reciprocal, which is finite in binary only for powers of two.
bool exact_power(Value left, Value right, bool right_negative, Value& result) {
    left = odd(left);
    right = odd(right);
    while (right.exponent < 0) {
        if (!take_square_root(left)) {
            return false;
        }
        ++right.exponent;
    }
    if (left.significand == 1) {
        if (left.exponent == 0) {
            result = {1, 0};
            return true;
        }
        if (right.exponent > 10 || (right.significand << right.exponent) > 1024) {
            return false;  // far beyond the exponents of FP32 either way
        }
        const int count = static_cast<int>(right.significand << right.exponent);
        result = {1, right_negative ? -left.exponent * count : left.exponent * count};
        return true;
    }
    if (right_negative || right.exponent > 5 || (right.significand << right.exponent) > 40) {
        return false;
    }
    const auto count = static_cast<unsigned>(right.significand << right.exponent);
    std::uint64_t significand = 1;
    for (unsigned i = 0; i < count; ++i) {
        if (__builtin_mul_overflow(significand, left.significand, &significand)) {
            return false;
        }
    }
    result = {significand, left.exponent * static_cast<int>(count)};
    return true;
}

enum class Parity { NOT_AN_INTEGER, EVEN, ODD };

Parity parity_of(std::uint32_t bits) {
    const Value value = odd(value_of(bits));
    if (value.exponent < 0) {
        return Parity::NOT_AN_INTEGER;
    }
    return value.exponent == 0 ? Parity::ODD : Parity::EVEN;
}

/// An inexact finite positive power, rounded by the model.
std::uint32_t inexact_power(std::uint32_t left, std::uint32_t right, bool sign,
                            const NumberModel& model, FpStatus& status) {
    const bool grows = (magnitude(left) > one) != negative(right);
    const double approximation = std::pow(to_double(magnitude(left)), to_double(right));
    if (!(approximation < 1e300)) {
        return rounded(sign, 1, 1000, model, status);
    }
    if (approximation < 1e-300) {
        return rounded(sign, 1, -1000, model, status);
    }
    std::uint64_t bits = 0;
    std::memcpy(&bits, &approximation, sizeof bits);
    std::uint64_t significand = (bits & 0x000FFFFFFFFFFFFF) | 0x0010000000000000;
    const int exponent = static_cast<int>(bits >> 52) - 1075;
    // The value lies strictly beside the double; only next to 1 is the side certain and needed.
    significand <<= 2;
    significand += approximation == 1.0 && !grows ? std::uint64_t{0} - 1U : 1U;
    return rounded(sign, significand, exponent - 2, model, status);
}

}  // namespace

std::uint32_t power(std::uint32_t left, std::uint32_t right, const NumberModel& model,
                    FpStatus& status) {
    left = operand(left, model);
    right = operand(right, model);
    raise_if_signalling(left, right, status);
    if (is_zero(right) || left == one) {
        return one;
    }
    if (is_nan(left) || is_nan(right)) {
        return canonical_nan_fp32;
    }
    if (is_infinity(right)) {
        if (magnitude(left) == one) {
            return one;
        }
        return (magnitude(left) > one) != negative(right) ? infinity : 0U;
    }
    const Parity parity = parity_of(right);
    const std::uint32_t sign = parity == Parity::ODD ? left & sign_bit : 0U;
    if (is_zero(left)) {
        if (!negative(right)) {
            return sign;
        }
        status.raise(FpStatus::DIVIDE_BY_ZERO);
        return sign | infinity;
    }
    if (is_infinity(left)) {
        return negative(right) ? sign : sign | infinity;
    }
    if (negative(left) && parity == Parity::NOT_AN_INTEGER) {
        return invalid(status);
    }
    Value exact{};
    if (exact_power(value_of(left), value_of(right), negative(right), exact)) {
        return rounded(sign != 0, exact.significand, exact.exponent, model, status);
    }
    return inexact_power(left, right, sign != 0, model, status);
}

}  // namespace dve::soft
