// Notifications: 16-byte entries in system memory, read with a parser of their own.
#include <gtest/gtest.h>

#include "tests/engine/device_bench.h"

namespace dve::test {
namespace {

constexpr std::uint32_t notification = 1U << 3;
constexpr std::uint32_t lost = 1U << 4;

class Notifications : public testing::TestWithParam<TimingMode> {
protected:
    DeviceBench bench{GetParam()};

    unsigned type(unsigned index) { return bench.entry(index)[3] & 0x1FU; }
    bool full_ring(unsigned index) { return (bench.entry(index)[3] & 0x20U) != 0; }
    bool memory_refused(unsigned index) { return (bench.entry(index)[3] & 0x40U) != 0; }
    bool phase(unsigned index) { return (bench.entry(index)[3] & 0x80U) != 0; }
};

TEST_P(Notifications, NotifyPostsTheProgramCounter) {
    bench.open_notifications(4);
    bench.run({nop(), with_update(notify(), 0x03, 9), halt()});
    ASSERT_TRUE(bench.halted());
    EXPECT_EQ(bench.entry(0)[0], 0xA6);
    EXPECT_EQ(bench.entry_word<std::uint16_t>(0, 1), 0U);
    EXPECT_EQ(type(0), 1U);
    EXPECT_TRUE(phase(0));
    EXPECT_FALSE(full_ring(0) || memory_refused(0));
    EXPECT_EQ(bench.entry_word<std::uint32_t>(0, 4), 0x440U);
    EXPECT_EQ(bench.entry_word<std::uint64_t>(0, 8), 3U);  // fetched in 1, decoded in 2
    EXPECT_EQ(bench.entry_word<std::uint64_t>(1, 8), 0U);
    EXPECT_EQ(bench.read_csr(csr::NOTIFICATION_TAIL), 1U);
    EXPECT_EQ(bench.read_counter(csr::NOTIFICATIONS_LO), 1U);
    EXPECT_TRUE(bench.cause(notification));
    EXPECT_TRUE(bench.log.has("S: NOTIFY"));
    EXPECT_EQ(bench.semaphore(9), 1U);
    EXPECT_EQ(bench.retired_records.at(1).end_cycle, 4U);
}

TEST_P(Notifications, WithoutARingNothingIsWrittenOrLost) {
    bench.run({notify()});
    EXPECT_TRUE(bench.halted());
    EXPECT_EQ(bench.read_csr(csr::NOTIFICATIONS_LOST), 0U);
    EXPECT_EQ(bench.read_csr(csr::INTERRUPT), 1U);
}

TEST_P(Notifications, FaultsArePosted) {
    bench.open_notifications(4);
    bench.run({nop(), nop(), legal_record(0x45)});
    ASSERT_TRUE(bench.faulted());
    EXPECT_EQ(bench.entry(0)[0], 0x0A);
    EXPECT_EQ(bench.entry_word<std::uint16_t>(0, 1), 0x40U);
    EXPECT_EQ(type(0), 0x1FU);
    EXPECT_EQ(bench.entry_word<std::uint32_t>(0, 4), 2U << 4 | 0x45U << 16);
    EXPECT_EQ(bench.read_csr(csr::INTERRUPT), 1U | 1U << 1 | notification);
    bench.run({legal_record(0x06)});  // no opcode
    ASSERT_TRUE(bench.faulted());
    EXPECT_EQ(bench.entry_word<std::uint16_t>(1, 1), 0x00U);
    EXPECT_EQ(bench.entry_word<std::uint32_t>(1, 4), 0x06U << 16);
}

TEST_P(Notifications, AFullRingDropsTheNewOnesAndSaysSo) {
    bench.open_notifications(3);
    bench.run({notify(), notify(), notify(), notify()});
    ASSERT_TRUE(bench.halted());
    EXPECT_EQ(bench.read_csr(csr::NOTIFICATION_TAIL), 2U);
    EXPECT_EQ(bench.read_csr(csr::NOTIFICATIONS_LOST), 2U);
    EXPECT_EQ(bench.read_counter(csr::NOTIFICATIONS_LO), 2U);
    EXPECT_TRUE(bench.cause(lost));
    EXPECT_EQ(bench.entry_word<std::uint32_t>(1, 4), 0x440U);
    EXPECT_EQ(bench.entry_word<std::uint64_t>(2, 0), 0U);
    bench.write_csr(csr::NOTIFICATION_HEAD, 2);
    bench.run({notify(), notify()});
    EXPECT_TRUE(full_ring(2) && phase(2));
    EXPECT_FALSE(full_ring(0) || phase(0));  // the second pass
    EXPECT_EQ(bench.entry_word<std::uint32_t>(0, 4), 0x440U);
    EXPECT_EQ(bench.read_csr(csr::NOTIFICATION_TAIL), 1U);
    EXPECT_EQ(bench.read_csr(csr::NOTIFICATIONS_LOST), 2U);
}

TEST_P(Notifications, AMemoryThatRefusesIsSaidToo) {
    bench.open_notifications(4, 0x100000);
    bench.run({notify()});
    ASSERT_TRUE(bench.halted());
    EXPECT_EQ(bench.read_csr(csr::NOTIFICATIONS_LOST), 1U);
    EXPECT_TRUE(bench.cause(lost));
    EXPECT_FALSE(bench.cause(notification));
    EXPECT_EQ(bench.read_csr(csr::NOTIFICATION_TAIL), 0U);
    bench.write_csr(csr::NOTIFICATION_BASE_LO, DeviceBench::notifications_at);
    bench.run({notify(), notify()});
    EXPECT_TRUE(memory_refused(0));
    EXPECT_FALSE(full_ring(0) || memory_refused(1));
}

TEST_P(Notifications, TheThresholdCountsUnreadEntries) {
    bench.open_notifications(8);
    bench.write_csr(csr::NOTIFICATION_THRESHOLD, 3);
    bench.run({notify(), notify()});
    EXPECT_FALSE(bench.cause(notification));
    bench.write_csr(csr::NOTIFICATION_HEAD, 1);
    bench.run({notify()});
    EXPECT_FALSE(bench.cause(notification));
    bench.run({notify()});
    EXPECT_TRUE(bench.cause(notification));
}

TEST_P(Notifications, IllegalPlacesSizesAndHeadsAreRefused) {
    bench.open_notifications(4);
    EXPECT_EQ(bench.write_status(csr::NOTIFICATION_BASE_LO, 0x2008),
              tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(bench.read_csr(csr::NOTIFICATION_BASE_LO), DeviceBench::notifications_at + 0U);
    EXPECT_EQ(bench.write_status(csr::NOTIFICATION_ENTRIES, 1), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(bench.write_status(csr::NOTIFICATION_ENTRIES, (1U << 24) + 1),
              tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(bench.read_csr(csr::NOTIFICATION_ENTRIES), 4U);
    bench.run({notify(), notify()});
    EXPECT_EQ(bench.write_status(csr::NOTIFICATION_HEAD, 3), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(bench.write_status(csr::NOTIFICATION_HEAD, 4), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(bench.write_status(csr::NOTIFICATION_HEAD, 2), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bench.write_status(csr::NOTIFICATION_TAIL, 0), tlm::TLM_COMMAND_ERROR_RESPONSE);
}

// A host must not see an entry before its time, however far the loosely-timed run is ahead.
TEST_P(Notifications, NothingIsEarly) {
    bench.open_notifications(4);
    bench.write_csr(csr::INTERRUPT_ENABLE, notification);
    bench.begin({legal_record(0x43), drain(), notify(), drain()});
    const double drained = 3 + 64 + 96;  // as in Control.DrainWaitsForEveryWrite
    sc_core::sc_start(bench.cycles(drained));
    EXPECT_EQ(bench.read_csr(csr::NOTIFICATION_TAIL), 0U);
    EXPECT_FALSE(bench.irq.read());
    sc_core::sc_start(bench.cycles(2));
    EXPECT_EQ(bench.read_csr(csr::NOTIFICATION_TAIL), 1U);
    EXPECT_TRUE(bench.irq.read());
    EXPECT_EQ(bench.entry_word<std::uint64_t>(0, 8), static_cast<std::uint64_t>(drained) + 1);
}

// What the host changes behind a flush, while the engine waits before it, is seen.
TEST_P(Notifications, InstructionFlushRefetches) {
    for (const bool flushes : {true, false}) {
        bench.begin({with_wait(nop(), 0x05, 1, 1),
                     flushes ? make_record(Opcode::INSTRUCTION_FLUSH) : nop(),
                     move_immediate(1, 11), halt()});
        sc_core::sc_start(bench.cycles(100));
        ASSERT_TRUE(bench.running());
        const Record changed = move_immediate(1, 22);
        std::memcpy(bench.system.bytes().data() + EngineBench::program_base + 128,
                    changed.bytes.data(), 64);
        bench.set_semaphore(1, 1);
        sc_core::sc_start();
        ASSERT_TRUE(bench.halted());
        EXPECT_EQ(bench.reg(1), flushes ? 22U : 11U);
        bench.write_csr(csr::RESET, 1);
    }
}

INSTANTIATE_TEST_SUITE_P(Modes, Notifications, both_modes(), mode_label);

}  // namespace
}  // namespace dve::test
