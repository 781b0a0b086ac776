// Resolution of two sources and a destination.
#include "models/workers/two_sources.h"

#include "models/lane_program/operands.h"

namespace dve {

std::optional<Fault> build_two_sources(const WorkerContext& context, const TwoSourceFields& fields,
                                       LaneProgram& program) {
    const Record& record = context.record;
    program.opcode = &context.opcode;
    program.channels = record.get8(fields.channels);
    const std::uint8_t pair = record.get8(fields.dtype_pair);
    program.elementwise.in0 = static_cast<Dtype>(pair & 0xFU);
    program.elementwise.in1 = static_cast<Dtype>(pair >> 4);
    program.elementwise.out = static_cast<Dtype>(record.get8(fields.out_dtype));
    program.elements = static_cast<std::uint32_t>(record.get_pattern(fields.src0).elements());
    if (auto fault = resolve_tensor(context, fields.src0, program.elementwise.in0, program.channels,
                                    false, program.src0)) {
        return fault;
    }
    if (auto fault = resolve_tensor(context, fields.src1, program.elementwise.in1, program.channels,
                                    false, program.src1)) {
        return fault;
    }
    return resolve_tensor(context, fields.dst, program.elementwise.out, program.channels, true,
                          program.dst);
}

}  // namespace dve
