// Doorbells and semaphores of a host at fixed times, between random instructions: whatever the
// quantum, an engine sees them at their times, which are those of the cycle view.
#include <gtest/gtest.h>

#include "tests/engine/quantum_bench.h"
#include "tests/support/random_record.h"

namespace dve::test {
namespace {

constexpr unsigned places = 64;              // of the instruction ring
constexpr unsigned entries = 64;             // of the notification ring
constexpr std::uint8_t host_semaphore = 0;   // random programs use others
constexpr std::uint64_t look_interval = 23;  // cycles

/// Something the host does, so long after START. Never at an edge of the clock.
struct HostAction {
    enum class Kind { DOORBELL, INCREMENT, LOOK };

    sc_core::sc_time after;
    Kind kind;
    std::uint32_t tail = 0;  ///< of a doorbell
};

struct Outcome {
    std::vector<RetireFigures> figures;
    std::vector<std::uint64_t> notifications;
    std::vector<std::uint64_t> looks;  ///< what the semaphores and events were at each look
};

class QuantumHandOver : public testing::TestWithParam<unsigned> {
protected:
    QuantumHandOver()
        : configuration_(configuration_of(TimingMode::LOOSE)),
          cycle_time_(cycle_time(configuration_)),
          loose_(configuration_),
          cycle_(configuration_of(TimingMode::CYCLE)),
          random_(GetParam(), configuration_.isa) {
        elaborate();
    }

    /// Records that wait for the host here and there, and what the host does.
    void make() {
        do {
            program_ = random_.program(random_.between(6, 25));
        } while (program_.size() >= places);
        actions_.clear();
        std::uint32_t waits = 0;
        for (Record& record : program_) {
            if (record.get8(fields::HEADER::wait_mode) == 0 && record.opcode() != 0xA0 &&
                random_.one_in(3)) {
                record = with_wait(record, 0x05, host_semaphore, ++waits);
            }
        }
        std::uint32_t handed_over = 0;
        std::uint64_t cycle = 0;
        const auto act = [&](HostAction::Kind kind) {
            actions_.push_back(
                {cycle_time_ * (static_cast<double>(cycle) + 0.5), kind, handed_over});
        };
        const auto look_until = [&](std::uint64_t next) {
            for (; cycle + look_interval < next; cycle += look_interval) {
                act(HostAction::Kind::LOOK);
            }
            cycle = next;
        };
        while (handed_over < program_.size() || waits > 0) {
            look_until(cycle + random_.between(0, random_.one_in(5) ? 900 : 150));
            const auto left = static_cast<std::uint32_t>(program_.size()) - handed_over;
            if (left > 0 && (waits == 0 || random_.one_in(3))) {
                handed_over += random_.between(1, std::min(left, 9U));
                act(HostAction::Kind::DOORBELL);
            } else if (waits > 0) {
                --waits;
                act(HostAction::Kind::INCREMENT);
            }
        }
        look_until(cycle + 2000);
    }
    Outcome run(DeviceBench& bench) {
        bench.write_csr(csr::RESET, 1);
        for (unsigned number = 0; number < 64; ++number) {
            bench.write_csr(csr::registers_window + 4 * number, random_.registers()[number]);
        }
        bench.retired_records.clear();
        bench.open_notifications(entries);
        bench.open_ring(places);
        for (const Record& record : program_) {
            bench.push(record);
        }
        std::memset(bench.system.bytes().data() + DeviceBench::notifications_at, 0, 16 * entries);
        bench.start_ring();
        const std::uint64_t start_cycle = sc_core::sc_time_stamp().value() / cycle_time_.value();
        acts_on_ = &bench;
        looks_.clear();
        begun_.notify(sc_core::SC_ZERO_TIME);
        sc_core::sc_start();
        EXPECT_FALSE(bench.running());
        faults_ += bench.faulted() ? 1 : 0;
        return {figures_of(bench.retired_records),
                notification_words(bench.entry(0), entries, start_cycle), looks_};
    }

    template <typename Chosen>
    void compare(Chosen chosen) {
        constexpr unsigned programs = 10;
        for (unsigned number = 0; number < programs; ++number) {
            make();
            const auto expected = chosen(run(cycle_));
            for (const sc_core::sc_time& quantum : quanta(cycle_time_)) {
                SCOPED_TRACE("program " + std::to_string(number) + ", quantum " +
                             quantum.to_string());
                set_quantum(quantum);
                EXPECT_EQ(chosen(run(loose_)), expected);
            }
            ASSERT_FALSE(HasFailure());
        }
        EXPECT_LT(faults_, programs * quanta(cycle_time_).size() / 2);
    }

    Configuration configuration_;
    sc_core::sc_time cycle_time_;
    DeviceBench loose_;
    DeviceBench cycle_;
    RandomRecords random_;
    unsigned faults_ = 0;

private:
    void act(const HostAction& action) {
        switch (action.kind) {
            case HostAction::Kind::DOORBELL:
                acts_on_->write_csr(csr::RING_TAIL, 64 * action.tail);
                break;
            case HostAction::Kind::INCREMENT:
                acts_on_->write_csr(csr::semaphore_increment + 4 * host_semaphore, 1);
                break;
            case HostAction::Kind::LOOK: {
                std::uint64_t hash = 0;
                for (unsigned index = 0; index < Synchronisation::count; ++index) {
                    hash = hash * 31 + acts_on_->semaphore(index);
                    hash = hash * 31 + (acts_on_->event(index) ? 1 : 0);
                }
                looks_.push_back(hash);
                break;
            }
        }
    }

    std::vector<Record> program_;
    std::vector<std::uint64_t> looks_;
    std::vector<HostAction> actions_;
    DeviceBench* acts_on_ = nullptr;
    sc_core::sc_event begun_{"begun"};
    Driver host_{"host", [this] {
                     for (;;) {
                         sc_core::wait(begun_);
                         const sc_core::sc_time start = sc_core::sc_time_stamp();
                         for (const HostAction& action : actions_) {
                             const sc_core::sc_time due = start + action.after;
                             if (due > sc_core::sc_time_stamp()) {
                                 sc_core::wait(due - sc_core::sc_time_stamp());
                             }
                             act(action);
                         }
                     }
                 }};
};

TEST_P(QuantumHandOver, TheEngineSeesTheHostAtItsTimes) {
    compare(
        [](const Outcome& outcome) { return std::pair(outcome.figures, outcome.notifications); });
}

// The host reads semaphores and events every now and then.
TEST_P(QuantumHandOver, TheHostSeesTheEngineAtItsTimes) {
    compare([](const Outcome& outcome) { return outcome.looks; });
}

INSTANTIATE_TEST_SUITE_P(Programs, QuantumHandOver, testing::Range(0U, 4U));

}  // namespace
}  // namespace dve::test
