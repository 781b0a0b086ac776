// Update modes: effect, operand, moment (isa_wire_format 1.3).
#include <gtest/gtest.h>

#include "tests/support/engine_bench.h"

namespace dve::test {
namespace {

struct UpdateRow {
    std::uint8_t read;
    std::uint8_t complete;
    bool from_register;
    std::uint32_t (*effect)(std::uint32_t semaphore, std::uint32_t value);
};
constexpr UpdateRow semaphore_rows[] = {
    {0x03, 0x13, false, [](std::uint32_t s, std::uint32_t) { return s + 1; }},
    {0x04, 0x14, false, [](std::uint32_t s, std::uint32_t) { return s - 1; }},
    {0x05, 0x15, false, [](std::uint32_t s, std::uint32_t v) { return s + v; }},
    {0x07, 0x17, false, [](std::uint32_t s, std::uint32_t v) { return s - v; }},
    {0x09, 0x19, false, [](std::uint32_t, std::uint32_t v) { return v; }},
    {0x85, 0x95, true, [](std::uint32_t s, std::uint32_t v) { return s + v; }},
    {0x87, 0x97, true, [](std::uint32_t s, std::uint32_t v) { return s - v; }},
    {0x89, 0x99, true, [](std::uint32_t, std::uint32_t v) { return v; }},
};

TEST(Update, SemaphoreModes) {
    EngineBench bench(Generation::MARIANA);
    elaborate();
    for (const UpdateRow& row : semaphore_rows) {
        for (const std::uint8_t mode : {row.read, row.complete}) {
            bench.set_semaphore(33, 1000);
            bench.run(
                {move_immediate(40, 7), with_update(nop(), mode, 33, row.from_register ? 40 : 7)});
            ASSERT_TRUE(bench.halted());
            EXPECT_EQ(bench.semaphore(33), row.effect(1000, 7)) << int{mode};
            EXPECT_EQ(bench.semaphore(32), 0U);
            EXPECT_EQ(bench.semaphore(34), 0U);
        }
    }
    EXPECT_EQ(bench.engine.sequencer().semaphore_errors(), 0U);
}

TEST(Update, EventModes) {
    EngineBench bench(Generation::MARIANA);
    for (const std::uint8_t moment : {0x00, 0x10}) {
        bench.run({with_update(nop(), moment | 0x01, 255)});
        EXPECT_TRUE(bench.event(255));
        bench.run({with_update(nop(), moment | 0x02, 255)});
        EXPECT_FALSE(bench.event(255));
    }
}

// A counter that wraps is counted and logged; the engine goes on (D-03).
TEST(Update, WrappingIsCountedAndNotFatal) {
    EngineBench bench(Generation::MARIANA);
    elaborate();
    struct Wrap {
        std::uint8_t mode;
        std::uint32_t before;
        std::uint32_t value;
        std::uint32_t after;
        bool wraps;
    };
    constexpr std::uint32_t top = 0xFFFFFFFF;
    std::uint64_t errors = 0;
    for (const Wrap& wrap :
         {Wrap{0x03, top, 0, 0, true}, Wrap{0x13, top - 1, 0, top, false},
          Wrap{0x04, 0, 0, top, true}, Wrap{0x14, 1, 0, 0, false}, Wrap{0x05, top, 3, 2, true},
          Wrap{0x15, top - 3, 3, top, false}, Wrap{0x07, 2, 3, top, true},
          Wrap{0x17, 3, 3, 0, false}, Wrap{0x09, 5, top, top, false},
          Wrap{0x05, top, 0, top, false}, Wrap{0x07, 0, 0, 0, false}}) {
        bench.set_semaphore(4, wrap.before);
        bench.run({with_update(nop(), wrap.mode, 4, wrap.value), move_immediate(2, 1)});
        ASSERT_TRUE(bench.halted());
        EXPECT_EQ(bench.semaphore(4), wrap.after);
        errors += wrap.wraps ? 1 : 0;
        EXPECT_EQ(bench.engine.sequencer().semaphore_errors(), errors) << int{wrap.mode};
        EXPECT_EQ(bench.log.has("S: SEMAPHORE_ERROR sem[4] wrapped"), wrap.wraps);
    }
    bench.set_semaphore(4, top);
    bench.write_csr(EngineBench::semaphore_increment + 16, 1);
    EXPECT_EQ(bench.engine.sequencer().semaphore_errors(), errors + 1);
}

/// FP32 x 512 on MARIANA: dispatched in cycle 2 (fetch, decode), read from 3 to 514, visible 96
/// cycles later.
Record tensor_instruction() {
    Record record = legal_record(0x43);
    Edit(record).count("src_mem_pattern", 0, 512).count("dst_mem_pattern", 0, 512);
    return record;
}
constexpr std::uint64_t reads_done = 3 + 512;
constexpr std::uint64_t writes_done = 3 + 512 + 96;

TEST(Update, ReadModesTakeEffectBeforeCompleteModes) {
    EngineBench bench(Generation::MARIANA);
    elaborate();
    for (const UpdateRow& row : semaphore_rows) {
        for (const std::uint8_t mode : {row.read, row.complete}) {
            bench.set_semaphore(6, 100);
            bench.write_csr(csr::registers_window + 4 * 9, 7);
            const std::uint32_t operand = row.from_register ? 9 : 7;
            bench.run({with_update(tensor_instruction(), mode, 6, operand),
                       with_wait(nop(), 0x01, 6, row.effect(100, 7))});
            ASSERT_TRUE(bench.halted());
            const RetireRecord& tensor = bench.retired_records[0];
            EXPECT_EQ(tensor.issue_cycle, 2U);
            EXPECT_EQ(tensor.start_cycle, 3U);
            EXPECT_EQ(tensor.end_cycle, writes_done);
            EXPECT_EQ(bench.retired_records[1].issue_cycle,
                      mode == row.read ? reads_done : writes_done)
                << int{mode};
        }
    }
    bench.run({with_update(tensor_instruction(), 0x01, 6), with_wait(nop(), 0x07, 6, 0),
               with_update(tensor_instruction(), 0x11, 6), with_wait(nop(), 0x06, 6, 0)});
    EXPECT_EQ(bench.retired_records[1].issue_cycle, reads_done);
    EXPECT_EQ(bench.retired_records[3].issue_cycle, bench.retired_records[2].end_cycle);
}

// Updates of overlapping instructions take effect in the order of time, not of the program.
TEST(Update, TimeOrder) {
    EngineBench bench(Generation::MARIANA);
    Record first = with_update(tensor_instruction(), 0x19, 6, 1);  // at its end
    Record second = legal_record(0x43);
    Edit(second)
        .start("src_mem_pattern", 0x5000)
        .start("dst_mem_pattern", 0x6000)
        .count("src_mem_pattern", 0, 4)
        .count("dst_mem_pattern", 0, 4);
    second = with_update(second, 0x09, 6, 2);  // when its reads are done: earlier
    bench.run({first, second});
    ASSERT_TRUE(bench.halted());
    EXPECT_LT(bench.retired_records[1].start_cycle + 4, bench.retired_records[0].end_cycle);
    EXPECT_EQ(bench.semaphore(6), 1U);
}

// A host that polls sees an update when its time has come, while the engine is still busy.
TEST(Update, HostSeesUpdatesDuringTheRun) {
    EngineBench bench(Generation::MARIANA);
    std::vector<Record> program = {with_update(tensor_instruction(), 0x13, 6)};
    for (unsigned i = 0; i < 40; ++i) {
        program.push_back(tensor_instruction());
    }
    bench.begin(program);
    sc_core::sc_start(100, sc_core::SC_NS);  // cycle 120
    EXPECT_EQ(bench.semaphore(6), 0U);
    sc_core::sc_start(5, sc_core::SC_US);
    EXPECT_TRUE(bench.running());
    EXPECT_EQ(bench.semaphore(6), 1U);
    sc_core::sc_start();
    EXPECT_TRUE(bench.halted());
}

/// Updates of one cycle come in program order, whoever makes them.
class UpdateOrder : public testing::TestWithParam<TimingMode> {};

INSTANTIATE_TEST_SUITE_P(Modes, UpdateOrder,
                         testing::Values(TimingMode::LOOSE, TimingMode::APPROX, TimingMode::CYCLE),
                         [](const auto& info) { return timing_mode_name(info.param); });

TEST_P(UpdateOrder, OfOneCycleIsThatOfTheProgram) {
    Configuration configuration =
        Configuration::defaults(Generation::MARIANA, SemanticsProfile::REFERENCE);
    configuration.mode = GetParam();
    EngineBench bench(configuration);
    unsigned together = 0;
    for (unsigned gap = 40; gap < 90; ++gap) {
        std::vector<Record> program{with_update(legal_record(0x43), 0x02, 1)};  // clear on read
        program.insert(program.end(), gap, nop());
        program.push_back(with_update(nop(), 0x01, 1));  // set
        bench.run(program);
        ASSERT_TRUE(bench.halted());
        const std::uint64_t cleared = bench.retired_records.front().read_done_cycle;
        const std::uint64_t set = bench.retired_records.back().end_cycle;
        together += set == cleared ? 1 : 0;
        EXPECT_EQ(bench.event(1), set >= cleared) << gap;
    }
    EXPECT_EQ(together, 1U);
}

}  // namespace
}  // namespace dve::test
