// Every predicate rejects a record alone, or another predicate is shown to imply it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "tests/isa/check_cases.h"

namespace dve::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::vector<ValidatorId> validators = {
    ValidatorId::is_valid_tensor_scalar_op,
    ValidatorId::is_valid_tensor_scalar_ptr_op,
    ValidatorId::is_valid_tensor_scalar_cache_reduce,
    ValidatorId::is_valid_tensor_scalar_cache_cumulative,
    ValidatorId::is_valid_exponential,
    ValidatorId::is_valid_scalar_tensor_tensor,
    ValidatorId::is_valid_tensor_tensor_scan,
    ValidatorId::is_valid_select_reduce,
    ValidatorId::is_valid_tensor_tensor,
    ValidatorId::is_valid_tensor_cumulative,
    ValidatorId::is_valid_dve_read_accumulator,
    ValidatorId::is_valid_event_semaphore,
    ValidatorId::is_valid_move,
    ValidatorId::is_valid_control,
};

TEST(Predicates, EachCaseIsRejectedByOnePredicateAlone) {
    for (const Case& entry : all_cases()) {
        for (const std::uint8_t opcode : entry.opcodes) {
            for (const Generation generation : members(entry.generations)) {
                SCOPED_TRACE(std::string(entry.predicate) + ' ' + entry.field + " opcode " +
                             std::to_string(opcode) + ' ' + generation_row(generation).name);
                const auto configuration = IsaConfiguration::for_generation(generation);
                Record record = legal_record(opcode);
                ASSERT_THAT(names_of(check_all(record, configuration)), IsEmpty());
                Edit edit(record);
                const std::uint64_t value = entry.change(edit, generation);
                const std::vector<Violation> all = check_all(record, configuration);
                EXPECT_THAT(names_of(all), ElementsAre(name_in(generation, entry.predicate)));
                if (all.size() != 1) {
                    continue;
                }
                EXPECT_EQ(all[0].field, entry.field);
                EXPECT_EQ(all[0].value, value);
                EXPECT_FALSE(all[0].legal.empty());
                EXPECT_EQ(all[0].message().find('\n'), std::string::npos);
                const auto first = check(record, configuration);
                ASSERT_TRUE(first.has_value());
                EXPECT_EQ(first->message(), all[0].message());
            }
        }
    }
}

/// A predicate that never rejects alone: whenever it fails, `implied_by` fails too.
struct Implied {
    std::vector<std::uint8_t> opcodes;
    const char* predicate;
    const char* implied_by;
    GenerationSet generations;
    std::function<std::vector<Record>(const Record&, Generation)> sweep;
};

// Every byte in each of the operation fields.
std::function<std::vector<Record>(const Record&, Generation)> every_op(
    std::vector<std::string> names) {
    return [names](const Record& legal, Generation) {
        std::vector<Record> records;
        for (const std::string& name : names) {
            for (unsigned op = 0; op < 256; ++op) {
                records.push_back(legal);
                Edit(records.back()).set(name, op);
            }
        }
        return records;
    };
}

std::vector<Record> every_source_type(const Record& legal, Generation) {
    std::vector<Record> records;
    for (unsigned pair = 0; pair < 256; ++pair) {
        for (const unsigned out : {0x8, 0xB, 0x1, 0x0}) {
            records.push_back(legal);
            Edit(records.back()).set("in0_in1_dtype", pair).set("out_dtype", out);
        }
    }
    return records;
}

std::vector<Record> every_index_partition(const Record& legal, Generation generation) {
    std::vector<Record> records;
    for (unsigned partition = 0; partition < 128; ++partition) {
        records.push_back(legal);
        Edit(records.back())
            .indirect("dst_mem_pattern", sbuf(generation, partition, 0), 0x2000, 64);
    }
    return records;
}

std::vector<Implied> implied() {
    return {
        {{0x43, 0x53, 0x93, 0x44, 0x54},
         "is_valid_aluop",
         "tensor_scalar_valid_ops",
         everywhere,
         every_op({"op0", "op1"})},
        {{0x9A, 0xE6},
         "is_valid_aluop",
         "tensor_scalar_cache_reduce_valid_ops",
         everywhere,
         every_op({"op0", "op1"})},
        {{0x30}, "is_valid_aluop", "exponential_ops", everywhere, every_op({"op0", "op1"})},
        {{0x41, 0x51}, "is_valid_enum", "s3s3d3_tt_valid_op", everywhere, every_op({"op"})},
        {{0x4E, 0x5E}, "is_valid_enum", "tensor_cumulative_valid_op", everywhere, every_op({"op"})},
        {{0x9E},
         "is_valid_dtype",
         "has_valid_scalar_tensor_tensor_dtypes",
         everywhere,
         every_source_type},
        {{0x43, 0x53, 0x93, 0x44, 0x54, 0x9A, 0xE6, 0x30},
         "indirect_dst_size_limit_m3d",
         "check_m3d_active_channels",
         with_indirect,
         every_index_partition},
    };
}

