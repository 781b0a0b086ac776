// What the cycle pipeline shows: the slots of its bundles, port use, lane values.
#pragma once

#include <array>
#include <cstdint>

#include "tlm/lane_observer.h"

namespace dve {

/// The slots of the bundles, in pipeline order. SPLAT and ALU share a cycle, so do ROTATE and
/// COMBINE of one pass.
enum class PipelineSlot : std::uint8_t {
    READ,
    CVT_IN,
    SPLAT0,
    ALU0,
    SPLAT1,
    ALU1,
    ROTATE1,
    COMBINE1,
    ROTATE2,
    COMBINE2,
    ROTATE4,
    COMBINE4,
    ROTATE8,
    COMBINE8,
    CARRY,
    CVT_OUT,
    WRITE,
};
inline constexpr std::size_t pipeline_slot_count = 17;
const char* pipeline_slot_name(PipelineSlot slot);
/// ALU0, ALU1, the combines and CARRY.
bool slot_has_operation(PipelineSlot slot);
bool slot_converts(PipelineSlot slot);

/// One slot in one cycle.
struct SlotSignals {
    std::uint8_t valid = 0;
    std::uint8_t operation = 0;     ///< ALU operation; the dtype of a conversion
    std::uint8_t second = 0;        ///< CVT_IN: dtype of the second source
    std::uint32_t instruction = 0;  ///< number in the order of execution
    std::uint32_t element = 0;      ///< the last of the beat
};

/// Elements of a beat whose values are shown; wider beats show the first ones. Scalars are the same
/// for all of them, and scans and accumulators take one element at a time unless
/// `alu.width_unpacked` says otherwise: of these the first is shown.
inline constexpr std::size_t shown_elements = 4;
constexpr std::size_t shown_elements_of(LaneStage stage) {
    switch (stage) {
        case LaneStage::READ0:
        case LaneStage::READ1:
        case LaneStage::CVT0:
        case LaneStage::CVT1:
        case LaneStage::ALU0:
        case LaneStage::ALU1:
        case LaneStage::CVT_OUT: return shown_elements;
        default: return 1;
    }
}
/// Values of the FP32 hub; the others are raw elements.
constexpr bool is_hub_stage(LaneStage stage) {
    return stage != LaneStage::READ0 && stage != LaneStage::READ1 && stage != LaneStage::CVT_OUT;
}

struct PipelineSignals {
    std::array<SlotSignals, pipeline_slot_count> slots{};
    std::uint8_t sbuf_read = 0;
    std::uint8_t sbuf_write = 0;
    std::uint8_t psum_read = 0;
    std::uint8_t psum_write = 0;
    std::uint32_t psum_banks = 0;  ///< a bit for each bank in use
    std::uint8_t stall = 0;        ///< StallCause + 1: PORT, BANK or HAZARD; 0: none
    std::uint32_t cycle = 0;       ///< of the run, while an instruction is in the pipeline
    std::uint8_t active = 0;       ///< an instruction is in the pipeline
    /// Last value of each stage: [stage][element of the beat][lane]. Kept for watched lanes only.
    alignas(64) std::array<std::array<std::array<std::uint32_t, 128>, shown_elements>,
                           lane_stage_count> values{};
};

}  // namespace dve
