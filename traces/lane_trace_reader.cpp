// Checks and index of a lane trace.
#include "traces/lane_trace_reader.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "models/isa/text_number.h"

namespace dve {

using lane_trace::Encoding;
using lane_trace::InstructionBlock;
using lane_trace::ValuesBlock;

class LaneTraceParser {
public:
    LaneTraceParser(const std::uint8_t* bytes, std::size_t size) : bytes_(bytes), size_(size) {
        trace_.bytes_ = bytes;
    }

    Result<LaneTrace> parse() {
        if (auto status = header(); !status) {
            return status.failure();
        }
        while (at_ < size_) {
            std::uint32_t tag = 0;
            if (size_ - at_ < sizeof tag) {
                return cut_off(sizeof tag);
            }
            std::memcpy(&tag, bytes_ + at_, sizeof tag);
            if (tag != lane_trace::instruction_tag && tag != lane_trace::values_tag) {
                return error("tag " + format_hex(tag, 8) + " is unknown; legal: INST, VALS");
            }
            if (auto status = tag == lane_trace::instruction_tag ? instruction() : values();
                !status) {
                return status.failure();
            }
        }
        if (auto status = sort(); !status) {
            return status.failure();
        }
        return std::move(trace_);
    }

private:
    static constexpr std::size_t longest_header = 65536;

    Error error(const std::string& message) const {
        return {"byte " + std::to_string(at_) + ": " + message};
    }
    Error cut_off(std::uint64_t needed) const {
        return error("the record is cut off: it takes " + std::to_string(needed) +
                     " bytes, the file has " + std::to_string(size_ - at_) + " more");
    }

    Status header() {
        const std::string_view text(reinterpret_cast<const char*>(bytes_),
                                    std::min(size_, longest_header));
        const std::string first = std::string(lane_trace::first_line) + "\n";
        if (text.substr(0, first.size()) != first) {
            return Error{"it is no lane trace; legal: a first line " +
                         quoted(lane_trace::first_line)};
        }
        at_ = first.size();
        for (;;) {
            const std::size_t end = text.find('\n', at_);
            if (end == std::string_view::npos) {
                return error("the header has no end; legal: an empty line within " +
                             std::to_string(longest_header) + " bytes");
            }
            const std::string_view line = text.substr(at_, end - at_);
            if (line.empty()) {
                at_ = end + 1;
                break;
            }
            const std::size_t space = line.find(' ');
            if (space == 0 || space == std::string_view::npos || space + 1 == line.size()) {
                return error("header line " + quoted(line) + " is malformed; legal: NAME VALUE");
            }
            const std::string name(line.substr(0, space));
            if (trace_.header_.find(name) != nullptr) {
                return error("header line " + quoted(line) + " names " + quoted(name) +
                             " again; legal: each name once");
            }
            trace_.header_.entries.emplace_back(name, line.substr(space + 1));
            at_ = end + 1;
        }
        const std::string* generation = trace_.header_.find("generation");
        const auto known = generation != nullptr ? generation_from_name(*generation) : std::nullopt;
        if (!known) {
            return Error{
                "the header names no known generation; legal: a line 'generation NAME', "
                "NAME one of " +
                std::string(generation_names())};
        }
        trace_.generation_ = *known;
        return Done{};
    }

    Status instruction() {
        if (size_ - at_ < sizeof(InstructionBlock)) {
            return cut_off(sizeof(InstructionBlock));
        }
        LaneTraceInstruction added;
        std::memcpy(&added.block, bytes_ + at_, sizeof added.block);
        const InstructionBlock& block = added.block;
        if (block.channels > dve_num_channels) {
            return error("instruction " + std::to_string(block.index) + " has " +
                         std::to_string(block.channels) + " channels; legal: 0.." +
                         std::to_string(dve_num_channels));
        }
        const std::uint64_t index = block.index;
        if (!places_.emplace(index, trace_.instructions_.size()).second) {
            return error("instruction " + std::to_string(index) +
                         " begins again; legal: each index once");
        }
        trace_.instructions_.push_back(std::move(added));
        at_ += sizeof(InstructionBlock);
        return Done{};
    }

