// What is legal in one generation and not in another (isa_wire_format 6.10), and the switches.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/isa/check_samples.h"

namespace dve::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> failures(const Record& record, Generation generation) {
    return names_of(check_all(record, IsaConfiguration::for_generation(generation)));
}

const std::vector<Generation> generations = members(from(Generation::SUNDA));

TEST(GenerationDifferences, SamplesAreLegalEverywhere) {
    for (const Generation generation : generations) {
        for (const std::uint8_t opcode : sample_opcodes()) {
            const auto configuration = IsaConfiguration::for_generation(generation);
            const Record record = legal_record(opcode);
            EXPECT_FALSE(check(record, configuration).has_value()) << int{opcode};
            EXPECT_THAT(check_all(record, configuration), IsEmpty()) << int{opcode};
        }
    }
}

TEST(GenerationDifferences, OpcodeOutsideTheGeneration) {
    Record record = legal_record(0xA4);
    record.bytes[0] = 0xE9;
    const auto refused = check(record, IsaConfiguration::for_generation(Generation::SUNDA));
    ASSERT_TRUE(refused.has_value());
    EXPECT_EQ(refused->message(),
              "has_valid_neuron_header: opcode = 0xe9, legal: an opcode of sunda "
              "(dve_read_indices came with cayman)");
    EXPECT_THAT(failures(record, Generation::CAYMAN), IsEmpty());
    record.bytes[0] = 0xF3;
    EXPECT_THAT(failures(record, Generation::MARIANA_PLUS), ElementsAre("has_valid_neuron_header"));
    EXPECT_THAT(failures(record, Generation::MAVERICK), IsEmpty());
}

TEST(GenerationDifferences, OpcodeNotModelledIsJudgedByHeaderAndEvents) {
    Record record = legal_record(0xA4);
    record.bytes[0] = 0x45;
    for (unsigned i = 12; i < 64; ++i) {
        record.bytes[i] = 0xFF;
    }
    EXPECT_THAT(failures(record, Generation::MARIANA), IsEmpty());
    Edit(record).set("wait_mode", 0x10);
    EXPECT_THAT(failures(record, Generation::MARIANA), ElementsAre("has_valid_neuron_events"));
}

TEST(GenerationDifferences, IndirectPatternsFromMarianaOn) {
    for (const std::uint8_t opcode : {0x43, 0x53, 0x93, 0x44, 0x54, 0x9A, 0xE6, 0x30}) {
        Record record = legal_record(opcode);
        Edit(record).indirect("src_mem_pattern", 0x8000, 0x400, 64);
        for (const Generation generation : generations) {
            if (generation < Generation::MARIANA) {
                const auto names = failures(record, generation);
                EXPECT_THAT(names, ::testing::Contains("tensor3d_valid"));
            } else {
                EXPECT_THAT(failures(record, generation), IsEmpty()) << int{opcode};
            }
        }
    }
    Record cumulative = legal_record(0x4E);
    Edit(cumulative).indirect("src_mem_pattern", 0x8000, 0x400, 64);
    EXPECT_THAT(failures(cumulative, Generation::CAYMAN), ::testing::Contains("tensor4d_valid"));
    EXPECT_THAT(failures(cumulative, Generation::MARIANA), IsEmpty());
}

TEST(GenerationDifferences, ActivationOperationsFromMarianaOn) {
    for (const std::uint8_t op : {0x20, 0x21, 0x22, 0x23}) {
        Record record = legal_record(0x43);
        Edit(record).set("op0", op);
        EXPECT_THAT(failures(record, Generation::SUNDA),
                    ElementsAre("tensor_scalar_valid_ops", "is_valid_aluop"));
        EXPECT_THAT(failures(record, Generation::CAYMAN),
                    ElementsAre("tensor_scalar_valid_ops", "is_valid_aluop"));
        EXPECT_THAT(failures(record, Generation::MARIANA), IsEmpty());
        EXPECT_THAT(failures(record, Generation::MAVERICK), IsEmpty());
    }
}

