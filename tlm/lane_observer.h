// Every value of every lane in every stage, as the cycle pipeline computes it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tlm/retire_record.h"

namespace dve {

/// The stages a value passes, in the order of the pipeline. Not every instruction uses all.
enum class LaneStage : std::uint8_t {
    READ0,   ///< raw element of the first source
    READ1,   ///< raw element of the second source
    CVT0,    ///< first source as the ALU sees it: FP32 bits, or zero-extended raw bits
    CVT1,    ///< second source likewise
    SPLAT0,  ///< scalar beside ALU0, broadcast
    ALU0,
    SPLAT1,  ///< scalar beside ALU1
    ALU1,
    PASS1,  ///< after the rotate-combine pass of stride 1; then 2, 4, 8
    PASS2,
    PASS4,
    PASS8,
    CARRY,        ///< after the carry combine, or the step of a sequential prefix
    ACCUMULATOR,  ///< the lane's accumulator after this element
    CVT_OUT,      ///< raw element as it is written
};
inline constexpr std::size_t lane_stage_count = 15;

inline const char* lane_stage_name(LaneStage stage) {
    static constexpr const char* names[lane_stage_count] = {
        "READ0", "READ1", "CVT0",  "CVT1",  "SPLAT0", "ALU0",        "SPLAT1", "ALU1",
        "PASS1", "PASS2", "PASS4", "PASS8", "CARRY",  "ACCUMULATOR", "CVT_OUT"};
    return names[static_cast<std::size_t>(stage)];
}

/// One element of all lanes in one stage.
struct LaneValues {
    std::uint64_t instruction = 0;  ///< RetireRecord::index
    std::uint64_t cycle = 0;
    LaneStage stage = LaneStage::READ0;
    std::uint32_t element = 0;  ///< in linear order
    unsigned lanes = 0;
    const std::uint32_t* values = nullptr;  ///< [lanes]
    /// [lanes] or null: the upper halves of 64-bit elements, or b of a scan's map (a, b).
    const std::uint32_t* second = nullptr;
};

class LaneObserver {
public:
    virtual ~LaneObserver() = default;
    /// Before the first value of an instruction. Of the record only index, record_index, record,
    /// opcode, issue_cycle, start_cycle, channels and elements are set.
    virtual void begins(const RetireRecord& instruction) = 0;
    virtual void values(const LaneValues& values) = 0;
};

}  // namespace dve
