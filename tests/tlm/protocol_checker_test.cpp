// What the checker lets pass in silence: every legal sequence, ignorable phases, nothing changed.
#include "tlm/protocol_checker.h"

#include <gtest/gtest.h>

#include "tests/support/initiator.h"
#include "tests/tlm/checked_arrow.h"
#include "tlm/dispatch_extension.h"

namespace dve::test {
namespace {

class CheckedArrowTest : public testing::Test {
protected:
    void SetUp() override { elaborate(); }
    void TearDown() override {
        for (const std::string& line : arrow.lines) {
            ADD_FAILURE() << line;
        }
        EXPECT_EQ(arrow.checker.violations(), 0U);
        EXPECT_EQ(arrow.checker.in_flight(), 0U);
    }
    /// The target answers the next call like this.
    void answer_forward(Sync answer, Phase phase) {
        arrow.target.forward = [=](Payload& transaction, Phase& reached, Time& delay) {
            if (answer == tlm::TLM_COMPLETED || phase == tlm::BEGIN_RESP) {
                transaction.set_response_status(tlm::TLM_OK_RESPONSE);
            }
            if (answer == tlm::TLM_UPDATED) {
                reached = phase;
            }
            if (answer != tlm::TLM_ACCEPTED) {
                delay += ns(2);
            }
            return answer;
        };
    }

