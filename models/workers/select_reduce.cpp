// SelectReduce: dst = predicate ? src1 : imm0, the maximum of all results accumulated (0xEA).
#include "models/workers/s2s2d2_stt.h"
#include "models/workers/s3d3_ts.h"
#include "models/workers/workers.h"

namespace dve {

std::optional<Fault> build_SELECT_REDUCE(const WorkerContext& context, LaneProgram& program) {
    using namespace fields::S2S2D2_STT;
    if (auto fault = build_s2s2d2_stt(context, false, program)) {
        return fault;
    }
    // op0 and op1 only name the instruction's parts (BYPASS, MAX); `reverse` FIRST inverts.
    program.elementwise.stage0 = {};
    program.elementwise.stage1 = {};
    program.front = Front::SELECT;
    program.select_inverted = (context.record.get8(reverse_operands) & 1U) != 0;
    program.tail = Tail::ACCUMULATE;
    program.accumulate = static_cast<AccumCmd>(context.record.get8(accumulator_cmd));
    program.accumulate_op = AluOp::MAX;
    program.identity = accumulation_identity(AluOp::MAX);
    program.tap_after_conversion =
        context.semantics.accumulator_tap == AccumulatorTap::AFTER_CONVERSION;
    program.forgets_accumulator = program.accumulate == AccumCmd::IDLE;
    return std::nullopt;
}

}  // namespace dve
