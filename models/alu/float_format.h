// Layouts of the floating-point formats and rounding of an exact value into one of them.
#pragma once

#include <cstdint>

#include "models/alu/number_model.h"
#include "models/isa/dtype.h"

namespace dve {

/// What a format has beside numbers.
enum class Specials : std::uint8_t {
    INFINITY_AND_NAN,  ///< top exponent, as IEEE 754
    ONE_NAN,           ///< no infinity, NaN only in the all-ones pattern (E4M3 fn, scale formats)
    NUMBERS_ONLY,      ///< neither (E2M1)
};

/// Sign (if any), exponent and mantissa fields from the top; patterns below are without the sign.
/// Without mantissa bits there is no zero either: the lowest pattern is 2^-bias (E8M0).
struct FloatFormat {
    unsigned exponent_bits = 8;
    unsigned mantissa_bits = 23;
    int bias = 127;
    Specials specials = Specials::INFINITY_AND_NAN;
    bool is_signed = true;

    constexpr unsigned sign_shift() const { return exponent_bits + mantissa_bits; }
    constexpr std::uint32_t sign_bit() const { return is_signed ? 1U << sign_shift() : 0U; }
    constexpr bool has_zero() const { return mantissa_bits != 0; }
    constexpr std::uint32_t top_exponent() const {
        return ((1U << exponent_bits) - 1U) << mantissa_bits;
    }
    constexpr std::uint32_t all_ones() const { return (1U << sign_shift()) - 1U; }
    constexpr std::uint32_t largest() const {
        switch (specials) {
            case Specials::INFINITY_AND_NAN: return top_exponent() - 1U;
            case Specials::ONE_NAN: return all_ones() - 1U;
            case Specials::NUMBERS_ONLY: return all_ones();
        }
        return 0;
    }
    /// What a NaN becomes: the canonical one, +0 where there is none.
    constexpr std::uint32_t canonical_nan() const {
        switch (specials) {
            case Specials::INFINITY_AND_NAN: return top_exponent() | (1U << (mantissa_bits - 1U));
            case Specials::ONE_NAN: return all_ones();
            case Specials::NUMBERS_ONLY: return 0;
        }
        return 0;
    }
    /// What an overflow in the rounding direction gives.
    constexpr std::uint32_t beyond() const {
        return specials == Specials::INFINITY_AND_NAN ? top_exponent() : all_ones();
    }
    constexpr bool is_nan(std::uint32_t magnitude) const {
        switch (specials) {
            case Specials::INFINITY_AND_NAN: return magnitude > top_exponent();
            case Specials::ONE_NAN: return magnitude == all_ones();
            case Specials::NUMBERS_ONLY: return false;
        }
        return false;
    }
    constexpr bool is_infinity(std::uint32_t magnitude) const {
        return specials == Specials::INFINITY_AND_NAN && magnitude == top_exponent();
    }
};

inline constexpr FloatFormat fp32_format{};

/// Format of a floating-point or scale type under a number model. FP32R: without its zero low bits.
inline FloatFormat float_format(Dtype dtype, const NumberModel& model) {
    const DtypeRow& row = dtype_row(dtype);
    FloatFormat format{row.exponent_bits, row.mantissa_bits, row.bias, Specials::INFINITY_AND_NAN,
                       true};
    if (dtype == Dtype::FP32R) {
        format.mantissa_bits = model.fp32r_mantissa_bits;
    }
    if (row.kind == DtypeKind::SCALE) {
        format.is_signed = false;
        format.specials = Specials::ONE_NAN;
    } else if (dtype == Dtype::FP8_EXP4 && model.fp8_exp4_fn) {
        format.specials = Specials::ONE_NAN;
    } else if (dtype == Dtype::FP4_EXP2) {
        format.specials = Specials::NUMBERS_ONLY;
    }
    return format;
}

constexpr unsigned leading_zeros(std::uint64_t nonzero) {
    return static_cast<unsigned>(__builtin_clzll(nonzero));
}

/// Whether a magnitude with the last kept bit `odd` and a rest above/at/below half moves away from
/// zero.
constexpr bool rounds_away(bool odd, bool negative, std::uint64_t rest, std::uint64_t half,
                           Rounding rounding) {
    switch (rounding) {
        case Rounding::NEAREST_EVEN: return rest > half || (rest == half && odd);
        case Rounding::TO_ZERO: return false;
        case Rounding::UP: return rest != 0 && !negative;
        case Rounding::DOWN: return rest != 0 && negative;
    }
    return false;
}

/// value / 2^drop as an integer, rounded; `inexact` is set if anything was lost.
constexpr std::uint64_t shift_rounded(std::uint64_t value, unsigned drop, bool negative,
                                      Rounding rounding, bool& inexact) {
    if (drop == 0) {
        return value;
    }
    std::uint64_t kept = 0;
    std::uint64_t rest = value != 0 ? 1 : 0;  // drop > 64: below half
    std::uint64_t half = 2;
    if (drop <= 64) {
        half = std::uint64_t{1} << (drop - 1);
        kept = drop == 64 ? 0 : value >> drop;
        rest = drop == 64 ? value : value & (half * 2 - 1);
    }
    inexact = inexact || rest != 0;
    return kept + (rounds_away((kept & 1U) != 0, negative, rest, half, rounding) ? 1U : 0U);
}

/// The magnitude pattern for an overflow: IEEE 754 section 7.4, or the largest finite value.
inline std::uint32_t overflow_pattern(const FloatFormat& format, bool negative, Rounding rounding,
                                      bool saturate, FpStatus& status) {
    status.raise(FpStatus::OVERFLOW_ | FpStatus::INEXACT);
    const bool points_back = rounding == Rounding::TO_ZERO ||
                             (rounding == Rounding::UP && negative) ||
                             (rounding == Rounding::DOWN && !negative);
    return saturate || points_back ? format.largest() : format.beyond();
}

struct RoundingRules {
    Rounding rounding = Rounding::NEAREST_EVEN;
    bool saturate = false;  ///< overflow to the largest finite value
    bool flush = false;     ///< tiny results to zero
};

/// Rounds significand * 2^exponent (significand not 0) into a format; returns the magnitude
/// pattern. The lowest significand bit may stand for "something below", so the significand must
/// have at least three bits more than the format keeps, or be exact. Underflow is raised for
/// results that are tiny after rounding and inexact (decisions 3).
inline std::uint32_t round_to_format(const FloatFormat& format, bool negative,
                                     std::uint64_t significand, int exponent,
                                     const RoundingRules& rules, FpStatus& status) {
    const unsigned zeros = leading_zeros(significand);
    const std::uint64_t normal = significand << zeros;
    const int power = exponent + 63 - static_cast<int>(zeros);
    const int smallest_power = 1 - format.bias;
    const unsigned drop = 63 - format.mantissa_bits;
    bool inexact = false;
    std::uint64_t pattern = 0;
    if (power >= smallest_power) {
        const std::uint64_t kept = shift_rounded(normal, drop, negative, rules.rounding, inexact);
        pattern = kept + (static_cast<std::uint64_t>(power - smallest_power)
                          << format.mantissa_bits);  // the hidden bit counts one exponent step
    } else {
        bool unused = false;
        const std::uint64_t unbounded =
            shift_rounded(normal, drop, negative, rules.rounding, unused);
        const bool tiny =
            power + 1 < smallest_power || unbounded < (std::uint64_t{2} << format.mantissa_bits);
        if (tiny && rules.flush) {
            status.raise(FpStatus::UNDERFLOW_ | FpStatus::INEXACT);
            return 0;
        }
        pattern = shift_rounded(normal, drop + static_cast<unsigned>(smallest_power - power),
                                negative, rules.rounding, inexact);
        if (tiny && inexact) {
            status.raise(FpStatus::UNDERFLOW_);
        }
    }
    if (pattern > format.largest()) {
        return overflow_pattern(format, negative, rules.rounding, rules.saturate, status);
    }
    if (inexact) {
        status.raise(FpStatus::INEXACT);
    }
    return static_cast<std::uint32_t>(pattern);
}

/// The same for a format of powers of two from 2^-bias on, without zero: what is less becomes the
/// lowest pattern. A tie goes to the larger power (IEEE 754 section 4.3.1, one-digit precision).
inline std::uint32_t round_to_power(const FloatFormat& format, bool negative,
                                    std::uint64_t significand, int exponent,
                                    const RoundingRules& rules, FpStatus& status) {
    const unsigned zeros = leading_zeros(significand);
    bool inexact = false;
    const std::uint64_t digits =
        shift_rounded(significand << zeros, 63, negative, rules.rounding, inexact);
    const int field =
        exponent + 63 - static_cast<int>(zeros) + format.bias + static_cast<int>(digits) - 1;
    if (field < 0) {
        status.raise(FpStatus::UNDERFLOW_ | FpStatus::INEXACT);
        return 0;
    }
    if (field > static_cast<int>(format.largest())) {
        return overflow_pattern(format, negative, rules.rounding, rules.saturate, status);
    }
    if (inexact) {
        status.raise(FpStatus::INEXACT);
    }
    return static_cast<std::uint32_t>(field);
}

}  // namespace dve
