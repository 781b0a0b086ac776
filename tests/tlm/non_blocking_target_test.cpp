// The shared nb_transport of the targets: early completion, four phases, back-pressure, exclusion.
#include "tlm/non_blocking_target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/initiator.h"
#include "tests/tlm/checked_arrow.h"

namespace dve::test {
namespace {

/// What the initiator of an arrow saw, and when.
struct Seen {
    int arrow;
    std::uint64_t address;
    std::string phase;
    std::uint64_t nanoseconds;
    bool operator==(const Seen& other) const {
        return arrow == other.arrow && address == other.address && phase == other.phase &&
               nanoseconds == other.nanoseconds;
    }
};
void PrintTo(const Seen& seen, std::ostream* out) {
    *out << seen.arrow << ":0x" << std::hex << seen.address << " " << seen.phase << std::dec
         << " at " << seen.nanoseconds;
}

/// Two arrows into one target whose access takes as many nanoseconds as its address says.
class NonBlockingBench {
public:
    explicit NonBlockingBench(const NonBlockingStyle& style)
        : non_blocking(
              style,
              [this](Payload& transaction, Time& delay) {
                  served.push_back(transaction.get_address());
                  transaction.set_response_status(tlm::TLM_OK_RESPONSE);
                  delay += ns(static_cast<double>(transaction.get_address()));
              },
              [this](int port, Payload& transaction, Phase& phase, Time& delay) {
                  return arrows[port].target.socket->nb_transport_bw(transaction, phase, delay);
              }) {
        for (int port = 0; port < 2; ++port) {
            arrows[port].target.forward = [this, port](Payload& transaction, Phase& phase,
                                                       Time& delay) {
                return non_blocking.transport(port, transaction, phase, delay);
            };
            arrows[port].initiator.backward = [this, port](Payload& transaction, Phase& phase,
                                                           Time& delay) {
                seen.push_back({port, transaction.get_address(), phase == tlm::END_REQ ? "R" : "A",
                                picoseconds(sc_core::sc_time_stamp()) / 1000});
                return answer(port, transaction, phase, delay);
            };
        }
    }
    ~NonBlockingBench() {
        for (CheckedArrow& arrow : arrows) {
            EXPECT_THAT(arrow.lines, testing::IsEmpty());
            EXPECT_EQ(arrow.pool.taken(), arrow.pool.returned());
        }
    }

    Sync send(int port, std::uint64_t address, Time delay = {}) {
        Payload& transaction = arrows[port].request();
        transaction.set_address(address);
        const Sync result = arrows[port].begin(transaction, delay);
        if (result == tlm::TLM_COMPLETED) {
            transaction.release();
        }
        return result;
    }
    void run(double nanoseconds) { sc_core::sc_start(ns(nanoseconds)); }

