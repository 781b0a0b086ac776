// The loosely-timed run and a run in another view of the same programs, side by side in one
// simulation: same cycles for every instruction, same bytes, accumulators, semaphores and status
// (timing, "What must hold" 1).
#include <gtest/gtest.h>

#include <cstring>

#include "tests/support/engine_bench.h"
#include "tests/support/random_record.h"

namespace dve::test {
namespace {

constexpr unsigned programs_per_case = 50;

/// Any of the figures that the closed form and the pipeline share.
void randomise(TimingParameters& timing, SequencerTiming& sequencer, RandomRecords& random) {
    for (std::uint32_t* width :
         {&timing.sbuf_read_bytes, &timing.psum_read_bytes, &timing.sbuf_write_bytes,
          &timing.psum_write_bytes, &timing.slot_bytes, &timing.strided_accesses,
          &timing.alu_width_packed, &timing.alu_width_unpacked}) {
        if (random.one_in(3)) {
            *width = random.between(1, 12);
        }
    }
    for (std::uint32_t* cycles :
         {&timing.sbuf_read_latency, &timing.psum_read_latency, &timing.convert_in, &timing.alu0,
          &timing.alu1, &timing.scan_pass, &timing.scan_carry, &timing.scan_latency,
          &timing.convert_out, &timing.write_latency, &sequencer.fetch, &sequencer.decode,
          &sequencer.dispatch, &sequencer.control}) {
        if (random.one_in(3)) {
            *cycles = random.between(0, random.one_in(4) ? 200 : 5);
        }
    }
    for (std::uint32_t* cycles : {&timing.initiation_interval, &timing.read_accumulator}) {
        if (random.one_in(3)) {
            *cycles = random.between(1, 150);
        }
    }
    if (random.one_in(2)) {
        sequencer.queue_depth = random.between(1, 6);
    }
}

void randomise(Semantics& semantics, RandomRecords& random) {
    static constexpr AluOp combines[] = {AluOp::ADD, AluOp::MULT, AluOp::MAX, AluOp::MIN,
                                         AluOp::ABSOLUTE_DIFF};
    semantics.scan_combine = combines[random.between(0, 4)];
    semantics.scan_order = random.one_in(2) ? ScanOrder::ROTATE_COMBINE : ScanOrder::SEQUENTIAL;
    semantics.scan_recurrence =
        random.one_in(2) ? ScanRecurrence::CARRIED : ScanRecurrence::COMBINE_PREFIX;
    semantics.accumulator_tap =
        random.one_in(2) ? AccumulatorTap::BEFORE_CONVERSION : AccumulatorTap::AFTER_CONVERSION;
    semantics.stt_accumulate =
        random.one_in(2) ? SttAccumulate::ADDS_TO_STORE : SttAccumulate::REPLACES_STORE;
    semantics.numbers.rounding = static_cast<Rounding>(random.between(0, random.one_in(3) ? 3 : 0));
}

class LooseEqualsCycle : public testing::TestWithParam<unsigned> {
protected:
    void fill(EngineBench& bench, unsigned seed) {
        std::mt19937 engine(seed);
        for (const Space space : {Space::SBUF, Space::PSUM}) {
            for (unsigned partition = 0; partition < dve_num_channels; ++partition) {
                std::uint8_t* row =
                    bench.engine.memory_of(space).bytes(partition, 0, random_area_bytes);
                for (std::uint32_t byte = 0; byte < random_area_bytes; byte += 4) {
                    // Numbers near one for every float format, now and then any bits.
                    const std::uint32_t word =
                        engine() % 8 == 0 ? engine() : 0x3C003C00U + (engine() & 0x03FF83FFU);
                    std::memcpy(row + byte, &word, sizeof word);
                }
            }
        }
        for (unsigned partition = 0; partition < dve_num_channels; ++partition) {
            for (std::uint32_t byte = 0; byte < index_list_bytes; byte += 4) {
                const bool last = byte + 4 == index_list_bytes;
                bench.store(Space::SBUF, partition, index_lists_at + byte,
                            last ? ~0U : static_cast<std::uint32_t>(engine() % listed_elements));
            }
        }
    }
    void start(EngineBench& bench, const std::vector<Record>& program,
               const std::array<std::uint32_t, 64>& registers) {
        bench.write_csr(csr::RESET, 1);
        for (unsigned number = 0; number < registers.size(); ++number) {
            bench.write_csr(csr::registers_window + 4 * number, registers[number]);
        }
        bench.begin(program);
    }
    void compare(unsigned seed, TimingMode mode);
    static std::string where(const RetireRecord& record) {
        return "instruction " + std::to_string(record.index) + " " + record.opcode->mnemonic;
    }
};

void LooseEqualsCycle::compare(unsigned seed, TimingMode mode) {
    const auto generation = static_cast<Generation>(seed % generation_count);
    Configuration configuration = Configuration::defaults(
        generation, seed % 2 == 0 ? SemanticsProfile::REFERENCE : SemanticsProfile::PUBLISHED);
    RandomRecords random(seed, configuration.isa);
    if (seed >= 2 * generation_count) {  // the first ones keep the defaults
        randomise(configuration.timing, configuration.sequencer, random);
        randomise(configuration.semantics, random);
    }
    if (seed % 3 == 0) {
        configuration.isa.psum.present = true;
        configuration.isa.psum_narrow_writes = true;
    }
    RandomRecords records(seed + 1000, configuration.isa);
    EngineBench loose(configuration);
    configuration.mode = mode;
    EngineBench cycle(configuration);

    unsigned faults = 0;
    for (unsigned number = 0; number < programs_per_case; ++number) {
        SCOPED_TRACE("seed " + std::to_string(seed) + ", program " + std::to_string(number));
        if (number % 10 == 0) {
            fill(loose, seed + number);
            fill(cycle, seed + number);
        }
        const std::vector<Record> program = records.program(records.between(2, 9));
        start(loose, program, records.registers());
        start(cycle, program, records.registers());
        sc_core::sc_start();
        ASSERT_FALSE(loose.running());
        ASSERT_FALSE(cycle.running());
        ASSERT_EQ(loose.faulted(), cycle.faulted());
        if (loose.faulted()) {
            ++faults;
            EXPECT_EQ(loose.engine.sequencer().fault()->message(),
                      cycle.engine.sequencer().fault()->message());
        }
        ASSERT_EQ(loose.retired_records.size(), cycle.retired_records.size());
        for (std::size_t i = 0; i < loose.retired_records.size(); ++i) {
            const RetireRecord& a = loose.retired_records[i];
            const RetireRecord& b = cycle.retired_records[i];
            SCOPED_TRACE(where(a));
            EXPECT_EQ(a.index, b.index);
            EXPECT_EQ(a.opcode, b.opcode);
            EXPECT_EQ(a.fetch_cycle, b.fetch_cycle);
            EXPECT_EQ(a.decoded_cycle, b.decoded_cycle);
            EXPECT_EQ(a.issue_cycle, b.issue_cycle);
            EXPECT_EQ(a.start_cycle, b.start_cycle);
            EXPECT_EQ(a.read_done_cycle, b.read_done_cycle);
            EXPECT_EQ(a.end_cycle, b.end_cycle);
            EXPECT_EQ(a.channels, b.channels);
            EXPECT_EQ(a.elements, b.elements);
            EXPECT_EQ(a.stalls, b.stalls);
            ASSERT_FALSE(HasFailure());
        }
        EXPECT_EQ(loose.engine.sequencer().total_cycles(), cycle.engine.sequencer().total_cycles());
        EXPECT_EQ(loose.engine.datapath().fp_status().bits,
                  cycle.engine.datapath().fp_status().bits);
        EXPECT_EQ(loose.engine.datapath().accumulators().bits,
                  cycle.engine.datapath().accumulators().bits);
        EXPECT_EQ(loose.engine.datapath().accumulators().defined,
                  cycle.engine.datapath().accumulators().defined);
        for (unsigned i = 0; i < Synchronisation::count; ++i) {
            EXPECT_EQ(loose.semaphore(i), cycle.semaphore(i)) << "semaphore " << i;
            EXPECT_EQ(loose.event(i), cycle.event(i)) << "event " << i;
        }
        for (unsigned i = 0; i < 64; ++i) {
            EXPECT_EQ(loose.reg(i), cycle.reg(i)) << "register " << i;
        }
        for (const Space space : {Space::SBUF, Space::PSUM}) {
            for (unsigned partition = 0; partition < dve_num_channels; ++partition) {
                const auto row = [&](EngineBench& bench) {
                    return bench.engine.memory_of(space).bytes(partition, 0, random_area_bytes);
                };
                EXPECT_EQ(std::memcmp(row(loose), row(cycle), random_area_bytes), 0)
                    << space_name(space) << " partition " << partition;
            }
        }
        ASSERT_FALSE(HasFailure());
    }
    EXPECT_LT(faults, programs_per_case / 2) << "most programs should run to their end";
}

TEST_P(LooseEqualsCycle, OnRandomPrograms) { compare(GetParam(), TimingMode::CYCLE); }

/// With nobody else on the buses the approximate view has the loose one's figures.
class LooseEqualsApprox : public LooseEqualsCycle {};

TEST_P(LooseEqualsApprox, OnRandomPrograms) { compare(GetParam(), TimingMode::APPROX); }

INSTANTIATE_TEST_SUITE_P(Programs, LooseEqualsApprox, testing::Range(0U, 15U));
INSTANTIATE_TEST_SUITE_P(Programs, LooseEqualsCycle, testing::Range(0U, 40U));

}  // namespace
}  // namespace dve::test
