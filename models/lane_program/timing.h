// The cost of a lane program in closed form (timing.md of the design: ports, streams, recurrences),
// and the pipeline's bookkeeping between instructions.
//
// All figures are engine cycles unless a unit is named.
#pragma once

#include <cstdint>
#include <vector>

#include "models/isa/generation.h"
#include "models/lane_program/lane_program.h"

namespace dve {

/// Port widths and latencies; every member is a parameter (platform/parameters).
struct TimingParameters {
    // Per generation, from for_generation.
    std::uint32_t sbuf_read_bytes = 8;  ///< per lane and cycle, shared by all SBUF sources
    std::uint32_t psum_read_bytes = 4;
    std::uint32_t sbuf_write_bytes = 8;
    std::uint32_t psum_write_bytes = 4;
    std::uint32_t slot_bytes = 4;        ///< an unpacked element takes at least this much of a port
    std::uint32_t strided_accesses = 2;  ///< per port and cycle, when the inner step is not 1
    std::uint32_t alu_width_packed = 4;  ///< elements per lane and cycle
    std::uint32_t alu_width_unpacked = 1;
    // The same on every generation.
    std::uint32_t initiation_interval = 64;
    std::uint32_t read_accumulator = 64;
    std::uint32_t sbuf_read_latency = 60;
    std::uint32_t psum_read_latency = 60;
    std::uint32_t convert_in = 1;
    std::uint32_t alu0 = 1;
    std::uint32_t alu1 = 1;
    std::uint32_t scan_pass = 1;
    std::uint32_t scan_carry = 1;
    std::uint32_t scan_latency = 1;  ///< recurrence of a sequential prefix, per element
    std::uint32_t convert_out = 1;
    std::uint32_t write_latency = 32;  ///< until a write is visible

    static TimingParameters for_generation(Generation generation);
};

/// Whether 16-bit (from MARIANA on also 8-bit float) elements travel packed: the packing table.
bool is_packed(const LaneProgram& program, Generation generation);

/// What one instruction costs by itself.
struct InstructionCost {
    std::uint64_t beats = 0;    ///< cycles in the READ stage
    std::uint32_t latency = 0;  ///< from a beat's READ to its write being visible
};
InstructionCost instruction_cost(const LaneProgram& program, Generation generation,
                                 const TimingParameters& parameters);

/// When an instruction ran. start_cycle: its first READ request; read_done: the READ stage is free
/// again; end_cycle: one past the cycle in which its last write is visible.
struct InstructionTimes {
    std::uint64_t start_cycle = 0;
    std::uint64_t read_done_cycle = 0;
    std::uint64_t end_cycle = 0;
    std::uint64_t hazard_stall = 0;
};

/// Places instructions in the pipeline one after another, in program order.
class PipelineSchedule {
public:
    void reset() { *this = PipelineSchedule(); }

    /// `ready_cycle`: first cycle after DISPATCH in which it could start.
    InstructionTimes place(const LaneProgram& program, const InstructionCost& cost,
                           std::uint64_t ready_cycle, const TimingParameters& parameters);

    /// The SETUP slot is free from here on: the last instruction has started.
    std::uint64_t last_start() const { return last_start_; }
    /// All writes placed so far are visible from here on.
    std::uint64_t drained() const { return drained_; }

private:
    /// Bytes of a range of partitions that are still being written.
    struct Region {
        Space space;
        std::uint32_t first_partition;
        std::uint32_t last_partition;
        std::int64_t low;
        std::int64_t high;
        std::uint64_t until;

        bool overlaps(const Region& other) const {
            return space == other.space && first_partition <= other.last_partition &&
                   other.first_partition <= last_partition && low < other.high && other.low < high;
        }
    };
    static Region region(const TensorOperand& operand, unsigned channels, std::uint64_t until);
    std::uint64_t wait_for(const Region& read, std::uint64_t start) const;

    bool any_ = false;
    std::uint64_t last_start_ = 0;
    std::uint64_t last_read_done_ = 0;
    std::uint64_t drained_ = 0;
    std::vector<Region> writes_;
};

}  // namespace dve
