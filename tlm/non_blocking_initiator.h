// A blocking call made of the four phases: for the threads of initiators in the approximate view.
#pragma once

#include <tlm.h>

#include <deque>
#include <functional>

#include "tlm/systemc_compat.h"

namespace dve {

/// One transaction at a time. Payloads are this object's own and memory-managed: one that a target
/// still refers to is not used again.
class NonBlockingInitiator : private tlm::tlm_mm_interface {
public:
    /// nb_transport_fw of the arrow.
    using Forward = std::function<tlm::tlm_sync_enum(tlm::tlm_generic_payload&, tlm::tlm_phase&,
                                                     sc_core::sc_time&)>;

    explicit NonBlockingInitiator(Forward forward) : forward_(std::move(forward)) {}
    NonBlockingInitiator(const NonBlockingInitiator&) = delete;
    NonBlockingInitiator& operator=(const NonBlockingInitiator&) = delete;

    /// Of the next transport(), to be filled before.
    tlm::tlm_generic_payload& payload();
    /// From a thread: returns when the response has come and its time is over.
    void transport();
    /// The initiator's nb_transport_bw.
    tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase,
                                sc_core::sc_time& delay);

private:
    /// The payload lives as long as its owner.
    void free(tlm::tlm_generic_payload*) override {}

    Forward forward_;
    std::deque<tlm::tlm_generic_payload> payloads_;
    tlm::tlm_generic_payload* payload_ = nullptr;
    sc_core::sc_event response_event_;
    bool waiting_ = false;
    sc_core::sc_time response_delay_;
};

}  // namespace dve
