// 64-bit integers as two 32-bit halves, the way the engine computes them (op_semantics 1.6).
#pragma once

#include <cstdint>

namespace dve {

/// Two's complement or unsigned, as the operation says.
struct Halves {
    std::uint32_t low = 0;
    std::uint32_t high = 0;

    static constexpr Halves from(std::uint64_t value) {
        return {static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)};
    }
    constexpr std::uint64_t joined() const { return std::uint64_t{high} << 32 | low; }
    constexpr bool negative() const { return (high >> 31) != 0; }
    constexpr bool zero() const { return (low | high) == 0; }
    constexpr bool operator==(const Halves& other) const {
        return low == other.low && high == other.high;
    }
};

/// Carry from the low into the high half.
constexpr Halves add(Halves a, Halves b) {
    const std::uint32_t low = a.low + b.low;
    const std::uint32_t carry = low < a.low ? 1U : 0U;
    return {low, a.high + b.high + carry};
}

constexpr Halves negate(Halves a) { return add({~a.low, ~a.high}, {1, 0}); }

/// Borrow from the high half.
constexpr Halves subtract(Halves a, Halves b) {
    const std::uint32_t borrow = a.low < b.low ? 1U : 0U;
    return {a.low - b.low, a.high - b.high - borrow};
}

/// Full product of two words.
constexpr Halves multiply_words(std::uint32_t a, std::uint32_t b) {
    return Halves::from(std::uint64_t{a} * b);
}

/// Low 64 bits of the product: the cross products reach the high half only.
constexpr Halves multiply(Halves a, Halves b) {
    Halves product = multiply_words(a.low, b.low);
    product.high += a.low * b.high + a.high * b.low;
    return product;
}

/// High halves first, then low ones.
constexpr bool less_unsigned(Halves a, Halves b) {
    return a.high != b.high ? a.high < b.high : a.low < b.low;
}

constexpr bool less_signed(Halves a, Halves b) {
    return a.negative() != b.negative() ? a.negative() : less_unsigned(a, b);
}

/// Counts of 64 and more shift everything out.
constexpr Halves shift_left(Halves a, std::uint32_t count) {
    if (count >= 64) {
        return {};
    }
    if (count >= 32) {
        return {0, a.low << (count - 32)};
    }
    return count == 0 ? a : Halves{a.low << count, a.high << count | a.low >> (32 - count)};
}

/// `fill`: all ones or zero, shifted in from the left.
constexpr Halves shift_right(Halves a, std::uint32_t count, std::uint32_t fill) {
    if (count >= 64) {
        return {fill, fill};
    }
    if (count >= 32) {
        const std::uint32_t rest = count - 32;
        return {rest == 0 ? a.high : a.high >> rest | fill << (32 - rest), fill};
    }
    if (count == 0) {
        return a;
    }
    return {a.low >> count | a.high << (32 - count), a.high >> count | fill << (32 - count)};
}

struct HalvesDivision {
    Halves quotient;
    Halves remainder;
};

/// Unsigned, divisor not zero: one quotient bit a step.
constexpr HalvesDivision divide_unsigned(Halves dividend, Halves divisor) {
    HalvesDivision result{};
    for (int bit = 63; bit >= 0; --bit) {
        const bool overflow = result.remainder.negative();
        result.remainder = shift_left(result.remainder, 1);
        result.remainder.low |= shift_right(dividend, static_cast<std::uint32_t>(bit), 0).low & 1U;
        if (overflow || !less_unsigned(result.remainder, divisor)) {
            result.remainder = subtract(result.remainder, divisor);
            const Halves one = shift_left({1, 0}, static_cast<std::uint32_t>(bit));
            result.quotient.low |= one.low;
            result.quotient.high |= one.high;
        }
    }
    return result;
}

/// Truncating quotient, remainder with the sign of the dividend; the least integer by -1 wraps.
constexpr HalvesDivision divide_signed(Halves dividend, Halves divisor) {
    const bool flip = dividend.negative() != divisor.negative();
    HalvesDivision result = divide_unsigned(dividend.negative() ? negate(dividend) : dividend,
                                            divisor.negative() ? negate(divisor) : divisor);
    if (flip) {
        result.quotient = negate(result.quotient);
    }
    if (dividend.negative()) {
        result.remainder = negate(result.remainder);
    }
    return result;
}

}  // namespace dve
