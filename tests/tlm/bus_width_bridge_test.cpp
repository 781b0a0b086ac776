// An engine between buses of 64 and 128 bits: every kind of call arrives on the other side.
#include "tlm/bus_width_bridge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include "platform/dve_engine.h"
#include "tests/isa/check_samples.h"
#include "tests/support/initiator.h"
#include "tests/tlm/checked_arrow.h"
#include "tlm/initiator_access.h"

namespace dve::test {
namespace {

class WideHost : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<WideHost, 64> socket{"socket"};
    std::vector<std::string> backward;

    explicit WideHost(sc_core::sc_module_name name) : sc_module(name) {
        socket.register_nb_transport_bw(this, &WideHost::nb_transport_bw);
        socket.register_invalidate_direct_mem_ptr(this, &WideHost::invalidate);
    }

private:
    Sync nb_transport_bw(Payload& transaction, Phase& phase, Time&) {
        backward.push_back(phase.get_name());
        if (phase == tlm::BEGIN_RESP) {
            transaction.release();
            return tlm::TLM_COMPLETED;
        }
        return tlm::TLM_ACCEPTED;
    }
    void invalidate(sc_dt::uint64 start, sc_dt::uint64 end) {
        backward.push_back("invalidate " + std::to_string(start) + ".." + std::to_string(end));
    }
};

class WideMemory : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<WideMemory, 128> socket{"socket"};
    std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(0x1000);

    explicit WideMemory(sc_core::sc_module_name name) : sc_module(name) {
        socket.register_b_transport(this, &WideMemory::b_transport);
    }

private:
    void b_transport(Payload& transaction, Time&) {
        std::memcpy(transaction.get_data_ptr(), bytes.data() + transaction.get_address(),
                    transaction.get_data_length());
        transaction.set_response_status(tlm::TLM_OK_RESPONSE);
    }
};

TEST(BusWidthBridge, PassesEveryCall) {
    ScriptedTarget target("target");
    BusWidthBridge<64, 32> bridge("bridge");
    WideHost host("host");
    host.socket.bind(bridge.target);
    bridge.initiator.bind(target.socket);
    elaborate();
    PayloadPool pool;
    std::uint32_t value = 0;
    Payload& transaction = pool.take();
    const auto fill = [&] {
        prepare(transaction, tlm::TLM_READ_COMMAND, 16, reinterpret_cast<unsigned char*>(&value),
                4);
    };
    fill();
    target.blocking = [](Payload& payload, Time& delay) {
        delay += ns(7);
        payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    };
    Time delay;
    host.socket->b_transport(transaction, delay);
    EXPECT_EQ(delay, ns(7));
    EXPECT_EQ(transaction.get_response_status(), tlm::TLM_BURST_ERROR_RESPONSE);

    fill();
    tlm::tlm_dmi dmi;
    EXPECT_TRUE(host.socket->get_direct_mem_ptr(transaction, dmi));
    EXPECT_EQ(dmi.get_dmi_ptr(), target.storage);
    target.socket->invalidate_direct_mem_ptr(3, 9);
    EXPECT_EQ(host.socket->transport_dbg(transaction), 4U);

    fill();
    Phase phase = tlm::BEGIN_REQ;
    delay = {};
    EXPECT_EQ(host.socket->nb_transport_fw(transaction, phase, delay), tlm::TLM_ACCEPTED);
    target.backward(transaction, tlm::END_REQ);
    transaction.set_response_status(tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(target.backward(transaction, tlm::BEGIN_RESP), tlm::TLM_COMPLETED);
    EXPECT_THAT(host.backward, testing::ElementsAre("invalidate 3..9", "END_REQ", "BEGIN_RESP"));
    EXPECT_EQ(pool.taken(), pool.returned());
}

TEST(BusWidthBridge, ARunBetweenWideBuses) {
    SilentLog log;
    DveEngine engine(
        "engine", Configuration::defaults(Generation::MARIANA, SemanticsProfile::REFERENCE), log);
    WideHost csr("csr");
    WideHost memory("memory");
    WideMemory program("program");
    BusWidthBridge<64, 32> csr_bridge("csr_bridge");
    BusWidthBridge<64, 32> memory_bridge("memory_bridge");
    BusWidthBridge<32, 128> fetch_bridge("fetch_bridge");
    sc_core::sc_signal<bool> irq("irq");
    csr.socket.bind(csr_bridge.target);
    csr_bridge.initiator.bind(engine.csr);
    memory.socket.bind(memory_bridge.target);
    memory_bridge.initiator.bind(engine.memory);
    engine.fetch.bind(fetch_bridge.target);
    fetch_bridge.initiator.bind(program.socket);
    engine.irq.bind(irq);
    elaborate();
    const Record record = legal_record(0xA4);
    std::memcpy(program.bytes.data(), record.bytes.data(), record_bytes);
    for (const auto& [offset, number] : {std::pair{csr::PROGRAM_BYTES, std::uint32_t{record_bytes}},
                                         std::pair{csr::START, csr::value::START_PROGRAM}}) {
        std::uint32_t value = number;
        Payload transaction;
        prepare(transaction, tlm::TLM_WRITE_COMMAND, offset,
                reinterpret_cast<unsigned char*>(&value), 4);
        Time delay;
        csr.socket->b_transport(transaction, delay);
        EXPECT_TRUE(transaction.is_response_ok());
    }
    sc_core::sc_start();
    EXPECT_EQ(engine.sequencer().state(), RunState::HALTED);
    EXPECT_EQ(engine.sequencer().retired(), 1U);
}

}  // namespace
}  // namespace dve::test
