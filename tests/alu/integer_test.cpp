// The integer band, the 64-bit bitvec arm and the scalar evaluator against Boost.Multiprecision.
#include "models/alu/integer.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <functional>
#include <random>

namespace dve {
namespace {

using Big = boost::multiprecision::cpp_int;

struct BandRow {
    AluOp op;
    enum { EITHER, SIGNED, UNSIGNED } signedness;
    std::function<Big(const Big&, const Big&)> exact;
};

Big absolute(const Big& x) { return x < 0 ? Big(-x) : x; }
Big truth(bool value) { return value ? 1 : 0; }

/// The band of isa_wire_format 5.2 with plain mathematics; divisors are never zero here.
const std::vector<BandRow>& band() {
    static const std::vector<BandRow> rows = {
        {AluOp::ADD_INT, BandRow::EITHER, [](auto& a, auto& b) { return Big(a + b); }},
        {AluOp::MULT_INT, BandRow::EITHER, [](auto& a, auto& b) { return Big(a * b); }},
        {AluOp::SUBTRACT_INT, BandRow::EITHER, [](auto& a, auto& b) { return Big(a - b); }},
        {AluOp::DIVIDE_INT, BandRow::EITHER, [](auto& a, auto& b) { return Big(a / b); }},
        {AluOp::MOD_INT, BandRow::EITHER, [](auto& a, auto& b) { return Big(a % b); }},
        {AluOp::MOD, BandRow::EITHER, [](auto& a, auto& b) { return Big(a % b); }},
        {AluOp::IS_EQUAL_INT, BandRow::EITHER, [](auto& a, auto& b) { return truth(a == b); }},
        {AluOp::IS_NE_INT, BandRow::EITHER, [](auto& a, auto& b) { return truth(a != b); }},
        {AluOp::ABS_MAX_INT, BandRow::SIGNED,
         [](auto& a, auto& b) { return absolute(a) > absolute(b) ? absolute(a) : absolute(b); }},
        {AluOp::ABS_MIN_INT, BandRow::SIGNED,
         [](auto& a, auto& b) { return absolute(a) < absolute(b) ? absolute(a) : absolute(b); }},
        {AluOp::ABS_DIFF_INT, BandRow::SIGNED,
         [](auto& a, auto& b) { return absolute(Big(a - b)); }},
        {AluOp::ABS_VALUE_INT, BandRow::SIGNED, [](auto& a, auto&) { return absolute(a); }},
        {AluOp::MAX_INT, BandRow::SIGNED, [](auto& a, auto& b) { return a > b ? a : b; }},
        {AluOp::MIN_INT, BandRow::SIGNED, [](auto& a, auto& b) { return a < b ? a : b; }},
        {AluOp::IS_GT_INT, BandRow::SIGNED, [](auto& a, auto& b) { return truth(a > b); }},
        {AluOp::IS_GE_INT, BandRow::SIGNED, [](auto& a, auto& b) { return truth(a >= b); }},
        {AluOp::IS_LE_INT, BandRow::SIGNED, [](auto& a, auto& b) { return truth(a <= b); }},
        {AluOp::IS_LT_INT, BandRow::SIGNED, [](auto& a, auto& b) { return truth(a < b); }},
        {AluOp::MAX_UINT, BandRow::UNSIGNED, [](auto& a, auto& b) { return a > b ? a : b; }},
        {AluOp::MIN_UINT, BandRow::UNSIGNED, [](auto& a, auto& b) { return a < b ? a : b; }},
        {AluOp::IS_GT_UINT, BandRow::UNSIGNED, [](auto& a, auto& b) { return truth(a > b); }},
        {AluOp::IS_GE_UINT, BandRow::UNSIGNED, [](auto& a, auto& b) { return truth(a >= b); }},
        {AluOp::IS_LE_UINT, BandRow::UNSIGNED, [](auto& a, auto& b) { return truth(a <= b); }},
        {AluOp::IS_LT_UINT, BandRow::UNSIGNED, [](auto& a, auto& b) { return truth(a < b); }},
        {AluOp::MULT_UINT, BandRow::UNSIGNED, [](auto& a, auto& b) { return Big(a * b); }},
        {AluOp::DIVIDE_UINT, BandRow::UNSIGNED, [](auto& a, auto& b) { return Big(a / b); }},
        {AluOp::MOD_UINT, BandRow::UNSIGNED, [](auto& a, auto& b) { return Big(a % b); }},
    };
    return rows;
}

/// The number that a pattern stands for.
Big number(std::uint64_t raw, IntegerType type) {
    Big value = raw & (type.bits == 64 ? ~0ULL : (1ULL << type.bits) - 1);
    if (type.is_signed && value >= Big(1) << (type.bits - 1)) {
        value -= Big(1) << type.bits;
    }
    return value;
}

/// The pattern of a number, wrapped.
std::uint64_t pattern(const Big& value, IntegerType type) {
    Big modulus = Big(1) << type.bits;
    Big wrapped = value % modulus;
    if (wrapped < 0) {
        wrapped += modulus;
    }
    return static_cast<std::uint64_t>(wrapped);
}

bool applies(const BandRow& row, bool is_signed) {
    return row.signedness == BandRow::EITHER || (row.signedness == BandRow::SIGNED) == is_signed;
}

bool divides(AluOp op) {
    return op == AluOp::DIVIDE_INT || op == AluOp::MOD_INT || op == AluOp::MOD ||
           op == AluOp::DIVIDE_UINT || op == AluOp::MOD_UINT;
}

void expect_exact(const BandRow& row, std::uint64_t a, std::uint64_t b, IntegerType left,
                  IntegerType right, IntegerType out) {
    const Big x = number(a, left);
    const Big y = number(b, right);
    if (divides(row.op) && y == 0) {
        return;
    }
    FpStatus status;
    const auto value =
        evaluate_integer(row.op, extend(a, left), extend(b, right), left, out, status);
    ASSERT_TRUE(value.has_value());
    ASSERT_EQ(*value, pattern(row.exact(x, y), out))
        << alu_op_row(row.op).name << ' ' << x << ' ' << y << " bits " << int{left.bits};
    ASSERT_EQ(status.bits, 0);
}

const std::uint8_t widths[] = {8, 16, 32, 64};

TEST(IntegerBand, EveryPairOfEightBitOperands) {
    for (const BandRow& row : band()) {
        for (const bool is_signed : {false, true}) {
            if (!applies(row, is_signed)) {
                continue;
            }
            const IntegerType type{8, is_signed};
            for (unsigned a = 0; a < 256; ++a) {
                for (unsigned b = 0; b < 256; ++b) {
                    expect_exact(row, a, b, type, type, type);
                }
            }
        }
    }
}

TEST(IntegerBand, RandomAndBoundaryOperandsOfEveryWidthMix) {
    std::mt19937_64 random(7);
    for (const BandRow& row : band()) {
        for (const bool is_signed : {false, true}) {
            if (!applies(row, is_signed)) {
                continue;
            }
            for (int trial = 0; trial < 3000; ++trial) {
                const auto pick = [&](IntegerType type) {
                    const std::uint64_t edges[] = {0,
                                                   1,
                                                   ~0ULL,
                                                   1ULL << (type.bits - 1),
                                                   (1ULL << (type.bits - 1)) - 1,
                                                   random() >> (random() % 64),
                                                   random()};
                    return edges[random() % std::size(edges)];
                };
                const IntegerType left{widths[random() % 4], is_signed};
                const IntegerType right{widths[random() % 4], is_signed};
                const IntegerType out{widths[random() % 4], is_signed};
                expect_exact(row, pick(left), pick(right), left, right, out);
            }
        }
    }
}

TEST(IntegerBand, DivisionByZero) {
    for (const std::uint8_t bits : widths) {
        for (const bool is_signed : {false, true}) {
            const IntegerType type{bits, is_signed};
            const std::uint64_t ones = wrap(~0ULL, type);
            FpStatus status;
            EXPECT_EQ(evaluate_integer(AluOp::DIVIDE_INT, 77, 0, type, type, status), ones);
            EXPECT_EQ(status.bits, FpStatus::DIVIDE_BY_ZERO);
            EXPECT_EQ(evaluate_integer(AluOp::MOD_INT, 77, 0, type, type, status), 77U);
            EXPECT_EQ(
                evaluate_integer(AluOp::MOD, extend(0x85, {8, is_signed}), 0, type, type, status),
                wrap(extend(0x85, {8, is_signed}), type));
        }
    }
}

TEST(IntegerBand, RefusesWhatIsNoBandOperation) {
    FpStatus status;
    const IntegerType type{32, true};
    EXPECT_FALSE(evaluate_integer(AluOp::ADD, 1, 2, type, type, status));
    EXPECT_FALSE(evaluate_integer(AluOp::AMAX_INT, 1, 2, type, type, status));
    EXPECT_FALSE(evaluate_integer(AluOp::BITWISE_AND, 1, 2, type, type, status));
}

TEST(Bitvec64, ShiftsAndLogicAgainstWideArithmetic) {
    std::mt19937_64 random(11);
    const NumberModel model;
    const Big modulus = Big(1) << 64;
    for (int trial = 0; trial < 20000; ++trial) {
        const std::uint64_t a = random() >> (random() % 64);
        const std::uint64_t b = random();
        const std::uint32_t count = static_cast<std::uint32_t>(random() % 70);
        const Big x = a;
        const Big signed_x = number(a, {64, true});
        const Big scale = Big(1) << count;
        EXPECT_EQ(evaluate_bitvec64(AluOp::LOGICAL_SHIFT_LEFT, a, count, model),
                  static_cast<std::uint64_t>(Big(x * scale) % modulus));
        EXPECT_EQ(evaluate_bitvec64(AluOp::LOGICAL_SHIFT_RIGHT, a, count, model),
                  static_cast<std::uint64_t>(x / scale));
        // Floor division is what a sign-filling shift does.
        Big floor = signed_x / scale;
        if (signed_x < 0 && floor * scale != signed_x) {
            floor -= 1;
        }
        EXPECT_EQ(evaluate_bitvec64(AluOp::ARITH_SHIFT_RIGHT, a, count, model),
                  pattern(floor, {64, true}));
        EXPECT_EQ(evaluate_bitvec64(AluOp::BITWISE_XOR, a, b, model), a ^ b);
        EXPECT_EQ(evaluate_bitvec64(AluOp::BITWISE_AND, a, b, model), a & b);
        EXPECT_EQ(evaluate_bitvec64(AluOp::BITWISE_OR, a, b, model), a | b);
        EXPECT_EQ(evaluate_bitvec64(AluOp::BITWISE_NOT, a, b, model), ~a);
    }
    EXPECT_EQ(evaluate_bitvec64(AluOp::LOGICAL_SHIFT_LEFT, 1, 1ULL << 32, model), 0U);
    NumberModel modulo;
    modulo.shift_modulo = true;
    EXPECT_EQ(evaluate_bitvec64(AluOp::LOGICAL_SHIFT_LEFT, 1, 65, modulo), 2U);
}

TEST(ScalarEvaluator, BaseCodesAreNativeIntegers) {
    const NumberModel model;
    struct Case {
        AluOp op;
        std::uint64_t left, right;
        Dtype dtype;
        std::uint64_t expected;
    };
    const Case cases[] = {
        {AluOp::ADD, 0xFFFFFFFF, 2, Dtype::UINT32, 1},
        {AluOp::ADD, 0xFFFFFFFF, 2, Dtype::UINT64, 0x100000001},
        {AluOp::SUBTRACT, 1, 2, Dtype::INT32, 0xFFFFFFFF},
        {AluOp::DIVIDE, 0xFFFFFFF9, 2, Dtype::INT32, 0xFFFFFFFD},  // -7 / 2 = -3
        {AluOp::DIVIDE, 0xFFFFFFF9, 2, Dtype::UINT32, 0x7FFFFFFC},
        {AluOp::MOD, 0xFFFFFFF9, 2, Dtype::INT32, 0xFFFFFFFF},  // -7 % 2 = -1
        {AluOp::MAX, 0x80000000, 1, Dtype::INT32, 1},
        {AluOp::MAX, 0x80000000, 1, Dtype::UINT32, 0x80000000},
        {AluOp::IS_LT, 0x80000000, 1, Dtype::INT32, 1},
        {AluOp::IS_LT, 0x80000000, 1, Dtype::UINT32, 0},
        {AluOp::LOGICAL_XOR, 5, 0, Dtype::UINT32, 1},
        {AluOp::ABSOLUTE_VALUE, 0x80000000, 0, Dtype::INT32, 0x80000000},
        {AluOp::RE_LU, 0xFFFFFFFF, 0, Dtype::INT32, 0},
        {AluOp::SQUARE, 0x10000, 0, Dtype::UINT32, 0},
        {AluOp::ARITH_SHIFT_RIGHT, 0x80000000, 4, Dtype::INT32, 0xF8000000},
        {AluOp::LOGICAL_SHIFT_RIGHT, 0x80000000, 32, Dtype::UINT32, 0},
        {AluOp::MAX_UINT, 0x80000000, 1, Dtype::INT32, 0x80000000},
        {AluOp::ABS_VALUE_INT, 0xFFFFFFFE, 0, Dtype::INT32, 2},
        {AluOp::BITWISE_NOT, 0, 0, Dtype::UINT64, ~0ULL},
    };
    for (const Case& c : cases) {
        const ScalarResult result = evaluate_scalar(c.op, c.left, c.right, c.dtype, model);
        EXPECT_EQ(result.outcome, ScalarOutcome::OK) << alu_op_row(c.op).name;
        EXPECT_EQ(result.value, c.expected) << alu_op_row(c.op).name;
    }
}

TEST(ScalarEvaluator, Refusals) {
    const NumberModel model;
    EXPECT_EQ(evaluate_scalar(AluOp::ADD, 1, 1, Dtype::FP32, model).outcome,
              ScalarOutcome::NOT_SUPPORTED_DTYPE);
    EXPECT_EQ(evaluate_scalar(AluOp::ADD, 1, 1, Dtype::INT16, model).outcome,
              ScalarOutcome::NOT_SUPPORTED_DTYPE);
    for (const AluOp op : {AluOp::AMAX_INT, AluOp::POW, AluOp::RSQRT, AluOp::CRC32}) {
        EXPECT_EQ(evaluate_scalar(op, 1, 1, Dtype::INT32, model).outcome,
                  ScalarOutcome::NOT_SUPPORTED_OP);
    }
    for (const AluOp op : {AluOp::DIVIDE, AluOp::MOD, AluOp::DIVIDE_UINT, AluOp::MOD_INT}) {
        EXPECT_EQ(evaluate_scalar(op, 1, 0, Dtype::INT64, model).outcome,
                  ScalarOutcome::DIVIDE_BY_ZERO);
    }
}

TEST(ArgReductions, FirstIndexOnTies) {
    const std::uint64_t values[] = {3, ~0ULL, 9, 9, ~0ULL, 3};
    EXPECT_EQ(evaluate_arg(AluOp::AMAX_INT, values, 6), 2U);
    EXPECT_EQ(evaluate_arg(AluOp::AMIN_INT, values, 6), 1U);
    EXPECT_EQ(evaluate_arg(AluOp::AMAX_UINT, values, 6), 1U);
    EXPECT_EQ(evaluate_arg(AluOp::AMIN_UINT, values, 6), 0U);
}

}  // namespace
}  // namespace dve
