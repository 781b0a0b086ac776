// Tensor-Scalar and its PTR and transposed forms: dst = (src op0 imm0) op1 imm1
// (0x43, 0x53, 0x44, 0x54, 0x93).
#include "models/lane_program/operands.h"
#include "models/workers/s3d3_ts.h"
#include "models/workers/workers.h"

namespace dve {
namespace {

using namespace fields::S3D3_TS;

/// `pointers`: both immediates are pointers although their source fields say 0 (isa_wire_format
/// 6.2, the PTR opcodes).
std::optional<Fault> build(const WorkerContext& context, bool bitvec, bool pointers,
                           LaneProgram& program) {
    const Record& record = context.record;
    if (auto fault = build_s3d3_ts(context, program)) {
        return fault;
    }
    const auto source = [&](const Field& field) {
        return pointers ? ImmSrc::POINTER : static_cast<ImmSrc>(record.get8(field));
    };
    const auto first = static_cast<AluOp>(record.get8(op0));
    const auto second = static_cast<AluOp>(record.get8(op1));
    // MAVERICK's relaxation: exact integers, INT32 immediates (isa_wire_format 6.1, decisions 3).
    const bool integer = alu_op_row(first).in(INT) || alu_op_row(second).in(INT);
    const Dtype scalar_dtype = integer ? Dtype::INT32 : bitvec ? program.src0.dtype : Dtype::FP32;
    if (auto fault = resolve_scalar(context, imm0, source(imm0_src), scalar_dtype, program.channels,
                                    program.scalar0)) {
        return fault;
    }
    if (auto fault = resolve_scalar(context, imm1, source(imm1_src), scalar_dtype, program.channels,
                                    program.scalar1)) {
        return fault;
    }
    const std::uint8_t reverse = record.get8(reverse_operands);
    program.elementwise.stage0 = {first, (reverse & 1U) != 0, StageOperand::SCALAR};
    program.elementwise.stage1 = {second, (reverse & 2U) != 0, StageOperand::SCALAR};
    program.elementwise.bitvec = bitvec;
    program.elementwise.integer = integer;
    return std::nullopt;
}

}  // namespace

std::optional<Fault> build_TENSOR_SCALAR_ARITH(const WorkerContext& context, LaneProgram& program) {
    return build(context, false, false, program);
}
std::optional<Fault> build_TENSOR_SCALAR_BITVEC(const WorkerContext& context,
                                                LaneProgram& program) {
    return build(context, true, false, program);
}
std::optional<Fault> build_TENSOR_SCALAR_PTR_ARITH(const WorkerContext& context,
                                                   LaneProgram& program) {
    return build(context, false, true, program);
}
std::optional<Fault> build_TENSOR_SCALAR_PTR_BITVEC(const WorkerContext& context,
                                                    LaneProgram& program) {
    return build(context, true, true, program);
}

/// The scalars belong to the output channel, so only the source is transposed (decisions 2).
std::optional<Fault> build_TRANSPOSE_TENSOR_SCALAR(const WorkerContext& context,
                                                   LaneProgram& program) {
    program.transposed = true;
    return build(context, false, false, program);
}

}  // namespace dve
