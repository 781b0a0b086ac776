// Element formats of the tile kernels: one vector in and out, with the conditions to watch.
#pragma once

#include "models/alu/tile_operations.h"
#include "models/alu/vector_convert.h"

namespace dve::DVE_KERNEL_NAMESPACE {

struct OutputRules {
    Words nan_integer;  ///< result of NaN
    bool nearest;       ///< float to integer
};

struct FormatFp32 {
    static constexpr unsigned bytes = 4;
    static constexpr bool quiets = false;  ///< loading may turn a signalling NaN into a quiet one
    static constexpr bool checks = false;  ///< storing watches for NaN, infinity and overflow
    static constexpr bool copies_nan = true;     ///< a NaN has to be made canonical
    static constexpr bool narrow_range = false;  ///< no value but zero is below 2^-60
    static Words load(const std::uint8_t* from) { return load_vector<Words>(from); }
    static void store(std::uint8_t* to, Words value, Watch&, const OutputRules&) {
        store_vector(to, value);
    }
};

/// Narrow IEEE-like formats, and E4M3 fn (`finite`: no infinity).
template <unsigned mantissa, int bias, bool finite, typename Storage>
struct FormatFloat {
    static constexpr unsigned bytes = sizeof(Storage) / vector_lanes;
    static constexpr bool quiets = false;
    static constexpr bool checks = true;
    static constexpr bool copies_nan = false;
    static constexpr bool narrow_range = true;
    static constexpr unsigned width = 8 * bytes;
    static constexpr unsigned drop = 23 - mantissa;
    static constexpr std::uint32_t sign = 1U << (width - 1);
    static constexpr std::uint32_t top = (sign - 1) & ~((1U << mantissa) - 1);
    static constexpr std::uint32_t largest = finite ? sign - 2 : top - 1;
    /// FP32 magnitudes from here on overflow: half a step above the largest value, or just beyond
    /// it where that value is even.
    static constexpr std::uint32_t overflow = (largest << drop) +
                                              (static_cast<std::uint32_t>(127 - bias) << 23) +
                                              (1U << (drop - 1)) + (finite ? 1U : 0U);
    static constexpr std::uint32_t smallest_normal = static_cast<std::uint32_t>(128 - bias) << 23;

    static Words load(const std::uint8_t* from) {
        const Words raw = widen(from, Storage{});
        const Words sign_bits = (raw & sign) << (32 - width);
        const Words pattern = raw & (sign - 1);
        const Words scaled = words(real(pattern << drop) * scale);
        const Words special = (pattern << drop) | 0x7F800000U;
        const Words is_special = finite ? words(pattern == sign - 1) : words(pattern >= top);
        return sign_bits | (is_special ? special : scaled);
    }

