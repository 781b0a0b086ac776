// Rules with many legal forms: what must pass, and the run-time entry points.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/isa/check_samples.h"

namespace dve::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const IsaConfiguration mariana = IsaConfiguration::for_generation(Generation::MARIANA);

std::vector<std::string> failures(const Record& record) {
    return names_of(check_all(record, mariana));
}

// The vendor's table, isa_wire_format 2.4.
TEST(StartPartition, TableOfChannelsAndPartitions) {
    for (const GenerationRow& row : generation_rows()) {
        const auto configuration = IsaConfiguration::for_generation(row.generation);
        for (unsigned channels = 1; channels <= 128; ++channels) {
            for (unsigned partition = 0; partition < 128; ++partition) {
                const bool legal = partition == 0 || (partition == 64 && channels <= 64) ||
                                   ((partition == 32 || partition == 96) && channels <= 32);
                Violation violation;
                EXPECT_EQ(start_addr_active_channels(sbuf(row.generation, partition, 5), channels,
                                                     configuration, &violation),
                          legal);
                EXPECT_EQ(violation.legal.empty(), legal);
                if (row.psum.present) {
                    EXPECT_EQ(start_addr_active_channels(psum(partition, 9), channels,
                                                         configuration, nullptr),
                              legal);
                }
            }
        }
    }
}

TEST(StartAddress, AlignmentByType) {
    const std::vector<unsigned> alignment = {0, 8, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 8, 1, 1, 1};
    for (unsigned dtype = 0; dtype < 256; ++dtype) {
        for (std::uint32_t address = 0; address < 16; ++address) {
            const unsigned wanted = dtype < 16 ? alignment[dtype] : dtype == 0x10 ? 1 : 0;
            const bool legal = wanted != 0 && address % wanted == 0;
            EXPECT_EQ(start_address_valid(address, static_cast<std::uint8_t>(dtype), false, mariana,
                                          nullptr),
                      legal)
                << dtype << ' ' << address;
        }
    }
    EXPECT_FALSE(start_address_valid(
        0, 0x10, false, IsaConfiguration::for_generation(Generation::CAYMAN), nullptr));
}

TEST(StartAddress, Windows) {
    const auto valid = [](std::uint32_t address, bool write) {
        return start_address_valid(address, 0x6, write, mariana, nullptr);
    };
    EXPECT_TRUE(valid(0x1FFFFFE, true));
    EXPECT_TRUE(valid(0x2000000, false));
    EXPECT_FALSE(valid(0x2000000, true));  // two bytes
    EXPECT_TRUE(valid(0x23FFFFE, false));
    EXPECT_FALSE(valid(0x2400000, false));
    EXPECT_FALSE(valid(0x80000000, false));  // a marker is no address
    for (const unsigned dtype : {0x8, 0x9, 0xA, 0xB}) {
        EXPECT_TRUE(start_address_valid(0x2000000, static_cast<std::uint8_t>(dtype), true, mariana,
                                        nullptr));
    }
    Violation violation;
    EXPECT_FALSE(start_address_valid(0x2400000, 0x6, false, mariana, &violation));
    EXPECT_EQ(violation.message(),
              "tensor_start_addr_valid: start_addr = 0x2400000, legal: an address in SBUF or PSUM");
}

TEST(StartAddress, RegisterFormIsNotJudgedByItsContents) {
    Record record = legal_record(0x43);
    Edit(record).start("src_mem_pattern", 0x8000003F).set("num_active_channels", 128);
    EXPECT_THAT(failures(record), IsEmpty());
    Edit(record).start("src_mem_pattern", 0x80000100);
    EXPECT_THAT(failures(record), ElementsAre("mem3d_valid"));
}

