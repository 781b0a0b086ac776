// Temporal decoupling of an engine alone: no figure, no byte and no time that others see depends on
// the global quantum, in any timing view, and the lead over SystemC time stays within it.
#include <gtest/gtest.h>

#include "tests/engine/quantum_bench.h"
#include "tests/support/random_record.h"

namespace dve::test {
namespace {

constexpr unsigned entries = 64;  // of the notification ring
constexpr unsigned places = 64;   // of the instruction ring
constexpr std::uint32_t run_ended_or_ring_empty = 1U << 0 | 1U << 2;

struct Program {
    std::vector<Record> records;
    std::array<std::uint32_t, 64> registers{};
    bool in_ring = false;
};

struct Outcome {
    std::vector<RetireFigures> figures;
    std::vector<std::string> log;
    std::string fault;
    std::vector<std::uint32_t> state;  // registers, semaphores, events, status, counters, indexes
    Accumulators accumulators;
    std::vector<std::uint64_t> notifications;
    std::vector<std::uint8_t> memory;
    sc_core::sc_time irq_after;  // since START
};

void expect_same(const Outcome& one, const Outcome& other) {
    EXPECT_EQ(one.figures, other.figures);
    EXPECT_EQ(one.log, other.log);
    EXPECT_EQ(one.fault, other.fault);
    EXPECT_EQ(one.state, other.state);
    EXPECT_EQ(one.accumulators.bits, other.accumulators.bits);
    EXPECT_EQ(one.accumulators.defined, other.accumulators.defined);
    EXPECT_EQ(one.notifications, other.notifications);
    EXPECT_TRUE(one.memory == other.memory);
    EXPECT_EQ(one.irq_after, other.irq_after);
}

struct View {
    TimingMode mode;
    Generation generation;
    unsigned programs;
};

std::string label(const View& view) {
    return std::string(timing_mode_name(view.mode)) + "_" + generation_row(view.generation).name;
}
void PrintTo(const View& view, std::ostream* to) { *to << label(view); }

class QuantumAlone : public testing::TestWithParam<View> {
protected:
    QuantumAlone() : bench_(configuration()), cycle_(cycle_time(bench_.engine.configuration())) {
        elaborate();
        std::mt19937 engine(3);
        for (const Space space : {Space::SBUF, Space::PSUM}) {
            for (unsigned partition = 0; partition < dve_num_channels; ++partition) {
                for (std::uint32_t byte = 0; byte < random_area_bytes; byte += 4) {
                    bench_.store(space, partition, byte, 0x3C003C00U + (engine() & 0x03FF83FFU));
                }
                for (std::uint32_t byte = 0; space == Space::SBUF && byte < index_list_bytes;
                     byte += 4) {
                    bench_.store(space, partition, index_lists_at + byte,
                                 static_cast<std::uint32_t>(engine() % listed_elements));
                }
            }
        }
        filled_ = memory();
    }

    static Configuration configuration() {
        Configuration configuration =
            Configuration::defaults(GetParam().generation, SemanticsProfile::REFERENCE);
        configuration.mode = GetParam().mode;
        configuration.sequencer.queue_depth = 5;
        return configuration;
    }

    std::vector<std::uint8_t> memory() {
        std::vector<std::uint8_t> bytes;
        each_row([&bytes](std::uint8_t* row) {
            bytes.insert(bytes.end(), row, row + random_area_bytes);
        });
        return bytes;
    }
    template <typename Visit>
    void each_row(Visit visit) {
        for (const Space space : {Space::SBUF, Space::PSUM}) {
            for (unsigned partition = 0; partition < dve_num_channels; ++partition) {
                visit(bench_.engine.memory_of(space).bytes(partition, 0, random_area_bytes));
            }
        }
    }

