// Conversions of the 64-bit integers, the sub-byte types and the MAVERICK formats against exact
// rationals, and 64-bit integers through the kernels.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "models/alu/evaluate.h"
#include "models/alu/kernels.h"
#include "tests/alu/exact_oracle.h"
#include "tests/alu/samples.h"

namespace dve {
namespace {

using test::bits_of;
using test::Integer;
using test::power_of_two;
using test::Random;
using test::Rational;
using test::value_of_fp32;

constexpr std::uint32_t infinity = 0x7F800000;
constexpr std::uint8_t overflow = FpStatus::OVERFLOW_ | FpStatus::INEXACT;

struct Converted {
    std::uint64_t raw;
    std::uint8_t flags;
};

Converted narrow(Dtype dtype, std::uint32_t fp32, const NumberModel& model = {}) {
    FpStatus status;
    const std::uint64_t raw = from_fp32(dtype, fp32, model, status);
    return {raw, status.bits};
}

Converted narrow_number(Dtype dtype, double value) {
    return narrow(dtype, bits_of(static_cast<float>(value)));
}

std::uint32_t widen(Dtype dtype, std::uint64_t raw, const NumberModel& model = {}) {
    FpStatus status;
    return to_fp32(dtype, raw, model, status);
}

struct IntegerLimits {
    Dtype dtype;
    unsigned bits;
    bool is_signed;
};
const IntegerLimits integer_types[] = {
    {Dtype::INT64, 64, true}, {Dtype::UINT64, 64, false}, {Dtype::INT4, 4, true}};

Integer number(std::uint64_t raw, const IntegerLimits& type) {
    const Integer span = Integer(1) << type.bits;
    const Integer value = raw & (~std::uint64_t{0} >> (64 - type.bits));
    return type.is_signed && value >= span / 2 ? Integer(value - span) : value;
}

TEST(OtherIntegers, ToFp32RoundByTheMode) {
    Random random(71);
    std::vector<std::uint64_t> samples = {0, 1, ~0ULL, 1ULL << 63, (1ULL << 63) - 1, 1ULL << 24};
    for (int i = 0; i < 3000; ++i) {
        const std::uint64_t some = random.next() >> random.below(64);
        const auto shift = static_cast<unsigned>(random.below(40));
        samples.push_back(random.below(2) == 0 ? some : ~some);
        samples.push_back((((random.next() & 0x1FFFFFF) | 0x1000001) << shift) + random.below(3) -
                          1);
    }
    for (const std::uint64_t raw : samples) {
        for (const IntegerLimits& type : integer_types) {
            const Rational value(number(raw, type));
            for (const Rounding rounding : test::all_roundings) {
                NumberModel model;
                model.rounding = rounding;
                FpStatus status;
                const std::uint32_t have = to_fp32(type.dtype, raw, model, status);
                const test::Rounded want =
                    test::round_exactly(test::fp32_oracle(), value, rounding);
                ASSERT_EQ(have, want.pattern | (value < 0 ? 0x80000000U : 0U)) << raw;
                ASSERT_EQ(status.bits, want.flags) << raw;
            }
        }
    }
}

TEST(OtherIntegers, FromFp32TruncateOrRoundAndSaturate) {
    Random random(72);
    std::vector<std::uint32_t> samples = test::edge_patterns();
    for (const float limit : {0x1p63F, 0x1p64F, 8.0F, 7.0F, 0.0F}) {
        for (int step = -40; step <= 40; ++step) {
            samples.push_back(bits_of(limit) + static_cast<std::uint32_t>(step));
            samples.push_back(bits_of(limit + static_cast<float>(step) / 4));
        }
    }
    for (int i = 0; i < 6000; ++i) {
        samples.push_back((random.word() & 0xA3FFFFFFU) | 0x3C000000U);
    }
    for (const std::uint32_t pattern : samples) {
        for (const std::uint32_t fp32 : {pattern, pattern ^ 0x80000000U}) {
            for (const IntegerLimits& type : integer_types) {
                const std::uint64_t mask = ~std::uint64_t{0} >> (64 - type.bits);
                const std::uint64_t highest = type.is_signed ? mask >> 1 : mask;
                const std::uint64_t lowest = type.is_signed ? highest + 1 : 0;
                for (const bool nearest : {false, true}) {
                    NumberModel model;
                    model.fp_to_int_nearest = nearest;
                    const Converted have = narrow(type.dtype, fp32, model);
                    if ((fp32 & 0x7FFFFFFF) > infinity) {
                        ASSERT_EQ(have.raw, 0U);
                        ASSERT_EQ(have.flags, FpStatus::INVALID);
                        model.nan_to_int_max = true;
                        ASSERT_EQ(narrow(type.dtype, fp32, model).raw, highest);
                        continue;
                    }
                    std::uint64_t want = fp32 >> 31 != 0 ? lowest : highest;
                    std::uint8_t flags = FpStatus::INVALID;
                    if ((fp32 & 0x7FFFFFFF) != infinity) {
                        const Rational value = value_of_fp32(fp32);
                        Integer size = test::rounded_units(
                            value < 0 ? Rational(-value) : value, false, 0,
                            nearest ? Rounding::NEAREST_EVEN : Rounding::TO_ZERO);
                        const Integer rounded = value < 0 ? Integer(-size) : size;
                        if (rounded >= number(lowest, type) && rounded <= number(highest, type)) {
                            const Integer span = Integer(1) << type.bits;
                            const Integer raw = rounded < 0 ? Integer(rounded + span) : rounded;
                            want = static_cast<std::uint64_t>(raw);
                            flags = Rational(rounded) != value ? FpStatus::INEXACT : 0;
                        }
                    }
                    ASSERT_EQ(have.raw, want) << std::hex << fp32;
                    ASSERT_EQ(have.flags, flags) << std::hex << fp32;
                }
            }
        }
    }
}

TEST(OtherIntegers, SubByteTypesReadTheLowFourBits) {
    for (std::uint64_t raw = 0; raw < 16; ++raw) {
        const int value = static_cast<int>(raw) - (raw >= 8 ? 16 : 0);
        EXPECT_EQ(widen(Dtype::INT4, raw | 0xFFFFFFF0), bits_of(static_cast<float>(value)));
        EXPECT_EQ(narrow_number(Dtype::INT4, value).raw, raw);
        EXPECT_EQ(widen(Dtype::FP4_EXP2, raw | 0xFFFFFFF0), widen(Dtype::FP4_EXP2, raw));
    }
}

TEST(Fp4, SixteenValuesAndNothingElse) {
    const float values[] = {0, .5F, 1, 1.5F, 2, 3, 4, 6};
    for (std::uint32_t i = 0; i < 8; ++i) {
        EXPECT_EQ(widen(Dtype::FP4_EXP2, i), bits_of(values[i]));
        EXPECT_EQ(widen(Dtype::FP4_EXP2, i | 8), bits_of(values[i]) | 0x80000000U);
        EXPECT_EQ(narrow_number(Dtype::FP4_EXP2, static_cast<double>(values[i])).raw, i);
        EXPECT_EQ(narrow(Dtype::FP4_EXP2, bits_of(values[i]) | 0x80000000U).raw, i | 8);
    }
    for (const bool saturate : {false, true}) {
        NumberModel model;
        model.saturate_narrowing = saturate;
        for (const std::uint32_t large : {bits_of(7), bits_of(100), infinity}) {
            EXPECT_EQ(narrow(Dtype::FP4_EXP2, large, model).raw, 7U);
            EXPECT_EQ(narrow(Dtype::FP4_EXP2, large, model).flags, overflow);
            EXPECT_EQ(narrow(Dtype::FP4_EXP2, large | 0x80000000U, model).raw, 15U);
        }
        for (const std::uint32_t nan : {0x7FC00000U, 0xFF812345U}) {
            EXPECT_EQ(narrow(Dtype::FP4_EXP2, nan, model).raw, 0U);
            EXPECT_EQ(narrow(Dtype::FP4_EXP2, nan, model).flags, FpStatus::INVALID);
        }
    }
    // 7 is the tie between 6 and the 8 that would follow: 6 is odd, so it overflows, to 6 again.
    EXPECT_EQ(narrow_number(Dtype::FP4_EXP2, 6.99).flags, FpStatus::INEXACT);
}

/// The layouts that have a zero; `largest` is the highest pattern that is a number.
struct SmallFormat {
    Dtype dtype;
    int mantissa_bits;
    int bias;
    std::uint32_t largest;
    std::uint32_t overflow;
    std::uint32_t sign;
};
const SmallFormat small_formats[] = {
    {Dtype::FP4_EXP2, 1, 1, 7, 7, 8},       {Dtype::FP8_EXP2, 5, 1, 0x5F, 0x60, 0x80},
    {Dtype::SFP8_E7, 1, 63, 0xFE, 0xFF, 0}, {Dtype::SFP8_E6, 2, 31, 0xFE, 0xFF, 0},
    {Dtype::SFP8_E5, 3, 15, 0xFE, 0xFF, 0},
};

Rational value_of(const SmallFormat& format, std::uint32_t pattern) {
    const int field = static_cast<int>(pattern >> format.mantissa_bits);
    const int hidden = 1 << format.mantissa_bits;
    const int fraction = static_cast<int>(pattern) & (hidden - 1);
    return Rational(field == 0 ? fraction : fraction + hidden) *
           power_of_two((field == 0 ? 1 : field) - format.bias - format.mantissa_bits);
}

TEST(SmallFormats, EveryBoundaryInEveryMode) {
    for (const SmallFormat& format : small_formats) {
        const test::OracleFormat oracle{format.mantissa_bits, 1 - format.bias,
                                        value_of(format, format.largest), format.largest,
                                        format.overflow};
        for (std::uint32_t pattern = 0; pattern <= format.largest; ++pattern) {
            const std::uint32_t low = widen(format.dtype, pattern);
            ASSERT_EQ(value_of_fp32(low), value_of(format, pattern));
            const Rational middle = (value_of(format, pattern) + value_of(format, pattern + 1)) / 2;
            const auto half = bits_of(static_cast<float>(middle));
            for (const std::uint32_t at : {low, half}) {
                for (std::uint32_t offset = 0; offset < 5; ++offset) {
                    const std::uint32_t size = at + offset - 2;
                    if (size > 0x7F7FFFFF) {
                        continue;
                    }
                    for (unsigned choice = 0; choice < 16; ++choice) {
                        NumberModel model;
                        model.rounding = test::all_roundings[choice / 4];
                        model.saturate_narrowing = choice % 2 != 0;
                        const bool negative = choice / 2 % 2 != 0 && format.sign != 0;
                        const Converted have =
                            narrow(format.dtype, size | (negative ? 0x80000000U : 0U), model);
                        const Rational value = value_of_fp32(size);
                        const test::Rounded want =
                            test::round_exactly(oracle, negative ? Rational(-value) : value,
                                                model.rounding, model.saturate_narrowing);
                        ASSERT_EQ(have.raw, want.pattern | (negative ? format.sign : 0U))
                            << dtype_row(format.dtype).name << std::hex << " " << size;
                        ASSERT_EQ(have.flags, want.flags)
                            << dtype_row(format.dtype).name << std::hex << " " << size;
                    }
                }
            }
        }
    }
}

TEST(SmallFormats, SpecialValues) {
    EXPECT_EQ(widen(Dtype::FP8_EXP2, 0x60), infinity);
    EXPECT_EQ(narrow(Dtype::FP8_EXP2, 0x7F812345U).raw, 0x70U);
    EXPECT_EQ(narrow(Dtype::FP8_EXP2, infinity | 0x80000000U).raw, 0xE0U);
    for (const Dtype dtype : {Dtype::SFP8_E5, Dtype::SFP8_E6, Dtype::SFP8_E7, Dtype::SFP8_E8}) {
        EXPECT_GT(widen(dtype, 0xFF), infinity);
        EXPECT_EQ(narrow(dtype, 0xFFC00000U).raw, 0xFFU);
        EXPECT_EQ(narrow(dtype, 0xFFC00000U).flags, 0);
        EXPECT_EQ(narrow(dtype, infinity).raw, 0xFFU);
        EXPECT_EQ(narrow(dtype, infinity).flags, overflow);
        NumberModel saturate;
        saturate.saturate_narrowing = true;
        EXPECT_EQ(narrow(dtype, infinity, saturate).raw, 0xFEU);
        for (const std::uint32_t negative : {0x80000001U, 0xBF800000U, 0xFF800000U}) {
            EXPECT_EQ(narrow(dtype, negative).raw, 0U);
            EXPECT_EQ(narrow(dtype, negative).flags, FpStatus::INVALID);
        }
        EXPECT_EQ(narrow(dtype, 0x80000000U).raw, 0U);
        for (std::uint32_t raw = 0; raw < 255; ++raw) {
            EXPECT_EQ(narrow(dtype, widen(dtype, raw)).raw, raw);
            EXPECT_EQ(narrow(dtype, widen(dtype, raw)).flags, 0);
        }
    }
}

TEST(PowersOfTwo, RoundWithoutZero) {
    for (std::uint32_t raw = 0; raw < 255; ++raw) {
        ASSERT_EQ(value_of_fp32(widen(Dtype::SFP8_E8, raw)),
                  power_of_two(static_cast<int>(raw) - 127));
    }
    Random random(73);
    std::vector<std::uint32_t> samples = test::edge_patterns();
    for (std::uint32_t field = 0; field < 255; ++field) {
        for (const std::uint32_t fraction : {0U, 1U, 0x3FFFFFU, 0x400000U, 0x400001U, 0x7FFFFFU}) {
            samples.push_back(field << 23 | fraction);
        }
        samples.push_back(random.word() >> random.below(32));
    }
    for (const std::uint32_t pattern : samples) {
        const std::uint32_t fp32 = pattern & 0x7FFFFFFF;
        if (fp32 >= infinity || fp32 == 0) {
            continue;
        }
        const Rational value = value_of_fp32(fp32);
        const int below = test::exponent_of(value);
        for (unsigned choice = 0; choice < 8; ++choice) {
            NumberModel model;
            model.rounding = test::all_roundings[choice / 2];
            model.saturate_narrowing = choice % 2 != 0;
            const Rational low = power_of_two(below);
            // One digit: a tie goes to the larger power.
            const bool up = model.rounding == Rounding::NEAREST_EVEN ? value * 2 >= low * 3
                            : model.rounding == Rounding::UP         ? value != low
                                                                     : false;
            const int exponent = below + (up ? 1 : 0);
            const bool directed =
                model.rounding == Rounding::TO_ZERO || model.rounding == Rounding::DOWN;
            std::uint64_t want = static_cast<std::uint64_t>(exponent + 127);
            std::uint8_t flags = value != low ? FpStatus::INEXACT : 0;
            if (exponent < -127) {
                want = 0;
                flags = FpStatus::UNDERFLOW_ | FpStatus::INEXACT;
            } else if (exponent > 127) {
                want = model.saturate_narrowing || directed ? 0xFE : 0xFF;
                flags = overflow;
            }
            const Converted have = narrow(Dtype::SFP8_E8, fp32, model);
            ASSERT_EQ(have.raw, want) << std::hex << fp32;
            ASSERT_EQ(have.flags, flags) << std::hex << fp32;
        }
    }
    EXPECT_EQ(narrow(Dtype::SFP8_E8, 0U).raw, 0U);
    EXPECT_EQ(narrow(Dtype::SFP8_E8, 0U).flags, FpStatus::UNDERFLOW_ | FpStatus::INEXACT);
}

/// 0x41 BYPASS on 64-bit integers, and sums of them with FP32, in every rounding mode.
TEST(WideKernels, SixtyFourBitIntegersThroughTheHub) {
    Random random(74);
    const Dtype types[] = {Dtype::INT64, Dtype::UINT64, Dtype::FP32, Dtype::INT16};
    for (int trial = 0; trial < 400; ++trial) {
        ElementwiseSpec spec;
        spec.in0 = types[random.below(4)];
        spec.in1 = types[random.below(4)];
        spec.out = types[random.below(4)];
        spec.stage0 = {trial % 2 == 0 ? AluOp::BYPASS : AluOp::ADD, false, StageOperand::TENSOR};
        NumberModel model;
        model.rounding = test::all_roundings[random.below(4)];
        model.fp_to_int_nearest = random.below(2) == 0;
        const std::size_t columns = 1 + random.below(700);
        const auto fill = [&](Dtype dtype) {
            std::vector<std::uint8_t> bytes(columns * element_bytes(dtype));
            for (std::size_t i = 0; i < columns; ++i) {
                std::uint64_t raw = random.next() >> random.below(64);
                raw = random.below(2) == 0 ? raw : ~raw;
                std::memcpy(&bytes[i * element_bytes(dtype)], &raw, element_bytes(dtype));
            }
            return bytes;
        };
        const auto element = [](const std::vector<std::uint8_t>& bytes, Dtype dtype,
                                std::size_t i) {
            std::uint64_t raw = 0;
            std::memcpy(&raw, &bytes[i * element_bytes(dtype)], element_bytes(dtype));
            return raw;
        };
        std::vector<std::uint8_t> first = fill(spec.in0);
        const std::vector<std::uint8_t> second = fill(spec.in1);
        std::vector<std::uint64_t> want(columns);
        FpStatus want_status;
        for (std::size_t i = 0; i < columns; ++i) {
            std::uint32_t value =
                to_fp32(spec.in0, element(first, spec.in0, i), model, want_status);
            if (spec.stage0.op == AluOp::ADD) {
                value = evaluate_fp32(
                    AluOp::ADD, value,
                    to_fp32(spec.in1, element(second, spec.in1, i), model, want_status), model,
                    want_status);
            }
            want[i] = from_fp32(spec.out, value, model, want_status);
        }
        std::vector<std::uint8_t> apart(columns * element_bytes(spec.out));
        const bool in_place =
            element_bytes(spec.in0) == element_bytes(spec.out) && random.below(2) == 0;
        std::vector<std::uint8_t>& out = in_place ? first : apart;
        ElementwiseArguments arguments;
        arguments.rows = 1;
        arguments.columns = columns;
        arguments.src0.data = first.data();
        arguments.src1.data = second.data();
        arguments.dst.data = out.data();
        FpStatus status;
        ElementwiseKernel::select(spec, model).run(arguments, status);
        for (std::size_t i = 0; i < columns; ++i) {
            ASSERT_EQ(element(out, spec.out, i), want[i])
                << dtype_row(spec.in0).text << " to " << dtype_row(spec.out).text;
        }
        ASSERT_EQ(status.bits & ~want_status.bits, 0);
        ASSERT_EQ(status.bits, want_status.bits);
    }
}

}  // namespace
}  // namespace dve
