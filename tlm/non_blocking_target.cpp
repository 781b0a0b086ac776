// Requests, back-pressure and responses in time.
#include "tlm/non_blocking_target.h"

#include <algorithm>
#include <utility>

namespace dve {

NonBlockingTarget::NonBlockingTarget(const NonBlockingStyle& style, Access access,
                                     Backward backward, AccessMoment moment)
    : style_(style), moment_(moment), access_(std::move(access)), backward_(std::move(backward)) {
    if (style_.outstanding == 0 && moment_ == AccessMoment::CALL) {
        return;
    }
    sc_core::sc_spawn_options options;
    options.spawn_method();
    options.dont_initialize();
    options.set_sensitivity(&wake_);
    sc_core::sc_spawn([this] { work(); }, sc_core::sc_gen_unique_name("non_blocking"), &options);
}

NonBlockingTarget::NonBlockingTarget(const NonBlockingStyle& style, Access access,
                                     tlm::tlm_base_target_socket_b<>& socket, AccessMoment moment)
    : NonBlockingTarget(
          style, std::move(access),
          [&socket](int port, tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase,
                    sc_core::sc_time& delay) {
              return socket.get_base_port()[port]->nb_transport_bw(transaction, phase, delay);
          },
          moment) {}

bool NonBlockingTarget::completes_at_once(const tlm::tlm_generic_payload& transaction,
                                          const sc_core::sc_time& delay) const {
    const bool due = moment_ == AccessMoment::CALL || delay == sc_core::SC_ZERO_TIME;
    return (style_.outstanding == 0 && due) || !transaction.has_mm();
}

tlm::tlm_sync_enum NonBlockingTarget::transport(int port, tlm::tlm_generic_payload& transaction,
                                                tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase == tlm::BEGIN_REQ) {
        if (completes_at_once(transaction, delay)) {
            access_(transaction, delay);
            return tlm::TLM_COMPLETED;
        }
        transaction.acquire();
        flights_.push_back(
            {&transaction, port, State::REQUESTED, sc_core::sc_time_stamp() + delay});
        wake_.notify(delay);
    } else if (phase == tlm::END_RESP) {
        Flight* flight = find(transaction);
        if (flight != nullptr && flight->state == State::RESPONDED) {
            flight->state = State::ENDED;
            flight->at = sc_core::sc_time_stamp() + delay;
            wake_.notify(delay);
        }
    }
    return tlm::TLM_ACCEPTED;
}

NonBlockingTarget::Flight* NonBlockingTarget::find(const tlm::tlm_generic_payload& transaction) {
    const auto found = std::find_if(
        flights_.begin(), flights_.end(),
        [&transaction](const Flight& flight) { return flight.transaction == &transaction; });
    return found == flights_.end() ? nullptr : &*found;
}

/// Whether only time keeps the flight from its next phase.
bool NonBlockingTarget::may_act(const Flight& flight) const {
    const auto under_way = [](const Flight& other) {
        return other.state == State::RESPONDED || other.state == State::ENDED;
    };
    switch (flight.state) {
        case State::REQUESTED:
            return std::count_if(flights_.begin(), flights_.end(), [](const Flight& other) {
                       return other.state != State::REQUESTED;
                   }) < static_cast<std::ptrdiff_t>(std::max(style_.outstanding, 1U));
        case State::SERVED:
            return std::none_of(flights_.begin(), flights_.end(), [&](const Flight& other) {
                return other.port == flight.port && under_way(other);
            });
        case State::RESPONDED: return false;
        case State::ENDED: return true;
    }
    return false;
}

void NonBlockingTarget::work() {
    while (step()) {
    }
    for (const Flight& flight : flights_) {
        if (may_act(flight)) {
            wake_.notify(flight.at - sc_core::sc_time_stamp());
        }
    }
}

/// Lets the flight act whose time came first. Calls to the other side may come back in here, so
/// every state is settled before them.
bool NonBlockingTarget::step() {
    const Flight* first = nullptr;
    for (const Flight& flight : flights_) {
        if (flight.at <= sc_core::sc_time_stamp() && may_act(flight) &&
            (first == nullptr || flight.at < first->at)) {
            first = &flight;
        }
    }
    if (first == nullptr) {
        return false;
    }
    const auto index = static_cast<std::size_t>(first - flights_.data());
    switch (first->state) {
        case State::REQUESTED: serve(index); break;
        case State::SERVED: respond(index); break;
        case State::RESPONDED: break;
        case State::ENDED: {
            tlm::tlm_generic_payload& transaction = *first->transaction;
            flights_.erase(flights_.begin() + static_cast<std::ptrdiff_t>(index));
            transaction.release();
            break;
        }
    }
    return true;
}

void NonBlockingTarget::serve(std::size_t index) {
    const Flight flight = flights_[index];
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    access_(*flight.transaction, delay);
    flights_[index].state = State::SERVED;
    flights_[index].at = sc_core::sc_time_stamp() + delay;
    tlm::tlm_phase phase = tlm::END_REQ;
    delay = sc_core::SC_ZERO_TIME;
    backward_(flight.port, *flight.transaction, phase, delay);
}

void NonBlockingTarget::respond(std::size_t index) {
    const Flight flight = flights_[index];
    flights_[index].state = State::RESPONDED;
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm::tlm_sync_enum answer = backward_(flight.port, *flight.transaction, phase, delay);
    if (answer != tlm::TLM_ACCEPTED) {  // END_RESP came with the return
        Flight& responded = *find(*flight.transaction);
        responded.state = State::ENDED;
        responded.at = sc_core::sc_time_stamp() + delay;
    }
}

}  // namespace dve
