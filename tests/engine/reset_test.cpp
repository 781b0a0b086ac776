// Reset at any moment, by the register and by the line: state as after power-on, memories
// untouched, nothing of the dispatch arrow lost, the engine usable at once.
#include <gtest/gtest.h>

#include "tests/engine/device_bench.h"
#include "tests/engine/timed_memory.h"
#include "tests/support/random_record.h"

namespace dve::test {
namespace {

class Reset : public testing::TestWithParam<TimingMode> {
protected:
    Reset()
        : engine("engine", configuration_of(GetParam()), log),
          system("system"),
          csr_("csr"),
          host("host"),
          irq("irq"),
          reset_n("reset_n", true) {
        engine.fetch.bind(system.socket);
        csr_.socket.bind(engine.csr);
        host.socket.bind(engine.memory);
        engine.irq.bind(irq);
        engine.reset_n.bind(reset_n);
        elaborate();
    }

    tlm::tlm_response_status write(std::uint32_t offset, std::uint32_t value) {
        return csr_.write(offset, &value, 4);
    }
    std::uint32_t read(std::uint32_t offset) {
        std::uint32_t value = 0;
        EXPECT_EQ(csr_.read(offset, &value, 4), tlm::TLM_OK_RESPONSE);
        return value;
    }
    void begin(const std::vector<Record>& program, std::uint32_t base = 0x400) {
        for (std::size_t i = 0; i < program.size(); ++i) {
            std::memcpy(system.bytes.data() + base + 64 * i, program[i].bytes.data(), 64);
        }
        write(csr::PROGRAM_BASE_LO, base);
        write(csr::PROGRAM_BYTES, static_cast<std::uint32_t>(64 * program.size()));
        ASSERT_EQ(write(csr::START, 1), tlm::TLM_OK_RESPONSE);
    }
    /// Lets time pass, from within a process and from outside.
    static void pass(const sc_core::sc_time& time) {
        if (sc_core::sc_get_current_process_handle().valid()) {
            sc_core::wait(time);
        } else {
            sc_core::sc_start(time);
        }
    }
    void run_for(double cycles) { pass(cycle_time(engine.configuration()) * cycles); }

    void expect_power_on() {
        pass(sc_core::SC_ZERO_TIME);
        pass(sc_core::SC_ZERO_TIME);
        EXPECT_FALSE(irq.read());
        for (const csr::RegisterRow& row : csr::registers) {
            if (row.access != csr::Access::WO) {
                EXPECT_EQ(read(row.offset), row.reset) << std::hex << row.offset;
            }
        }
        for (const std::uint32_t counter : csr::counters) {
            EXPECT_EQ(read(counter), 0U) << counter;
            EXPECT_EQ(read(counter + 4), 0U) << counter;
        }
        for (const csr::WindowRow& window : csr::windows) {
            for (unsigned i = 0; window.access != csr::Access::WO && i < window.words; ++i) {
                ASSERT_EQ(read(window.offset + 4 * i), 0U) << std::hex << window.offset + 4 * i;
            }
        }
        EXPECT_EQ(engine.datapath().accumulators().defined, Accumulators().defined);
        EXPECT_EQ(engine.datapath().accumulators().bits, Accumulators().bits);
        EXPECT_EQ(engine.sequencer().dispatches_in_use(), 0U);
        EXPECT_FALSE(engine.sequencer().waiting_record());
    }
    /// The same cycles and results as ever.
    void expect_usable() {
        for (unsigned p = 0; p < 32; ++p) {
            const float value = static_cast<float>(p);
            std::memcpy(engine.memory_of(Space::SBUF).bytes(p, 0, 4), &value, 4);
        }
        begin({move_immediate(5, 55), legal_record(0x43), with_update(nop(), 0x13, 40)});
        pass(sc_core::sc_time(1, sc_core::SC_US));
        ASSERT_EQ(read(csr::RUN_STATE), 3U);
        EXPECT_EQ(read(csr::registers_window + 4 * 5), 55U);
        EXPECT_EQ(read(csr::semaphore_read + 4 * 40), 1U);
        EXPECT_EQ(read(csr::INSTRUCTIONS_LO), 3U);
        EXPECT_EQ(read(csr::CYCLES_LO), 4U + 64 + 96);
        EXPECT_EQ(engine.sequencer().dispatches_in_use(), 0U);
    }
    void expect_reset_works() {
        ASSERT_EQ(write(csr::RESET, 1), tlm::TLM_OK_RESPONSE);
        expect_power_on();
        expect_usable();
    }
    /// Some program, some time, and a reset by the register or the line.
    void reset_once(RandomRecords& random) {
        std::vector<Record> program = random.program(random.between(1, 4));
        if (random.one_in(4)) {
            program.push_back(with_wait(nop(), 0x05, 255, 1));
        } else if (random.one_in(3)) {
            program.push_back(endless_loop());
        }
        for (unsigned i = 0; i < 64; ++i) {
            write(csr::registers_window + 4 * i, random.registers()[i]);
        }
        const unsigned latency = random.one_in(3) ? random.between(0, 40) : 0;
        system.set_time(sc_core::sc_time(latency, sc_core::SC_NS));
        begin(program);
        pass(sc_core::sc_time(random.between(0, 400000), sc_core::SC_PS));
        if (random.one_in(2)) {
            write(csr::RESET, 1);
        } else {
            reset_n.write(false);
            pass(sc_core::SC_ZERO_TIME);
            pass(sc_core::SC_ZERO_TIME);
            reset_n.write(true);
            pass(sc_core::SC_ZERO_TIME);
        }
        EXPECT_EQ(engine.sequencer().dispatches_in_use(), 0U);
        EXPECT_EQ(read(csr::RUN_STATE), 0U);
    }
    static Record endless_loop() { return branch(-1); }

