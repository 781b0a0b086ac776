// Temporal decoupling between engines and a host with a quantum keeper: the data are right with
// every quantum, and the figures are the same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/decoupled_platform.h"

namespace dve::test {
namespace {

constexpr unsigned rows = 4;  // few, so that the host is no slower than the engine
constexpr unsigned columns = 64;
constexpr unsigned tiles = 40;
constexpr std::uint32_t tile_bytes = 4 * columns;
constexpr std::uint32_t results_at = 0x10000;
constexpr std::uint64_t partition_stride = 0x40000;
constexpr std::uint8_t full = 0;   // semaphore: tiles that the host has written
constexpr std::uint8_t freed = 1;  // semaphore: tiles that the engine has done

constexpr std::uint32_t place_of(unsigned tile, unsigned buffers) {
    return tile % buffers * tile_bytes;
}

/// y = 2 x + 1, once a semaphore has a value.
std::string tile_text(std::uint32_t x, std::uint32_t y, std::uint32_t value,
                      const std::string& behind = "") {
    const auto tensor = [](const char* name, std::uint32_t byte) {
        return std::string(".tensor ") + name + " sbuf:0:" + std::to_string(byte) + " " +
               std::to_string(rows) + "x" + std::to_string(columns) + " fp32\n";
    };
    return tensor("x", x) + tensor("y", y) + "wait sem[0] >= " + std::to_string(value) +
           "\nupdate sem[1]++\n" +
           "tensor_scalar_arith dst=y src=x op0=mult imm0=2.0 op1=add imm1=1.0\n" + behind;
}

void append(std::vector<Record>& program, const std::string& text) {
    const std::vector<Record> more = records_of(text);
    program.insert(program.end(), more.begin(), more.end());
}

/// What a run leaves.
struct Outcome {
    unsigned wrong = 0;  ///< elements that the host has read
    std::vector<RetireFigures> figures;
    std::vector<std::uint64_t> notifications;
    std::vector<std::uint32_t> semaphores;
    sc_core::sc_time took;
};

/// How host and engines hand over to each other.
enum class Way { INTERRUPT, SEMAPHORE, POLLING, TWO_ENGINES };

void PrintTo(Way way, std::ostream* to) {
    static constexpr const char* names[] = {"interrupt", "semaphore", "polling", "two_engines"};
    *to << names[static_cast<unsigned>(way)];
}

class QuantumHost : public testing::TestWithParam<Way> {
protected:
    QuantumHost() {
        for (unsigned i = 0; i < (GetParam() == Way::TWO_ENGINES ? 2U : 1U); ++i) {
            engines_.push_back(std::make_unique<DecoupledEngine>(
                sc_core::sc_gen_unique_name("device"), configuration_of(TimingMode::LOOSE)));
        }
    }

    /// Every quantum, then one that changes with every tile. `check` gets each outcome and the
    /// first.
    template <typename Check>
    void with_every_quantum(bool catches_up, Check check) {
        std::vector<Outcome> outcomes;
        body_ = [&] {
            host_.catches_up = catches_up;
            for (const sc_core::sc_time& quantum : all_) {
                host_.restart(quantum);
                outcomes.push_back(run());
            }
            quantum_changes_ = true;
            outcomes.push_back(run());
        };
        sc_core::sc_start();
        ASSERT_EQ(outcomes.size(), all_.size() + 1) << "somebody waits forever";
        for (std::size_t i = 0; i < outcomes.size(); ++i) {
            SCOPED_TRACE("quantum " + (i < all_.size() ? all_[i].to_string() : "changing"));
            check(outcomes[i], outcomes[0]);
        }
    }

private:
    DecoupledEngine& engine(std::size_t index = 0) { return *engines_[index]; }

    Outcome run() {
        ++run_number_;
        for (const auto& engine : engines_) {
            engine->prepare_run(host_);
        }
        Outcome outcome;
        outcome.wrong = (this->*ways[static_cast<unsigned>(GetParam())])();
        outcome.took = host_.now() - engine().started();
        for (const auto& engine : engines_) {
            outcome.figures.insert(outcome.figures.end(), engine->figures.begin(),
                                   engine->figures.end());
            outcome.semaphores.push_back(host_.read_register(engine->csr, semaphore(full)));
            outcome.semaphores.push_back(host_.read_register(engine->csr, semaphore(freed)));
        }
        outcome.notifications = engine().notifications();
        return outcome;
    }

