// The 32 x 32 transpose in front of the stages (0x93).
#include "models/dve/loose_run.h"

namespace dve {

/// Every 32 x 32 block of a quadrant's channels and consecutive elements is transposed by itself;
/// a quadrant is read whole before its results are written.
void LooseExecutor::run_transposed(Run& run) {
    const LaneProgram& program = run.program;
    constexpr unsigned side = quadrant_channels;
    const std::size_t size = program.src0.element_bytes;
    const std::size_t elements = program.elements;
    const std::size_t row_bytes = elements * size;
    const std::size_t out_row_bytes = elements * run.out_bytes();
    for (unsigned row = 0; row < program.channels; row += side) {
        const ConstRows source =
            source_block(program.src0, cursors0_, scratch0_, row, side, 0, elements);
        std::uint8_t* turned = grown(transposed_, side * row_bytes);
        for (std::size_t block = 0; block < elements; block += side) {
            for (unsigned channel = 0; channel < side; ++channel) {
                for (unsigned element = 0; element < side; ++element) {
                    std::memcpy(turned + channel * row_bytes + (block + element) * size,
                                source.data +
                                    static_cast<std::ptrdiff_t>(element) * source.row_stride +
                                    (block + channel) * size,
                                size);
                }
            }
        }
        ElementwiseArguments arguments;
        arguments.rows = side;
        arguments.columns = elements;
        arguments.src0 = {turned, static_cast<std::ptrdiff_t>(row_bytes)};
        arguments.dst = {grown(scratch_out_, side * out_row_bytes),
                         static_cast<std::ptrdiff_t>(out_row_bytes)};
        arguments.scalar0 = from_row(run.scalar0, row);
        arguments.scalar1 = from_row(run.scalar1, row);
        run.kernel.run(arguments, status_);
        store_block(run, {arguments.dst.data, arguments.dst.row_stride}, row, side, 0, elements);
    }
}

}  // namespace dve
