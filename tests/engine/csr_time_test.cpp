// Accesses to csr take effect at the time that their initiator says, and take time themselves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/device_bench.h"
#include "tests/tlm/checked_arrow.h"

namespace dve::test {
namespace {

class CsrTime : public testing::TestWithParam<TimingMode> {
protected:
    CsrTime() : bench(configuration_of(GetParam())) {}

    /// Runs a body in a thread of the host and simulates until nothing is left to do.
    void as_host(std::function<void()> body) {
        elaborate();
        bench.write_csr(csr::INTERRUPT_ENABLE, csr::mask::INTERRUPT_RUN_ENDED);
        bench.write_csr(csr::PROGRAM_BASE_LO, EngineBench::program_base);
        sc_core::sc_spawn(std::move(body));
        sc_core::sc_start();
    }
    /// A program of `count` instructions that do nothing.
    void load(unsigned count) {
        for (unsigned i = 0; i < count; ++i) {
            const Record record = nop();
            std::memcpy(bench.system.bytes().data() + EngineBench::program_base + 64 * i,
                        record.bytes.data(), 64);
        }
        bench.write_csr(csr::PROGRAM_BYTES, 64 * count);
    }
    Time access(tlm::tlm_command command, std::uint32_t offset, std::uint32_t& value, Time delay) {
        Payload transaction;
        prepare(transaction, command, offset, reinterpret_cast<unsigned char*>(&value), 4);
        bench.csr.socket->b_transport(transaction, delay);
        EXPECT_TRUE(transaction.is_response_ok());
        return delay;
    }
    Time write(std::uint32_t offset, std::uint32_t value, Time delay = {}) {
        return access(tlm::TLM_WRITE_COMMAND, offset, value, delay);
    }
    std::uint32_t read(std::uint32_t offset, Time delay = {}) {
        std::uint32_t value = 0;
        access(tlm::TLM_READ_COMMAND, offset, value, delay);
        return value;
    }
    Time cycles(double count) const { return bench.cycles(count); }

