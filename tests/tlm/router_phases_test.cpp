// Non-blocking phases through the router: translation, one response at a time, nothing kept.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/initiator.h"
#include "tests/tlm/checked_arrow.h"
#include "tlm/dispatch_extension.h"
#include "tlm/router.h"

namespace dve::test {
namespace {

constexpr std::uint64_t base[2] = {0x1000, 0x8000};

/// An initiator, the router and two targets, a checker on each arrow.
class RouterPhases : public testing::Test {
protected:
    void SetUp() override {
        initiator.socket.bind(host_checker.target);
        host_checker.initiator.bind(router.target);
        for (int i = 0; i < 2; ++i) {
            router.map(base[i], 0x1000);
            router.initiator.bind(checkers[i].target);
            checkers[i].initiator.bind(targets[i].socket);
            targets[i].forward = [this, i](Payload& transaction, Phase& phase, Time&) {
                received.push_back(phase_name(phase) + std::to_string(i));
                if (phase == tlm::BEGIN_REQ) {
                    EXPECT_EQ(transaction.get_address(), 0x24U);
                }
                return tlm::TLM_ACCEPTED;
            };
        }
        initiator.backward = [this](Payload& transaction, Phase& phase, Time&) {
            received.push_back(phase_name(phase));
            if (phase == tlm::BEGIN_RESP) {
                EXPECT_EQ(transaction.get_address() & 0xFFF, 0x24U);
                EXPECT_GE(transaction.get_address(), 0x1000U);
            }
            return tlm::TLM_ACCEPTED;
        };
        elaborate();
    }
    void TearDown() override {
        for (ProtocolChecker* checker : {&host_checker, &checkers[0], &checkers[1]}) {
            EXPECT_EQ(checker->violations(), 0U);
            EXPECT_EQ(checker->in_flight(), 0U);
        }
        EXPECT_EQ(pool.taken(), pool.returned());
    }
    static std::string phase_name(const Phase& phase) { return phase.get_name(); }

    Payload& request(int window) {
        Payload& transaction = pool.take();
        prepare(transaction, tlm::TLM_READ_COMMAND, base[window] + 0x24, data, 4);
        return transaction;
    }
    Sync begin(Payload& transaction) { return initiator.forward(transaction, tlm::BEGIN_REQ); }
    Sync respond(int window, Payload& transaction, Time delay = {}) {
        transaction.set_response_status(tlm::TLM_OK_RESPONSE);
        return targets[window].backward(transaction, tlm::BEGIN_RESP, delay);
    }
    void end(Payload& transaction, Time delay = {}) {
        initiator.forward(transaction, tlm::END_RESP, delay);
        transaction.release();
    }

