// Whole-tensor execution: blocks of rows and columns through the vector kernels.
#include "models/dve/loose_executor.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "models/alu/evaluate.h"
#include "models/alu/exponential.h"
#include "models/dve/loose_run.h"
#include "models/dve/overlap.h"

namespace dve {
RowScalars LooseExecutor::load_scalars(const ScalarOperand& scalar, const LaneProgram& program,
                                       std::array<std::uint32_t, dve_num_channels>& values,
                                       const NumberModel& model) {
    if (scalar.source != ScalarOperand::Source::POINTER) {
        values[0] = scalar.bits;
        return {values.data(), 0};
    }
    const unsigned size = element_bytes(scalar.dtype);
    for (unsigned channel = 0; channel < program.channels; ++channel) {
        const std::uint64_t raw =
            load_raw(rows(scalar.space).partition(scalar.partition + channel) + scalar.byte, size);
        const bool raw_bits = program.elementwise.bitvec || program.elementwise.integer;
        values[channel] =
            raw_bits ? static_cast<std::uint32_t>(raw) : to_fp32(scalar.dtype, raw, model, status_);
    }
    return {values.data(), 1};
}

ConstRows LooseExecutor::source_block(const TensorOperand& operand,
                                      std::vector<WalkCursor>& cursors,
                                      std::vector<std::uint8_t>& scratch, unsigned first_row,
                                      unsigned row_count, std::size_t column, std::size_t columns) {
    const std::size_t size = operand.element_bytes;
    if (operand.contiguous()) {
        return {partition(operand, first_row) + operand.byte + column * size,
                rows(operand.space).stride};
    }
    if (column == 0) {
        cursors.clear();
        for (unsigned row = 0; row < row_count; ++row) {
            cursors.emplace_back(
                operand, operand.list.used ? source_offsets_.of_channel(first_row + row) : nullptr);
        }
    }
    const std::size_t row_bytes = columns * size;
    std::uint8_t* block = grown(scratch, row_count * row_bytes);
    for (unsigned row = 0; row < row_count; ++row) {
        cursors[row].gather(partition(operand, first_row + row), block + row * row_bytes, columns);
    }
    return {block, static_cast<std::ptrdiff_t>(row_bytes)};
}

/// Results in the output type go to dst, or to staging_ while sources are still being read.
void LooseExecutor::store_block(Run& run, ConstRows from, unsigned first_row, unsigned row_count,
                                std::size_t column, std::size_t columns) {
    const TensorOperand& dst = run.program.dst;
    const std::size_t size = run.out_bytes();
    if (run.staged) {
        for (unsigned row = 0; row < row_count; ++row) {
            const std::size_t element =
                std::size_t{first_row + row} * run.program.elements + column;
            std::memcpy(staging_.data() + element * size, from.data + row * from.row_stride,
                        columns * size);
        }
        return;
    }
    if (column == 0) {
        cursors_out_.clear();
        for (unsigned row = 0; row < row_count; ++row) {
            cursors_out_.emplace_back(dst, destination_offsets_.of_channel(first_row + row));
        }
    }
    for (unsigned row = 0; row < row_count; ++row) {
        cursors_out_[row].scatter(partition(dst, first_row + row),
                                  from.data + row * from.row_stride, columns);
    }
}

void LooseExecutor::flush_staging(Run& run) {
    const std::size_t row_bytes = run.program.elements * run.out_bytes();
    run.staged = false;
    for (unsigned row = 0; row < run.program.channels; ++row) {
        WalkCursor cursor(run.program.dst, destination_offsets_.of_channel(row));
        cursor.scatter(partition(run.program.dst, row), staging_.data() + row * row_bytes,
                       run.program.elements);
    }
}

void LooseExecutor::run_elementwise(Run& run) {
    const LaneProgram& program = run.program;
    const std::size_t elements = program.elements;
    const bool direct = program.dst.contiguous() && !run.staged;
    const bool sources_direct =
        program.src0.contiguous() && (!program.src1.used || program.src1.contiguous());

    // Everything in place: one call. Else blocks that stay in the first-level cache.
    const bool one_call = direct && sources_direct;
    const std::size_t columns_per_block =
        one_call ? elements : std::min(elements, loose_block_elements);
    const unsigned rows_per_block =
        one_call ? program.channels
                 : static_cast<unsigned>(std::clamp<std::size_t>(loose_block_elements / elements, 1,
                                                                 program.channels));
    for (unsigned row = 0; row < program.channels; row += rows_per_block) {
        const unsigned row_count = std::min(rows_per_block, program.channels - row);
        for (std::size_t column = 0; column < elements; column += columns_per_block) {
            const std::size_t columns = std::min(columns_per_block, elements - column);
            ElementwiseArguments arguments;
            arguments.rows = row_count;
            arguments.columns = columns;
            arguments.src0 =
                source_block(program.src0, cursors0_, scratch0_, row, row_count, column, columns);
            if (program.src1.used) {
                arguments.src1 = source_block(program.src1, cursors1_, scratch1_, row, row_count,
                                              column, columns);
            }
            arguments.scalar0 = from_row(run.scalar0, row);
            arguments.scalar1 = from_row(run.scalar1, row);
            const std::size_t row_bytes = columns * run.out_bytes();
            if (direct) {
                arguments.dst = {
                    partition(program.dst, row) + program.dst.byte + column * run.out_bytes(),
                    rows(program.dst.space).stride};
                run.kernel.run(arguments, status_);
            } else {
                arguments.dst = {grown(scratch_out_, row_count * row_bytes),
                                 static_cast<std::ptrdiff_t>(row_bytes)};
                run.kernel.run(arguments, status_);
                store_block(run, {arguments.dst.data, arguments.dst.row_stride}, row, row_count,
                            column, columns);
            }
        }
    }
}

void LooseExecutor::run_scan(Run& run) {
    const LaneProgram& program = run.program;
    const std::size_t elements = program.elements;
    const auto fp32_stride = static_cast<std::ptrdiff_t>(elements * sizeof(std::uint32_t));
    const bool carried = program.recurrence == ScanRecurrence::CARRIED;
    const ConvertInFunction convert0 = convert_in(program.src0.dtype, run.model);
    const ConvertInFunction convert1 = convert_in(program.src1.dtype, run.model);
    const ConvertOutFunction convert = convert_out(program.dst.dtype, run.model);
    const std::size_t row_bytes = elements * run.out_bytes();

    for (unsigned row = 0; row < program.channels; row += interleaved_rows) {
        const unsigned row_count = std::min(interleaved_rows, program.channels - row);
        const ConstRows src0 =
            source_block(program.src0, cursors0_, scratch0_, row, row_count, 0, elements);
        const ConstRows src1 =
            source_block(program.src1, cursors1_, scratch1_, row, row_count, 0, elements);
        std::uint32_t* state = grown(fp32_, row_count * elements);
        const Rows result{reinterpret_cast<std::uint8_t*>(state), fp32_stride};
        if (carried) {
            std::uint32_t* second = grown(fp32_second_, row_count * elements);
            for (unsigned r = 0; r < row_count; ++r) {
                convert0(src0.data + r * src0.row_stride, state + r * elements, elements, run.model,
                         status_);
                convert1(src1.data + r * src1.row_stride, second + r * elements, elements,
                         run.model, status_);
            }
            const bool composed = carried_scan(
                program.elementwise.stage0, program.elementwise.stage1, program.order,
                {result.data, fp32_stride}, {reinterpret_cast<std::uint8_t*>(second), fp32_stride},
                result, row_count, elements, from_row(run.scalar0, row), run.model, status_);
            run.notes.scan_ran_sequentially |=
                !composed && program.order == ScanOrder::ROTATE_COMBINE;
        } else {
            ElementwiseArguments arguments;
            arguments.rows = row_count;
            arguments.columns = elements;
            arguments.src0 = src0;
            arguments.src1 = src1;
            arguments.dst = result;
            arguments.scalar0 = from_row(run.scalar0, row);
            arguments.scalar1 = from_row(run.scalar1, row);
            run.kernel.run(arguments, status_);
            prefix_scan(program.combine, program.order, result, row_count, elements, run.model,
                        status_);
        }
        std::uint8_t* out = grown(scratch_out_, row_count * row_bytes);
        for (unsigned r = 0; r < row_count; ++r) {
            convert(state + r * elements, out + r * row_bytes, elements, run.model, status_);
        }
        store_block(run, {out, static_cast<std::ptrdiff_t>(row_bytes)}, row, row_count, 0,
                    elements);
    }
}

void LooseExecutor::read_accumulators(Run& run) {
    const LaneProgram& program = run.program;
    const std::uint32_t sign = program.negated ? 0x80000000U : 0U;
    for (unsigned channel = 0; channel < program.channels; ++channel) {
        run.notes.accumulator_undefined |= !accumulators_.defined[channel];
        const std::uint64_t raw =
            from_fp32(program.dst.dtype, accumulators_.bits[channel] ^ sign, run.model, status_);
        std::memcpy(partition(program.dst, channel) + program.dst.byte, &raw, run.out_bytes());
    }
}

ExecutionPlan LooseExecutor::plan(const LaneProgram& program, const NumberModel& model) {
    ExecutionPlan plan;
    if (program.tail == Tail::READ_ACCUMULATOR) {
        return plan;
    }
    ElementwiseSpec stages = program.elementwise;
    if (program.tail != Tail::STORE) {
        stages.out = Dtype::FP32;
    }
    if (program.front == Front::EXPONENTIAL) {
        stages.stage0 = {AluOp::SUBTRACT, false, StageOperand::SCALAR};
    }
    if (program.tail != Tail::CUMULATIVE) {
        plan.kernel = ElementwiseKernel::select(stages, model);
    }
    if (!program.src0.list.used && !program.dst.list.used) {
        plan.staged = results_wait(program, IndirectOffsets(), IndirectOffsets());
    }
    return plan;
}

/// The lists are read before anything else happens, so that a fault leaves no trace.
std::optional<Fault> LooseExecutor::read_lists(const LaneProgram& program) {
    if (auto fault = source_offsets_.read(program.src0, program.channels, program.elements,
                                          rows(program.src0.list.space), "src_mem_pattern")) {
        return fault;
    }
    return destination_offsets_.read(program.dst, program.channels, program.elements,
                                     rows(program.dst.list.space), "dst_mem_pattern");
}

ExecutionNotes LooseExecutor::execute(const LaneProgram& program, const ExecutionPlan& plan,
                                      const NumberModel& model) {
    Run run{program, plan.kernel, model};
    if (auto fault = read_lists(program)) {
        run.notes.fault = std::move(fault);
        return run.notes;
    }
    run.scalar0 = load_scalars(program.scalar0, program, scalar0_, model);
    run.scalar1 = load_scalars(program.scalar1, program, scalar1_, model);
    run.staged = plan.staged;
    if (program.src0.list.used || program.dst.list.used) {
        run.staged = results_wait(program, source_offsets_, destination_offsets_);
    }
    run.notes.partial_overlap = run.staged || overwrites_list(program, destination_offsets_);
    if (run.staged) {
        grown(staging_, std::size_t{program.channels} * program.elements * run.out_bytes());
    }
    switch (program.tail) {
        case Tail::STORE: program.transposed ? run_transposed(run) : run_elementwise(run); break;
        case Tail::SCAN: run_scan(run); break;
        case Tail::ACCUMULATE: run_accumulate(run); break;
        case Tail::READ_ACCUMULATOR: read_accumulators(run); break;
        case Tail::CUMULATIVE: run_cumulative(run); break;
    }
    if (run.staged) {
        flush_staging(run);
    }
    if (program.forgets_accumulator) {
        for (unsigned channel = 0; channel < program.channels; ++channel) {
            accumulators_.defined[channel] = false;
        }
    }
    return run.notes;
}

}  // namespace dve
