// Joins base-protocol sockets of different bus widths.
#pragma once

#include <tlm.h>

#include "tlm/systemc_compat.h"

namespace dve {

/// Bind it inline: initiator of IN bits -> bridge.target, bridge.initiator -> target of OUT bits.
/// Calls pass as they are in both directions: a generic payload holds bytes in the order of their
/// addresses on a little-endian host, whatever the width of the bus.
template <unsigned IN, unsigned OUT>
class BusWidthBridge : public sc_core::sc_module,
                       private tlm::tlm_fw_transport_if<>,
                       private tlm::tlm_bw_transport_if<> {
public:
    tlm::tlm_target_socket<IN> target;
    tlm::tlm_initiator_socket<OUT> initiator;

    explicit BusWidthBridge(sc_core::sc_module_name name)
        : sc_module(name), target("target"), initiator("initiator") {
        target.bind(*this);
        initiator.bind(*this);
    }

private:
    void b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) override {
        initiator->b_transport(transaction, delay);
    }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override {
        return initiator->nb_transport_fw(transaction, phase, delay);
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override {
        return target->nb_transport_bw(transaction, phase, delay);
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& dmi) override {
        return initiator->get_direct_mem_ptr(transaction, dmi);
    }
    unsigned transport_dbg(tlm::tlm_generic_payload& transaction) override {
        return initiator->transport_dbg(transaction);
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) override {
        target->invalidate_direct_mem_ptr(start, end);
    }
};

}  // namespace dve
