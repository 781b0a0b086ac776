// Tensor-Tensor: dst = src0 op src1 (0x41, 0x51).
#include "models/lane_program/operands.h"
#include "models/workers/workers.h"

namespace dve {
namespace {

/// The integer engine serves the integer band, and moves of 64-bit elements.
bool is_integer(AluOp op, Dtype in, Dtype out) {
    return alu_op_row(op).in(INT) || (op == AluOp::BYPASS && in == out && element_bytes(in) == 8);
}

}  // namespace

std::optional<Fault> build_TENSOR_TENSOR(const WorkerContext& context, LaneProgram& program) {
    using namespace fields::S3S3D3_TT;
    const Record& record = context.record;
    program.opcode = &context.opcode;
    program.channels = record.get8(num_active_channels);
    const std::uint8_t pair = record.get8(in0_in1_dtype);
    const auto in0 = static_cast<Dtype>(pair & 0xFU);
    const auto in1 = static_cast<Dtype>(pair >> 4);
    const auto out = static_cast<Dtype>(record.get8(out_dtype));
    const auto operation = static_cast<AluOp>(record.get8(op));

    if (auto fault =
            resolve_tensor(context, src0_mem_pattern, in0, program.channels, false, program.src0)) {
        return fault;
    }
    if (auto fault =
            resolve_tensor(context, src1_mem_pattern, in1, program.channels, false, program.src1)) {
        return fault;
    }
    if (auto fault =
            resolve_tensor(context, dst_mem_pattern, out, program.channels, true, program.dst)) {
        return fault;
    }
    program.elements = static_cast<std::uint32_t>(record.get_pattern(src0_mem_pattern).elements());
    program.elementwise.in0 = in0;
    program.elementwise.in1 = in1;
    program.elementwise.out = out;
    program.elementwise.stage0 = {operation, false, StageOperand::TENSOR};
    program.elementwise.bitvec = context.opcode.opcode == Opcode::TENSOR_TENSOR_BITVEC_OP;
    program.elementwise.integer = !program.elementwise.bitvec && is_integer(operation, in0, out);
    return std::nullopt;
}

}  // namespace dve
