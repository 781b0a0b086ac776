// The same three instructions on every generation, in both semantics profiles.
#include <gtest/gtest.h>

#include "tests/support/engine_bench.h"
#include "tests/support/generations.h"

namespace dve::test {
namespace {

constexpr unsigned channels = 128;
constexpr unsigned elements = 100;
constexpr std::uint64_t x_at = 0x100;
constexpr std::uint64_t y_at = 0x1100;
constexpr std::uint64_t first_at = 0x2000;
constexpr std::uint64_t second_at = 0x3000;
constexpr std::uint64_t third_at = 0x4000;

// Small whole numbers: every order of additions is exact.
float x(unsigned p, unsigned i) { return static_cast<float>((p * 7 + i * 3) % 5) - 2; }
float y(unsigned p, unsigned i) { return static_cast<float>((p + i * i) % 7) - 3; }

Record with_places(std::uint8_t opcode, std::uint32_t src0, std::uint32_t src1, std::uint32_t dst) {
    Record record = legal_record(opcode);
    Edit edit(record);
    if (opcode == 0x43) {
        edit.start("src_mem_pattern", src0).count("src_mem_pattern", 0, elements);
    } else {
        edit.start("src0_mem_pattern", src0).count("src0_mem_pattern", 0, elements);
        edit.start("src1_mem_pattern", src1).count("src1_mem_pattern", 0, elements);
    }
    edit.start("dst_mem_pattern", dst).count("dst_mem_pattern", 0, elements);
    edit.set("num_active_channels", channels);
    return record;
}

std::vector<Record> program() {
    Record scale = with_places(0x43, x_at, 0, first_at);  // x * 2 + 1
    Edit(scale).set("imm0", 0x40000000).set("imm1", 0x3F800000);
    Record combine = with_places(0x9D, x_at, y_at, second_at);  // x * 3 + y
    Edit(combine).set("imm0", 0x40400000);
    Record scan = with_places(0xE5, x_at, y_at, third_at);
    Edit(scan).set("imm0", 0x3F800000);
    return {scale, combine, scan};
}

void fill(EngineBench& bench) {
    for (unsigned p = 0; p < channels; ++p) {
        for (unsigned i = 0; i < elements; ++i) {
            bench.store(Space::SBUF, p, x_at + 4 * i, x(p, i));
            bench.store(Space::SBUF, p, y_at + 4 * i, y(p, i));
        }
    }
}

class OnGeneration : public testing::TestWithParam<Generation> {};
INSTANTIATE_TEST_SUITE_P(Generations, OnGeneration, every_generation(), generation_label);

TEST_P(OnGeneration, ReferenceProfile) {
    EngineBench bench(GetParam());
    fill(bench);
    bench.run(program());
    ASSERT_TRUE(bench.halted());
    for (unsigned p = 0; p < channels; ++p) {
        float sum = 0;
        for (unsigned i = 0; i < elements; ++i) {
            ASSERT_EQ(bench.load<float>(Space::SBUF, p, first_at + 4 * i), x(p, i) * 2 + 1);
            ASSERT_EQ(bench.load<float>(Space::SBUF, p, second_at + 4 * i), x(p, i) * 3 + y(p, i));
            sum += x(p, i) + y(p, i);
            ASSERT_EQ(bench.load<float>(Space::SBUF, p, third_at + 4 * i), sum);
        }
        ASSERT_EQ(bench.load<float>(Space::SBUF, p, third_at + 4 * elements), 0.0F);
    }
    for (const char* line :
         {"S: Dispatch opcode=0x43", "S: Tensor-Scalar", "S: Dispatch opcode=0x9d",
          "S: Scalar-Tensor-Tensor", "S: TensorTensorScan"}) {
        EXPECT_TRUE(bench.log.has(line)) << line;
    }
}

TEST_P(OnGeneration, PublishedProfile) {
    EngineBench bench(GetParam(), SemanticsProfile::PUBLISHED);
    fill(bench);
    for (unsigned p = 0; p < channels; ++p) {  // keep the recurrence small: x in -1, 0, 1
        for (unsigned i = 0; i < elements; ++i) {
            bench.store(Space::SBUF, p, x_at + 4 * i, std::clamp(x(p, i), -1.0F, 1.0F));
        }
    }
    bench.run(program());
    ASSERT_TRUE(bench.halted());
    for (unsigned p = 0; p < channels; ++p) {
        float state = 1;
        for (unsigned i = 0; i < elements; ++i) {
            state = std::clamp(x(p, i), -1.0F, 1.0F) * state + y(p, i);
            ASSERT_EQ(bench.load<float>(Space::SBUF, p, third_at + 4 * i), state);
        }
    }
}

// FP32 costs N for 0x43 everywhere; two FP32 sources share 4 bytes a cycle on SUNDA, 8 later.
TEST_P(OnGeneration, Cycles) {
    EngineBench bench(GetParam());
    bench.run(program());
    ASSERT_TRUE(bench.halted());
    const std::uint64_t pair = GetParam() == Generation::SUNDA ? 2 * elements : elements;
    const std::uint64_t start = bench.retired_records[0].start_cycle;
    EXPECT_EQ(start, 3U);
    EXPECT_EQ(bench.retired_records[1].start_cycle, start + elements);
    EXPECT_EQ(bench.retired_records[2].start_cycle, start + elements + pair);
    EXPECT_EQ(bench.retired_records[0].end_cycle, start + elements + 96);
    EXPECT_EQ(bench.engine.sequencer().total_cycles(), start + elements + 2 * pair + 101);
    EXPECT_EQ(bench.retired_records[2].channels, channels);
    EXPECT_EQ(bench.retired_records[2].elements, elements);
}

// The program's writes are visible to the host through the memory socket, at the partition's
// address.
TEST_P(OnGeneration, HostReadsThroughTheMemorySocket) {
    EngineBench bench(GetParam());
    fill(bench);
    bench.run(program());
    for (const unsigned p : {0U, 1U, 127U}) {
        float value = 0;
        ASSERT_EQ(bench.host.read(test::sbuf(GetParam(), p, first_at + 4 * 99), &value, 4),
                  tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(value, x(p, 99) * 2 + 1);
    }
    float value = 0;
    EXPECT_EQ(bench.host.read(0x2000000, &value, 4), tlm::TLM_OK_RESPONSE);  // PSUM, or MV's SBUF
    EXPECT_EQ(bench.host.read(0x8000000, &value, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    tlm::tlm_dmi dmi;
    const std::uint64_t partition = test::sbuf(GetParam(), 5, 0);
    ASSERT_TRUE(bench.host.direct_memory(partition + 12, dmi));
    EXPECT_EQ(dmi.get_start_address(), partition);
    EXPECT_EQ(dmi.get_dmi_ptr(), bench.sbuf(5, 0));
    std::uint32_t bits = 0;
    EXPECT_EQ(bench.host.debug(tlm::TLM_READ_COMMAND, partition + x_at,
                               reinterpret_cast<std::uint8_t*>(&bits), 4),
              4U);
    EXPECT_EQ(bits, bench.load<std::uint32_t>(Space::SBUF, 5, x_at));
}

}  // namespace
}  // namespace dve::test
