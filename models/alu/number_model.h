// The number model of the lanes: the choices that decide a result bit, as plain values.
//
// Each member is a row of the assumption registry (platform/parameters), which holds its evidence.
#pragma once

#include <cstdint>

namespace dve {

/// FCR[1:0] RoundMode (op_semantics 2.4).
enum class Rounding : std::uint8_t { NEAREST_EVEN = 0, TO_ZERO = 1, UP = 2, DOWN = 3 };

struct NumberModel {
    Rounding rounding = Rounding::NEAREST_EVEN;  ///< fp.rounding: FP32 stages, int to fp, narrowing
    bool flush_subnormals = false;               ///< fp.subnormals = keep / flush
    bool saturate_narrowing = false;             ///< cast.overflow = infinity / saturate
    bool fp_to_int_nearest = false;              ///< cast.fp_to_int = truncate / nearest_even
    bool nan_to_int_max = false;                 ///< cast.nan_to_int = zero / max
    bool minmax_propagates_nan = false;          ///< minmax.nan = number / propagate
    std::uint8_t fp32r_mantissa_bits = 10;       ///< fp32r.mantissa_bits, 10..22
    bool fp8_exp4_fn = false;                    ///< fp8_exp4.variant = ieee / fn
    bool shift_modulo = false;                   ///< shift.overflow = complete / modulo
    bool symmetric_clamp_min = false;            ///< symmetric_clamp = max / min
    std::uint32_t crc32_polynomial = 0xEDB88320;  ///< crc32.polynomial, reflected form
};

/// Sticky floating-point status, FSR bits (op_semantics 2.4).
struct FpStatus {
    static constexpr std::uint8_t INEXACT = 1U << 0;
    static constexpr std::uint8_t UNDERFLOW_ = 1U << 1;
    static constexpr std::uint8_t OVERFLOW_ = 1U << 2;
    static constexpr std::uint8_t DIVIDE_BY_ZERO = 1U << 3;
    static constexpr std::uint8_t INVALID = 1U << 4;

    std::uint8_t bits = 0;
    void raise(std::uint8_t flags) { bits = static_cast<std::uint8_t>(bits | flags); }
};

}  // namespace dve
