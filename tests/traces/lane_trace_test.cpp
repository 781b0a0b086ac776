// Lane traces: bytes of the file, round trip, malformed files.
#include "traces/lane_trace_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "tests/traces/lane_stream.h"
#include "traces/lane_trace_diff.h"
#include "traces/lane_trace_reader.h"

namespace dve {
namespace {

using test::Bytes;
using test::LaneStream;
using test::ScratchFile;
using Words = std::vector<std::uint32_t>;

const LaneTraceHeader header{{{"generation", "cayman"}, {"scan.order", "sequential"}}};

/// Two instructions whose stages interleave, every encoding among them.
void feed_small(LaneStream& stream) {
    stream.begin(0, Opcode::TENSOR_SCALAR_ARITH_OP, 3, 2);
    stream.value(0, 0, LaneStage::READ0, 10, {1, 2, 3});
    stream.value(0, 0, LaneStage::SPLAT0, 11, {7, 7, 7});
    stream.value(0, 1, LaneStage::READ0, 11, {1, 2, 3}, {4, 5, 6});
    stream.begin(1, Opcode::TENSOR_TENSOR_ARITH_OP, 2, 1);
    stream.value(1, 0, LaneStage::READ0, 12, {1, 2}, {0, 0});
    stream.value(0, 1, LaneStage::SPLAT0, 12, {7, 7, 7});
    stream.value(1, 1, LaneStage::READ0, 13, {1, 2}, {0, 0});
    stream.value(1, 2, LaneStage::READ0, 14, {1, 9}, {0, 0});
}

Bytes small_trace() {
    ScratchFile file;
    LaneTraceWriter writer(file.path(), header);
    LaneStream stream(writer);
    feed_small(stream);
    EXPECT_TRUE(writer.finish());
    return file.bytes();
}

void append(Bytes& bytes, std::uint64_t value, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
        bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    }
}

/// The layout as docs/lane_trace.md says it, byte by byte.
void append_instruction(Bytes& bytes, std::uint64_t index, Opcode opcode, unsigned channels,
                        std::uint64_t elements) {
    for (const char letter : {'I', 'N', 'S', 'T'}) {
        bytes.push_back(static_cast<std::uint8_t>(letter));
    }
    append(bytes, channels, 4);
    append(bytes, index, 8);
    append(bytes, index + 1, 8);
    append(bytes, elements, 8);
    append(bytes, 100 * index, 8);
    append(bytes, 100 * index + 1, 8);
    Bytes record(64, 0);
    record[0] = static_cast<std::uint8_t>(opcode);
    record[1] = 16;
    bytes.insert(bytes.end(), record.begin(), record.end());
}

void append_values(Bytes& bytes, std::uint64_t index, std::uint32_t element, LaneStage stage,
                   std::uint64_t cycle, unsigned lanes, unsigned encoding, unsigned second,
                   const Words& words) {
    for (const char letter : {'V', 'A', 'L', 'S'}) {
        bytes.push_back(static_cast<std::uint8_t>(letter));
    }
    append(bytes, static_cast<std::uint64_t>(stage), 1);
    append(bytes, encoding, 1);
    append(bytes, second, 1);
    append(bytes, 0, 1);
    append(bytes, element, 4);
    append(bytes, lanes, 4);
    append(bytes, index, 8);
    append(bytes, cycle, 8);
    for (const std::uint32_t word : words) {
        append(bytes, word, 4);
    }
}

Bytes header_bytes(const std::string& text) { return {text.begin(), text.end()}; }

TEST(LaneTraceWriter, BytesOfTheFile) {
    Bytes expected = header_bytes("dve-lane-trace 1\ngeneration cayman\nscan.order sequential\n\n");
    enum : unsigned { NONE, FULL, UNIFORM, SAME };
    append_instruction(expected, 0, Opcode::TENSOR_SCALAR_ARITH_OP, 3, 2);
    append_values(expected, 0, 0, LaneStage::READ0, 10, 3, FULL, NONE, {1, 2, 3});
    append_values(expected, 0, 0, LaneStage::SPLAT0, 11, 3, UNIFORM, NONE, {7});
    append_values(expected, 0, 1, LaneStage::READ0, 11, 3, SAME, FULL, {4, 5, 6});
    append_instruction(expected, 1, Opcode::TENSOR_TENSOR_ARITH_OP, 2, 1);
    append_values(expected, 1, 0, LaneStage::READ0, 12, 2, FULL, UNIFORM, {1, 2, 0});
    append_values(expected, 0, 1, LaneStage::SPLAT0, 12, 3, SAME, NONE, {});
    append_values(expected, 1, 1, LaneStage::READ0, 13, 2, SAME, SAME, {});
    append_values(expected, 1, 2, LaneStage::READ0, 14, 2, FULL, SAME, {1, 9});
    EXPECT_EQ(small_trace(), expected);
}

TEST(LaneTraceWriter, SaysWhyAFileCannotBeWritten) {
    LaneTraceWriter missing("/nowhere/at/all.trace", header);
    ASSERT_FALSE(missing.status());
    EXPECT_EQ(missing.status().error(),
              "/nowhere/at/all.trace: cannot be written: No such file or directory");
    LaneTraceWriter full("/dev/full", header);
    LaneStream stream(full);
    feed_small(stream);
    const Status finished = full.finish();
    ASSERT_FALSE(finished);
    EXPECT_EQ(finished.error(), "/dev/full: cannot be written: No space left on device");
}

/// Everything that a trace says, through its index.
std::map<test::Key, test::Expected> contents(const LaneTrace& trace) {
    std::map<test::Key, test::Expected> all;
    for (const LaneTraceInstruction& instruction : trace.instructions()) {
        for (const LaneTraceEntry& entry : instruction.entries) {
            test::Expected& found = all[{instruction.block.index, entry.element, entry.stage}];
            found.cycle = entry.cycle;
            for (unsigned lane = 0; lane < entry.lanes; ++lane) {
                found.values.push_back(trace.word(entry.values, lane));
                if (entry.second.encoding != lane_trace::Encoding::NONE) {
                    found.second.push_back(trace.word(entry.second, lane));
                }
            }
        }
    }
    return all;
}

void expect_same(const std::map<test::Key, test::Expected>& found,
                 const std::map<test::Key, test::Expected>& expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (const auto& [key, value] : expected) {
        const auto at = found.find(key);
        ASSERT_NE(at, found.end());
        EXPECT_EQ(at->second.cycle, value.cycle);
        EXPECT_EQ(at->second.values, value.values);
        EXPECT_EQ(at->second.second, value.second);
    }
}

TEST(LaneTraceReader, RoundTripOfRandomStreams) {
    std::mt19937 random(1);
    const auto below = [&random](unsigned limit) { return random() % limit; };
    for (unsigned run = 0; run < 20; ++run) {
        ScratchFile file;
        LaneTraceWriter writer(file.path(), header);
        LaneStream stream(writer);
        const unsigned instructions = 1 + below(4);
        for (unsigned index = 0; index < instructions; ++index) {
            stream.begin(index, Opcode::TENSOR_SCALAR_ARITH_OP, 1 + below(128), below(1000));
        }
        // Few different words, so that equal, uniform and repeated ones are common.
        for (unsigned count = 0; count < 400; ++count) {
            const auto stage = static_cast<LaneStage>(below(lane_stage_count));
            Words values(1 + below(3) * 63);
            Words second(below(2) * values.size());
            const unsigned choices = 1 + below(3);
            for (auto& word : values) word = below(choices);
            for (auto& word : second) word = below(choices);
            stream.value(below(instructions), count, stage, below(5000), values, second);
        }
        ASSERT_TRUE(writer.finish());
        const Bytes bytes = file.bytes();
        const auto trace = LaneTrace::parse(bytes.data(), bytes.size());
        ASSERT_TRUE(trace) << trace.error();
        EXPECT_EQ(trace->generation(), Generation::CAYMAN);
        EXPECT_EQ(*trace->header().find("scan.order"), "sequential");
        ASSERT_EQ(trace->instructions().size(), instructions);
        EXPECT_EQ(trace->instructions()[0].block.record_index, 1U);
        EXPECT_EQ(trace->instructions()[0].block.start_cycle, 1U);
        EXPECT_EQ(trace->instructions()[0].name(), "tensor_scalar_arith");
        expect_same(contents(*trace), stream.expected());
    }
}

TEST(LaneTraceReader, ExecutionOrderWhateverTheOrderOfTheFile) {
    Bytes bytes = header_bytes("dve-lane-trace 1\ngeneration sunda\n\n");
    append_instruction(bytes, 5, Opcode::NOP, 1, 1);
    append_instruction(bytes, 2, Opcode::NOP, 1, 1);
    append_values(bytes, 5, 1, LaneStage::READ0, 0, 1, 1, 0, {1});
    append_values(bytes, 5, 0, LaneStage::ALU0, 0, 1, 1, 0, {2});
    append_values(bytes, 5, 0, LaneStage::READ0, 0, 1, 3, 0, {});
    const auto trace = LaneTrace::parse(bytes.data(), bytes.size());
    ASSERT_TRUE(trace) << trace.error();
    ASSERT_EQ(trace->instructions().size(), 2U);
    EXPECT_EQ(trace->instructions()[0].block.index, 2U);
    const auto& entries = trace->instructions()[1].entries;
    ASSERT_EQ(entries.size(), 3U);
    EXPECT_EQ(entries[0].stage, LaneStage::READ0);
    EXPECT_EQ(trace->word(entries[0].values, 0), 1U);  // "same" refers to the order of the file
    EXPECT_EQ(entries[1].stage, LaneStage::ALU0);
    EXPECT_EQ(entries[2].element, 1U);
}

/// Uses all that a parsed trace offers; what it prints does not matter.
void walk(const LaneTrace& trace) {
    std::ostringstream text;
    LaneTraceChoice choice;
    choice.cycles = true;
    print_lane_trace(trace, choice, text);
    EXPECT_TRUE(compare_lane_traces({trace, "a"}, {trace, "b"}, choice, 100).differences.empty());
}

TEST(LaneTraceReader, CutOffAnywhere) {
    const Bytes bytes = small_trace();
    std::size_t whole = 0;
    for (std::size_t size = 0; size <= bytes.size(); ++size) {
        // A copy of exactly this size, so that a read beyond it is one beyond the allocation.
        const Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
        const auto trace = LaneTrace::parse(cut.data(), cut.size());
        if (trace) {
            ++whole;
            walk(*trace);
        } else {
            EXPECT_THAT(trace.error(), testing::AnyOf(testing::HasSubstr("no lane trace"),
                                                      testing::HasSubstr("no end"),
                                                      testing::HasSubstr("cut off")));
        }
    }
    EXPECT_EQ(whole, 10U);  // after the header and after each of nine records
}

TEST(LaneTraceReader, AnyByteWrong) {
    const Bytes bytes = small_trace();
    std::size_t refused = 0;
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        for (const unsigned flip : {0x01U, 0x02U, 0x80U, 0xFFU}) {
            Bytes wrong = bytes;
            wrong[at] = static_cast<std::uint8_t>(wrong[at] ^ flip);
            const auto trace = LaneTrace::parse(wrong.data(), wrong.size());
            if (trace) {
                walk(*trace);
            } else {
                ++refused;
                EXPECT_FALSE(trace.error().empty());
            }
        }
    }
    EXPECT_GT(refused, bytes.size() / 4);
}