    CheckedArrow arrow;
};

TEST_F(CheckedArrowTest, FourPhasesOverlapping) {
    Payload& first = arrow.request();
    Payload& second = arrow.request();
    arrow.begin(first, ns(1));
    arrow.target.backward(first, tlm::END_REQ, ns(1));
    arrow.begin(second);
    EXPECT_EQ(arrow.checker.in_flight(), 2U);
    arrow.respond(first, ns(3));
    arrow.initiator.forward(first, tlm::END_RESP, ns(3));
    arrow.respond(second);  // END_REQ implied
    arrow.fill(first);
    arrow.begin(first, ns(4));
    arrow.initiator.forward(second, tlm::END_RESP);
    arrow.target.backward(first, tlm::END_REQ, ns(4));
    arrow.respond(first, ns(4));
    arrow.initiator.forward(first, tlm::END_RESP, ns(4));
}

TEST_F(CheckedArrowTest, EarlyCompletion) {
    answer_forward(tlm::TLM_COMPLETED, tlm::BEGIN_REQ);
    EXPECT_EQ(arrow.begin(arrow.request()), tlm::TLM_COMPLETED);
    EXPECT_EQ(arrow.begin(arrow.request()), tlm::TLM_COMPLETED);
}

TEST_F(CheckedArrowTest, PhasesOnTheReturnPath) {
    Payload& transaction = arrow.request();
    answer_forward(tlm::TLM_UPDATED, tlm::END_REQ);
    EXPECT_EQ(arrow.begin(transaction), tlm::TLM_UPDATED);
    arrow.initiator.backward = [](Payload&, Phase& phase, Time& delay) {
        phase = tlm::END_RESP;
        delay += ns(1);
        return tlm::TLM_UPDATED;
    };
    EXPECT_EQ(arrow.respond(transaction, ns(2)), tlm::TLM_UPDATED);

    Payload& other = arrow.request();
    answer_forward(tlm::TLM_UPDATED, tlm::BEGIN_RESP);
    EXPECT_EQ(arrow.begin(other), tlm::TLM_UPDATED);
    answer_forward(tlm::TLM_COMPLETED, tlm::BEGIN_REQ);
    EXPECT_EQ(arrow.initiator.forward(other, tlm::END_RESP, ns(2)), tlm::TLM_COMPLETED);

    Payload& last = arrow.request();
    answer_forward(tlm::TLM_ACCEPTED, tlm::BEGIN_REQ);
    arrow.begin(last);
    arrow.initiator.backward = [](Payload&, Phase&, Time&) { return tlm::TLM_COMPLETED; };
    EXPECT_EQ(arrow.respond(last), tlm::TLM_COMPLETED);
}

// An initiator that lets go of the payload within BEGIN_RESP.
TEST_F(CheckedArrowTest, ResponseThatReturnsThePayload) {
    Payload& transaction = arrow.request();
    arrow.begin(transaction);
    arrow.initiator.backward = [](Payload& ended, Phase&, Time&) {
        ended.release();
        return tlm::TLM_COMPLETED;
    };
    arrow.respond(transaction);
    EXPECT_EQ(arrow.pool.returned(), 1U);
}

TEST_F(CheckedArrowTest, IgnorablePhasesPass) {
    unsigned forward = 0;
    unsigned backward = 0;
    arrow.target.forward = [&](Payload&, Phase& phase, Time&) {
        forward += phase == READ_DONE;
        return tlm::TLM_ACCEPTED;
    };
    arrow.initiator.backward = [&](Payload&, Phase& phase, Time&) {
        backward += phase == READ_DONE;
        return tlm::TLM_ACCEPTED;
    };
    Payload& transaction = arrow.request();
    arrow.initiator.forward(transaction, READ_DONE);
    arrow.begin(transaction);
    arrow.target.backward(transaction, READ_DONE);
    arrow.target.backward(transaction, tlm::END_REQ);
    arrow.target.backward(transaction, READ_DONE);
    arrow.initiator.forward(transaction, READ_DONE);
    arrow.respond(transaction);
    arrow.target.backward(transaction, READ_DONE);
    arrow.initiator.forward(transaction, tlm::END_RESP);
    arrow.target.backward(transaction, READ_DONE);
    EXPECT_EQ(forward, 2U);
    EXPECT_EQ(backward, 4U);
}

TEST_F(CheckedArrowTest, BlockingCallsOfEveryKind) {
    Payload transaction;
    arrow.fill(transaction);
    transaction.set_command(tlm::TLM_IGNORE_COMMAND);
    transaction.set_data_ptr(nullptr);
    transaction.set_data_length(0);
    arrow.initiator.blocking(transaction);

    arrow.fill(transaction);
    transaction.set_read();
    transaction.set_byte_enable_ptr(arrow.enables);
    transaction.set_byte_enable_length(1);
    transaction.set_streaming_width(2);
    arrow.target.blocking = [](Payload& read, Time& delay) {
        read.get_data_ptr()[0] = 0x5A;
        read.set_dmi_allowed(true);
        read.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        delay += ns(7);
    };
    Time delay = ns(1);
    arrow.initiator.socket->b_transport(transaction, delay);
    EXPECT_EQ(delay, ns(8));
    EXPECT_EQ(arrow.data[0], 0x5A);
    EXPECT_TRUE(transaction.is_dmi_allowed());
    EXPECT_EQ(transaction.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);

    // Two threads in b_transport at once; a target that waits and takes the time off.
    arrow.target.blocking = [](Payload& slow, Time& late) {
        sc_core::wait(late + ns(5));
        late = sc_core::SC_ZERO_TIME;
        slow.set_response_status(tlm::TLM_OK_RESPONSE);
    };
    for (int i = 0; i < 2; ++i) {
        sc_core::sc_spawn([this] {
            Payload own;
            arrow.fill(own);
            arrow.initiator.blocking(own, ns(3));
        });
    }
    sc_core::sc_start(ns(100));
}

TEST_F(CheckedArrowTest, DirectMemoryAndDebug) {
    EXPECT_TRUE(arrow.direct(arrow.request()));
    EXPECT_EQ(arrow.initiator.socket->transport_dbg(arrow.request()), 4U);
    arrow.target.direct = [](Payload&, tlm::tlm_dmi& dmi) {
        dmi.allow_none();
        return false;
    };
    EXPECT_FALSE(arrow.direct(arrow.request()));
    Payload& nothing = arrow.request();
    nothing.set_data_ptr(nullptr);
    nothing.set_data_length(0);
    arrow.target.socket->invalidate_direct_mem_ptr(0, ~std::uint64_t{0});
    EXPECT_EQ(arrow.initiator.socket->transport_dbg(nothing), 0U);
    EXPECT_EQ(arrow.checker.calls(), 5U);
}

// A call that ends by an exception has ended.
TEST_F(CheckedArrowTest, AnExceptionLeavesNoCallBehind) {
    arrow.target.blocking = [](Payload&, Time&) { throw std::runtime_error("of the target"); };
    Payload& transaction = arrow.request();
    EXPECT_THROW(arrow.initiator.blocking(transaction), std::runtime_error);
    arrow.target.forward = [](Payload& payload, Phase&, Time&) {
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        return tlm::TLM_COMPLETED;
    };
    EXPECT_EQ(arrow.begin(transaction), tlm::TLM_COMPLETED);
    transaction.release();
}

}  // namespace
}  // namespace dve::test
