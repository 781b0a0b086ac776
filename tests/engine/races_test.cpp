// A host and a memory that act while the engine is busy with something else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/device_bench.h"
#include "tests/engine/quantum_bench.h"
#include "tests/engine/timed_memory.h"

namespace dve::test {
namespace {

class Races : public testing::TestWithParam<TimingMode> {
protected:
    Races() : engine("engine", configuration_of(GetParam()), log) {
        engine.fetch.bind(system.socket);
        csr_.socket.bind(engine.csr);
        host.socket.bind(engine.memory);
        engine.irq.bind(irq);
        elaborate();
    }
    tlm::tlm_response_status write(std::uint32_t offset, std::uint32_t value) {
        return csr_.write(offset, &value, 4);
    }
    std::uint32_t read(std::uint32_t offset) {
        std::uint32_t value = 0;
        csr_.read(offset, &value, 4);
        return value;
    }
    void place(std::uint32_t at, const std::vector<Record>& records) {
        std::memcpy(system.bytes.data() + at, records.data(), record_bytes * records.size());
    }
    void open_ring(std::uint32_t records) {
        write(csr::RING_BASE_LO, 0x1000);
        write(csr::RING_BYTES, 64 * records);
    }
    void pass(double nanoseconds) { sc_core::sc_start({nanoseconds, sc_core::SC_NS}); }
    sc_core::sc_time cycles(double count) const {
        return cycle_time(engine.configuration()) * count;
    }

