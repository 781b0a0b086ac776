// Control instructions: EVENT_SEMAPHORE, MOVE, NOP, HALT, DRAIN, RANGE_CLEAR (isa_wire_format 4.7).
#include <gtest/gtest.h>

#include "tests/support/engine_bench.h"

namespace dve::test {
namespace {

TEST(Control, EmptyProgramEndsAtOnce) {
    EngineBench bench(Generation::MARIANA);
    bench.run({});
    EXPECT_TRUE(bench.halted());
    EXPECT_EQ(bench.engine.sequencer().total_cycles(), 0U);
    EXPECT_EQ(bench.engine.sequencer().retired(), 0U);
}

TEST(Control, NopTakesACycleAndDoesNothing) {
    EngineBench bench(Generation::MARIANA);
    bench.run({nop(), nop(), nop()});
    ASSERT_TRUE(bench.halted());
    EXPECT_EQ(std::count(bench.log.lines.begin(), bench.log.lines.end(), "S: NOP"), 3);
    ASSERT_EQ(bench.retired_records.size(), 3U);
    for (std::uint64_t i = 0; i < 3; ++i) {
        // Fetched and decoded a cycle each, ahead of its predecessor's execution.
        EXPECT_EQ(bench.retired_records[i].issue_cycle, 2 + i);
        EXPECT_EQ(bench.retired_records[i].end_cycle, 3 + i);
        EXPECT_EQ(bench.retired_records[i].record_index, i);
        EXPECT_EQ(bench.retired_records[i].channels, 0U);
    }
    EXPECT_EQ(bench.engine.sequencer().total_cycles(), 5U);
}

TEST(Control, HaltEndsBeforeTheRestOfTheStream) {
    EngineBench bench(Generation::MARIANA);
    bench.run({move_immediate(1, 11), with_update(halt(), 0x03, 7), move_immediate(1, 22)});
    EXPECT_TRUE(bench.halted());
    EXPECT_EQ(bench.reg(1), 11U);
    EXPECT_EQ(bench.semaphore(7), 1U);
    EXPECT_TRUE(bench.log.has("S: Halt"));
    EXPECT_EQ(bench.read_csr(0x0008), 3U);
}

TEST(Control, DrainWaitsForEveryWrite) {
    EngineBench bench(Generation::MARIANA);
    bench.run({legal_record(0x43), nop(), drain(), nop()});
    ASSERT_TRUE(bench.halted());
    const std::uint64_t end = bench.retired_records[0].end_cycle;
    EXPECT_EQ(end, 3U + 64 + 96);
    EXPECT_LT(bench.retired_records[1].issue_cycle, 10U);
    EXPECT_EQ(bench.retired_records[2].end_cycle, end + 1);
    EXPECT_EQ(bench.retired_records[3].issue_cycle, end + 1);
}

TEST(Move, EightImmediates) {
    EngineBench bench(Generation::MARIANA);
    Record record = legal_record(0xA7);
    for (std::uint8_t i = 0; i < 8; ++i) {
        const std::uint32_t value = 0xA0000000U + i;
        record.bytes[24 + i] = static_cast<std::uint8_t>(63 - i);
        std::memcpy(record.bytes.data() + 32 + 4 * i, &value, 4);
    }
    bench.run({record});
    ASSERT_TRUE(bench.halted());
    for (unsigned i = 0; i < 8; ++i) {
        EXPECT_EQ(bench.reg(63 - i), 0xA0000000U + i);
    }
    EXPECT_EQ(bench.reg(55), 0U);
    EXPECT_TRUE(bench.log.has("S: MOVE"));
    EXPECT_TRUE(bench.log.has("S: R[63] = imm = 0xa0000000"));
    EXPECT_TRUE(bench.log.has("S: R[56] = imm = 0xa0000007"));
}

TEST(Move, OnlyNumMovEntriesCount) {
    EngineBench bench(Generation::MARIANA);
    for (std::uint8_t count = 1; count <= 8; ++count) {
        Record record = legal_record(0xA7);
        Edit(record).set("num_mov", count);
        for (std::uint8_t i = 0; i < 8; ++i) {
            record.bytes[24 + i] = i;
            record.bytes[32 + 4 * i] = count;
        }
        bench.run({record});
        for (std::uint8_t i = 0; i < 8; ++i) {
            EXPECT_EQ(bench.reg(i) == count, i < count);
        }
    }
}

// A permutation within one record: all sources are read before the first write.
TEST(Move, RegistersAreReadBeforeAnyWrite) {
    EngineBench bench(Generation::MARIANA);
    elaborate();
    for (std::uint32_t i = 0; i < 8; ++i) {
        bench.write_csr(csr::registers_window + 4 * i, 100 + i);
    }
    Record record = legal_record(0xA7);
    Edit(record).set("data_src", 0);
    for (std::uint8_t i = 0; i < 8; ++i) {
        record.bytes[16 + i] = i;
        record.bytes[24 + i] = static_cast<std::uint8_t>((i + 1) % 8);
    }
    bench.run({record});
    ASSERT_TRUE(bench.halted());
    for (unsigned i = 0; i < 8; ++i) {
        EXPECT_EQ(bench.reg((i + 1) % 8), 100 + i);
    }
    EXPECT_TRUE(bench.log.has("S: R[1] = R[0] = 0x64"));
    EXPECT_TRUE(bench.log.has("S: R[0] = R[7] = 0x6b"));
}

/// EVENT_SEMAPHORE with its extended wait and update.
Record event_semaphore(std::uint8_t wait_mode, std::uint8_t wait_index, std::uint32_t wait_value,
                       std::uint8_t update_mode, std::uint8_t update_index,
                       std::uint32_t update_value) {
    Record record = legal_record(0xA0);
    record.bytes[32] = wait_mode;
    record.bytes[33] = wait_index;
    record.bytes[34] = update_mode;
    record.bytes[35] = update_index;
    std::memcpy(record.bytes.data() + 36, &wait_value, 4);
    std::memcpy(record.bytes.data() + 40, &update_value, 4);
    return record;
}

TEST(EventSemaphore, InlineWaitThenExtendedWaitThenUpdate) {
    EngineBench bench(Generation::MARIANA);
    // The extended wait for a clear event 5 holds only after the inline wait has cleared it, and
    // the update sets it again afterwards.
    bench.run({with_update(nop(), 0x01, 5),
               with_wait(event_semaphore(0x0E, 5, 0, 0x01, 5, 0), 0x07, 5, 0)});
    ASSERT_TRUE(bench.halted());
    EXPECT_TRUE(bench.event(5));
    EXPECT_TRUE(bench.log.has("S: Event_Semaphore"));
    // The update comes behind the wait: with the old value.
    bench.run({event_semaphore(0x01, 30, 0, 0x05, 30, 9)});
    ASSERT_TRUE(bench.halted());
    EXPECT_EQ(bench.semaphore(30), 9U);
    bench.run({event_semaphore(0x01, 30, 18, 0x05, 30, 9)});
    EXPECT_TRUE(bench.running());
    EXPECT_EQ(bench.engine.sequencer().waiting_record(), 0U);
    bench.set_semaphore(30, 18);
    sc_core::sc_start();
    EXPECT_TRUE(bench.halted());
    EXPECT_EQ(bench.semaphore(30), 27U);
}

TEST(EventSemaphore, RegisterOperands) {
    EngineBench bench(Generation::MARIANA);
    elaborate();
    bench.set_semaphore(1, 50);
    bench.run({move_immediate(10, 50), move_immediate(11, 4), move_immediate(12, 50),
               with_wait(event_semaphore(0x81, 1, 10, 0x97, 1, 11), 0x85, 1, 12)});
    ASSERT_TRUE(bench.halted());
    EXPECT_EQ(bench.semaphore(1), 46U);
}

TEST(RangeClear, RangeAndBitmap) {
    EngineBench bench(Generation::MARIANA);
    elaborate();
    const auto set_all = [&] {
        std::vector<Record> events;
        for (unsigned i = 0; i < 256; i += 5) {
            events.push_back(with_update(nop(), 0x01, static_cast<std::uint8_t>(i)));
        }
        bench.run(events);
        for (unsigned i = 0; i < 256; ++i) {
            bench.set_semaphore(i, i + 1);
        }
    };
    Record range = legal_record(0xB0);
    range.bytes[0] = 0xB0;
    range.bytes[12] = 1;
    range.bytes[13] = 10;
    range.bytes[14] = 200;
    set_all();
    bench.run({range});
    ASSERT_TRUE(bench.halted());
    for (unsigned i = 0; i < 256; ++i) {
        const bool cleared = i >= 10 && i <= 200;
        EXPECT_EQ(bench.semaphore(i), cleared ? 0 : i + 1);
        EXPECT_EQ(bench.event(i), !cleared && i % 5 == 0);
    }
    Record bitmap = range;
    bitmap.bytes[12] = 2;
    for (unsigned i = 0; i < 256; i += 3) {
        bitmap.bytes[32 + i / 8] |= static_cast<std::uint8_t>(1U << i % 8);
    }
    set_all();
    bench.run({bitmap});
    ASSERT_TRUE(bench.halted());
    for (unsigned i = 0; i < 256; ++i) {
        EXPECT_EQ(bench.semaphore(i), i % 3 == 0 ? 0 : i + 1);
        EXPECT_EQ(bench.event(i), i % 3 != 0 && i % 5 == 0);
    }
    // Modes that do not exist, and a range that runs backwards.
    for (const auto& [mode, first, last] :
         {std::tuple{0, 0, 1}, std::tuple{3, 0, 1}, std::tuple{1, 5, 4}}) {
        range.bytes[12] = static_cast<std::uint8_t>(mode);
        range.bytes[13] = static_cast<std::uint8_t>(first);
        range.bytes[14] = static_cast<std::uint8_t>(last);
        bench.run({range});
        EXPECT_TRUE(bench.faulted());
        EXPECT_EQ(bench.fault().type, ErrorType::SEQUENCER_FATAL);
        EXPECT_EQ(bench.semaphore(1), 2U);
    }
}

TEST(Control, HintsHaveNoEffectAndAreLogged) {
    EngineBench bench(Generation::MARIANA);
    std::vector<Record> program;
    for (const std::uint8_t opcode : {0x9F, 0xA3, 0xB1, 0xB5}) {
        program.push_back(legal_record(opcode));
    }
    bench.run(program);
    ASSERT_TRUE(bench.halted());
    EXPECT_EQ(bench.retired_records.size(), 4U);
    for (const char* line : {"S: EngineNop", "S: INS_FL", "S: SET_OM", "S: BranchPrefetchHint"}) {
        EXPECT_TRUE(bench.log.has(line)) << line;
    }
}

}  // namespace
}  // namespace dve::test
