// Memories with and without DMI, invalidation, errors on the arrow to a memory.
#include <gtest/gtest.h>

#include <cstring>

#include "tests/dve/datapath_bench.h"

namespace dve::test {
namespace {

Tensor row_at(std::uint32_t byte, std::uint16_t count) {
    Tensor tensor;
    tensor.byte = byte;
    tensor.shape = row_of(count);
    return tensor;
}

/// dst = src0 + 1 in 32 channels, FP32.
Instruction add_one(std::uint32_t from, std::uint32_t to, std::uint16_t count) {
    Instruction instruction;
    instruction.channels = 32;
    instruction.src0 = row_at(from, count);
    instruction.dst = row_at(to, count);
    instruction.op0 = AluOp::ADD;
    instruction.scalar0.bits = 0x3F800000;
    return instruction;
}

float value_at(DatapathBench& bench, unsigned partition, std::uint64_t byte) {
    float value = 0;
    std::memcpy(&value, bench.at(Space::SBUF, partition, byte), 4);
    return value;
}

TEST(MemoryPort, WithoutDmiTheResultsAreTheSame) {
    DatapathBench direct(Generation::MARIANA, true);
    DatapathBench shadowed(Generation::MARIANA, false);
    DatapathBench mixed(Generation::MARIANA, false);
    mixed.psum_monitor.allow_dmi = true;
    elaborate();
    InstructionSource source(77);
    Memories memories;
    memories.fill(source.engine());
    Reference reference;
    reference.memories = memories;
    for (DatapathBench* bench : {&direct, &shadowed, &mixed}) {
        bench->load(memories);
    }
    for (unsigned i = 0; i < 150; ++i) {
        const Instruction instruction = source.next(Generation::MARIANA);
        reference.execute(instruction, Semantics());
        for (DatapathBench* bench : {&direct, &shadowed, &mixed}) {
            ASSERT_EQ(bench->dispatch(instruction), tlm::TLM_OK_RESPONSE) << i;
        }
        if (i % 10 == 9) {
            ASSERT_TRUE(direct.contents() == reference.memories) << i;
            ASSERT_TRUE(shadowed.contents() == reference.memories) << i;
            ASSERT_TRUE(mixed.contents() == reference.memories) << i;
        }
    }
    EXPECT_TRUE(direct.datapath.sbuf.uses_dmi());
    EXPECT_EQ(direct.sbuf_monitor.reads + direct.sbuf_monitor.writes, 0U);
    EXPECT_FALSE(shadowed.datapath.sbuf.uses_dmi());
    EXPECT_FALSE(shadowed.datapath.psum.uses_dmi());
    EXPECT_GT(shadowed.sbuf_monitor.writes, 100U);
    EXPECT_TRUE(mixed.datapath.psum.uses_dmi());
    EXPECT_EQ(mixed.psum_monitor.reads, 0U);
    EXPECT_EQ(shadowed.extension.end_cycle, direct.extension.end_cycle);
}

TEST(MemoryPort, GrantsAreKeptUntilTheyAreTakenBack) {
    DatapathBench bench(Generation::CAYMAN);
    elaborate();
    ASSERT_EQ(bench.dispatch(add_one(0, 0x100, 16)), tlm::TLM_OK_RESPONSE);
    const std::uint64_t asked = bench.sbuf_monitor.dmi_requests;
    EXPECT_EQ(asked, 128U);  // one region a partition
    ASSERT_EQ(bench.dispatch(add_one(0x100, 0x200, 16)), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bench.sbuf_monitor.dmi_requests, asked);

    bench.sbuf_monitor.invalidate(0x40000, 0x40010);
    ASSERT_EQ(bench.dispatch(add_one(0x200, 0x300, 16)), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bench.sbuf_monitor.dmi_requests, 2 * asked);
    EXPECT_TRUE(bench.datapath.sbuf.uses_dmi());

    bench.sbuf_monitor.allow_dmi = false;
    bench.sbuf_monitor.invalidate(0, ~std::uint64_t{0});
    ASSERT_EQ(bench.dispatch(add_one(0x300, 0x400, 16)), tlm::TLM_OK_RESPONSE);
    EXPECT_FALSE(bench.datapath.sbuf.uses_dmi());
    EXPECT_EQ(bench.sbuf_monitor.writes, 32U);

    bench.sbuf_monitor.allow_dmi = true;
    bench.sbuf_monitor.invalidate(0, 0);
    ASSERT_EQ(bench.dispatch(add_one(0x400, 0x500, 16)), tlm::TLM_OK_RESPONSE);
    EXPECT_TRUE(bench.datapath.sbuf.uses_dmi());
    for (unsigned p = 0; p < 32; ++p) {
        EXPECT_EQ(value_at(bench, p, 0x500 + 60), 5.0F);
    }
    EXPECT_EQ(value_at(bench, 32, 0x500), 0.0F);
}

TEST(MemoryPort, AWalkOutOfThePartitionWritesNothing) {
    DatapathBench direct(Generation::SUNDA, true);
    DatapathBench shadowed(Generation::SUNDA, false);
    elaborate();
    for (DatapathBench* bench : {&direct, &shadowed}) {
        // 192 KiB: the last of 16 elements lies outside.
        Instruction instruction = add_one(0, 0x30000 - 60, 16);
        ASSERT_EQ(bench->dispatch(instruction), tlm::TLM_GENERIC_ERROR_RESPONSE);
        ASSERT_TRUE(bench->extension.fault);
        EXPECT_EQ(bench->extension.fault->type, ErrorType::MEMORY_ERROR);
        EXPECT_STREQ(bench->extension.fault->violation.predicate, "walk_inside_partition");
        for (unsigned i = 0; i < 15; ++i) {
            EXPECT_EQ(value_at(*bench, 0, 0x30000 - 60 + 4 * i), 0.0F);
        }
        instruction.dst.byte -= 4;
        EXPECT_EQ(bench->dispatch(instruction), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(value_at(*bench, 31, 0x30000 - 4), 1.0F);
    }
}

TEST(MemoryPort, ErrorsOfAMemoryAreReported) {
    DatapathBench bench(Generation::MARIANA, false);
    elaborate();
    bench.sbuf_monitor.fail_reads = true;
    EXPECT_EQ(bench.dispatch(add_one(0, 0x100, 4)), tlm::TLM_GENERIC_ERROR_RESPONSE);
    ASSERT_TRUE(bench.extension.fault);
    EXPECT_EQ(bench.extension.fault->type, ErrorType::MEMORY_ERROR);
    EXPECT_STREQ(bench.extension.fault->violation.predicate, "memory_response");
    EXPECT_EQ(bench.sbuf_monitor.writes, 0U);
    EXPECT_EQ(value_at(bench, 0, 0x100), 0.0F);

    bench.sbuf_monitor.fail_reads = false;
    bench.sbuf_monitor.fail_writes = true;
    EXPECT_EQ(bench.dispatch(add_one(0, 0x100, 4)), tlm::TLM_GENERIC_ERROR_RESPONSE);
    ASSERT_TRUE(bench.extension.fault);
    EXPECT_EQ(bench.extension.fault->violation.field, "dst");

    bench.sbuf_monitor.fail_writes = false;
    EXPECT_EQ(bench.dispatch(add_one(0, 0x100, 4)), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(value_at(bench, 0, 0x100), 1.0F);
}

TEST(Dispatch, RefusesWhatIsNoRecord) {
    DatapathBench bench(Generation::MARIANA);
    elaborate();
    Record record = encode(add_one(0, 0x100, 4), Generation::MARIANA, bench.registers);
    EXPECT_EQ(bench.dispatch(record, 0xA040), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bench.dispatch(record, 0xDEAD), tlm::TLM_GENERIC_ERROR_RESPONSE);
    ASSERT_TRUE(bench.extension.fault);
    EXPECT_EQ(bench.extension.fault->subtype, FaultSubtype::BAD_OPCODE);
    // Without the side-band, as a read, or of another length.
    std::uint8_t* bytes = record.bytes.data();
    EXPECT_EQ(bench.sequencer.write(0xA040, bytes, 64), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(bench.sequencer.read(0xA040, bytes, 64), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(bench.sequencer.write(0xA040, bytes, 32), tlm::TLM_GENERIC_ERROR_RESPONSE);
}

// flags 7:0 of the kernel_info slot name the operator of the prefix.
TEST(Dispatch, ScanOperatorComesFromTheFlags) {
    DatapathBench bench(Generation::MARIANA);
    elaborate();
    const float values[] = {3, -5, 4, 2, -7};
    for (unsigned i = 0; i < 5; ++i) {
        std::memcpy(bench.at(Space::SBUF, 0, 4 * i), &values[i], 4);
    }
    Instruction scan;
    scan.opcode = 0xE5;
    scan.src0 = row_at(0, 5);
    scan.src1 = row_at(0x800, 5);
    scan.dst = row_at(0x100, 5);
    const auto last_element = [&](std::uint32_t flags) {
        bench.flags = flags;
        EXPECT_EQ(bench.dispatch(scan), tlm::TLM_OK_RESPONSE);
        return value_at(bench, 0, 0x100 + 16);
    };
    EXPECT_EQ(last_element(0x04), -3.0F);   // add
    EXPECT_EQ(last_element(0x06), 840.0F);  // mult
    EXPECT_EQ(last_element(0x08), 4.0F);    // max
    EXPECT_EQ(last_element(0x09), -7.0F);   // min
    EXPECT_EQ(last_element(0xAB000004), -3.0F);
    bench.flags = 0x05;  // subtract
    EXPECT_EQ(bench.dispatch(scan), tlm::TLM_GENERIC_ERROR_RESPONSE);
    ASSERT_TRUE(bench.extension.fault);
    EXPECT_STREQ(bench.extension.fault->violation.predicate, "not_modelled");
}

}  // namespace
}  // namespace dve::test
