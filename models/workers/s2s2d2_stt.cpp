// Operands and stages of an S2S2D2_STT record (isa_wire_format 4.2).
#include "models/workers/s2s2d2_stt.h"

#include "models/lane_program/operands.h"

namespace dve {

std::optional<Fault> build_s2s2d2_stt(const WorkerContext& context, bool bitvec,
                                      LaneProgram& program) {
    using namespace fields::S2S2D2_STT;
    const Record& record = context.record;
    program.opcode = &context.opcode;
    program.channels = record.get8(num_active_channels);
    const std::uint8_t pair = record.get8(in0_in1_dtype);
    const auto in0 = static_cast<Dtype>(pair & 0xFU);
    const auto in1 = static_cast<Dtype>(pair >> 4);
    const auto out = static_cast<Dtype>(record.get8(out_dtype));

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

    if (auto fault = resolve_scalar(context, imm0, static_cast<ImmSrc>(record.get8(imm0_src)),
                                    static_cast<Dtype>(record.get8(imm0_dtype)), program.channels,
                                    program.scalar0)) {
        return fault;
    }
    const auto first = static_cast<AluOp>(record.get8(op0));
    const auto second = static_cast<AluOp>(record.get8(op1));
    const std::uint8_t reverse = record.get8(reverse_operands);
    program.elementwise = {in0,
                           in1,
                           out,
                           {first, (reverse & 1U) != 0, StageOperand::SCALAR},
                           {second, (reverse & 2U) != 0, StageOperand::TENSOR},
                           bitvec};
    return std::nullopt;
}

}  // namespace dve
