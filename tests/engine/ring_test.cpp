// The instruction ring: doorbells, wrap-around, sleep, what is refused, and the same in both modes.
#include <gtest/gtest.h>

#include "tests/engine/device_bench.h"
#include "tests/support/random_record.h"

namespace dve::test {
namespace {

constexpr std::uint32_t ring_empty = 1U << 2;
constexpr std::uint32_t paused = 2;

class Ring : public testing::TestWithParam<TimingMode> {
protected:
    DeviceBench bench{GetParam()};

    std::uint32_t state() { return bench.read_csr(csr::RUN_STATE); }
    void doorbell_and_run() {
        bench.ring_doorbell();
        sc_core::sc_start();
    }
};

// It has run empty once it has had a record.
TEST_P(Ring, AnEmptyRingSleeps) {
    bench.open_ring(4);
    bench.write_csr(csr::INTERRUPT_ENABLE, ring_empty);
    bench.start_ring();
    sc_core::sc_start();
    EXPECT_EQ(state(), paused);
    EXPECT_FALSE(bench.irq.read());
    bench.push(nop());
    doorbell_and_run();
    EXPECT_EQ(state(), paused);
    EXPECT_TRUE(bench.irq.read());
    bench.write_csr(csr::INTERRUPT, ring_empty);
    sc_core::sc_start();
    EXPECT_FALSE(bench.irq.read());
}

TEST_P(Ring, RecordsRunAsTheyComeAround) {
    bench.open_ring(5);
    bench.start_ring();
    unsigned pushed = 0;
    for (unsigned round = 0; round < 40; ++round) {
        for (unsigned i = 0; i < 1 + round % 4; ++i, ++pushed) {
            bench.push(move_immediate(static_cast<std::uint8_t>(pushed % 64), 1000 + pushed));
        }
        doorbell_and_run();
        ASSERT_EQ(state(), paused);
        EXPECT_TRUE(bench.cause(ring_empty));
        bench.write_csr(csr::INTERRUPT, ring_empty);
        EXPECT_EQ(bench.read_csr(csr::RING_HEAD), 64 * bench.tail);
        EXPECT_EQ(bench.reg((pushed - 1) % 64), 1000 + pushed - 1);
        EXPECT_EQ(bench.read_counter(csr::INSTRUCTIONS_LO), pushed);
        EXPECT_EQ(bench.retired_records.back().record_index, (pushed - 1) % 5);
    }
}

TEST_P(Ring, NothingBehindTheTailIsFetched) {
    bench.open_ring(8);
    for (unsigned i = 0; i < 8; ++i) {
        bench.place(i, legal_record(0x45));  // would be a fault
    }
    bench.start_ring();
    for (unsigned i = 0; i < 30; ++i) {
        bench.push(move_immediate(3, i));
        doorbell_and_run();
        ASSERT_EQ(state(), paused);
        EXPECT_EQ(bench.reg(3), i);
        bench.place((bench.tail + 7) % 8, legal_record(0x45));  // the place is the host's again
    }
}

TEST_P(Ring, ADoorbellWhileTheEngineWaitsAddsToTheQueue) {
    bench.open_ring(8);
    bench.push(with_wait(move_immediate(1, 1), 0x05, 7, 1));
    bench.ring_doorbell();
    bench.start_ring();
    sc_core::sc_start();
    EXPECT_EQ(state(), 1U);
    bench.push(move_immediate(2, 2));
    doorbell_and_run();
    EXPECT_EQ(bench.reg(2), 0U);
    bench.set_semaphore(7, 1);
    sc_core::sc_start();
    EXPECT_EQ(state(), paused);
    EXPECT_EQ(bench.reg(1), 1U);
    EXPECT_EQ(bench.reg(2), 2U);
}

TEST_P(Ring, HaltEndsTheRunAndTheNextOneGoesOnBehindIt) {
    bench.open_ring(4);
    bench.push(move_immediate(1, 5));
    bench.push(halt());
    bench.push(move_immediate(1, 6));
    bench.ring_doorbell();
    bench.start_ring();
    sc_core::sc_start();
    ASSERT_TRUE(bench.halted());
    EXPECT_EQ(bench.reg(1), 5U);
    EXPECT_EQ(bench.read_csr(csr::RING_HEAD), 128U);
    EXPECT_EQ(bench.read_csr(csr::INTERRUPT), 1U);
    bench.start_ring();
    sc_core::sc_start();
    EXPECT_EQ(state(), paused);
    EXPECT_EQ(bench.reg(1), 6U);
}

TEST_P(Ring, AFaultLeavesTheHeadAtItsRecord) {
    bench.open_notifications(4);
    bench.open_ring(4);
    for (unsigned i = 0; i < 3; ++i) {
        bench.push(nop());
    }
    bench.ring_doorbell();
    bench.start_ring();
    sc_core::sc_start();
    bench.push(nop());
    bench.push(legal_record(0x45));
    doorbell_and_run();
    ASSERT_TRUE(bench.faulted());
    EXPECT_EQ(bench.read_csr(csr::ERROR_RECORD), 0U);  // the fifth: the first place again
    EXPECT_EQ(bench.read_csr(csr::RING_HEAD), 0U);
    EXPECT_EQ(bench.entry_word<std::uint32_t>(0, 4), 0x45U << 16);
}

TEST_P(Ring, RefusesWhatIsNotLegal) {
    elaborate();
    constexpr auto refused = tlm::TLM_GENERIC_ERROR_RESPONSE;
    EXPECT_EQ(bench.write_status(csr::START, 2), refused);  // no ring
    EXPECT_EQ(bench.write_status(csr::START, 3), refused);
    EXPECT_EQ(bench.write_status(csr::RING_BYTES, 64), refused);
    EXPECT_EQ(bench.write_status(csr::RING_BYTES, 200), refused);
    EXPECT_EQ(bench.write_status(csr::RING_TAIL, 0), refused);
    EXPECT_EQ(bench.write_status(csr::RING_BASE_LO, 0x1020), refused);
    bench.open_ring(4);
    EXPECT_EQ(bench.write_status(csr::RING_TAIL, 100), refused);
    EXPECT_EQ(bench.write_status(csr::RING_TAIL, 256), refused);
    EXPECT_EQ(bench.write_status(csr::RING_HEAD, 64), tlm::TLM_COMMAND_ERROR_RESPONSE);
    bench.push(with_wait(nop(), 0x05, 7, 1));
    bench.push(nop());
    bench.ring_doorbell();
    EXPECT_EQ(bench.write_status(csr::RING_TAIL, 64), refused);  // three more: passes the head
    EXPECT_EQ(bench.read_csr(csr::RING_TAIL), 128U);
    bench.start_ring();
    sc_core::sc_start();
    EXPECT_EQ(bench.write_status(csr::RING_BYTES, 512), refused);
    EXPECT_EQ(bench.write_status(csr::RING_BASE_LO, 0x2000), refused);
    EXPECT_EQ(bench.write_status(csr::RING_BASE_HI, 1), refused);
    EXPECT_EQ(bench.write_status(csr::START, 1), refused);
    EXPECT_EQ(bench.write_status(csr::START, 2), refused);
    bench.set_semaphore(7, 1);
    sc_core::sc_start();
    EXPECT_EQ(state(), paused);
    EXPECT_EQ(bench.write_status(csr::START, 1), refused);
}

TEST_P(Ring, BranchesGoForward) {
    bench.open_ring(4);
    bench.start_ring();
    for (unsigned i = 0; i < 9; ++i) {  // wraps in every phase
        bench.push(branch(2));
        bench.push(move_immediate(1, 100 + i));
        bench.push(move_immediate(2, 200 + i));
        doorbell_and_run();
        ASSERT_EQ(state(), paused);
        EXPECT_EQ(bench.reg(1), 0U);
        EXPECT_EQ(bench.reg(2), 200 + i);
    }
    bench.push(nop());
    bench.push(branch(-1));
    doorbell_and_run();
    ASSERT_TRUE(bench.faulted());
    EXPECT_STREQ(bench.fault().violation.predicate, "branch_target");
}

// Absolute: an address of the ring.
TEST_P(Ring, AbsoluteBranchesNameAPlaceUpToTheTail) {
    elaborate();
    const auto absolute = [] {
        Record record = make_record(Opcode::COMPARE_BRANCH);
        record.set(fields::CTRL_BR::target_mode, 1);
        record.set(fields::CTRL_BR::target_reg_lo, 10);
        record.set(fields::CTRL_BR::target_reg_hi, 11);
        return record;
    };
    // Three records are there: place 3 is the tail; place 0 lies behind the branch.
    for (const std::uint32_t target : {64U * 3, 0U, 64U, 256U, 64U * 2 + 8}) {
        bench.write_csr(csr::RESET, 1);
        bench.open_ring(4);
        bench.push(move_immediate(10, DeviceBench::ring_at + target));
        bench.push(absolute());
        bench.push(move_immediate(1, 1));
        bench.ring_doorbell();
        bench.start_ring();
        sc_core::sc_start();
        EXPECT_EQ(state(), target == 64 * 3 ? paused : 4U) << target;
        EXPECT_EQ(bench.reg(1), 0U);
    }
}

INSTANTIATE_TEST_SUITE_P(Modes, Ring, both_modes(), mode_label);

// Doorbells at random times, on and off the clock's edges: the same cycles in both modes.
TEST(RingModes, LooseEqualsCycle) {
    Configuration configuration = configuration_of(TimingMode::LOOSE);
    configuration.sequencer.queue_depth = 4;
    RandomRecords random(5, configuration.isa);
    DeviceBench loose(configuration);
    configuration.mode = TimingMode::CYCLE;
    DeviceBench cycle(configuration);
    constexpr unsigned places = 13;
    unsigned handed_over = 0;
    std::uint64_t idle = 0;
    Driver host("driver", [&] {
        for (DeviceBench* bench : {&loose, &cycle}) {
            bench->open_notifications(256);
            bench->open_ring(places);
            bench->start_ring();
        }
        for (unsigned round = 0; round < 400; ++round) {
            std::uint32_t used = 0;
            for (DeviceBench* bench : {&loose, &cycle}) {
                const std::uint32_t head = bench->read_csr(csr::RING_HEAD) / 64;
                used = std::max(used, (bench->tail + places - head) % places);
            }
            const std::uint32_t room = places - 1 - used;
            const unsigned count = random.between(0, std::min(3U, room));
            for (unsigned i = 0; i < count; ++i, ++handed_over) {
                const Record record = random.one_in(3)   ? legal_record(0x43)
                                      : random.one_in(2) ? nop()
                                      : random.one_in(3) ? notify()
                                                         : with_update(drain(), 0x13, 200);
                loose.push(record);
                cycle.push(record);
            }
            for (DeviceBench* bench : {&loose, &cycle}) {
                ASSERT_EQ(bench->write_status(csr::RING_TAIL, 64 * bench->tail),
                          tlm::TLM_OK_RESPONSE);
            }
            sc_core::wait(sc_core::sc_time(
                random.one_in(4) ? random.between(0, 600000) : 833 * random.between(0, 60),
                sc_core::SC_PS));
            idle += loose.read_csr(csr::RUN_STATE) == paused ? 1 : 0;
        }
    });
    sc_core::sc_start();
    EXPECT_EQ(loose.semaphore(200), cycle.semaphore(200));
    EXPECT_EQ(loose.read_csr(csr::RUN_STATE), paused);
    EXPECT_EQ(cycle.read_csr(csr::RUN_STATE), paused);
    EXPECT_GT(handed_over, 150U);
    EXPECT_GT(idle, 20U);
    ASSERT_EQ(loose.retired_records.size(), handed_over);
    ASSERT_EQ(cycle.retired_records.size(), handed_over);
    for (unsigned i = 0; i < handed_over; ++i) {
        SCOPED_TRACE(i);
        const RetireRecord& a = loose.retired_records[i];
        const RetireRecord& b = cycle.retired_records[i];
        EXPECT_EQ(a.fetch_cycle, b.fetch_cycle);
        EXPECT_EQ(a.decoded_cycle, b.decoded_cycle);
        EXPECT_EQ(a.issue_cycle, b.issue_cycle);
        EXPECT_EQ(a.start_cycle, b.start_cycle);
        EXPECT_EQ(a.end_cycle, b.end_cycle);
        EXPECT_EQ(a.stalls, b.stalls);
        ASSERT_FALSE(HasFailure());
    }
    EXPECT_GT(loose.read_csr(csr::NOTIFICATION_TAIL), 20U);
    EXPECT_EQ(std::memcmp(loose.entry(0), cycle.entry(0), 256 * 16), 0);
    for (const std::uint32_t counter : csr::counters) {
        if (counter != csr::CYCLES_LO) {
            EXPECT_EQ(loose.read_counter(counter), cycle.read_counter(counter)) << counter;
        }
    }
}

}  // namespace
}  // namespace dve::test