TEST(Predicates, ImpliedOnesFailOnlyTogetherWithTheirReason) {
    for (const Implied& entry : implied()) {
        for (const std::uint8_t opcode : entry.opcodes) {
            for (const Generation generation : members(entry.generations)) {
                SCOPED_TRACE(std::string(entry.predicate) + " opcode " + std::to_string(opcode) +
                             ' ' + generation_row(generation).name);
                const auto configuration = IsaConfiguration::for_generation(generation);
                bool seen = false;
                for (const Record& record : entry.sweep(legal_record(opcode), generation)) {
                    const auto names = names_of(check_all(record, configuration));
                    if (std::count(names.begin(), names.end(), entry.predicate) != 0) {
                        seen = true;
                        EXPECT_THAT(names, Contains(entry.implied_by));
                    }
                }
                EXPECT_TRUE(seen);
            }
        }
    }
}

// The opcode chooses the list, so these hold for every record that reaches them.
struct ByOpcode {
    const char* predicate;
    ValidatorId validator;
    std::set<unsigned> opcodes;
};

const std::vector<ByOpcode> by_opcode = {
    {"has_tensor_scalar_opcode", ValidatorId::is_valid_tensor_scalar_op, {0x43, 0x53, 0x93}},
    {"has_tensor_scalar_ptr_opcode", ValidatorId::is_valid_tensor_scalar_ptr_op, {0x44, 0x54}},
    {"has_tensor_tensor_scan_opcode", ValidatorId::is_valid_tensor_tensor_scan, {0xE5}},
};

TEST(Predicates, OpcodePredicatesFollowFromTheChoiceOfTheList) {
    for (const ByOpcode& entry : by_opcode) {
        std::set<unsigned> opcodes;
        for (const OpcodeRow& row : opcode_rows()) {
            if (row.validator == entry.validator) {
                opcodes.insert(row.value());
            }
        }
        EXPECT_EQ(opcodes, entry.opcodes) << entry.predicate;
        EXPECT_THAT(predicate_names(entry.validator), Contains(::testing::StrEq(entry.predicate)));
    }
}

// tensor_scalar_tensor_chk is the conjunction of three that are evaluated by their own names.
TEST(Predicates, ConjunctionsHaveTheirPartsInTheList) {
    for (const ValidatorId validator :
         {ValidatorId::is_valid_tensor_scalar_op, ValidatorId::is_valid_tensor_scalar_ptr_op}) {
        const auto names = predicate_names(validator);
        for (const char* name : {"tensor_scalar_tensor_chk", "mem3d_valid",
                                 "same_element_count_m3d", "indirect_dst_size_limit_m3d"}) {
            EXPECT_THAT(names, Contains(::testing::StrEq(name)));
        }
    }
}

TEST(Predicates, NoneIsWithoutACase) {
    std::map<ValidatorId, std::set<std::string>> covered;
    const auto cover = [&](std::uint8_t opcode, const char* predicate, GenerationSet generations) {
        for (const Generation generation : members(generations)) {
            covered[find_opcode(opcode)->validator].insert(name_in(generation, predicate));
        }
    };
    for (const Case& entry : all_cases()) {
        for (const std::uint8_t opcode : entry.opcodes) {
            cover(opcode, entry.predicate, entry.generations);
        }
    }
    for (const Implied& entry : implied()) {
        for (const std::uint8_t opcode : entry.opcodes) {
            cover(opcode, entry.predicate, entry.generations);
        }
    }
    for (const ByOpcode& entry : by_opcode) {
        covered[entry.validator].insert(entry.predicate);
    }
    covered[ValidatorId::is_valid_tensor_scalar_op].insert("tensor_scalar_tensor_chk");
    covered[ValidatorId::is_valid_tensor_scalar_ptr_op].insert("tensor_scalar_tensor_chk");
    // Needs the tile switch: GenerationDifferences.MoveTileOnMaverick.
    covered[ValidatorId::is_valid_move].insert("move_tile_index_zero");

    for (const ValidatorId validator : validators) {
        for (const std::string name : predicate_names(validator)) {
            if (name == "has_valid_neuron_header") {
                continue;  // an unknown opcode has no list; covered through 0xA4
            }
            EXPECT_TRUE(covered[validator].count(name) != 0)
                << name << " in the list of " << static_cast<int>(validator);
        }
    }
}

}  // namespace
}  // namespace dve::test
