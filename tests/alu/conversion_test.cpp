// Conversions: all 8- and 16-bit patterns in, dense samples around every rounding boundary out,
// against exact rationals and the published tables.
#include <gtest/gtest.h>

#include <cmath>

#include "models/alu/evaluate.h"
#include "tests/alu/exact_oracle.h"
#include "tests/alu/samples.h"

namespace dve {
namespace {

using test::bits_of;
using test::float_of;
using test::OracleFormat;
using test::power_of_two;
using test::Random;
using test::Rational;
using test::value_of_fp32;

struct FormatCase {
    const char* name;
    Dtype dtype;
    bool fn;
    int exponent_bits;
    int mantissa_bits;
    int bias;
    std::uint32_t largest;
    std::uint32_t infinity;  ///< the NaN where there is none
    std::uint32_t nan;
};

// published_facts 3.3
const FormatCase formats[] = {
    {"fp16", Dtype::FP16, false, 5, 10, 15, 0x7BFF, 0x7C00, 0x7E00},
    {"bf16", Dtype::BF16, false, 8, 7, 127, 0x7F7F, 0x7F80, 0x7FC0},
    {"e4m3", Dtype::FP8_EXP4, false, 4, 3, 7, 0x77, 0x78, 0x7C},
    {"e4m3fn", Dtype::FP8_EXP4, true, 4, 3, 7, 0x7E, 0x7F, 0x7F},
    {"e5m2", Dtype::FP8_EXP5, false, 5, 2, 15, 0x7B, 0x7C, 0x7E},
    {"e3m4", Dtype::FP8_EXP3, false, 3, 4, 3, 0x6F, 0x70, 0x78},
};

Rational value_of(const FormatCase& format, std::uint32_t pattern) {
    const int field = static_cast<int>(pattern >> format.mantissa_bits);
    const int fraction = static_cast<int>(pattern) & ((1 << format.mantissa_bits) - 1);
    const int exponent = (field == 0 ? 1 : field) - format.bias - format.mantissa_bits;
    return Rational(field == 0 ? fraction : fraction + (1 << format.mantissa_bits)) *
           power_of_two(exponent);
}

OracleFormat oracle_of(const FormatCase& format) {
    return {format.mantissa_bits, 1 - format.bias, value_of(format, format.largest), format.largest,
            format.infinity};
}

std::uint32_t sign_of(const FormatCase& format) {
    return 1U << (format.exponent_bits + format.mantissa_bits);
}

NumberModel model_of(const FormatCase& format, Rounding rounding = Rounding::NEAREST_EVEN) {
    NumberModel model;
    model.rounding = rounding;
    model.fp8_exp4_fn = format.fn;
    return model;
}

TEST(Conversion, EveryNarrowFloatIsExact) {
    for (const FormatCase& format : formats) {
        for (std::uint32_t raw = 0; raw < 2 * sign_of(format); ++raw) {
            FpStatus status;
            const std::uint32_t fp32 = to_fp32(format.dtype, raw, model_of(format), status);
            const std::uint32_t pattern = raw & (sign_of(format) - 1);
            ASSERT_EQ(fp32 >> 31, raw / sign_of(format)) << format.name << " " << raw;
            if (pattern <= format.largest) {
                const Rational size = value_of(format, pattern);
                ASSERT_EQ(value_of_fp32(fp32 & 0x7FFFFFFF), size) << format.name << " " << raw;
            } else if (pattern == format.infinity && !format.fn) {
                ASSERT_EQ(fp32 & 0x7FFFFFFF, 0x7F800000U) << format.name << " " << raw;
            } else {
                ASSERT_TRUE(std::isnan(float_of(fp32))) << format.name << " " << raw;
            }
            ASSERT_EQ(status.bits, 0) << format.name << " " << raw;
        }
    }
}

TEST(Conversion, EveryNarrowFloatSurvivesTheRoundTrip) {
    for (const FormatCase& format : formats) {
        for (std::uint32_t raw = 0; raw < 2 * sign_of(format); ++raw) {
            FpStatus status;
            const NumberModel model = model_of(format);
            const std::uint64_t back =
                from_fp32(format.dtype, to_fp32(format.dtype, raw, model, status), model, status);
            const std::uint32_t pattern = raw & (sign_of(format) - 1);
            const bool is_nan = format.fn ? pattern == format.nan : pattern > format.infinity;
            ASSERT_EQ(back, is_nan ? format.nan : raw) << format.name;
        }
    }
}

void check_narrowing(const FormatCase& format, std::uint32_t fp32) {
    const OracleFormat oracle = oracle_of(format);
    for (const Rounding rounding : test::all_roundings) {
        for (const bool saturate : {false, true}) {
            NumberModel model = model_of(format, rounding);
            model.saturate_narrowing = saturate;
            FpStatus status;
            const std::uint64_t result = from_fp32(format.dtype, fp32, model, status);
            const test::Rounded want =
                test::round_exactly(oracle, value_of_fp32(fp32), rounding, saturate);
            const bool is_nan = format.fn && want.pattern == format.nan;
            const std::uint32_t sign = fp32 >> 31 != 0 && !is_nan ? sign_of(format) : 0U;
            ASSERT_EQ(result, want.pattern | sign)
                << format.name << " " << std::hex << fp32 << " mode " << static_cast<int>(rounding);
            ASSERT_EQ(status.bits, want.flags)
                << format.name << " " << std::hex << fp32 << " mode " << static_cast<int>(rounding);
        }
    }
}

/// FP32 patterns at and beside every value of a format and every midpoint between two.
std::vector<std::uint32_t> boundaries(const FormatCase& format) {
    std::vector<std::uint32_t> result;
    FpStatus status;
    const std::uint32_t step = format.mantissa_bits > 5 ? 37 : 1;
    const NumberModel model = model_of(format);
    const unsigned shift = 22U - static_cast<unsigned>(format.mantissa_bits);
    for (std::uint32_t pattern = 0; pattern <= format.largest; pattern += step) {
        const std::uint32_t low = to_fp32(format.dtype, pattern, model, status);
        const float next = pattern == format.largest
                               ? float_of(low + (2U << shift))
                               : float_of(to_fp32(format.dtype, pattern + 1, model, status));
        const std::uint32_t middle = bits_of(static_cast<float>(
            (static_cast<double>(float_of(low)) + static_cast<double>(next)) / 2));
        for (const std::uint32_t around : {low, middle}) {
            for (const int offset : {-2, -1, 0, 1, 2}) {
                const std::uint32_t fp32 = around + static_cast<std::uint32_t>(offset);
                if (fp32 < 0x7F800000) {
                    result.push_back(fp32);
                    result.push_back(fp32 | 0x80000000U);
                }
            }
        }
    }
    return result;
}

TEST(Conversion, NarrowingAroundEveryBoundary) {
    for (const FormatCase& format : formats) {
        for (const std::uint32_t fp32 : boundaries(format)) {
            check_narrowing(format, fp32);
            if (HasFatalFailure()) {
                return;
            }
        }
    }
}

TEST(Conversion, NarrowingOfEdgesAndRandomValues) {
    Random random(11);
    std::vector<std::uint32_t> samples = test::edge_patterns();
    for (int i = 0; i < 1500; ++i) {
        samples.push_back(random.word());
        samples.push_back((random.word() & 0x8FFFFFFFU) + 0x34000000U);
    }
    for (const FormatCase& format : formats) {
        for (const std::uint32_t fp32 : samples) {
            if ((fp32 & 0x7FFFFFFF) < 0x7F800000) {
                check_narrowing(format, fp32);
            }
            if (HasFatalFailure()) {
                return;
            }
        }
    }
}

TEST(Conversion, SpecialValues) {
    FpStatus status;
    for (const FormatCase& format : formats) {
        const NumberModel model = model_of(format);
        const std::uint32_t sign = sign_of(format);
        EXPECT_EQ(from_fp32(format.dtype, 0x7F800000, model, status), format.infinity);
        EXPECT_EQ(from_fp32(format.dtype, 0xFF800000, model, status),
                  format.fn ? format.nan : format.infinity | sign);
        EXPECT_EQ(from_fp32(format.dtype, 0x80000000, model, status), sign);
        for (const std::uint32_t nan : {0x7F800001U, 0xFFC00000U, 0x7FFFFFFFU}) {
            EXPECT_EQ(from_fp32(format.dtype, nan, model, status), format.nan) << format.name;
        }
    }
    EXPECT_EQ(from_fp32(Dtype::FP32, 0xFF801234, {}, status), canonical_nan_fp32);
    EXPECT_EQ(to_fp32(Dtype::FP32, 0xFF801234, {}, status), 0xFF801234U);
}

TEST(Conversion, PublishedValues) {
    FpStatus status;
    const auto narrow = [&](Dtype dtype, double value, bool fn = false) {
        NumberModel model;
        model.fp8_exp4_fn = fn;
        return from_fp32(dtype, bits_of(static_cast<float>(value)), model, status);
    };
    // published_facts 3.3
    EXPECT_EQ(narrow(Dtype::FP8_EXP4, 0.1), 0x1DU);
    EXPECT_EQ(narrow(Dtype::FP8_EXP5, 0.1), 0x2EU);
    EXPECT_EQ(narrow(Dtype::FP8_EXP3, 0.1), 0x06U);
    EXPECT_EQ(narrow(Dtype::FP8_EXP4, 1.0625), 0x38U);
    EXPECT_EQ(narrow(Dtype::FP8_EXP4, 1.1875), 0x3AU);
    EXPECT_EQ(narrow(Dtype::BF16, 1 + 0x1p-8), 0x3F80U);
    EXPECT_EQ(narrow(Dtype::BF16, 1 + 3 * 0x1p-8), 0x3F82U);
    EXPECT_EQ(narrow(Dtype::FP16, 65519.99), 0x7BFFU);
    EXPECT_EQ(narrow(Dtype::FP16, 65520), 0x7C00U);
    EXPECT_EQ(narrow(Dtype::FP16, 0x1p-25), 0x0000U);
    EXPECT_EQ(narrow(Dtype::FP16, 3 * 0x1p-25), 0x0002U);
    EXPECT_EQ(narrow(Dtype::FP8_EXP5, 61440), 0x7CU);
    EXPECT_EQ(narrow(Dtype::FP8_EXP3, 15.75), 0x70U);
    EXPECT_EQ(narrow(Dtype::FP8_EXP4, 464, true), 0x7EU);
    EXPECT_EQ(narrow(Dtype::FP8_EXP4, 464.001, true), 0x7FU);
    EXPECT_EQ(from_fp32(Dtype::BF16, 0x7F7FFFFF, {}, status), 0x7F80U);
    // D11
    EXPECT_EQ(narrow(Dtype::FP8_EXP4, 247.9), 0x77U);
    EXPECT_EQ(narrow(Dtype::FP8_EXP4, 248), 0x78U);
    EXPECT_EQ(narrow(Dtype::FP8_EXP4, 248, true), 0x78U);  // 256 in E4M3 fn
}

TEST(Conversion, PublishedIntegerValues) {
    struct Row {
        double value;
        int want;
    };
    // published_facts 3.2 and D10
    const Row int8_rows[] = {{0.5, 0},       {1.5, 2},     {2.5, 2},          {-0.5, 0},
                             {-1.5, -2},     {-2.5, -2},   {126.5, 126},      {127.4, 127},
                             {127.5, 127},   {128, 127},   {INFINITY, 127},   {-127.5, -128},
                             {-128.5, -128}, {-129, -128}, {-INFINITY, -128}, {-0.6, -1},
                             {300, 127},     {-300, -128}};
    const Row uint8_rows[] = {{-1, 0},      {-0.5, 0},    {0.5, 0},   {1.5, 2},  {254.5, 254},
                              {255.4, 255}, {255.5, 255}, {256, 255}, {1e9, 255}};
    const Row truncated[] = {{1.5, 1}, {2.5, 2}, {-1.5, -1}, {-0.6, 0}, {300, 127}, {-300, -128}};
    NumberModel nearest;
    nearest.fp_to_int_nearest = true;
    FpStatus status;
    for (const Row& row : int8_rows) {
        EXPECT_EQ(static_cast<std::int8_t>(from_fp32(
                      Dtype::INT8, bits_of(static_cast<float>(row.value)), nearest, status)),
                  row.want);
    }
    for (const Row& row : uint8_rows) {
        EXPECT_EQ(from_fp32(Dtype::UINT8, bits_of(static_cast<float>(row.value)), nearest, status),
                  static_cast<std::uint64_t>(row.want));
    }
    for (const Row& row : truncated) {
        EXPECT_EQ(static_cast<std::int8_t>(
                      from_fp32(Dtype::INT8, bits_of(static_cast<float>(row.value)), {}, status)),
                  row.want);
    }
    EXPECT_EQ(from_fp32(Dtype::INT32, bits_of(0x1p31F), nearest, status), 2147483647U);
}

struct IntegerCase {
    Dtype dtype;
    std::int64_t lowest;
    std::int64_t highest;
};

const IntegerCase integers[] = {
    {Dtype::INT8, -128, 127},
    {Dtype::UINT8, 0, 255},
    {Dtype::INT16, -32768, 32767},
    {Dtype::UINT16, 0, 65535},
    {Dtype::INT32, -2147483648LL, 2147483647LL},
    {Dtype::UINT32, 0, 4294967295LL},
};

TEST(Conversion, EverySmallIntegerIsExactAndReturns) {
    for (const IntegerCase& type : integers) {
        if (type.highest > 65535) {
            continue;
        }
        for (std::int64_t value = type.lowest; value <= type.highest; ++value) {
            FpStatus status;
            const auto raw = static_cast<std::uint64_t>(value) &
                             ((std::uint64_t{1} << dtype_row(type.dtype).bits) - 1);
            const std::uint32_t fp32 = to_fp32(type.dtype, raw, {}, status);
            ASSERT_EQ(value_of_fp32(fp32), Rational(value));
            ASSERT_EQ(from_fp32(type.dtype, fp32, {}, status), raw);
            ASSERT_EQ(status.bits, 0);
        }
    }
}

TEST(Conversion, WideIntegersRoundByTheMode) {
    Random random(12);
    std::vector<std::uint32_t> samples = {0,          1,          0x7FFFFFFF, 0x80000000,
                                          0xFFFFFFFF, 0x01000000, 0x01000001, 0x01000002,
                                          0x01000003, 0xFFFFFF7F, 0xFFFFFF80, 0xFFFFFF81,
                                          0x7FFFFFBF, 0x7FFFFFC0, 0x7FFFFFC1};
    for (int i = 0; i < 3000; ++i) {
        samples.push_back(random.word() >> random.below(31));
        samples.push_back(~(random.word() >> random.below(31)));
    }
    for (const std::uint32_t raw : samples) {
        for (const Rounding rounding : test::all_roundings) {
            for (const Dtype dtype : {Dtype::INT32, Dtype::UINT32}) {
                NumberModel model;
                model.rounding = rounding;
                FpStatus status;
                const Rational value(dtype == Dtype::INT32
                                         ? static_cast<std::int64_t>(static_cast<std::int32_t>(raw))
                                         : static_cast<std::int64_t>(raw));
                const test::Rounded want =
                    test::round_exactly(test::fp32_oracle(), value, rounding);
                ASSERT_EQ(to_fp32(dtype, raw, model, status),
                          want.pattern | (value < 0 ? 0x80000000U : 0U));
                ASSERT_EQ(status.bits, want.flags);
            }
        }
    }
}

TEST(Conversion, FloatToIntegerTruncatesOrRoundsAndSaturates) {
    Random random(13);
    std::vector<std::uint32_t> samples = test::edge_patterns();
    for (const IntegerCase& type : integers) {
        for (const std::int64_t limit : {type.lowest, type.highest, std::int64_t{0}}) {
            for (int quarter = -10; quarter <= 10; ++quarter) {
                samples.push_back(
                    bits_of(static_cast<float>(static_cast<double>(limit) + quarter / 4.0)));
            }
        }
    }
    for (int i = 0; i < 4000; ++i) {
        samples.push_back((random.word() & 0x8FFFFFFFU) + 0x3E000000U);
    }
    for (const std::uint32_t fp32 : samples) {
        for (const IntegerCase& type : integers) {
            for (const bool nearest : {false, true}) {
                NumberModel model;
                model.fp_to_int_nearest = nearest;
                FpStatus status;
                const std::uint64_t result = from_fp32(type.dtype, fp32, model, status);
                const std::uint64_t mask = (std::uint64_t{1} << dtype_row(type.dtype).bits) - 1;
                if (std::isnan(float_of(fp32))) {
                    ASSERT_EQ(result, 0U);
                    ASSERT_EQ(status.bits, FpStatus::INVALID);
                    model.nan_to_int_max = true;
                    ASSERT_EQ(from_fp32(type.dtype, fp32, model, status),
                              static_cast<std::uint64_t>(type.highest));
                    continue;
                }
                test::Integer want = fp32 >> 31 != 0 ? type.lowest : type.highest;
                std::uint8_t flags = FpStatus::INVALID;
                if (!std::isinf(float_of(fp32))) {
                    const Rational value = value_of_fp32(fp32);
                    test::Integer integer =
                        test::rounded_units(value < 0 ? -value : value, false, 0,
                                            nearest ? Rounding::NEAREST_EVEN : Rounding::TO_ZERO);
                    if (value < 0) {
                        integer = -integer;
                    }
                    if (integer >= type.lowest && integer <= type.highest) {
                        want = integer;
                        flags = Rational(integer) != value ? FpStatus::INEXACT : 0;
                    }
                }
                ASSERT_EQ(result,
                          static_cast<std::uint64_t>(static_cast<std::int64_t>(want)) & mask)
                    << dtype_row(type.dtype).name << " " << std::hex << fp32;
                ASSERT_EQ(status.bits, flags)
                    << dtype_row(type.dtype).name << " " << std::hex << fp32;
            }
        }
    }
}

TEST(Conversion, Fp32rKeepsTheUpperMantissa) {
    Random random(14);
    std::vector<std::uint32_t> samples = test::edge_patterns();
    for (int i = 0; i < 1000; ++i) {
        samples.push_back(random.word());
        samples.push_back(random.word() & 0x80FFFFFFU);
    }
    for (const std::uint32_t fp32 : samples) {
        if ((fp32 & 0x7FFFFFFF) >= 0x7F800000) {
            continue;
        }
        for (const unsigned bits : {10U, 13U, 22U}) {
            for (const Rounding rounding : test::all_roundings) {
                NumberModel model;
                model.rounding = rounding;
                model.fp32r_mantissa_bits = static_cast<std::uint8_t>(bits);
                const auto width = static_cast<int>(bits);
                const OracleFormat oracle{width, -126,
                                          (Rational(2) - power_of_two(-width)) * power_of_two(127),
                                          (0xFFU << bits) - 1, 0xFFU << bits};
                FpStatus status;
                const test::Rounded want =
                    test::round_exactly(oracle, value_of_fp32(fp32), rounding);
                ASSERT_EQ(from_fp32(Dtype::FP32R, fp32, model, status),
                          want.pattern << (23 - bits) | (fp32 & 0x80000000U))
                    << std::hex << fp32;
                ASSERT_EQ(status.bits, want.flags) << std::hex << fp32;
            }
        }
    }
}

}  // namespace
}  // namespace dve
