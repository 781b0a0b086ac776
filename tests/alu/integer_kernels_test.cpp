// Whole rows of exact integers against Boost.Multiprecision: the integer band in one and two stages
// with mixed widths, the 64-bit bitvec arm, odd sizes, strides, in place.
#include "models/alu/integer_kernels.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cstring>
#include <vector>

#include "models/alu/integer.h"
#include "tests/alu/samples.h"

namespace dve {
namespace {

using Big = boost::multiprecision::cpp_int;
using test::Random;

const Dtype signed_types[] = {Dtype::INT8, Dtype::INT16, Dtype::INT32, Dtype::INT64};
const Dtype unsigned_types[] = {Dtype::UINT8, Dtype::UINT16, Dtype::UINT32, Dtype::UINT64};

Big power(unsigned bits) {
    Big result = 1;
    result <<= bits;
    return result;
}

Big absolute(const Big& x) { return x < 0 ? Big(-x) : x; }

/// x modulo 2^bits, as an unsigned or a signed number.
Big wrapped(const Big& x, unsigned bits, bool is_signed) {
    Big rest = x % power(bits);
    rest = rest < 0 ? Big(rest + power(bits)) : rest;
    return is_signed && rest >= power(bits - 1) ? Big(rest - power(bits)) : rest;
}

/// The band by mathematics; decisions 3 for division by zero.
Big band(AluOp op, const Big& a, const Big& b, bool is_signed, bool& by_zero) {
    const auto divisor_is_zero = [&] {
        by_zero = by_zero || b == 0;
        return b == 0;
    };
    switch (op) {
        case AluOp::BYPASS: return a;
        case AluOp::ADD_INT: return a + b;
        case AluOp::SUBTRACT_INT: return a - b;
        case AluOp::MULT_INT:
        case AluOp::MULT_UINT: return a * b;
        case AluOp::DIVIDE_INT:
        case AluOp::DIVIDE_UINT:
            return divisor_is_zero() ? Big(is_signed ? Big(-1) : Big(power(64) - 1)) : Big(a / b);
        case AluOp::MOD:
        case AluOp::MOD_INT:
        case AluOp::MOD_UINT: return divisor_is_zero() ? a : Big(a % b);
        case AluOp::IS_EQUAL_INT: return a == b ? 1 : 0;
        case AluOp::IS_NE_INT: return a != b ? 1 : 0;
        case AluOp::ABS_MAX_INT: return absolute(a) > absolute(b) ? absolute(a) : absolute(b);
        case AluOp::ABS_MIN_INT: return absolute(a) < absolute(b) ? absolute(a) : absolute(b);
        case AluOp::ABS_DIFF_INT: return absolute(Big(a - b));
        case AluOp::ABS_VALUE_INT: return absolute(a);
        case AluOp::MAX_INT:
        case AluOp::MAX_UINT: return a > b ? a : b;
        case AluOp::MIN_INT:
        case AluOp::MIN_UINT: return a < b ? a : b;
        case AluOp::IS_GT_INT:
        case AluOp::IS_GT_UINT: return a > b ? 1 : 0;
        case AluOp::IS_GE_INT:
        case AluOp::IS_GE_UINT: return a >= b ? 1 : 0;
        case AluOp::IS_LE_INT:
        case AluOp::IS_LE_UINT: return a <= b ? 1 : 0;
        case AluOp::IS_LT_INT:
        case AluOp::IS_LT_UINT: return a < b ? 1 : 0;
        default: ADD_FAILURE() << "not in the band"; return 0;
    }
}

/// Bitvec on 64 bits by mathematics on numbers of 0 .. 2^64 - 1.
Big bitvec(AluOp op, const Big& a, const Big& b, bool modulo) {
    const unsigned count = static_cast<unsigned>(modulo ? Big(b % 64) : b > 64 ? Big(64) : b);
    const Big scale = power(count);
    switch (op) {
        case AluOp::BYPASS: return a;
        case AluOp::BITWISE_NOT: return power(64) - 1 - a;
        case AluOp::BITWISE_AND: return a & b;
        case AluOp::BITWISE_OR: return a | b;
        case AluOp::BITWISE_XOR: return a ^ b;
        case AluOp::ARITH_SHIFT_LEFT:
        case AluOp::LOGICAL_SHIFT_LEFT: return a * scale % power(64);
        case AluOp::LOGICAL_SHIFT_RIGHT: return a / scale;
        case AluOp::ARITH_SHIFT_RIGHT: {
            const Big filled = a >= power(63) ? Big(power(64) * (scale - 1)) : Big(0);
            return (a + filled) / scale;
        }
        default: ADD_FAILURE() << "not a 64-bit bitvec operation"; return 0;
    }
}

std::vector<AluOp> band_operations(bool is_signed) {
    std::vector<AluOp> result = {AluOp::BYPASS};
    for (const AluOpRow& row : alu_op_rows()) {
        const bool own = row.in(is_signed ? INT_SIGNED : INT_UNSIGNED);
        if (own || (is_signed && row.op == AluOp::ABS_VALUE_INT)) {
            result.push_back(row.op);
        }
    }
    return result;
}

const std::vector<AluOp> bitvec_operations = {AluOp::BYPASS,
                                              AluOp::BITWISE_NOT,
                                              AluOp::BITWISE_AND,
                                              AluOp::BITWISE_OR,
                                              AluOp::BITWISE_XOR,
                                              AluOp::ARITH_SHIFT_LEFT,
                                              AluOp::LOGICAL_SHIFT_LEFT,
                                              AluOp::LOGICAL_SHIFT_RIGHT,
                                              AluOp::ARITH_SHIFT_RIGHT};

std::uint64_t edge(Random& random, unsigned bits) {
    const std::uint64_t top = 1ULL << (bits - 1);
    const std::uint64_t edges[] = {0,
                                   1,
                                   ~0ULL,
                                   top,
                                   top - 1,
                                   top + 1,
                                   random.below(80),
                                   random.next() >> random.below(64),
                                   random.next()};
    return edges[random.below(std::size(edges))];
}

/// One instruction on random rows with its exact result.
class Rows64 {
public:
    Rows64(const ElementwiseSpec& spec, const NumberModel& model, std::size_t columns,
           bool scalar_per_row, Random& random)
        : spec_(spec), model_(model), columns_(columns) {
        strides_[0] = columns * element_bytes(spec.in0) + 8 * random.below(3);
        strides_[1] = columns * element_bytes(spec.in1) + 8 * random.below(3);
        strides_[2] = columns * element_bytes(spec.out) + 8 * random.below(3);
        fill(src0_, spec.in0, strides_[0], random);
        fill(src1_, spec.in1, strides_[1], random);
        scalar_stride_ = scalar_per_row ? 1 : 0;
        for (std::size_t i = 0; i < rows; ++i) {
            scalar0_.push_back(static_cast<std::uint32_t>(edge(random, 32)));
            scalar1_.push_back(static_cast<std::uint32_t>(edge(random, 32)));
        }
    }

