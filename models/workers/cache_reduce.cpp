// TensorScalarCacheReduce and TensorScalarCacheCumulative: acc = (src op0 imm0) op1 acc (0x9A,
// 0xE6).
#include "models/lane_program/operands.h"
#include "models/workers/s3d3_ts.h"
#include "models/workers/workers.h"

namespace dve {
namespace {

std::optional<Fault> build(const WorkerContext& context, bool emit, LaneProgram& program) {
    using namespace fields::S3D3_TS;
    const Record& record = context.record;
    if (auto fault = build_s3d3_ts(context, program)) {
        return fault;
    }
    if (auto fault = resolve_scalar(context, imm0, static_cast<ImmSrc>(record.get8(imm0_src)),
                                    Dtype::FP32, program.channels, program.scalar0)) {
        return fault;
    }
    program.elementwise.stage0.op = static_cast<AluOp>(record.get8(op0));
    program.emit = emit;
    return build_accumulation(context, static_cast<AluOp>(record.get8(op1)), program);
}

}  // namespace

std::optional<Fault> build_TENSOR_SCALAR_CACHE_REDUCE(const WorkerContext& context,
                                                      LaneProgram& program) {
    return build(context, false, program);
}

std::optional<Fault> build_TENSOR_SCALAR_CACHE_CUMULATIVE(const WorkerContext& context,
                                                          LaneProgram& program) {
    return build(context, true, program);
}

}  // namespace dve
