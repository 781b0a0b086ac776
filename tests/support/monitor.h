// A pass-through between two sockets that counts, denies DMI and answers errors on demand.
#pragma once

#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>

#include "tlm/systemc_compat.h"

namespace dve::test {

class Monitor : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<Monitor> target;
    tlm_utils::simple_initiator_socket<Monitor> initiator;

    bool allow_dmi = false;
    bool fail_reads = false;
    bool fail_writes = false;
    std::uint64_t reads = 0;
    std::uint64_t writes = 0;
    std::uint64_t dmi_requests = 0;

    explicit Monitor(sc_core::sc_module_name name)
        : sc_module(name), target("target"), initiator("initiator") {
        target.register_b_transport(this, &Monitor::b_transport);
        target.register_get_direct_mem_ptr(this, &Monitor::get_direct_mem_ptr);
    }

    /// Takes a grant back, as a target does when its mapping changes.
    void invalidate(std::uint64_t start, std::uint64_t end) {
        target->invalidate_direct_mem_ptr(start, end);
    }

private:
    void b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) {
        (transaction.is_write() ? writes : reads) += 1;
        if (transaction.is_write() ? fail_writes : fail_reads) {
            transaction.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
            return;
        }
        initiator->b_transport(transaction, delay);
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& dmi) {
        ++dmi_requests;
        return allow_dmi && initiator->get_direct_mem_ptr(transaction, dmi);
    }
};

}  // namespace dve::test