    static void store(std::uint8_t* to, Words value, Watch& watch, const OutputRules&) {
        const Words size = magnitude(value);
        watch.wrong |= size + (0x80000000U - overflow);
        watch.underflow |= (size - smallest_normal) & ~(size - 1U);
        const Words odd = (size >> drop) & 1U;
        const Words normal = ((size + ((1U << (drop - 1)) - 1) + odd) >> drop) -
                             (static_cast<std::uint32_t>(127 - bias) << mantissa);
        // Adding a number whose last bit is the smallest subnormal rounds to it.
        const Words magic = splat(
            static_cast<std::uint32_t>(127 + 1 - bias - static_cast<int>(mantissa) + 23) << 23);
        const Words subnormal = words(real(size) + real(magic)) - magic;
        const Words pattern = size < smallest_normal ? subnormal : normal;
        store_low<bytes>(to, pattern | ((value >> (32 - width)) & sign));
    }

private:
    static constexpr float scale = __builtin_bit_cast(float, (127U + 127U - bias) << 23);
};

struct FormatBf16 {
    static constexpr unsigned bytes = 2;
    static constexpr bool quiets = false;
    static constexpr bool checks = true;
    static constexpr bool copies_nan = false;
    static constexpr bool narrow_range = false;
    static Words load(const std::uint8_t* from) { return widen(from, Halves{}) << 16; }
    static void store(std::uint8_t* to, Words value, Watch& watch, const OutputRules&) {
        const Words size = magnitude(value);
        watch.wrong |= size + (0x80000000U - 0x7F7F8000U);
        watch.underflow |= (size - 0x00800000U) & ~(size - 1U);
        const Words rounded = value + 0x7FFFU + ((value >> 16) & 1U);
        store_halves(to, rounded >> 16);
    }
};

#if defined(__F16C__)
/// The processor's own conversions; the rounding mode is part of the instruction.
struct FormatFp16 {
    static constexpr unsigned bytes = 2;
    static constexpr bool quiets = true;
    static constexpr bool checks = true;
    static constexpr bool copies_nan = false;
    static constexpr bool narrow_range = true;
    static Words load(const std::uint8_t* from) {
#if defined(__AVX512F__)
        return words(
            reinterpret_cast<Reals>(_mm512_maskz_cvtph_ps(0xFFFF, load_vector<__m256i>(from))));
#else
        return words(reinterpret_cast<Reals>(_mm256_cvtph_ps(load_vector<__m128i>(from))));
#endif
    }
    static void store(std::uint8_t* to, Words value, Watch& watch, const OutputRules&) {
        const Words size = magnitude(value);
        watch.wrong |= size + (0x80000000U - 0x477FF000U);
        watch.underflow |= (size - 0x38800000U) & ~(size - 1U);
#if defined(__AVX512F__)
        store_vector(to, _mm512_maskz_cvtps_ph(0xFFFF, reinterpret_cast<__m512>(value),
                                               _MM_FROUND_TO_NEAREST_INT));
#else
        store_vector(to,
                     _mm256_cvtps_ph(reinterpret_cast<__m256>(value), _MM_FROUND_TO_NEAREST_INT));
#endif
    }
};
#else
using FormatFp16 = FormatFloat<10, 15, false, Halves>;
#endif
using FormatFp8Exp3 = FormatFloat<4, 3, false, Bytes>;
using FormatFp8Exp4 = FormatFloat<3, 7, false, Bytes>;
using FormatFp8Exp4Fn = FormatFloat<3, 7, true, Bytes>;
using FormatFp8Exp5 = FormatFloat<2, 15, false, Bytes>;

/// Integers of 8 and 16 bits, by way of 32-bit ones. Saturation is done here, and its status is a
/// flag; what does not fit 23 bits is left to the exact kernels.
template <typename Storage, int lowest, int highest>
struct FormatInteger {
    static constexpr unsigned bytes = sizeof(Storage) / vector_lanes;
    static constexpr bool quiets = false;
    static constexpr bool checks = true;
    static constexpr bool copies_nan = false;
    static constexpr bool narrow_range = true;
    static Words load(const std::uint8_t* from) {
        return words(convert<Reals>(integers(widen(from, Storage{}))));
    }
    static void store(std::uint8_t* to, Words value, Watch& watch, const OutputRules& rules) {
        watch.wrong |= magnitude(value) + (0x80000000U - 0x4A800000U);
        constexpr float shift = 12582912.0F;  // 1.5 * 2^23: the sum has no fraction bits
        const Reals number = real(value);
        const Integers integer =
            convert<Integers>(rules.nearest ? (number + shift) - shift : number);
        watch.invalid |= (words(integer) - static_cast<std::uint32_t>(lowest)) |
                         (static_cast<std::uint32_t>(highest) - words(integer));
        const Integers low = Integers{} + lowest;
        const Integers high = Integers{} + highest;
        const Integers above = integer > low ? integer : low;
        store_low<bytes>(to, words(above < high ? above : high));
    }
};

inline Reals round_to_integer(Reals number) {
    const Reals shift = real((words(number) & 0x80000000U) | 0x4B000000U);  // 2^23 with the sign
    return real(magnitude(words(number))) < 8388608.0F ? (number + shift) - shift : number;
}

struct FormatInt32 {
    static constexpr unsigned bytes = 4;
    static constexpr bool quiets = false;
    static constexpr bool checks = false;
    static constexpr bool copies_nan = false;
    static constexpr bool narrow_range = true;
    static Words load(const std::uint8_t* from) {
        return words(convert<Reals>(load_vector<Integers>(from)));
    }
    static void store(std::uint8_t* to, Words value, Watch& watch, const OutputRules& rules) {
        const Reals number = real(value);
        const Words low = words(number >= -2147483648.0F);
        const Words high = words(number >= 2147483648.0F);
        watch.invalid |= ~low | high;
        const Reals inside = real(value & low & ~high);
        const Words converted =
            words(convert<Integers>(rules.nearest ? round_to_integer(inside) : inside));
        const Words result = (converted & low) | (high & 0x7FFFFFFFU) | (~low & 0x80000000U);
        store_vector(to, number == number ? result : rules.nan_integer);
    }
};

struct FormatUint32 {
    static constexpr unsigned bytes = 4;
    static constexpr bool quiets = false;
    static constexpr bool checks = false;
    static constexpr bool copies_nan = false;
    static constexpr bool narrow_range = true;
    static Words load(const std::uint8_t* from) {
        return words(convert<Reals>(load_vector<Words>(from)));
    }
    static void store(std::uint8_t* to, Words value, Watch& watch, const OutputRules& rules) {
        const Reals number = real(value);
        const Words low = words(number > (rules.nearest ? -0.5F : -1.0F));
        const Words high = words(number >= 4294967296.0F);
        watch.invalid |= ~low | high;
        const Reals inside = real(value & words(number > 0.0F) & ~high);
        const Reals rounded = rules.nearest ? round_to_integer(inside) : inside;
        const Words upper = words(rounded >= 2147483648.0F);
        const Reals lower =
            real(words(rounded - 2147483648.0F) & upper) + real(words(rounded) & ~upper);
        const Words result = (words(convert<Integers>(lower)) + (upper & 0x80000000U)) | high;
        store_vector(to, number == number ? result : rules.nan_integer);
    }
};

using FormatInt8 = FormatInteger<SignedBytes, -128, 127>;
using FormatUint8 = FormatInteger<Bytes, 0, 255>;
using FormatInt16 = FormatInteger<SignedHalves, -32768, 32767>;
using FormatUint16 = FormatInteger<Halves, 0, 65535>;

}  // namespace dve::DVE_KERNEL_NAMESPACE
