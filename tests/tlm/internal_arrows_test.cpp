// The arrows inside the engine, assembled here with a checker on each: random programs, loosely
// timed and cycle by cycle, whose dispatches carry an ignorable phase and an ignorable extension.
#include <gtest/gtest.h>

#include <memory>

#include "platform/dve_engine.h"
#include "platform/system_memory.h"
#include "tests/support/initiator.h"
#include "tests/support/random_record.h"
#include "tlm/protocol_checker.h"

namespace dve::test {
namespace {

class InternalArrows : public testing::TestWithParam<TimingMode> {};

INSTANTIATE_TEST_SUITE_P(Timing, InternalArrows,
                         testing::Values(TimingMode::LOOSE, TimingMode::CYCLE),
                         [](const auto& mode) { return timing_mode_name(mode.param); });

TEST_P(InternalArrows, KeepToTheProtocol) {
    Configuration configuration =
        Configuration::defaults(Generation::CAYMAN, SemanticsProfile::REFERENCE);
    configuration.mode = GetParam();
    const sc_core::sc_time cycle(1, sc_core::SC_NS);
    const TimingParameters& timing = configuration.timing;
    SilentLog log;
    FirmwareWorkers workers;
    Sequencer sequencer("seq", configuration.isa, configuration.sequencer, cycle, log,
                        configuration.semantics.numbers, configuration.mode);
    KernelInfoTable table("kernel_info", Generation::CAYMAN, configuration.semantics.scan_combine,
                          log);
    DveDatapath datapath("dve", configuration.isa, configuration.semantics, timing,
                         configuration.mode, cycle, workers, log);
    PartitionedMemory sbuf("sbuf", configuration.isa.sbuf,
                           {timing.sbuf_read_bytes, timing.sbuf_write_bytes}, cycle);
    PartitionedMemory psum("psum", configuration.isa.psum,
                           {timing.psum_read_bytes, timing.psum_write_bytes}, cycle);
    PortHolds sbuf_holds(PortRule::SHARED_PORT);
    PortHolds psum_holds(PortRule::BANKS);
    if (GetParam() == TimingMode::CYCLE) {
        sbuf.share_ports(sbuf_holds);
        psum.share_ports(psum_holds);
        datapath.set_holds(sbuf_holds, psum_holds);
    }
    SystemMemory system("system", 0x4000);
    ProtocolChecker fetch("fetch_checker");
    ProtocolChecker lookup("kernel_info_checker");
    ProtocolChecker dispatch("dispatch_checker");
    ProtocolChecker sbuf_arrow("sbuf_checker");
    ProtocolChecker psum_arrow("psum_checker");
    const auto connect = [](auto& from, ProtocolChecker& checker, auto& to) {
        from.bind(checker.target);
        checker.initiator.bind(to);
    };
    connect(sequencer.fetch, fetch, system.socket);
    connect(sequencer.kernel_info, lookup, table.socket);
    connect(sequencer.dispatch, dispatch, datapath.dispatch);
    connect(datapath.sbuf.socket, sbuf_arrow, sbuf.lanes);
    connect(datapath.psum.socket, psum_arrow, psum.lanes);
    elaborate();

    unsigned halted = 0;
    unsigned faulted = 0;
    for (unsigned seed = 1; seed <= 40; ++seed) {
        RandomRecords random(seed, configuration.isa);
        const std::vector<Record> program = random.program(5);
        datapath.reset();
        sequencer.reset();
        for (unsigned number = 0; number < 40; ++number) {
            sequencer.set_register(number, random.registers()[number]);
        }
        ASSERT_LE(64 * program.size(), system.bytes().size());
        for (std::size_t i = 0; i < program.size(); ++i) {
            std::copy(program[i].bytes.begin(), program[i].bytes.end(),
                      system.bytes().begin() + static_cast<std::ptrdiff_t>(64 * i));
        }
        sequencer.start(0, 64 * program.size());
        sc_core::sc_start();
        halted += sequencer.state() == RunState::HALTED;
        faulted += sequencer.state() == RunState::FAULTED;
    }
    EXPECT_EQ(halted + faulted, 40U);
    EXPECT_GT(halted, 10U);
    for (const ProtocolChecker* checker : {&fetch, &lookup, &dispatch, &sbuf_arrow, &psum_arrow}) {
        EXPECT_EQ(checker->violations(), 0U) << checker->name();
        EXPECT_EQ(checker->in_flight(), 0U) << checker->name();
        EXPECT_GT(checker->calls(), 10U) << checker->name();
    }
}

}  // namespace
}  // namespace dve::test