    RecordedLog log;
    DveEngine engine;
    TimedMemory system;
    Initiator csr_;
    Initiator host;
    sc_core::sc_signal<bool> irq;
    sc_core::sc_signal<bool> reset_n;
    sc_core::sc_event go;
    std::function<void()> work;
    Driver driver{"driver", [this] {
                      sc_core::wait(go);
                      work();
                  }};
};

TEST_P(Reset, OfAnIdleEngine) {
    for (const csr::RegisterRow& row : csr::registers) {
        if (row.access == csr::Access::RW && row.offset != csr::RING_TAIL &&
            row.offset != csr::NOTIFICATION_HEAD) {
            EXPECT_EQ(write(row.offset, 128), tlm::TLM_OK_RESPONSE) << row.offset;
        }
    }
    write(csr::FCR, 2);
    write(csr::RING_TAIL, 64);
    write(csr::semaphore_set + 4, 1);
    write(csr::event_set + 8, 1);
    write(csr::registers_window + 12, 1);
    expect_reset_works();
}

TEST_P(Reset, OfARunningLoop) {
    begin({move_immediate(1, 1), legal_record(0x43), endless_loop()});
    write(csr::INTERRUPT_ENABLE, 0x1F);
    run_for(5000);
    EXPECT_EQ(read(csr::RUN_STATE), 1U);
    expect_reset_works();
}

TEST_P(Reset, OfAWaitForEver) {
    begin({with_wait(nop(), 0x05, 3, 1)});
    run_for(3000);
    EXPECT_EQ(engine.sequencer().waiting_record(), 0U);
    expect_reset_works();
    // What woke the first wait must not wake the next one.
    begin({with_wait(nop(), 0x05, 3, 1)});
    sc_core::sc_start();
    EXPECT_EQ(read(csr::RUN_STATE), 1U);
    expect_reset_works();
}

TEST_P(Reset, InTheMiddleOfAnInstruction) {
    Record longer = legal_record(0x43);
    Edit(longer).count("src_mem_pattern", 0, 1000).count("dst_mem_pattern", 0, 1000);
    for (const double moment : {3.0, 20.0, 64.0, 100.0, 300.0, 900.0, 1100.0, 1500.0}) {
        begin({longer, longer, drain()});
        run_for(moment);
        expect_reset_works();
    }
}

TEST_P(Reset, OfASleepingRing) {
    write(csr::RING_BASE_LO, 0x1000);
    write(csr::RING_BYTES, 256);
    write(csr::START, 2);
    run_for(10);
    EXPECT_EQ(read(csr::RUN_STATE), 2U);
    expect_reset_works();
}

TEST_P(Reset, OfAnEndedAndOfAFaultedRun) {
    begin({legal_record(0x9D), nop()});
    sc_core::sc_start();
    expect_reset_works();
    begin({legal_record(0x45)});
    sc_core::sc_start();
    EXPECT_EQ(read(csr::RUN_STATE), 4U);
    expect_reset_works();
}

TEST_P(Reset, WithAFetchOnItsWay) {
    system.set_time(sc_core::sc_time(2, sc_core::SC_US));
    begin({move_immediate(1, 1), move_immediate(2, 2)});
    run_for(5);
    ASSERT_EQ(system.in_flight, 1U);
    EXPECT_EQ(write(csr::RESET, 1), tlm::TLM_OK_RESPONSE);
    expect_power_on();
    EXPECT_EQ(system.in_flight, 1U);
    // The next run is taken at once and begins when the bus is free again.
    begin({move_immediate(3, 3)}, 0x800);
    EXPECT_EQ(read(csr::RUN_STATE), 1U);
    sc_core::sc_start();
    EXPECT_EQ(read(csr::RUN_STATE), 3U);
    EXPECT_EQ(read(csr::registers_window + 4), 0U);
    EXPECT_EQ(read(csr::registers_window + 12), 3U);
    // And without a next run nothing comes of it.
    begin({move_immediate(1, 1)});
    run_for(5);
    write(csr::RESET, 1);
    sc_core::sc_start();
    expect_power_on();
    system.set_time(sc_core::SC_ZERO_TIME);
    expect_usable();
}

TEST_P(Reset, WithANotificationOnItsWay) {
    write(csr::NOTIFICATION_BASE_LO, 0x2000);
    write(csr::NOTIFICATION_ENTRIES, 4);
    begin({with_wait(notify(), 0x05, 1, 1), move_immediate(1, 1)});
    run_for(50);
    system.set_time(sc_core::sc_time(2, sc_core::SC_US));
    write(csr::semaphore_set + 4, 1);
    run_for(10);
    ASSERT_EQ(system.in_flight, 1U);
    write(csr::RESET, 1);
    expect_power_on();
    system.set_time(sc_core::SC_ZERO_TIME);
    sc_core::sc_start();
    expect_power_on();
    expect_usable();
}

TEST_P(Reset, AndStartInOneMoment) {
    begin({move_immediate(1, 1), endless_loop()});
    run_for(2000);
    write(csr::RESET, 1);
    expect_usable();
    // Started and reset before anything could happen.
    begin({move_immediate(1, 1), endless_loop()});
    write(csr::RESET, 1);
    sc_core::sc_start();
    expect_power_on();
}

TEST_P(Reset, TheLineResetsAndHoldsTheEngine) {
    begin({legal_record(0x43), endless_loop()});
    run_for(2000);
    reset_n.write(false);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    expect_power_on();
    for (const auto& [offset, value] :
         {std::pair{csr::START, 1U}, std::pair{csr::PROGRAM_BYTES, 64U},
          std::pair{csr::semaphore_set, 1U}}) {
        EXPECT_EQ(write(offset, value), tlm::TLM_GENERIC_ERROR_RESPONSE);
    }
    run_for(100);
    expect_power_on();
    reset_n.write(true);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    expect_usable();
}

TEST_P(Reset, MemoriesKeepTheirBytesAndDirectAccessEnds) {
    tlm::tlm_dmi dmi;
    const bool granted = host.direct_memory(0x40000, dmi);
    EXPECT_EQ(granted, GetParam() == TimingMode::LOOSE);
    host.invalidations.clear();
    const std::uint32_t word = 0x12345678;
    host.write(0x40100, &word, 4);
    write(csr::RESET, 1);
    std::uint32_t back = 0;
    host.read(0x40100, &back, 4);
    EXPECT_EQ(back, word);
    EXPECT_EQ(host.invalidations.empty(), !granted);
    EXPECT_EQ(host.direct_memory(0x40000, dmi), granted);
}

// By a process of the platform, so that the pipeline is exactly where its time is.
TEST_P(Reset, AThousandTimes) {
    RandomRecords random(12, configuration_of(GetParam()).isa);
    unsigned done = 0;
    work = [&] {
        for (; done < 1000 && !HasFailure(); ++done) {
            reset_once(random);
            if (done % 50 == 0) {
                system.set_time(sc_core::SC_ZERO_TIME);
                run_for(100);
                expect_power_on();
                expect_usable();
                write(csr::RESET, 1);
            }
        }
    };
    go.notify(sc_core::SC_ZERO_TIME);
    sc_core::sc_start();
    EXPECT_EQ(done, 1000U);
    EXPECT_LT(engine.sequencer().dispatches_made(), 40U);
}

INSTANTIATE_TEST_SUITE_P(Modes, Reset, both_modes(), mode_label);

}  // namespace
}  // namespace dve::test
