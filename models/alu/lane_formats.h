// Conversions of one element as branch-free code, right for every value of the default model, and
// the status of a conversion from FP32.
#pragma once

#include "models/alu/lane_arithmetic.h"

namespace dve::DVE_KERNEL_NAMESPACE {

struct LaneFp32 {
    using Storage = std::uint32_t;
    static std::uint32_t decode(std::uint32_t raw) { return raw; }
    static std::uint32_t encode(std::uint32_t fp32, const NumberModel&) { return canonical(fp32); }
    static std::uint32_t flags(std::uint32_t, const NumberModel&) { return 0; }
};

/// IEEE-like formats of 8 and 16 bits, and E4M3 fn (`finite`: no infinity).
template <typename Word, unsigned mantissa, unsigned bias, bool finite>
struct LaneFloat {
    using Storage = Word;
    static constexpr unsigned width = 8 * sizeof(Word);
    static constexpr unsigned drop = 23 - mantissa;
    static constexpr std::uint32_t sign = 1U << (width - 1);
    static constexpr std::uint32_t top = (sign - 1) & ~((1U << mantissa) - 1);
    static constexpr std::uint32_t largest = finite ? sign - 2 : top - 1;
    static constexpr std::uint32_t canonical_nan = finite ? sign - 1 : top | 1U << (mantissa - 1);
    static constexpr std::uint32_t rebias = (127 - bias) << 23;
    /// FP32 magnitudes from here on overflow: half a step above the largest value, or just beyond
    /// it where that value is even.
    static constexpr std::uint32_t overflow =
        (largest << drop) + rebias + (1U << (drop - 1)) + (finite ? 1U : 0U);
    static constexpr std::uint32_t smallest_normal = (128 - bias) << 23;
    /// Below this a value is tiny after rounding; the tie goes up to the smallest normal. FP32 has
    /// a bit less below the smallest normal of its own exponent range.
    static constexpr std::uint32_t tiny =
        smallest_normal - (1U << (bias == 127 ? drop - 2 : drop - 1));
    /// A number whose last bit is the smallest subnormal: adding it rounds to that.
    static constexpr float magic =
        __builtin_bit_cast(float, (127 + 1 - bias - mantissa + 23) << 23);
    static constexpr float scale = __builtin_bit_cast(float, (127 + 127 - bias) << 23);

    static std::uint32_t decode(std::uint32_t raw) {
        const std::uint32_t pattern = raw & (sign - 1);
        const std::uint32_t scaled = bits(real(pattern << drop) * scale);
        const std::uint32_t special = pattern << drop | 0x7F800000;
        const std::uint32_t is_special = condition(finite ? pattern == sign - 1 : pattern >= top);
        return (raw & sign) << (32 - width) | (special & is_special) | (scaled & ~is_special);
    }

    static std::uint32_t encode(std::uint32_t fp32, const NumberModel& model) {
        const std::uint32_t beyond = model.saturate_narrowing ? largest
                                     : finite                 ? canonical_nan
                                                              : top;
        const std::uint32_t size = magnitude(fp32);
        const std::uint32_t odd = size >> drop & 1U;
        const std::uint32_t normal =
            ((size + ((1U << (drop - 1)) - 1) + odd) >> drop) - (rebias >> drop);
        const std::uint32_t subnormal = bits(real(size) + magic) - bits(magic);
        const bool below = bias != 127 && size < smallest_normal;
        std::uint32_t pattern = below ? subnormal : normal;
        pattern = size >= overflow ? beyond : pattern;
        pattern = size > 0x7F800000 ? canonical_nan : pattern;
        const std::uint32_t is_nan = condition(finite ? pattern == canonical_nan : pattern > top);
        return pattern | ((fp32 >> (32 - width)) & sign & ~is_nan);
    }

