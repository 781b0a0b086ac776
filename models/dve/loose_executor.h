// Runs a lane program on whole tensors at once. No SystemC.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/dve/indirect_offsets.h"
#include "models/dve/walk_cursor.h"
#include "models/isa/generation.h"
#include "models/lane_program/lane_program.h"

namespace dve {

/// One FP32 accumulator per lane, shared by every instruction that accumulates (op_semantics 3.2).
struct Accumulators {
    std::array<std::uint32_t, dve_num_channels> bits{};
    std::bitset<dve_num_channels> defined;  ///< set by the program since reset or since an Idle
};

/// Things worth a line in the log, and a fault that only the values in memory can cause.
struct ExecutionNotes {
    std::optional<Fault> fault;          ///< nothing has changed then
    bool scan_ran_sequentially = false;  ///< no composition for the pair (decisions 1)
    bool partial_overlap = false;        ///< a source overlaps dst other than exactly in place
    bool accumulator_undefined = false;  ///< read before it was set (decisions 3)
};

/// What can be decided about a lane program before it runs, once for many runs.
struct ExecutionPlan {
    ElementwiseKernel kernel;  ///< the stages; into FP32 where a tail follows
    bool staged = false;       ///< results wait until all sources are read; direct operands
};

/// The executor. Results are as if all sources and scalars were read before the first write.
/// Scratch memory grows to the largest instruction seen and is then reused.
class LooseExecutor {
public:
    /// Where the operands of the next executions lie.
    void set_memories(MemoryRows sbuf, MemoryRows psum) {
        sbuf_ = sbuf;
        psum_ = psum;
    }

    /// The program must be resolved: every walk inside its partition. Valid for this model only.
    static ExecutionPlan plan(const LaneProgram& program, const NumberModel& model);

    ExecutionNotes execute(const LaneProgram& program, const ExecutionPlan& plan,
                           const NumberModel& model);
    ExecutionNotes execute(const LaneProgram& program, const NumberModel& model) {
        return execute(program, plan(program, model), model);
    }

    Accumulators& accumulators() { return accumulators_; }
    FpStatus& status() { return status_; }

private:
    struct Run;

    std::optional<Fault> read_lists(const LaneProgram& program);
    std::uint8_t* partition(const TensorOperand& operand, unsigned channel) const {
        return rows(operand.space).partition(operand.partition + channel);
    }
    const MemoryRows& rows(Space space) const { return space == Space::SBUF ? sbuf_ : psum_; }

    RowScalars load_scalars(const ScalarOperand& scalar, const LaneProgram& program,
                            std::array<std::uint32_t, dve_num_channels>& values,
                            const NumberModel& model);
    ConstRows source_block(const TensorOperand& operand, std::vector<WalkCursor>& cursors,
                           std::vector<std::uint8_t>& scratch, unsigned first_row,
                           unsigned row_count, std::size_t column, std::size_t columns);
    void store_block(Run& run, ConstRows from, unsigned first_row, unsigned row_count,
                     std::size_t column, std::size_t columns);
    void run_elementwise(Run& run);
    void run_scan(Run& run);
    void run_accumulate(Run& run);
    void run_transposed(Run& run);
    void run_cumulative(Run& run);
    void front_block(Run& run, const Rows& results, unsigned first_row, unsigned row_count,
                     std::size_t column, std::size_t columns);
    void select_block(Run& run, const ElementwiseArguments& block);
    void exponential_block(Run& run, const ElementwiseArguments& block);
    void begin_accumulation(Run& run);
    void read_accumulators(Run& run);
    void flush_staging(Run& run);

    MemoryRows sbuf_;
    MemoryRows psum_;
    Accumulators accumulators_;
    FpStatus status_;

    std::array<std::uint32_t, dve_num_channels> scalar0_{};
    std::array<std::uint32_t, dve_num_channels> scalar1_{};
    IndirectOffsets source_offsets_, destination_offsets_;
    std::vector<WalkCursor> cursors0_, cursors1_, cursors_out_;
    std::vector<std::uint8_t> scratch0_, scratch1_, scratch_out_, staging_;
    std::vector<std::uint32_t> fp32_, fp32_second_;
    std::vector<std::uint8_t> transposed_;
};

}  // namespace dve
