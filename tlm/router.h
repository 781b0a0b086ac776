// Address router: one target side, several address windows behind it.
#pragma once

#include <tlm.h>
#include <tlm_utils/multi_passthrough_initiator_socket.h>

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "tlm/systemc_compat.h"

namespace dve {

/// Forwards every base-protocol call to the window that holds the whole transfer. Addresses are
/// translated to window offsets and restored; DMI ranges are translated back and narrowed to the
/// window. An unmapped address answers TLM_ADDRESS_ERROR_RESPONSE without a message.
///
/// Non-blocking phases pass in both directions. The windows answer independently of each other, so
/// responses queue for the one arrow to the initiator.
class Router : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
public:
    tlm::tlm_target_socket<> target;
    tlm_utils::multi_passthrough_initiator_socket<Router> initiator;

    explicit Router(sc_core::sc_module_name name);

    /// Window for the next binding of `initiator`, in binding order. `keep_address`: the target
    /// sees the address as it came. An empty window, one that leaves the address space, overlaps
    /// another or comes after elaboration is an SC_ERROR, as is a window without a binding. Until
    /// the bindings are complete, every address answers as one without a window.
    void map(std::uint64_t base, std::uint64_t bytes, bool keep_address = false);

private:
    struct Window {
        std::uint64_t base;
        std::uint64_t bytes;
        std::uint64_t offset;                        ///< what the target's addresses are less
        int number;                                  ///< of its binding
        tlm::tlm_blocking_transport_if<>* blocking;  ///< of its target, once that is bound
        /// The window as its target sees it, bounds inclusive.
        std::uint64_t first() const { return base - offset; }
        std::uint64_t last() const { return first() + (bytes - 1); }
    };

    void before_end_of_elaboration() override;
    void b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) override;
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    tlm::tlm_sync_enum nb_transport_bw(int id, tlm::tlm_generic_payload& transaction,
                                       tlm::tlm_phase& phase, sc_core::sc_time& delay);
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& dmi) override;
    unsigned transport_dbg(tlm::tlm_generic_payload& transaction) override;
    void invalidate(int id, sc_dt::uint64 start, sc_dt::uint64 end);

    /// The window that holds the whole range; null if none does.
    const Window* find(std::uint64_t address, std::uint64_t bytes) const;

    /// A non-blocking transaction between BEGIN_REQ and its end.
    struct Crossing {
        int window;              ///< its number
        std::uint64_t address;   ///< as it came
        sc_core::sc_time ready;  ///< of a response that queues
        bool request_ended = false;
        bool queues = false;
    };
    tlm::tlm_sync_enum begin_request(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
    bool response_may_pass() const;
    void queue_response(tlm::tlm_generic_payload& transaction, const sc_core::sc_time& delay);
    void send_queued();
    void end_response(const sc_core::sc_time& delay);
    void end(tlm::tlm_generic_payload& transaction);

    std::vector<Window> windows_;
    bool resolved_ = false;  ///< the bindings are complete
    std::unordered_map<tlm::tlm_generic_payload*, Crossing> crossings_;
    std::deque<tlm::tlm_generic_payload*> responses_;  ///< that queue
    bool responding_ = false;                          ///< the initiator has a response
    sc_core::sc_time response_ended_;                  ///< when the last one ends
    sc_core::sc_event queue_event_;
};

}  // namespace dve