    Status values() {
        if (size_ - at_ < sizeof(ValuesBlock)) {
            return cut_off(sizeof(ValuesBlock));
        }
        ValuesBlock block;
        std::memcpy(&block, bytes_ + at_, sizeof block);
        if (block.stage >= lane_stage_count) {
            return error("stage " + std::to_string(block.stage) + " is unknown; legal: 0.." +
                         std::to_string(lane_stage_count - 1));
        }
        if (block.lanes == 0 || block.lanes > dve_num_channels) {
            return error("the record has " + std::to_string(block.lanes) + " lanes; legal: 1.." +
                         std::to_string(dve_num_channels));
        }
        if (block.values == Encoding::NONE || block.values > Encoding::SAME ||
            block.second > Encoding::SAME || block.reserved != 0) {
            return error("the encodings are " +
                         std::to_string(static_cast<unsigned>(block.values)) + ", " +
                         std::to_string(static_cast<unsigned>(block.second)) + ", " +
                         std::to_string(block.reserved) + "; legal: 1..3, 0..3, 0");
        }
        const std::uint64_t index = block.instruction;
        const auto place = places_.find(index);
        if (place == places_.end()) {
            return error("instruction " + std::to_string(index) +
                         " has values but has not begun; legal: INST before its VALS");
        }
        const std::uint64_t needed =
            sizeof block + words_bytes(block.values, block) + words_bytes(block.second, block);
        if (size_ - at_ < needed) {
            return cut_off(needed);
        }
        Before& before = before_[block.stage];
        LaneTraceEntry entry;
        entry.cycle = block.cycle;
        entry.element = block.element;
        entry.stage = static_cast<LaneStage>(block.stage);
        entry.lanes = static_cast<std::uint8_t>(block.lanes);
        const std::uint64_t first = at_ + sizeof block;
        const bool same_shape =
            before.any && before.instruction == index && before.entry.lanes == entry.lanes;
        entry.values = {first, block.values};
        entry.second = {first + words_bytes(block.values, block), block.second};
        for (const auto words : {&LaneTraceEntry::values, &LaneTraceEntry::second}) {
            if ((entry.*words).encoding == Encoding::SAME) {
                if (!same_shape || (before.entry.*words).encoding == Encoding::NONE) {
                    return error(
                        "the words are said to be as before, but the instruction has none of " +
                        std::string(lane_stage_name(entry.stage)) + " and so many lanes before");
                }
                entry.*words = before.entry.*words;
            }
        }
        before = {true, index, entry};
        trace_.instructions_[place->second].entries.push_back(entry);
        auto& last = trace_.last_[block.stage];
        if (!last || std::tie(last->instruction, last->element) < std::tie(index, entry.element)) {
            last = LaneTrace::Position{index, entry.element};
        }
        at_ += needed;
        return Done{};
    }

    static std::uint64_t words_bytes(Encoding encoding, const ValuesBlock& block) {
        const std::uint64_t words = encoding == Encoding::FULL      ? block.lanes
                                    : encoding == Encoding::UNIFORM ? 1U
                                                                    : 0U;
        return words * sizeof(std::uint32_t);
    }

    /// Execution order; RTL may write its stages in any order.
    Status sort() {
        std::sort(trace_.instructions_.begin(), trace_.instructions_.end(),
                  [](const LaneTraceInstruction& a, const LaneTraceInstruction& b) {
                      return a.block.index < b.block.index;
                  });
        const auto key = [](const LaneTraceEntry& entry) {
            return std::make_tuple(entry.element, entry.stage);
        };
        for (LaneTraceInstruction& instruction : trace_.instructions_) {
            auto& entries = instruction.entries;
            std::sort(entries.begin(), entries.end(),
                      [key](const LaneTraceEntry& a, const LaneTraceEntry& b) {
                          return key(a) < key(b);
                      });
            const auto twice =
                std::adjacent_find(entries.begin(), entries.end(),
                                   [key](const LaneTraceEntry& a, const LaneTraceEntry& b) {
                                       return key(a) == key(b);
                                   });
            if (twice != entries.end()) {
                return Error{"instruction " + std::to_string(instruction.block.index) +
                             ", element " + std::to_string(twice->element) + ", " +
                             lane_stage_name(twice->stage) +
                             ": stands twice; legal: each value once"};
            }
        }
        return Done{};
    }

    struct Before {
        bool any = false;
        std::uint64_t instruction = 0;
        LaneTraceEntry entry;
    };

    const std::uint8_t* bytes_;
    std::size_t size_;
    std::size_t at_ = 0;
    LaneTrace trace_;
    std::unordered_map<std::uint64_t, std::size_t> places_;  ///< of instructions, by index
    std::array<Before, lane_stage_count> before_;            ///< what the stage wrote last
};

Result<LaneTrace> LaneTrace::parse(const std::uint8_t* bytes, std::size_t size) {
    return LaneTraceParser(bytes, size).parse();
}

std::string LaneTraceInstruction::name() const {
    const OpcodeRow* row = find_opcode(block.record.opcode());
    return row != nullptr ? row->mnemonic : "opcode " + format_hex(block.record.opcode(), 2);
}

std::uint32_t LaneTrace::word(const LaneTraceWords& words, unsigned lane) const {
    std::uint32_t value = 0;
    const std::uint64_t offset = words.encoding == Encoding::FULL ? lane * sizeof value : 0;
    std::memcpy(&value, bytes_ + words.at + offset, sizeof value);
    return value;
}

bool LaneTrace::equal(const LaneTraceWords& words, const LaneTrace& other,
                      const LaneTraceWords& other_words, unsigned lanes) const {
    if (words.encoding == other_words.encoding) {
        const std::size_t bytes = (words.encoding == Encoding::FULL      ? lanes
                                   : words.encoding == Encoding::UNIFORM ? 1U
                                                                         : 0U) *
                                  sizeof(std::uint32_t);
        return std::memcmp(bytes_ + words.at, other.bytes_ + other_words.at, bytes) == 0;
    }
    if (words.encoding == Encoding::NONE || other_words.encoding == Encoding::NONE) {
        return false;
    }
    for (unsigned lane = 0; lane < lanes; ++lane) {
        if (word(words, lane) != other.word(other_words, lane)) {
            return false;
        }
    }
    return true;
}

}  // namespace dve
