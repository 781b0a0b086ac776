// Scalar-Tensor-Tensor: dst = (src0 op0 imm0) op1 src1, optionally accumulated (0x9D, 0x9E).
#include "models/workers/s2s2d2_stt.h"
#include "models/workers/workers.h"

namespace dve {

std::optional<Fault> build_SCALAR_TENSOR_TENSOR_ARITH(const WorkerContext& context,
                                                      LaneProgram& program) {
    if (auto fault = build_s2s2d2_stt(context, false, program)) {
        return fault;
    }
    program.accumulate =
        static_cast<AccumCmd>(context.record.get8(fields::S2S2D2_STT::accumulator_cmd));
    program.forgets_accumulator = program.accumulate == AccumCmd::IDLE;
    if (program.accumulate != AccumCmd::IDLE) {
        // The operator is not in the record: addition (D-18).
        program.tail = Tail::ACCUMULATE;
        program.accumulate_op = AluOp::ADD;
        program.identity = 0;
        program.store = context.semantics.stt_accumulate == SttAccumulate::ADDS_TO_STORE;
        program.tap_after_conversion =
            context.semantics.accumulator_tap == AccumulatorTap::AFTER_CONVERSION;
    }
    return std::nullopt;
}

std::optional<Fault> build_SCALAR_TENSOR_TENSOR_BITVEC(const WorkerContext& context,
                                                       LaneProgram& program) {
    return build_s2s2d2_stt(context, true, program);
}

}  // namespace dve
