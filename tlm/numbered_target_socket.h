// A target socket that any number of initiators may bind.
#pragma once

#include <tlm.h>
#include <tlm_utils/multi_socket_bases.h>

#include <deque>
#include <string>

#include "tlm/systemc_compat.h"

namespace dve {

/// Every call says by which arrow it came, counted from 0 in the order of binding: Target has the
/// four calls of tlm_fw_transport_if with that number in front (and makes this class a friend).
/// socket[number] is the way back. As tlm_utils::multi_passthrough_target_socket, whose calls go
/// through two more jumps (tests/bench/bench_transport). From a socket of an enclosing module one
/// initiator can come; it is number 0.
template <typename Target>
class NumberedTargetSocket
    : public tlm::tlm_target_socket<32, tlm::tlm_base_protocol_types, 0,
                                    sc_core::SC_ZERO_OR_MORE_BOUND>,
      public tlm_utils::multi_to_multi_bind_base<tlm::tlm_base_protocol_types> {
public:
    NumberedTargetSocket(const char* name, Target& target)
        : tlm_target_socket(name), target_(target), unbound_(target, 0) {
        sc_export::bind(unbound_);  // an export has to be bound
    }

    /// Asked once by each initiator that binds.
    tlm::tlm_fw_transport_if<>& get_base_interface() override {
        arrows_.emplace_back(target_, static_cast<int>(arrows_.size()));
        return arrows_.back();
    }
    using tlm_target_socket::get_base_interface;

private:
    /// Through a socket of an enclosing module nobody asks for an arrow.
    void end_of_elaboration() override {
        if (size() > 1 && arrows_.size() != static_cast<std::size_t>(size())) {
            SC_REPORT_ERROR("dve/numbered_target_socket",
                            (std::string(name()) + ": several initiators through a socket of an "
                                                   "enclosing module; legal: one, or binding "
                                                   "them directly")
                                .c_str());
        }
    }

    class Arrow : public tlm::tlm_fw_transport_if<> {
    public:
        Arrow(Target& target, int number) : target_(target), number_(number) {}

        void b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) override {
            target_.b_transport(number_, transaction, delay);
        }
        tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& transaction,
                                           tlm::tlm_phase& phase,
                                           sc_core::sc_time& delay) override {
            return target_.nb_transport_fw(number_, transaction, phase, delay);
        }
        bool get_direct_mem_ptr(tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& dmi) override {
            return target_.get_direct_mem_ptr(number_, transaction, dmi);
        }
        unsigned transport_dbg(tlm::tlm_generic_payload& transaction) override {
            return target_.transport_dbg(number_, transaction);
        }

    private:
        Target& target_;
        int number_;
    };

    /// A multi initiator socket, which has just bound, asks for what it has to call.
    tlm::tlm_fw_transport_if<>* get_last_binder(tlm::tlm_bw_transport_if<>*) override {
        return &arrows_.back();
    }

    Target& target_;
    Arrow unbound_;
    std::deque<Arrow> arrows_;
};

}  // namespace dve