    static std::uint32_t semaphore(unsigned index) { return csr::semaphore_read + 4 * index; }
    void increment_full(DecoupledEngine& engine) {
        host_.write_register(engine.csr, csr::semaphore_increment + 4 * full, 1);
    }
    void enable(DecoupledEngine& engine, std::uint32_t causes) {
        host_.write_register(engine.csr, csr::INTERRUPT_ENABLE, causes);
    }
    /// Another one in every run, so that results of an earlier run are wrong.
    float input(unsigned tile, unsigned row, unsigned column) const {
        return 0.25F * static_cast<float>(column) -
               static_cast<float>(row + 7 * tile + 1000 * run_number_);
    }
    /// Anything from nothing to some instructions, the same in every run.
    void work(unsigned tile) {
        if (quantum_changes_) {
            host_.restart(all_[tile * 5 % all_.size()]);
        }
        host_.work(sc_core::sc_time((tile * 7919 + 13) % 231, sc_core::SC_NS));
    }

    using Tile = std::array<std::array<float, columns>, rows>;
    void move(DecoupledEngine& engine, tlm::tlm_command command, std::uint32_t place, Tile& tile) {
        for (unsigned row = 0; row < rows; ++row) {
            host_.access(engine.memory, command, row * partition_stride + place, tile[row].data(),
                         tile_bytes);
        }
    }
    void write_tile(unsigned number, std::uint32_t place) {
        Tile tile;
        for (unsigned row = 0; row < rows; ++row) {
            for (unsigned column = 0; column < columns; ++column) {
                tile[row][column] = input(number, row, column);
            }
        }
        move(engine(), tlm::TLM_WRITE_COMMAND, place, tile);
    }
    /// Results are a x + b.
    unsigned wrong_elements(DecoupledEngine& from, unsigned number, std::uint32_t place,
                            float a = 2.0F, float b = 1.0F) {
        Tile tile;
        move(from, tlm::TLM_READ_COMMAND, place, tile);
        unsigned wrong = 0;
        for (unsigned row = 0; row < rows; ++row) {
            for (unsigned column = 0; column < columns; ++column) {
                wrong += tile[row][column] == a * input(number, row, column) + b ? 0 : 1;
            }
        }
        return wrong;
    }

    /// Records, doorbells and semaphores to the engine; a notification and its interrupt back.
    unsigned by_interrupt() {
        DecoupledEngine& device = engine();
        enable(device, csr::mask::INTERRUPT_NOTIFICATION);
        device.start(host_, csr::value::START_RING);
        unsigned wrong = 0;
        for (unsigned tile = 0; tile <= tiles; ++tile) {
            if (tile < tiles) {
                const std::uint32_t place = place_of(tile, 2);
                const std::uint32_t to = results_at + place;
                work(tile);
                device.push(host_, records_of(tile_text(place, to, tile + 1, "drain\nnotify\n")));
                write_tile(tile, place);
                work(tile + 1);
                increment_full(device);
            }
            if (tile > 0) {
                while (host_.read_register(device.csr, csr::NOTIFICATION_TAIL) < tile) {
                    host_.wait_for(device.irq);
                    host_.write_register(device.csr, csr::INTERRUPT,
                                         csr::mask::INTERRUPT_NOTIFICATION);
                    host_.work(sc_core::sc_time(3, sc_core::SC_NS));
                }
                host_.write_register(device.csr, csr::NOTIFICATION_HEAD, tile);
                wrong += wrong_elements(device, tile - 1, results_at + place_of(tile - 1, 2));
            }
        }
        return wrong;
    }

    /// Semaphores to the engine, the end of the run back.
    unsigned by_semaphore() {
        DecoupledEngine& device = engine();
        enable(device, csr::mask::INTERRUPT_RUN_ENDED);
        std::vector<Record> program;
        for (unsigned tile = 0; tile < tiles; ++tile) {
            const std::uint32_t place = place_of(tile, tiles);
            append(program, tile_text(place, results_at + place, tile + 1, "nop\nnop\n"));
        }
        device.start_program(host_, program);
        for (unsigned tile = 0; tile < tiles; ++tile) {
            write_tile(tile, place_of(tile, tiles));
            work(tile);
            increment_full(device);
        }
        host_.wait_for(device.irq);
        unsigned wrong = 0;
        for (unsigned tile = 0; tile < tiles; ++tile) {
            wrong += wrong_elements(device, tile, results_at + place_of(tile, tiles));
        }
        return wrong;
    }

