// ALU operations and data types against the fact sheet, whose lists are typed in here.
#include <gtest/gtest.h>

#include <array>
#include <set>
#include <utility>
#include <vector>

#include "models/isa/alu_op.h"
#include "models/isa/alu_op_dtype.h"
#include "models/isa/dtype.h"
#include "tests/isa/tables_codes.h"

namespace dve {
namespace {

using test::Codes;
using test::operator+;
using test::span;

TEST(AluOpTable, SizeGrowsByGeneration) {
    const std::array<std::size_t, generation_count> sizes = {33, 60, 64, 64, 65};
    for (const GenerationRow& generation : generation_rows()) {
        std::size_t count = 0;
        for (const AluOpRow& row : alu_op_rows()) {
            count += row.exists_in(generation.generation) ? 1 : 0;
        }
        EXPECT_EQ(count, sizes[static_cast<std::size_t>(generation.generation)]) << generation.name;
    }
}

TEST(AluOpTable, GapsStayEmpty) {
    for (const unsigned code : Codes{0x1E, 0x1F} + span(0x25, 0xC3) + span(0xE2, 0xFF)) {
        EXPECT_EQ(find_alu_op(static_cast<std::uint8_t>(code)), nullptr) << std::hex << code;
    }
}

Codes members_of(AluOpClass wanted) {
    Codes codes;
    for (const AluOpRow& row : alu_op_rows()) {
        if (row.in(wanted)) {
            codes.push_back(static_cast<unsigned>(row.op));
        }
    }
    return codes;
}

TEST(AluOpTable, ClassMembers) {
    const Codes activations = span(0x20, 0x23);
    const Codes general = Codes{0x00, 0x04, 0x05, 0x06, 0x08, 0x09, 0x0D, 0x0E, 0x0F} +
                          span(0x12, 0x19) + activations;
    EXPECT_EQ(general.size(), 21u);
    EXPECT_EQ(members_of(GENERAL_ARITH), general);
    const Codes arith = Codes{0x00} + span(0x04, 0x09) + span(0x0D, 0x0F) + span(0x12, 0x1B) +
                        Codes{0x1D} + activations + span(0xC4, 0xC8);
    EXPECT_EQ(arith.size(), 30u);
    EXPECT_EQ(members_of(ARITH), arith);
    const Codes general_bitvec = span(0x00, 0x03) + span(0x0A, 0x0C) + Codes{0x10, 0x11};
    EXPECT_EQ(general_bitvec.size(), 9u);
    EXPECT_EQ(members_of(GENERAL_BITVEC), general_bitvec);
    EXPECT_EQ(members_of(BITVEC), general_bitvec + Codes{0x1C});
    const Codes integer = Codes{0x1B} + span(0xC4, 0xCD) + span(0xCF, 0xDD);
    EXPECT_EQ(integer.size(), 26u);
    EXPECT_EQ(members_of(INT), integer);
    const Codes integer_dve =
        Codes{0x00, 0xC4, 0xC5, 0xC6, 0xC9, 0xCA, 0xCB, 0xCC, 0xCD} + span(0xCF, 0xD4);
    EXPECT_EQ(integer_dve.size(), 15u);
    EXPECT_EQ(members_of(INT_DVE), integer_dve);
    EXPECT_EQ(members_of(INT_SIGNED), Codes{0x1B} + span(0xC4, 0xCD) + span(0xCF, 0xD4));
    EXPECT_EQ(members_of(INT_UNSIGNED), Codes{0x1B} + span(0xC4, 0xCA) + span(0xD5, 0xDD));
    EXPECT_EQ(members_of(SHIFT_LEFT), (Codes{0x02, 0x10}));
    EXPECT_EQ(members_of(SHIFT_RIGHT), (Codes{0x03, 0x11}));
    EXPECT_EQ(members_of(CACHE_REDUCE), (Codes{0x04, 0x05, 0x06, 0x08, 0x09}));
    EXPECT_EQ(members_of(UNDECIDED_ARITH), Codes{0x24});
}

// Columns of table 5.3: i8 i16 i32 i64 (signed and unsigned each), fp16 bf16 fp32 fp32r, fp8.
// A column is Y, - or, for integers, s or u.
TEST(AluOpTable, DtypesOfEveryOperation) {
    const std::vector<std::pair<Codes, const char*>> table = {
        {{0x00}, "YYYYYYYYY"},
        {span(0x01, 0x03) + span(0x0A, 0x0C) + span(0x10, 0x11), "YYYY-----"},
        {span(0x04, 0x06) + Codes{0x08, 0x09} + span(0x0D, 0x0F) + span(0x12, 0x19) +
             span(0x20, 0x24),
         "YYY-YYYYY"},
        {{0x07}, "----YYYYY"},
        {{0x1A, 0x1D}, "----YYYY-"},
        {{0x1B}, "YYYY-----"},  // 64 bits by is_valid_int_aluop, D-23
        {{0x1C}, "-YY------"},
        {span(0xC4, 0xCA), "YYYY-----"},  // C5, C7, C8 by the signedness lists, D-23
        {span(0xCB, 0xCD) + span(0xCF, 0xD4) + span(0xDE, 0xDF), "ssss-----"},
        {{0xCE}, "sss------"},
        {span(0xD5, 0xDD) + span(0xE0, 0xE1), "uuuu-----"},
    };
    const std::array<Codes, 9> columns = {Codes{0x2, 0x3}, Codes{0x4, 0x5}, Codes{0x8, 0x9},
                                          Codes{0xC, 0x1}, Codes{0x7},      Codes{0x6},
                                          Codes{0xA},      Codes{0xB},      Codes{0xD, 0xE, 0xF}};
    std::size_t rows = 0;
    for (const auto& [ops, cells] : table) {
        for (const unsigned op : ops) {
            ++rows;
            std::set<unsigned> accepted;
            for (std::size_t column = 0; column < columns.size(); ++column) {
                for (std::size_t i = 0; i < columns[column].size(); ++i) {
                    const char cell = cells[column];
                    if (cell == 'Y' || (cell == 's' && i == 0) || (cell == 'u' && i == 1)) {
                        accepted.insert(columns[column][i]);
                    }
                }
            }
            for (const DtypeRow& dtype : dtype_rows()) {
                EXPECT_EQ(alu_op_accepts_dtype(static_cast<AluOp>(op), dtype.dtype),
                          accepted.count(static_cast<unsigned>(dtype.dtype)) != 0)
                    << std::hex << op << ' ' << dtype.name;
            }
        }
    }
    EXPECT_EQ(rows, 65u);
}

TEST(DtypeTable, WidthsAndGenerations) {
    struct Expected {
        unsigned code;
        const char* name;
        unsigned bytes;
        Generation first;
    };
    const std::vector<Expected> rows = {
        {0x00, "INVALID", 0, Generation::SUNDA},    {0x01, "UINT64", 8, Generation::SUNDA},
        {0x02, "INT8", 1, Generation::SUNDA},       {0x03, "UINT8", 1, Generation::SUNDA},
        {0x04, "INT16", 2, Generation::SUNDA},      {0x05, "UINT16", 2, Generation::SUNDA},
        {0x06, "BF16", 2, Generation::SUNDA},       {0x07, "FP16", 2, Generation::SUNDA},
        {0x08, "INT32", 4, Generation::SUNDA},      {0x09, "UINT32", 4, Generation::SUNDA},
        {0x0A, "FP32", 4, Generation::SUNDA},       {0x0B, "FP32R", 4, Generation::SUNDA},
        {0x0C, "INT64", 8, Generation::SUNDA},      {0x0D, "FP8_EXP3", 1, Generation::SUNDA},
        {0x0E, "FP8_EXP4", 1, Generation::SUNDA},   {0x0F, "FP8_EXP5", 1, Generation::SUNDA},
        {0x10, "FP4_EXP2", 0, Generation::MARIANA}, {0x11, "FP8_EXP2", 1, Generation::MAVERICK},
        {0x12, "INT4", 0, Generation::MAVERICK},    {0x13, "SFP8_E8", 1, Generation::MAVERICK},
        {0x14, "SFP8_E7", 1, Generation::MAVERICK}, {0x15, "SFP8_E6", 1, Generation::MAVERICK},
        {0x16, "SFP8_E5", 1, Generation::MAVERICK}, {0x19, "CPTC1", 0, Generation::MARIANA},
        {0x1A, "CPTC2", 0, Generation::MARIANA},    {0x1B, "CPTC3", 0, Generation::MARIANA},
        {0x1C, "CPTC4", 0, Generation::MARIANA},    {0x1D, "CPTC5", 0, Generation::MARIANA},
        {0x1E, "CPTC6", 0, Generation::MARIANA},    {0x1F, "CPTC7", 0, Generation::MARIANA},
    };
    ASSERT_EQ(dtype_rows().size(), rows.size());
    for (const Expected& expected : rows) {
        const DtypeRow* row = find_dtype(static_cast<std::uint8_t>(expected.code));
        ASSERT_NE(row, nullptr) << expected.name;
        EXPECT_STREQ(row->name, expected.name);
        EXPECT_EQ(row->bytes(), expected.bytes) << expected.name;
        EXPECT_EQ(row->first, expected.first) << expected.name;
    }
}

}  // namespace
}  // namespace dve
