// Oracle of the sweeps: narrowing as a step function of the FP32 pattern.
//
// The values of a format and the midpoints between them are numbers that a double holds; where they
// lie among the FP32 patterns is found by binary search. Between two such places nothing changes,
// so a sweep compares whole runs of patterns against one outcome. No arithmetic is shared with
// models/alu.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "models/alu/number_model.h"
#include "models/isa/dtype.h"

namespace dve::test {

/// A format as the fact sheets print it (published_facts 3.3). Patterns without the sign.
struct SweepFormat {
    const char* name;
    Dtype dtype;
    bool fn;
    unsigned exponent_bits;
    unsigned mantissa_bits;
    int bias;
    std::uint32_t largest;
    std::uint32_t overflow;  ///< infinity, or the NaN where there is none
    std::uint32_t nan;
    bool overflow_is_nan;

    std::uint32_t sign() const { return 1U << (exponent_bits + mantissa_bits); }
};

inline constexpr SweepFormat sweep_formats[] = {
    {"fp16", Dtype::FP16, false, 5, 10, 15, 0x7BFF, 0x7C00, 0x7E00, false},
    {"bf16", Dtype::BF16, false, 8, 7, 127, 0x7F7F, 0x7F80, 0x7FC0, false},
    {"fp8_exp3", Dtype::FP8_EXP3, false, 3, 4, 3, 0x6F, 0x70, 0x78, false},
    {"fp8_exp4", Dtype::FP8_EXP4, false, 4, 3, 7, 0x77, 0x78, 0x7C, false},
    {"fp8_exp4_fn", Dtype::FP8_EXP4, true, 4, 3, 7, 0x7E, 0x7F, 0x7F, true},
    {"fp8_exp5", Dtype::FP8_EXP5, false, 5, 2, 15, 0x7B, 0x7C, 0x7E, false},
    {"fp32r_10", Dtype::FP32R, false, 8, 10, 127, 0x3FBFF, 0x3FC00, 0x3FE00, false},
    {"fp32r_13", Dtype::FP32R, false, 8, 13, 127, 0x1FDFFF, 0x1FE000, 0x1FF000, false},
};

/// What the oracle says of one conversion.
struct Outcome {
    std::uint32_t pattern;  ///< without the sign
    bool is_nan;            ///< written without a sign
    std::uint8_t flags;
};

class StepOracle {
public:
    enum class Position : std::uint8_t {
        EXACT,
        BELOW_HALF,
        HALF,
        ABOVE_HALF,
        BEYOND,  ///< a whole step above the largest value, or more
        INFINITE,
        NOT_A_NUMBER,
    };

    /// The magnitudes from `first` to just below the next step's `first`.
    struct Step {
        std::uint32_t first;
        std::uint32_t lower;  ///< pattern of the largest value that is not above
        Position position;
        bool tiny;          ///< below the smallest normal number
        bool tiny_nearest;  ///< ... also after rounding to nearest with an unbounded exponent
        bool tiny_away;     ///< ... also after rounding away from zero
    };

    explicit StepOracle(const SweepFormat& format) : format_(format) {
        for (std::uint32_t k = 0; k <= format.largest; ++k) {
            add_interval(k);
        }
        add(search(value(format.largest + 1), infinity), format.largest, Position::BEYOND);
        add(infinity, 0, Position::INFINITE);
        add(infinity + 1, 0, Position::NOT_A_NUMBER);
    }

    const std::vector<Step>& steps() const { return steps_; }
    const SweepFormat& format() const { return format_; }

    /// The number that a pattern stands for.
    static double value(const SweepFormat& format, std::uint32_t pattern) {
        const std::uint32_t hidden = 1U << format.mantissa_bits;
        const std::uint32_t field = pattern >> format.mantissa_bits;
        const std::uint32_t fraction = pattern & (hidden - 1);
        const int exponent = static_cast<int>(field == 0 ? 1 : field) - format.bias -
                             static_cast<int>(format.mantissa_bits);
        return std::ldexp(field == 0 ? fraction : fraction + hidden, exponent);
    }

    /// One past the last magnitude of a step.
    std::uint32_t end_of(std::size_t step) const {
        return step + 1 < steps_.size() ? steps_[step + 1].first : 0x80000000U;
    }

