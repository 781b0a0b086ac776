// Performance counters against sums over the retire stream, their latch, and the event windows.
#include <gtest/gtest.h>

#include <set>

#include "tests/engine/device_bench.h"
#include "tests/support/random_record.h"

namespace dve::test {
namespace {

class Counters : public testing::TestWithParam<TimingMode> {
protected:
    DeviceBench bench{GetParam()};
};

TEST_P(Counters, AreTheSumsOfTheRun) {
    bench.open_notifications(64);
    RandomRecords random(21, bench.engine.configuration().isa);
    unsigned ended = 0;
    for (unsigned number = 0; number < 30; ++number) {
        const std::vector<Record> program = random.program(6);
        for (unsigned i = 0; i < 64; ++i) {
            bench.write_csr(csr::registers_window + 4 * i, random.registers()[i]);
        }
        for (unsigned i = 0; i < 256; ++i) {
            bench.set_semaphore(i, 0);
        }
        bench.write_csr(csr::NOTIFICATION_ENTRIES, 64);
        bench.run(program);
        ASSERT_FALSE(bench.running());
        ended += bench.halted() ? 1 : 0;
        std::uint64_t elements = 0;
        std::uint64_t notifications = bench.faulted() ? 1 : 0;
        std::set<std::uint64_t> busy;
        StallCycles stalls{};
        for (const RetireRecord& record : bench.retired_records) {
            elements += record.elements * record.channels;
            notifications += record.opcode->value() == 0xA6 ? 1 : 0;
            for (std::size_t cause = 0; cause < stalls.size(); ++cause) {
                stalls[cause] += record.stalls[cause];
            }
            for (std::uint64_t cycle = record.start_cycle;
                 !record.opcode->is_control() && cycle < record.end_cycle; ++cycle) {
                busy.insert(cycle);
            }
        }
        EXPECT_EQ(bench.read_counter(csr::INSTRUCTIONS_LO), bench.retired_records.size());
        EXPECT_EQ(bench.read_counter(csr::FETCHED_LO),
                  bench.retired_records.size() + (bench.faulted() ? 1 : 0));
        EXPECT_EQ(bench.read_counter(csr::ELEMENTS_LO), elements);
        EXPECT_EQ(bench.read_counter(csr::BUSY_LO), busy.size());
        EXPECT_EQ(bench.read_counter(csr::NOTIFICATIONS_LO), notifications);
        EXPECT_EQ(bench.read_counter(csr::CYCLES_LO), bench.engine.sequencer().total_cycles());
        // PORT, BANK, HAZARD, SEMAPHORE, FETCH in the order of the rows.
        for (std::uint32_t cause = 0; cause < 5; ++cause) {
            EXPECT_EQ(bench.read_counter(csr::STALL_PORT_LO + 8 * cause), stalls[cause]) << cause;
        }
    }
    EXPECT_GT(ended, 15U);
}

TEST_P(Counters, CountWhileTheEngineRuns) {
    bench.begin({legal_record(0x43), with_wait(nop(), 0x05, 1, 1)});
    sc_core::sc_start(bench.cycles(1000));
    ASSERT_TRUE(bench.running());
    EXPECT_EQ(bench.read_counter(csr::CYCLES_LO), 1000U);
    EXPECT_EQ(bench.read_counter(csr::INSTRUCTIONS_LO), 1U);
    EXPECT_EQ(bench.read_counter(csr::BUSY_LO), 64U + 96);
    sc_core::sc_start(bench.cycles(500));
    EXPECT_EQ(bench.read_counter(csr::CYCLES_LO), 1500U);
    bench.set_semaphore(1, 1);
    sc_core::sc_start();
    EXPECT_EQ(bench.read_counter(csr::CYCLES_LO), 1501U);
    EXPECT_EQ(bench.read_counter(csr::STALL_SEMAPHORE_LO), 1500U - 3);
    bench.run({nop()});
    EXPECT_EQ(bench.read_counter(csr::CYCLES_LO), 3U);  // each run counts from 0
    EXPECT_EQ(bench.read_counter(csr::STALL_SEMAPHORE_LO), 0U);
}

TEST_P(Counters, ReadingTheLowWordKeepsTheHighOne) {
    bench.begin({with_wait(nop(), 0x05, 1, 1)});
    const double wrap = 4294967296.0;
    sc_core::sc_start(bench.cycles(wrap - 1));
    EXPECT_EQ(bench.read_csr(csr::CYCLES_LO), 0xFFFFFFFFU);
    sc_core::sc_start(bench.cycles(3));
    EXPECT_EQ(bench.read_csr(csr::CYCLES_HI), 0U);
    std::uint32_t word = 0;
    auto* bytes = reinterpret_cast<std::uint8_t*>(&word);
    bench.csr.debug(tlm::TLM_READ_COMMAND, csr::CYCLES_LO, bytes, 4);
    EXPECT_EQ(word, 2U);
    EXPECT_EQ(bench.read_csr(csr::CYCLES_HI), 0U) << "a debug read must not latch";
    EXPECT_EQ(bench.read_csr(csr::CYCLES_LO), 2U);
    EXPECT_EQ(bench.read_csr(csr::CYCLES_HI), 1U);
    EXPECT_EQ(bench.write_status(csr::CYCLES_LO, 0), tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(bench.write_status(csr::CYCLES_HI, 0), tlm::TLM_COMMAND_ERROR_RESPONSE);
}

TEST_P(Counters, EventWindowsSetClearAndWake) {
    elaborate();
    EXPECT_EQ(bench.write_status(csr::event_read, 1), tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(bench.read_status(csr::event_set), tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(bench.read_status(csr::event_clear), tlm::TLM_COMMAND_ERROR_RESPONSE);
    bench.write_csr(csr::event_set + 4 * 255, 0);
    EXPECT_EQ(bench.read_csr(csr::event_read + 4 * 255), 1U);
    EXPECT_EQ(bench.read_csr(csr::event_read + 4 * 254), 0U);
    // Set-then-clear takes the event; then clear-then-set waits until somebody clears it.
    bench.run(
        {with_wait(nop(), 0x07, 7, 0), with_update(nop(), 0x01, 8), with_wait(nop(), 0x0F, 8, 0)});
    ASSERT_TRUE(bench.running());
    bench.write_csr(csr::event_set + 4 * 7, 1);
    sc_core::sc_start();
    ASSERT_TRUE(bench.running());
    EXPECT_EQ(bench.read_csr(csr::event_read + 4 * 7), 0U);
    EXPECT_EQ(bench.read_csr(csr::event_read + 4 * 8), 1U);
    bench.write_csr(csr::event_clear + 4 * 8, 1);
    sc_core::sc_start();
    ASSERT_TRUE(bench.halted());
    EXPECT_EQ(bench.read_csr(csr::event_read + 4 * 8), 1U);
}

INSTANTIATE_TEST_SUITE_P(Modes, Counters, both_modes(), mode_label);

}  // namespace
}  // namespace dve::test
