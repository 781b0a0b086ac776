// The initiator of the approximate view and a target that keeps its transactions for a while.
#include "tlm/non_blocking_initiator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/initiator.h"
#include "tests/tlm/scripted_sides.h"
#include "tlm/initiator_access.h"

namespace dve::test {
namespace {

TEST(NonBlockingInitiator, UsesNoPayloadThatATargetRefersTo) {
    ScriptedInitiator initiator("initiator");
    ScriptedTarget target("target");
    initiator.socket.bind(target.socket);
    NonBlockingInitiator phases([&](Payload& transaction, Phase& phase, Time& delay) {
        return initiator.socket->nb_transport_fw(transaction, phase, delay);
    });
    std::vector<Payload*> kept;
    target.forward = [&](Payload& transaction, Phase&, Time&) {
        EXPECT_EQ(transaction.get_ref_count(), 1);
        if (kept.size() < 2) {
            transaction.acquire();
        }
        kept.push_back(&transaction);
        transaction.set_response_status(tlm::TLM_OK_RESPONSE);
        return tlm::TLM_COMPLETED;
    };
    elaborate();
    unsigned char data[4] = {};
    sc_core::sc_spawn([&] {
        for (unsigned i = 0; i < 4; ++i) {
            prepare(phases.payload(), tlm::TLM_READ_COMMAND, 0, data, 4);
            phases.transport();
        }
        kept[0]->release();
        kept[1]->release();
    });
    sc_core::sc_start();
    ASSERT_EQ(kept.size(), 4U);
    EXPECT_NE(kept[0], kept[1]);
    EXPECT_NE(kept[2], kept[0]);
    EXPECT_NE(kept[2], kept[1]);
    EXPECT_EQ(kept[3], kept[2]);
}

}  // namespace
}  // namespace dve::test
