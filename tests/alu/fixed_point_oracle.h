// Oracle of the sweeps: conversions between FP32 and integers in 64.64 fixed point.
#pragma once

#include <cstdint>
#include <cstring>

#include "models/alu/number_model.h"

namespace dve::test {

__extension__ using Wide = unsigned __int128;

/// |value| of an FP32 pattern rounded to an integer both ways.
struct FixedPoint {
    bool is_nan;
    bool negative;
    bool huge;      ///< 2^64 and more, infinity
    bool fraction;  ///< not an integer
    std::uint64_t truncated;
    std::uint64_t nearest;
    bool nearest_carries;  ///< nearest is 2^64

    static FixedPoint of(std::uint32_t fp32) {
        const std::uint32_t field = fp32 >> 23 & 0xFF;
        const std::uint64_t significand = (fp32 & 0x7FFFFF) | (field != 0 ? 0x800000U : 0U);
        FixedPoint result{};
        result.negative = fp32 >> 31 != 0;
        result.is_nan = field == 255 && (fp32 & 0x7FFFFF) != 0;
        result.huge = field >= 127 + 64;
        if (result.huge) {
            return result;
        }
        // significand * 2^(field - 150), scaled by 2^64; less than 2^-64 leaves a one behind.
        const int shift = static_cast<int>(field == 0 ? 1 : field) - 150 + 64;
        Wide scaled = 0;
        if (shift >= 0) {
            scaled = static_cast<Wide>(significand) << shift;
        } else {
            const std::uint64_t kept = shift > -24 ? significand >> -shift : 0;
            scaled = kept | (significand != 0 ? 1U : 0U);
        }
        const auto rest = static_cast<std::uint64_t>(scaled);
        result.truncated = static_cast<std::uint64_t>(scaled >> 64);
        result.fraction = rest != 0;
        // A half and an odd integer together carry; so does anything above a half.
        const Wide rounded = (scaled + ((Wide{1} << 63) - 1) + (result.truncated & 1U)) >> 64;
        result.nearest = static_cast<std::uint64_t>(rounded);
        result.nearest_carries = (rounded >> 64) != 0;
        return result;
    }
};

struct IntegerOutcome {
    std::uint64_t raw;
    std::uint8_t flags;
};

/// Saturation of a rounded value in an integer type.
inline IntegerOutcome saturated(const FixedPoint& value, unsigned bits, bool is_signed,
                                bool nearest, bool nan_is_max) {
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - bits);
    const std::uint64_t highest = is_signed ? mask >> 1 : mask;
    const std::uint64_t lowest = is_signed ? highest + 1 : 0;  // as a magnitude
    if (value.is_nan) {
        return {nan_is_max ? highest : 0, FpStatus::INVALID};
    }
    const std::uint64_t size = nearest ? value.nearest : value.truncated;
    const std::uint64_t limit = value.negative ? lowest : highest;
    if (value.huge || (nearest && value.nearest_carries) || size > limit) {
        return {(value.negative ? 0 - lowest : highest) & mask, FpStatus::INVALID};
    }
    return {(value.negative ? 0 - size : size) & mask,
            value.fraction ? FpStatus::INEXACT : std::uint8_t{0}};
}

struct FloatOutcome {
    std::uint32_t fp32;
    std::uint8_t flags;
};

/// An integer, given as sign and magnitude, in FP32: the nearer of the two multiples of the step.
inline FloatOutcome fp32_of_integer(bool negative, std::uint64_t size, Rounding rounding) {
    std::uint64_t step = 1;
    while (size >> 24 >= step) {
        step *= 2;
    }
    const std::uint64_t low = size & ~(step - 1);
    const Wide high = Wide{low} + step;
    bool up = rounding == (negative ? Rounding::DOWN : Rounding::UP);
    if (rounding == Rounding::NEAREST_EVEN) {
        const std::uint64_t from_low = size - low;
        const std::uint64_t from_high = step - from_low;
        up = from_low > from_high || (from_low == from_high && (low & step) != 0);
    }
    const bool exact = low == size;
    // At most 24 significant bits: the host's conversion is exact.
    const auto value = static_cast<float>(exact || !up ? low : high);
    std::uint32_t fp32 = 0;
    std::memcpy(&fp32, &value, sizeof fp32);
    return {fp32 | (negative ? 0x80000000U : 0U), exact ? std::uint8_t{0} : FpStatus::INEXACT};
}

}  // namespace dve::test
