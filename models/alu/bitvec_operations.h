// The bitvec operations of the ALU, one struct each, named by the last column of alu_op.def.
//
//   bitvec       the definition: operands of `width` bits zero-extended, any number model
//   bitvec_lane  the same for the default model, branch-free; width is 8, 16 or 32
// The caller truncates the result to the width.
#pragma once

#include <cstdint>

#include "models/alu/arithmetic_operations.h"

namespace dve::DVE_KERNEL_NAMESPACE {

constexpr bool is_bitvec_operation(int classes) { return (classes & BITVEC) != 0; }

constexpr std::uint32_t width_mask(unsigned width) { return 0xFFFFFFFFU >> (32U - width); }

/// The top bit of the width copied to bit 31.
inline std::uint32_t sign_extended(std::uint32_t value, unsigned width) {
    const std::uint32_t top = 1U << (width - 1U);
    return (value ^ top) - top;
}

/// A shift count as the model takes it: complete shifts saturate at the width.
inline std::uint32_t shift_count(std::uint32_t count, unsigned width, const NumberModel& model) {
    if (model.shift_modulo) {
        return count % width;
    }
    return count < width ? count : width;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"

struct bitwise_not {
    static std::uint32_t bitvec(Lane left, Lane right, unsigned width, const NumberModel& model) {
        return ~left;
    }
    static std::uint32_t bitvec_lane(Lane left, Lane right, unsigned width) { return ~left; }
};

struct bitwise_and {
    static std::uint32_t bitvec(Lane left, Lane right, unsigned width, const NumberModel& model) {
        return left & right;
    }
    static std::uint32_t bitvec_lane(Lane left, Lane right, unsigned width) { return left & right; }
};

struct bitwise_or {
    static std::uint32_t bitvec(Lane left, Lane right, unsigned width, const NumberModel& model) {
        return left | right;
    }
    static std::uint32_t bitvec_lane(Lane left, Lane right, unsigned width) { return left | right; }
};

struct bitwise_xor {
    static std::uint32_t bitvec(Lane left, Lane right, unsigned width, const NumberModel& model) {
        return left ^ right;
    }
    static std::uint32_t bitvec_lane(Lane left, Lane right, unsigned width) { return left ^ right; }
};

struct shift_left {
    static std::uint32_t bitvec(Lane left, Lane right, unsigned width, const NumberModel& model) {
        const std::uint32_t count = shift_count(right, width, model);
        return count < 32 ? left << count : 0U;
    }
    static std::uint32_t bitvec_lane(Lane left, Lane right, unsigned width) {
        return right < width ? left << (right & 31U) : 0U;
    }
};

struct logical_shift_right {
    static std::uint32_t bitvec(Lane left, Lane right, unsigned width, const NumberModel& model) {
        const std::uint32_t count = shift_count(right, width, model);
        return count < 32 ? left >> count : 0U;
    }
    static std::uint32_t bitvec_lane(Lane left, Lane right, unsigned width) {
        return right < width ? left >> (right & 31U) : 0U;
    }
};

struct arith_shift_right {
    static std::uint32_t bitvec(Lane left, Lane right, unsigned width, const NumberModel& model) {
        const std::uint32_t extended = sign_extended(left, width);
        const std::uint32_t sign = (extended >> 31) != 0 ? 0xFFFFFFFFU : 0U;
        const std::uint32_t count = shift_count(right, width, model);
        return count < 32 ? ((extended ^ sign) >> count) ^ sign : sign;
    }
    static std::uint32_t bitvec_lane(Lane left, Lane right, unsigned width) {
        const auto extended = static_cast<std::int32_t>(sign_extended(left, width));
        return static_cast<std::uint32_t>(extended >> (right < 31U ? right : 31U));
    }
};

/// Register on the left, bytes of the right operand from the lowest up, no final xor (decisions 3).
struct crc32 {
    static std::uint32_t bitvec(Lane left, Lane right, unsigned width, const NumberModel& model) {
        std::uint32_t state = left;
        for (unsigned byte = 0; byte < width / 8; ++byte) {
            state ^= (right >> (8 * byte)) & 0xFFU;
            for (int bit = 0; bit < 8; ++bit) {
                state = (state >> 1) ^ ((state & 1U) != 0 ? model.crc32_polynomial : 0U);
            }
        }
        return state;
    }
    static std::uint32_t bitvec_lane(Lane left, Lane right, unsigned width) {
        constexpr std::uint32_t polynomial = NumberModel{}.crc32_polynomial;
        std::uint32_t state = left;
        for (unsigned byte = 0; byte < width / 8; ++byte) {
            state ^= (right >> (8 * byte)) & 0xFFU;
            for (int bit = 0; bit < 8; ++bit) {
                state = (state >> 1) ^ ((0U - (state & 1U)) & polynomial);
            }
        }
        return state;
    }
};

#pragma GCC diagnostic pop

}  // namespace dve::DVE_KERNEL_NAMESPACE