    /// By default the response ends within the call.
    std::function<Sync(int, Payload&, Phase&, Time&)> answer = [](int, Payload& transaction,
                                                                  Phase& phase, Time&) {
        if (phase != tlm::BEGIN_RESP) {
            return tlm::TLM_ACCEPTED;
        }
        transaction.release();
        return tlm::TLM_COMPLETED;
    };
    CheckedArrow arrows[2];
    std::vector<std::uint64_t> served;
    std::vector<Seen> seen;
    NonBlockingTarget non_blocking;
};

TEST(NonBlockingTarget, CompletesEarly) {
    NonBlockingBench bench(NonBlockingStyle::early_completion());
    elaborate();
    Payload& transaction = bench.arrows[0].request();
    transaction.set_address(7);
    Phase phase = tlm::BEGIN_REQ;
    Time delay = ns(10);
    EXPECT_EQ(bench.arrows[0].initiator.socket->nb_transport_fw(transaction, phase, delay),
              tlm::TLM_COMPLETED);
    EXPECT_EQ(delay, ns(17));
    EXPECT_TRUE(transaction.is_response_ok());
    EXPECT_EQ(transaction.get_ref_count(), 1);
    transaction.release();
    EXPECT_EQ(bench.send(1, 3), tlm::TLM_COMPLETED);
    EXPECT_THAT(bench.served, testing::ElementsAre(7, 3));
}

TEST(NonBlockingTarget, FourPhasesAtTheirTimes) {
    NonBlockingBench bench(NonBlockingStyle::four_phases(4));
    elaborate();
    EXPECT_EQ(bench.send(0, 5, ns(10)), tlm::TLM_ACCEPTED);
    bench.send(1, 3, ns(1));  // what comes first is not made to wait, nor the other hurried
    bench.run(9);
    EXPECT_THAT(bench.served, testing::ElementsAre(3));
    bench.run(91);
    EXPECT_THAT(bench.seen, testing::ElementsAre(Seen{1, 3, "R", 1}, Seen{1, 3, "A", 4},
                                                 Seen{0, 5, "R", 10}, Seen{0, 5, "A", 15}));
}

// Later but shorter accesses respond first.
TEST(NonBlockingTarget, RequestsOverlap) {
    NonBlockingBench bench(NonBlockingStyle::four_phases(4));
    elaborate();
    bench.send(0, 20);
    bench.run(1);
    bench.send(0, 4);
    bench.run(99);
    EXPECT_THAT(bench.seen, testing::ElementsAre(Seen{0, 20, "R", 0}, Seen{0, 4, "R", 1},
                                                 Seen{0, 4, "A", 5}, Seen{0, 20, "A", 20}));
}

TEST(NonBlockingTarget, AtMostSoManyAreAccepted) {
    NonBlockingBench bench(NonBlockingStyle::four_phases(2));
    elaborate();
    bench.send(0, 30);
    bench.run(1);
    bench.send(0, 10);
    bench.run(1);
    bench.send(0, 6);  // END_REQ only when the second one has ended
    bench.send(1, 7);  // and this one after it, though it is another initiator
    bench.run(98);
    EXPECT_THAT(bench.served, testing::ElementsAre(30, 10, 6, 7));
    EXPECT_THAT(bench.seen,
                testing::ElementsAre(Seen{0, 30, "R", 0}, Seen{0, 10, "R", 1}, Seen{0, 10, "A", 11},
                                     Seen{0, 6, "R", 11}, Seen{0, 6, "A", 17}, Seen{1, 7, "R", 17},
                                     Seen{1, 7, "A", 24}, Seen{0, 30, "A", 30}));
}

// A slow initiator: the next response of its arrow waits for END_RESP, that of another does not.
TEST(NonBlockingTarget, OneResponseAtATime) {
    NonBlockingBench bench(NonBlockingStyle::four_phases(8));
    Payload* held = nullptr;
    bench.answer = [&held](int port, Payload& transaction, Phase& phase, Time&) {
        if (phase == tlm::BEGIN_RESP && port == 1) {
            transaction.release();
            return tlm::TLM_COMPLETED;
        }
        if (phase == tlm::BEGIN_RESP) {
            held = &transaction;
        }
        return tlm::TLM_ACCEPTED;
    };
    elaborate();
    bench.send(0, 5);
    bench.run(1);
    bench.send(0, 6);
    bench.send(1, 8);
    bench.run(19);
    ASSERT_NE(held, nullptr);
    EXPECT_EQ(held->get_address(), 5U);
    // END_RESP in three more nanoseconds.
    bench.arrows[0].initiator.forward(*held, tlm::END_RESP, ns(3));
    held->release();
    bench.run(10);
    EXPECT_EQ(held->get_address(), 6U);
    bench.arrows[0].initiator.forward(*held, tlm::END_RESP);
    held->release();
    bench.run(10);
    EXPECT_THAT(bench.seen,
                testing::ElementsAre(Seen{0, 5, "R", 0}, Seen{0, 6, "R", 1}, Seen{1, 8, "R", 1},
                                     Seen{0, 5, "A", 5}, Seen{1, 8, "A", 9}, Seen{0, 6, "A", 23}));
}

// An initiator that sends its next request from within END_REQ, and ends on the return path.
TEST(NonBlockingTarget, CallsBackFromWithinCalls) {
    NonBlockingBench bench(NonBlockingStyle::four_phases(2));
    unsigned sent = 1;
    bench.answer = [&](int port, Payload& transaction, Phase& phase, Time& delay) {
        if (phase == tlm::END_REQ) {
            if (sent < 6) {
                ++sent;
                bench.send(port, 10);
            }
            return tlm::TLM_ACCEPTED;
        }
        transaction.release();
        phase = tlm::END_RESP;
        delay += ns(1);
        return tlm::TLM_UPDATED;
    };
    elaborate();
    bench.send(0, 10);
    bench.run(100);
    EXPECT_EQ(bench.served.size(), 6U);
    EXPECT_THAT(bench.seen, testing::ElementsAre(
                                Seen{0, 10, "R", 0}, Seen{0, 10, "R", 0}, Seen{0, 10, "A", 10},
                                Seen{0, 10, "R", 11}, Seen{0, 10, "A", 11}, Seen{0, 10, "R", 12},
                                Seen{0, 10, "A", 21}, Seen{0, 10, "R", 22}, Seen{0, 10, "A", 22},
                                Seen{0, 10, "R", 23}, Seen{0, 10, "A", 32}, Seen{0, 10, "A", 33}));
}

// A payload that cannot be kept is completed at once.
TEST(NonBlockingTarget, WithoutMemoryManager) {
    NonBlockingBench bench(NonBlockingStyle::four_phases(1));
    bench.arrows[0].checker.set_rule(ProtocolRule::MEMORY_MANAGER, false);
    elaborate();
    Payload transaction;
    bench.arrows[0].fill(transaction);
    EXPECT_EQ(bench.arrows[0].begin(transaction), tlm::TLM_COMPLETED);
    EXPECT_TRUE(transaction.is_response_ok());
}

}  // namespace
}  // namespace dve::test
