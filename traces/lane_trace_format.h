// Layout of a lane trace file, for writer and reader. docs/lane_trace.md is the description.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/isa/generation.h"
#include "tlm/lane_observer.h"

namespace dve {

/// "name value" lines between the first line and the empty one. `generation` must be among them.
struct LaneTraceHeader {
    std::vector<std::pair<std::string, std::string>> entries;

    /// Null if there is no such name.
    const std::string* find(const std::string& name) const {
        for (const auto& [entry, value] : entries) {
            if (entry == name) {
                return &value;
            }
        }
        return nullptr;
    }
};

namespace lane_trace {

inline constexpr char first_line[] = "dve-lane-trace 1";

/// How the words of a VALUES record are stored.
enum class Encoding : std::uint8_t {
    NONE,     ///< not there; legal for the second words only
    FULL,     ///< a word for each lane
    UNIFORM,  ///< one word for all lanes
    SAME,     ///< no word: as in the VALUES record before, of the same instruction and stage
};

/// In front of every record: a tag that reads as four letters in a dump of the file.
inline constexpr std::uint32_t instruction_tag = 0x54534E49;  // INST
inline constexpr std::uint32_t values_tag = 0x534C4156;       // VALS

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "words are written as they lie in memory");

struct InstructionBlock {
    std::uint32_t tag = instruction_tag;
    std::uint32_t channels = 0;
    std::uint64_t index = 0;
    std::uint64_t record_index = 0;
    std::uint64_t elements = 0;
    std::uint64_t issue_cycle = 0;
    std::uint64_t start_cycle = 0;
    Record record;
};
struct ValuesBlock {
    std::uint32_t tag = values_tag;
    std::uint8_t stage = 0;
    Encoding values = Encoding::FULL;
    Encoding second = Encoding::NONE;
    std::uint8_t reserved = 0;
    std::uint32_t element = 0;
    std::uint32_t lanes = 0;
    std::uint64_t instruction = 0;
    std::uint64_t cycle = 0;
    // The words of `values`, then those of `second`.
};
static_assert(sizeof(InstructionBlock) == 112 && sizeof(ValuesBlock) == 32);

}  // namespace lane_trace
}  // namespace dve