    void define() {
        for (std::size_t r = 0; r < rows; ++r) {
            for (std::size_t c = 0; c < columns_; ++c) {
                want_.push_back(element(r, c));
            }
        }
    }

    /// dst: 0 apart, 1 src0, 2 src1.
    void check(unsigned place) {
        std::vector<std::uint8_t> apart(rows * strides_[2], 0xA5);
        std::vector<std::uint8_t>& dst = place == 0 ? apart : place == 1 ? src0_ : src1_;
        const std::size_t stride = place == 0 ? strides_[2] : strides_[place - 1];
        ElementwiseArguments arguments;
        arguments.rows = rows;
        arguments.columns = columns_;
        arguments.src0 = {src0_.data(), static_cast<std::ptrdiff_t>(strides_[0])};
        arguments.src1 = {src1_.data(), static_cast<std::ptrdiff_t>(strides_[1])};
        arguments.dst = {dst.data(), static_cast<std::ptrdiff_t>(stride)};
        arguments.scalar0 = {scalar0_.data(), scalar_stride_};
        arguments.scalar1 = {scalar1_.data(), scalar_stride_};
        FpStatus status;
        ElementwiseKernel::select(spec_, model_).run(arguments, status);
        const unsigned bytes = element_bytes(spec_.out);
        for (std::size_t r = 0; r < rows; ++r) {
            for (std::size_t c = 0; c < columns_; ++c) {
                std::uint64_t have = 0;
                std::memcpy(&have, &dst[r * stride + c * bytes], bytes);
                ASSERT_EQ(have, want_[r * columns_ + c])
                    << alu_op_row(spec_.stage0.op).text << " " << alu_op_row(spec_.stage1.op).text
                    << " " << dtype_row(spec_.in0).text << " " << dtype_row(spec_.in1).text << " "
                    << dtype_row(spec_.out).text << " row " << r << " column " << c;
            }
        }
        ASSERT_EQ(status.bits, by_zero_ ? FpStatus::DIVIDE_BY_ZERO : 0);
    }

private:
    static constexpr std::size_t rows = 3;