    /// Semaphores in both directions; the host reads those of the engine again and again.
    unsigned by_polling() {
        DecoupledEngine& device = engine();
        device.start(host_, csr::value::START_RING);
        unsigned wrong = 0;
        for (unsigned tile = 0; tile < tiles + 2; ++tile) {
            const std::uint32_t place = place_of(tile, 2);
            if (tile >= 2) {
                host_.poll(device.csr, semaphore(freed), tile - 1);
                wrong += wrong_elements(device, tile - 2, results_at + place);
            }
            if (tile < tiles) {
                device.push(host_, records_of(tile_text(place, results_at + place, tile + 1)));
                write_tile(tile, place);
                work(tile);
                increment_full(device);
            }
        }
        return wrong;
    }

    /// The host carries tiles from two buffers of the first engine to two of the second.
    unsigned by_two_engines() {
        enable(engine(1), csr::mask::INTERRUPT_RUN_ENDED);
        const auto taken_before = [](unsigned tile) { return tile < 2 ? 0 : tile - 1; };
        std::vector<Record> first;
        std::vector<Record> second;
        for (unsigned tile = 0; tile < tiles; ++tile) {
            const std::uint32_t place = place_of(tile, tiles);
            const std::uint32_t buffer = place_of(tile, 2);
            write_tile(tile, place);
            append(first, tile_text(place, results_at + buffer, taken_before(tile), "nop\n"));
            append(second, tile_text(buffer, results_at + place, tile + 1));
        }
        engine(1).start_program(host_, second);
        engine(0).start_program(host_, first);
        Tile carried;
        for (unsigned tile = 0; tile < tiles; ++tile) {
            const std::uint32_t buffer = place_of(tile, 2);
            host_.poll(engine(0).csr, semaphore(freed), tile + 1);
            move(engine(0), tlm::TLM_READ_COMMAND, results_at + buffer, carried);
            increment_full(engine(0));
            work(tile);
            host_.poll(engine(1).csr, semaphore(freed), taken_before(tile));
            move(engine(1), tlm::TLM_WRITE_COMMAND, buffer, carried);
            increment_full(engine(1));
        }
        host_.wait_for(engine(1).irq);
        unsigned wrong = 0;
        for (unsigned tile = 0; tile < tiles; ++tile) {
            wrong += wrong_elements(engine(1), tile, results_at + place_of(tile, tiles), 4, 3);
        }
        return wrong;
    }

    /// By Way; each gives the number of wrong elements.
    static constexpr unsigned (QuantumHost::*ways[])() = {
        &QuantumHost::by_interrupt, &QuantumHost::by_semaphore, &QuantumHost::by_polling,
        &QuantumHost::by_two_engines};

    std::vector<std::unique_ptr<DecoupledEngine>> engines_;
    std::function<void()> body_;
    DecoupledHost host_{"host", [this] { body_(); }};
    std::vector<sc_core::sc_time> all_ = quanta(cycle_time(configuration_of(TimingMode::LOOSE)));
    bool quantum_changes_ = false;
    unsigned run_number_ = 0;
};

void expect_right_data(const Outcome& outcome, const Outcome&) {
    EXPECT_EQ(outcome.wrong, 0U);
    EXPECT_THAT(outcome.semaphores, testing::Each(tiles));
}

void expect_same_figures(const Outcome& outcome, const Outcome& first) {
    EXPECT_EQ(outcome.figures, first.figures);
    EXPECT_EQ(outcome.notifications, first.notifications);
    EXPECT_EQ(outcome.took, first.took);
}

TEST_P(QuantumHost, TheDataAreRight) { with_every_quantum(true, expect_right_data); }

TEST_P(QuantumHost, TheDataAreRightThoughTheHostIsAhead) {
    with_every_quantum(false, expect_right_data);
}

TEST_P(QuantumHost, TheFiguresAreTheSame) { with_every_quantum(true, expect_same_figures); }

// An access to a register takes place at the local time that it carries.
TEST_P(QuantumHost, TheFiguresAreTheSameThoughTheHostIsAhead) {
    with_every_quantum(false, expect_same_figures);
}

INSTANTIATE_TEST_SUITE_P(Ways, QuantumHost,
                         testing::Values(Way::INTERRUPT, Way::SEMAPHORE, Way::POLLING,
                                         Way::TWO_ENGINES),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace dve::test
