// What the instructions on S3D3_TS share: one tensor in, one out, up to two immediates.
#pragma once

#include "models/lane_program/worker.h"

namespace dve {

/// Fills channels, elements, both tensors and the dtypes.
std::optional<Fault> build_s3d3_ts(const WorkerContext& context, LaneProgram& program);

/// Fills the accumulator part of an instruction that reduces with `op`: command, start value,
/// operator, tap, and imm1 as the value to load.
std::optional<Fault> build_accumulation(const WorkerContext& context, AluOp op,
                                        LaneProgram& program);

/// FP32 bits that an accumulation with `op` starts from (isa_wire_format 6.3).
std::uint32_t accumulation_identity(AluOp op);

}  // namespace dve
