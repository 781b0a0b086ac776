// Every opcode byte in every generation: executed, not modelled, or bad (decisions 4).
#include <gtest/gtest.h>

#include "tests/support/engine_bench.h"
#include "tests/support/generations.h"

namespace dve::test {
namespace {

struct Span {
    unsigned first;
    unsigned last;
};
// isa_wire_format 1.2, the masks of SUNDA, and 5.1 for the members that came later.
constexpr Span sunda_members[] = {
    {0x01, 0x05}, {0x21, 0x24}, {0x30, 0x30}, {0x41, 0x4F}, {0x51, 0x54}, {0x58, 0x58},
    {0x5E, 0x74}, {0x76, 0x7F}, {0x82, 0x88}, {0x8A, 0x8F}, {0x92, 0x96}, {0x98, 0xAB},
    {0xB0, 0xB3}, {0xB5, 0xB5}, {0xB8, 0xB8}, {0xBB, 0xBB}, {0xC1, 0xD6}, {0xD8, 0xDF},
    {0xE5, 0xE8}, {0xEA, 0xEA}, {0xF0, 0xF0}, {0xFF, 0xFF}};

template <std::size_t n>
bool among(const Span (&spans)[n], unsigned opcode) {
    return std::any_of(std::begin(spans), std::end(spans), [opcode](const Span& span) {
        return opcode >= span.first && opcode <= span.last;
    });
}

bool is_member(Generation generation, unsigned opcode) {
    static constexpr Span since_cayman[] = {{0xBC, 0xBC}, {0xE4, 0xE4}, {0xE9, 0xE9}};
    static constexpr Span since_mariana[] = {{0xB4, 0xB4}, {0xE0, 0xE3}};
    static constexpr Span since_maverick[] = {{0xB6, 0xB6}, {0xF3, 0xF4}};
    return among(sunda_members, opcode) ||
           (generation >= Generation::CAYMAN && among(since_cayman, opcode)) ||
           (generation >= Generation::MARIANA && among(since_mariana, opcode)) ||
           (generation >= Generation::MAVERICK && among(since_maverick, opcode));
}

bool in_table(Generation generation, unsigned opcode) {
    return opcode >= (generation >= Generation::MARIANA ? 0x30U : 0x41U) && opcode <= 0xEA;
}

class EveryOpcode : public testing::TestWithParam<Generation> {};
INSTANTIATE_TEST_SUITE_P(Generations, EveryOpcode, every_generation(), generation_label);

TEST_P(EveryOpcode, EndsAsItsRowSays) {
    const Generation generation = GetParam();
    EngineBench bench(generation);
    unsigned executed = 0;
    unsigned not_modelled = 0;
    unsigned bad = 0;
    for (unsigned opcode = 0; opcode < 256; ++opcode) {
        static constexpr Span executable[] = {{0x43, 0x43}, {0x53, 0x53}, {0x9B, 0x9B},
                                              {0x9D, 0x9F}, {0xA0, 0xA4}, {0xA6, 0xA7},
                                              {0xB1, 0xB1}, {0xB5, 0xB5}, {0xE5, 0xE5}};
        static constexpr Span by_pointer[] = {{0x44, 0x44}, {0x54, 0x54}};
        // Instructions of other families, and control records that need more than zeros.
        static constexpr Span elsewhere[] = {
            {0x41, 0x42}, {0x4E, 0x4E}, {0x51, 0x51}, {0x5E, 0x5E}, {0x93, 0x93}, {0x9A, 0x9A},
            {0xA5, 0xA5}, {0xA8, 0xA9}, {0xB0, 0xB0}, {0xB2, 0xB3}, {0xE6, 0xE6}, {0xEA, 0xEA}};
        if (among(elsewhere, opcode) || (opcode == 0x30 && in_table(generation, opcode))) {
            continue;
        }
        SCOPED_TRACE(opcode);
        bench.run({legal_record(static_cast<std::uint8_t>(opcode))});
        if (among(executable, opcode) ||
            (among(by_pointer, opcode) && generation != Generation::SUNDA)) {
            EXPECT_TRUE(bench.halted());
            ++executed;
            continue;
        }
        ASSERT_TRUE(bench.faulted());
        EXPECT_EQ(bench.fault().type, ErrorType::SEQUENCER_FATAL);
        EXPECT_EQ(bench.read_csr(csr::ERROR_TYPE), 0xAU);
        char line[48];
        std::snprintf(line, sizeof line, "S: ErrorHandler : Bad Opcode(0x%x)", opcode);
        if (is_member(generation, opcode) && in_table(generation, opcode) &&
            !among(by_pointer, opcode)) {
            EXPECT_STREQ(bench.fault().violation.predicate, "not_modelled");
            EXPECT_FALSE(bench.log.has(line));
            ++not_modelled;
        } else {
            EXPECT_EQ(bench.fault().subtype, FaultSubtype::BAD_OPCODE);
            EXPECT_TRUE(bench.log.has(line));
            ++bad;
        }
    }
    EXPECT_EQ(executed, generation == Generation::SUNDA ? 16U : 18U);
    EXPECT_GT(not_modelled, 80U);
    EXPECT_GT(bad, 90U);
}

TEST(Opcode, ExponentialIsBadWhereTheTableStartsBehindIt) {
    EngineBench sunda(Generation::SUNDA);
    EngineBench cayman(Generation::CAYMAN);
    for (EngineBench* bench : {&sunda, &cayman}) {
        bench->run({legal_record(0x30)});
        ASSERT_TRUE(bench->faulted());
        EXPECT_EQ(bench->fault().subtype, FaultSubtype::BAD_OPCODE);
        EXPECT_STREQ(bench->fault().violation.predicate, "bad_opcode");
    }
}

TEST(Opcode, ReportNamesRecordOffsetAndMnemonic) {
    EngineBench bench(Generation::MARIANA);
    bench.run({nop(), nop(), nop(), legal_record(0x45)});
    ASSERT_TRUE(bench.faulted());
    const FaultReport& report = *bench.engine.sequencer().fault();
    EXPECT_EQ(report.record_index, 3U);
    EXPECT_EQ(report.byte_offset, 192U);
    EXPECT_EQ(report.opcode, 0x45);
    EXPECT_EQ(report.message().rfind("record 3 at byte 192: opcode 0x45 pool: SEQUENCER_FATAL:", 0),
              0U)
        << report.message();
    EXPECT_EQ(bench.read_csr(csr::ERROR_RECORD), 3U);
    EXPECT_EQ(bench.retired_records.size(), 3U);
    EXPECT_EQ(bench.read_csr(0x0008), 4U);
}

TEST(Fetch, BeyondTheMemory) {
    EngineBench bench(Generation::MARIANA);
    elaborate();
    bench.begin_at(0x100000, 64);
    sc_core::sc_start();
    ASSERT_TRUE(bench.faulted());
    EXPECT_EQ(bench.fault().type, ErrorType::MEMORY_ERROR);
    EXPECT_STREQ(bench.fault().violation.predicate, "instruction_fetch");
    EXPECT_EQ(bench.fault().violation.value, 0x100000U);
    EXPECT_EQ(bench.read_csr(csr::ERROR_TYPE), 4U);
}

// The stream claims ten records where the memory ends behind two.
class LongStream : public testing::Test {
protected:
    void place(const Record& first, const Record& second) {
        elaborate();
        std::copy(first.bytes.begin(), first.bytes.end(), bench.system.bytes().end() - 128);
        std::copy(second.bytes.begin(), second.bytes.end(), bench.system.bytes().end() - 64);
        bench.begin_at(static_cast<std::uint32_t>(bench.system.bytes().size() - 128), 640);
        sc_core::sc_start();
    }
    EngineBench bench{Generation::MARIANA};
};

TEST_F(LongStream, ReadableRecordsAreExecutedFirst) {
    place(move_immediate(1, 5), move_immediate(2, 6));
    ASSERT_TRUE(bench.faulted());
    EXPECT_EQ(bench.fault().type, ErrorType::MEMORY_ERROR);
    EXPECT_EQ(bench.engine.sequencer().fault()->record_index, 2U);
    EXPECT_EQ(bench.reg(1), 5U);
    EXPECT_EQ(bench.reg(2), 6U);
}

TEST_F(LongStream, HaltComesBeforeTheUnreadableBytes) {
    place(move_immediate(1, 5), halt());
    EXPECT_TRUE(bench.halted());
    EXPECT_EQ(bench.reg(1), 5U);
}

// Cycles count from the start of each run, whatever ran before.
TEST(Run, ASecondRunTakesTheSameCycles) {
    EngineBench bench(Generation::MARIANA);
    const std::vector<Record> program(5, legal_record(0x43));
    bench.run(program);
    ASSERT_TRUE(bench.halted());
    const std::uint64_t cycles = bench.engine.sequencer().total_cycles();
    EXPECT_EQ(cycles, 3U + 4 * 64 + 64 + 96);
    for (unsigned i = 0; i < 3; ++i) {
        bench.run(program);
        EXPECT_EQ(bench.engine.sequencer().total_cycles(), cycles);
        EXPECT_EQ(bench.retired_records[0].start_cycle, 3U);
    }
}

// The fetch queue holds 16 records: the 17th is fetched when the first is dispatched.
TEST(Run, QueueDepthBoundsTheFetch) {
    EngineBench bench(Generation::MARIANA);
    std::vector<Record> program(40, legal_record(0x43));
    bench.run(program);
    ASSERT_TRUE(bench.halted());
    for (const RetireRecord& record : bench.retired_records) {
        EXPECT_EQ(record.start_cycle, 3 + 64 * record.index);
        EXPECT_EQ(record.stalls[static_cast<std::size_t>(StallCause::FETCH)], 0U);
    }
}

}  // namespace
}  // namespace dve::test
