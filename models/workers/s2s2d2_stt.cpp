// Operands and stages of an S2S2D2_STT record (isa_wire_format 4.2).
#include "models/workers/s2s2d2_stt.h"

#include "models/lane_program/operands.h"
#include "models/workers/two_sources.h"

namespace dve {

std::optional<Fault> build_s2s2d2_stt(const WorkerContext& context, bool bitvec,
                                      LaneProgram& program) {
    using namespace fields::S2S2D2_STT;
    const Record& record = context.record;
    if (auto fault = build_two_sources(context,
                                       {src0_mem_pattern, src1_mem_pattern, dst_mem_pattern,
                                        in0_in1_dtype, out_dtype, num_active_channels},
                                       program)) {
        return fault;
    }
    if (auto fault = resolve_scalar(context, imm0, static_cast<ImmSrc>(record.get8(imm0_src)),
                                    static_cast<Dtype>(record.get8(imm0_dtype)), program.channels,
                                    program.scalar0)) {
        return fault;
    }
    const auto first = static_cast<AluOp>(record.get8(op0));
    const auto second = static_cast<AluOp>(record.get8(op1));
    const std::uint8_t reverse = record.get8(reverse_operands);
    program.elementwise.stage0 = {first, (reverse & 1U) != 0, StageOperand::SCALAR};
    program.elementwise.stage1 = {second, (reverse & 2U) != 0, StageOperand::TENSOR};
    program.elementwise.bitvec = bitvec;
    return std::nullopt;
}

}  // namespace dve
