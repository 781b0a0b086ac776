// Between instructions: initiation interval, hazards, forwarding of the accumulator.
#include <gtest/gtest.h>

#include "tests/lane_program/program_bench.h"

namespace dve::test {
namespace {

constexpr Generation generation = Generation::MARIANA;
const TimingParameters parameters = TimingParameters::for_generation(generation);
constexpr std::uint64_t latency = 96;  // READ 60 + four stages + WRITE 32

/// FP32 x n from SBUF byte `from` to byte `to`.
LaneProgram copy(std::uint32_t n, std::uint32_t from, std::uint32_t to) {
    LaneProgram program = program_of(Opcode::TENSOR_SCALAR_ARITH_OP, n, Place{}, Place{});
    program.src0 = tensor(Space::SBUF, Dtype::FP32, n, from);
    program.dst = tensor(Space::SBUF, Dtype::FP32, n, to);
    return program;
}

class Pipeline {
public:
    InstructionTimes place(const LaneProgram& program, std::uint64_t ready = 0) {
        return schedule_.place(program, instruction_cost(program, generation, parameters), ready,
                               parameters);
    }

private:
    PipelineSchedule schedule_;
};

TEST(Schedule, FirstInstruction) {
    Pipeline pipeline;
    const InstructionTimes times = pipeline.place(copy(100, 0, 0x4000), 7);
    EXPECT_EQ(times.start_cycle, 7U);
    EXPECT_EQ(times.read_done_cycle, 107U);
    EXPECT_EQ(times.end_cycle, 107U + latency);
    EXPECT_EQ(times.hazard_stall, 0U);
}

TEST(Schedule, MinimumInitiationIntervalAndBusyReadStage) {
    Pipeline pipeline;
    EXPECT_EQ(pipeline.place(copy(4, 0, 0x4000)).start_cycle, 0U);
    EXPECT_EQ(pipeline.place(copy(200, 0, 0x4000)).start_cycle, 64U);
    EXPECT_EQ(pipeline.place(copy(4, 0, 0x4000)).start_cycle, 264U);
    EXPECT_EQ(pipeline.place(copy(4, 0, 0x4000), 1000).start_cycle, 1000U);
}

TEST(Schedule, ReadAfterWriteWaitsUntilDrained) {
    Pipeline pipeline;
    const InstructionTimes first = pipeline.place(copy(128, 0, 0x4000));
    const InstructionTimes second = pipeline.place(copy(128, 0x4000, 0x8000));
    EXPECT_EQ(second.start_cycle, first.end_cycle);
    EXPECT_EQ(second.hazard_stall, first.end_cycle - 128);
}

TEST(Schedule, HazardGoesByBoundingRange) {
    // [0x4000, 0x4200) is being written.
    const auto stalls = [](std::uint32_t from, std::uint32_t n) {
        Pipeline pipeline;
        pipeline.place(copy(128, 0, 0x4000));
        return pipeline.place(copy(n, from, 0x8000)).hazard_stall > 0;
    };
    EXPECT_FALSE(stalls(0x3F00, 64));
    EXPECT_TRUE(stalls(0x3F00, 65));
    EXPECT_TRUE(stalls(0x41FC, 1));
    EXPECT_FALSE(stalls(0x4200, 8));
    // A strided write holds the gaps of its bounding range as well.
    Pipeline pipeline;
    LaneProgram strided = copy(16, 0, 0x4000);
    strided.dst = tensor(Space::SBUF, Dtype::FP32, 16, 0x4000, 4);
    pipeline.place(strided);
    EXPECT_GT(pipeline.place(copy(1, 0x4004, 0x8000)).hazard_stall, 0U);
    // Downwards.
    Pipeline downwards;
    strided.dst = tensor(Space::SBUF, Dtype::FP32, 16, 0x4000, -1);
    downwards.place(strided);
    EXPECT_GT(downwards.place(copy(1, 0x4000 - 60, 0x8000)).hazard_stall, 0U);
}

TEST(Schedule, DisjointPartitionsAndSpacesDoNotWait) {
    const auto stall = [](Space space, std::uint8_t write_partition, std::uint8_t read_partition) {
        Pipeline pipeline;
        LaneProgram writer = copy(64, 0, 0x4000);
        writer.channels = 32;
        writer.dst.partition = write_partition;
        pipeline.place(writer);
        LaneProgram reader = copy(64, 0x4000, 0x8000);
        reader.channels = 32;
        reader.src0.partition = read_partition;
        reader.src0.space = space;
        return pipeline.place(reader).hazard_stall;
    };
    EXPECT_GT(stall(Space::SBUF, 32, 32), 0U);
    EXPECT_EQ(stall(Space::SBUF, 32, 64), 0U);
    EXPECT_EQ(stall(Space::SBUF, 32, 0), 0U);
    EXPECT_EQ(stall(Space::PSUM, 32, 32), 0U);
    EXPECT_GT(stall(Space::SBUF, 96, 96), 0U);
}

TEST(Schedule, SecondSourceAndPointerScalarsAreReads) {
    Pipeline second_source;
    second_source.place(copy(64, 0, 0x4000));
    LaneProgram pair =
        program_of(Opcode::SCALAR_TENSOR_TENSOR_ARITH, 64, Place{}, Place{}, Place{});
    pair.src1 = tensor(Space::SBUF, Dtype::FP32, 64, 0x4000);
    EXPECT_EQ(second_source.place(pair).start_cycle, 64 + latency);

    for (const bool second : {false, true}) {
        for (const auto& [byte, waits] : {std::pair<std::uint32_t, bool>{0x40FC, true},
                                          std::pair<std::uint32_t, bool>{0x4100, false}}) {
            Pipeline pipeline;
            pipeline.place(copy(64, 0, 0x4000));
            LaneProgram reader = copy(64, 0x10000, 0x8000);
            ScalarOperand& scalar = second ? reader.scalar1 : reader.scalar0;
            scalar.source = ScalarOperand::Source::POINTER;
            scalar.byte = byte;
            EXPECT_EQ(pipeline.place(reader).start_cycle, waits ? 64 + latency : 64);
        }
    }
}

TEST(Schedule, AnInstructionThatStoresNothingIsNoHazard) {
    Pipeline pipeline;
    LaneProgram accumulate =
        program_of(Opcode::SCALAR_TENSOR_TENSOR_ARITH, 64, Place{}, Place{}, Place{});
    accumulate.dst = tensor(Space::SBUF, Dtype::FP32, 64, 0x4000);
    accumulate.tail = Tail::ACCUMULATE;
    accumulate.store = false;
    pipeline.place(accumulate);
    EXPECT_EQ(pipeline.place(copy(64, 0x4000, 0x8000)).start_cycle, 64U);
}

TEST(Schedule, HazardAgainstAnOlderWrite) {
    Pipeline pipeline;
    const InstructionTimes first = pipeline.place(copy(16, 0, 0x4000));
    EXPECT_EQ(pipeline.place(copy(16, 0, 0x6000)).start_cycle, 64U);
    EXPECT_EQ(first.end_cycle, 112U);
    EXPECT_EQ(pipeline.place(copy(16, 0x4000, 0x8000)).start_cycle, 128U);  // drained by then
    Pipeline longer;
    longer.place(copy(16, 0, 0x4000));                                   // ends at 112
    const InstructionTimes second = longer.place(copy(400, 0, 0x6000));  // 64 .. 464 .. 560
    EXPECT_EQ(longer.place(copy(16, 0x6000, 0x4000)).start_cycle, second.end_cycle);
}

// Published: about 100 cycles between small instructions that depend on each other.
TEST(Schedule, DependentSmallInstructions) {
    for (const std::uint32_t n : {1U, 4U, 8U}) {
        Pipeline pipeline;
        std::uint64_t previous = pipeline.place(copy(n, 0, 0x4000)).start_cycle;
        for (unsigned i = 0; i < 4; ++i) {
            const std::uint64_t start = pipeline.place(copy(n, 0x4000, 0x4000)).start_cycle;
            EXPECT_GE(start - previous, 95U);
            EXPECT_LE(start - previous, 105U);
            previous = start;
        }
    }
}

TEST(Schedule, AccumulatorIsForwarded) {
    Pipeline pipeline;
    LaneProgram accumulate =
        program_of(Opcode::SCALAR_TENSOR_TENSOR_ARITH, 16, Place{}, Place{}, Place{});
    accumulate.tail = Tail::ACCUMULATE;
    accumulate.store = false;
    pipeline.place(accumulate);
    const InstructionTimes read = pipeline.place(read_accumulator());
    EXPECT_EQ(read.start_cycle, 64U);
    EXPECT_EQ(read.hazard_stall, 0U);
    EXPECT_EQ(read.end_cycle, 64U + 64 + 33);
}

TEST(Schedule, DrainedIsTheLatestEndAndResetForgets) {
    PipelineSchedule schedule;
    const LaneProgram longest = copy(500, 0, 0x4000);
    const InstructionCost cost = instruction_cost(longest, generation, parameters);
    EXPECT_EQ(schedule.drained(), 0U);
    const InstructionTimes times = schedule.place(longest, cost, 10, parameters);
    EXPECT_EQ(schedule.drained(), times.end_cycle);
    EXPECT_EQ(schedule.last_start(), 10U);
    schedule.reset();
    EXPECT_EQ(schedule.drained(), 0U);
    EXPECT_EQ(schedule.place(copy(4, 0x4000, 0), cost, 0, parameters).start_cycle, 0U);
}

}  // namespace
}  // namespace dve::test
