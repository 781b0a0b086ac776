// Addresses and pointers that come from registers: every rule holds at dispatch (decisions 4).
#include <gtest/gtest.h>

#include "tests/lane_program/operand_bench.h"

namespace dve::test {
namespace {

/// The table of isa_wire_format 2.4.
bool start_partition_allowed(unsigned channels, unsigned partition) {
    if (channels <= 32) {
        return partition == 0 || partition == 32 || partition == 64 || partition == 96;
    }
    return channels <= 64 ? partition == 0 || partition == 64 : partition == 0;
}

TEST(Registers, AddressIsTakenFromTheNamedRegister) {
    OperandBench bench(Generation::MARIANA);
    for (unsigned number = 0; number < 64; ++number) {
        bench.registers[number] = 0x40000U * 32 * (number % 4) + 4 * number;
    }
    for (unsigned number = 0; number < 64; ++number) {
        bench.put(register_marker | number, row_of(8));
        ASSERT_FALSE(bench.resolve(Dtype::FP32, 32, true));
        EXPECT_EQ(bench.operand.partition, 32 * (number % 4));
        EXPECT_EQ(bench.operand.byte, 4 * number);
        EXPECT_EQ(bench.operand.space, Space::SBUF);
    }
}

TEST(Registers, StartPartitionRule) {
    for (const GenerationRow& row : generation_rows()) {
        OperandBench bench(row.generation);
        const SpecGeometry spec = spec_geometry(row.generation);
        bench.put(register_marker | 9, row_of(4));
        for (unsigned channels = 1; channels <= 128; ++channels) {
            for (unsigned partition = 0; partition < 128; ++partition) {
                const bool allowed = start_partition_allowed(channels, partition);
                bench.registers[9] = partition * spec.sbuf_stride + 16;
                const auto fault = bench.resolve(Dtype::FP32, channels, false);
                ASSERT_EQ(!fault.has_value(), allowed) << channels << " from " << partition;
                if (fault) {
                    ASSERT_EQ(fault->type, ErrorType::MEMORY_ERROR);
                    ASSERT_STREQ(fault->violation.predicate, "start_addr_active_channels");
                }
                if (spec.psum) {
                    bench.registers[9] = spec_psum_base + partition * spec_psum_stride + 16;
                    ASSERT_EQ(!bench.resolve(Dtype::FP32, channels, true).has_value(), allowed);
                }
            }
        }
    }
}

TEST(Registers, AlignmentWindowAndPsumWriteRule) {
    OperandBench bench(Generation::CAYMAN);
    bench.put(register_marker | 63, row_of(1));
    const auto refused = [&](std::uint32_t address, Dtype dtype, bool write) {
        bench.registers[63] = address;
        const auto fault = bench.resolve(dtype, 32, write);
        if (fault) {
            EXPECT_EQ(fault->type, ErrorType::MEMORY_ERROR);
            EXPECT_EQ(fault->violation.field, "src_mem_pattern.start_addr R[63]");
            EXPECT_EQ(fault->violation.value, address);
        }
        return fault.has_value();
    };
    for (std::uint32_t byte = 0; byte < 16; ++byte) {
        EXPECT_FALSE(refused(byte, Dtype::INT8, true));
        EXPECT_EQ(refused(byte, Dtype::FP16, true), byte % 2 != 0);
        EXPECT_EQ(refused(byte, Dtype::FP32, true), byte % 4 != 0);
    }
    // PSUM: every type may be read, only 4-byte types written.
    for (const Dtype dtype : {Dtype::FP32, Dtype::INT32, Dtype::UINT32, Dtype::FP32R}) {
        EXPECT_FALSE(refused(spec_psum_base, dtype, true));
    }
    for (const Dtype dtype : {Dtype::BF16, Dtype::FP16, Dtype::INT16, Dtype::FP8_EXP4}) {
        EXPECT_TRUE(refused(spec_psum_base, dtype, true));
        EXPECT_FALSE(refused(spec_psum_base, dtype, false));
    }
    bench.isa.psum_narrow_writes = true;
    EXPECT_FALSE(refused(spec_psum_base, Dtype::BF16, true));
    // Behind the PSUM window, and at the top of the 29 bits.
    EXPECT_TRUE(refused(0x2400000, Dtype::FP32, false));
    EXPECT_TRUE(refused(0x1FFFFFFC, Dtype::FP32, false));
    EXPECT_FALSE(refused(spec_psum_base + 96 * spec_psum_stride, Dtype::FP32, false));
}

TEST(Registers, MarkersInARegisterAreRefused) {
    OperandBench bench(Generation::MARIANA);
    bench.put(register_marker | 2, row_of(1));
    for (const std::uint32_t marker : {0x20000000U, 0x40000000U, 0x80000000U, 0xE0000000U}) {
        bench.registers[2] = marker | 0x100;
        const auto fault = bench.resolve(Dtype::FP32, 32, false);
        ASSERT_TRUE(fault);
        EXPECT_EQ(fault->type, ErrorType::MEMORY_ERROR);
        EXPECT_STREQ(fault->violation.predicate, "register_address");
    }
}

TEST(Registers, MaverickHasNoPsum) {
    OperandBench bench(Generation::MAVERICK);
    bench.put(register_marker | 0, row_of(1));
    bench.registers[0] = spec_psum_base;  // SBUF partition 32 there (D-07)
    ASSERT_FALSE(bench.resolve(Dtype::FP32, 32, true));
    EXPECT_EQ(bench.operand.space, Space::SBUF);
    EXPECT_EQ(bench.operand.partition, 32);
    bench.registers[0] = 0x8000000;
    EXPECT_TRUE(bench.resolve(Dtype::FP32, 32, true));
    bench.isa.psum.present = true;
    ASSERT_FALSE(bench.resolve(Dtype::FP32, 32, true));
    EXPECT_EQ(bench.operand.space, Space::PSUM);
}

TEST(Scalars, InlineIsTakenAsItIs) {
    OperandBench bench(Generation::MARIANA);
    ASSERT_FALSE(bench.resolve_immediate(ImmSrc::INSTRUCTION, 0x80000007, Dtype::FP32, 32));
    EXPECT_EQ(bench.scalar.source, ScalarOperand::Source::INLINE);
    EXPECT_EQ(bench.scalar.bits, 0x80000007U);
}

TEST(Scalars, PointersAndRegisterPointersNameThePlace) {
    OperandBench bench(Generation::MARIANA);
    bench.registers[5] = spec_psum_base + 64 * spec_psum_stride + 0x20;
    ASSERT_FALSE(bench.resolve_immediate(ImmSrc::POINTER, 32 * 0x40000 + 0x44, Dtype::BF16, 32));
    EXPECT_EQ(bench.scalar.source, ScalarOperand::Source::POINTER);
    EXPECT_EQ(bench.scalar.space, Space::SBUF);
    EXPECT_EQ(bench.scalar.partition, 32);
    EXPECT_EQ(bench.scalar.byte, 0x44U);
    EXPECT_EQ(bench.scalar.dtype, Dtype::BF16);
    ASSERT_FALSE(bench.resolve_immediate(ImmSrc::REG_PTR, 5, Dtype::FP32, 64));
    EXPECT_EQ(bench.scalar.space, Space::PSUM);
    EXPECT_EQ(bench.scalar.partition, 64);
    EXPECT_EQ(bench.scalar.byte, 0x20U);
}

TEST(Scalars, RegisterPointersFollowTheAddressRules) {
    OperandBench bench(Generation::SUNDA);
    const auto refused_by = [&](std::uint32_t value, Dtype dtype,
                                unsigned channels) -> std::string {
        bench.registers[7] = value;
        const auto fault = bench.resolve_immediate(ImmSrc::REG_PTR, 7, dtype, channels);
        if (!fault) {
            return "";
        }
        EXPECT_EQ(fault->type, ErrorType::MEMORY_ERROR);
        return fault->violation.predicate;
    };
    EXPECT_EQ(refused_by(0x100, Dtype::FP32, 128), "");
    EXPECT_EQ(refused_by(0x102, Dtype::FP32, 128), "tensor_start_addr_valid");
    EXPECT_EQ(refused_by(0x102, Dtype::FP16, 128), "");
    EXPECT_EQ(refused_by(0x40000 * 32, Dtype::FP32, 33), "start_addr_active_channels");
    EXPECT_EQ(refused_by(0x80000000, Dtype::FP32, 1), "register_address");
    EXPECT_EQ(refused_by(0x2FFFC, Dtype::FP32, 1), "");
    EXPECT_EQ(refused_by(0x30000, Dtype::FP32, 1), "walk_inside_partition");  // behind 192 KiB
    EXPECT_EQ(refused_by(spec_psum_base + 0x4000, Dtype::INT8, 1), "walk_inside_partition");
}

}  // namespace
}  // namespace dve::test