    /// The step that holds a magnitude.
    std::size_t find(std::uint32_t magnitude) const {
        std::size_t low = 0;
        std::size_t high = steps_.size();
        while (high - low > 1) {
            const std::size_t middle = (low + high) / 2;
            (steps_[middle].first <= magnitude ? low : high) = middle;
        }
        return low;
    }

    Outcome outcome(const Step& step, Rounding rounding, bool negative, bool saturate) const {
        constexpr std::uint8_t overflow_flags = FpStatus::OVERFLOW_ | FpStatus::INEXACT;
        const bool away = rounding == (negative ? Rounding::DOWN : Rounding::UP);
        const bool nearest = rounding == Rounding::NEAREST_EVEN;
        const Outcome beyond =
            saturate ? Outcome{format_.largest, false, overflow_flags}
                     : Outcome{format_.overflow, format_.overflow_is_nan, overflow_flags};
        switch (step.position) {
            case Position::NOT_A_NUMBER: return {format_.nan, true, 0};
            case Position::INFINITE:
                return saturate || format_.overflow_is_nan ? beyond
                                                           : Outcome{format_.overflow, false, 0};
            case Position::BEYOND:
                return away || nearest ? beyond : Outcome{format_.largest, false, overflow_flags};
            case Position::EXACT: return {step.lower, false, 0};
            default: break;
        }
        const bool up =
            away || (nearest && (step.position == Position::ABOVE_HALF ||
                                 (step.position == Position::HALF && step.lower % 2 != 0)));
        if (up && step.lower == format_.largest) {
            return beyond;
        }
        const bool tiny = away ? step.tiny_away : nearest ? step.tiny_nearest : step.tiny;
        const int flags = tiny ? FpStatus::INEXACT | FpStatus::UNDERFLOW_ : FpStatus::INEXACT;
        return {step.lower + (up ? 1U : 0U), false, static_cast<std::uint8_t>(flags)};
    }

private:
    static constexpr std::uint32_t infinity = 0x7F800000;

    double value(std::uint32_t pattern) const { return value(format_, pattern); }

    static double value_of_fp32(std::uint32_t magnitude) {
        float value = 0;
        std::memcpy(&value, &magnitude, sizeof value);
        return static_cast<double>(value);
    }

    /// The first magnitude up to `last` that is not below a value.
    std::uint32_t search(double wanted, std::uint32_t last) const {
        std::uint32_t low = steps_.empty() ? 0 : steps_.back().first;
        std::uint32_t high = last;
        while (low < high) {
            const std::uint32_t middle = low + (high - low) / 2;
            if (value_of_fp32(middle) < wanted) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    void add(std::uint32_t first, std::uint32_t lower, Position position, bool tiny = false,
             bool tiny_nearest = false, bool tiny_away = false) {
        if (!steps_.empty() && steps_.back().first == first) {
            steps_.pop_back();  // no pattern fell into it
        }
        steps_.push_back({first, lower, position, tiny, tiny_nearest, tiny_away});
    }

    /// From value k up to the next one.
    void add_interval(std::uint32_t k) {
        const std::uint32_t smallest_normal = 1U << format_.mantissa_bits;
        const bool tiny = k < smallest_normal;
        const bool last_tiny = k + 1 == smallest_normal;
        const double low = value(k);
        const double high = value(k + 1);
        const double middle = low + (high - low) / 2;
        const std::uint32_t exact = search(low, infinity);
        const std::uint32_t half = search(middle, infinity);
        add(exact, k, Position::EXACT);
        add(exact + 1, k, Position::BELOW_HALF, tiny, tiny, tiny);
        if (half < infinity && value_of_fp32(half) == middle) {
            add(half, k, Position::HALF, tiny, tiny, tiny);
            add(half + 1, k, Position::ABOVE_HALF, tiny, tiny, tiny && !last_tiny);
        } else {
            add(half, k, Position::ABOVE_HALF, tiny, tiny, tiny && !last_tiny);
        }
        if (last_tiny) {
            // With one more bit of precision, a quarter below the smallest normal rounds up to it.
            add(search(middle + (high - middle) / 2, infinity), k, Position::ABOVE_HALF, true,
                false, false);
        }
    }

    SweepFormat format_;
    std::vector<Step> steps_;
};

}  // namespace dve::test