    DeviceBench bench;
};

INSTANTIATE_TEST_SUITE_P(Modes, CsrTime,
                         testing::Values(TimingMode::LOOSE, TimingMode::APPROX, TimingMode::CYCLE),
                         mode_label);

TEST_P(CsrTime, StartWaitsForItsTime) {
    Time started;
    Time rest;
    Time ended;
    load(3);
    as_host([&] {
        rest = write(csr::START, csr::value::START_PROGRAM, ns(8000));
        started = sc_core::sc_time_stamp();
        while (!bench.irq.read()) {
            sc_core::wait(bench.irq.posedge_event());
        }
        ended = sc_core::sc_time_stamp();
    });
    EXPECT_EQ(started, ns(8000));
    EXPECT_EQ(rest, cycles(1));  // csr.access
    ASSERT_EQ(bench.retired_records.size(), 3U);
    EXPECT_EQ(ended - started, cycles(static_cast<double>(bench.engine.sequencer().run_cycles())));
    EXPECT_EQ(bench.retired_records[0].fetch_cycle, 0U);
}

TEST_P(CsrTime, ReadsSeeTheirTime) {
    std::vector<std::uint32_t> states;
    load(3);  // ends before 200 cycles have passed
    as_host([&] {
        write(csr::START, csr::value::START_PROGRAM);
        for (const unsigned after : {1U, 1U, 200U}) {
            states.push_back(read(csr::RUN_STATE, cycles(after)));
        }
    });
    EXPECT_THAT(states,
                testing::ElementsAre(csr::value::RUN_STATE_RUNNING, csr::value::RUN_STATE_RUNNING,
                                     csr::value::RUN_STATE_HALTED));
}

// A loop that waits for nothing but what its accesses take gets there.
TEST_P(CsrTime, PollingEnds) {
    unsigned polls = 0;
    load(3);
    as_host([&] {
        Time delay = write(csr::START, csr::value::START_PROGRAM);
        std::uint32_t state = 0;
        while (state != csr::value::RUN_STATE_HALTED && ++polls < 10'000) {
            delay = access(tlm::TLM_READ_COMMAND, csr::RUN_STATE, state, delay);
        }
    });
    // One a cycle; the last may be a cycle behind the end.
    EXPECT_GE(polls, bench.engine.sequencer().run_cycles());
    EXPECT_LE(polls, bench.engine.sequencer().run_cycles() + 1);
}

TEST_P(CsrTime, NonBlockingRequestsWaitForTheirTime) {
    PayloadPool pool;
    std::vector<std::pair<std::string, Time>> phases;
    ScriptedInitiator initiator("initiator");
    SilentLog log;
    DveEngine engine("other", configuration_of(GetParam()), log);
    sc_core::sc_signal<bool> irq("other_irq");
    SystemMemory system("other_system", 0x1000);
    ScriptedInitiator host("other_host");
    initiator.socket.bind(engine.csr);
    host.socket.bind(engine.memory);
    engine.fetch.bind(system.socket);
    engine.irq.bind(irq);
    initiator.backward = [&](Payload& transaction, Phase& phase, Time&) {
        phases.emplace_back(phase.get_name(), sc_core::sc_time_stamp());
        if (phase != tlm::BEGIN_RESP) {
            return tlm::TLM_ACCEPTED;
        }
        transaction.release();
        return tlm::TLM_COMPLETED;
    };
    elaborate();
    std::uint32_t value = 77;
    Payload& transaction = pool.take();
    prepare(transaction, tlm::TLM_WRITE_COMMAND, csr::registers_window,
            reinterpret_cast<unsigned char*>(&value), 4);
    EXPECT_EQ(initiator.forward(transaction, tlm::BEGIN_REQ, ns(3000)), tlm::TLM_ACCEPTED);
    sc_core::sc_start(ns(2999));
    EXPECT_EQ(engine.sequencer().register_value(0), 0U);
    sc_core::sc_start(ns(100));
    EXPECT_EQ(engine.sequencer().register_value(0), 77U);
    EXPECT_THAT(phases,
                testing::ElementsAre(
                    testing::Pair("END_REQ", ns(3000)),
                    testing::Pair("BEGIN_RESP", ns(3000) + cycle_time(engine.configuration()))));
    EXPECT_EQ(pool.taken(), pool.returned());
}

// What the host did before START, in its own time, is over when the run begins.
TEST_P(CsrTime, EarlierAccessesHoldNoPorts) {
    load(3);
    as_host([&] {
        std::vector<std::uint8_t> data(4096);
        Time delay;
        for (unsigned p = 0; p < 128; ++p) {
            Payload transaction;
            prepare(transaction, tlm::TLM_WRITE_COMMAND, std::uint64_t{p} * 0x40000, data.data(),
                    4096);
            bench.host.socket->b_transport(transaction, delay);
        }
        EXPECT_GE(delay, cycles(512));
        write(csr::START, csr::value::START_PROGRAM, delay);
    });
    EXPECT_EQ(bench.read_csr(csr::STALL_PORT_LO), 0U);
}

TEST(Clock, OfAnotherPeriodIsAnError) {
    EngineBench bench(configuration_of(TimingMode::CYCLE));
    sc_core::sc_clock clock("clock", 4, sc_core::SC_NS);
    bench.engine.clk.bind(clock);
    try {
        elaborate();
        ADD_FAILURE() << "elaborated";
    } catch (const sc_core::sc_report& report) {
        EXPECT_STREQ(report.get_msg_type(), "dve/clk");
        EXPECT_THAT(report.get_msg(),
                    testing::HasSubstr("4 ns; legal: 833 ps, which is clock.ghz"));
    }
}

TEST(Clock, OfTheEnginesPeriodMayBeBound) {
    Configuration configuration = configuration_of(TimingMode::CYCLE);
    configuration.clock_ghz = 0.25;
    EngineBench bench(configuration);
    sc_core::sc_clock clock("clock", 4, sc_core::SC_NS);
    bench.engine.clk.bind(clock);
    elaborate();
    EXPECT_EQ(cycle_time(configuration), clock.period());
}

TEST(Clock, OfNoPeriodIsAnError) {
    sc_core::sc_set_time_resolution(1, sc_core::SC_NS);
    SilentLog log;
    Configuration configuration = configuration_of(TimingMode::LOOSE);
    configuration.clock_ghz = 3;
    try {
        DveEngine engine("engine", configuration, log);
        ADD_FAILURE() << "built";
    } catch (const sc_core::sc_report& report) {
        EXPECT_STREQ(report.get_msg_type(), "dve/clk");
        EXPECT_THAT(report.get_msg(), testing::HasSubstr("clock.ghz = 3 has a period of 0"));
    }
}

}  // namespace
}  // namespace dve::test
