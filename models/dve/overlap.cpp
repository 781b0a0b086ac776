// Bounding regions of operands, held against each other.
#include "models/dve/overlap.h"

namespace dve {
namespace {

/// Bytes that an instruction touches in each of some partitions.
struct Touched {
    Space space;
    unsigned partition;
    unsigned partitions;
    std::int64_t low;
    std::int64_t high;

    bool overlaps(const Touched& other) const {
        return space == other.space && partition < other.partition + other.partitions &&
               other.partition < partition + partitions && low < other.high && other.low < high;
    }
};

Touched touched(const TensorOperand& operand, unsigned channels, const IndirectOffsets& offsets) {
    const bool listed = operand.list.used;
    return {operand.space, operand.partition, channels, listed ? offsets.low() : operand.low,
            listed ? offsets.high() : operand.high};
}

}  // namespace

bool results_wait(const LaneProgram& program, const IndirectOffsets& source,
                  const IndirectOffsets& destination) {
    if (!program.store) {
        return false;
    }
    const Touched written = touched(program.dst, program.channels, destination);
    const bool injective = program.dst.injective();
    for (const TensorOperand* operand : {&program.src0, &program.src1}) {
        if (operand->used && touched(*operand, program.channels, source).overlaps(written) &&
            !(injective && operand->same_walk(program.dst))) {
            return true;
        }
    }
    return false;
}

bool overwrites_list(const LaneProgram& program, const IndirectOffsets& destination) {
    const Touched written = touched(program.dst, program.channels, destination);
    for (const TensorOperand* operand : {&program.src0, &program.dst}) {
        const IndexList& list = operand->list;
        if (program.store && list.used &&
            written.overlaps({list.space, list.partition, list.partitions, list.low, list.high})) {
            return true;
        }
    }
    return false;
}

}  // namespace dve
