// BEGIN_REQ, then whatever the target makes of it.
#include "tlm/non_blocking_initiator.h"

#include <algorithm>

namespace dve {

tlm::tlm_generic_payload& NonBlockingInitiator::payload() {
    if (payload_ == nullptr || payload_->get_ref_count() != 0) {
        const auto unused = std::find_if(
            payloads_.begin(), payloads_.end(),
            [](const tlm::tlm_generic_payload& each) { return each.get_ref_count() == 0; });
        tlm::tlm_mm_interface* const owner = this;
        payload_ = unused != payloads_.end() ? &*unused : &payloads_.emplace_back(owner);
    }
    return *payload_;
}

void NonBlockingInitiator::transport() {
    tlm::tlm_generic_payload& payload = *payload_;
    payload.acquire();
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    waiting_ = true;
    const tlm::tlm_sync_enum answer = forward_(payload, phase, delay);
    if (answer == tlm::TLM_COMPLETED) {
        waiting_ = false;
        sc_core::wait(delay);
    } else if (answer == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP) {
        waiting_ = false;
        sc_core::wait(delay);
        phase = tlm::END_RESP;
        delay = sc_core::SC_ZERO_TIME;
        forward_(payload, phase, delay);
    } else {
        while (waiting_) {
            sc_core::wait(response_event_);
        }
        sc_core::wait(response_delay_);
    }
    payload.release();
}

tlm::tlm_sync_enum NonBlockingInitiator::backward(tlm::tlm_generic_payload& transaction,
                                                  tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (&transaction != payload_ || phase != tlm::BEGIN_RESP) {
        return tlm::TLM_ACCEPTED;  // END_REQ: the target has taken it
    }
    response_delay_ = delay;
    waiting_ = false;
    response_event_.notify(sc_core::SC_ZERO_TIME);
    phase = tlm::END_RESP;
    return tlm::TLM_COMPLETED;
}

}  // namespace dve
