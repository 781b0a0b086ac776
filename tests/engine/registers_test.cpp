// The register table, the socket that is made from it, and the header for drivers.
#include <gtest/gtest.h>

#include <map>

#include "dve/dve_registers.h"
#include "tests/engine/device_bench.h"

extern "C" unsigned dve_test_offset(unsigned index);

namespace dve::test {
namespace {

TEST(Registers, TheHeaderForDriversSaysTheSame) {
#define DVE_REGISTER(name, offset, access, reset, what) EXPECT_EQ(DVE_##name##_OFFSET, offset##U);
#define DVE_FIELD(in, name, first_bit, bits, what)               \
    EXPECT_EQ(DVE_##in##_##name##_MASK, csr::mask::in##_##name); \
    EXPECT_EQ(DVE_##in##_##name##_SHIFT, first_bit);
#define DVE_VALUE(in, name, number, what) EXPECT_EQ(DVE_##in##_##name, csr::value::in##_##name);
#define DVE_COUNTER(name, offset, what)                \
    EXPECT_EQ(DVE_##name##_LO_OFFSET, csr::name##_LO); \
    EXPECT_EQ(DVE_##name##_HI_OFFSET, csr::name##_HI);
#include "platform/registers.def"
    EXPECT_EQ(DVE_SEMAPHORE_READ_OFFSET, csr::semaphore_read);
    EXPECT_EQ(DVE_REGISTERS_WINDOW_WORDS, 64U);
    EXPECT_EQ(dve_test_offset(0), 0x0004U);
    EXPECT_EQ(dve_test_offset(1), 0x0204U);
    EXPECT_EQ(dve_test_offset(2), 0x2800U);
}

// What the sources give, by hand.
TEST(Registers, PublishedOffsets) {
    EXPECT_EQ(csr::START, 0x0004U);
    EXPECT_EQ(csr::RUN_STATE, 0x0008U);
    EXPECT_EQ(csr::INTERRUPT, 0x001CU);
    EXPECT_EQ(csr::semaphore_read, 0x1000U);
    EXPECT_EQ(csr::semaphore_set, 0x1400U);
    EXPECT_EQ(csr::semaphore_increment, 0x1800U);
    EXPECT_EQ(csr::semaphore_decrement, 0x1C00U);
    EXPECT_EQ(csr::value::RUN_STATE_RUNNING, 1U);
    EXPECT_EQ(csr::value::RUN_STATE_PAUSED, 2U);
}

/// Access kind of every word of the socket; nothing where there is no register.
std::map<std::uint32_t, csr::Access> words() {
    std::map<std::uint32_t, csr::Access> words;
    for (const csr::RegisterRow& row : csr::registers) {
        words[row.offset] = row.access;
    }
    for (const std::uint32_t counter : csr::counters) {
        words[counter] = words[counter + 4] = csr::Access::RO;
    }
    for (const csr::WindowRow& window : csr::windows) {
        for (unsigned i = 0; i < window.words; ++i) {
            words[window.offset + 4 * i] = window.access;
        }
    }
    return words;
}

TEST(Registers, EveryWordAnswersAsItsRowSays) {
    DeviceBench bench(TimingMode::LOOSE);
    elaborate();
    const auto known = words();
    for (std::uint32_t offset = 0; offset < csr::window_bytes + 64; offset += 4) {
        SCOPED_TRACE(offset);
        const auto found = known.find(offset);
        if (found == known.end()) {
            EXPECT_EQ(bench.read_status(offset), tlm::TLM_ADDRESS_ERROR_RESPONSE);
            EXPECT_EQ(bench.write_status(offset, 0), tlm::TLM_ADDRESS_ERROR_RESPONSE);
            continue;
        }
        EXPECT_EQ(bench.read_status(offset), found->second == csr::Access::WO
                                                 ? tlm::TLM_COMMAND_ERROR_RESPONSE
                                                 : tlm::TLM_OK_RESPONSE);
        // Tail and head have no ring yet: nothing is legal.
        const bool refused = offset == csr::RING_TAIL || offset == csr::NOTIFICATION_HEAD;
        EXPECT_EQ(bench.write_status(offset, 0), found->second == csr::Access::RO
                                                     ? tlm::TLM_COMMAND_ERROR_RESPONSE
                                                 : refused ? tlm::TLM_GENERIC_ERROR_RESPONSE
                                                           : tlm::TLM_OK_RESPONSE);
    }
}

TEST(Registers, BitsOutsideOfTheFieldsAreNotKept) {
    DeviceBench bench(TimingMode::LOOSE);
    elaborate();
    for (const auto& [offset, kept] :
         {std::pair{csr::INTERRUPT_ENABLE, 0x1FU}, std::pair{csr::FCR, 0x3U},
          std::pair{csr::PROGRAM_BYTES, 0xFFFFFFFFU}, std::pair{csr::RING_BASE_HI, 0xFFFFFFFFU}}) {
        bench.write_csr(offset, 0xFFFFFFFF);
        EXPECT_EQ(bench.read_csr(offset), kept) << offset;
    }
}

}  // namespace
}  // namespace dve::test
