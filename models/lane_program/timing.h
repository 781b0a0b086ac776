// The cost of a lane program in closed form (timing.md of the design: ports, streams, recurrences),
// and the pipeline's bookkeeping between instructions.
//
// All figures are engine cycles unless a unit is named.
#pragma once

#include <array>
#include <cstddef>
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
    bool psum_parallel_banks = true;  ///< users of different PSUM banks do not meet
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

/// What limits how fast elements leave the READ stage.
enum class Resource : std::uint8_t {
    SBUF_READ,
    PSUM_READ,
    SBUF_READ_STRIDED,
    PSUM_READ_STRIDED,
    WRITE,
    WRITE_STRIDED,
    ALU,
    RECURRENCE,
    ACCUMULATOR,  ///< read-out of the accumulators
};
inline constexpr std::size_t resource_count = 9;

/// An element needs `need` units of a resource that gives `capacity` units a cycle.
struct ResourceDemand {
    std::uint64_t need = 0;
    std::uint64_t capacity = 1;
};
using ResourceDemands = std::array<ResourceDemand, resource_count>;
ResourceDemands resource_demands(const LaneProgram& program, Generation generation,
                                 const TimingParameters& parameters);

/// Cycles from the READ of an element to its entry into each stage.
struct StageOffsets {
    std::uint32_t convert_in = 0;
    std::uint32_t alu0 = 0;
    std::uint32_t alu1 = 0;
    std::uint32_t scan = 0;   ///< the first rotate-combine pass
    std::uint32_t carry = 0;  ///< the carry combine, or a sequential prefix
    std::uint32_t convert_out = 0;
    std::uint32_t write = 0;
    std::uint32_t visible = 0;  ///< the write can be read
};
StageOffsets stage_offsets(const LaneProgram& program, const TimingParameters& parameters);

/// A scan that goes through the network; else it runs element by element (decisions 1).
bool scans_in_network(const LaneProgram& program);

/// What one instruction costs by itself.
struct InstructionCost {
    std::uint64_t beats = 0;        ///< cycles in the READ stage
    std::uint32_t latency = 0;      ///< from a beat's READ to its write being visible
    std::uint32_t first_write = 0;  ///< least distance from start to the first visible write
    bool uses_accumulator = false;
    /// From start to the first use of the accumulator, and from the last READ to its last use.
    std::uint32_t accumulator_first = 0;
    std::uint32_t accumulator_last = 0;
};
InstructionCost instruction_cost(const LaneProgram& program, Generation generation,
                                 const TimingParameters& parameters);

/// Bytes of a range of partitions.
struct MemoryRegion {
    Space space = Space::SBUF;
    std::uint32_t first_partition = 0;
    std::uint32_t last_partition = 0;
    std::int64_t low = 0;  ///< bytes of each partition: [low, high)
    std::int64_t high = 0;

    static MemoryRegion of(const TensorOperand& operand, unsigned channels);
    static MemoryRegion of(const ScalarOperand& scalar, unsigned channels);
    static MemoryRegion of(const IndexList& list);
    bool overlaps(const MemoryRegion& other) const {
        return space == other.space && first_partition <= other.last_partition &&
               other.first_partition <= last_partition && low < other.high && other.low < high;
    }
};

/// The bounding regions that a program reads: sources, index lists, pointer scalars.
struct ReadRegions {
    std::array<MemoryRegion, 7> regions;
    unsigned count = 0;

    explicit ReadRegions(const LaneProgram& program);
    const MemoryRegion* begin() const { return regions.data(); }
    const MemoryRegion* end() const { return regions.data() + count; }
};

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
    /// A region until whose cycle earlier instructions write it.
    struct PendingWrite {
        MemoryRegion region;
        std::uint64_t until;
    };
    std::uint64_t after_hazards(const LaneProgram& program, const InstructionCost& cost,
                                std::uint64_t start) const;

    bool any_ = false;
    std::uint64_t last_start_ = 0;
    std::uint64_t last_read_done_ = 0;
    std::uint64_t drained_ = 0;
    std::uint64_t accumulator_ready_ = 0;  ///< the accumulators hold all results placed so far
    std::vector<PendingWrite> writes_;
};

}  // namespace dve
