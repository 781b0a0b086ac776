// Starting, resetting and limiting a run through the csr socket.
#include <gtest/gtest.h>

#include "tests/support/engine_bench.h"
#include "tlm/initiator_access.h"

namespace dve::test {
namespace {

constexpr std::uint64_t start_register = 0x0004;
constexpr std::uint64_t run_state_register = 0x0008;

tlm::tlm_response_status write_status(EngineBench& bench, std::uint64_t offset,
                                      std::uint32_t value) {
    tlm::tlm_generic_payload transaction;
    prepare(transaction, tlm::TLM_WRITE_COMMAND, offset, &value, sizeof value);
    sc_core::sc_time delay;
    bench.csr.socket->b_transport(transaction, delay);
    return transaction.get_response_status();
}

TEST(Start, RefusesAnUnalignedBaseOrLength) {
    EngineBench bench(Generation::MARIANA);
    bench.run({nop()});
    EXPECT_EQ(write_status(bench, csr::PROGRAM_BASE_LO, 0x404), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(bench.read_csr(csr::PROGRAM_BASE_LO), 0x400U);
    bench.write_csr(csr::PROGRAM_BYTES, 100);
    EXPECT_EQ(write_status(bench, start_register, 1), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(bench.read_csr(run_state_register), 3U);
}

TEST(Start, RefusesASecondStart) {
    EngineBench bench(Generation::MARIANA);
    bench.begin({nop()});
    EXPECT_EQ(write_status(bench, start_register, 1), tlm::TLM_GENERIC_ERROR_RESPONSE);
    sc_core::sc_start();
    EXPECT_TRUE(bench.halted());
}

TEST(Start, ResetClearsCausesAndCounts) {
    EngineBench bench(Generation::MARIANA);
    bench.run({nop(), nop()});
    EXPECT_EQ(bench.read_csr(csr::INSTRUCTIONS_LO), 2U);
    EXPECT_NE(bench.read_csr(csr::INTERRUPT), 0U);
    bench.engine.reset();
    EXPECT_EQ(bench.read_csr(csr::INSTRUCTIONS_LO), 0U);
    EXPECT_EQ(bench.read_csr(csr::CYCLES_LO), 0U);
    EXPECT_EQ(bench.read_csr(csr::INTERRUPT), 0U);
    EXPECT_EQ(bench.read_csr(run_state_register), 0U);
}

TEST(Start, DebugAccessWithoutDataMovesNothing) {
    EngineBench bench(Generation::MARIANA);
    bench.run({});
    tlm::tlm_generic_payload transaction;
    prepare(transaction, tlm::TLM_READ_COMMAND, run_state_register, nullptr, 4);
    EXPECT_EQ(bench.csr.socket->transport_dbg(transaction), 0U);
}

TEST(Start, InstructionLimitEndsAnEndlessLoop) {
    Configuration configuration =
        Configuration::defaults(Generation::MARIANA, SemanticsProfile::REFERENCE);
    configuration.sequencer.instruction_limit = 50;
    EngineBench bench(configuration);
    Record loop = make_record(Opcode::COMPARE_BRANCH);
    loop.set(fields::CTRL_BR::target_mode, 3);
    bench.run({loop});
    ASSERT_TRUE(bench.faulted());
    EXPECT_STREQ(bench.fault().violation.predicate, "instruction_limit");
    EXPECT_EQ(bench.engine.sequencer().retired(), 50U);
}

}  // namespace
}  // namespace dve::test
