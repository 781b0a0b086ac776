// Opcodes, enumerations and layouts against the fact sheet, whose lists are typed in here.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "models/isa/enums.h"
#include "models/isa/opcode.h"
#include "models/isa/record.h"
#include "tests/isa/tables_codes.h"

namespace dve {
namespace {

using test::Codes;
using test::operator+;
using test::span;

TEST(OpcodeTable, SundaMembersAreThePublishedMasks) {
    const Codes published =
        span(0x01, 0x05) + span(0x21, 0x24) + Codes{0x30} + span(0x41, 0x4F) + span(0x51, 0x54) +
        Codes{0x58} + span(0x5E, 0x74) + span(0x76, 0x7F) + span(0x82, 0x88) + span(0x8A, 0x8F) +
        span(0x92, 0x96) + span(0x98, 0xAB) + span(0xB0, 0xB3) + Codes{0xB5, 0xB8, 0xBB} +
        span(0xC1, 0xD6) + span(0xD8, 0xDF) + span(0xE5, 0xE8) + Codes{0xEA, 0xF0, 0xFF};
    ASSERT_EQ(published.size(), 145u);
    Codes members;
    for (const OpcodeRow& row : opcode_rows()) {
        if (row.exists_in(Generation::SUNDA)) {
            members.push_back(row.value());
        }
    }
    EXPECT_EQ(members, published);
}

TEST(OpcodeTable, LaterGenerationsAddTheNamedOpcodes) {
    const auto first_in = [](unsigned code) {
        const OpcodeRow* row = find_opcode(static_cast<std::uint8_t>(code));
        for (const GenerationRow& generation : generation_rows()) {
            if (row != nullptr && row->exists_in(generation.generation)) {
                return generation.generation;
            }
        }
        ADD_FAILURE() << std::hex << code;
        return Generation::SUNDA;
    };
    for (const unsigned code : {0xBC, 0xE4, 0xE9}) {
        EXPECT_EQ(first_in(code), Generation::CAYMAN) << std::hex << code;
    }
    for (const unsigned code : {0xB4, 0xE0, 0xE1, 0xE2, 0xE3}) {
        EXPECT_EQ(first_in(code), Generation::MARIANA) << std::hex << code;
    }
    for (const unsigned code : {0xB6, 0xF3, 0xF4}) {
        EXPECT_EQ(first_in(code), Generation::MAVERICK) << std::hex << code;
    }
}

TEST(OpcodeTable, ModelledRowsFollowTheSheet) {
    struct Expected {
        const char* name;
        StructId layout;
        Maintained maintained;
    };
    const std::map<unsigned, Expected> rows = {
        {0x30, {"EXPONENTIAL", StructId::S3D3_TS, Maintained::U}},
        {0x41, {"TENSOR_TENSOR_ARITH_OP", StructId::S3S3D3_TT, Maintained::Y}},
        {0x43, {"TENSOR_SCALAR_ARITH_OP", StructId::S3D3_TS, Maintained::Y}},
        {0x44, {"TENSOR_SCALAR_PTR_ARITH_OP", StructId::S3D3_TS, Maintained::N}},
        {0x4E, {"TENSOR_CUMULATIVE_ARITH_OP", StructId::S4D4_TR, Maintained::Y}},
        {0x51, {"TENSOR_TENSOR_BITVEC_OP", StructId::S3S3D3_TT, Maintained::Y}},
        {0x53, {"TENSOR_SCALAR_BITVEC_OP", StructId::S3D3_TS, Maintained::Y}},
        {0x54, {"TENSOR_SCALAR_PTR_BITVEC_OP", StructId::S3D3_TS, Maintained::N}},
        {0x5E, {"TENSOR_CUMULATIVE_BITVEC_OP", StructId::S4D4_TR, Maintained::Y}},
        {0x93, {"TRANSPOSE_TENSOR_SCALAR_ARITH_OP", StructId::S3D3_TS, Maintained::Y}},
        {0x9A, {"TENSOR_SCALAR_CACHE_REDUCE", StructId::S3D3_TS, Maintained::Y}},
        {0x9B, {"DVE_READ_ACCUMULATOR", StructId::D1_RD, Maintained::Y}},
        {0x9D, {"SCALAR_TENSOR_TENSOR_ARITH", StructId::S2S2D2_STT, Maintained::Y}},
        {0x9E, {"SCALAR_TENSOR_TENSOR_BITVEC", StructId::S2S2D2_STT, Maintained::Y}},
        {0x9F, {"ENGINE_NOP", StructId::CTRL_NO, Maintained::Y}},
        {0xA0, {"EVENT_SEMAPHORE", StructId::CTRL_ES, Maintained::Y}},
        {0xA1, {"HALT", StructId::CTRL_NO, Maintained::Y}},
        {0xA2, {"DRAIN", StructId::CTRL_NO, Maintained::Y}},
        {0xA3, {"INSTRUCTION_FLUSH", StructId::CTRL_NO, Maintained::Y}},
        {0xA4, {"NOP", StructId::CTRL_NO, Maintained::Y}},
        {0xA6, {"NOTIFY", StructId::CTRL_NO, Maintained::Y}},
        {0xA7, {"MOVE", StructId::CTRL_MV, Maintained::Y}},
        {0xA8, {"ALU_OP", StructId::CTRL_AL, Maintained::Y}},
        {0xA9, {"COMPARE_BRANCH", StructId::CTRL_BR, Maintained::Y}},
        {0xB0, {"EVENT_SEMAPHORE_RANGE_CLEAR", StructId::CTRL_ER, Maintained::Y}},
        {0xB2, {"MOVE_SHAPE", StructId::CTRL_MS, Maintained::Y}},
        {0xB3, {"POLL_SEM", StructId::CTRL_POLL_SEM, Maintained::Y}},
        {0xE5, {"TENSOR_TENSOR_SCAN_ARITH", StructId::S2S2D2_STT, Maintained::Y}},
        {0xE6, {"TENSOR_SCALAR_CACHE_CUMULATIVE", StructId::S3D3_TS, Maintained::Y}},
        {0xEA, {"SELECT_REDUCE", StructId::S2S2D2_STT, Maintained::Y}},
    };
    for (const auto& [code, expected] : rows) {
        const OpcodeRow* row = find_opcode(static_cast<std::uint8_t>(code));
        ASSERT_NE(row, nullptr) << std::hex << code;
        EXPECT_STREQ(row->name, expected.name);
        EXPECT_EQ(row->layout, expected.layout) << expected.name;
        EXPECT_EQ(row->maintained, expected.maintained) << expected.name;
        EXPECT_EQ(row->generations, from(Generation::SUNDA)) << expected.name;
        EXPECT_NE(row->validator, ValidatorId::none) << expected.name;
    }
}

TEST(OpcodeTable, ExponentialIsWiredFromMarianaOn) {
    EXPECT_EQ(opcode_row(Opcode::EXPONENTIAL).wired, from(Generation::MARIANA));
}

TEST(EnumTable, Members) {
    const auto values = [](FieldKind kind) {
        Codes codes;
        for (const EnumMember& member : enum_members(kind)) {
            codes.push_back(member.value);
        }
        return codes;
    };
    const Codes wait = span(0x00, 0x07) + Codes{0x0E, 0x0F} + span(0x81, 0x85) + Codes{0xFE};
    EXPECT_EQ(values(FieldKind::WAIT_MODE), wait);
    const Codes update = span(0x00, 0x05) + Codes{0x07, 0x09} + span(0x11, 0x15) +
                         Codes{0x17, 0x19, 0x85, 0x87, 0x89, 0x95, 0x97, 0x99};
    EXPECT_EQ(values(FieldKind::UPDATE_MODE), update);
    EXPECT_EQ(values(FieldKind::IMM_SRC), span(0, 2));
    EXPECT_EQ(values(FieldKind::ACCUM_CMD), span(0, 4));
    EXPECT_EQ(values(FieldKind::REVERSE), span(0, 3));
    EXPECT_EQ(values(FieldKind::SUBDIM), (Codes{0, 2, 3, 4, 5}));
    EXPECT_EQ(values(FieldKind::DATA_SRC), span(0, 1));
}

constexpr StructId all_layouts[] = {
#define DVE_LAYOUT(name) StructId::name,
#define DVE_FIELD(name, offset, bytes, kind)
#include "models/isa/layouts.def"
#undef DVE_FIELD
#undef DVE_LAYOUT
};

TEST(LayoutTable, CoversTheRecordWithoutGapOrOverlap) {
    for (const StructId id : all_layouts) {
        const Layout& entry = layout(id);
        unsigned next = id == StructId::HEADER ? 0 : 12;
        for (const Field& field : entry.fields) {
            EXPECT_EQ(field.offset, next) << entry.name << '.' << field.name;
            next += field.bytes;
        }
        EXPECT_EQ(next, id == StructId::HEADER ? 12u : 64u) << entry.name;
    }
}

TEST(LayoutTable, OffsetsOfTheSheet) {
    const auto expect = [](StructId id, const std::map<std::string, unsigned>& offsets) {
        for (const auto& [name, offset] : offsets) {
            const Field* field = layout(id).find(name);
            ASSERT_NE(field, nullptr) << layout(id).name << '.' << name;
            EXPECT_EQ(field->offset, offset) << layout(id).name << '.' << name;
        }
    };
    expect(StructId::HEADER, {{"opcode", 0},
                              {"inst_word_len", 1},
                              {"debug_cmd", 2},
                              {"debug_hint", 3},
                              {"wait_mode", 4},
                              {"wait_idx", 5},
                              {"update_mode", 6},
                              {"update_idx", 7},
                              {"semaphore_value", 8}});
    expect(StructId::S3D3_TS, {{"accumulator_cmd", 12},
                               {"reserved0", 13},
                               {"src_mem_pattern", 16},
                               {"in_dtype", 32},
                               {"out_dtype", 33},
                               {"num_active_channels", 34},
                               {"imm0_src", 35},
                               {"op0", 36},
                               {"op1", 37},
                               {"reverse_operands", 38},
                               {"imm1_src", 39},
                               {"imm0", 40},
                               {"imm1", 44},
                               {"dst_mem_pattern", 48}});
    expect(StructId::S2S2D2_STT, {{"src0_mem_pattern", 12},
                                  {"src1_mem_pattern", 24},
                                  {"op0", 36},
                                  {"op1", 37},
                                  {"reverse_operands", 38},
                                  {"imm0_src", 39},
                                  {"in0_in1_dtype", 40},
                                  {"out_dtype", 41},
                                  {"num_active_channels", 42},
                                  {"imm0_dtype", 43},
                                  {"accumulator_cmd", 44},
                                  {"reserved", 45},
                                  {"dst_mem_pattern", 48},
                                  {"imm0", 60}});
    expect(StructId::S3S3D3_TT, {{"in0_in1_dtype", 12},
                                 {"out_dtype", 13},
                                 {"op", 14},
                                 {"num_active_channels", 15},
                                 {"src0_mem_pattern", 16},
                                 {"src1_mem_pattern", 32},
                                 {"dst_mem_pattern", 48}});
    expect(StructId::S4D4_TR, {{"src_mem_pattern", 12},
                               {"in_dtype", 32},
                               {"out_dtype", 33},
                               {"num_active_channels", 34},
                               {"negated", 35},
                               {"op", 36},
                               {"op_dim", 37},
                               {"mask_enable", 38},
                               {"reserved1", 39},
                               {"dst_mem_pattern", 44}});
    expect(StructId::D1_RD, {{"dst_element_count", 28},
                             {"dtype", 32},
                             {"negated", 33},
                             {"num_active_channels", 34},
                             {"reserved1", 35},
                             {"dst_mem_pattern", 44},
                             {"reserved2", 52}});
    expect(StructId::CTRL_MV, {{"num_mov", 12},
                               {"dtype", 13},
                               {"data_src", 14},
                               {"reserved0", 15},
                               {"src_registers", 16},
                               {"dst_registers", 24},
                               {"immediates", 32}});
    expect(StructId::CTRL_AL, {{"op", 12},
                               {"dtype", 13},
                               {"data_src", 14},
                               {"dst_dtype", 15},
                               {"src0_lo", 16},
                               {"src1_lo", 18},
                               {"dst_lo", 20},
                               {"immediate", 24}});
    expect(StructId::CTRL_BR, {{"cmp_op", 12},
                               {"dtype", 13},
                               {"target_mode", 14},
                               {"cmp_immediate", 16},
                               {"cmp_reg0", 32},
                               {"cmp_reg1", 33},
                               {"target_reg_lo", 34},
                               {"target_reg_hi", 35},
                               {"br_immediate", 48}});
    expect(StructId::CTRL_ES, {{"setter_signature", 12},
                               {"extended_wait_mode", 32},
                               {"extended_wait_idx", 33},
                               {"extended_update_mode", 34},
                               {"extended_update_idx", 35},
                               {"extended_wait_value", 36},
                               {"extended_update_value", 40}});
}

}  // namespace
}  // namespace dve
