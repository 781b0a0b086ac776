// Several initiators in front of one loosely-timed target socket.
#pragma once

#include <tlm.h>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

/// Blocking and debug transport pass unchanged; direct memory is not offered.
class Join : public sc_core::sc_module {
public:
    tlm_utils::multi_passthrough_target_socket<Join> target;
    tlm_utils::simple_initiator_socket<Join> initiator;

    explicit Join(sc_core::sc_module_name name)
        : sc_module(name), target("target"), initiator("initiator") {
        target.register_b_transport(this, &Join::b_transport);
        target.register_transport_dbg(this, &Join::transport_dbg);
        target.register_get_direct_mem_ptr(this, &Join::get_direct_mem_ptr);
    }

private:
    void b_transport(int, tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) {
        initiator->b_transport(transaction, delay);
        transaction.set_dmi_allowed(false);
    }
    unsigned transport_dbg(int, tlm::tlm_generic_payload& transaction) {
        return initiator->transport_dbg(transaction);
    }
    bool get_direct_mem_ptr(int, tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& dmi) {
        dmi.set_start_address(transaction.get_address());
        dmi.set_end_address(transaction.get_address());
        dmi.allow_none();
        return false;
    }
};
