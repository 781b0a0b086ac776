// Records of a lane trace and their encodings.
#include "traces/lane_trace_writer.h"

#include <algorithm>
#include <cstring>

namespace dve {

using lane_trace::Encoding;

LaneTraceWriter::LaneTraceWriter(const std::string& path, const LaneTraceHeader& header)
    : file_(path) {
    std::string text = std::string(lane_trace::first_line) + "\n";
    for (const auto& [name, value] : header.entries) {
        text.append(name).append(" ").append(value).append("\n");
    }
    file_.write(text + "\n");
}

void LaneTraceWriter::begins(const RetireRecord& instruction) {
    lane_trace::InstructionBlock block;
    block.channels = instruction.channels;
    block.index = instruction.index;
    block.record_index = instruction.record_index;
    block.elements = instruction.elements;
    block.issue_cycle = instruction.issue_cycle;
    block.start_cycle = instruction.start_cycle;
    block.record = *instruction.record;
    file_.write(&block, sizeof block);
}

void LaneTraceWriter::values(const LaneValues& values) {
    Last& last = last_[static_cast<std::size_t>(values.stage)];
    const bool comparable = last.instruction == values.instruction && last.lanes == values.lanes;
    lane_trace::ValuesBlock block;
    block.stage = static_cast<std::uint8_t>(values.stage);
    block.element = values.element;
    block.lanes = values.lanes;
    block.instruction = values.instruction;
    block.cycle = values.cycle;
    block.values = encode(values.values, values.lanes, comparable, last.values);
    if (values.second != nullptr) {
        block.second =
            encode(values.second, values.lanes, comparable && last.has_second, last.second);
    }
    last.instruction = values.instruction;
    last.lanes = values.lanes;
    last.has_second = values.second != nullptr;
    file_.write(&block, sizeof block);
    write_words(block.values, values.values, values.lanes);
    write_words(block.second, values.second, values.lanes);
}

/// `comparable`: `last` holds the words of the same stage, instruction and number of lanes. They
/// are replaced.
Encoding LaneTraceWriter::encode(const std::uint32_t* words, unsigned lanes, bool comparable,
                                 Words& last) const {
    if (comparable && std::memcmp(words, last.data(), lanes * sizeof *words) == 0) {
        return Encoding::SAME;
    }
    std::copy_n(words, lanes, last.begin());
    const bool uniform =
        std::all_of(words, words + lanes, [words](std::uint32_t word) { return word == *words; });
    return uniform ? Encoding::UNIFORM : Encoding::FULL;
}

void LaneTraceWriter::write_words(Encoding encoding, const std::uint32_t* words, unsigned lanes) {
    if (encoding == Encoding::FULL) {
        file_.write(words, lanes * sizeof *words);
    } else if (encoding == Encoding::UNIFORM) {
        file_.write(words, sizeof *words);
    }
}

}  // namespace dve
