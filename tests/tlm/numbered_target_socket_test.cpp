// Every call tells its arrow, and the way back leads there, whatever kind of socket binds.
#include "tlm/numbered_target_socket.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tlm_utils/multi_passthrough_initiator_socket.h>

#include "tests/support/initiator.h"
#include "tests/tlm/scripted_sides.h"
#include "tlm/initiator_access.h"

namespace dve::test {
namespace {

class NumberedTarget : public sc_core::sc_module {
public:
    NumberedTargetSocket<NumberedTarget> socket{"socket", *this};
    std::vector<std::string> calls;

    explicit NumberedTarget(sc_core::sc_module_name name) : sc_module(name) {}

private:
    friend NumberedTargetSocket<NumberedTarget>;

    void note(const char* call, int id) { calls.push_back(call + std::to_string(id)); }
    void b_transport(int id, Payload& transaction, Time& delay) {
        note("b", id);
        delay += ns(id + 1);
        transaction.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    Sync nb_transport_fw(int id, Payload&, Phase&, Time&) {
        note("nb", id);
        return tlm::TLM_ACCEPTED;
    }
    bool get_direct_mem_ptr(int id, Payload&, tlm::tlm_dmi&) {
        note("direct", id);
        return id == 1;
    }
    unsigned transport_dbg(int id, Payload&) {
        note("debug", id);
        return static_cast<unsigned>(id);
    }
    static Time ns(int count) { return Time(count, sc_core::SC_NS); }
};

/// Two bindings of a multi initiator socket, which has a way of its own to find whom to call.
class MultiInitiator : public sc_core::sc_module {
public:
    tlm_utils::multi_passthrough_initiator_socket<MultiInitiator> socket;
    std::vector<int> answers;

    explicit MultiInitiator(sc_core::sc_module_name name) : sc_module(name), socket("socket") {
        socket.register_nb_transport_bw(this, &MultiInitiator::nb_transport_bw);
    }

private:
    Sync nb_transport_bw(int id, Payload&, Phase&, Time&) {
        answers.push_back(id);
        return tlm::TLM_ACCEPTED;
    }
};

template <typename Interface>
void call_all(Interface& interface, Payload& transaction) {
    Time delay;
    Phase phase = tlm::BEGIN_REQ;
    tlm::tlm_dmi dmi;
    interface.b_transport(transaction, delay);
    interface.nb_transport_fw(transaction, phase, delay);
    interface.get_direct_mem_ptr(transaction, dmi);
    interface.transport_dbg(transaction);
}

TEST(NumberedTargetSocket, CountsInTheOrderOfBinding) {
    NumberedTarget target("target");
    ScriptedInitiator first("first");
    MultiInitiator multi("multi");
    ScriptedInitiator last("last");
    first.socket.bind(target.socket);
    multi.socket.bind(target.socket);
    multi.socket.bind(target.socket);
    target.socket.bind(last.socket);  // either side may bind
    std::vector<std::string> answered;
    first.backward = [&](Payload&, Phase&, Time&) {
        answered.push_back("first");
        return tlm::TLM_ACCEPTED;
    };
    last.backward = [&](Payload&, Phase&, Time&) {
        answered.push_back("last");
        return tlm::TLM_ACCEPTED;
    };
    elaborate();
    EXPECT_EQ(target.socket.size(), 4);

    Payload transaction;
    call_all(*last.socket.operator->(), transaction);
    call_all(*multi.socket[1], transaction);
    call_all(*first.socket.operator->(), transaction);
    call_all(*multi.socket[0], transaction);
    EXPECT_THAT(target.calls, testing::ElementsAre("b3", "nb3", "direct3", "debug3", "b2", "nb2",
                                                   "direct2", "debug2", "b0", "nb0", "direct0",
                                                   "debug0", "b1", "nb1", "direct1", "debug1"));

    Phase phase = tlm::END_REQ;
    Time delay;
    for (const int id : {0, 3, 2, 1}) {
        target.socket[id]->nb_transport_bw(transaction, phase, delay);
    }
    EXPECT_THAT(answered, testing::ElementsAre("first", "last"));
    EXPECT_THAT(multi.answers, testing::ElementsAre(1, 0));
}

TEST(NumberedTargetSocket, MayStayUnbound) {
    NumberedTarget target("target");
    elaborate();
    EXPECT_EQ(target.socket.size(), 0);
}

/// A module around the target, whose own socket leads to it.
template <typename Socket>
struct Enclosing : sc_core::sc_module {
    NumberedTarget target{"target"};
    Socket socket{"socket"};
    explicit Enclosing(sc_core::sc_module_name name) : sc_module(name) {
        socket.bind(target.socket);
    }
};

TEST(NumberedTargetSocket, OneInitiatorMayComeThroughAnEnclosingModule) {
    Enclosing<tlm::tlm_target_socket<>> enclosing("enclosing");
    ScriptedInitiator initiator("initiator");
    initiator.socket.bind(enclosing.socket);
    elaborate();
    Payload transaction;
    call_all(*initiator.socket.operator->(), transaction);
    EXPECT_THAT(enclosing.target.calls, testing::ElementsAre("b0", "nb0", "direct0", "debug0"));
}

TEST(NumberedTargetSocket, SeveralMayNot) {
    Enclosing<tlm::tlm_target_socket<32, tlm::tlm_base_protocol_types, 0>> enclosing("enclosing");
    ScriptedInitiator initiators[2] = {ScriptedInitiator{"one"}, ScriptedInitiator{"other"}};
    initiators[0].socket.bind(enclosing.socket);
    initiators[1].socket.bind(enclosing.socket);
    EXPECT_THROW(elaborate(), sc_core::sc_report);
}

}  // namespace
}  // namespace dve::test
