// The base protocol at csr and kernel_info, and at every target of the engine by nb_transport.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "models/kernel_info/kernel_info_table.h"
#include "tests/support/engine_bench.h"
#include "tests/tlm/checked_arrow.h"

namespace dve::test {
namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr std::uint64_t top = ~std::uint64_t{0};

class CsrDuties : public testing::Test {
protected:
    void SetUp() override {
        elaborate();
        bench.csr_checker.set_all_rules(false);  // illegal requests are meant here
        bench.write_csr(place, 0x44332211);
    }
    tlm::tlm_response_status send(const Access& access) {
        const tlm::tlm_response_status status = bench.csr.send(access);
        EXPECT_TRUE(bench.csr.attributes_kept);
        EXPECT_FALSE(bench.csr.dmi_hint);
        return status;
    }
    EngineBench bench{Generation::MARIANA};
    static constexpr std::uint64_t place = 0x0400;  // R[0]
};

TEST_F(CsrDuties, SizesAlignmentsAndByteEnables) {
    Bytes data(8, 0xAA);
    for (const auto command : {tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND}) {
        for (const unsigned length : {0U, 1U, 3U, 5U, 8U}) {
            EXPECT_EQ(send({command, place, data.data(), length, {}, true, 4, false}),
                      tlm::TLM_BURST_ERROR_RESPONSE);
        }
        EXPECT_EQ(send({command, place + 2, data.data(), 4, {}, false, 0, false}),
                  tlm::TLM_BURST_ERROR_RESPONSE);
        for (const unsigned width : {0U, 1U, 3U}) {
            EXPECT_EQ(send({command, place, data.data(), 4, {}, true, width, false}),
                      tlm::TLM_BURST_ERROR_RESPONSE);
        }
        EXPECT_EQ(send({command, place, nullptr, 4, {}, false, 0, false}),
                  tlm::TLM_GENERIC_ERROR_RESPONSE);
        EXPECT_EQ(send({command, place, data.data(), 4, {0xFF}, false, 0, false}),
                  tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
        EXPECT_EQ(send({command, place, data.data(), 4, {}, false, 0, true}),
                  tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    }
    EXPECT_EQ(data, Bytes(8, 0xAA));
    EXPECT_EQ(bench.read_csr(place), 0x44332211U);
    // A width beyond the length is an ordinary access.
    EXPECT_EQ(send({tlm::TLM_READ_COMMAND, place, data.data(), 4, {}, true, 64, false}),
              tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(data, (Bytes{0x11, 0x22, 0x33, 0x44, 0xAA, 0xAA, 0xAA, 0xAA}));
}

TEST_F(CsrDuties, CommandsAndKinds) {
    Bytes data{1, 0, 0, 0};
    // IGNORE neither starts nor resets anything, whatever the address.
    for (const std::uint64_t offset :
         {std::uint64_t{csr::START}, std::uint64_t{csr::RESET}, place}) {
        EXPECT_EQ(send({tlm::TLM_IGNORE_COMMAND, offset, data.data(), 4, {}, false, 0, false}),
                  tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(send({tlm::TLM_IGNORE_COMMAND, offset, nullptr, 0, {}, true, 1, false}),
                  tlm::TLM_OK_RESPONSE);
    }
    EXPECT_EQ(bench.read_csr(csr::RUN_STATE), 0U);
    EXPECT_EQ(bench.read_csr(place), 0x44332211U);
    EXPECT_EQ(send({static_cast<tlm::tlm_command>(7), place, data.data(), 4, {}, false, 0, false}),
              tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(bench.csr.read(csr::START, data.data(), 4), tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(bench.csr.write(csr::RUN_STATE, data.data(), 4), tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(data, (Bytes{1, 0, 0, 0}));
}

TEST_F(CsrDuties, AddressesWithoutARegister) {
    Bytes data(4, 0xAA);
    for (const std::uint64_t offset :
         {std::uint64_t{0x03FC}, std::uint64_t{csr::window_bytes}, (std::uint64_t{1} << 32) + place,
          std::uint64_t{1} << 63, top - 3}) {
        EXPECT_EQ(bench.csr.read(offset, data.data(), 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        EXPECT_EQ(bench.csr.write(offset, data.data(), 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        EXPECT_EQ(bench.csr.debug(tlm::TLM_READ_COMMAND, offset, data.data(), 4), 0U);
    }
    EXPECT_EQ(data, Bytes(4, 0xAA));
    EXPECT_EQ(bench.read_csr(place), 0x44332211U);
}

TEST_F(CsrDuties, DebugAndDirectAccess) {
    Bytes data(8, 0);
    EXPECT_EQ(bench.csr.debug(tlm::TLM_READ_COMMAND, place, data.data(), 4), 4U);
    EXPECT_EQ(data, (Bytes{0x11, 0x22, 0x33, 0x44, 0, 0, 0, 0}));
    EXPECT_EQ(bench.csr.debug(tlm::TLM_WRITE_COMMAND, place, data.data(), 4), 0U);
    EXPECT_EQ(bench.csr.debug(tlm::TLM_IGNORE_COMMAND, place, data.data(), 4), 0U);
    EXPECT_EQ(bench.csr.debug(tlm::TLM_READ_COMMAND, place, data.data(), 3), 0U);
    EXPECT_EQ(bench.csr.debug(tlm::TLM_READ_COMMAND, place, nullptr, 4), 0U);
    EXPECT_LE(bench.csr.debug(tlm::TLM_READ_COMMAND, place, data.data(), 8), 8U);
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(bench.csr.direct_memory(place, dmi));
}

class KernelInfoDuties : public testing::Test {
protected:
    void SetUp() override {
        initiator.socket.bind(checker.target);
        checker.initiator.bind(table.socket);
        elaborate();
    }
    void TearDown() override { EXPECT_EQ(checker.violations(), 0U); }

    static constexpr std::uint64_t base = 0x80800;  // MARIANA (isa_wire_format 7.2)
    SilentLog log;
    KernelInfoTable table{"kernel_info", Generation::MARIANA, AluOp::MAX, log};
    ProtocolChecker checker{"checker"};
    Initiator initiator{"initiator"};
};

TEST_F(KernelInfoDuties, BorderOfTheTable) {
    const std::uint64_t size =
        generation_row(Generation::MARIANA).dispatch.slots() * std::uint64_t{16};
    std::uint32_t word = 0x1234;
    EXPECT_EQ(initiator.write(base + size - 4, &word, 4), tlm::TLM_OK_RESPONSE);
    EXPECT_FALSE(initiator.dmi_hint);
    for (const std::uint64_t address : {base - 4, base - 1, base + size - 3, base + size,
                                        (std::uint64_t{1} << 32) + base, top, top - 3}) {
        EXPECT_EQ(initiator.read(address, &word, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        EXPECT_EQ(initiator.write(address, &word, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
    word = 0;
    EXPECT_EQ(initiator.read(base + size - 4, &word, 4), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(word, 0x1234U);
    std::uint8_t data[16];
    EXPECT_EQ(initiator.debug(tlm::TLM_READ_COMMAND, base + size - 4, data, 16), 4U);
    EXPECT_EQ(initiator.debug(tlm::TLM_READ_COMMAND, base + size, data, 16), 0U);
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(initiator.direct_memory(base, dmi));
}

TEST_F(KernelInfoDuties, ByteEnablesAndStreaming) {
    Bytes data{1, 2, 3, 4, 5, 6, 7};
    EXPECT_EQ(initiator.write(base, data.data(), 7), tlm::TLM_OK_RESPONSE);
    Bytes ones(7, 0xAA);
    EXPECT_EQ(initiator.send(
                  {tlm::TLM_WRITE_COMMAND, base, ones.data(), 7, {0, 0, 0xFF}, false, 0, false}),
              tlm::TLM_OK_RESPONSE);
    Bytes back(7);
    EXPECT_EQ(initiator.read(base, back.data(), 7), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(back, (Bytes{1, 2, 0xAA, 4, 5, 0xAA, 7}));
    EXPECT_EQ(initiator.send({tlm::TLM_READ_COMMAND, base, back.data(), 7, {}, true, 2, false}),
              tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(back, (Bytes{1, 2, 1, 2, 1, 2, 1}));
}

/// One non-blocking read; the response may come by either way.
class NonBlockingReader {
public:
    explicit NonBlockingReader(const char* name) : initiator(name) {
        initiator.backward = [this](Payload& transaction, Phase& phase, Time&) {
            phases.push_back(phase.get_name());
            if (phase != tlm::BEGIN_RESP) {
                return tlm::TLM_ACCEPTED;
            }
            transaction.release();
            return tlm::TLM_COMPLETED;
        };
    }
    Sync read(std::uint64_t address, void* data, unsigned bytes) {
        Payload& transaction = pool.take();
        prepare(transaction, tlm::TLM_READ_COMMAND, address, data, bytes);
        const Sync answer = initiator.forward(transaction, tlm::BEGIN_REQ, ns(2));
        if (answer == tlm::TLM_COMPLETED) {
            EXPECT_TRUE(transaction.is_response_ok());
            transaction.release();
        }
        sc_core::sc_start(ns(1000));
        return answer;
    }

    PayloadPool pool;
    ScriptedInitiator initiator;
    std::vector<std::string> phases;
};

/// Every target with an nb_transport, built to complete early or to take four phases.
class NonBlockingDuties : public testing::TestWithParam<unsigned> {};

INSTANTIATE_TEST_SUITE_P(Outstanding, NonBlockingDuties, testing::Values(0, 2),
                         testing::PrintToStringParamName());

TEST_P(NonBlockingDuties, EveryTarget) {
    const auto style = NonBlockingStyle::four_phases(GetParam());
    const GenerationRow& row = generation_row(Generation::MARIANA);
    SilentLog log;
    const Configuration configuration =
        Configuration::defaults(Generation::MARIANA, SemanticsProfile::REFERENCE);
    FirmwareWorkers workers;
    Sequencer sequencer("seq", configuration.isa, {}, ns(1), log);
    DveDatapath datapath("dve", configuration.isa, Semantics(), configuration.timing,
                         TimingMode::LOOSE, ns(1), workers, log);
    SystemMemory system("system", 0x100, ns(10), style);
    PartitionedMemory sbuf("sbuf", row.sbuf, 8, ns(1), style);
    PartitionedMemory psum("psum", row.psum, 4, ns(1), style);
    KernelInfoTable table("kernel_info", Generation::MARIANA, AluOp::MAX, log, style);
    RegisterBlock registers(
        "csr", sequencer, datapath, [] {}, ns(1), style);
    sc_core::sc_signal<bool> irq("irq");
    sc_core::sc_signal<bool> reset_n("reset_n", true);
    registers.irq.bind(irq);
    registers.reset_n.bind(reset_n);
    sequencer.fetch.bind(system.socket);
    sequencer.kernel_info.bind(table.socket);
    sequencer.dispatch.bind(datapath.dispatch);
    datapath.sbuf.socket.bind(sbuf.lanes);
    datapath.psum.socket.bind(psum.lanes);

    struct Arrow {
        explicit Arrow(const char* name)
            : reader(sc_core::sc_gen_unique_name(name)),
              checker(sc_core::sc_gen_unique_name("checker")) {
            reader.initiator.socket.bind(checker.target);
        }
        NonBlockingReader reader;
        ProtocolChecker checker;
    };
    Arrow of_system("of_system");
    Arrow of_sbuf("of_sbuf");
    Arrow of_psum("of_psum");
    Arrow of_csr("of_csr");
    of_system.checker.initiator.bind(system.socket);
    of_sbuf.checker.initiator.bind(sbuf.socket);
    of_psum.checker.initiator.bind(psum.socket);
    of_csr.checker.initiator.bind(registers.socket);
    elaborate();
    system.bytes()[8] = 0x51;
    sbuf.bytes(1, 4, 1)[0] = 0x52;
    psum.bytes(127, 0x3FFF, 1)[0] = 0x53;
    sequencer.set_register(2, 0x54);
    const auto try_one = [](Arrow& arrow, std::uint64_t address, unsigned bytes,
                            std::uint32_t expected, bool early) {
        std::uint32_t value = 0;
        EXPECT_EQ(arrow.reader.read(address, &value, bytes),
                  early ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED);
        EXPECT_EQ(value, expected);
        if (early) {
            EXPECT_TRUE(arrow.reader.phases.empty());
        } else {
            EXPECT_THAT(arrow.reader.phases, testing::ElementsAre("END_REQ", "BEGIN_RESP"));
        }
        EXPECT_EQ(arrow.reader.pool.returned(), 1U);
        EXPECT_EQ(arrow.checker.violations(), 0U);
        EXPECT_EQ(arrow.checker.in_flight(), 0U);
    };
    const bool early = GetParam() == 0;
    try_one(of_system, 8, 4, 0x51, early);
    try_one(of_sbuf, 0x40004, 4, 0x52, early);
    try_one(of_psum, 127 * 0x8000 + 0x3FFF, 1, 0x53, early);
    try_one(of_csr, csr::registers_window + 8, 4, 0x54, false);  // its time has not come yet
}

TEST_P(NonBlockingDuties, KernelInfo) {
    SilentLog log;
    KernelInfoTable table("kernel_info", Generation::MARIANA, AluOp::MAX, log,
                          NonBlockingStyle::four_phases(GetParam()));
    NonBlockingReader reader("reader");
    reader.initiator.socket.bind(table.socket);
    elaborate();
    std::uint32_t opcode = 0;
    reader.read(0x80800, &opcode, 4);
    EXPECT_EQ(opcode, 0x30U);
    EXPECT_EQ(reader.phases.size(), GetParam() == 0 ? 0U : 2U);
    EXPECT_EQ(reader.pool.returned(), 1U);
}

// One DMI access costs what one blocking access does.
TEST(SystemMemoryDuties, DirectLatencyIsThatOfAnAccess) {
    SystemMemory system("system", 0x100, ns(12));
    Initiator initiator("initiator");
    initiator.socket.bind(system.socket);
    elaborate();
    std::uint32_t value = 0;
    initiator.read(0, &value, 4);
    tlm::tlm_dmi dmi;
    ASSERT_TRUE(initiator.direct_memory(0, dmi));
    EXPECT_EQ(dmi.get_read_latency(), initiator.delay);
    EXPECT_EQ(dmi.get_write_latency(), initiator.delay);
}

}  // namespace
}  // namespace dve::test
