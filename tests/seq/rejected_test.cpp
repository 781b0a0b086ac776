// A rejected record leaves all state as it was: memory, accumulators, semaphores, events, R[]
// (decisions 5).
#include <gtest/gtest.h>

#include "tests/isa/check_cases.h"
#include "tests/support/engine_bench.h"
#include "tests/support/generations.h"

namespace dve::test {
namespace {

constexpr std::uint64_t watched_bytes = 0x3800;  ///< all operands of the samples lie below
constexpr std::uint64_t read_out_at = 0x3F00;    ///< where accumulators are read to

class Rejected : public testing::TestWithParam<Generation> {
protected:
    void SetUp() override {
        elaborate();
        std::vector<Record> program;
        for (std::uint8_t i = 0; i < 64; ++i) {
            program.push_back(move_immediate(i, 0x1000U * i + 64));
        }
        for (unsigned i = 0; i < 256; i += 2) {
            program.push_back(with_update(nop(), 0x01, static_cast<std::uint8_t>(i)));
        }
        Record accumulate = legal_record(0x9D);
        Edit(accumulate).set("accumulator_cmd", 3).set("imm0", 0x3F800000);
        program.push_back(accumulate);
        fill();
        bench.run(program);
        ASSERT_TRUE(bench.halted());
        for (unsigned i = 0; i < 256; ++i) {
            bench.set_semaphore(i, 1000 + i);
        }
        fill();
        accumulators = read_accumulators();
        ASSERT_NE(accumulators[0], accumulators[1]);
        status = bench.read_csr(csr::FSR);
    }

    /// Small floats that differ by partition and byte.
    void fill() {
        for (const Space space : {Space::SBUF, Space::PSUM}) {
            for (unsigned p = 0; p < 128; ++p) {
                for (std::uint64_t byte = 0; byte < watched_bytes; byte += 4) {
                    bench.store(space, p, byte, pattern(p, byte));
                }
            }
        }
    }
    static float pattern(unsigned partition, std::uint64_t byte) {
        return static_cast<float>(partition + 1) + static_cast<float>(byte) / 4096.0F;
    }

    std::vector<std::uint32_t> read_accumulators() {
        Record read = legal_record(0x9B);
        Edit(read).start("dst_mem_pattern", read_out_at);
        bench.run({read});
        EXPECT_TRUE(bench.halted());
        std::vector<std::uint32_t> values;
        for (unsigned p = 0; p < 32; ++p) {
            values.push_back(bench.load<std::uint32_t>(Space::SBUF, p, read_out_at));
        }
        return values;
    }

    void expect_untouched() {
        for (unsigned i = 0; i < 256; ++i) {
            ASSERT_EQ(bench.semaphore(i), 1000 + i);
            ASSERT_EQ(bench.event(i), i % 2 == 0);
        }
        for (unsigned i = 0; i < 64; ++i) {
            ASSERT_EQ(bench.reg(i), 0x1000U * i + 64);
        }
        for (const Space space : {Space::SBUF, Space::PSUM}) {
            for (unsigned p = 0; p < 128; ++p) {
                for (std::uint64_t byte = 0; byte < watched_bytes; byte += 4) {
                    if (bench.load<float>(space, p, byte) != pattern(p, byte)) {
                        FAIL() << space_name(space) << ' ' << p << ' ' << byte;
                    }
                }
            }
        }
        ASSERT_EQ(bench.engine.sequencer().semaphore_errors(), 0U);
        ASSERT_EQ(bench.read_csr(csr::FSR), status);
        ASSERT_EQ(read_accumulators(), accumulators);
    }

    EngineBench bench{GetParam()};
    std::vector<std::uint32_t> accumulators;
    std::uint32_t status = 0;
};

INSTANTIATE_TEST_SUITE_P(Generations, Rejected, every_generation(), generation_label);

TEST_P(Rejected, ByEveryPredicate) {
    unsigned count = 0;
    for (const Case& entry : all_cases()) {
        if (!contains(entry.generations, GetParam())) {
            continue;
        }
        for (const std::uint8_t opcode : entry.opcodes) {
            Record record = with_update(legal_record(opcode), opcode == 0xA0 ? 0 : 0x03, 9);
            Edit edit(record);
            entry.change(edit, GetParam());
            bench.run({record, move_immediate(0, 0)});
            ASSERT_TRUE(bench.faulted()) << entry.predicate << ' ' << int{opcode};
            ASSERT_EQ(bench.fault().violation.predicate, name_in(GetParam(), entry.predicate));
            ASSERT_EQ(bench.fault().type, ErrorType::SEQUENCER_FATAL);
            ASSERT_TRUE(bench.retired_records.empty());
            ++count;
        }
    }
    EXPECT_GT(count, 150U);
    expect_untouched();
}

// What only dispatch can find, behind a wait that takes an event and with an update to come.
TEST_P(Rejected, AtDispatchWithItsWaitAndUpdate) {
    std::vector<Record> records;
    const auto add = [&](std::uint8_t opcode, auto change) {
        Record record = with_update(legal_record(opcode), 0x13, 9);
        Edit edit(record);
        edit.set("wait_mode", 0x07).set("wait_idx", 20);  // set, then clear
        change(edit);
        records.push_back(record);
        edit.set("wait_mode", 0x0F).set("wait_idx", 21);  // clear, then set
        records.push_back(record);
    };
    add(0x43, [](Edit& e) { e.start("src_mem_pattern", 0x1000).step("src_mem_pattern", 0, -32); });
    add(0x43, [](Edit& e) { e.step("dst_mem_pattern", 0, 32767); });
    add(0x43,
        [](Edit& e) { e.start("dst_mem_pattern", 0x80000001).step("dst_mem_pattern", 0, 32000); });
    add(0x43,
        [](Edit& e) { e.set("imm0_src", 2).set("imm0", 63).set("num_active_channels", 128); });
    add(0x9D, [](Edit& e) { e.step("src1_mem_pattern", 0, -3000).set("accumulator_cmd", 3); });
    add(0xE5, [](Edit& e) { e.step("dst_mem_pattern", 0, -3000); });
    add(0x43, [](Edit& e) {
        e.count("src_mem_pattern", 2, 65535).count("dst_mem_pattern", 2, 65535);
        e.step("src_mem_pattern", 2, 0).step("dst_mem_pattern", 2, 0);
    });
    add(0x45, [](Edit&) {});
    add(0xB0, [](Edit&) {});  // mode 0
    for (std::size_t i = 0; i < records.size(); ++i) {
        // R[63] points into partition 0 behind an odd number, R[1] at a legal place.
        if (i == 6 || i == 7) {
            bench.write_csr(csr::registers_window + 4 * 63, 0x3F042);
        }
        bench.run({records[i]});
        EXPECT_TRUE(bench.faulted()) << i;
        EXPECT_TRUE(bench.retired_records.empty()) << i;
        bench.write_csr(csr::registers_window + 4 * 63, 0x3F040);
    }
    expect_untouched();
}

}  // namespace
}  // namespace dve::test