    static std::uint32_t flags(std::uint32_t fp32, const NumberModel& model) {
        const std::uint32_t last = model.saturate_narrowing || finite ? 0x7F800000 : 0x7F7FFFFF;
        const std::uint32_t size = magnitude(fp32);
        const std::uint32_t number = condition(size < 0x7F800000);
        const std::uint32_t over = condition(size >= overflow) & condition(size <= last);
        const std::uint32_t bits_lost = condition((size & ((1U << drop) - 1)) != 0);
        const std::uint32_t value_lost = condition((real(size) + magic) - magic != real(size));
        const std::uint32_t below = condition(bias != 127 && size < smallest_normal);
        const std::uint32_t inexact =
            over | (number & ((value_lost & below) | (bits_lost & ~below)));
        return when(over, FpStatus::OVERFLOW_) | when(inexact, FpStatus::INEXACT) |
               when(inexact & condition(size < tiny), FpStatus::UNDERFLOW_);
    }
};

/// A reduced FP32 in a word with zero low bits.
struct LaneFp32r {
    using Storage = std::uint32_t;
    static std::uint32_t decode(std::uint32_t raw) { return raw; }
    static std::uint32_t encode(std::uint32_t fp32, const NumberModel& model) {
        const unsigned drop = 23U - model.fp32r_mantissa_bits;
        const std::uint32_t step = 1U << drop;
        const std::uint32_t size = magnitude(fp32);
        const std::uint32_t odd = size >> drop & 1U;
        std::uint32_t pattern = (size + (step / 2 - 1) + odd) & ~(step - 1);
        const std::uint32_t largest = 0x7F800000 - step;
        pattern = model.saturate_narrowing && pattern > largest ? largest : pattern;
        return size > 0x7F800000 ? 0x7FC00000 : pattern | (fp32 & 0x80000000);
    }
    static std::uint32_t flags(std::uint32_t fp32, const NumberModel& model) {
        const unsigned drop = 23U - model.fp32r_mantissa_bits;
        const std::uint32_t step = 1U << drop;
        const std::uint32_t last = model.saturate_narrowing ? 0x7F800000 : 0x7F7FFFFF;
        const std::uint32_t size = magnitude(fp32);
        const std::uint32_t number = condition(size < 0x7F800000);
        const std::uint32_t over =
            condition(size >= 0x7F800000 - step / 2) & condition(size <= last);
        const std::uint32_t inexact = over | (number & condition((size & (step - 1)) != 0));
        // One bit more than the format keeps, below the smallest normal: a quarter of a step.
        const std::uint32_t tiny =
            condition(size < 0x00800000) & condition(4 * size < 0x02000000 - step);
        return when(over, FpStatus::OVERFLOW_) | when(inexact, FpStatus::INEXACT) |
               when(inexact & tiny, FpStatus::UNDERFLOW_);
    }
};

/// Integers, in double: exact for all 32-bit values.
template <typename Word, typename Wide>
struct LaneInteger {
    using Storage = Word;
    static constexpr bool is_signed = static_cast<Word>(-1) < 0;
    static constexpr unsigned width = 8 * sizeof(Word);
    static constexpr double two_to_the_top =
        static_cast<double>(std::uint64_t{1} << (is_signed ? width - 1 : width));
    static constexpr double low = is_signed ? -two_to_the_top : 0.0;
    static constexpr double high = two_to_the_top - 1;
    static constexpr double shift = 6755399441055744.0;  // 1.5 * 2^52: the sum has no fraction

    static std::uint32_t decode(Word raw) { return bits(static_cast<float>(raw)); }

    static double rounded(double value, bool nearest) {
        const double integer = (value + shift) - shift;
        const double away = integer < 0 ? -integer : integer;
        const double size = value < 0 ? -value : value;
        const double one_less = away - 1;
        const double truncated = away > size ? one_less : away;
        const double signed_truncated = value < 0 ? -truncated : truncated;
        return nearest ? integer : signed_truncated;
    }
    static double clamped(double value) {
        const double above = value > low ? value : low;
        return above < high ? above : high;
    }

    static Word encode(std::uint32_t fp32, const NumberModel& model) {
        const double value = static_cast<double>(real(fp32));
        // Clamping first keeps the sum with `shift` exact; both bounds are integers.
        const double integer = rounded(clamped(value), model.fp_to_int_nearest);
        const Word converted = static_cast<Word>(static_cast<Wide>(integer));
        const Word of_nan = model.nan_to_int_max ? static_cast<Word>(high) : Word{0};
        return nan(fp32) != 0 ? of_nan : converted;
    }

    static std::uint32_t flags(std::uint32_t fp32, const NumberModel& model) {
        const double value = static_cast<double>(real(fp32));
        // Values beyond a bound by less than a rounding are in range.
        const double limited = value > low - 2 ? (value < high + 2 ? value : high + 2) : low - 2;
        const double integer = rounded(limited, model.fp_to_int_nearest);
        const std::uint32_t invalid =
            condition(integer < low) | condition(integer > high) | nan(fp32);
        const std::uint32_t inexact = ~invalid & condition(integer != value);
        return when(invalid, FpStatus::INVALID) | when(inexact, FpStatus::INEXACT);
    }
};

}  // namespace dve::DVE_KERNEL_NAMESPACE
