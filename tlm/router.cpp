// Blocking, DMI and debug calls: address translation and DMI narrowing.
#include "tlm/router.h"

#include <algorithm>

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
    windows_.push_back({base, bytes, keep_address});
}

int Router::find(std::uint64_t address, std::uint64_t bytes) const {
    for (std::size_t i = 0; i < windows_.size(); ++i) {
        const Window& window = windows_[i];
        if (address >= window.base && address - window.base < window.bytes &&
            bytes <= window.bytes - (address - window.base)) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

void Router::b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) {
    const std::uint64_t address = transaction.get_address();
    const int to = find(address, touched_bytes(transaction));
    if (to < 0) {
        transaction.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return;
    }
    transaction.set_address(address - windows_[static_cast<std::size_t>(to)].offset());
    initiator[to]->b_transport(transaction, delay);
    transaction.set_address(address);
}

bool Router::get_direct_mem_ptr(tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& dmi) {
    const std::uint64_t address = transaction.get_address();
    const int to = find(address, 1);
    if (to < 0) {
        dmi.set_start_address(address);
        dmi.set_end_address(address);
        dmi.allow_none();
        return false;
    }
    const Window& window = windows_[static_cast<std::size_t>(to)];
    transaction.set_address(address - window.offset());
    const bool granted = initiator[to]->get_direct_mem_ptr(transaction, dmi);
    transaction.set_address(address);
    const std::uint64_t start = dmi.get_start_address();
    const std::uint64_t low = std::max(start, window.first());
    const std::uint64_t high = std::min<std::uint64_t>(dmi.get_end_address(), window.last());
    if (granted) {
        dmi.set_dmi_ptr(dmi.get_dmi_ptr() + (low - start));
    }
    dmi.set_start_address(low + window.offset());
    dmi.set_end_address(high + window.offset());
    return granted;
}

unsigned Router::transport_dbg(tlm::tlm_generic_payload& transaction) {
    const std::uint64_t address = transaction.get_address();
    const int to = find(address, transaction.get_data_length());
    if (to < 0) {
        return 0;
    }
    transaction.set_address(address - windows_[static_cast<std::size_t>(to)].offset());
    const unsigned count = initiator[to]->transport_dbg(transaction);
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
    target->invalidate_direct_mem_ptr(low + window.offset(), high + window.offset());
}

}  // namespace dve
