// nb_transport for a target that has a b_transport: one implementation for every target.
#pragma once

#include <tlm.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "tlm/systemc_compat.h"

namespace dve {

/// How a target answers BEGIN_REQ.
struct NonBlockingStyle {
    /// 0: TLM_COMPLETED at once, the time annotated. Otherwise four phases, and so many requests
    /// at most, of all initiators together, between END_REQ and the end of the response.
    unsigned outstanding = 0;

    static NonBlockingStyle early_completion() { return {}; }
    static NonBlockingStyle four_phases(unsigned outstanding) { return {outstanding}; }
};

/// When an access that comes with a delay takes effect: memories move bytes at once and annotate
/// the time; what others can see happen has to wait for it.
enum class AccessMoment : std::uint8_t { CALL, ANNOTATED };

/// Four phases: a request waits, from its annotated time on, for a free place; then it is carried
/// out and END_REQ sent. BEGIN_RESP follows after the time that the access annotates, when the
/// arrow has no other response under way. Early completion does the same, one request at a time,
/// where an access of AccessMoment::ANNOTATED comes with a delay. A payload without memory manager
/// must not be kept: it is completed at once.
class NonBlockingTarget {
public:
    /// A b_transport that does not wait.
    using Access = std::function<void(tlm::tlm_generic_payload&, sc_core::sc_time&)>;
    /// nb_transport_bw of the arrow with this number.
    using Backward = std::function<tlm::tlm_sync_enum(int port, tlm::tlm_generic_payload&,
                                                      tlm::tlm_phase&, sc_core::sc_time&)>;

    /// In the constructor of the target: four phases spawn a process below it.
    NonBlockingTarget(const NonBlockingStyle& style, Access access, Backward backward,
                      AccessMoment moment = AccessMoment::CALL);
    /// The way back is that of the socket.
    NonBlockingTarget(const NonBlockingStyle& style, Access access,
                      tlm::tlm_base_target_socket_b<>& socket,
                      AccessMoment moment = AccessMoment::CALL);
    NonBlockingTarget(const NonBlockingTarget&) = delete;
    NonBlockingTarget& operator=(const NonBlockingTarget&) = delete;

    /// The target's nb_transport_fw. `port`: number of the arrow, 0 if there is but one.
    tlm::tlm_sync_enum transport(int port, tlm::tlm_generic_payload& transaction,
                                 tlm::tlm_phase& phase, sc_core::sc_time& delay);

private:
    enum class State : std::uint8_t {
        REQUESTED,  ///< since `at`; not accepted yet
        SERVED,     ///< END_REQ sent, the response is ready at `at`
        RESPONDED,  ///< BEGIN_RESP sent
        ENDED,      ///< END_RESP takes effect at `at`
    };
    struct Flight {
        tlm::tlm_generic_payload* transaction;
        int port;
        State state;
        sc_core::sc_time at;
    };

    void work();
    bool step();
    bool may_act(const Flight& flight) const;
    void serve(std::size_t index);
    void respond(std::size_t index);
    Flight* find(const tlm::tlm_generic_payload& transaction);

    bool completes_at_once(const tlm::tlm_generic_payload& transaction,
                           const sc_core::sc_time& delay) const;

    NonBlockingStyle style_;
    AccessMoment moment_;
    Access access_;
    Backward backward_;
    std::vector<Flight> flights_;  ///< in the order of their requests
    sc_core::sc_event wake_;
};

}  // namespace dve