    void fill(std::vector<std::uint8_t>& to, Dtype dtype, std::size_t stride, Random& random) {
        const unsigned bytes = element_bytes(dtype);
        to.resize(rows * stride + 8);
        for (std::size_t r = 0; r < rows; ++r) {
            for (std::size_t c = 0; c < columns_; ++c) {
                const std::uint64_t raw = edge(random, 8 * bytes);
                std::memcpy(&to[r * stride + c * bytes], &raw, bytes);
            }
        }
    }

    static Big number(const std::vector<std::uint8_t>& from, std::size_t offset, Dtype dtype,
                      bool bits) {
        std::uint64_t raw = 0;
        std::memcpy(&raw, &from[offset], element_bytes(dtype));
        const bool is_signed = dtype_row(dtype).kind == DtypeKind::SIGNED && !bits;
        return wrapped(raw, 8 * element_bytes(dtype), is_signed);
    }

    std::uint64_t element(std::size_t r, std::size_t c) {
        const bool bits = spec_.bitvec;
        const bool is_signed = dtype_row(spec_.in0).kind == DtypeKind::SIGNED && !bits;
        Big value = number(src0_, r * strides_[0] + c * element_bytes(spec_.in0), spec_.in0, bits);
        const StageSpec* stages[] = {&spec_.stage0, &spec_.stage1};
        const std::vector<std::uint32_t>* scalars[] = {&scalar0_, &scalar1_};
        for (unsigned s = 0; s < 2; ++s) {
            if (stages[s]->op != AluOp::BYPASS) {
                Big operand =
                    number(src1_, r * strides_[1] + c * element_bytes(spec_.in1), spec_.in1, bits);
                if (stages[s]->operand == StageOperand::SCALAR) {
                    // Immediates are INT32; where the operation is unsigned, its extended bits.
                    operand = wrapped((*scalars[s])[r * scalar_stride_], 32, true);
                    operand = is_signed ? operand : wrapped(operand, 64, false);
                }
                const Big& a = stages[s]->reversed ? operand : value;
                const Big& b = stages[s]->reversed ? value : operand;
                value = bits ? bitvec(stages[s]->op, a, b, model_.shift_modulo)
                             : band(stages[s]->op, a, b, is_signed, by_zero_);
            }
            if (s == 0 && spec_.stage1.op != AluOp::BYPASS && !bits) {
                value = wrapped(value, 32, is_signed);
            } else {
                value = wrapped(value, 64, is_signed);
            }
        }
        return static_cast<std::uint64_t>(wrapped(value, 8 * element_bytes(spec_.out), false));
    }