TEST(GenerationDifferences, LegalOperationsOfTheMessageFollowTheGeneration) {
    Record record = legal_record(0x43);
    Edit(record).set("op0", 0x07);
    const auto legal = [&](Generation generation) {
        return check(record, IsaConfiguration::for_generation(generation))->legal;
    };
    EXPECT_THAT(legal(Generation::CAYMAN), ::testing::Not(HasSubstr("re_lu")));
    EXPECT_THAT(legal(Generation::MARIANA), HasSubstr("re_lu"));
    EXPECT_THAT(legal(Generation::MARIANA), ::testing::Not(HasSubstr("add_int")));
    EXPECT_THAT(legal(Generation::MAVERICK), HasSubstr("add_int"));
}

TEST(GenerationDifferences, SundaHasThreeIntegerOperations) {
    Record record = legal_record(0x41);
    Edit(record).set("in0_in1_dtype", 0x88).set("out_dtype", 8);
    for (const std::uint8_t op : {0xC4, 0xC5, 0xC6}) {
        Edit(record).set("op", op);
        EXPECT_THAT(failures(record, Generation::SUNDA), IsEmpty());
    }
    Edit(record).set("op", 0xC7);
    EXPECT_THAT(failures(record, Generation::SUNDA),
                ElementsAre("is_valid_enum", "s3s3d3_tt_valid_op"));
    EXPECT_THAT(failures(record, Generation::CAYMAN), IsEmpty());
}

TEST(GenerationDifferences, IntegerBandOfTensorScalarOnMaverick) {
    for (const std::uint8_t op :
         {0xC4, 0xC5, 0xC6, 0xC9, 0xCA, 0xCB, 0xCC, 0xCD, 0xCF, 0xD0, 0xD1, 0xD2, 0xD3, 0xD4}) {
        Record record = legal_record(0x43);
        Edit(record).set("in_dtype", 8).set("out_dtype", 4).set("op0", op).set("op1", op);
        EXPECT_THAT(failures(record, Generation::MARIANA_PLUS),
                    ElementsAre("tensor_scalar_valid_ops"));
        EXPECT_THAT(failures(record, Generation::MAVERICK), IsEmpty()) << int{op};
        Edit(record).set("op1", 0x04);  // not beside a general operation
        EXPECT_THAT(failures(record, Generation::MAVERICK), ElementsAre("tensor_scalar_valid_ops"));
    }
    Record record = legal_record(0x43);
    Edit(record).set("in_dtype", 8).set("out_dtype", 8).set("op0", 0xC7).set("op1", 0);
    EXPECT_THAT(failures(record, Generation::MAVERICK), ElementsAre("tensor_scalar_valid_ops"));
}

TEST(GenerationDifferences, SymmetricClampIsASwitch) {
    Record record = legal_record(0x43);
    Edit(record).set("op0", 0x24);
    EXPECT_THAT(failures(record, Generation::MARIANA),
                ElementsAre("tensor_scalar_valid_ops", "is_valid_aluop"));
    auto configuration = IsaConfiguration::for_generation(Generation::MAVERICK);
    EXPECT_THAT(check_all(record, configuration), IsEmpty());
    configuration.symmetric_clamp_is_arith = false;
    EXPECT_THAT(names_of(check_all(record, configuration)), ElementsAre("tensor_scalar_valid_ops"));
}

TEST(GenerationDifferences, SizeOfAPartition) {
    Record record = legal_record(0x9B);
    Edit(record).start("dst_mem_pattern", 64 * 256 * kib);  // partition 64 up to MARIANA_PLUS
    EXPECT_THAT(failures(record, Generation::SUNDA), IsEmpty());
    Edit(record).set("num_active_channels", 64);
    EXPECT_THAT(failures(record, Generation::SUNDA), IsEmpty());
    EXPECT_THAT(failures(record, Generation::MAVERICK),  // partition 16 with 1 MiB strides
                ElementsAre("start_addr_active_channels"));
}

