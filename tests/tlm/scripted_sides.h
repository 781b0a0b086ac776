// The two ends of an arrow, each of whose answers a test sets for itself.
#pragma once

#include <tlm.h>
#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <functional>

#include "tlm/systemc_compat.h"

namespace dve::test {

using Payload = tlm::tlm_generic_payload;
using Phase = tlm::tlm_phase;
using Sync = tlm::tlm_sync_enum;
using Time = sc_core::sc_time;

class ScriptedTarget : public sc_core::sc_module {
public:
    tlm_utils::passthrough_target_socket<ScriptedTarget> socket;

    std::function<void(Payload&, Time&)> blocking = [](Payload& transaction, Time&) {
        transaction.set_response_status(tlm::TLM_OK_RESPONSE);
    };
    std::function<Sync(Payload&, Phase&, Time&)> forward = [](Payload&, Phase&, Time&) {
        return tlm::TLM_ACCEPTED;
    };
    std::function<bool(Payload&, tlm::tlm_dmi&)> direct = [this](Payload&, tlm::tlm_dmi& dmi) {
        dmi.set_dmi_ptr(storage);
        dmi.set_start_address(0);
        dmi.set_end_address(sizeof storage - 1);
        dmi.allow_read_write();
        return true;
    };
    std::function<unsigned(Payload&)> debug = [](Payload& transaction) {
        return transaction.get_data_length();
    };
    unsigned char storage[256] = {};

    explicit ScriptedTarget(sc_core::sc_module_name name) : sc_module(name), socket("socket") {
        socket.register_b_transport(this, &ScriptedTarget::b_transport);
        socket.register_nb_transport_fw(this, &ScriptedTarget::nb_transport_fw);
        socket.register_get_direct_mem_ptr(this, &ScriptedTarget::get_direct_mem_ptr);
        socket.register_transport_dbg(this, &ScriptedTarget::transport_dbg);
    }

    Sync backward(Payload& transaction, Phase phase, Time delay = {}) {
        return socket->nb_transport_bw(transaction, phase, delay);
    }

private:
    void b_transport(Payload& transaction, Time& delay) { blocking(transaction, delay); }
    Sync nb_transport_fw(Payload& transaction, Phase& phase, Time& delay) {
        return forward(transaction, phase, delay);
    }
    bool get_direct_mem_ptr(Payload& transaction, tlm::tlm_dmi& dmi) {
        return direct(transaction, dmi);
    }
    unsigned transport_dbg(Payload& transaction) { return debug(transaction); }
};

class ScriptedInitiator : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<ScriptedInitiator> socket;

    std::function<Sync(Payload&, Phase&, Time&)> backward = [](Payload&, Phase&, Time&) {
        return tlm::TLM_ACCEPTED;
    };

    explicit ScriptedInitiator(sc_core::sc_module_name name) : sc_module(name), socket("socket") {
        socket.register_nb_transport_bw(this, &ScriptedInitiator::nb_transport_bw);
        socket.register_invalidate_direct_mem_ptr(this, &ScriptedInitiator::invalidate);
    }

    Sync forward(Payload& transaction, Phase phase, Time delay = {}) {
        return socket->nb_transport_fw(transaction, phase, delay);
    }
    void blocking(Payload& transaction, Time delay = {}) {
        socket->b_transport(transaction, delay);
    }

private:
    Sync nb_transport_bw(Payload& transaction, Phase& phase, Time& delay) {
        return backward(transaction, phase, delay);
    }
    void invalidate(sc_dt::uint64, sc_dt::uint64) {}
};

}  // namespace dve::test
