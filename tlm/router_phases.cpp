// Non-blocking phases through the router.
#include <algorithm>

#include "tlm/router.h"
#include "tlm/target_access.h"

namespace dve {

tlm::tlm_sync_enum Router::nb_transport_fw(tlm::tlm_generic_payload& transaction,
                                           tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase == tlm::BEGIN_REQ) {
        return begin_request(transaction, phase, delay);
    }
    const auto found = crossings_.find(&transaction);
    if (found == crossings_.end()) {
        return tlm::TLM_ACCEPTED;
    }
    const int to = found->second.window;
    if (phase != tlm::END_RESP) {
        return initiator[to]->nb_transport_fw(transaction, phase, delay);
    }
    end_response(delay);
    const tlm::tlm_sync_enum answer = initiator[to]->nb_transport_fw(transaction, phase, delay);
    end(transaction);
    return answer;
}

tlm::tlm_sync_enum Router::begin_request(tlm::tlm_generic_payload& transaction,
                                         tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    const std::uint64_t address = transaction.get_address();
    const Window* to = find(address, touched_bytes(transaction));
    if (to == nullptr) {
        transaction.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return tlm::TLM_COMPLETED;
    }
    crossings_[&transaction] = {to->number, address, {}};
    if (transaction.has_mm()) {
        transaction.acquire();
    }
    // The target may look at the address until it responds.
    transaction.set_address(address - to->offset);
    const tlm::tlm_sync_enum answer =
        initiator[to->number]->nb_transport_fw(transaction, phase, delay);
    if (answer == tlm::TLM_COMPLETED) {
        transaction.set_address(address);
        end(transaction);
    } else if (answer == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP) {
        transaction.set_address(address);
        if (response_may_pass()) {
            responding_ = true;
        } else {
            queue_response(transaction, delay);
            phase = tlm::END_REQ;
        }
    } else if (answer == tlm::TLM_ACCEPTED) {
        // It may have responded from within the call: the response queues, the request has ended.
        const auto found = crossings_.find(&transaction);
        if (found != crossings_.end() && found->second.queues && !found->second.request_ended) {
            phase = tlm::END_REQ;
            return tlm::TLM_UPDATED;
        }
    }
    return answer;
}

tlm::tlm_sync_enum Router::nb_transport_bw(int, tlm::tlm_generic_payload& transaction,
                                           tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    const auto found = crossings_.find(&transaction);
    if (found == crossings_.end()) {
        return tlm::TLM_ACCEPTED;
    }
    if (phase != tlm::BEGIN_RESP) {
        found->second.request_ended |= phase == tlm::END_REQ;
        return target->nb_transport_bw(transaction, phase, delay);
    }
    transaction.set_address(found->second.address);
    if (!response_may_pass()) {
        queue_response(transaction, delay);
        return tlm::TLM_ACCEPTED;
    }
    responding_ = true;
    const tlm::tlm_sync_enum answer = target->nb_transport_bw(transaction, phase, delay);
    if (answer != tlm::TLM_ACCEPTED) {  // END_RESP came with the return
        end_response(delay);
        end(transaction);
    }
    return answer;
}

bool Router::response_may_pass() const {
    return !responding_ && responses_.empty() && response_ended_ <= sc_core::sc_time_stamp();
}

void Router::queue_response(tlm::tlm_generic_payload& transaction, const sc_core::sc_time& delay) {
    Crossing& crossing = crossings_[&transaction];
    crossing.ready = sc_core::sc_time_stamp() + delay;
    crossing.queues = true;
    responses_.push_back(&transaction);
    queue_event_.notify(sc_core::SC_ZERO_TIME);
}

/// Sends what queues, one after the other; a response ends before the next begins.
void Router::send_queued() {
    while (!responding_ && !responses_.empty()) {
        tlm::tlm_generic_payload& transaction = *responses_.front();
        const Crossing crossing = crossings_[&transaction];
        const sc_core::sc_time from = std::max(crossing.ready, response_ended_);
        if (from > sc_core::sc_time_stamp()) {
            queue_event_.notify(from - sc_core::sc_time_stamp());
            return;
        }
        responses_.pop_front();
        responding_ = true;
        tlm::tlm_phase phase = tlm::BEGIN_RESP;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        if (target->nb_transport_bw(transaction, phase, delay) == tlm::TLM_ACCEPTED) {
            continue;  // END_RESP comes later, or came meanwhile
        }
        end_response(delay);
        phase = tlm::END_RESP;
        initiator[crossing.window]->nb_transport_fw(transaction, phase, delay);
        end(transaction);
    }
}

void Router::end_response(const sc_core::sc_time& delay) {
    responding_ = false;
    response_ended_ = sc_core::sc_time_stamp() + delay;
    if (!responses_.empty()) {
        queue_event_.notify(delay);
    }
}

void Router::end(tlm::tlm_generic_payload& transaction) {
    crossings_.erase(&transaction);
    if (transaction.has_mm()) {
        transaction.release();
    }
}

}  // namespace dve
