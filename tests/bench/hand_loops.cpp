// The hand-written side of the benchmarks.
#include "tests/bench/hand_loops.h"

#include <array>
#include <cmath>
#include <cstring>

namespace dve::bench {
namespace {

float from_bits(std::uint32_t bits) {
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

std::uint32_t to_bits(float value) {
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

/// The loop itself, for an element type with `load` and `store`.
template <typename Element, typename Load, typename Store>
void loop(const LoopArguments& a, Load load, Store store) {
    for (std::size_t row = 0; row < a.rows; ++row) {
        const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(row) * a.row_stride;
        const auto* __restrict src = reinterpret_cast<const Element*>(a.src + at);
        auto* __restrict dst = reinterpret_cast<Element*>(a.dst + at);
        if (a.second == nullptr) {
            for (std::size_t i = 0; i < a.columns; ++i) {
                dst[i] = store(load(src[i]) * a.scale + a.offset);
            }
        } else {
            const auto* __restrict second = reinterpret_cast<const Element*>(a.second + at);
            for (std::size_t i = 0; i < a.columns; ++i) {
                dst[i] = store(load(src[i]) * a.scale + load(second[i]));
            }
        }
    }
}

std::array<float, 256> fp8_exp4_values() {
    std::array<float, 256> table{};
    for (unsigned code = 0; code < 256; ++code) {
        const unsigned exponent = code >> 3 & 0xFU;
        const unsigned mantissa = code & 7U;
        float value = exponent == 0 ? std::ldexp(static_cast<float>(mantissa), -9)
                                    : std::ldexp(static_cast<float>(8 + mantissa),
                                                 static_cast<int>(exponent) - 10);
        if (exponent == 0xF) {
            value = mantissa == 0 ? INFINITY : NAN;
        }
        table[code] = (code & 0x80U) != 0 ? -value : value;
    }
    return table;
}

std::uint8_t to_fp8_exp4(float value) {
    const std::uint32_t bits = to_bits(value);
    const auto sign = static_cast<std::uint8_t>(bits >> 24 & 0x80U);
    const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
    // 2^-6 is the least normal number; below it the bias trick rounds to multiples of 2^-9.
    const std::uint32_t normal =
        ((magnitude + 0x7FFFF + (magnitude >> 20 & 1U)) >> 20) - (120U << 3);
    const float tiny = from_bits(magnitude) + from_bits(141U << 23);
    const std::uint32_t subnormal = to_bits(tiny) - (141U << 23);
    std::uint32_t code = magnitude < (121U << 23) ? subnormal : normal;
    code = magnitude >= 0x43780000U ? 0x78U : code;
    code = magnitude > 0x7F800000U ? 0x7CU : code;
    return static_cast<std::uint8_t>(sign | code);
}

}  // namespace

void loop_fp32(const LoopArguments& arguments) {
    loop<float>(
        arguments, [](float x) { return x; }, [](float x) { return x; });
}

void loop_bf16(const LoopArguments& arguments) {
    loop<std::uint16_t>(
        arguments, [](std::uint16_t x) { return from_bits(std::uint32_t{x} << 16); },
        [](float x) {
            const std::uint32_t bits = to_bits(x);
            const std::uint32_t rounded = (bits + 0x7FFF + (bits >> 16 & 1U)) >> 16;
            return static_cast<std::uint16_t>(x == x ? rounded : 0x7FC0U);
        });
}

void loop_fp16(const LoopArguments& arguments) {
#ifdef __FLT16_MAX__
    loop<_Float16>(
        arguments, [](_Float16 x) { return static_cast<float>(x); },
        [](float x) { return static_cast<_Float16>(x); });
#else
    (void)arguments;
#endif
}

void loop_fp8_exp4(const LoopArguments& arguments) {
    static const std::array<float, 256> values = fp8_exp4_values();
    loop<std::uint8_t>(
        arguments, [](std::uint8_t x) { return values[x]; }, to_fp8_exp4);
}

void loop_int8(const LoopArguments& arguments) {
    loop<std::int8_t>(
        arguments, [](std::int8_t x) { return static_cast<float>(x); },
        [](float x) {
            const float low = x < -128.0F ? -128.0F : x;
            const float both = low > 127.0F ? 127.0F : low;
            return static_cast<std::int8_t>(static_cast<std::int32_t>(both == both ? both : 0.0F));
        });
}

}  // namespace dve::bench