// FP4 has an alignment but is_valid_dtype leaves it out; the transport codes are the reverse.
TEST(StartAddress, TypesThatAreNoOperand) {
    Record record = legal_record(0x43);
    Edit(record).set("in_dtype", 0x10);
    EXPECT_THAT(failures(record), ElementsAre("is_valid_dtype"));
    Edit(record).set("in_dtype", 0x19);
    const auto refused = check(record, mariana);
    ASSERT_TRUE(refused.has_value());
    EXPECT_EQ(refused->message(),
              "mem3d_valid: in_dtype = 0x19, legal: int8, uint8, int16, uint16, bf16, fp16, int32, "
              "uint32, fp32, fp8_exp3, fp8_exp4, fp8_exp5");
    Edit(record).set("in_dtype", 0x20);
    EXPECT_THAT(failures(record), ElementsAre("is_valid_dtype", "mem3d_valid"));
}

TEST(Partitions, TwoSources) {
    for (const std::uint8_t opcode : {0xE5, 0x41}) {
        const auto with = [&](std::uint32_t src0, std::uint32_t src1) {
            Record record = legal_record(opcode);
            Edit(record).start("src0_mem_pattern", src0).start("src1_mem_pattern", src1);
            return failures(record);
        };
        const auto at = [](unsigned partition) {
            return sbuf(Generation::MARIANA, partition, 0x100);
        };
        EXPECT_THAT(with(at(32), at(32)), IsEmpty());
        EXPECT_THAT(with(at(0), psum(96, 0)), IsEmpty());
        EXPECT_THAT(with(psum(0, 0), at(64)), IsEmpty());
        EXPECT_THAT(with(0x80000001, psum(0, 0)), IsEmpty());
        EXPECT_THAT(with(at(0), at(32)), ElementsAre("tt_valid_partitions"));
        EXPECT_THAT(with(psum(0, 0), psum(0, 0)), ElementsAre("tt_valid_partitions"));
    }
}

TEST(Partitions, ErratumExemptsPsum) {
    Record record = legal_record(0x9D);
    Edit(record).start("dst_mem_pattern", psum(96, 0));
    EXPECT_THAT(failures(record), IsEmpty());
    Record scan = legal_record(0xE5);
    Edit(scan).start("dst_mem_pattern", sbuf(Generation::MARIANA, 96, 0));
    EXPECT_THAT(failures(scan), IsEmpty());
}

TEST(Indirect, SourceInPsumMayLieAnywhere) {
    Record record = legal_record(0x43);
    Edit(record).indirect("src_mem_pattern", 0x8000, psum(64, 0), 64);
    EXPECT_THAT(failures(record), IsEmpty());
    // Then the list of an indirect destination starts where the source's list does.
    Edit(record).indirect("dst_mem_pattern", 0x9000, 0x2000, 64);
    EXPECT_THAT(failures(record), IsEmpty());
    Edit(record).indirect("dst_mem_pattern", sbuf(Generation::MARIANA, 32, 0), 0x2000, 64);
    EXPECT_THAT(failures(record), ElementsAre("indirect_quadrant_check_src3d_dst3d"));
}

TEST(Indirect, ListInARegisterIsNotPlaced) {
    Record record = legal_record(0x43);
    Edit(record).indirect("src_mem_pattern", 0x80000004, sbuf(Generation::MARIANA, 32, 0), 64);
    EXPECT_THAT(failures(record), IsEmpty());
}

TEST(Indirect, IndexWordsAreUint32) {
    Record record = legal_record(0x43);
    Edit(record).set("in_dtype", 3).indirect("src_mem_pattern", 0x8002, 0x401, 64);
    EXPECT_THAT(failures(record), ElementsAre("mem3d_valid"));
    Edit(record).indirect("src_mem_pattern", 0x8004, 0x401, 64);
    EXPECT_THAT(failures(record), IsEmpty());
}

TEST(Immediates, PointerOpcodesReadSourceZeroAsAPointer) {
    Record record = legal_record(0x44);
    Edit(record).set("imm0", 0x3F800000);  // 1.0f is no pointer
    EXPECT_THAT(failures(record), ElementsAre("tensor_scalar_ptr_immediates"));
    Edit(record).set("imm0", 0x3000).set("op1", 0).set("imm1", 1);  // also beside BYPASS
    EXPECT_THAT(failures(record), ElementsAre("tensor_scalar_ptr_immediates"));
}

