// Ports, packing, streams and recurrences, one demand at a time (timing 1).
#include <gtest/gtest.h>

#include "tests/lane_program/program_bench.h"

namespace dve::test {
namespace {

constexpr std::uint32_t n = 1200;
constexpr Generation cayman_on[] = {Generation::CAYMAN, Generation::MARIANA,
                                    Generation::MARIANA_PLUS, Generation::MAVERICK};

constexpr Place sbuf_of(Dtype dtype, std::int64_t step = 1) { return {Space::SBUF, dtype, step}; }
constexpr Place psum_of(Dtype dtype) { return {Space::PSUM, dtype, 1}; }

TEST(Ports, EightBitFloatsPackFromMarianaOn) {
    for (const Dtype dtype : {Dtype::FP8_EXP3, Dtype::FP8_EXP4, Dtype::FP8_EXP5}) {
        const LaneProgram scalar =
            program_of(Opcode::TENSOR_SCALAR_ARITH_OP, n, sbuf_of(dtype), sbuf_of(Dtype::BF16));
        const LaneProgram pair = program_of(Opcode::TENSOR_TENSOR_ARITH_OP, n, sbuf_of(dtype),
                                            sbuf_of(Dtype::FP16), sbuf_of(dtype));
        EXPECT_EQ(beats(scalar, Generation::CAYMAN), n);
        EXPECT_EQ(beats(pair, Generation::CAYMAN), n);
        for (const Generation generation :
             {Generation::MARIANA, Generation::MARIANA_PLUS, Generation::MAVERICK}) {
            EXPECT_EQ(beats(scalar, generation), n / 4);
            EXPECT_EQ(beats(pair, generation), n * 3 / 8);  // 1 + 2 bytes of 8
        }
    }
}

TEST(Ports, IntegersNeverPack) {
    for (const Generation generation : cayman_on) {
        for (const Dtype dtype : {Dtype::INT16, Dtype::UINT16, Dtype::INT8, Dtype::UINT8}) {
            const LaneProgram program =
                program_of(Opcode::TENSOR_SCALAR_ARITH_OP, n, sbuf_of(dtype), sbuf_of(dtype));
            EXPECT_FALSE(is_packed(program, generation));
            EXPECT_EQ(beats(program, generation), n);
        }
    }
}

TEST(Ports, OnlyTheListedOpcodesPack) {
    const Place bf16 = sbuf_of(Dtype::BF16);
    for (const Generation generation : cayman_on) {
        EXPECT_FALSE(
            is_packed(program_of(Opcode::TENSOR_SCALAR_PTR_ARITH_OP, n, bf16, bf16), generation));
        EXPECT_FALSE(
            is_packed(program_of(Opcode::TENSOR_SCALAR_BITVEC_OP, n, bf16, bf16), generation));
        EXPECT_FALSE(is_packed(program_of(Opcode::SCALAR_TENSOR_TENSOR_ARITH, n, bf16, bf16, bf16),
                               generation));
        EXPECT_TRUE(is_packed(program_of(Opcode::TRANSPOSE_TENSOR_SCALAR_ARITH_OP, n, bf16, bf16),
                              generation));
    }
}

TEST(Ports, ExponentialPacksEvenInnerCounts) {
    const auto packed = [](Generation generation, Dtype dtype, std::uint32_t elements,
                           std::int64_t step) {
        return is_packed(
            program_of(Opcode::EXPONENTIAL, elements, sbuf_of(dtype, step), sbuf_of(Dtype::BF16)),
            generation);
    };
    EXPECT_TRUE(packed(Generation::MARIANA, Dtype::BF16, 64, 1));
    EXPECT_TRUE(packed(Generation::MAVERICK, Dtype::FP8_EXP4, 64, 1));
    EXPECT_FALSE(packed(Generation::MARIANA, Dtype::FP32, 64, 1));
    EXPECT_FALSE(packed(Generation::MARIANA, Dtype::BF16, 63, 1));
    EXPECT_FALSE(packed(Generation::MARIANA, Dtype::BF16, 1, 1));
    EXPECT_FALSE(packed(Generation::MARIANA, Dtype::BF16, 64, 2));
    EXPECT_FALSE(packed(Generation::CAYMAN, Dtype::BF16, 64, 1));
}

// S3S3D3 reads an SBUF and a PSUM source in the same cycle; S2S2D2 takes them in turn.
TEST(Ports, StreamsOfTheTwoLayouts) {
    const Place fp32 = sbuf_of(Dtype::FP32);
    const auto two_streams = [&](Place src0, Place src1) {
        return program_of(Opcode::TENSOR_TENSOR_ARITH_OP, n, src0, src1, fp32);
    };
    const auto one_stream = [&](Place src0, Place src1) {
        return program_of(Opcode::SCALAR_TENSOR_TENSOR_ARITH, n, src0, src1, fp32);
    };
    EXPECT_EQ(beats(two_streams(fp32, psum_of(Dtype::FP32)), Generation::SUNDA), n);
    EXPECT_EQ(beats(one_stream(fp32, psum_of(Dtype::FP32)), Generation::SUNDA), 2 * n);
    EXPECT_EQ(beats(two_streams(fp32, fp32), Generation::SUNDA), 2 * n);
    for (const Generation generation : cayman_on) {
        EXPECT_EQ(beats(two_streams(fp32, psum_of(Dtype::FP32)), generation), n);
        EXPECT_EQ(beats(one_stream(fp32, psum_of(Dtype::FP32)), generation), n);
        EXPECT_EQ(beats(two_streams(psum_of(Dtype::FP32), psum_of(Dtype::FP32)), generation),
                  2 * n);
    }
}

TEST(Ports, StridedAccesses) {
    const auto strided = [](std::int64_t step) {
        return program_of(Opcode::SCALAR_TENSOR_TENSOR_ARITH, n, sbuf_of(Dtype::FP32, step),
                          sbuf_of(Dtype::FP32, step), sbuf_of(Dtype::FP32));
    };
    EXPECT_EQ(beats(strided(7), Generation::SUNDA), 2 * n);
    EXPECT_EQ(beats(strided(0), Generation::MARIANA), n);
    // A single element has no step.
    const LaneProgram single = program_of(Opcode::TENSOR_SCALAR_ARITH_OP, 1,
                                          sbuf_of(Dtype::BF16, 5), sbuf_of(Dtype::BF16));
    EXPECT_EQ(beats(single, Generation::MARIANA), 1U);
}

TEST(Ports, WidthParametersRule) {
    TimingParameters parameters = TimingParameters::for_generation(Generation::MARIANA);
    const LaneProgram program =
        program_of(Opcode::TENSOR_SCALAR_ARITH_OP, n, sbuf_of(Dtype::FP32), sbuf_of(Dtype::FP32));
    const auto cost = [&] {
        return instruction_cost(program, Generation::MARIANA, parameters).beats;
    };
    EXPECT_EQ(cost(), n);
    parameters.alu_width_unpacked = 2;  // 256 elements a cycle over 128 lanes
    EXPECT_EQ(cost(), n / 2);
    parameters.sbuf_write_bytes = 2;
    EXPECT_EQ(cost(), 2 * n);
    parameters.sbuf_read_bytes = 1;
    EXPECT_EQ(cost(), 4 * n);
}

TEST(Recurrences, ScansByOrderAndRecurrence) {
    for (const Generation generation : cayman_on) {
        EXPECT_EQ(beats(scan_of(n, ScanRecurrence::COMBINE_PREFIX, ScanOrder::ROTATE_COMBINE),
                        generation),
                  n);
        EXPECT_EQ(
            beats(scan_of(n, ScanRecurrence::COMBINE_PREFIX, ScanOrder::SEQUENTIAL), generation),
            n);
        EXPECT_EQ(beats(scan_of(n, ScanRecurrence::CARRIED, ScanOrder::ROTATE_COMBINE), generation),
                  n);
        EXPECT_EQ(beats(scan_of(n, ScanRecurrence::CARRIED, ScanOrder::SEQUENTIAL), generation),
                  2 * n);
    }
    TimingParameters slow = TimingParameters::for_generation(Generation::MARIANA);
    slow.scan_latency = 3;
    EXPECT_EQ(instruction_cost(scan_of(n, ScanRecurrence::COMBINE_PREFIX, ScanOrder::SEQUENTIAL),
                               Generation::MARIANA, slow)
                  .beats,
              3 * n);
}

// A pair without a composition runs sequentially under either order, and costs as much.
TEST(Recurrences, PairsWithoutCompositionCostTheSequentialScan) {
    for (const Generation generation : cayman_on) {
        LaneProgram scan = scan_of(n, ScanRecurrence::CARRIED, ScanOrder::ROTATE_COMBINE);
        scan.elementwise.stage0.op = AluOp::SUBTRACT;
        scan.elementwise.stage1.op = AluOp::MULT;
        EXPECT_EQ(beats(scan, generation), 2 * n);
        scan.recurrence = ScanRecurrence::COMBINE_PREFIX;  // the pair is elementwise there
        EXPECT_EQ(beats(scan, generation), n);
    }
}

TEST(Recurrences, LatencyThroughTheStages) {
    const TimingParameters parameters = TimingParameters::for_generation(Generation::MARIANA);
    const auto latency = [&](const LaneProgram& program) {
        return instruction_cost(program, Generation::MARIANA, parameters).latency;
    };
    // READ 60, CVT_IN 1, ALU0 1, ALU1 1, CVT_OUT 1, WRITE 32.
    EXPECT_EQ(latency(program_of(Opcode::TENSOR_SCALAR_ARITH_OP, n, Place{}, Place{})), 96U);
    // and four passes and a carry.
    EXPECT_EQ(latency(scan_of(n, ScanRecurrence::COMBINE_PREFIX, ScanOrder::ROTATE_COMBINE)), 101U);
    EXPECT_EQ(latency(scan_of(n, ScanRecurrence::COMBINE_PREFIX, ScanOrder::SEQUENTIAL)), 97U);
    EXPECT_EQ(latency(scan_of(n, ScanRecurrence::CARRIED, ScanOrder::SEQUENTIAL)), 96U);
    // The accumulator is read without a READ or ALU stage.
    EXPECT_EQ(latency(read_accumulator()), 33U);
    EXPECT_EQ(beats(read_accumulator(), Generation::MARIANA), 64U);
}

}  // namespace
}  // namespace dve::test