    void start(const Program& program) {
        bench_.write_csr(csr::RESET, 1);
        const std::uint8_t* from = filled_.data();
        each_row([&from](std::uint8_t* row) {
            std::memcpy(row, from, random_area_bytes);
            from += random_area_bytes;
        });
        std::memset(bench_.system.bytes().data() + DeviceBench::notifications_at, 0, 16 * entries);
        for (unsigned number = 0; number < program.registers.size(); ++number) {
            bench_.write_csr(csr::registers_window + 4 * number, program.registers[number]);
        }
        bench_.open_notifications(entries);
        bench_.write_csr(csr::INTERRUPT_ENABLE, run_ended_or_ring_empty);
        irq_at_ = sc_core::SC_ZERO_TIME;
        if (program.in_ring) {
            bench_.retired_records.clear();
            bench_.log.lines.clear();
            bench_.open_ring(places);
            for (const Record& record : program.records) {
                bench_.push(record);
            }
            bench_.ring_doorbell();
            bench_.start_ring();
        } else {
            bench_.begin(program.records);
        }
    }

    Outcome run(const Program& program) {
        start(program);
        const sc_core::sc_time begun = sc_core::sc_time_stamp();
        begun_.notify(sc_core::SC_ZERO_TIME);
        sc_core::sc_start();
        Sequencer& sequencer = bench_.engine.sequencer();
        EXPECT_NE(sequencer.state(), RunState::RUNNING);
        Outcome outcome;
        outcome.figures = figures_of(bench_.retired_records);
        outcome.log = bench_.log.lines;
        outcome.fault = sequencer.fault() ? sequencer.fault()->message() : "";
        for (unsigned number = 0; number < 64; ++number) {
            outcome.state.push_back(bench_.reg(number));
        }
        for (unsigned index = 0; index < Synchronisation::count; ++index) {
            outcome.state.push_back(bench_.semaphore(index));
            outcome.state.push_back(bench_.event(index) ? 1 : 0);
        }
        for (const std::uint32_t offset :
             {csr::RUN_STATE, csr::FSR, csr::INTERRUPT, csr::RING_HEAD, csr::NOTIFICATION_TAIL,
              csr::NOTIFICATIONS_LOST, csr::SEMAPHORE_ERRORS}) {
            outcome.state.push_back(bench_.read_csr(offset));
        }
        for (const std::uint32_t counter : csr::counters) {
            if (counter != csr::CYCLES_LO || !sequencer.run_in_progress()) {
                outcome.state.push_back(static_cast<std::uint32_t>(bench_.read_counter(counter)));
            }
        }
        outcome.accumulators = bench_.engine.datapath().accumulators();
        outcome.notifications =
            notification_words(bench_.entry(0), entries, begun.value() / cycle_.value());
        outcome.memory = memory();
        outcome.irq_after = irq_at_ - begun;
        EXPECT_EQ(outcome.irq_after, cycle_ * static_cast<double>(sequencer.total_cycles()));
        return outcome;
    }

    /// The same with every quantum, and with one that changes while the engine runs.
    void compare(const Program& program) {
        const std::vector<sc_core::sc_time> all = quanta(cycle_);
        set_quantum(all[0]);
        const Outcome expected = run(program);
        for (const sc_core::sc_time& quantum : all) {
            SCOPED_TRACE("quantum " + quantum.to_string());
            set_quantum(quantum);
            expect_same(expected, run(program));
            ASSERT_FALSE(HasFailure());
        }
        SCOPED_TRACE("changing quantum");
        quantum_changes_ = true;
        expect_same(expected, run(program));
        quantum_changes_ = false;
        cycles_ += expected.figures.empty() ? 0 : bench_.engine.sequencer().total_cycles();
    }