TEST(Immediates, BitvecPointerHasTheAlignmentOfTheTensor) {
    Record record = legal_record(0x53);
    Edit(record).set("in_dtype", 3).set("out_dtype", 3).set("imm0_src", 1).set("imm0", 0x3001);
    EXPECT_THAT(failures(record), IsEmpty());
    Edit(record).set("in_dtype", 5).set("out_dtype", 5);
    EXPECT_THAT(failures(record), ElementsAre("ts_ptr_imm_chk"));
}

TEST(Operations, RsqrtForm) {
    for (const std::uint8_t opcode : {0x43, 0x93, 0x44}) {
        Record record = legal_record(opcode);
        Edit(record).set("op0", 0x1D).set("op1", 0).set("imm0", 0).set("imm1", 0);
        EXPECT_THAT(failures(record), IsEmpty());
    }
}

TEST(Operations, Crc32OnlyWhereTheTenOperationSetHolds) {
    Record record = legal_record(0x53);
    Edit(record).set("op0", 0x1C);
    EXPECT_THAT(failures(record), IsEmpty());
    Record cumulative = legal_record(0x5E);
    Edit(cumulative).set("op", 0x1C);
    EXPECT_THAT(failures(cumulative), IsEmpty());
    Record pair = legal_record(0x9E);
    Edit(pair).set("op0", 0x1C);
    EXPECT_THAT(failures(pair), ElementsAre("has_valid_scalar_tensor_tensor_op"));
}

TEST(Operations, SixtyFourBitTensors) {
    Record record = legal_record(0x41);
    for (const std::uint8_t op : {0xC4, 0x1B, 0x00}) {
        Edit(record).set("in0_in1_dtype", 0xCC).set("out_dtype", 0xC).set("op", op);
        EXPECT_THAT(failures(record), IsEmpty()) << int{op};
    }
    Record shift = legal_record(0x51);
    Edit(shift).set("op", 0x11).set("in0_in1_dtype", 0x91).set("out_dtype", 1);
    EXPECT_THAT(failures(shift), IsEmpty());
    Edit(shift).set("op", 0x0A);
    EXPECT_THAT(failures(shift), ElementsAre("s3s3d3_tt_src_dst_dtype"));
}

TEST(Operations, SignednessOfTheIntegerBand) {
    Record record = legal_record(0x41);
    Edit(record).set("op", 0xD5).set("in0_in1_dtype", 0x35).set("out_dtype", 9);
    EXPECT_THAT(failures(record), IsEmpty());
    Edit(record).set("op", 0xCF);
    EXPECT_THAT(failures(record), Contains("s3s3d3_tt_signedness"));
}

TEST(Events, EveryModeOfTheSheet) {
    for (unsigned mode = 0; mode < 256; ++mode) {
        Record record = legal_record(0xA4);
        Edit(record).set("wait_mode", mode);
        const bool wait = mode <= 0x07 || mode == 0x0E || mode == 0x0F ||
                          (mode >= 0x81 && mode <= 0x85) || mode == 0xFE;
        EXPECT_EQ(failures(record).empty(), wait) << mode;
        record = legal_record(0xA4);
        Edit(record).set("update_mode", mode);
        const unsigned moment = mode & ~0x10U;
        const bool update = moment == 0x05 || moment == 0x07 || moment == 0x09 || moment == 0x85 ||
                            moment == 0x87 || moment == 0x89 || mode == 0 ||
                            (moment >= 0x01 && moment <= 0x04);
        EXPECT_EQ(failures(record).empty(), update) << mode;
    }
}

TEST(Exponential, AccumulatingShapes) {
    Record record = legal_record(0x30);
    Edit(record).set("accumulator_cmd", 2).count("src_mem_pattern", 0, 63);
    Edit(record).count("dst_mem_pattern", 0, 63);
    EXPECT_THAT(failures(record), IsEmpty());  // FP32
    Edit(record).set("in_dtype", 6).step("src_mem_pattern", 0, 2);
    EXPECT_THAT(failures(record), IsEmpty());  // unpacked
    Edit(record).set("accumulator_cmd", 4).set("imm1_src", 1).set("imm1", 0x3000);
    EXPECT_THAT(failures(record), IsEmpty());
}

}  // namespace
}  // namespace dve::test
