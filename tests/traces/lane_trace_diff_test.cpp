// Differences of two lane traces, by table.
#include "traces/lane_trace_diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <sstream>

#include "tests/traces/lane_stream.h"
#include "traces/lane_trace_writer.h"

namespace dve {
namespace {

using test::Bytes;
using test::LaneStream;
using test::ScratchFile;

using Values = std::vector<std::uint32_t>;

/// What a case may change of the common trace.
struct Variant {
    LaneTraceHeader header{{{"generation", "mariana"}, {"semantics", "reference"}}};
    std::uint64_t instructions = 3;
    std::uint64_t skipped_instruction = 99;
    std::uint32_t elements = 4;
    Opcode second_opcode = Opcode::TENSOR_TENSOR_ARITH_OP;
    unsigned channels = 4;
    std::uint64_t later = 0;  ///< cycles
    /// Changes the words of (instruction, element, stage), or drops them.
    std::function<bool(std::uint64_t, std::uint32_t, LaneStage, Values&, Values&)> edit;
};

class Trace {
public:
    explicit Trace(const Variant& variant) {
        ScratchFile file;
        LaneTraceWriter writer(file.path(), variant.header);
        LaneStream stream(writer);
        for (std::uint64_t index = 0; index < variant.instructions; ++index) {
            if (index == variant.skipped_instruction) {
                continue;
            }
            stream.begin(index, index == 1 ? variant.second_opcode : Opcode::TENSOR_SCALAR_ARITH_OP,
                         variant.channels, 4);
            for (std::uint32_t element = 0; element < variant.elements; ++element) {
                for (const LaneStage stage : {LaneStage::READ0, LaneStage::ALU0}) {
                    Values values;
                    for (unsigned lane = 0; lane < variant.channels; ++lane) {
                        values.push_back(0x3F800000U + 256 * element + lane);
                    }
                    Values second(stage == LaneStage::ALU0 ? values.size() : 0, 17);
                    if (!variant.edit || variant.edit(index, element, stage, values, second)) {
                        stream.value(index, element, stage, 10 * index + element + variant.later,
                                     values, second);
                    }
                }
            }
        }
        EXPECT_TRUE(writer.finish());
        bytes_ = file.bytes();
        auto parsed = LaneTrace::parse(bytes_.data(), bytes_.size());
        EXPECT_TRUE(parsed) << parsed.error();
        trace_ = std::move(parsed.value());
    }

