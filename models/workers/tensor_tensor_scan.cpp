// TensorTensorScan: an inclusive scan over two tensors, by either recurrence (0xE5, decisions 1).
#include "models/lane_program/operands.h"
#include "models/workers/s2s2d2_stt.h"
#include "models/workers/workers.h"

namespace dve {

std::optional<Fault> build_TENSOR_TENSOR_SCAN(const WorkerContext& context, LaneProgram& program) {
    if (auto fault = build_s2s2d2_stt(context, false, program)) {
        return fault;
    }
    program.tail = Tail::SCAN;
    program.recurrence = context.semantics.scan_recurrence;
    program.order = context.semantics.scan_order;
    if (program.recurrence == ScanRecurrence::COMBINE_PREFIX) {
        // The operator of the prefix has no field in the record: it is registered with the opcode.
        const auto combine = static_cast<std::uint8_t>(context.kernel_info_flags & 0xFFU);
        switch (static_cast<AluOp>(combine)) {
            case AluOp::ADD:
            case AluOp::MULT:
            case AluOp::MAX:
            case AluOp::MIN:
            case AluOp::ABSOLUTE_DIFF: break;
            default:
                return not_modelled("kernel_info flags 7:0 (scan.combine)", combine,
                                    "add, mult, max, min, absolute_diff");
        }
        program.combine = static_cast<AluOp>(combine);
    }
    return std::nullopt;
}

}  // namespace dve
