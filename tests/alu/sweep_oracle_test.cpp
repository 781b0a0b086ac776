// The oracles of the exhaustive sweeps against exact rationals, around every boundary.
//
// Rounding is monotone, so a step whose first and last pattern agree with the rationals agrees
// everywhere.
#include <gtest/gtest.h>

#include "tests/alu/exact_oracle.h"
#include "tests/alu/fixed_point_oracle.h"
#include "tests/alu/samples.h"
#include "tests/alu/step_oracle.h"

namespace dve {
namespace {

using test::Rational;
using test::StepOracle;
using test::SweepFormat;

Rational value_of(const SweepFormat& format, std::uint32_t pattern) {
    const int field = static_cast<int>(pattern >> format.mantissa_bits);
    const int hidden = 1 << format.mantissa_bits;
    const int fraction = static_cast<int>(pattern) & (hidden - 1);
    return Rational(field == 0 ? fraction : fraction + hidden) *
           test::power_of_two((field == 0 ? 1 : field) - format.bias -
                              static_cast<int>(format.mantissa_bits));
}

class Sweep : public ::testing::TestWithParam<SweepFormat> {};

TEST_P(Sweep, StepsAreThoseOfTheRationals) {
    const SweepFormat& format = GetParam();
    const StepOracle oracle(format);
    const test::OracleFormat exact{static_cast<int>(format.mantissa_bits), 1 - format.bias,
                                   value_of(format, format.largest), format.largest,
                                   format.overflow};
    const std::size_t count = oracle.steps().size();
    ASSERT_EQ(oracle.steps().front().first, 0U);
    // All steps of the 8-bit formats with both signs, of the 16-bit formats with alternating sign;
    // of FP32R both ends and an odd stride, because a value has four steps.
    const std::size_t stride = count < 200000 ? 1 : (count / 40000) | 1U;
    for (std::size_t i = 0; i < count; ++i) {
        const bool edge = i < 2000 || i + 2000 > count;
        const StepOracle::Step& step = oracle.steps()[i];
        if ((!edge && i % stride != 0) || step.first >= 0x7F800000) {
            continue;
        }
        for (const std::uint32_t magnitude : {step.first, oracle.end_of(i) - 1}) {
            ASSERT_EQ(oracle.find(magnitude), i);
            for (const bool negative : {false, true}) {
                if (count >= 4000 && negative != ((i / stride + magnitude) % 2 != 0)) {
                    continue;
                }
                const Rational size = test::value_of_fp32(magnitude);
                for (const Rounding rounding : test::all_roundings) {
                    const test::Rounded want = test::round_exactly(
                        exact, negative ? Rational(-size) : size, rounding, false);
                    const test::Outcome have = oracle.outcome(step, rounding, negative, false);
                    ASSERT_EQ(have.pattern, want.pattern) << std::hex << magnitude;
                    ASSERT_EQ(have.flags, want.flags) << std::hex << magnitude;
                    ASSERT_EQ(have.is_nan, format.overflow_is_nan && want.pattern == format.nan);
                    const bool beyond = (want.flags & FpStatus::OVERFLOW_) != 0;
                    const test::Outcome full = oracle.outcome(step, rounding, negative, true);
                    ASSERT_EQ(full.pattern, beyond ? format.largest : want.pattern);
                    ASSERT_EQ(full.flags, want.flags);
                }
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Formats, Sweep, ::testing::ValuesIn(test::sweep_formats),
                         [](const auto& suite) { return std::string(suite.param.name); });

TEST(FixedPoint, RoundsToIntegersAsTheRationalsDo) {
    std::vector<std::uint32_t> samples = test::edge_patterns();
    // Every boundary in the small range, the limits of every type, and all exponents.
    for (int eighth = 0; eighth <= 4096; ++eighth) {
        samples.push_back(test::bits_of(static_cast<float>(eighth) / 8));
    }
    for (std::uint32_t field = 1; field < 255; ++field) {
        for (const std::uint32_t fraction : {0U, 1U, 0x400000U, 0x400001U, 0x7FFFFFU}) {
            samples.push_back(field << 23 | fraction);
        }
    }
    const std::size_t count = samples.size();
    for (std::size_t i = 0; i < count; ++i) {
        samples.push_back(samples[i] + 1);
        samples.push_back(samples[i] - 1);
    }
    for (const std::uint32_t pattern : samples) {
        for (const std::uint32_t fp32 : {pattern, pattern ^ 0x80000000U}) {
            if ((fp32 & 0x7FFFFFFF) >= 0x7F800000) {
                continue;
            }
            const test::FixedPoint value = test::FixedPoint::of(fp32);
            const Rational exact = test::value_of_fp32(fp32);
            for (const unsigned bits : {8U, 16U, 32U, 64U}) {
                for (const unsigned choice : {0U, 1U, 2U, 3U}) {
                    const bool is_signed = (choice & 1) != 0;
                    const bool nearest = (choice & 2) != 0;
                    const test::Integer span = test::Integer(1) << bits;
                    const test::Integer lowest = is_signed ? test::Integer(-span / 2) : 0;
                    const test::Integer highest = lowest + span - 1;
                    test::Integer want =
                        test::rounded_units(exact < 0 ? Rational(-exact) : exact, false, 0,
                                            nearest ? Rounding::NEAREST_EVEN : Rounding::TO_ZERO);
                    want = exact < 0 ? test::Integer(-want) : want;
                    std::uint8_t flags = Rational(want) != exact ? FpStatus::INEXACT : 0;
                    if (want < lowest || want > highest) {
                        want = want < lowest ? lowest : highest;
                        flags = FpStatus::INVALID;
                    }
                    const test::IntegerOutcome have =
                        test::saturated(value, bits, is_signed, nearest, false);
                    const test::Integer raw = want < 0 ? test::Integer(want + span) : want;
                    ASSERT_EQ(have.raw, static_cast<std::uint64_t>(raw)) << std::hex << fp32;
                    ASSERT_EQ(have.flags, flags) << std::hex << fp32;
                }
            }
        }
    }
}

TEST(FixedPoint, IntegersRoundToFp32AsTheRationalsDo) {
    test::Random random(61);
    for (int i = 0; i < 20000; ++i) {
        // Boundaries: a few low bits at the end of a significand of 24 or 25 bits.
        std::uint64_t size = random.next() >> random.below(64);
        if (i % 2 == 0) {
            const unsigned shift = static_cast<unsigned>(random.below(40));
            size = ((random.next() & 0x1FFFFFF) | 0x1000000) << shift;
            size += random.below(3) - 1;
        }
        const bool negative = random.below(2) == 0;
        for (const Rounding rounding : test::all_roundings) {
            const Rational value = negative ? Rational(-Rational(size)) : Rational(size);
            const test::Rounded want = test::round_exactly(test::fp32_oracle(), value, rounding);
            const test::FloatOutcome have = test::fp32_of_integer(negative, size, rounding);
            ASSERT_EQ(have.fp32 & 0x7FFFFFFF, want.pattern) << size;
            ASSERT_EQ(have.flags, want.flags) << size;
        }
    }
}

}  // namespace
}  // namespace dve
