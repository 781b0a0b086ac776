// Tensor-Scalar and Tensor-Scalar-PTR: dst = (src op0 imm0) op1 imm1 (0x43, 0x53, 0x44, 0x54).
#include "models/lane_program/operands.h"
#include "models/workers/workers.h"

namespace dve {
namespace {

using namespace fields::S3D3_TS;

/// `pointers`: both immediates are pointers although their source fields say 0 (isa_wire_format
/// 6.2, the PTR opcodes).
std::optional<Fault> build(const WorkerContext& context, bool bitvec, bool pointers,
                           LaneProgram& program) {
    const Record& record = context.record;
    program.opcode = &context.opcode;
    program.channels = record.get8(num_active_channels);
    const auto in = static_cast<Dtype>(record.get8(in_dtype));
    const auto out = static_cast<Dtype>(record.get8(out_dtype));
    if (auto fault =
            resolve_tensor(context, src_mem_pattern, in, program.channels, false, program.src0)) {
        return fault;
    }
    if (auto fault =
            resolve_tensor(context, dst_mem_pattern, out, program.channels, true, program.dst)) {
        return fault;
    }
    program.elements = static_cast<std::uint32_t>(record.get_pattern(src_mem_pattern).elements());

    const auto source = [&](const Field& field) {
        return pointers ? ImmSrc::POINTER : static_cast<ImmSrc>(record.get8(field));
    };
    const auto first = static_cast<AluOp>(record.get8(op0));
    const auto second = static_cast<AluOp>(record.get8(op1));
    // MAVERICK's relaxation: exact integers, INT32 immediates (isa_wire_format 6.1, decisions 3).
    const bool integer = alu_op_row(first).in(INT) || alu_op_row(second).in(INT);
    const Dtype scalar_dtype = integer ? Dtype::INT32 : bitvec ? in : Dtype::FP32;
    if (auto fault = resolve_scalar(context, imm0, source(imm0_src), scalar_dtype, program.channels,
                                    program.scalar0)) {
        return fault;
    }
    if (auto fault = resolve_scalar(context, imm1, source(imm1_src), scalar_dtype, program.channels,
                                    program.scalar1)) {
        return fault;
    }
    const std::uint8_t reverse = record.get8(reverse_operands);
    program.elementwise = {in,
                           Dtype::FP32,
                           out,
                           {first, (reverse & 1U) != 0, StageOperand::SCALAR},
                           {second, (reverse & 2U) != 0, StageOperand::SCALAR},
                           bitvec,
                           integer};
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

}  // namespace dve
