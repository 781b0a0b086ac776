// An instruction inside the cycle pipeline, between SETUP and its last visible write.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "models/dve/cycle_pipeline.h"
#include "models/dve/loose_run.h"

namespace dve {

inline constexpr std::uint64_t no_cycle = std::numeric_limits<std::uint64_t>::max();

/// Where the elements of an operand lie, one after the other, in each lane.
class LaneWalk {
public:
    void begin(const TensorOperand& operand, const IndirectOffsets* lists) {
        operand_ = &operand;
        lists_ = operand.list.used ? lists : nullptr;
        walk_ = ElementWalk(operand);
        element_ = 0;
    }
    const TensorOperand& operand() const { return *operand_; }
    /// Byte of the next element in lane 0.
    std::int64_t offset() const {
        return lists_ == nullptr ? walk_.offset() : lists_->of_channel(0)[element_];
    }
    /// The next element of all lanes to and from a contiguous plane.
    void gather(const MemoryRows& rows, std::uint8_t* to, unsigned lanes);
    void scatter(const MemoryRows& rows, const std::uint8_t* from, unsigned lanes);
    void advance() {
        ++element_;
        if (lists_ == nullptr) {
            walk_.advance();
        }
    }

private:
    const TensorOperand* operand_ = nullptr;
    const IndirectOffsets* lists_ = nullptr;
    ElementWalk walk_;
    std::uint32_t element_ = 0;
};

/// One source on its way into READ: from memory, or from a copy where a destination overlaps it.
struct SourceReader {
    LaneWalk walk;
    std::vector<std::uint8_t> copy;  ///< [element][lane], if it was taken
    bool copied = false;

    void read(const MemoryRows& rows, std::uint32_t element, std::uint8_t* to, unsigned lanes) {
        if (copied) {
            const std::size_t row = std::size_t{lanes} * walk.operand().element_bytes;
            std::memcpy(to, copy.data() + element * row, row);
        } else {
            walk.gather(rows, to, lanes);
        }
        walk.advance();
    }
    void take_copy(const MemoryRows& rows, std::uint32_t elements, unsigned lanes) {
        const std::size_t row = std::size_t{lanes} * walk.operand().element_bytes;
        std::uint8_t* to = grown(copy, elements * row);
        LaneWalk all = walk;
        for (std::uint32_t element = 0; element < elements; ++element, all.advance()) {
            all.gather(rows, to + element * row, lanes);
        }
        copied = true;
    }
};

/// An instruction between SETUP and its last visible write.
struct CyclePipeline::Flight {
    LaneProgram program;
    ExecutionPlan plan;
    NumberModel model;
    std::uint64_t tag = 0;
    std::uint64_t ready_cycle = 0;
    RetireRecord shown;
    InstructionCost cost;
    StageOffsets at;
    LaneStages stages;
    StallCycles stalls{};

    std::uint64_t start_time = 0;              ///< pipe time of the first READ
    std::uint64_t last_read_time = 0;          ///< pipe time of the last one, once all are read
    std::uint64_t candidate_cycle = no_cycle;  ///< it could start, hazards aside
    bool read_reported = false;
    bool overwrites_list = false;

    /// Resources that limit READ, with what they have given and nobody has used.
    struct Limit {
        std::uint64_t need;
        std::uint64_t capacity;
        std::uint64_t credit;
    };
    std::array<Limit, resource_count> limits;
    unsigned limit_count = 0;

    std::uint32_t issued = 0;            ///< elements read
    std::vector<std::uint32_t> history;  ///< `issued` at the end of each pipe cycle, a ring
    /// Elements that each stage has done.
    struct Progress {
        std::uint32_t convert_in = 0;
        std::uint32_t alu0 = 0;
        std::uint32_t alu1 = 0;
        std::array<std::uint32_t, scan_passes> passes{};
        std::uint32_t carry = 0;
        std::uint32_t convert_out = 0;
        std::uint32_t write = 0;
        std::uint32_t visible = 0;
    } done;

    SourceReader source0;
    SourceReader source1;
    LaneWalk dst;        ///< of the writes that become visible
    LaneWalk dst_write;  ///< of the writes that enter WRITE
    IndirectOffsets source_lists;
    IndirectOffsets dst_lists;
    std::vector<std::uint8_t> block;  ///< 0x93: 32 elements before their transpose

    // Elements between READ and WRITE, a ring.
    std::vector<std::uint8_t> storage;
    std::uint8_t* planes = nullptr;
    std::size_t plane_bytes = 0;
    std::size_t slot_mask = 0;

    LaneElement element(std::uint32_t index) const {
        std::uint8_t* slot = planes + (index & slot_mask) * 2 * plane_bytes;
        return {slot, slot + plane_bytes, index};
    }
    unsigned lanes() const { return program.channels; }
    bool all_read() const { return issued == program.elements; }
    bool all_visible() const { return done.visible == program.elements; }
    /// Folds into the accumulators behind ALU1; else behind CVT_OUT.
    bool accumulates_early() const {
        return program.tail == Tail::ACCUMULATE && (program.emit || !program.tap_after_conversion);
    }
    bool accumulates_late() const {
        return program.tail == Tail::ACCUMULATE && !accumulates_early();
    }
    bool carries_maps() const {
        return program.recurrence == ScanRecurrence::CARRIED && scans_in_network(program);
    }

    void begin_ring();

    /// READ in one pipe cycle: the number of elements that the resources have let through by then.
    std::uint32_t elements_to_read();

    /// Elements that have entered the stage at `offset` by pipe cycle `k` of the instruction.
    std::uint32_t due(std::uint64_t k, std::uint64_t offset) const {
        return k >= offset ? history[(k - offset) & (history.size() - 1)] : 0;
    }
    /// Runs `stage` (element, number in the beat) on what enters a stage in pipe cycle `k`.
    template <typename Stage>
    void each(std::uint32_t& entered, std::uint64_t k, std::uint64_t offset, Stage stage) {
        const std::uint32_t until = due(k, offset);
        for (std::uint32_t beat = 0; entered < until; ++entered, ++beat) {
            stage(element(entered), beat);
        }
    }
};

}  // namespace dve
