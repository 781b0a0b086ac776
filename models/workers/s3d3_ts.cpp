// Operands of an S3D3_TS record (isa_wire_format 4.1).
#include "models/workers/s3d3_ts.h"

#include "models/lane_program/operands.h"

namespace dve {

std::optional<Fault> build_s3d3_ts(const WorkerContext& context, LaneProgram& program) {
    using namespace fields::S3D3_TS;
    const Record& record = context.record;
    program.opcode = &context.opcode;
    program.channels = record.get8(num_active_channels);
    const auto in = static_cast<Dtype>(record.get8(in_dtype));
    const auto out = static_cast<Dtype>(record.get8(out_dtype));
    program.elementwise.in0 = in;
    program.elementwise.out = out;
    program.elements = pattern_elements(context, src_mem_pattern);
    if (auto fault =
            resolve_tensor(context, src_mem_pattern, in, program.channels, false, program.src0)) {
        return fault;
    }
    if (auto fault =
            resolve_tensor(context, dst_mem_pattern, out, program.channels, true, program.dst)) {
        return fault;
    }
    return indirect_destination_fault(program.src0, program.dst, dst_mem_pattern);
}

std::uint32_t accumulation_identity(AluOp op) {
    switch (op) {
        case AluOp::MULT: return 0x3F800000;
        case AluOp::MAX: return 0xFF800000;
        case AluOp::MIN: return 0x7F800000;
        default: return 0;
    }
}

std::optional<Fault> build_accumulation(const WorkerContext& context, AluOp op,
                                        LaneProgram& program) {
    using namespace fields::S3D3_TS;
    program.tail = Tail::ACCUMULATE;
    program.accumulate = static_cast<AccumCmd>(context.record.get8(accumulator_cmd));
    program.accumulate_op = op;
    program.identity = accumulation_identity(op);
    program.tap_after_conversion =
        context.semantics.accumulator_tap == AccumulatorTap::AFTER_CONVERSION;
    program.forgets_accumulator = program.accumulate == AccumCmd::IDLE;
    return resolve_scalar(context, imm1, static_cast<ImmSrc>(context.record.get8(imm1_src)),
                          Dtype::FP32, program.channels, program.scalar1);
}

}  // namespace dve