TEST(GenerationDifferences, PsumIsAbsentOnMaverickUnlessConfigured) {
    Record record = legal_record(0x43);
    Edit(record).start("src_mem_pattern", 0x2000000);
    for (const Generation generation : generations) {
        if (generation != Generation::MAVERICK) {
            EXPECT_THAT(failures(record, generation), IsEmpty());
        }
    }
    // The same address is partition 32 of the SBUF there.
    EXPECT_THAT(failures(record, Generation::MAVERICK), IsEmpty());
    Edit(record).start("src_mem_pattern", 0x8000000);
    auto configuration = IsaConfiguration::for_generation(Generation::MAVERICK);
    const auto refused = check(record, configuration);
    ASSERT_TRUE(refused.has_value());
    EXPECT_EQ(refused->message(),
              "mem3d_valid: src_mem_pattern.start_addr = 0x8000000, legal: an address in SBUF; "
              "PSUM is absent");
    configuration.psum.present = true;
    EXPECT_THAT(check_all(record, configuration), IsEmpty());
}

TEST(GenerationDifferences, NarrowWriteToPsumIsASwitch) {
    Record record = legal_record(0x43);
    Edit(record).set("out_dtype", 6).start("dst_mem_pattern", psum(0, 0));
    auto configuration = IsaConfiguration::for_generation(Generation::MARIANA);
    EXPECT_THAT(names_of(check_all(record, configuration)), ElementsAre("mem3d_valid"));
    configuration.psum_narrow_writes = true;
    EXPECT_THAT(check_all(record, configuration), IsEmpty());
    Edit(record).set("out_dtype", 0xB);
    configuration.psum_narrow_writes = false;
    EXPECT_THAT(check_all(record, configuration), IsEmpty());
}

TEST(GenerationDifferences, TileNarrowsTheChannelsOnMaverick) {
    Record record = legal_record(0x43);
    Edit(record).byte(2, 0x80 | 3).set("num_active_channels", 64);
    EXPECT_THAT(failures(record, Generation::MAVERICK), IsEmpty());
    auto configuration = IsaConfiguration::for_generation(Generation::MAVERICK);
    configuration.tile_mode = true;
    EXPECT_THAT(names_of(check_all(record, configuration)),
                ElementsAre("has_valid_active_channel_range_with_tile"));
    Edit(record).set("num_active_channels", 32);
    EXPECT_THAT(check_all(record, configuration), IsEmpty());
    Edit(record).byte(2, 0x80 | 4);
    EXPECT_THAT(names_of(check_all(record, configuration)),
                ElementsAre("has_valid_active_channel_range_with_tile"));
    configuration = IsaConfiguration::for_generation(Generation::MARIANA);
    configuration.tile_mode = true;
    EXPECT_THAT(check_all(record, configuration), IsEmpty());
}

TEST(GenerationDifferences, MoveTileOnMaverick) {
    Record record = legal_record(0xA7);
    Edit(record).byte(2, 0x81);
    for (const Generation generation : generations) {
        auto configuration = IsaConfiguration::for_generation(generation);
        EXPECT_THAT(check_all(record, configuration), IsEmpty());
        configuration.tile_mode = true;
        if (generation == Generation::MAVERICK) {
            const auto refused = check(record, configuration);
            ASSERT_TRUE(refused.has_value());
            EXPECT_EQ(refused->message(),
                      "move_tile_index_zero: debug_cmd = 0x81, legal: tile index 0");
        } else {
            EXPECT_THAT(check_all(record, configuration), IsEmpty());
        }
    }
}

TEST(GenerationDifferences, ExponentialIsDefinedEverywhere) {
    for (const Generation generation : generations) {
        EXPECT_THAT(failures(legal_record(0x30), generation), IsEmpty());
    }
}

}  // namespace
}  // namespace dve::test
