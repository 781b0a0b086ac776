// What the C header for drivers says beside the registers: faults, notifications, byte map.
#include "dve/dve_registers.h"

#include <gtest/gtest.h>

#include "models/isa/fault.h"
#include "models/isa/generation.h"
#include "models/isa/record.h"
#include "models/seq/notification_ring.h"

namespace dve::test {
namespace {

template <typename Enum>
unsigned code(Enum value) {
    return static_cast<unsigned>(value);
}

// By hand, from isa_wire_format 5.5.
TEST(DriverHeader, ErrorTypes) {
    EXPECT_EQ(DVE_ERROR_TYPE_FP_UNDERFLOW, 0U);
    EXPECT_EQ(DVE_ERROR_TYPE_FP_NAN, 1U);
    EXPECT_EQ(DVE_ERROR_TYPE_FP_INF, 2U);
    EXPECT_EQ(DVE_ERROR_TYPE_FP_OVERFLOW, 3U);
    EXPECT_EQ(DVE_ERROR_TYPE_MEMORY_ERROR, 4U);
    EXPECT_EQ(DVE_ERROR_TYPE_FAKE_ERROR, 5U);
    EXPECT_EQ(DVE_ERROR_TYPE_SEMAPHORE_ERROR, 6U);
    EXPECT_EQ(DVE_ERROR_TYPE_EVENT_ERROR, 7U);
    EXPECT_EQ(DVE_ERROR_TYPE_PSUM_COLLISION, 8U);
    EXPECT_EQ(DVE_ERROR_TYPE_SEQUENCER_NONFATAL, 9U);
    EXPECT_EQ(DVE_ERROR_TYPE_SEQUENCER_FATAL, 10U);
    EXPECT_EQ(DVE_ERROR_TYPE_NONE, ~0U);
}

TEST(DriverHeader, EnumerationsOfTheModel) {
    EXPECT_EQ(DVE_ERROR_TYPE_MEMORY_ERROR, code(ErrorType::MEMORY_ERROR));
    EXPECT_EQ(DVE_ERROR_TYPE_SEQUENCER_FATAL, code(ErrorType::SEQUENCER_FATAL));
    EXPECT_EQ(DVE_SUBTYPE_BAD_OPCODE, code(FaultSubtype::BAD_OPCODE));
    EXPECT_EQ(DVE_SUBTYPE_INT_DIVIDE_BY_ZERO, code(FaultSubtype::INT_DIVIDE_BY_ZERO));
    EXPECT_EQ(DVE_SUBTYPE_ASSERT, code(FaultSubtype::ASSERT));
    EXPECT_EQ(DVE_ENTRY_TYPE_NOTIFY, code(NotificationType::NOTIFY));
    EXPECT_EQ(DVE_ENTRY_TYPE_TPB_ERROR, code(NotificationType::TPB_ERROR));
    EXPECT_EQ(DVE_NOTIFICATION_BYTES, notification_bytes);
    EXPECT_EQ(DVE_RECORD_BYTES, record_bytes);
    EXPECT_EQ(DVE_PARTITIONS, dve_num_channels);
}

// An entry written by hand: bytes 1..2 metadata low, 4..7 block id 4 bits, record 12, opcode 8.
TEST(DriverHeader, PartsOfAnEntry) {
    const std::uint32_t error[] = {0xFF40'02'0AU, 0x0043'ABC0U};
    const auto part = [&](unsigned word, std::uint32_t mask, unsigned shift) {
        return (error[word] & mask) >> shift;
    };
#define DVE_PART(name) \
    part(DVE_ENTRY_##name##_WORD, DVE_ENTRY_##name##_MASK, DVE_ENTRY_##name##_SHIFT)
    EXPECT_EQ(DVE_PART(ID), 0x0AU);
    EXPECT_EQ(DVE_PART(TYPE), 0x1FU);
    EXPECT_EQ(DVE_PART(TPB_ERROR_SUBTYPE), 0x4002U);
    EXPECT_EQ(DVE_PART(TPB_ERROR_BLOCK_ID), 0U);
    EXPECT_EQ(DVE_PART(TPB_ERROR_RECORD), 0xABCU);
    EXPECT_EQ(DVE_PART(TPB_ERROR_OPCODE), 0x43U);
    EXPECT_EQ(DVE_PART(NOTIFY_PROGRAM_COUNTER_HI), 0x4002U);
    EXPECT_EQ(DVE_PART(NOTIFY_PROGRAM_COUNTER_LO), 0x0043ABC0U);
#undef DVE_PART
    EXPECT_EQ(DVE_ENTRY_TIME_STAMP_LO_WORD, 2);
    EXPECT_EQ(DVE_ENTRY_TIME_STAMP_HI_WORD, 3);
}

TEST(DriverHeader, ByteMapOfEveryGeneration) {
    const auto expect = [](Generation generation, bool psum, MemoryGeometry sbuf_map,
                           MemoryGeometry psum_map) {
        const GenerationRow& row = generation_row(generation);
        SCOPED_TRACE(row.name);
        EXPECT_EQ(row.psum.present, psum);
        for (const auto& [model, header] :
             {std::pair{row.sbuf, sbuf_map}, std::pair{row.psum, psum_map}}) {
            EXPECT_EQ(model.base, header.base);
            EXPECT_EQ(model.partition_stride, header.partition_stride);
            EXPECT_EQ(model.partition_bytes, header.partition_bytes);
        }
    };
#define DVE_MAP(name, space)                                                         \
    MemoryGeometry{true, DVE_##name##_##space##_BASE, DVE_##name##_##space##_STRIDE, \
                   DVE_##name##_##space##_PARTITION_BYTES, 1}
#define DVE_GENERATION(name)                                                      \
    expect(Generation::name, DVE_##name##_PSUM_PRESENT != 0, DVE_MAP(name, SBUF), \
           DVE_MAP(name, PSUM))
    DVE_GENERATION(SUNDA);
    DVE_GENERATION(CAYMAN);
    DVE_GENERATION(MARIANA);
    DVE_GENERATION(MARIANA_PLUS);
    DVE_GENERATION(MAVERICK);
#undef DVE_GENERATION
#undef DVE_MAP
}

}  // namespace
}  // namespace dve::test
