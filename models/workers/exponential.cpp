// Exponential: dst = exp(src - imm0), acc += dst (0x30, decisions 2).
#include "models/lane_program/operands.h"
#include "models/workers/s3d3_ts.h"
#include "models/workers/workers.h"

namespace dve {

std::optional<Fault> build_EXPONENTIAL(const WorkerContext& context, LaneProgram& program) {
    using namespace fields::S3D3_TS;
    if (auto fault = build_s3d3_ts(context, program)) {
        return fault;
    }
    if (auto fault =
            resolve_scalar(context, imm0, static_cast<ImmSrc>(context.record.get8(imm0_src)),
                           Dtype::FP32, program.channels, program.scalar0)) {
        return fault;
    }
    program.front = Front::EXPONENTIAL;
    return build_accumulation(context, AluOp::ADD, program);
}

}  // namespace dve