    ElementwiseSpec spec_;
    NumberModel model_;
    std::size_t columns_;
    std::size_t strides_[3] = {};
    std::size_t scalar_stride_ = 0;
    std::vector<std::uint8_t> src0_;
    std::vector<std::uint8_t> src1_;
    std::vector<std::uint32_t> scalar0_;
    std::vector<std::uint32_t> scalar1_;
    std::vector<std::uint64_t> want_;
    bool by_zero_ = false;
};

void check(const ElementwiseSpec& spec, const NumberModel& model, Random& random) {
    static constexpr std::size_t sizes[] = {1, 2, 7, 33, 255, 256, 257};
    Rows64 rows(spec, model, sizes[random.below(std::size(sizes))], random.below(2) == 0, random);
    rows.define();
    rows.check(0);
    if (element_bytes(spec.in0) == element_bytes(spec.out)) {
        rows.check(1);
    } else if (element_bytes(spec.in1) == element_bytes(spec.out) && spec.in0 != spec.in1) {
        rows.check(2);
    }
}

/// 0x41: one stage on two tensors, every operation and mix of widths.
TEST(IntegerRows, TwoTensorsOfEveryWidth) {
    Random random(81);
    for (const bool is_signed : {false, true}) {
        const Dtype(&types)[4] = is_signed ? signed_types : unsigned_types;
        for (const AluOp op : band_operations(is_signed)) {
            for (const Dtype in0 : types) {
                for (const Dtype in1 : types) {
                    for (const Dtype out : types) {
                        ElementwiseSpec spec;
                        spec.in0 = in0;
                        spec.in1 = in1;
                        spec.out = out;
                        spec.integer = true;
                        spec.stage0 = {op, random.below(2) == 0, StageOperand::TENSOR};
                        check(spec, {}, random);
                        if (HasFatalFailure()) {
                            return;
                        }
                    }
                }
            }
        }
    }
}

/// MAVERICK 0x43: both stages with INT32 scalars, results wrapped at 32 bits in between.
TEST(IntegerRows, TwoStagesWithScalars) {
    Random random(82);
    std::vector<AluOp> operations;
    for (const AluOpRow& row : alu_op_rows()) {
        if (row.in(INT_DVE)) {
            operations.push_back(row.op);
        }
    }
    ASSERT_EQ(operations.size(), 15U);
    const Dtype types[] = {Dtype::INT8, Dtype::INT16, Dtype::INT32};
    for (const AluOp op0 : operations) {
        for (const AluOp op1 : operations) {
            for (const Dtype in0 : types) {
                ElementwiseSpec spec;
                spec.in0 = in0;
                spec.out = types[random.below(3)];
                spec.integer = true;
                spec.stage0 = {op0, random.below(2) == 0, StageOperand::SCALAR};
                spec.stage1 = {op1, random.below(2) == 0, StageOperand::SCALAR};
                check(spec, {}, random);
                if (HasFatalFailure()) {
                    return;
                }
            }
        }
    }
}

TEST(IntegerRows, AStageWrapsAtThirtyTwoBits) {
    // (2^30 * 4) >= 1: the product is 0 after 32 bits and 2^32 without the wrap.
    ElementwiseSpec spec;
    spec.in0 = Dtype::INT32;
    spec.out = Dtype::INT32;
    spec.integer = true;
    spec.stage0.op = AluOp::MULT_INT;
    spec.stage1.op = AluOp::IS_GE_INT;
    const std::int32_t value = 1 << 30;
    std::int32_t result = -1;
    const std::uint32_t four = 4;
    const std::uint32_t one = 1;
    ElementwiseArguments arguments;
    arguments.rows = 1;
    arguments.columns = 1;
    arguments.src0.data = reinterpret_cast<const std::uint8_t*>(&value);
    arguments.dst.data = reinterpret_cast<std::uint8_t*>(&result);
    arguments.scalar0.values = &four;
    arguments.scalar1.values = &one;
    FpStatus status;
    ElementwiseKernel::select(spec, {}).run(arguments, status);
    EXPECT_EQ(result, 0);
}

/// 0x51 on 64 bits: one stage, both operand orders, both shift rules.
TEST(IntegerRows, BitvecOnSixtyFourBits) {
    Random random(83);
    for (const AluOp op : bitvec_operations) {
        for (const Dtype dtype : {Dtype::INT64, Dtype::UINT64}) {
            for (int trial = 0; trial < 24; ++trial) {
                ElementwiseSpec spec;
                spec.in0 = spec.in1 = spec.out = dtype;
                spec.bitvec = true;
                spec.stage0 = {op, trial % 2 != 0, StageOperand::TENSOR};
                NumberModel model;
                model.shift_modulo = trial % 3 == 0;
                check(spec, model, random);
                if (HasFatalFailure()) {
                    return;
                }
            }
        }
    }
}

}  // namespace
}  // namespace dve
