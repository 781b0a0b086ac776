// FP32 stages: correctly rounded in every mode with exact status, and the decided special cases.
#include "models/alu/evaluate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "models/alu/kernels.h"
#include "tests/alu/exact_oracle.h"
#include "tests/alu/samples.h"

namespace dve {
namespace {

using test::any_pattern;
using test::bits_of;
using test::float_of;
using test::power_of_two;
using test::Random;
using test::Rational;
using test::value_of_fp32;

constexpr std::uint32_t infinity = 0x7F800000;
constexpr std::uint32_t minus_zero = 0x80000000;
constexpr std::uint32_t one = 0x3F800000;
constexpr std::uint32_t quiet_nan = 0x7FC12345;
constexpr std::uint32_t signalling_nan = 0xFF812345;

bool finite(std::uint32_t bits) { return (bits & 0x7FFFFFFF) < infinity; }

std::uint32_t evaluate(AluOp op, std::uint32_t left, std::uint32_t right = 0,
                       const NumberModel& model = {}) {
    FpStatus status;
    return evaluate_fp32(op, left, right, model, status);
}

std::uint8_t flags_of(AluOp op, std::uint32_t left, std::uint32_t right = 0,
                      const NumberModel& model = {}) {
    FpStatus status;
    evaluate_fp32(op, left, right, model, status);
    return status.bits;
}

void expect_rounded(AluOp op, std::uint32_t left, std::uint32_t right, const Rational& exact,
                    std::uint32_t zero_sign) {
    for (const Rounding rounding : test::all_roundings) {
        NumberModel model;
        model.rounding = rounding;
        const test::Rounded want = test::round_exactly(test::fp32_oracle(), exact, rounding);
        std::uint32_t sign = exact < 0 ? minus_zero : 0U;
        if (exact == 0) {
            const bool cancels = zero_sign == 1;
            sign = cancels ? (rounding == Rounding::DOWN ? minus_zero : 0U) : zero_sign;
        }
        FpStatus status;
        const std::uint32_t result = evaluate_fp32(op, left, right, model, status);
        ASSERT_EQ(result, want.pattern | sign)
            << alu_op_row(op).text << std::hex << " " << left << " " << right << " mode "
            << static_cast<int>(rounding);
        ASSERT_EQ(status.bits, want.flags) << alu_op_row(op).text << std::hex << " " << left << " "
                                           << right << " mode " << static_cast<int>(rounding);
    }
}

/// Operand pairs: all edges against each other, then random ones with near and far exponents.
template <typename Body>
void for_operand_pairs(int random_pairs, const Body& body) {
    const std::vector<std::uint32_t> edges = test::edge_patterns();
    for (const std::uint32_t left : edges) {
        for (const std::uint32_t right : edges) {
            if (finite(left) && finite(right)) {
                body(left, right);
            }
        }
    }
    Random random(21);
    for (int i = 0; i < random_pairs; ++i) {
        const std::uint32_t left = any_pattern(random);
        std::uint32_t right = any_pattern(random);
        if (i % 4 == 0) {  // exponents within 32 of each other
            right = (left & 0x7F800000) ^ (random.word() & 0x8FFFFFFF);
        }
        if (finite(left) && finite(right)) {
            body(left, right);
        }
    }
}

TEST(Evaluate, AddIsCorrectlyRounded) {
    for_operand_pairs(6000, [](std::uint32_t left, std::uint32_t right) {
        const std::uint32_t zero_sign = (left ^ right) >> 31 == 0 ? left & minus_zero : 1U;
        expect_rounded(AluOp::ADD, left, right, value_of_fp32(left) + value_of_fp32(right),
                       zero_sign);
    });
}

TEST(Evaluate, SubtractIsCorrectlyRounded) {
    for_operand_pairs(6000, [](std::uint32_t left, std::uint32_t right) {
        const std::uint32_t zero_sign = (left ^ right) >> 31 == 1 ? left & minus_zero : 1U;
        expect_rounded(AluOp::SUBTRACT, left, right, value_of_fp32(left) - value_of_fp32(right),
                       zero_sign);
    });
}

TEST(Evaluate, MultIsCorrectlyRounded) {
    for_operand_pairs(6000, [](std::uint32_t left, std::uint32_t right) {
        expect_rounded(AluOp::MULT, left, right, value_of_fp32(left) * value_of_fp32(right),
                       (left ^ right) & minus_zero);
    });
}

TEST(Evaluate, DivideIsCorrectlyRounded) {
    for_operand_pairs(6000, [](std::uint32_t left, std::uint32_t right) {
        if ((right & 0x7FFFFFFF) != 0) {
            expect_rounded(AluOp::DIVIDE, left, right, value_of_fp32(left) / value_of_fp32(right),
                           (left ^ right) & minus_zero);
        }
    });
}

/// The value between r - low and r + high whose square decides 1/sqrt(x): exact comparisons only.
TEST(Evaluate, RsqrtIsCorrectlyRounded) {
    Random random(22);
    std::vector<std::uint32_t> samples = test::edge_patterns();
    for (int i = 0; i < 8000; ++i) {
        samples.push_back(any_pattern(random) & 0x7FFFFFFF);
        samples.push_back(random.word() & 0x00FFFFFF);
    }
    for (const std::uint32_t bits : samples) {
        if (bits == 0 || bits >= infinity) {
            continue;
        }
        const Rational x = value_of_fp32(bits);
        for (const Rounding rounding : test::all_roundings) {
            NumberModel model;
            model.rounding = rounding;
            FpStatus status;
            const std::uint32_t result = evaluate_fp32(AluOp::RSQRT, bits, 0, model, status);
            const Rational r = value_of_fp32(result);
            const Rational below = value_of_fp32(result - 1);
            const Rational above = value_of_fp32(result + 1);
            const bool exact = r * r * x == 1;
            ASSERT_EQ(status.bits, exact ? 0 : FpStatus::INEXACT) << std::hex << bits;
            if (exact) {
                continue;
            }
            const Rational low = (r + below) / 2;
            const Rational high = (r + above) / 2;
            switch (rounding) {
                case Rounding::NEAREST_EVEN:
                    ASSERT_TRUE(low * low * x < 1 && high * high * x > 1) << std::hex << bits;
                    break;
                case Rounding::UP:
                    ASSERT_TRUE(below * below * x < 1 && r * r * x > 1) << std::hex << bits;
                    break;
                default:
                    ASSERT_TRUE(r * r * x < 1 && above * above * x > 1) << std::hex << bits;
                    break;
            }
        }
    }
}

/// The lane form works in double; two binades hold every significand with both exponent parities.
TEST(Evaluate, RsqrtLaneFormForEverySignificand) {
    const StageFunction lanes = stage({AluOp::RSQRT, false, StageOperand::SCALAR}, {});
    constexpr std::uint32_t step = 4096;
    std::vector<std::uint32_t> in(step);
    std::vector<std::uint32_t> out(step);
    const std::uint32_t unused = 0;
    for (std::uint32_t start = 0x3F000000; start < 0x40000000; start += step) {
        for (std::uint32_t i = 0; i < step; ++i) {
            in[i] = start + i;
        }
        FpStatus status;
        status.raise(FpStatus::INEXACT);
        lanes(in.data(), &unused, out.data(), step, {}, status);
        for (std::uint32_t i = 0; i < step; ++i) {
            ASSERT_EQ(out[i], evaluate(AluOp::RSQRT, in[i])) << std::hex << in[i];
        }
    }
}

TEST(Evaluate, TwoStagesRoundTwice) {
    // (1 + 2^-12)^2 - (1 + 2^-11) is 2^-24 when fused and 0 when rounded in between.
    const std::uint32_t x = bits_of(1 + 0x1p-12F);
    const std::uint32_t product = evaluate(AluOp::MULT, x, x);
    EXPECT_EQ(evaluate(AluOp::SUBTRACT, product, bits_of(1 + 0x1p-11F)), 0U);
    EXPECT_NE(bits_of(std::fma(float_of(x), float_of(x), -(1 + 0x1p-11F))), 0U);
    ElementwiseSpec spec;
    spec.stage0.op = AluOp::MULT;
    spec.stage1.op = AluOp::SUBTRACT;
    const std::vector<std::uint32_t> row(40, x);
    std::vector<std::uint32_t> result(40, 1);
    const std::uint32_t subtrahend = bits_of(1 + 0x1p-11F);
    ElementwiseArguments arguments;
    arguments.rows = 1;
    arguments.columns = row.size();
    arguments.src0.data = reinterpret_cast<const std::uint8_t*>(row.data());
    arguments.dst.data = reinterpret_cast<std::uint8_t*>(result.data());
    arguments.scalar0.values = &x;
    arguments.scalar1.values = &subtrahend;
    FpStatus status;
    ElementwiseKernel::select(spec, {}).run(arguments, status);
    EXPECT_EQ(result, std::vector<std::uint32_t>(40, 0));
}

TEST(Evaluate, NanResultsAreCanonical) {
    EXPECT_EQ(evaluate(AluOp::SUBTRACT, infinity, infinity), canonical_nan_fp32);
    EXPECT_EQ(evaluate(AluOp::MULT, minus_zero, infinity), canonical_nan_fp32);
    EXPECT_EQ(evaluate(AluOp::DIVIDE, 0, minus_zero), canonical_nan_fp32);
    EXPECT_EQ(evaluate(AluOp::RSQRT, 0xBF800000), canonical_nan_fp32);
    for (const AluOp op : {AluOp::ADD, AluOp::SUBTRACT, AluOp::MULT, AluOp::DIVIDE, AluOp::RSQRT,
                           AluOp::ABSOLUTE_DIFF, AluOp::ABSOLUTE_VALUE, AluOp::SQUARE}) {
        EXPECT_EQ(evaluate(op, signalling_nan, one), canonical_nan_fp32);
        EXPECT_EQ(flags_of(op, signalling_nan, one), FpStatus::INVALID);
        EXPECT_EQ(flags_of(op, quiet_nan, one), 0);
    }
    EXPECT_EQ(evaluate(AluOp::BYPASS, signalling_nan), signalling_nan);
}

TEST(Evaluate, DivisionByZero) {
    EXPECT_EQ(evaluate(AluOp::DIVIDE, one, minus_zero), infinity | minus_zero);
    EXPECT_EQ(flags_of(AluOp::DIVIDE, one, minus_zero), FpStatus::DIVIDE_BY_ZERO);
    EXPECT_EQ(evaluate(AluOp::RSQRT, minus_zero), infinity | minus_zero);
    EXPECT_EQ(flags_of(AluOp::RSQRT, 0), FpStatus::DIVIDE_BY_ZERO);
    EXPECT_EQ(flags_of(AluOp::DIVIDE, 0, 0), FpStatus::INVALID);
}

TEST(Evaluate, MaxAndMinOrderZerosAndPreferNumbers) {
    EXPECT_EQ(evaluate(AluOp::MAX, minus_zero, 0), 0U);
    EXPECT_EQ(evaluate(AluOp::MAX, 0, minus_zero), 0U);
    EXPECT_EQ(evaluate(AluOp::MIN, 0, minus_zero), minus_zero);
    EXPECT_EQ(evaluate(AluOp::MIN, minus_zero, 0), minus_zero);
    EXPECT_EQ(evaluate(AluOp::MAX, quiet_nan, one), one);
    EXPECT_EQ(evaluate(AluOp::MIN, one, signalling_nan), one);
    EXPECT_EQ(evaluate(AluOp::MAX, quiet_nan, signalling_nan), canonical_nan_fp32);
    NumberModel propagate;
    propagate.minmax_propagates_nan = true;
    EXPECT_EQ(evaluate(AluOp::MAX, quiet_nan, one, propagate), canonical_nan_fp32);
    EXPECT_EQ(evaluate(AluOp::RE_LU, minus_zero), 0U);
    EXPECT_EQ(evaluate(AluOp::RE_LU, quiet_nan), 0U);
    EXPECT_EQ(evaluate(AluOp::ABS_MAX, bits_of(-3), bits_of(2)), bits_of(3));
    EXPECT_EQ(evaluate(AluOp::ABS_MIN, bits_of(-3), bits_of(-2)), bits_of(2));
}

TEST(Evaluate, SymmetricClampTakesTheSignOfTheLeft) {
    EXPECT_EQ(evaluate(AluOp::SYMMETRIC_CLAMP, bits_of(-3), bits_of(5)), bits_of(-5));
    EXPECT_EQ(evaluate(AluOp::SYMMETRIC_CLAMP, bits_of(3), bits_of(-2)), bits_of(3));
    NumberModel min;
    min.symmetric_clamp_min = true;
    EXPECT_EQ(evaluate(AluOp::SYMMETRIC_CLAMP, bits_of(-3), bits_of(2), min), bits_of(-2));
}

TEST(Evaluate, RelationsAreOrderedExceptNotEqual) {
    const AluOp ordered[] = {AluOp::IS_EQ, AluOp::IS_GT, AluOp::IS_GE, AluOp::IS_LE, AluOp::IS_LT};
    for (const AluOp op : ordered) {
        EXPECT_EQ(evaluate(op, quiet_nan, one), 0U);
        EXPECT_EQ(flags_of(op, quiet_nan, one), op == AluOp::IS_EQ ? 0 : FpStatus::INVALID);
        EXPECT_EQ(flags_of(op, signalling_nan, one), FpStatus::INVALID);
    }
    EXPECT_EQ(evaluate(AluOp::IS_NE, quiet_nan, quiet_nan), one);
    EXPECT_EQ(evaluate(AluOp::IS_EQ, 0, minus_zero), one);
    EXPECT_EQ(evaluate(AluOp::IS_LT, minus_zero, 0), 0U);
    for (const std::uint32_t a : test::edge_patterns()) {
        for (const std::uint32_t b : test::edge_patterns()) {
            if (finite(a) && finite(b)) {
                const Rational x = value_of_fp32(a);
                const Rational y = value_of_fp32(b);
                ASSERT_EQ(evaluate(AluOp::IS_EQ, a, b), x == y ? one : 0U);
                ASSERT_EQ(evaluate(AluOp::IS_NE, a, b), x != y ? one : 0U);
                ASSERT_EQ(evaluate(AluOp::IS_GT, a, b), x > y ? one : 0U);
                ASSERT_EQ(evaluate(AluOp::IS_GE, a, b), x >= y ? one : 0U);
                ASSERT_EQ(evaluate(AluOp::IS_LE, a, b), x <= y ? one : 0U);
                ASSERT_EQ(evaluate(AluOp::IS_LT, a, b), x < y ? one : 0U);
            }
        }
    }
}

TEST(Evaluate, LogicalTruth) {
    const std::uint32_t values[] = {0, minus_zero, 1, one, infinity, quiet_nan};
    for (const std::uint32_t a : values) {
        for (const std::uint32_t b : values) {
            const bool x = (a & 0x7FFFFFFF) != 0;
            const bool y = (b & 0x7FFFFFFF) != 0;
            EXPECT_EQ(evaluate(AluOp::LOGICAL_AND, a, b), x && y ? one : 0U);
            EXPECT_EQ(evaluate(AluOp::LOGICAL_OR, a, b), x || y ? one : 0U);
            EXPECT_EQ(evaluate(AluOp::LOGICAL_XOR, a, b), x != y ? one : 0U);
        }
    }
}

TEST(Evaluate, FlushMakesSubnormalsSignedZero) {
    NumberModel flush;
    flush.flush_subnormals = true;
    EXPECT_EQ(evaluate(AluOp::ADD, 0x807FFFFF, 0x807FFFFF, flush), minus_zero);
    EXPECT_EQ(evaluate(AluOp::SUBTRACT, 0x00800001, 0x00800000, flush), 0U);
    EXPECT_EQ(flags_of(AluOp::SUBTRACT, 0x00800001, 0x00800000, flush),
              FpStatus::UNDERFLOW_ | FpStatus::INEXACT);
    EXPECT_EQ(evaluate(AluOp::MULT, 0x00800000, bits_of(-0.5F), flush), minus_zero);
    EXPECT_EQ(evaluate(AluOp::MAX, 0x00000001, 0x80000001, flush), 0U);
    EXPECT_EQ(evaluate(AluOp::IS_EQ, 0x00000001, 0, flush), one);
    EXPECT_EQ(evaluate(AluOp::LOGICAL_OR, 0x00000001, 0, flush), 0U);
    EXPECT_EQ(evaluate(AluOp::DIVIDE, one, 0x00000001, flush), infinity);
}

TEST(Evaluate, PowerFollowsIeeeAndIsExactWhereItCanBe) {
    EXPECT_EQ(evaluate(AluOp::POW, quiet_nan, 0), one);
    EXPECT_EQ(evaluate(AluOp::POW, one, quiet_nan), one);
    EXPECT_EQ(evaluate(AluOp::POW, bits_of(-2), bits_of(3)), bits_of(-8));
    EXPECT_EQ(evaluate(AluOp::POW, bits_of(-2), bits_of(0.5F)), canonical_nan_fp32);
    EXPECT_EQ(evaluate(AluOp::POW, minus_zero, bits_of(-3)), infinity | minus_zero);
    EXPECT_EQ(flags_of(AluOp::POW, 0, bits_of(-2)), FpStatus::DIVIDE_BY_ZERO);
    EXPECT_EQ(evaluate(AluOp::POW, bits_of(9), bits_of(1.5F)), bits_of(27));
    EXPECT_EQ(flags_of(AluOp::POW, bits_of(9), bits_of(1.5F)), 0);
    EXPECT_EQ(flags_of(AluOp::POW, bits_of(2), bits_of(0.5F)), FpStatus::INEXACT);
    EXPECT_EQ(evaluate(AluOp::POW, bits_of(2), bits_of(-149)), 1U);
    EXPECT_EQ(flags_of(AluOp::POW, bits_of(2), bits_of(-149)), 0);
    EXPECT_EQ(flags_of(AluOp::POW, bits_of(3), bits_of(200)),
              FpStatus::OVERFLOW_ | FpStatus::INEXACT);
    NumberModel up;
    up.rounding = Rounding::UP;
    EXPECT_EQ(evaluate(AluOp::POW, 0x3F800001, bits_of(0x1p-100F), up), 0x3F800001U);
    NumberModel down;
    down.rounding = Rounding::DOWN;
    EXPECT_EQ(evaluate(AluOp::POW, 0x3F7FFFFF, bits_of(0x1p-100F), down), 0x3F7FFFFFU);
}

/// Integer powers against exact rationals.
TEST(Evaluate, IntegerPowersAreCorrectlyRounded) {
    Random random(23);
    for (int i = 0; i < 4000; ++i) {
        const std::uint32_t base = 0x3F000000 + random.word() % 0x01800000;
        const int count = static_cast<int>(random.below(9)) - 3;
        Rational exact = 1;
        for (int k = 0; k < std::abs(count); ++k) {
            exact *= value_of_fp32(base);
        }
        expect_rounded(AluOp::POW, base, bits_of(static_cast<float>(count)),
                       count < 0 ? Rational(1) / exact : exact, 0);
        if (HasFatalFailure()) {
            return;
        }
    }
}

TEST(Evaluate, SumsOfIntegersLoseBitsAbove24) {
    // D9: the FP32 hub.
    FpStatus status;
    const std::uint32_t big = to_fp32(Dtype::INT32, 16777217, {}, status);
    EXPECT_EQ(status.bits, FpStatus::INEXACT);
    EXPECT_EQ(from_fp32(Dtype::INT32, evaluate(AluOp::ADD, big, one), {}, status), 16777216U);
}

}  // namespace
}  // namespace dve
