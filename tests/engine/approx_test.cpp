// The approximate view at the engine's borders: four phases, back-pressure, time of the buses.
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <memory>

#include "platform/dve_engine.h"
#include "platform/system_memory.h"
#include "tests/isa/check_samples.h"
#include "tests/support/initiator.h"
#include "tests/tlm/scripted_sides.h"
#include "tlm/initiator_access.h"
#include "tlm/non_blocking_initiator.h"
#include "tlm/protocol_checker.h"

namespace dve::test {
namespace {

/// A master that works in phases, one access after the other, behind a protocol checker.
class Master : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<Master> socket;
    ProtocolChecker checker;

    explicit Master(sc_core::sc_module_name name)
        : sc_module(name),
          socket("socket"),
          checker("checker"),
          phases_([this](tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase,
                         sc_core::sc_time& delay) {
              return socket->nb_transport_fw(transaction, phase, delay);
          }) {
        socket.bind(checker.target);
        socket.register_nb_transport_bw(this, &Master::answered);
        DVE_HAS_PROCESS(Master);
        SC_THREAD(run);
    }

    struct Access {
        bool write;
        std::uint64_t address;
        std::uint32_t value;  ///< read: what came
        tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
        sc_core::sc_time begin = sc_core::SC_ZERO_TIME;
        sc_core::sc_time end = sc_core::SC_ZERO_TIME;
    };
    std::vector<Access> accesses;
    std::vector<tlm::tlm_phase> seen;

private:
    void run() {
        for (Access& access : accesses) {
            access.begin = sc_core::sc_time_stamp();
            tlm::tlm_generic_payload& payload = phases_.payload();
            prepare(payload, access.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND,
                    access.address, &access.value, sizeof access.value);
            phases_.transport();
            access.status = payload.get_response_status();
            access.end = sc_core::sc_time_stamp();
        }
    }
    tlm::tlm_sync_enum answered(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase,
                                sc_core::sc_time& delay) {
        seen.push_back(phase);
        return phases_.backward(transaction, phase, delay);
    }

    NonBlockingInitiator phases_;
};

class Approx : public testing::Test {
protected:
    void build(sc_core::sc_time program_latency = sc_core::SC_ZERO_TIME) {
        build_without_program();
        program = std::make_unique<SystemMemory>("program", 0x1000, program_latency,
                                                 non_blocking_style(engine->configuration()));
        engine->fetch.bind(program->socket);
    }
    void build_without_program() {
        Configuration configuration =
            Configuration::defaults(Generation::MARIANA, SemanticsProfile::REFERENCE);
        configuration.mode = TimingMode::APPROX;
        engine = std::make_unique<DveEngine>("engine", configuration, log);
        csr = std::make_unique<Master>("csr_master");
        memory = std::make_unique<Master>("memory_master");
        csr->checker.initiator.bind(engine->csr);
        memory->checker.initiator.bind(engine->memory);
        engine->irq.bind(irq);
    }
    void start(const Record& record) {
        std::memcpy(program->bytes().data(), record.bytes.data(), record_bytes);
        csr->accesses.push_back({true, csr::PROGRAM_BYTES, record_bytes});
        csr->accesses.push_back({true, csr::START, 1});
    }
    void check_protocol() {
        EXPECT_EQ(csr->checker.violations(), 0U);
        EXPECT_EQ(memory->checker.violations(), 0U);
        EXPECT_EQ(csr->checker.in_flight() + memory->checker.in_flight(), 0U);
    }

    SilentLog log;
    sc_core::sc_signal<bool> irq{"irq"};
    std::unique_ptr<DveEngine> engine;
    std::unique_ptr<SystemMemory> program;
    std::unique_ptr<Master> csr;
    std::unique_ptr<Master> memory;
};

TEST_F(Approx, CsrAndMemoryAnswerInFourPhases) {
    build();
    csr->accesses = {{true, csr::registers_window + 20, 0xCAFE},
                     {false, csr::registers_window + 20, 0},
                     {false, 0x0FFC, 0}};
    memory->accesses = {{true, 0x40, 0x12345678}, {false, 0x40, 0}};
    sc_core::sc_start();
    EXPECT_EQ(engine->sequencer().register_value(5), 0xCAFEU);
    EXPECT_EQ(csr->accesses[1].value, 0xCAFEU);
    EXPECT_EQ(csr->accesses[2].status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(memory->accesses[1].value, 0x12345678U);
    EXPECT_EQ(csr->seen.size(), 6U);  // END_REQ and BEGIN_RESP of each
    EXPECT_EQ(memory->seen, (std::vector<tlm::tlm_phase>{tlm::END_REQ, tlm::BEGIN_RESP,
                                                         tlm::END_REQ, tlm::BEGIN_RESP}));
    // Four bytes through a port of eight: a cycle each.
    EXPECT_EQ(memory->accesses[1].end, cycle_time(engine->configuration()) * 2);
    check_protocol();
}

TEST_F(Approx, ARunIsWhatItIsLoosely) {
    build();
    start(legal_record(0x43));
    sc_core::sc_start();
    EXPECT_EQ(engine->sequencer().state(), RunState::HALTED);
    EXPECT_EQ(engine->sequencer().total_cycles(), 3 + 64 + 96);
    check_protocol();
}

TEST_F(Approx, ASlowProgramMemoryDelaysTheFirstDecode) {
    build(cycle_time(Configuration::defaults(Generation::MARIANA, SemanticsProfile::REFERENCE)) *
          100);
    start(legal_record(0x43));
    sc_core::sc_start();
    // Decoded one cycle behind the response, instead of one behind the fetch cycle.
    EXPECT_EQ(engine->sequencer().total_cycles(), 100 + 1 + 1 + 64 + 96);
    check_protocol();
}

// Reads of records and writes of notifications alike.
TEST_F(Approx, FetchCallsInPhasesOnly) {
    build_without_program();
    ScriptedTarget target("target");
    std::vector<std::uint8_t> bytes(0x400);
    std::vector<std::string> calls;
    target.blocking = [](Payload&, Time&) { ADD_FAILURE() << "b_transport"; };
    target.forward = [&](Payload& transaction, Phase&, Time& delay) {
        calls.push_back(transaction.is_write() ? "write" : "read");
        std::uint8_t* place = bytes.data() + transaction.get_address();
        if (transaction.is_write()) {
            std::memcpy(place, transaction.get_data_ptr(), transaction.get_data_length());
        } else {
            std::memcpy(transaction.get_data_ptr(), place, transaction.get_data_length());
        }
        transaction.set_response_status(tlm::TLM_OK_RESPONSE);
        delay += cycle_time(engine->configuration()) * 10;
        return tlm::TLM_COMPLETED;
    };
    engine->fetch.bind(target.socket);
    const Record records[] = {legal_record(0xA6), legal_record(0x43)};
    std::memcpy(bytes.data(), records, sizeof records);
    csr->accesses = {{true, csr::NOTIFICATION_BASE_LO, 0x200},
                     {true, csr::NOTIFICATION_ENTRIES, 4},
                     {true, csr::PROGRAM_BYTES, sizeof records},
                     {true, csr::START, 1}};
    sc_core::sc_start();
    EXPECT_EQ(engine->sequencer().state(), RunState::HALTED);
    EXPECT_EQ(calls, (std::vector<std::string>{"read", "write"}));
    EXPECT_EQ(bytes[0x200], 0xA6);
    check_protocol();
}

}  // namespace
}  // namespace dve::test
