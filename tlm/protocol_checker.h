// A transparent module for any TLM-2.0 arrow that watches every rule of the base protocol.
#pragma once

#include <tlm.h>
#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>

#include "tlm/payload_snapshot.h"
#include "tlm/protocol_checker_rules.h"
#include "tlm/systemc_compat.h"

namespace dve {

struct ProtocolViolation {
    ProtocolRule rule;
    const char* checker;  ///< full name of the module that saw it
    const char* call;     ///< where in the protocol, e.g. "nb_transport_fw BEGIN_REQ"
    std::uint64_t address;
    sc_core::sc_time time;

    /// All of it in one line.
    std::string line() const;
};

/// Bind it inline: initiator -> checker.target, checker.initiator -> target. Calls pass unchanged,
/// whether they keep to the rules or not; phases that the base protocol does not know pass
/// unwatched. Every rule has a switch and a counter.
class ProtocolChecker : public sc_core::sc_module {
public:
    tlm_utils::passthrough_target_socket<ProtocolChecker> target;
    tlm_utils::simple_initiator_socket<ProtocolChecker> initiator;

    using Report = std::function<void(const ProtocolViolation&)>;

    explicit ProtocolChecker(sc_core::sc_module_name name);

    /// All rules are on at first.
    void set_rule(ProtocolRule rule, bool on) { on_[static_cast<std::size_t>(rule)] = on; }
    void set_all_rules(bool on) { on_.fill(on); }
    /// Instead of a line on standard error.
    void set_report(Report report) { report_ = std::move(report); }

    std::uint64_t violations(ProtocolRule rule) const {
        return violations_[static_cast<std::size_t>(rule)];
    }
    std::uint64_t violations() const;
    /// Calls and phases that went through.
    std::uint64_t calls() const { return calls_; }
    /// Non-blocking transactions that have begun and not ended.
    std::size_t in_flight() const { return flights_.size(); }

private:
    /// A non-blocking transaction between its request and its end.
    struct Flight {
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time time;  ///< annotated, of the last call or return
        PayloadSnapshot request;
        tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;  ///< of BEGIN_RESP
        bool dmi_hint = false;                                           ///< likewise
    };
    /// A call through here. The address is kept because a payload may be gone when a call returns.
    struct Call {
        const char* name;
        const tlm::tlm_generic_payload* transaction;
        std::uint64_t address;
        sc_core::sc_time time = sc_core::sc_time_stamp();
        sc_dt::uint64 delta = sc_core::sc_delta_count();
    };
    enum class Way : std::uint8_t { CALL, RETURN };

    void b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay);
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay);
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay);
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& dmi);
    unsigned transport_dbg(tlm::tlm_generic_payload& transaction);
    void invalidate(sc_dt::uint64 start, sc_dt::uint64 end);

    void expect(bool holds, ProtocolRule rule, const Call& call);
    void check_request(const Call& call);
    void check_attributes_kept(const Call& call, const PayloadSnapshot& request);
    void check_kept(const Call& call, const PayloadSnapshot& request);
    void check_response(const Call& call, const PayloadSnapshot& request);
    void check_managed(const Call& call);
    void check_time(const Call& call, Flight& flight, const sc_core::sc_time& delay);
    void check_no_wait(const Call& call);

    // The transaction reaches a phase, by a call or by the return of one.
    void forward_phase(const Call& call, Way way, const tlm::tlm_phase& phase,
                       const sc_core::sc_time& delay);
    void backward_phase(const Call& call, Way way, const tlm::tlm_phase& phase,
                        const sc_core::sc_time& delay);
    void begin_request(const Call& call, const sc_core::sc_time& delay);
    void begin_response(const Call& call, Flight& flight);
    void end_response(const Call& call, Way way, const sc_core::sc_time& delay);
    /// The initiator's call was answered with TLM_COMPLETED.
    void completed_forward(const Call& call, const tlm::tlm_phase& sent,
                           const sc_core::sc_time& delay);
    /// The target's call was.
    void completed_backward(const Call& call, const tlm::tlm_phase& sent,
                            const sc_core::sc_time& delay);
    void end(const tlm::tlm_generic_payload* transaction);
    Flight* find(const Call& call);

    std::array<bool, protocol_rule_count> on_;
    std::array<std::uint64_t, protocol_rule_count> violations_{};
    std::uint64_t calls_ = 0;
    Report report_;
    std::unordered_map<const tlm::tlm_generic_payload*, Flight> flights_;
    /// Transactions in a blocking call, as often as they are.
    std::unordered_map<const tlm::tlm_generic_payload*, unsigned> blocking_;
    const tlm::tlm_generic_payload* request_ = nullptr;   ///< outstanding on this arrow
    const tlm::tlm_generic_payload* response_ = nullptr;  ///< likewise
};

}  // namespace dve
