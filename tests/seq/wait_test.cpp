// Wait modes, one by one (isa_wire_format 1.3).
#include <gtest/gtest.h>

#include "tests/support/engine_bench.h"

namespace dve::test {
namespace {

constexpr std::uint32_t values[] = {0, 1, 2, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF};

/// The five compares, unsigned (D-02).
bool holds(unsigned compare, std::uint32_t semaphore, std::uint32_t value) {
    switch (compare) {
        case 1: return semaphore == value;
        case 2: return semaphore < value;
        case 3: return semaphore <= value;
        case 4: return semaphore > value;
        default: return semaphore >= value;
    }
}

TEST(Synchronisation, CompareModesOfBothOperandForms) {
    Synchronisation state;
    for (unsigned compare = 1; compare <= 5; ++compare) {
        for (const std::uint32_t semaphore : values) {
            state.set_semaphore(255, semaphore);
            for (const std::uint32_t value : values) {
                const bool expected = holds(compare, semaphore, value);
                EXPECT_EQ(state.satisfied(static_cast<WaitMode>(compare), 255, value), expected);
                EXPECT_EQ(state.satisfied(static_cast<WaitMode>(0x80 | compare), 255, value),
                          expected);
            }
        }
    }
}

TEST(Synchronisation, EventModes) {
    Synchronisation state;
    for (const bool before : {false, true}) {
        for (const auto& [mode, wants_set, after] :
             {std::tuple{0x06, true, true}, std::tuple{0x07, true, false},
              std::tuple{0x0E, false, false}, std::tuple{0x0F, false, true}}) {
            state.set_event(200, before);
            const auto wait = static_cast<WaitMode>(mode);
            ASSERT_EQ(state.satisfied(wait, 200, 0), before == wants_set) << mode;
            if (before == wants_set) {
                state.consume(wait, 200);
                EXPECT_EQ(state.event(200), after) << mode;
                state.restore(wait, 200);
                EXPECT_EQ(state.event(200), before) << mode;
            }
        }
    }
    EXPECT_TRUE(state.satisfied(WaitMode::NONE, 0, 0));
    EXPECT_TRUE(state.satisfied(WaitMode::UNORDERED, 0, 0));
}

// Each compare in a program: runs through if it holds, else stays at the record until the host
// writes a value for which it does.
TEST(Wait, SemaphoreCompares) {
    EngineBench bench(Generation::MARIANA);
    unsigned blocked = 0;
    for (const std::uint8_t form : {0x00, 0x80}) {
        for (std::uint8_t compare = 1; compare <= 5; ++compare) {
            for (const std::uint32_t semaphore : {0U, 5U, 6U, 0x80000000U, 0xFFFFFFFFU}) {
                constexpr std::uint32_t threshold = 5;
                const std::vector<Record> program = {
                    move_immediate(17, threshold), move_immediate(1, 0),
                    with_wait(nop(), form | compare, 77, form != 0 ? 17 : threshold),
                    move_immediate(1, 0xBEEF)};
                elaborate();
                bench.set_semaphore(77, semaphore);
                bench.run(program);
                const bool expected = holds(compare, semaphore, threshold);
                ASSERT_EQ(bench.halted(), expected) << int{compare} << ' ' << semaphore;
                if (!expected) {
                    ++blocked;
                    EXPECT_TRUE(bench.running());
                    EXPECT_EQ(bench.engine.sequencer().waiting_record(), 2U);
                    EXPECT_EQ(bench.reg(1), 0U);
                    // 4, 5 or 6 satisfies: each compare holds for one of them.
                    bench.set_semaphore(77, compare == 2 ? 4 : compare == 4 ? 6 : 5);
                    sc_core::sc_start();
                }
                EXPECT_TRUE(bench.halted());
                EXPECT_FALSE(bench.engine.sequencer().waiting_record());
                EXPECT_EQ(bench.reg(1), 0xBEEFU);
            }
        }
    }
    EXPECT_EQ(blocked, 2U * (4 + 4 + 3 + 2 + 1));
}

TEST(Wait, NoneAndUnorderedDoNotWait) {
    EngineBench bench(Generation::MARIANA);
    bench.run({with_wait(nop(), 0x00, 9, 7), with_wait(nop(), 0xFE, 9, 7)});
    EXPECT_TRUE(bench.halted());
    EXPECT_EQ(bench.retired_records.size(), 2U);
}

TEST(Wait, SatisfiedEventsAndTheirSideEffects) {
    EngineBench bench(Generation::MARIANA);
    bench.run({with_update(nop(), 0x01, 1), with_update(nop(), 0x01, 2),
               with_wait(nop(), 0x06, 1, 0), with_wait(nop(), 0x07, 2, 0),
               with_wait(nop(), 0x0E, 3, 0), with_wait(nop(), 0x0F, 4, 0)});
    ASSERT_TRUE(bench.halted());
    EXPECT_TRUE(bench.event(1));
    EXPECT_FALSE(bench.event(2));
    EXPECT_FALSE(bench.event(3));
    EXPECT_TRUE(bench.event(4));
}

class BlockedEvent : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Modes, BlockedEvent, testing::Values(0x06, 0x07, 0x0E, 0x0F));

TEST_P(BlockedEvent, StaysVisibleAndChangesNothing) {
    const bool wants_set = GetParam() < 0x08;
    EngineBench bench(Generation::CAYMAN);
    std::vector<Record> program(2, nop());
    if (!wants_set) {
        program[1] = with_update(nop(), 0x11, 8);
    }
    program.push_back(with_wait(nop(), static_cast<std::uint8_t>(GetParam()), 8, 0));
    program.push_back(move_immediate(0, 1));
    bench.run(program);
    EXPECT_TRUE(bench.running());
    EXPECT_EQ(bench.engine.sequencer().waiting_record(), 2U);
    EXPECT_EQ(bench.event(8), !wants_set);
    EXPECT_EQ(bench.reg(0), 0U);
    EXPECT_EQ(bench.read_csr(0x0008), 1U);  // run state: running
}

// Values by the windows for set, increment and decrement (isa_wire_format 1.3).
TEST(Wait, HostWindowsWakeAWaitingRecord) {
    EngineBench bench(Generation::MARIANA);
    elaborate();
    bench.run({with_wait(nop(), 0x05, 12, 3)});
    EXPECT_TRUE(bench.running());
    for (unsigned i = 0; i < 2; ++i) {
        bench.write_csr(EngineBench::semaphore_increment + 4 * 12, 1);
        sc_core::sc_start();
        EXPECT_TRUE(bench.running());
    }
    bench.write_csr(EngineBench::semaphore_increment + 4 * 12, 1);
    sc_core::sc_start();
    EXPECT_TRUE(bench.halted());
    EXPECT_EQ(bench.semaphore(12), 3U);

    bench.run({with_wait(nop(), 0x01, 12, 1)});
    EXPECT_TRUE(bench.running());
    bench.write_csr(EngineBench::semaphore_decrement + 4 * 12, 2);
    sc_core::sc_start();
    EXPECT_TRUE(bench.halted());
}

// The wait ends at the time of the write, rounded up to a cycle, and is counted as a stall.
TEST(Wait, StallIsCountedInCycles) {
    EngineBench bench(Generation::MARIANA);
    bench.begin({with_wait(nop(), 0x05, 12, 1), nop()});
    sc_core::sc_start(1, sc_core::SC_US);
    bench.set_semaphore(12, 1);
    sc_core::sc_start();
    ASSERT_TRUE(bench.halted());
    const RetireRecord& waited = bench.retired_records[0];
    EXPECT_NEAR(static_cast<double>(waited.issue_cycle), 1200, 1);  // 1.2 GHz
    const auto cause = static_cast<std::size_t>(StallCause::SEMAPHORE);
    EXPECT_EQ(waited.stalls[cause], waited.issue_cycle - 2);
    EXPECT_EQ(bench.retired_records[1].stalls[cause], 0U);
}

}  // namespace
}  // namespace dve::test