    PayloadPool pool;
    ScriptedInitiator initiator{"initiator"};
    ProtocolChecker host_checker{"host_checker"};
    Router router{"router"};
    ProtocolChecker checkers[2] = {ProtocolChecker{"checker0"}, ProtocolChecker{"checker1"}};
    ScriptedTarget targets[2] = {ScriptedTarget{"target0"}, ScriptedTarget{"target1"}};
    unsigned char data[4] = {};
    std::vector<std::string> received;
};

TEST_F(RouterPhases, PassInBothDirections) {
    Payload& transaction = request(1);
    EXPECT_EQ(begin(transaction), tlm::TLM_ACCEPTED);
    initiator.forward(transaction, READ_DONE);
    targets[1].backward(transaction, tlm::END_REQ);
    targets[1].backward(transaction, READ_DONE);
    EXPECT_EQ(transaction.get_address(), 0x24U);  // the target may still look
    respond(1, transaction, ns(3));
    EXPECT_EQ(transaction.get_address(), base[1] + 0x24);
    EXPECT_EQ(transaction.get_ref_count(), 2);
    end(transaction, ns(3));
    EXPECT_THAT(received, testing::ElementsAre("BEGIN_REQ1", "READ_DONE1", "END_REQ", "READ_DONE",
                                               "BEGIN_RESP", "END_RESP1"));
}

TEST_F(RouterPhases, ResponsesOfTwoWindowsQueue) {
    Payload& first = request(0);
    Payload& second = request(1);
    begin(first);
    targets[0].backward(first, tlm::END_REQ);
    begin(second);
    targets[1].backward(second, tlm::END_REQ);
    received.clear();
    EXPECT_EQ(respond(1, second), tlm::TLM_ACCEPTED);
    EXPECT_EQ(respond(0, first, ns(1)), tlm::TLM_ACCEPTED);
    sc_core::sc_start(ns(5));
    EXPECT_THAT(received, testing::ElementsAre("BEGIN_RESP"));
    end(second, ns(2));
    sc_core::sc_start(ns(1));
    EXPECT_THAT(received, testing::ElementsAre("BEGIN_RESP", "END_RESP1"));
    sc_core::sc_start(ns(2));
    EXPECT_THAT(received, testing::ElementsAre("BEGIN_RESP", "END_RESP1", "BEGIN_RESP"));
    end(first);
    EXPECT_EQ(received.back(), "END_RESP0");
}

// The initiator ends both responses on the return path; the target of the queued one hears of it.
TEST_F(RouterPhases, QueuedResponseEndsOnTheReturnPath) {
    for (const Sync answer : {tlm::TLM_COMPLETED, tlm::TLM_UPDATED}) {
        Payload& first = request(0);
        Payload& second = request(1);
        begin(first);
        targets[0].backward(first, tlm::END_REQ);
        begin(second);
        respond(0, first);  // stays open
        respond(1, second);
        received.clear();
        initiator.backward = [this, answer](Payload& transaction, Phase& phase, Time& delay) {
            received.push_back(phase_name(phase));
            if (answer == tlm::TLM_UPDATED) {
                phase = tlm::END_RESP;
                delay += ns(1);
            }
            transaction.release();
            return answer;
        };
        end(first);
        sc_core::sc_start(ns(5));
        EXPECT_THAT(received, testing::ElementsAre("END_RESP0", "BEGIN_RESP", "END_RESP1"));
        initiator.backward = [](Payload&, Phase&, Time&) { return tlm::TLM_ACCEPTED; };
    }
    Payload& direct = request(0);
    begin(direct);
    initiator.backward = [](Payload& transaction, Phase&, Time&) {
        transaction.release();
        return tlm::TLM_COMPLETED;
    };
    EXPECT_EQ(respond(0, direct), tlm::TLM_COMPLETED);
}

TEST_F(RouterPhases, ResponseOnTheReturnPath) {
    const auto at_once = [](Payload& transaction, Phase& phase, Time&) {
        if (phase == tlm::BEGIN_REQ) {
            transaction.set_response_status(tlm::TLM_OK_RESPONSE);
            phase = tlm::BEGIN_RESP;
            return tlm::TLM_UPDATED;
        }
        return tlm::TLM_ACCEPTED;
    };
    targets[0].forward = targets[1].forward = at_once;
    Payload& first = request(0);
    Payload& second = request(1);
    Phase phase = tlm::BEGIN_REQ;
    Time delay;
    EXPECT_EQ(initiator.socket->nb_transport_fw(first, phase, delay), tlm::TLM_UPDATED);
    EXPECT_EQ(phase, tlm::BEGIN_RESP);
    EXPECT_EQ(first.get_address(), base[0] + 0x24);
    // The arrow has a response already: for now the request is ended only.
    phase = tlm::BEGIN_REQ;
    EXPECT_EQ(initiator.socket->nb_transport_fw(second, phase, delay), tlm::TLM_UPDATED);
    EXPECT_EQ(phase, tlm::END_REQ);
    end(first);
    sc_core::sc_start(ns(1));
    EXPECT_THAT(received, testing::ElementsAre("BEGIN_RESP"));
    end(second);
}

// Both targets answer from within the call: the second response queues, its request has ended.
TEST_F(RouterPhases, ResponsesFromWithinTheCallQueue) {
    for (int i = 0; i < 2; ++i) {
        targets[i].forward = [this, i](Payload& transaction, Phase& phase, Time&) {
            if (phase == tlm::BEGIN_REQ) {
                respond(i, transaction);
            }
            return tlm::TLM_ACCEPTED;
        };
    }
    Payload& first = request(0);
    Payload& second = request(1);
    EXPECT_EQ(begin(first), tlm::TLM_ACCEPTED);
    Phase phase = tlm::BEGIN_REQ;
    Time delay;
    EXPECT_EQ(initiator.socket->nb_transport_fw(second, phase, delay), tlm::TLM_UPDATED);
    EXPECT_EQ(phase, tlm::END_REQ);
    EXPECT_THAT(received, testing::ElementsAre("BEGIN_RESP"));
    end(first);
    sc_core::sc_start(ns(1));
    EXPECT_THAT(received, testing::ElementsAre("BEGIN_RESP", "BEGIN_RESP"));
    end(second);
}

TEST_F(RouterPhases, EarlyCompletion) {
    targets[1].forward = [](Payload& transaction, Phase&, Time& delay) {
        transaction.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
        delay += ns(4);
        return tlm::TLM_COMPLETED;
    };
    Payload& transaction = request(1);
    Phase phase = tlm::BEGIN_REQ;
    Time delay = ns(1);
    EXPECT_EQ(initiator.socket->nb_transport_fw(transaction, phase, delay), tlm::TLM_COMPLETED);
    EXPECT_EQ(delay, ns(5));
    EXPECT_EQ(transaction.get_address(), base[1] + 0x24);
    EXPECT_EQ(transaction.get_response_status(), tlm::TLM_BURST_ERROR_RESPONSE);
    transaction.release();

    Payload& unmapped = request(0);
    unmapped.set_address(0x3000);
    EXPECT_EQ(begin(unmapped), tlm::TLM_COMPLETED);
    EXPECT_EQ(unmapped.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    unmapped.release();
    EXPECT_TRUE(received.empty());
}

// A window that nothing is bound for shows when the platform is built, not at the first access.
TEST(Router, CountsWindowsAndBindings) {
    ScriptedInitiator initiator("initiator");
    Router router("router");
    ScriptedTarget target("target");
    initiator.socket.bind(router.target);
    router.initiator.bind(target.socket);
    router.map(0, 0x100);
    router.map(0x100, 0x100);
    try {
        elaborate();
        ADD_FAILURE() << "elaborated";
    } catch (const sc_core::sc_report& report) {
        EXPECT_STREQ(report.get_msg_type(), "dve/router");
        EXPECT_STREQ(report.get_msg(), "2 windows for 1 bindings of router.initiator");
    }
}

TEST(Router, RefusesWindowsThatCannotBe) {
    Router router("router");
    router.map(0x1000, 0x1000);
    const auto refusal = [&](std::uint64_t base, std::uint64_t bytes) -> std::string {
        try {
            router.map(base, bytes);
        } catch (const sc_core::sc_report& report) {
            return report.get_msg();
        }
        return "";
    };
    EXPECT_THAT(refusal(0x1FFF, 1), testing::HasSubstr("overlaps the one at 0x1000"));
    EXPECT_THAT(refusal(0, 0x1001), testing::HasSubstr("overlaps"));
    EXPECT_THAT(refusal(0x5000, 0), testing::HasSubstr("legal: one byte at least"));
    EXPECT_THAT(refusal(~std::uint64_t{0}, 2), testing::HasSubstr("end of the address space"));
    EXPECT_EQ(refusal(~std::uint64_t{0} - 0xFFF, 0x1000), "");
    EXPECT_EQ(refusal(0x2000, 1), "");
}

// A loader may ask too early; nothing is there yet. Windows come before elaboration alone.
TEST(Router, BeforeElaborationNothingIsThere) {
    Router router("router");
    ScriptedInitiator initiator("initiator");
    ScriptedTarget target("target");
    initiator.socket.bind(router.target);
    router.map(0, 0x100);
    router.initiator.bind(target.socket);
    unsigned char data[4] = {};
    Payload transaction;
    prepare(transaction, tlm::TLM_READ_COMMAND, 0, data, 4);
    tlm::tlm_fw_transport_if<>& arrow = *router.target.get_base_export().operator->();
    tlm::tlm_dmi dmi;
    Time delay;
    EXPECT_EQ(arrow.transport_dbg(transaction), 0U);
    EXPECT_FALSE(arrow.get_direct_mem_ptr(transaction, dmi));
    arrow.b_transport(transaction, delay);
    EXPECT_EQ(transaction.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    elaborate();
    EXPECT_EQ(arrow.transport_dbg(transaction), 4U);
    EXPECT_THROW(router.map(0x100, 0x100), sc_core::sc_report);
}

}  // namespace
}  // namespace dve::test
