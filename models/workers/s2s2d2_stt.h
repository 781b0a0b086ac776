// What the instructions on S2S2D2_STT share: two tensors, one immediate, two stages.
#pragma once

#include "models/lane_program/worker.h"

namespace dve {

/// Fills operands, the immediate and the two stages: (src0 op0 imm0) op1 src1.
std::optional<Fault> build_s2s2d2_stt(const WorkerContext& context, bool bitvec,
                                      LaneProgram& program);

}  // namespace dve
