// TensorCumulative: out[i] = out[i-1] op in[i], restarting for each outer index (0x4E, 0x5E).
#include "models/lane_program/operands.h"
#include "models/workers/workers.h"

namespace dve {
namespace {

/// Elements of the inner dimensions that op_dim names: X is one, XY two, and so on. The indices of
/// an indirect source are one dimension.
std::uint32_t run_elements(const WorkerContext& context, std::uint32_t elements) {
    using namespace fields::S4D4_TR;
    const Pattern source = context.record.get_pattern(src_mem_pattern);
    if (source.start.indirect()) {
        return elements;
    }
    const unsigned inner = context.record.get8(op_dim) - static_cast<unsigned>(TensorSubdim::X) + 1;
    std::uint32_t run = 1;
    for (unsigned d = 0; d < inner; ++d) {
        run *= source.num_elem[d];
    }
    return run;
}

}  // namespace

std::optional<Fault> build_TENSOR_CUMULATIVE(const WorkerContext& context, LaneProgram& program) {
    using namespace fields::S4D4_TR;
    const Record& record = context.record;
    program.opcode = &context.opcode;
    program.channels = record.get8(num_active_channels);
    const auto in = static_cast<Dtype>(record.get8(in_dtype));
    const auto out = static_cast<Dtype>(record.get8(out_dtype));
    const auto operation = static_cast<AluOp>(record.get8(op));
    if (auto fault =
            resolve_tensor(context, src_mem_pattern, in, program.channels, false, program.src0)) {
        return fault;
    }
    if (auto fault =
            resolve_tensor(context, dst_mem_pattern, out, program.channels, true, program.dst)) {
        return fault;
    }
    program.elements = pattern_elements(context, src_mem_pattern);
    program.run_elements = run_elements(context, program.elements);
    program.tail = Tail::CUMULATIVE;
    program.elementwise.in0 = in;
    program.elementwise.out = out;
    program.elementwise.stage0 = {operation, false, StageOperand::TENSOR};
    program.elementwise.bitvec = context.opcode.opcode == Opcode::TENSOR_CUMULATIVE_BITVEC_OP;
    program.elementwise.integer = alu_op_row(operation).in(INT);
    return std::nullopt;
}

}  // namespace dve
