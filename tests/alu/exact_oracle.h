// Oracle for rounding: exact rationals of Boost.Multiprecision and a rounding of its own.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>

#include "models/alu/number_model.h"

namespace dve::test {

using Integer = boost::multiprecision::cpp_int;
using Rational = boost::multiprecision::cpp_rational;

inline Rational power_of_two(int exponent) {
    const Integer power = Integer(1) << (exponent < 0 ? -exponent : exponent);
    return exponent < 0 ? Rational(Integer(1), power) : Rational(power);
}

/// A binary format by its mathematics: precision, smallest exponent, largest finite value.
struct OracleFormat {
    int mantissa_bits;
    int smallest_exponent;
    Rational largest;
    std::uint32_t largest_pattern;
    std::uint32_t overflow_pattern;  ///< infinity, or NaN where there is none
};

inline OracleFormat fp32_oracle() {
    return {23, -126, (Rational(2) - power_of_two(-23)) * power_of_two(127), 0x7F7FFFFF,
            0x7F800000};
}

/// Exact value of a finite FP32 pattern.
inline Rational value_of_fp32(std::uint32_t bits) {
    const int field = static_cast<int>(bits >> 23 & 0xFF);
    const std::int64_t fraction = bits & 0x7FFFFF;
    const Rational size = field == 0 ? Rational(fraction) * power_of_two(-149)
                                     : Rational(fraction + 0x800000) * power_of_two(field - 150);
    return bits >> 31 != 0 ? -size : size;
}

struct Rounded {
    std::uint32_t pattern;  ///< without the sign
    std::uint8_t flags;
};

/// Largest e with 2^e <= size.
inline int exponent_of(const Rational& size) {
    int e = static_cast<int>(msb(numerator(size))) - static_cast<int>(msb(denominator(size)));
    while (power_of_two(e) > size) {
        --e;
    }
    while (power_of_two(e + 1) <= size) {
        ++e;
    }
    return e;
}

/// |value| in units of 2^unit, rounded to an integer.
inline Integer rounded_units(const Rational& size, bool negative, int unit, Rounding rounding) {
    const Rational units = size * power_of_two(-unit);
    const Integer below = numerator(units) / denominator(units);
    const Rational rest = units - Rational(below);
    bool up = false;
    switch (rounding) {
        case Rounding::NEAREST_EVEN:
            up = rest > Rational(1, 2) || (rest == Rational(1, 2) && below % 2 != 0);
            break;
        case Rounding::TO_ZERO: break;
        case Rounding::UP: up = rest > 0 && !negative; break;
        case Rounding::DOWN: up = rest > 0 && negative; break;
    }
    return up ? below + 1 : below;
}

inline Rounded round_exactly(const OracleFormat& format, const Rational& value, Rounding rounding,
                             bool saturate = false) {
    const bool negative = value < 0;
    const Rational size = negative ? -value : value;
    if (size == 0) {
        return {0, 0};
    }
    const int exponent = exponent_of(size);
    const int bounded = exponent < format.smallest_exponent ? format.smallest_exponent : exponent;
    const int unit = bounded - format.mantissa_bits;
    const Integer units = rounded_units(size, negative, unit, rounding);
    const Rational result = Rational(units) * power_of_two(unit);
    if (result > format.largest) {
        const bool back = rounding == Rounding::TO_ZERO || (rounding == Rounding::UP && negative) ||
                          (rounding == Rounding::DOWN && !negative);
        return {saturate || back ? format.largest_pattern : format.overflow_pattern,
                FpStatus::OVERFLOW_ | FpStatus::INEXACT};
    }
    std::uint8_t flags = 0;
    if (result != size) {
        flags = FpStatus::INEXACT;
        // Tiny after rounding as if the exponent had no bound.
        const int free_unit = exponent - format.mantissa_bits;
        const Rational free =
            Rational(rounded_units(size, negative, free_unit, rounding)) * power_of_two(free_unit);
        if (free < power_of_two(format.smallest_exponent)) {
            flags |= FpStatus::UNDERFLOW_;
        }
    }
    // Patterns count units: within a binade by one, and binade after binade.
    const Integer hidden = Integer(1) << format.mantissa_bits;
    const Integer pattern = Integer(bounded - format.smallest_exponent) * hidden + units;
    return {static_cast<std::uint32_t>(pattern), flags};
}

}  // namespace dve::test
