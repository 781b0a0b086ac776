// Instructions that fold their results into the lanes' accumulators, and the fronts before them.
#include <algorithm>

#include "models/alu/exponential.h"
#include "models/dve/loose_run.h"

namespace dve {

void LooseExecutor::begin_accumulation(Run& run) {
    const LaneProgram& program = run.program;
    for (unsigned channel = 0; channel < program.channels; ++channel) {
        switch (program.accumulate) {
            case AccumCmd::ZERO_ACCUMULATE: accumulators_.bits[channel] = program.identity; break;
            case AccumCmd::LOAD_ACCUMULATE:
                accumulators_.bits[channel] = run.scalar1.values[channel * run.scalar1.stride];
                break;
            default: run.notes.accumulator_undefined |= !accumulators_.defined[channel]; break;
        }
        accumulators_.defined[channel] = true;
    }
}

/// FP32 results of the front for a block of rows and columns.
void LooseExecutor::front_block(Run& run, const Rows& results, unsigned first_row,
                                unsigned row_count, std::size_t column, std::size_t columns) {
    const LaneProgram& program = run.program;
    ElementwiseArguments block;
    block.rows = row_count;
    block.columns = columns;
    block.src0 =
        source_block(program.src0, cursors0_, scratch0_, first_row, row_count, column, columns);
    if (program.src1.used) {
        block.src1 =
            source_block(program.src1, cursors1_, scratch1_, first_row, row_count, column, columns);
    }
    block.dst = results;
    block.scalar0 = from_row(run.scalar0, first_row);
    block.scalar1 = from_row(run.scalar1, first_row);
    switch (program.front) {
        case Front::STAGES: run.kernel.run(block, status_); break;
        case Front::SELECT: select_block(run, block); break;
        case Front::EXPONENTIAL: exponential_block(run, block); break;
    }
}

void LooseExecutor::select_block(Run& run, const ElementwiseArguments& block) {
    const LaneProgram& program = run.program;
    const unsigned size = program.src0.element_bytes;
    const ConvertInFunction convert = convert_in(program.src1.dtype, run.model);
    for (std::size_t row = 0; row < block.rows; ++row) {
        const auto r = static_cast<std::ptrdiff_t>(row);
        const std::uint8_t* predicate = block.src0.data + r * block.src0.row_stride;
        auto* result = reinterpret_cast<std::uint32_t*>(block.dst.data + r * block.dst.row_stride);
        const std::uint32_t otherwise = block.scalar0.values[row * block.scalar0.stride];
        convert(block.src1.data + r * block.src1.row_stride, result, block.columns, run.model,
                status_);
        for (std::size_t i = 0; i < block.columns; ++i) {
            const bool chosen =
                (load_raw(predicate + i * size, size) != 0) != program.select_inverted;
            result[i] = chosen ? result[i] : otherwise;
        }
    }
}

void LooseExecutor::exponential_block(Run& run, const ElementwiseArguments& block) {
    run.kernel.run(block, status_);  // src - imm0, rounded to FP32
    for (std::size_t row = 0; row < block.rows; ++row) {
        auto* result = reinterpret_cast<std::uint32_t*>(
            block.dst.data + static_cast<std::ptrdiff_t>(row) * block.dst.row_stride);
        exponential(result, block.columns, run.model, status_);
    }
}

void LooseExecutor::run_accumulate(Run& run) {
    const LaneProgram& program = run.program;
    const bool accumulates = program.accumulate != AccumCmd::IDLE;
    if (accumulates) {
        begin_accumulation(run);
    }
    const ConvertOutFunction to_out = convert_out(program.dst.dtype, run.model);
    const ConvertInFunction from_out = convert_in(program.dst.dtype, run.model);
    const std::size_t elements = program.elements;

    for (unsigned row = 0; row < program.channels; row += interleaved_rows) {
        const unsigned row_count = std::min(interleaved_rows, program.channels - row);
        for (std::size_t column = 0; column < elements; column += loose_block_elements) {
            const std::size_t columns = std::min(loose_block_elements, elements - column);
            const auto fp32_stride = static_cast<std::ptrdiff_t>(columns * sizeof(std::uint32_t));
            std::uint32_t* results = grown(fp32_, row_count * columns);
            const Rows fp32{reinterpret_cast<std::uint8_t*>(results), fp32_stride};
            front_block(run, fp32, row, row_count, column, columns);

            const std::size_t row_bytes = columns * run.out_bytes();
            std::uint8_t* out = grown(scratch_out_, row_count * row_bytes);
            const auto convert = [&](bool back) {
                for (unsigned r = 0; r < row_count; ++r) {
                    to_out(results + r * columns, out + r * row_bytes, columns, run.model, status_);
                    if (back) {
                        from_out(out + r * row_bytes, results + r * columns, columns, run.model,
                                 status_);
                    }
                }
            };
            const auto fold = [&] {
                const Rows* emitted = program.emit ? &fp32 : nullptr;
                if (accumulates) {
                    accumulate(program.accumulate_op, {fp32.data, fp32_stride}, row_count, columns,
                               accumulators_.bits.data() + row, emitted, run.model, status_);
                }
            };
            // With `emit` dst takes the accumulator, so it is converted behind it.
            if (!program.emit && (program.store || program.tap_after_conversion)) {
                convert(program.tap_after_conversion);
            }
            fold();
            if (program.emit) {
                convert(false);
            }
            if (program.store) {
                store_block(run, {out, static_cast<std::ptrdiff_t>(row_bytes)}, row, row_count,
                            column, columns);
            }
        }
    }
}

}  // namespace dve