struct Malformed {
    const char* what;
    Bytes bytes;
    const char* message;
};

TEST(LaneTraceReader, MalformedFiles) {
    const Bytes start = header_bytes("dve-lane-trace 1\ngeneration sunda\n\n");  // 35 bytes
    const auto with = [&start](auto... append_to) {
        Bytes bytes = start;
        append_instruction(bytes, 0, Opcode::NOP, 1, 1);
        (append_to(bytes), ...);
        return bytes;
    };
    const auto values = [](unsigned stage, unsigned lanes, unsigned encoding, unsigned second,
                           std::uint64_t instruction = 0) {
        return [=](Bytes& bytes) {
            append_values(bytes, instruction, 0, static_cast<LaneStage>(stage), 0, lanes, encoding,
                          second, {1});
        };
    };
    const Malformed cases[] = {
        {"empty", {}, "no lane trace; legal: a first line 'dve-lane-trace 1'"},
        {"other version", header_bytes("dve-lane-trace 2\n\n"), "no lane trace"},
        {"no end", header_bytes("dve-lane-trace 1\ngeneration sunda\n"), "header has no end"},
        {"endless", header_bytes("dve-lane-trace 1\n" + std::string(100000, 'x')), "no end"},
        {"no value", header_bytes("dve-lane-trace 1\ngeneration \n\n"),
         "byte 17: header line 'generation ' is malformed; legal: NAME VALUE"},
        {"no name", header_bytes("dve-lane-trace 1\n sunda\n\n"), "is malformed"},
        {"twice", header_bytes("dve-lane-trace 1\na 1\na 2\n\n"), "names 'a' again"},
        {"no generation", header_bytes("dve-lane-trace 1\n\n"), "no known generation"},
        {"wrong generation", header_bytes("dve-lane-trace 1\ngeneration x\n\n"),
         "NAME one of sunda, cayman, mariana, mariana_plus, maverick"},
        {"tag", with([](Bytes& bytes) { append(bytes, 0x12345678, 4); }),
         "byte 147: tag 0x12345678 is unknown; legal: INST, VALS"},
        {"stage", with(values(15, 1, 1, 0)), "stage 15 is unknown; legal: 0..14"},
        {"no lanes", with(values(0, 0, 1, 0)), "0 lanes; legal: 1..128"},
        {"lanes", with(values(0, 129, 2, 0)), "129 lanes; legal: 1..128"},
        {"words", with(values(0, 128, 1, 0)),
         "byte 147: the record is cut off: it takes 544 bytes, the file has 36 more"},
        {"encoding", with(values(0, 1, 0, 0)), "the encodings are 0, 0, 0; legal: 1..3, 0..3, 0"},
        {"second", with(values(0, 1, 1, 4)), "the encodings are 1, 4, 0"},
        {"same as nothing", with(values(0, 1, 3, 0)), "none of READ0 and so many lanes before"},
        {"same lanes", with(values(0, 1, 1, 0), values(0, 2, 3, 0)), "so many lanes before"},
        {"same of another instruction",
         with(
             values(0, 1, 1, 0),
             [](Bytes& bytes) { append_instruction(bytes, 1, Opcode::NOP, 1, 1); },
             values(0, 1, 3, 0, 1)),
         "none of READ0 and so many lanes before"},
        {"same second", with(values(0, 1, 1, 0), values(0, 1, 1, 3)), "so many lanes before"},
        {"not begun", with(values(0, 1, 1, 0, 7)), "instruction 7 has values but has not begun"},
        {"begins again",
         with([](Bytes& bytes) { append_instruction(bytes, 0, Opcode::NOP, 1, 1); }),
         "byte 147: instruction 0 begins again"},
        {"channels", with([](Bytes& bytes) { append_instruction(bytes, 1, Opcode::NOP, 129, 1); }),
         "instruction 1 has 129 channels; legal: 0..128"},
        {"value twice", with(values(3, 1, 1, 0), values(3, 1, 1, 0)),
         "instruction 0, element 0, CVT1: stands twice"},
    };
    for (const Malformed& malformed : cases) {
        const auto trace = LaneTrace::parse(malformed.bytes.data(), malformed.bytes.size());
        ASSERT_FALSE(trace) << malformed.what;
        EXPECT_THAT(trace.error(), testing::HasSubstr(malformed.message)) << malformed.what;
    }
}

}  // namespace
}  // namespace dve