    const LaneTrace& operator*() const { return trace_; }

private:
    Bytes bytes_;
    LaneTrace trace_;
};

std::vector<std::string> differences(const Variant& a, const Variant& b, std::size_t maximum = 1,
                                     const LaneTraceChoice& choice = {}) {
    const Trace first(a);
    const Trace second(b);
    return compare_lane_traces({*first, "A"}, {*second, "B"}, choice, maximum).differences;
}

/// Changes one lane of one value.
Variant wrong_lane(std::uint64_t index, std::uint32_t element, LaneStage stage, unsigned lane,
                   std::uint32_t word) {
    Variant variant;
    variant.edit = [=](std::uint64_t i, std::uint32_t e, LaneStage s, Values& values, Values&) {
        if (i == index && e == element && s == stage) {
            values[lane] = word;
        }
        return true;
    };
    return variant;
}

Variant dropping(std::function<bool(std::uint64_t, std::uint32_t, LaneStage)> drops) {
    Variant variant;
    variant.edit = [drops = std::move(drops)](std::uint64_t i, std::uint32_t e, LaneStage s,
                                              Values&, Values&) { return !drops(i, e, s); };
    return variant;
}

struct Case {
    const char* what;
    Variant a;
    Variant b;
    std::vector<std::string> lines;
};

TEST(LaneTraceDiff, FirstDifference) {
    const Variant good;
    Variant other_generation;
    other_generation.header.entries[0].second = "cayman";
    Variant fewer_names;
    fewer_names.header.entries.pop_back();
    Variant two;
    two.instructions = 2;
    Variant none;
    none.instructions = 0;
    Variant hole;
    hole.skipped_instruction = 1;
    Variant opcode;
    opcode.second_opcode = Opcode::TENSOR_SCALAR_ARITH_OP;
    Variant channels;
    channels.channels = 3;
    Variant later;
    later.later = 1;
    Variant second_word;
    second_word.edit = [](std::uint64_t i, std::uint32_t, LaneStage, Values&, Values& second) {
        if (i == 2 && !second.empty()) {
            second[3] = 0;
        }
        return true;
    };
    Variant no_second;
    no_second.edit = [](std::uint64_t, std::uint32_t, LaneStage, Values&, Values& second) {
        second.clear();
        return true;
    };
    const Case cases[] = {
        {"equal", good, good, {}},
        {"both empty", none, none, {}},
        {"names of one side", good, fewer_names, {}},
        {"cycles are not asked for", good, later, {}},
        {"generation, then values",
         good,
         other_generation,
         {"header, generation: mariana in A, cayman in B"}},
        {"a lane",
         good,
         wrong_lane(1, 2, LaneStage::ALU0, 3, 0x40000000),
         {"instruction 1 tensor_tensor_arith, element 2, ALU0: lane 3 is 0x3f800203 (1.0000614) "
          "in A, 0x40000000 (2.0) in B"}},
        {"second word",
         second_word,
         good,
         {"instruction 2 tensor_scalar_arith, element 0, ALU0: lane 3 second word is 0x00000000 "
          "(0.0) in A, 0x00000011 (2.4e-44) in B"}},
        {"no second word",
         good,
         no_second,
         {"instruction 0 tensor_scalar_arith, element 0, ALU0: lane 0 second word is 0x00000011 "
          "(2.4e-44) in A, missing in B"}},
        {"record",
         good,
         opcode,
         {"instruction 1 tensor_tensor_arith: byte 0 of the record is 0x41 in A, 0x43 in B"}},
        {"channels",
         channels,
         good,
         {"instruction 0 tensor_scalar_arith: channels are 3 in A, 4 in B"}},
        {"instruction in the middle", hole, good, {"instruction 1 tensor_tensor_arith: only in B"}},
        {"instructions at the end",
         good,
         two,
         {"B ends first: its last is instruction 1 tensor_tensor_arith; A goes on with "
          "instruction 2 tensor_scalar_arith"}},
        {"nothing",
         none,
         good,
         {"A ends first: it has no instruction; B goes on with instruction 0 "
          "tensor_scalar_arith"}},
        {"value in the middle",
         good,
         dropping([](auto i, auto e, auto s) { return i == 1 && e == 1 && s == LaneStage::READ0; }),
         {"instruction 1 tensor_tensor_arith, element 1, READ0: only in A"}},
        {"values at the end",
         dropping([](auto i, auto e, auto) { return i == 2 && e >= 2; }),
         good,
         {"A ends first: its last value of READ0 is of instruction 2, element 1; B goes on with "
          "instruction 2 tensor_scalar_arith, element 2, READ0"}},
        {"stage",
         good,
         dropping([](auto, auto, auto s) { return s == LaneStage::ALU0; }),
         {"B has no value of ALU0; A has, first in instruction 0 tensor_scalar_arith, element 0, "
          "ALU0 (--stages compares a choice)"}},
    };
    for (const Case& test : cases) {
        EXPECT_EQ(differences(test.a, test.b), test.lines) << test.what;
    }
}

TEST(LaneTraceDiff, ListsAsManyAsAskedFor) {
    Variant wrong;
    wrong.edit = [](std::uint64_t i, std::uint32_t e, LaneStage s, Values& values, Values&) {
        if (i == 1 && s == LaneStage::READ0 && e < 2) {
            values[1] = values[2] = 0;
        }
        return true;
    };
    const auto all = differences({}, wrong, 100);
    ASSERT_EQ(all.size(), 4U);
    for (const std::size_t maximum : {1U, 2U, 3U, 4U}) {
        EXPECT_EQ(differences({}, wrong, maximum),
                  std::vector<std::string>(all.begin(),
                                           all.begin() + static_cast<std::ptrdiff_t>(maximum)));
    }
    EXPECT_THAT(all[0], testing::HasSubstr("element 0, READ0: lane 1 is"));
    EXPECT_THAT(all[1], testing::HasSubstr("element 0, READ0: lane 2 is"));
    EXPECT_THAT(all[2], testing::HasSubstr("element 1, READ0: lane 1 is"));
}

TEST(LaneTraceDiff, AnEndIsSaidOnce) {
    Variant shorter;
    shorter.instructions = 2;
    shorter.edit = [](std::uint64_t i, std::uint32_t e, LaneStage, Values&, Values&) {
        return i == 0 || e == 0;
    };
    const auto lines = differences({}, shorter, 100);
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_THAT(lines[0], testing::HasSubstr("B ends first: its last value of READ0 is of "
                                             "instruction 1, element 0; A goes on with"));
}

TEST(LaneTraceDiff, Cycles) {
    Variant later;
    later.later = 3;
    LaneTraceChoice choice;
    choice.cycles = true;
    const auto lines = differences({}, later, 100, choice);
    ASSERT_EQ(lines.size(), 3U * 4 * 2);
    EXPECT_EQ(lines[0],
              "instruction 0 tensor_scalar_arith, element 0, READ0: cycle is 0 in A, 3 in B");
}

TEST(LaneTraceDiff, ChosenLanesAndStages) {
    const Variant wrong = wrong_lane(1, 2, LaneStage::ALU0, 3, 0);
    LaneTraceChoice lanes;
    lanes.lanes.reset(3);
    EXPECT_TRUE(differences({}, wrong, 100, lanes).empty());
    LaneTraceChoice stages;
    stages.stages.reset(static_cast<std::size_t>(LaneStage::ALU0));
    EXPECT_TRUE(differences({}, wrong, 100, stages).empty());
    EXPECT_TRUE(differences({}, dropping([](auto, auto, auto s) { return s == LaneStage::ALU0; }),
                            100, stages)
                    .empty());
    EXPECT_EQ(differences({}, wrong, 100).size(), 1U);
}

TEST(LaneTraceDiff, FewerLanes) {
    Variant narrow;
    narrow.edit = [](std::uint64_t, std::uint32_t, LaneStage, Values& values, Values& second) {
        values.resize(2);
        second.resize(second.empty() ? 0 : 2);
        return true;
    };
    EXPECT_EQ(differences({}, narrow).at(0),
              "instruction 0 tensor_scalar_arith, element 0, READ0: lanes are 4 in A, 2 in B");
    LaneTraceChoice choice;
    choice.lanes.reset().set(0).set(1);
    EXPECT_TRUE(differences({}, narrow, 100, choice).empty());
}

TEST(LaneTraceDiff, CountsWhatItCompares) {
    const Trace a{Variant{}};
    const auto count = [&a](const LaneTraceChoice& choice) {
        const auto result = compare_lane_traces({*a, "A"}, {*a, "B"}, choice, 1);
        EXPECT_EQ(result.instructions, 3U);
        return result.values;
    };
    LaneTraceChoice choice;
    EXPECT_EQ(count(choice), 3U * 4 * 2 * 4);
    choice.lanes.reset().set(1).set(100);
    EXPECT_EQ(count(choice), 3U * 4 * 2);
    choice.stages.reset().set(static_cast<std::size_t>(LaneStage::READ0));
    EXPECT_EQ(count(choice), 3U * 4);
    choice.lanes.reset().set(100);
    EXPECT_EQ(count(choice), 0U);
}

TEST(LaneTraceText, OneValueALine) {
    Variant variant;
    variant.instructions = 1;
    variant.elements = 1;
    variant.channels = 2;
    const Trace trace(variant);
    LaneTraceChoice choice;
    std::ostringstream text;
    print_lane_trace(*trace, choice, text);
    EXPECT_THAT(text.str(), testing::StartsWith("generation mariana\nsemantics reference\n"
                                                "instruction 0, record 1: tensor_scalar_arith "));
    EXPECT_THAT(text.str(), testing::EndsWith("  channels 2, elements 4, issue 0, start 1\n"
                                              "  element 0 READ0: 0x3f800000 0x3f800001\n"
                                              "  element 0 ALU0: 0x3f800000 0x3f800001 second "
                                              "0x00000011 0x00000011\n"));
    choice.lanes.reset().set(1);
    choice.stages.reset().set(static_cast<std::size_t>(LaneStage::READ0));
    choice.cycles = true;
    text.str("");
    print_lane_trace(*trace, choice, text);
    EXPECT_THAT(text.str(), testing::EndsWith("start 1\n  element 0 READ0 cycle 0: 0x3f800001\n"));
}

}  // namespace
}  // namespace dve