    DeviceBench bench_;
    sc_core::sc_time cycle_;
    std::uint64_t cycles_ = 0;  // of all programs

private:
    std::vector<std::uint8_t> filled_;
    sc_core::sc_time irq_at_;
    sc_core::sc_event begun_{"begun"};
    bool quantum_changes_ = false;
    Driver irq_watch_{"irq_watch", [this] {
                          for (;;) {
                              sc_core::wait(bench_.irq.posedge_event());
                              irq_at_ = sc_core::sc_time_stamp();
                          }
                      }};
    Driver quantum_changer_{
        "quantum_changer", [this] {
            const std::vector<sc_core::sc_time> all = quanta(cycle_);
            for (std::size_t turn = 0;; ++turn) {
                if (!quantum_changes_ || bench_.engine.sequencer().state() != RunState::RUNNING) {
                    sc_core::wait(begun_);
                }
                if (quantum_changes_) {
                    set_quantum(all[turn * 5 % all.size()]);
                    sc_core::wait(sc_core::sc_time(37, sc_core::SC_NS));
                }
            }
        }};
};

TEST_P(QuantumAlone, RandomProgramsAreTheSame) {
    RandomRecords random(7 + static_cast<unsigned>(GetParam().generation),
                         bench_.engine.configuration().isa);
    for (unsigned number = 0; number < GetParam().programs; ++number) {
        SCOPED_TRACE("program " + std::to_string(number));
        Program program;
        program.in_ring = number % 2 == 1;
        do {
            program.records = random.program(random.between(4, 30));
        } while (program.records.size() >= places);
        program.registers = random.registers();
        compare(program);
        ASSERT_FALSE(HasFailure());
    }
    EXPECT_GT(cycles_, 1000U * GetParam().programs) << "programs should outlast a microsecond";
}

// What random programs do not hold: a loop of scalar instructions, waits that are met late by the
// program itself, updates by and of everything, a flush, a range clear.
TEST_P(QuantumAlone, AProgramOfAllControlInstructionsIsTheSame) {
    Program program;
    program.records = records_of(R"(
.tensor x sbuf:0:0x0000 128x64 fp32
.tensor y sbuf:0:0x1000 128x64 fp32
        move dtype=uint32 data_src=immediate num_mov=2 dst_registers=1,2 immediates=25,0
again:  wait sem[9] >= R[2]
        update sem[8]++ on complete
        tensor_scalar_arith dst=y src=x op0=mult imm0=0.5 op1=add imm1=1.0
        alu_op op=add dtype=uint32 dst_dtype=uint32 data_src=immediate src0_lo=2 dst_lo=2 immediate=1
        wait sem[8] >= R[2]
        update sem[9] = R[2] on read
        tensor_scalar_arith dst=x src=y op0=mult imm0=0.75 op1=bypass
        notify
        alu_op op=subtract dtype=uint32 dst_dtype=uint32 data_src=immediate src0_lo=1 dst_lo=1 immediate=1
        compare_branch cmp_op=6 dtype=uint32 cmp_reg0=1 cmp_immediate=0 target_mode=3 br_immediate=@again
        instruction_flush
        update event[3] set
        drain
        event_semaphore extended_wait_mode=6 extended_wait_idx=3 extended_update_mode=5 extended_update_idx=200 extended_update_value=77
        engine_nop
        event_semaphore_range_clear mode=1 first=8 last=9
        halt
)",
                                 bench_.engine.configuration().generation());
    compare(program);
    EXPECT_TRUE(bench_.halted());
    EXPECT_EQ(bench_.read_csr(csr::NOTIFICATION_TAIL), 25U);
    EXPECT_EQ(bench_.semaphore(8), 0U);
}

INSTANTIATE_TEST_SUITE_P(Views, QuantumAlone,
                         testing::Values(View{TimingMode::LOOSE, Generation::SUNDA, 8},
                                         View{TimingMode::LOOSE, Generation::CAYMAN, 8},
                                         View{TimingMode::LOOSE, Generation::MARIANA, 8},
                                         View{TimingMode::LOOSE, Generation::MARIANA_PLUS, 8},
                                         View{TimingMode::LOOSE, Generation::MAVERICK, 8},
                                         View{TimingMode::APPROX, Generation::MARIANA, 3},
                                         View{TimingMode::CYCLE, Generation::MAVERICK, 3}),
                         [](const auto& view) { return label(view.param); });

}  // namespace
}  // namespace dve::test
