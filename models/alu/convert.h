// Conversion of one element between FP32 bits and a type given by its layout, from bits.
//
// evaluate.h chooses the layout of a dtype; the functions are here so that a sweep over all
// patterns can be compiled for one layout at a time.
#pragma once

#include <cstdint>

#include "models/alu/float_format.h"
#include "models/alu/number_model.h"
#include "models/alu/soft_float.h"

namespace dve {

constexpr std::uint64_t low_bits(unsigned count) {
    return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1U;
}

/// An integer of `bits` (4 to 64) width to FP32, rounded by the model.
inline std::uint32_t integer_to_fp32(std::uint64_t raw, unsigned bits, bool is_signed,
                                     const NumberModel& model, FpStatus& status) {
    std::uint64_t value = raw & low_bits(bits);
    const bool negative = is_signed && ((value >> (bits - 1U)) & 1U) != 0;
    if (negative) {
        value = (~value + 1U) & low_bits(bits);
    }
    return value == 0 ? 0U : soft::rounded(negative, value, 0, model, status);
}

/// A pattern of a format to FP32: exact, NaN payloads kept at the top of the mantissa.
inline std::uint32_t float_to_fp32(std::uint32_t raw, const FloatFormat& format) {
    const std::uint32_t sign = (raw & format.sign_bit()) != 0 ? soft::sign_bit : 0U;
    const std::uint32_t magnitude = raw & format.all_ones();
    const std::uint32_t mantissa = magnitude & ((1U << format.mantissa_bits) - 1U);
    if (format.is_nan(magnitude)) {
        const std::uint32_t payload =
            format.mantissa_bits == 0 ? soft::quiet_bit : mantissa << (23 - format.mantissa_bits);
        return sign | soft::infinity | payload;
    }
    if (format.is_infinity(magnitude)) {
        return sign | soft::infinity;
    }
    const std::uint32_t field = magnitude >> format.mantissa_bits;
    const bool hidden = field != 0 || !format.has_zero();
    const std::uint32_t significand = hidden ? mantissa | (1U << format.mantissa_bits) : mantissa;
    if (significand == 0) {
        return sign;
    }
    const int exponent = static_cast<int>(hidden ? field : 1U) - format.bias -
                         static_cast<int>(format.mantissa_bits);
    FpStatus exact;
    return sign | round_to_format(fp32_format, sign != 0, significand, exponent, {}, exact);
}

/// FP32 to an integer of `bits` (4 to 64) width: model.fp_to_int_nearest, then saturation.
inline std::uint64_t fp32_to_integer(std::uint32_t fp32, unsigned bits, bool is_signed,
                                     const NumberModel& model, FpStatus& status) {
    const std::uint64_t largest = low_bits(is_signed ? bits - 1U : bits);
    if (soft::is_nan(fp32)) {
        status.raise(FpStatus::INVALID);
        return model.nan_to_int_max ? largest : 0U;
    }
    const bool negative = soft::negative(fp32);
    // The magnitude of the most negative value; an unsigned type has none.
    const std::uint64_t limit = negative ? (is_signed ? largest + 1U : 0U) : largest;
    std::uint64_t value = ~std::uint64_t{0};
    bool inexact = false;
    bool fits = false;
    if (!soft::is_infinity(fp32)) {
        const soft::Value exact = soft::value_of(fp32);
        if (exact.exponent <= 0) {
            value = shift_rounded(
                exact.significand, static_cast<unsigned>(-exact.exponent), negative,
                model.fp_to_int_nearest ? Rounding::NEAREST_EVEN : Rounding::TO_ZERO, inexact);
            fits = true;
        } else if (exact.exponent <= 40) {
            value = exact.significand << exact.exponent;
            fits = true;
        }
    }
    if (!fits || value > limit) {
        status.raise(FpStatus::INVALID);
        value = limit;
    } else if (inexact) {
        status.raise(FpStatus::INEXACT);
    }
    return (negative ? ~value + 1U : value) & low_bits(bits);
}

/// A finite or infinite magnitude in a format, before the sign.
inline std::uint32_t magnitude_in_format(std::uint32_t fp32, const FloatFormat& format,
                                         const NumberModel& model, FpStatus& status) {
    const bool negative = soft::negative(fp32);
    if (soft::is_infinity(fp32)) {
        if (format.specials == Specials::INFINITY_AND_NAN && !model.saturate_narrowing) {
            return format.top_exponent();
        }
        status.raise(FpStatus::OVERFLOW_ | FpStatus::INEXACT);
        return model.saturate_narrowing ? format.largest() : format.beyond();
    }
    if (soft::is_zero(fp32)) {
        if (!format.has_zero()) {
            status.raise(FpStatus::UNDERFLOW_ | FpStatus::INEXACT);
        }
        return 0;
    }
    const soft::Value value = soft::value_of(fp32);
    const RoundingRules rules{model.rounding, model.saturate_narrowing, false};
    return format.has_zero()
               ? round_to_format(format, negative, value.significand, value.exponent, rules, status)
               : round_to_power(format, negative, value.significand, value.exponent, rules, status);
}

/// FP32 to a pattern of a format. NaN becomes the canonical one, or +0 and invalid where there is
/// none. A negative number in an unsigned format becomes its lowest pattern, and invalid.
inline std::uint32_t fp32_to_float(std::uint32_t fp32, const FloatFormat& format,
                                   const NumberModel& model, FpStatus& status) {
    if (soft::is_nan(fp32)) {
        if (format.specials == Specials::NUMBERS_ONLY) {
            status.raise(FpStatus::INVALID);
        }
        return format.canonical_nan();
    }
    const bool negative = soft::negative(fp32);
    if (negative && !format.is_signed && !soft::is_zero(fp32)) {
        status.raise(FpStatus::INVALID);
        return 0;
    }
    const std::uint32_t magnitude = magnitude_in_format(fp32, format, model, status);
    return format.is_nan(magnitude) ? format.canonical_nan()
                                    : magnitude | (negative ? format.sign_bit() : 0U);
}

}  // namespace dve
