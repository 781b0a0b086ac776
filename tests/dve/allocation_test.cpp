// Building and executing an instruction allocates nothing once its sizes have been seen.
#include <gtest/gtest.h>

#include "models/dve/loose_executor.h"
#include "models/lane_program/timing.h"
#include "models/workers/workers.h"
#include "tests/dve/random_instruction.h"
#include "tests/support/counted_new.h"

namespace dve::test {
namespace {

struct Prepared {
    Record record;
    std::array<std::uint32_t, 64> registers;
    const OpcodeRow* opcode;
    const Worker* worker;
};

class Allocation : public testing::TestWithParam<ScanRecurrence> {};
INSTANTIATE_TEST_SUITE_P(Recurrences, Allocation,
                         testing::Values(ScanRecurrence::COMBINE_PREFIX, ScanRecurrence::CARRIED));

TEST_P(Allocation, NoneInSteadyState) {
    constexpr Generation generation = Generation::MARIANA;
    const IsaConfiguration isa = IsaConfiguration::for_generation(generation);
    const TimingParameters timing = TimingParameters::for_generation(generation);
    Semantics semantics;
    semantics.scan_recurrence = GetParam();
    Memories memories;
    InstructionSource source(3);
    memories.fill(source.engine());
    LooseExecutor executor;
    constexpr auto stride = static_cast<std::ptrdiff_t>(Memories::row_bytes);
    executor.set_memories({memories.at(Space::SBUF, 0, 0), stride},
                          {memories.at(Space::PSUM, 0, 0), stride});

    std::vector<Prepared> prepared(300);
    for (Prepared& entry : prepared) {
        const Instruction instruction = source.next(generation);
        entry.record = encode(instruction, generation, entry.registers);
        entry.opcode = find_opcode(instruction.opcode);
        entry.worker = FirmwareWorkers().find(
            generation, find_worker(entry.opcode->worker)->address(generation));
    }
    bool staged = false;
    PipelineSchedule schedule;
    const auto run_all = [&] {
        for (const Prepared& entry : prepared) {
            LaneProgram program;
            if (entry.worker->build(
                    {entry.record, *entry.opcode, entry.registers.data(), isa, semantics, 0x04},
                    program)) {
                return false;
            }
            staged |= executor.execute(program, semantics.numbers).partial_overlap;
            schedule.place(program, instruction_cost(program, generation, timing), 0, timing);
        }
        return true;
    };
    ASSERT_TRUE(run_all());
    const std::size_t before = allocation_count();
    EXPECT_GT(before, 0U);
    EXPECT_TRUE(run_all());
    EXPECT_EQ(allocation_count(), before);
    EXPECT_TRUE(staged);
}

}  // namespace
}  // namespace dve::test
