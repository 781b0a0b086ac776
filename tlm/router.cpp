// Blocking, DMI and debug calls: address translation and DMI narrowing.
#include "tlm/router.h"

#include <algorithm>
#include <sstream>
#include <string>

#include "tlm/target_access.h"

namespace dve {

Router::Router(sc_core::sc_module_name name)
    : sc_module(name), target("target"), initiator("initiator") {
    target.bind(*this);
    initiator.register_nb_transport_bw(this, &Router::nb_transport_bw);
    initiator.register_invalidate_direct_mem_ptr(this, &Router::invalidate);
    DVE_HAS_PROCESS(Router);
    SC_METHOD(send_queued);
    sensitive << queue_event_;
    dont_initialize();
}

void Router::map(std::uint64_t base, std::uint64_t bytes, bool keep_address) {
    std::ostringstream problem;
    problem << std::hex << "window of 0x" << bytes << " bytes at 0x" << base;
    if (resolved_) {
        problem << " after elaboration; legal: before";
    } else if (bytes == 0 || bytes - 1 > ~std::uint64_t{0} - base) {
        problem << "; legal: one byte at least, up to the end of the address space";
    } else {
        for (const Window& other : windows_) {
            if (base <= other.base + (other.bytes - 1) && other.base <= base + (bytes - 1)) {
                problem << " overlaps the one at 0x" << other.base;
                SC_REPORT_ERROR("dve/router", problem.str().c_str());
                return;
            }
        }
        const int number = static_cast<int>(windows_.size());
        windows_.push_back({base, bytes, keep_address ? 0 : base, number, nullptr});
        return;
    }
    SC_REPORT_ERROR("dve/router", problem.str().c_str());
}

/// The sockets below know their targets by now, before anybody's end_of_elaboration.
void Router::before_end_of_elaboration() {
    if (windows_.size() != initiator.size()) {
        const std::string counts = std::to_string(windows_.size()) + " windows for " +
                                   std::to_string(initiator.size()) + " bindings of " +
                                   initiator.name();
        SC_REPORT_ERROR("dve/router", counts.c_str());
        return;
    }
    for (Window& window : windows_) {
        window.blocking = initiator[window.number];
    }
    resolved_ = true;
}

const Router::Window* Router::find(std::uint64_t address, std::uint64_t bytes) const {
    if (!resolved_) {
        return nullptr;
    }
    for (const Window& window : windows_) {
        const std::uint64_t offset = address - window.base;  // huge below the base
        if (offset < window.bytes && bytes <= window.bytes - offset) {
            return &window;
        }
    }
    return nullptr;
}

void Router::b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) {
    const std::uint64_t address = transaction.get_address();
    const Window* to = find(address, touched_bytes(transaction));
    if (to == nullptr) {
        transaction.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return;
    }
    if (to->offset == 0) {  // nothing to translate, nothing to restore
        to->blocking->b_transport(transaction, delay);
        return;
    }
    transaction.set_address(address - to->offset);
    to->blocking->b_transport(transaction, delay);
    transaction.set_address(address);
}

bool Router::get_direct_mem_ptr(tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& dmi) {
    const std::uint64_t address = transaction.get_address();
    const Window* to = find(address, 1);
    if (to == nullptr) {
        return refuse_direct_access(transaction, dmi);
    }
    transaction.set_address(address - to->offset);
    const bool granted = initiator[to->number]->get_direct_mem_ptr(transaction, dmi);
    transaction.set_address(address);
    const std::uint64_t start = dmi.get_start_address();
    const std::uint64_t low = std::max(start, to->first());
    const std::uint64_t high = std::min<std::uint64_t>(dmi.get_end_address(), to->last());
    if (granted) {
        dmi.set_dmi_ptr(dmi.get_dmi_ptr() + (low - start));
    }
    dmi.set_start_address(low + to->offset);
    dmi.set_end_address(high + to->offset);
    return granted;
}

unsigned Router::transport_dbg(tlm::tlm_generic_payload& transaction) {
    const std::uint64_t address = transaction.get_address();
    const Window* to = find(address, transaction.get_data_length());
    if (to == nullptr) {
        return 0;
    }
    transaction.set_address(address - to->offset);
    const unsigned count = initiator[to->number]->transport_dbg(transaction);
    transaction.set_address(address);
    return count;
}

void Router::invalidate(int id, sc_dt::uint64 start, sc_dt::uint64 end) {
    const Window& window = windows_[static_cast<std::size_t>(id)];
    const std::uint64_t low = std::max<std::uint64_t>(start, window.first());
    const std::uint64_t high = std::min<std::uint64_t>(end, window.last());
    if (low > high) {
        return;
    }
    target->invalidate_direct_mem_ptr(low + window.offset, high + window.offset);
}

}  // namespace dve
