// Indirect operands where DMI is denied.
#include <gtest/gtest.h>
#include "tests/dve/datapath_bench.h"
namespace dve::test {
namespace {
TEST(Indirect, ShadowedMemoriesGiveTheSameAsDirectOnes) {
    DatapathBench direct(Generation::MARIANA, true);
    DatapathBench shadowed(Generation::MARIANA, false);
    elaborate();
    Record record = make_record(Opcode::TENSOR_SCALAR_ARITH_OP);
    using namespace fields::S3D3_TS;
    record.set_indirect(src_mem_pattern, {{0x20000000U | 0x1000U}, {0x0U}, 40});
    record.set_indirect(dst_mem_pattern, {{0x20000000U | 0x1100U}, {0x2000U}, 40});
    record.set(in_dtype, 10);
    record.set(out_dtype, 10);
    record.set(num_active_channels, 32);
    record.set(op0, 6);
    record.set(imm0, 0x40000000);
    for (DatapathBench* bench : {&direct, &shadowed}) {
        std::mt19937 engine(5);
        for (unsigned p = 0; p < 32; ++p) {
            for (unsigned i = 0; i < 64; ++i) {
                const float value = static_cast<float>(engine() % 1000);
                std::memcpy(bench->at(Space::SBUF, p, 4 * i), &value, 4);
            }
            for (unsigned i = 0; i < 3; ++i) {
                for (unsigned base : {0x1000U, 0x1100U}) {
                    const std::uint32_t number = engine() % 64;
                    std::memcpy(bench->at(Space::SBUF, p, base + 4 * i), &number, 4);
                }
            }
        }
        ASSERT_EQ(bench->dispatch(record), tlm::TLM_OK_RESPONSE);
    }
    EXPECT_TRUE(direct.contents() == shadowed.contents());
    bool any = false;
    for (unsigned i = 0; i < 64; ++i) {
        any |= *direct.at(Space::SBUF, 3, 0x2003 + 4 * i) != 0;
    }
    EXPECT_TRUE(any);
    const std::uint32_t bad = 0xFFFFFFFF;
    for (DatapathBench* bench : {&direct, &shadowed}) {
        std::memcpy(bench->at(Space::SBUF, 20, 0x1004), &bad, 4);
        const Memories before = bench->contents();
        EXPECT_EQ(bench->dispatch(record), tlm::TLM_GENERIC_ERROR_RESPONSE);
        ASSERT_TRUE(bench->extension.fault.has_value());
        EXPECT_EQ(bench->extension.fault->type, ErrorType::MEMORY_ERROR);
        EXPECT_TRUE(bench->contents() == before);
    }
}
}  // namespace
}  // namespace dve::test
