// What the checker knows of each transaction: attributes, phases, outstanding requests, times.
#include "tlm/protocol_checker.h"

namespace dve {

void ProtocolChecker::check_request(const Call& call) {
    const tlm::tlm_generic_payload& transaction = *call.transaction;
    const bool ignored = transaction.get_command() == tlm::TLM_IGNORE_COMMAND;
    expect(ignored || transaction.is_read() || transaction.is_write(), ProtocolRule::COMMAND, call);
    expect(ignored || transaction.get_data_ptr() != nullptr, ProtocolRule::DATA_POINTER, call);
    expect(ignored || transaction.get_data_length() > 0, ProtocolRule::DATA_LENGTH, call);
    expect(transaction.get_streaming_width() > 0, ProtocolRule::STREAMING_WIDTH, call);
    if (const unsigned char* enables = transaction.get_byte_enable_ptr(); enables != nullptr) {
        const unsigned length = transaction.get_byte_enable_length();
        expect(length > 0, ProtocolRule::BYTE_ENABLE_LENGTH, call);
        bool defined = true;
        for (unsigned i = 0; i < length; ++i) {
            defined &= enables[i] == TLM_BYTE_ENABLED || enables[i] == TLM_BYTE_DISABLED;
        }
        expect(defined, ProtocolRule::BYTE_ENABLE_VALUE, call);
    }
    expect(!transaction.is_dmi_allowed(), ProtocolRule::DMI_HINT, call);
    expect(transaction.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE,
           ProtocolRule::STATUS_INCOMPLETE, call);
    expect(transaction.get_gp_option() == tlm::TLM_MIN_PAYLOAD, ProtocolRule::OPTION, call);
}

/// Attributes that nobody may change as long as the transaction lives.
void ProtocolChecker::check_attributes_kept(const Call& call, const PayloadSnapshot& request) {
    expect(request.attributes_kept(*call.transaction), ProtocolRule::ATTRIBUTES_KEPT, call);
    expect(request.option_kept(*call.transaction), ProtocolRule::OPTION_KEPT, call);
    expect(request.extensions_kept(*call.transaction), ProtocolRule::EXTENSIONS_KEPT, call);
}

/// The arrays behind the pointers too, which are the initiator's own again after the response.
void ProtocolChecker::check_kept(const Call& call, const PayloadSnapshot& request) {
    check_attributes_kept(call, request);
    if (request.attributes_kept(*call.transaction)) {
        expect(request.byte_enables_kept(), ProtocolRule::BYTE_ENABLES_KEPT, call);
        expect(request.write_data_kept(), ProtocolRule::WRITE_DATA_KEPT, call);
    }
}

/// What a response owes besides check_kept.
void ProtocolChecker::check_response(const Call& call, const PayloadSnapshot& request) {
    const tlm::tlm_generic_payload& transaction = *call.transaction;
    const int status = transaction.get_response_status();
    expect(status != tlm::TLM_INCOMPLETE_RESPONSE && status <= tlm::TLM_OK_RESPONSE &&
               status >= tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE,
           ProtocolRule::STATUS_SET, call);
    expect(transaction.get_address() == request.address(), ProtocolRule::ADDRESS_RESTORED, call);
    expect(transaction.has_mm() || !request.has_new_extensions(transaction),
           ProtocolRule::EXTENSIONS_REMOVED, call);
    if (request.attributes_kept(transaction)) {
        expect(request.inactive_bytes_kept(), ProtocolRule::INACTIVE_BYTES_KEPT, call);
    }
}

void ProtocolChecker::check_managed(const Call& call) {
    const bool managed = call.transaction->has_mm();
    expect(managed, ProtocolRule::MEMORY_MANAGER, call);
    expect(!managed || call.transaction->get_ref_count() > 0, ProtocolRule::REFERENCE_COUNT, call);
}

void ProtocolChecker::check_time(const Call& call, Flight& flight, const sc_core::sc_time& delay) {
    const sc_core::sc_time time = sc_core::sc_time_stamp() + delay;
    expect(time >= flight.time, ProtocolRule::TIME_KEPT, call);
    flight.time = time;
}

void ProtocolChecker::check_no_wait(const Call& call) {
    expect(sc_core::sc_time_stamp() == call.time && sc_core::sc_delta_count() == call.delta,
           ProtocolRule::NO_WAIT, call);
}

ProtocolChecker::Flight* ProtocolChecker::find(const Call& call) {
    const auto found = flights_.find(call.transaction);
    return found == flights_.end() ? nullptr : &found->second;
}

void ProtocolChecker::forward_phase(const Call& call, Way way, const tlm::tlm_phase& phase,
                                    const sc_core::sc_time& delay) {
    switch (static_cast<unsigned>(phase)) {
        case tlm::UNINITIALIZED_PHASE: expect(false, ProtocolRule::PHASE_ORDER, call); break;
        case tlm::BEGIN_REQ:
            if (way == Way::CALL) {
                begin_request(call, delay);
            } else {
                expect(false, ProtocolRule::PHASE_ORDER, call);
            }
            break;
        case tlm::END_REQ:
        case tlm::BEGIN_RESP: expect(false, ProtocolRule::PHASE_DIRECTION, call); break;
        case tlm::END_RESP: end_response(call, way, delay); break;
        default: break;  // an ignorable phase
    }
}

void ProtocolChecker::begin_request(const Call& call, const sc_core::sc_time& delay) {
    check_request(call);
    expect(blocking_.count(call.transaction) == 0, ProtocolRule::MIXED_TRANSPORT, call);
    expect(find(call) == nullptr, ProtocolRule::REUSED_IN_FLIGHT, call);
    expect(request_ == nullptr, ProtocolRule::REQUEST_EXCLUSION, call);
    request_ = call.transaction;
    Flight& flight = flights_[call.transaction];
    flight = Flight();
    flight.time = sc_core::sc_time_stamp() + delay;
    flight.request = PayloadSnapshot(*call.transaction, true);
}

void ProtocolChecker::end_response(const Call& call, Way way, const sc_core::sc_time& delay) {
    Flight* flight = find(call);
    if (flight == nullptr || flight->phase != tlm::BEGIN_RESP) {
        expect(false, ProtocolRule::PHASE_ORDER, call);
        return;
    }
    check_time(call, *flight, delay);
    if (way == Way::CALL) {
        check_attributes_kept(call, flight->request);
        expect(call.transaction->get_response_status() == flight->status &&
                   call.transaction->is_dmi_allowed() == flight->dmi_hint,
               ProtocolRule::RESPONSE_KEPT, call);
    }
    end(call.transaction);
}

void ProtocolChecker::backward_phase(const Call& call, Way way, const tlm::tlm_phase& phase,
                                     const sc_core::sc_time& delay) {
    const unsigned number = phase;
    if (number == tlm::UNINITIALIZED_PHASE) {
        expect(false, ProtocolRule::PHASE_ORDER, call);
        return;
    }
    if (number == tlm::BEGIN_REQ || number == tlm::END_RESP) {
        expect(false, ProtocolRule::PHASE_DIRECTION, call);
        return;
    }
    if (number != tlm::END_REQ && number != tlm::BEGIN_RESP) {
        return;  // an ignorable phase
    }
    Flight* flight = find(call);
    if (flight == nullptr) {
        expect(false, way == Way::CALL ? ProtocolRule::RESPONSE_PATH : ProtocolRule::PHASE_ORDER,
               call);
        return;
    }
    check_time(call, *flight, delay);
    check_kept(call, flight->request);
    if (number == tlm::BEGIN_RESP) {
        begin_response(call, *flight);
        return;
    }
    expect(flight->phase == tlm::BEGIN_REQ, ProtocolRule::PHASE_ORDER, call);
    if (flight->phase == tlm::BEGIN_REQ) {
        flight->phase = tlm::END_REQ;
    }
    if (request_ == call.transaction) {
        request_ = nullptr;
    }
}

void ProtocolChecker::begin_response(const Call& call, Flight& flight) {
    expect(flight.phase != tlm::BEGIN_RESP, ProtocolRule::PHASE_ORDER, call);
    expect(response_ == nullptr || response_ == call.transaction, ProtocolRule::RESPONSE_EXCLUSION,
           call);
    flight.phase = tlm::BEGIN_RESP;
    flight.status = call.transaction->get_response_status();
    flight.dmi_hint = call.transaction->is_dmi_allowed();
    check_response(call, flight.request);
    response_ = call.transaction;
    if (request_ == call.transaction) {
        request_ = nullptr;
    }
}

void ProtocolChecker::completed_forward(const Call& call, const tlm::tlm_phase& sent,
                                        const sc_core::sc_time& delay) {
    if (sent == tlm::END_RESP) {
        return;  // ended by the call itself
    }
    Flight* flight = find(call);
    if (sent != tlm::BEGIN_REQ || flight == nullptr || flight->phase == tlm::BEGIN_RESP) {
        expect(false, ProtocolRule::COMPLETED_TOO_EARLY, call);
    }
    if (flight != nullptr) {
        check_time(call, *flight, delay);
        check_kept(call, flight->request);
        check_response(call, flight->request);
        end(call.transaction);
    }
}

void ProtocolChecker::completed_backward(const Call& call, const tlm::tlm_phase& sent,
                                         const sc_core::sc_time& delay) {
    Flight* flight = find(call);
    if (sent != tlm::BEGIN_RESP || flight == nullptr) {
        expect(false, ProtocolRule::COMPLETED_TOO_EARLY, call);
    }
    if (flight != nullptr) {
        check_time(call, *flight, delay);
        end(call.transaction);
    }
}

void ProtocolChecker::end(const tlm::tlm_generic_payload* transaction) {
    flights_.erase(transaction);
    if (request_ == transaction) {
        request_ = nullptr;
    }
    if (response_ == transaction) {
        response_ = nullptr;
    }
}

}  // namespace dve
