// The registration table: slots, published addresses, re-registration (isa_wire_format 7).
#include "models/kernel_info/kernel_info_table.h"

#include <gtest/gtest.h>

#include <memory>

#include "models/seq/sequencer.h"
#include "platform/system_memory.h"
#include "tests/isa/check_samples.h"
#include "tests/support/initiator.h"
#include "tests/support/monitor.h"
#include "tlm/initiator_access.h"

namespace dve::test {
namespace {

struct SpecTable {
    Generation generation;
    std::uint32_t base;
    unsigned first;
    std::uint32_t default_target;
};
constexpr SpecTable spec_tables[] = {{Generation::SUNDA, 0x80814, 0x41, 0x3207},
                                     {Generation::CAYMAN, 0x80814, 0x41, 0x3207},
                                     {Generation::MARIANA, 0x80800, 0x30, 0x31E3},
                                     {Generation::MARIANA_PLUS, 0x80800, 0x30, 0x31E3},
                                     {Generation::MAVERICK, 0x80820, 0x30, 0x2F90}};
constexpr unsigned last = 0xEA;

struct PublishedWorker {
    Generation generation;
    unsigned opcode;
    std::uint32_t address;
};
constexpr PublishedWorker published_workers[] = {
    {Generation::MARIANA, 0x43, 0xA040},      {Generation::MARIANA, 0x53, 0xA1A8},
    {Generation::MARIANA, 0x44, 0xA298},      {Generation::MARIANA, 0x54, 0xA310},
    {Generation::MARIANA, 0x9D, 0xB0F8},      {Generation::MARIANA, 0x9E, 0xB23C},
    {Generation::MARIANA, 0xE5, 0xD2FC},      {Generation::MARIANA_PLUS, 0x43, 0xA040},
    {Generation::MARIANA_PLUS, 0x9D, 0xB0F8}, {Generation::MARIANA_PLUS, 0xE5, 0xD2FC},
    {Generation::CAYMAN, 0x43, 0x9C28},       {Generation::CAYMAN, 0x44, 0x9EF8},
    {Generation::CAYMAN, 0x54, 0x9F70},       {Generation::CAYMAN, 0x9D, 0xAC08},
    {Generation::CAYMAN, 0x9E, 0xAD48},       {Generation::CAYMAN, 0x9B, 0xCB28},
    {Generation::MAVERICK, 0x43, 0x9C61},     {Generation::MAVERICK, 0x44, 0x9F29},
    {Generation::MAVERICK, 0x9D, 0xAD84},     {Generation::MAVERICK, 0x9E, 0xAF00}};

struct TableBench {
    explicit TableBench(const SpecTable& expected)
        : spec(expected),
          table(sc_core::sc_gen_unique_name("table"), expected.generation, AluOp::ADD, log),
          host(sc_core::sc_gen_unique_name("host")) {
        host.socket.bind(table.socket);
    }
    std::uint64_t slot(unsigned opcode) const { return spec.base + 16 * (opcode - spec.first); }
    std::uint32_t word(std::uint64_t address) {
        std::uint32_t value = 0xEEEEEEEE;
        EXPECT_EQ(host.read(address, &value, 4), tlm::TLM_OK_RESPONSE);
        return value;
    }
    std::uint32_t worker(unsigned opcode) { return word(slot(opcode) + 12); }

