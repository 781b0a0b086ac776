// DveReadAccumulator: one element per lane out of the accumulator, optionally negated (0x9B).
#include "models/lane_program/operands.h"
#include "models/workers/workers.h"

namespace dve {

std::optional<Fault> build_DVE_READ_ACCUMULATOR(const WorkerContext& context,
                                                LaneProgram& program) {
    using namespace fields::D1_RD;
    const Record& record = context.record;
    program.opcode = &context.opcode;
    program.channels = record.get8(num_active_channels);
    program.elements = 1;
    program.tail = Tail::READ_ACCUMULATOR;
    program.negated = record.get8(negated) != 0;
    const auto out = static_cast<Dtype>(record.get8(dtype));
    program.elementwise.out = out;
    return resolve_tensor(context, dst_mem_pattern, out, program.channels, true, program.dst);
}

}  // namespace dve