    SilentLog log;
    TimedMemory system{"system"};
    DveEngine engine;
    Initiator csr_{"csr"};
    Initiator host{"host"};
    sc_core::sc_signal<bool> irq{"irq"};
};

INSTANTIATE_TEST_SUITE_P(Modes, Races,
                         testing::Values(TimingMode::LOOSE, TimingMode::APPROX, TimingMode::CYCLE),
                         mode_label);

// The doorbell comes after the engine could have run ahead to the branch, and before its cycle.
TEST_P(Races, ABranchGoesUpToTheTailOfItsTime) {
    std::vector<Record> records(60, nop());
    records[40] = branch(15);
    for (const sc_core::sc_time& quantum : quanta(cycles(1))) {
        SCOPED_TRACE(quantum.to_string());
        set_quantum(quantum);
        write(csr::RESET, 1);
        open_ring(100);
        place(0x1000, records);
        write(csr::RING_TAIL, 64 * 50);
        write(csr::START, csr::value::START_RING);
        sc_core::sc_start(cycles(10));
        write(csr::RING_TAIL, 64 * 60);
        sc_core::sc_start();
        EXPECT_EQ(read(csr::RUN_STATE), csr::value::RUN_STATE_PAUSED);
        EXPECT_EQ(read(csr::INSTRUCTIONS_LO), 41U + 5);
    }
}

// However far the engine is ahead, a host sees the head and the fault when they come.
TEST_P(Races, HeadAndFaultAreNotEarly) {
    std::vector<Record> records(40, nop());
    records[30] = Record{};  // no opcode
    open_ring(50);
    place(0x1000, records);
    write(csr::RING_TAIL, 64 * 40);
    write(csr::START, csr::value::START_RING);
    sc_core::sc_start(cycles(10.5));
    EXPECT_EQ(read(csr::RING_HEAD) / 64, 9U);  // decoded in cycle 2, one a cycle
    EXPECT_EQ(read(csr::ERROR_TYPE), 0xFFFFFFFFU);
    // Nothing of what the engine has not issued yet may be overwritten.
    EXPECT_EQ(write(csr::RING_TAIL, 64 * 8), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(write(csr::RING_TAIL, 64 * 12), tlm::TLM_GENERIC_ERROR_RESPONSE);
    sc_core::sc_start();
    EXPECT_EQ(read(csr::RING_HEAD) / 64, 30U);
    EXPECT_NE(read(csr::ERROR_TYPE), 0xFFFFFFFFU);
}

// Within the delta cycle in which a run ends, its cause is there to be acknowledged.
TEST_P(Races, AnEndAndItsCauseComeTogether) {
    unsigned late = 0;
    for (unsigned run = 0; run < 5; ++run) {
        place(0, {nop(), nop()});
        write(csr::INTERRUPT_ENABLE, csr::mask::INTERRUPT_RUN_ENDED);
        write(csr::PROGRAM_BYTES, 128);
        bool acknowledged = false;
        sc_core::sc_spawn([&] {
            while (read(csr::RUN_STATE) != csr::value::RUN_STATE_HALTED) {
                sc_core::wait(sc_core::sc_time(1, sc_core::SC_PS));
            }
            EXPECT_EQ(read(csr::INTERRUPT), csr::mask::INTERRUPT_RUN_ENDED);
            write(csr::INTERRUPT, csr::mask::INTERRUPT_RUN_ENDED);
            acknowledged = true;
        });
        write(csr::START, csr::value::START_PROGRAM);
        pass(100);
        EXPECT_TRUE(acknowledged);
        late += read(csr::INTERRUPT) != 0 || irq.read() ? 1 : 0;
        write(csr::RESET, 1);
    }
    EXPECT_EQ(late, 0U);
}

// A memory may wait, or annotate the same time. Loosely timed, how long a fetch takes is a
// parameter.
TEST_P(Races, AnnotatedTimeIsTakenLikeWaitedTime) {
    std::vector<std::uint64_t> cycles_of_run;
    for (const bool annotates : {false, true}) {
        system.annotates = annotates;
        system.set_time({100, sc_core::SC_NS});
        if (GetParam() == TimingMode::LOOSE) {
            system.read_time = sc_core::SC_ZERO_TIME;
        }
        write(csr::RESET, 1);
        write(csr::NOTIFICATION_BASE_LO, 0x2000);
        write(csr::NOTIFICATION_ENTRIES, 4);
        write(csr::INTERRUPT_ENABLE, csr::mask::INTERRUPT_NOTIFICATION);
        place(0, {notify(), nop()});
        write(csr::PROGRAM_BYTES, 128);
        const sc_core::sc_time start = sc_core::sc_time_stamp();
        write(csr::START, csr::value::START_PROGRAM);
        sc_core::sc_time told;
        sc_core::sc_spawn([&] {
            sc_core::wait(irq.posedge_event());
            told = sc_core::sc_time_stamp();
        });
        sc_core::sc_start();
        EXPECT_GE(told, start + system.write_time);
        cycles_of_run.push_back(read(csr::CYCLES_LO));
    }
    EXPECT_EQ(cycles_of_run[0], cycles_of_run[1]);
    EXPECT_GT(cycles_of_run[0], 120U);
}

// The entry that a slow memory still takes is not of the ring that the host sets up meanwhile.
TEST_P(Races, AnEntryOfAnOldRingIsNotOfTheNewOne) {
    system.write_time = {1, sc_core::SC_US};
    write(csr::NOTIFICATION_BASE_LO, 0x2000);
    write(csr::NOTIFICATION_ENTRIES, 4);
    place(0, {notify(), nop()});
    write(csr::PROGRAM_BYTES, 128);
    write(csr::START, csr::value::START_PROGRAM);
    pass(500);
    write(csr::NOTIFICATION_ENTRIES, 8);
    sc_core::sc_start();
    EXPECT_EQ(read(csr::NOTIFICATION_TAIL), 0U);
    EXPECT_FALSE(irq.read());
    write(csr::START, csr::value::START_PROGRAM);
    sc_core::sc_start();
    EXPECT_EQ(read(csr::NOTIFICATION_TAIL), 1U);
    std::uint32_t word = 0;
    std::memcpy(&word, system.bytes.data() + 0x2000, sizeof word);
    EXPECT_EQ(word >> 31, 1U);  // PHASE
}

// The next run begins when the memory has answered the last fetch of the one before.
TEST_P(Races, ARestartBehindASlowFetchCountsFromItsBegin) {
    system.read_time = {10, sc_core::SC_US};
    open_ring(16);
    place(0x1000, std::vector<Record>(8, nop()));
    write(csr::RING_TAIL, 64 * 2);
    write(csr::START, csr::value::START_RING);
    pass(1000);
    write(csr::RESET, 1);
    system.read_time = sc_core::SC_ZERO_TIME;
    open_ring(16);
    write(csr::RING_TAIL, 64 * 2);
    write(csr::START, csr::value::START_RING);
    pass(5000);
    write(csr::RING_TAIL, 64 * 3);
    sc_core::sc_start();
    EXPECT_EQ(read(csr::INSTRUCTIONS_LO), 3U);
    EXPECT_EQ(read(csr::CYCLES_LO), 2U + 3);
}

TEST_P(Races, NothingRunsOverTheEndOfTheAddressSpace) {
    write(csr::PROGRAM_BASE_LO, 0xFFFFFFC0);
    write(csr::PROGRAM_BASE_HI, 0xFFFFFFFF);
    write(csr::PROGRAM_BYTES, 128);
    EXPECT_EQ(write(csr::START, csr::value::START_PROGRAM), tlm::TLM_GENERIC_ERROR_RESPONSE);
    write(csr::NOTIFICATION_BASE_LO, 0xFFFFFFE0);
    write(csr::NOTIFICATION_BASE_HI, 0xFFFFFFFF);
    EXPECT_EQ(write(csr::NOTIFICATION_ENTRIES, 4), tlm::TLM_GENERIC_ERROR_RESPONSE);
}

}  // namespace
}  // namespace dve::test
