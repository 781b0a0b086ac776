// The calls through the checker: forwarded unchanged, watched before and after.
#include "tlm/protocol_checker.h"

#include <cstdio>
#include <numeric>
#include <sstream>

namespace dve {
namespace {

const char* forward_name(const tlm::tlm_phase& phase) {
    if (phase == tlm::BEGIN_REQ) {
        return "nb_transport_fw BEGIN_REQ";
    }
    return phase == tlm::END_RESP ? "nb_transport_fw END_RESP" : "nb_transport_fw";
}

const char* backward_name(const tlm::tlm_phase& phase) {
    if (phase == tlm::END_REQ) {
        return "nb_transport_bw END_REQ";
    }
    return phase == tlm::BEGIN_RESP ? "nb_transport_bw BEGIN_RESP" : "nb_transport_bw";
}

/// Counts the transactions in a blocking call, exceptions included.
class InCall {
public:
    using Calls = std::unordered_map<const tlm::tlm_generic_payload*, unsigned>;
    InCall(Calls& calls, const tlm::tlm_generic_payload& transaction)
        : calls_(calls), transaction_(transaction) {
        ++calls_[&transaction_];
    }
    InCall(const InCall&) = delete;
    InCall& operator=(const InCall&) = delete;
    ~InCall() {
        if (--calls_[&transaction_] == 0) {
            calls_.erase(&transaction_);
        }
    }

private:
    Calls& calls_;
    const tlm::tlm_generic_payload& transaction_;
};

}  // namespace

std::string ProtocolViolation::line() const {
    const ProtocolRuleRow& row = row_of(rule);
    std::ostringstream text;
    text << "TLM-2.0 protocol: " << row.name << " (" << row.clause << "): " << row.text << "; in "
         << call << " at address 0x" << std::hex << address << ", " << time << ", seen by "
         << checker;
    return text.str();
}

ProtocolChecker::ProtocolChecker(sc_core::sc_module_name name)
    : sc_module(name), target("target"), initiator("initiator") {
    on_.fill(true);
    target.register_b_transport(this, &ProtocolChecker::b_transport);
    target.register_nb_transport_fw(this, &ProtocolChecker::nb_transport_fw);
    target.register_get_direct_mem_ptr(this, &ProtocolChecker::get_direct_mem_ptr);
    target.register_transport_dbg(this, &ProtocolChecker::transport_dbg);
    initiator.register_nb_transport_bw(this, &ProtocolChecker::nb_transport_bw);
    initiator.register_invalidate_direct_mem_ptr(this, &ProtocolChecker::invalidate);
}

std::uint64_t ProtocolChecker::violations() const {
    return std::accumulate(violations_.begin(), violations_.end(), std::uint64_t{0});
}

void ProtocolChecker::expect(bool holds, ProtocolRule rule, const Call& call) {
    if (holds || !on_[static_cast<std::size_t>(rule)]) {
        return;
    }
    ++violations_[static_cast<std::size_t>(rule)];
    const ProtocolViolation violation{rule, name(), call.name, call.address,
                                      sc_core::sc_time_stamp()};
    if (report_) {
        report_(violation);
    } else {
        std::fprintf(stderr, "%s\n", violation.line().c_str());
    }
}

void ProtocolChecker::b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) {
    ++calls_;
    const Call call{"b_transport", &transaction, transaction.get_address()};
    const sc_core::sc_time asked = call.time + delay;
    check_request(call);
    expect(sc_core::sc_get_current_process_handle().proc_kind() != sc_core::SC_METHOD_PROC_,
           ProtocolRule::METHOD_CALL, call);
    expect(find(call) == nullptr, ProtocolRule::MIXED_TRANSPORT, call);
    const PayloadSnapshot request(transaction, true);
    {
        const InCall in_call(blocking_, transaction);
        initiator->b_transport(transaction, delay);
    }
    expect(sc_core::sc_time_stamp() + delay >= asked, ProtocolRule::TIME_KEPT, call);
    check_kept(call, request);
    check_response(call, request);
}

