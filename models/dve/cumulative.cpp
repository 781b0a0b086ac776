// TensorCumulative: the lanes step through their rows together, one element a step.
#include <cstring>

#include "models/alu/integer.h"
#include "models/dve/loose_run.h"

namespace dve {
/// Whole rows are read, then every step combines the state of all lanes with their next element.
/// FP32 state for arithmetic, raw bits for bitvec, native integers for the integer band.
void LooseExecutor::run_cumulative(Run& run) {
    const LaneProgram& program = run.program;
    const std::size_t elements = program.elements;
    const unsigned channels = program.channels;
    const unsigned in_bytes = program.src0.element_bytes;
    const std::size_t out_row_bytes = elements * run.out_bytes();
    const ElementwiseSpec& spec = program.elementwise;
    const ConstRows source =
        source_block(program.src0, cursors0_, scratch0_, 0, channels, 0, elements);
    std::uint8_t* out = grown(scratch_out_, channels * out_row_bytes);
    const auto in = [&](unsigned channel, std::size_t element) {
        return source.data + static_cast<std::ptrdiff_t>(channel) * source.row_stride +
               element * in_bytes;
    };

    if (spec.integer) {
        const IntegerType type = IntegerType::of(program.src0.dtype);
        const IntegerType result = IntegerType::of(program.dst.dtype);
        for (unsigned channel = 0; channel < channels; ++channel) {
            std::uint64_t state = 0;
            for (std::size_t i = 0; i < elements; ++i) {
                const std::uint64_t next = extend(load_raw(in(channel, i), in_bytes), type);
                state = i % program.run_elements == 0
                            ? next
                            : extend(*evaluate_integer(spec.stage0.op, state, next, type, type,
                                                       status_),
                                     type);
                const std::uint64_t stored = wrap(state, result);
                std::memcpy(out + channel * out_row_bytes + i * run.out_bytes(), &stored,
                            run.out_bytes());
            }
        }
    } else {
        const ConvertInFunction convert = convert_in(program.src0.dtype, run.model);
        const ConvertOutFunction to_out = convert_out(program.dst.dtype, run.model);
        const StageFunction step = spec.bitvec ? nullptr : stage(spec.stage0, run.model);
        const BitvecStageFunction bit_step =
            spec.bitvec ? bitvec_stage(spec.stage0, run.model) : nullptr;
        std::uint32_t* columns = grown(fp32_, elements * channels);  // element by element
        std::uint32_t* row = grown(fp32_second_, elements);
        for (unsigned channel = 0; channel < channels; ++channel) {
            if (!spec.bitvec) {
                convert(in(channel, 0), row, elements, run.model, status_);
            }
            for (std::size_t i = 0; i < elements; ++i) {
                columns[i * channels + channel] =
                    spec.bitvec ? static_cast<std::uint32_t>(load_raw(in(channel, i), in_bytes))
                                : row[i];
            }
        }
        for (std::size_t i = 1; i < elements; ++i) {
            if (i % program.run_elements == 0) {
                continue;
            }
            std::uint32_t* now = columns + i * channels;
            if (spec.bitvec) {
                bit_step(now - channels, now, now, channels, 8 * in_bytes, run.model);
            } else {
                step(now - channels, now, now, channels, run.model, status_);
            }
        }
        for (unsigned channel = 0; channel < channels; ++channel) {
            for (std::size_t i = 0; i < elements; ++i) {
                row[i] = columns[i * channels + channel];
            }
            std::uint8_t* to = out + channel * out_row_bytes;
            if (!spec.bitvec) {
                to_out(row, to, elements, run.model, status_);
                continue;
            }
            for (std::size_t i = 0; i < elements; ++i) {
                std::memcpy(to + i * in_bytes, row + i, in_bytes);
            }
        }
    }
    store_block(run, {out, static_cast<std::ptrdiff_t>(out_row_bytes)}, 0, channels, 0, elements);
}

}  // namespace dve
