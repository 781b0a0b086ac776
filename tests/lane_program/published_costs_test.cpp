// The published cost table: three identical independent instructions (timing, "What must hold" 2).
#include <gtest/gtest.h>

#include "tests/lane_program/program_bench.h"

namespace dve::test {
namespace {

constexpr Generation all_generations[] = {Generation::SUNDA, Generation::CAYMAN,
                                          Generation::MARIANA, Generation::MARIANA_PLUS,
                                          Generation::MAVERICK};
constexpr Generation cayman_on[] = {Generation::CAYMAN, Generation::MARIANA,
                                    Generation::MARIANA_PLUS, Generation::MAVERICK};
constexpr std::uint32_t counts[] = {1,   2,   3,   31,  32,  33,  63,   64,   65,   127,
                                    128, 129, 255, 256, 257, 512, 1000, 2047, 4096, 8191};

constexpr std::uint64_t at_least_64(std::uint64_t cycles) { return cycles < 64 ? 64 : cycles; }
constexpr std::uint64_t half(std::uint64_t n) { return (n + 1) / 2; }
constexpr std::uint64_t quarter(std::uint64_t n) { return (n + 3) / 4; }

constexpr Place sbuf_of(Dtype dtype, std::int64_t step = 1) { return {Space::SBUF, dtype, step}; }
constexpr Place psum_of(Dtype dtype) { return {Space::PSUM, dtype, 1}; }

LaneProgram with_ops(LaneProgram program, AluOp op0, AluOp op1) {
    program.elementwise.stage0.op = op0;
    program.elementwise.stage1.op = op1;
    return program;
}

TEST(PublishedCosts, SundaTensorScalar) {
    for (const std::uint32_t n : counts) {
        for (const Opcode opcode : {Opcode::TENSOR_SCALAR_ARITH_OP, Opcode::TENSOR_SCALAR_BITVEC_OP,
                                    Opcode::TRANSPOSE_TENSOR_SCALAR_ARITH_OP}) {
            for (const Dtype dtype : {Dtype::FP32, Dtype::BF16, Dtype::INT8}) {
                LaneProgram two = program_of(opcode, n, sbuf_of(dtype), sbuf_of(dtype));
                EXPECT_EQ(start_to_start(two, Generation::SUNDA), at_least_64(n)) << n;
                LaneProgram one = with_ops(two, AluOp::MULT, AluOp::BYPASS);
                EXPECT_EQ(start_to_start(one, Generation::SUNDA), at_least_64(n)) << n;
            }
        }
    }
}

TEST(PublishedCosts, SundaTensorTensor) {
    const Place bf16 = sbuf_of(Dtype::BF16);
    const Place fp32 = sbuf_of(Dtype::FP32);
    for (const std::uint32_t n : counts) {
        const auto cost = [n](AluOp op, Place src0, Place src1, Place dst) {
            return start_to_start(
                with_ops(program_of(Opcode::TENSOR_TENSOR_ARITH_OP, n, src0, src1, dst), op,
                         AluOp::BYPASS),
                Generation::SUNDA);
        };
        EXPECT_EQ(cost(AluOp::MAX, fp32, psum_of(Dtype::FP32), fp32), at_least_64(n));
        EXPECT_EQ(cost(AluOp::ADD, psum_of(Dtype::BF16), bf16, fp32), at_least_64(n));
        for (const AluOp op : {AluOp::ADD, AluOp::SUBTRACT, AluOp::MULT}) {
            EXPECT_EQ(cost(op, bf16, bf16, bf16), at_least_64(n));
            EXPECT_EQ(cost(op, fp32, fp32, fp32), at_least_64(2 * n));
            EXPECT_EQ(cost(op, bf16, sbuf_of(Dtype::FP16), bf16), at_least_64(2 * n));
            EXPECT_EQ(cost(op, bf16, bf16, fp32), at_least_64(2 * n));  // not all BF16
            if (n > 1) {
                EXPECT_EQ(cost(op, bf16, sbuf_of(Dtype::BF16, 2), bf16), at_least_64(2 * n));
            }
        }
        EXPECT_EQ(cost(AluOp::MAX, bf16, bf16, bf16), at_least_64(2 * n));
    }
}

TEST(PublishedCosts, SundaScalarTensorTensor) {
    const Place bf16 = sbuf_of(Dtype::BF16);
    const Place fp32 = sbuf_of(Dtype::FP32);
    for (const std::uint32_t n : counts) {
        const auto cost = [n](AluOp op0, AluOp op1, Place src0, Place src1, Place dst) {
            return start_to_start(
                with_ops(program_of(Opcode::SCALAR_TENSOR_TENSOR_ARITH, n, src0, src1, dst), op0,
                         op1),
                Generation::SUNDA);
        };
        const std::uint64_t fast = at_least_64(n % 2 == 0 ? n : 2 * n);
        EXPECT_EQ(cost(AluOp::SUBTRACT, AluOp::MULT, bf16, bf16, bf16), fast) << n;
        EXPECT_EQ(cost(AluOp::SUBTRACT, AluOp::MULT, bf16, bf16, fp32), fast) << n;
        const std::uint64_t slow = at_least_64(2 * n);
        EXPECT_EQ(cost(AluOp::MULT, AluOp::SUBTRACT, bf16, bf16, bf16), slow);
        EXPECT_EQ(cost(AluOp::SUBTRACT, AluOp::MULT, fp32, bf16, bf16), slow);
        EXPECT_EQ(cost(AluOp::SUBTRACT, AluOp::MULT, psum_of(Dtype::BF16), bf16, bf16), slow);
        EXPECT_EQ(cost(AluOp::MULT, AluOp::ADD, fp32, psum_of(Dtype::FP32), fp32), slow);
        EXPECT_EQ(cost(AluOp::MULT, AluOp::ADD, fp32, fp32, fp32), slow);
    }
}

// N of an even walk is even although its inner dimension is odd; one element is not.
TEST(PublishedCosts, SundaScalarTensorTensorCountsElements) {
    const Place bf16 = sbuf_of(Dtype::BF16);
    const auto subtract_mult = [&](std::uint32_t n) {
        return with_ops(program_of(Opcode::SCALAR_TENSOR_TENSOR_ARITH, n, bf16, bf16, bf16),
                        AluOp::SUBTRACT, AluOp::MULT);
    };
    EXPECT_EQ(beats(subtract_mult(1), Generation::SUNDA), 2U);
    EXPECT_EQ(beats(subtract_mult(2), Generation::SUNDA), 2U);
    LaneProgram rows = subtract_mult(126);
    for (TensorOperand* operand : {&rows.src0, &rows.src1, &rows.dst}) {
        operand->dimensions = 2;
        operand->walk[0] = {2, 63};
        operand->walk[1] = {256, 2};
    }
    EXPECT_EQ(beats(rows, Generation::SUNDA), 126U);
    rows.src1.walk[0].step = 4;
    EXPECT_EQ(beats(rows, Generation::SUNDA), 252U);
}

TEST(PublishedCosts, CarriedSequentialScan) {
    for (const Generation generation : all_generations) {
        for (const std::uint32_t n : counts) {
            EXPECT_EQ(start_to_start(scan_of(n, ScanRecurrence::CARRIED, ScanOrder::SEQUENTIAL),
                                     generation),
                      at_least_64(2 * n));
        }
    }
}

TEST(PublishedCosts, SundaReduceThenReadAccumulator) {
    const TimingParameters parameters = TimingParameters::for_generation(Generation::SUNDA);
    for (const std::uint32_t n : counts) {
        LaneProgram reduce = program_of(Opcode::TENSOR_SCALAR_CACHE_REDUCE, n, sbuf_of(Dtype::FP32),
                                        sbuf_of(Dtype::FP32));
        reduce.tail = Tail::ACCUMULATE;
        const LaneProgram read = read_accumulator();
        const auto times =
            times_of({reduce, read, reduce, read, reduce}, Generation::SUNDA, parameters);
        EXPECT_EQ(times[2].start_cycle - times[0].start_cycle, at_least_64(n) + 64);
        EXPECT_EQ(times[4].start_cycle - times[2].start_cycle, at_least_64(n) + 64);
    }
}

TEST(PublishedCosts, CaymanOnTensorScalar) {
    for (const Generation generation : cayman_on) {
        for (const std::uint32_t n : counts) {
            const auto cost = [&](Place src, Place dst) {
                return start_to_start(program_of(Opcode::TENSOR_SCALAR_ARITH_OP, n, src, dst),
                                      generation);
            };
            for (const Dtype in : {Dtype::BF16, Dtype::FP16}) {
                for (const Dtype out : {Dtype::BF16, Dtype::FP16}) {
                    EXPECT_EQ(cost(sbuf_of(in), sbuf_of(out)), at_least_64(quarter(n)));
                    EXPECT_EQ(cost(psum_of(in), sbuf_of(out)), at_least_64(half(n)));
                    EXPECT_EQ(cost(sbuf_of(in), psum_of(out)), at_least_64(half(n)));
                    if (n > 1) {
                        EXPECT_EQ(cost(sbuf_of(in, 3), sbuf_of(out)), at_least_64(half(n)));
                        EXPECT_EQ(cost(sbuf_of(in), sbuf_of(out, -1)), at_least_64(half(n)));
                    }
                }
            }
            EXPECT_EQ(cost(sbuf_of(Dtype::FP32), sbuf_of(Dtype::FP32)), at_least_64(n));
            EXPECT_EQ(cost(sbuf_of(Dtype::BF16), sbuf_of(Dtype::FP32)), at_least_64(n));
        }
    }
}

TEST(PublishedCosts, CaymanOnTensorTensor) {
    for (const Generation generation : cayman_on) {
        for (const std::uint32_t n : counts) {
            const auto cost = [&](Place src0, Place src1, Place dst) {
                return start_to_start(
                    program_of(Opcode::TENSOR_TENSOR_ARITH_OP, n, src0, src1, dst), generation);
            };
            const Place bf16 = sbuf_of(Dtype::BF16);
            const Place fp16 = sbuf_of(Dtype::FP16);
            EXPECT_EQ(cost(bf16, fp16, fp16), at_least_64(half(n)));
            if (n > 1) {
                EXPECT_EQ(cost(sbuf_of(Dtype::FP16, 2), bf16, bf16), at_least_64(half(n)));
                EXPECT_EQ(cost(sbuf_of(Dtype::FP16, 2), sbuf_of(Dtype::BF16, 5), bf16),
                          at_least_64(n));
            }
            EXPECT_EQ(cost(psum_of(Dtype::BF16), bf16, bf16), at_least_64(n));
            EXPECT_EQ(cost(sbuf_of(Dtype::FP32), sbuf_of(Dtype::FP32), sbuf_of(Dtype::FP32)),
                      at_least_64(n));
        }
    }
}

}  // namespace
}  // namespace dve::test