    SpecTable spec;
    SilentLog log;
    KernelInfoTable table;
    Initiator host;
};

std::vector<std::unique_ptr<TableBench>> all_tables() {
    std::vector<std::unique_ptr<TableBench>> tables;
    for (const SpecTable& spec : spec_tables) {
        tables.push_back(std::make_unique<TableBench>(spec));
    }
    elaborate();
    return tables;
}

TEST(KernelInfo, PublishedWorkerAddresses) {
    for (auto& bench : all_tables()) {
        unsigned checked = 0;
        for (const PublishedWorker& worker : published_workers) {
            if (worker.generation == bench->spec.generation) {
                EXPECT_EQ(bench->worker(worker.opcode), worker.address)
                    << std::hex << worker.opcode;
                ++checked;
            }
        }
        EXPECT_TRUE(checked > 0 || bench->spec.generation == Generation::SUNDA);
    }
}

TEST(KernelInfo, SlotsNameTheirOpcodeAndUnregisteredOnesTheDefault) {
    for (auto& bench : all_tables()) {
        std::vector<unsigned> registered;
        for (unsigned opcode = bench->spec.first; opcode <= last; ++opcode) {
            EXPECT_EQ(bench->word(bench->slot(opcode)), opcode);
            if (bench->worker(opcode) != bench->spec.default_target) {
                registered.push_back(opcode);
            }
        }
        for (const unsigned opcode : {0x43, 0x53, 0x9B, 0x9D, 0x9E, 0xE5}) {
            EXPECT_NE(std::find(registered.begin(), registered.end(), opcode), registered.end());
        }
        // Not maintained, so not wired on SUNDA (decisions 4).
        for (const unsigned opcode : {0x44, 0x54}) {
            EXPECT_EQ(bench->worker(opcode) == bench->spec.default_target,
                      bench->spec.generation == Generation::SUNDA);
        }
        for (const unsigned opcode : {0x45, 0x46, 0x9C, 0xA1, 0xC1, 0xDF, 0xE7}) {
            EXPECT_EQ(bench->worker(opcode), bench->spec.default_target);
        }
        // The operator of the prefix: ADD is code 04.
        EXPECT_EQ(bench->word(bench->slot(0xE5) + 8), 0x04U);
        EXPECT_EQ(bench->word(bench->slot(0x43) + 8), 0U);
    }
}

TEST(KernelInfo, WorkersOfAGenerationHaveAddressesOfTheirOwn) {
    for (auto& bench : all_tables()) {
        std::vector<std::uint32_t> addresses;
        for (const unsigned opcode : {0x43, 0x53, 0x9B, 0x9D, 0x9E, 0xE5}) {
            addresses.push_back(bench->worker(opcode));
        }
        std::sort(addresses.begin(), addresses.end());
        EXPECT_EQ(std::adjacent_find(addresses.begin(), addresses.end()), addresses.end());
    }
}

TEST(KernelInfo, RangeAndProtocol) {
    for (auto& bench : all_tables()) {
        std::uint32_t value = 0;
        const std::uint64_t end = bench->slot(last) + 16;
        for (const std::uint64_t address : {std::uint64_t{bench->spec.base} - 4, end, end - 2,
                                            std::uint64_t{0}, ~std::uint64_t{0}}) {
            EXPECT_EQ(bench->host.read(address, &value, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
            EXPECT_EQ(bench->host.write(address, &value, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        }
        EXPECT_EQ(bench->host.read(end - 4, &value, 4), tlm::TLM_OK_RESPONSE);
        EXPECT_FALSE(bench->host.dmi_hint);
        tlm::tlm_dmi dmi;
        EXPECT_FALSE(bench->host.direct_memory(bench->spec.base, dmi));
        std::uint8_t bytes[8];
        EXPECT_EQ(bench->host.debug(tlm::TLM_READ_COMMAND, end - 4, bytes, 8), 4U);
        EXPECT_EQ(bench->host.debug(tlm::TLM_READ_COMMAND, end, bytes, 8), 0U);
    }
}

TEST(KernelInfo, RegistrationIsAWriteAndBootUndoesIt) {
    TableBench bench(spec_tables[2]);
    elaborate();
    const std::uint32_t worker = 0x1234;
    EXPECT_EQ(bench.host.write(bench.slot(0x45) + 12, &worker, 4), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bench.worker(0x45), 0x1234U);
    EXPECT_EQ(bench.worker(0x46), 0x31E3U);
    bench.table.boot();
    EXPECT_EQ(bench.worker(0x45), 0x31E3U);
}

/// Keeps what the sequencer dispatches; answers times that follow from the request.
class RecordingDatapath : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<RecordingDatapath> dispatch;
    struct Call {
        std::uint64_t worker;
        std::uint32_t flags;
        std::vector<std::uint8_t> record;
        std::uint32_t register3;
        bool begins_run;
    };
    std::vector<Call> calls;

    explicit RecordingDatapath(sc_core::sc_module_name name)
        : sc_module(name), dispatch("dispatch") {
        dispatch.register_b_transport(this, &RecordingDatapath::b_transport);
    }

private:
    void b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time&) {
        auto* extension = transaction.get_extension<DispatchExtension>();
        ASSERT_NE(extension, nullptr);
        ASSERT_TRUE(transaction.is_write());
        const std::uint8_t* data = transaction.get_data_ptr();
        calls.push_back({transaction.get_address(),
                         extension->kernel_info_flags,
                         {data, data + transaction.get_data_length()},
                         extension->registers[3],
                         extension->begins_run});
        extension->start_cycle = extension->ready_cycle;
        extension->read_done_cycle = extension->ready_cycle + 10;
        extension->end_cycle = extension->ready_cycle + 20;
        transaction.set_response_status(tlm::TLM_OK_RESPONSE);
    }
};

TEST(Dispatch, LooksTheWorkerUpForEveryRecord) {
    SilentLog log;
    Sequencer sequencer("seq", IsaConfiguration::for_generation(Generation::MARIANA), {},
                        sc_core::sc_time(1, sc_core::SC_NS), log);
    KernelInfoTable table("kernel_info", Generation::MARIANA, AluOp::MAX, log);
    Monitor monitor("monitor");
    SystemMemory system("system", 0x1000);
    RecordingDatapath datapath("datapath");
    sequencer.kernel_info.bind(monitor.target);
    monitor.initiator.bind(table.socket);
    sequencer.fetch.bind(system.socket);
    sequencer.dispatch.bind(datapath.dispatch);
    elaborate();

    const Record scan = legal_record(0xE5);
    const Record scalar = legal_record(0x43);
    std::copy(scan.bytes.begin(), scan.bytes.end(), system.bytes().begin());
    std::copy(scalar.bytes.begin(), scalar.bytes.end(), system.bytes().begin() + 64);
    sequencer.set_register(3, 0xABCD);
    sequencer.start(0, 128);
    sc_core::sc_start();
    ASSERT_EQ(sequencer.state(), RunState::HALTED);
    ASSERT_EQ(datapath.calls.size(), 2U);
    EXPECT_EQ(datapath.calls[0].worker, 0xD2FCU);
    EXPECT_EQ(datapath.calls[0].flags, 0x08U);  // MAX
    EXPECT_TRUE(std::equal(scan.bytes.begin(), scan.bytes.end(), datapath.calls[0].record.begin()));
    EXPECT_EQ(datapath.calls[0].register3, 0xABCDU);
    EXPECT_TRUE(datapath.calls[0].begins_run);
    EXPECT_EQ(datapath.calls[1].worker, 0xA040U);
    EXPECT_EQ(datapath.calls[1].flags, 0U);
    EXPECT_FALSE(datapath.calls[1].begins_run);
    EXPECT_EQ(monitor.reads, 2U);

    // A registration is seen by the next look-up.
    std::uint32_t words[2] = {0x06, 0x7777};
    tlm::tlm_generic_payload registration;
    prepare(registration, tlm::TLM_WRITE_COMMAND, 0x80800 + 16 * (0xE5 - 0x30) + 8, words, 8);
    sc_core::sc_time delay;
    monitor.initiator->b_transport(registration, delay);
    ASSERT_TRUE(registration.is_response_ok());
    sequencer.start(0, 64);
    sc_core::sc_start();
    ASSERT_EQ(datapath.calls.size(), 3U);
    EXPECT_EQ(datapath.calls[2].worker, 0x7777U);
    EXPECT_EQ(datapath.calls[2].flags, 0x06U);
    EXPECT_TRUE(datapath.calls[2].begins_run);
}

}  // namespace
}  // namespace dve::test
