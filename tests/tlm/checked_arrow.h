// An arrow with the checker on it, between two scripted ends; violations are collected.
#pragma once

#include <string>
#include <vector>

#include "tests/support/payload_pool.h"
#include "tests/tlm/scripted_sides.h"
#include "tlm/initiator_access.h"
#include "tlm/protocol_checker.h"

namespace dve::test {

inline Time ns(double count) { return {count, sc_core::SC_NS}; }

/// Runs a function in a process of its own to its end.
template <typename Function>
void in_process(Function function, bool method = false) {
    sc_core::sc_spawn_options options;
    if (method) {
        options.spawn_method();
    }
    sc_core::sc_spawn(function, sc_core::sc_gen_unique_name("process"), &options);
    sc_core::sc_start(ns(100));
}

class CheckedArrow {
public:
    CheckedArrow()
        : initiator(sc_core::sc_gen_unique_name("initiator")),
          checker(sc_core::sc_gen_unique_name("checker")),
          target(sc_core::sc_gen_unique_name("target")) {
        initiator.socket.bind(checker.target);
        checker.initiator.bind(target.socket);
        checker.set_report([this](const ProtocolViolation& violation) {
            seen.push_back(violation.rule);
            lines.push_back(violation.line());
        });
    }

    /// A write of four bytes, managed and referenced.
    Payload& request() {
        Payload& transaction = pool.take();
        fill(transaction);
        return transaction;
    }
    void fill(Payload& transaction) { prepare(transaction, tlm::TLM_WRITE_COMMAND, 0x10, data, 4); }

    Sync begin(Payload& transaction, Time delay = {}) {
        return initiator.forward(transaction, tlm::BEGIN_REQ, delay);
    }
    Sync respond(Payload& transaction, Time delay = {}) {
        transaction.set_response_status(tlm::TLM_OK_RESPONSE);
        return target.backward(transaction, tlm::BEGIN_RESP, delay);
    }
    bool direct(Payload& transaction, tlm::tlm_dmi dmi = {}) {
        return initiator.socket->get_direct_mem_ptr(transaction, dmi);
    }

    PayloadPool pool;
    ScriptedInitiator initiator;
    ProtocolChecker checker;
    ScriptedTarget target;
    std::vector<ProtocolRule> seen;
    std::vector<std::string> lines;
    unsigned char data[8] = {};
    unsigned char enables[2] = {TLM_BYTE_ENABLED, TLM_BYTE_DISABLED};
};

}  // namespace dve::test
