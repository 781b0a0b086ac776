// Tensor-Tensor: dst = src0 op src1 (0x41, 0x51).
#include "models/workers/two_sources.h"
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
    if (auto fault = build_two_sources(context,
                                       {src0_mem_pattern, src1_mem_pattern, dst_mem_pattern,
                                        in0_in1_dtype, out_dtype, num_active_channels},
                                       program)) {
        return fault;
    }
    const auto operation = static_cast<AluOp>(context.record.get8(op));
    program.elementwise.stage0 = {operation, false, StageOperand::TENSOR};
    program.elementwise.bitvec = context.opcode.opcode == Opcode::TENSOR_TENSOR_BITVEC_OP;
    program.elementwise.integer =
        !program.elementwise.bitvec &&
        is_integer(operation, program.elementwise.in0, program.elementwise.out);
    return std::nullopt;
}

}  // namespace dve
