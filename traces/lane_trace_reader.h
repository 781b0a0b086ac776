// A lane trace in memory: an index over the bytes of the file.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/isa/text_result.h"
#include "traces/lane_trace_format.h"

namespace dve {

/// Where the words of one element of one stage lie.
struct LaneTraceWords {
    std::uint64_t at = 0;                                        ///< byte of the file
    lane_trace::Encoding encoding = lane_trace::Encoding::NONE;  ///< NONE, FULL or UNIFORM
};

struct LaneTraceEntry {
    std::uint64_t cycle = 0;
    std::uint32_t element = 0;
    LaneStage stage = LaneStage::READ0;
    std::uint8_t lanes = 0;
    LaneTraceWords values;
    LaneTraceWords second;
};

struct LaneTraceInstruction {
    lane_trace::InstructionBlock block;
    std::vector<LaneTraceEntry> entries;  ///< by element, then stage

    /// Mnemonic of the record, or its opcode where no generation defines it.
    std::string name() const;
};

/// Takes less memory than a small multiple of the file, whatever its bytes.
class LaneTrace {
public:
    /// `bytes` must stay as they are while the trace is used. The error says at which byte the file
    /// is malformed.
    static Result<LaneTrace> parse(const std::uint8_t* bytes, std::size_t size);

    const LaneTraceHeader& header() const { return header_; }
    Generation generation() const { return generation_; }
    /// In the order of execution.
    const std::vector<LaneTraceInstruction>& instructions() const { return instructions_; }

    std::uint32_t word(const LaneTraceWords& words, unsigned lane) const;
    /// Whether all `lanes` words are equal to those of the other trace.
    bool equal(const LaneTraceWords& words, const LaneTrace& other,
               const LaneTraceWords& other_words, unsigned lanes) const;

    struct Position {
        std::uint64_t instruction;
        std::uint32_t element;
    };
    /// Of the last value of a stage in execution order; nothing if it never appears.
    const std::optional<Position>& last(LaneStage stage) const {
        return last_[static_cast<std::size_t>(stage)];
    }

private:
    friend class LaneTraceParser;

    const std::uint8_t* bytes_ = nullptr;
    LaneTraceHeader header_;
    Generation generation_ = Generation::MARIANA;
    std::vector<LaneTraceInstruction> instructions_;
    std::array<std::optional<Position>, lane_stage_count> last_;
};

}  // namespace dve