tlm::tlm_sync_enum ProtocolChecker::nb_transport_fw(tlm::tlm_generic_payload& transaction,
                                                    tlm::tlm_phase& phase,
                                                    sc_core::sc_time& delay) {
    ++calls_;
    const Call call{forward_name(phase), &transaction, transaction.get_address()};
    const tlm::tlm_phase sent = phase;
    const sc_core::sc_time sent_delay = delay;
    check_managed(call);
    forward_phase(call, Way::CALL, phase, delay);
    const tlm::tlm_sync_enum answer = initiator->nb_transport_fw(transaction, phase, delay);
    check_no_wait(call);
    switch (answer) {
        case tlm::TLM_ACCEPTED: {
            const Flight* flight = find(call);
            const bool untouched =
                sent != tlm::BEGIN_REQ || flight == nullptr || flight->phase != tlm::BEGIN_REQ ||
                transaction.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE;
            expect(phase == sent && delay == sent_delay && untouched,
                   ProtocolRule::ACCEPTED_UNCHANGED, call);
            if (flight != nullptr && flight->phase != tlm::BEGIN_RESP) {
                check_kept(call, flight->request);
            }
            break;
        }
        case tlm::TLM_UPDATED: backward_phase(call, Way::RETURN, phase, delay); break;
        case tlm::TLM_COMPLETED: completed_forward(call, sent, delay); break;
    }
    return answer;
}

tlm::tlm_sync_enum ProtocolChecker::nb_transport_bw(tlm::tlm_generic_payload& transaction,
                                                    tlm::tlm_phase& phase,
                                                    sc_core::sc_time& delay) {
    ++calls_;
    const Call call{backward_name(phase), &transaction, transaction.get_address()};
    const tlm::tlm_phase sent = phase;
    const sc_core::sc_time sent_delay = delay;
    check_managed(call);
    backward_phase(call, Way::CALL, phase, delay);
    const tlm::tlm_sync_enum answer = target->nb_transport_bw(transaction, phase, delay);
    // From here on the payload may belong to somebody else.
    check_no_wait(call);
    switch (answer) {
        case tlm::TLM_ACCEPTED:
            expect(phase == sent && delay == sent_delay, ProtocolRule::ACCEPTED_UNCHANGED, call);
            break;
        case tlm::TLM_UPDATED: forward_phase(call, Way::RETURN, phase, delay); break;
        case tlm::TLM_COMPLETED: completed_backward(call, sent, delay); break;
    }
    return answer;
}

bool ProtocolChecker::get_direct_mem_ptr(tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& dmi) {
    ++calls_;
    const Call call{"get_direct_mem_ptr", &transaction, transaction.get_address()};
    expect(transaction.is_read() || transaction.is_write(), ProtocolRule::DMI_REQUEST, call);
    expect(transaction.get_gp_option() != tlm::TLM_FULL_PAYLOAD_ACCEPTED, ProtocolRule::OPTION,
           call);
    expect(dmi.get_dmi_ptr() == nullptr && dmi.get_start_address() == 0 &&
               dmi.get_end_address() == ~sc_dt::uint64{0} && dmi.is_none_allowed() &&
               dmi.get_read_latency() == sc_core::SC_ZERO_TIME &&
               dmi.get_write_latency() == sc_core::SC_ZERO_TIME,
           ProtocolRule::DMI_DESCRIPTOR, call);
    const PayloadSnapshot request(transaction, false);
    const bool granted = initiator->get_direct_mem_ptr(transaction, dmi);
    check_no_wait(call);
    check_kept(call, request);
    expect(transaction.get_address() == request.address(), ProtocolRule::ADDRESS_RESTORED, call);
    expect(dmi.get_start_address() <= call.address && call.address <= dmi.get_end_address(),
           ProtocolRule::DMI_RANGE, call);
    expect(!granted || (dmi.get_dmi_ptr() != nullptr &&
                        (transaction.is_read() ? dmi.is_read_allowed() : dmi.is_write_allowed())),
           ProtocolRule::DMI_GRANT, call);
    return granted;
}

unsigned ProtocolChecker::transport_dbg(tlm::tlm_generic_payload& transaction) {
    ++calls_;
    const Call call{"transport_dbg", &transaction, transaction.get_address()};
    expect(transaction.get_data_ptr() != nullptr || transaction.get_data_length() == 0,
           ProtocolRule::DEBUG_POINTER, call);
    expect(transaction.get_gp_option() != tlm::TLM_FULL_PAYLOAD_ACCEPTED, ProtocolRule::OPTION,
           call);
    const PayloadSnapshot request(transaction, false);
    const unsigned count = initiator->transport_dbg(transaction);
    check_no_wait(call);
    check_kept(call, request);
    expect(transaction.get_address() == request.address(), ProtocolRule::ADDRESS_RESTORED, call);
    expect(count <= transaction.get_data_length(), ProtocolRule::DEBUG_COUNT, call);
    return count;
}

void ProtocolChecker::invalidate(sc_dt::uint64 start, sc_dt::uint64 end_address) {
    ++calls_;
    const Call call{"invalidate_direct_mem_ptr", nullptr, start};
    expect(start <= end_address, ProtocolRule::INVALIDATED_RANGE, call);
    target->invalidate_direct_mem_ptr(start, end_address);
    check_no_wait(call);
}

}  // namespace dve
