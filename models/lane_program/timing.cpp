// Closed-form cost: the largest demand on a port, the ALU or a recurrence.
#include "models/lane_program/timing.h"

#include <algorithm>

namespace dve {
namespace {

constexpr GenerationSet SUNDA_ONLY = only(Generation::SUNDA);
constexpr GenerationSet CAYMAN_ON = from(Generation::CAYMAN);
constexpr GenerationSet MARIANA_ON = from(Generation::MARIANA);

bool is_16_bit_float(Dtype dtype) { return dtype == Dtype::FP16 || dtype == Dtype::BF16; }
bool is_8_bit_float(Dtype dtype) {
    return dtype == Dtype::FP8_EXP3 || dtype == Dtype::FP8_EXP4 || dtype == Dtype::FP8_EXP5;
}

/// Which count of a row must be even.
enum class Even : std::uint8_t { NONE, ELEMENTS, INNER };

/// One row of the packing table. A row applies if all of its conditions hold.
struct PackingRow {
    GenerationSet generations;
    Opcode opcode;
    bool sources_in_sbuf;
    bool bf16_only;  ///< else FP16 or BF16; with `eight_bit` also the 8-bit floats
    bool eight_bit;
    bool output_too;  ///< the output type must be packable as well
    bool contiguous;  ///< inner dimension of every operand
    Even even;
    bool (*operations)(const LaneProgram&);
};

bool any_operation(const LaneProgram&) { return true; }

bool add_subtract_mult(const LaneProgram& program) {
    const AluOp op = program.elementwise.stage0.op;
    return op == AluOp::ADD || op == AluOp::SUBTRACT || op == AluOp::MULT;
}

bool subtract_then_mult(const LaneProgram& program) {
    return program.elementwise.stage0.op == AluOp::SUBTRACT &&
           program.elementwise.stage1.op == AluOp::MULT;
}

// From MARIANA on FP8 counts as 16-bit, so the CAYMAN rows are repeated with `eight_bit`.
constexpr PackingRow packing_table[] = {
    {SUNDA_ONLY, Opcode::TENSOR_TENSOR_ARITH_OP, true, true, false, true, true, Even::NONE,
     add_subtract_mult},
    {SUNDA_ONLY, Opcode::SCALAR_TENSOR_TENSOR_ARITH, true, true, false, false, true, Even::ELEMENTS,
     subtract_then_mult},
    {CAYMAN_ON, Opcode::TENSOR_SCALAR_ARITH_OP, false, false, false, true, false, Even::NONE,
     any_operation},
    {CAYMAN_ON, Opcode::TRANSPOSE_TENSOR_SCALAR_ARITH_OP, false, false, false, true, false,
     Even::NONE, any_operation},
    {CAYMAN_ON, Opcode::TENSOR_TENSOR_ARITH_OP, true, false, false, true, false, Even::NONE,
     any_operation},
    {MARIANA_ON, Opcode::TENSOR_SCALAR_ARITH_OP, false, false, true, true, false, Even::NONE,
     any_operation},
    {MARIANA_ON, Opcode::TRANSPOSE_TENSOR_SCALAR_ARITH_OP, false, false, true, true, false,
     Even::NONE, any_operation},
    {MARIANA_ON, Opcode::TENSOR_TENSOR_ARITH_OP, true, false, true, true, false, Even::NONE,
     any_operation},
    {MARIANA_ON, Opcode::EXPONENTIAL, false, false, true, true, true, Even::INNER, any_operation},
};

bool applies(const PackingRow& row, const LaneProgram& program, Generation generation) {
    if (!contains(row.generations, generation) || program.opcode->opcode != row.opcode ||
        !row.operations(program)) {
        return false;
    }
    const auto packable = [&row](Dtype dtype) {
        if (row.bf16_only) {
            return dtype == Dtype::BF16;
        }
        return is_16_bit_float(dtype) || (row.eight_bit && is_8_bit_float(dtype));
    };
    for (const TensorOperand* source : {&program.src0, &program.src1}) {
        if (!source->used) {
            continue;
        }
        if (!packable(source->dtype) || (row.sources_in_sbuf && source->space != Space::SBUF) ||
            (row.contiguous && !source->inner_contiguous())) {
            return false;
        }
    }
    if (row.even == Even::ELEMENTS && program.elements % 2 != 0) {
        return false;
    }
    const TensorOperand& first = program.src0;
    if (row.even == Even::INNER && (first.dimensions == 0 || first.walk[0].count % 2 != 0)) {
        return false;
    }
    if (row.output_too && !packable(program.dst.dtype)) {
        return false;
    }
    return !row.contiguous || program.dst.inner_contiguous();
}

/// Cycles for `elements`, at a demand of `numerator` / `denominator` cycles each.
std::uint64_t cycles(std::uint64_t elements, std::uint64_t numerator, std::uint64_t denominator) {
    return (elements * numerator + denominator - 1) / denominator;
}

/// Load that the operands of an instruction put on one port, per element.
struct PortLoad {
    std::uint64_t bytes = 0;
    std::uint64_t strided = 0;

    void add(const TensorOperand& operand, bool packed, const TimingParameters& parameters) {
        const std::uint32_t size = operand.element_bytes;
        bytes += packed ? size : std::max(parameters.slot_bytes, size);
        strided += operand.inner_contiguous() ? 0 : 1;
    }
    std::uint64_t cycles_for(std::uint64_t elements, std::uint32_t width,
                             const TimingParameters& parameters) const {
        return std::max(cycles(elements, bytes, width),
                        cycles(elements, strided, parameters.strided_accesses));
    }
};

/// A carried recurrence without a composition runs sequentially whatever the order says
/// (decisions 1).
bool runs_sequentially(const LaneProgram& program) {
    return program.order == ScanOrder::SEQUENTIAL ||
           (program.recurrence == ScanRecurrence::CARRIED &&
            !carried_scan_composes(program.elementwise.stage0, program.elementwise.stage1));
}

/// Cycles per element that a loop through the ALU or the scan stage imposes.
std::uint64_t recurrence(const LaneProgram& program, const TimingParameters& parameters) {
    if (program.tail == Tail::CUMULATIVE) {
        return 1;
    }
    if (program.tail != Tail::SCAN || !runs_sequentially(program)) {
        return 0;
    }
    return program.recurrence == ScanRecurrence::CARRIED ? parameters.alu0 + parameters.alu1
                                                         : parameters.scan_latency;
}

std::uint32_t scan_stage_latency(const LaneProgram& program, const TimingParameters& parameters) {
    if (program.tail != Tail::SCAN) {
        return 0;
    }
    if (!runs_sequentially(program)) {
        return scan_passes * parameters.scan_pass + parameters.scan_carry;
    }
    return program.recurrence == ScanRecurrence::COMBINE_PREFIX ? parameters.scan_latency : 0;
}

}  // namespace

TimingParameters TimingParameters::for_generation(Generation generation) {
    TimingParameters parameters;
    if (generation == Generation::SUNDA) {
        parameters.sbuf_read_bytes = 4;
        parameters.sbuf_write_bytes = 4;
        parameters.strided_accesses = 1;
        parameters.alu_width_packed = 1;
    }
    return parameters;
}

bool is_packed(const LaneProgram& program, Generation generation) {
    return std::any_of(std::begin(packing_table), std::end(packing_table),
                       [&](const PackingRow& row) { return applies(row, program, generation); });
}

InstructionCost instruction_cost(const LaneProgram& program, Generation generation,
                                 const TimingParameters& parameters) {
    InstructionCost cost;
    cost.latency = parameters.convert_out + parameters.write_latency;
    if (program.tail == Tail::READ_ACCUMULATOR) {
        cost.beats = parameters.read_accumulator;
        return cost;
    }
    const bool packed = is_packed(program, generation);
    const std::uint64_t n = program.elements;

    // S2S2D2 records have one stream for both sources, whatever memory they lie in.
    const bool one_stream = program.opcode->layout == StructId::S2S2D2_STT;
    PortLoad sbuf_read;
    PortLoad psum_read;
    std::uint32_t read_latency = 0;
    for (const TensorOperand* source : {&program.src0, &program.src1}) {
        if (!source->used) {
            continue;
        }
        const bool in_sbuf = source->space == Space::SBUF;
        (in_sbuf || one_stream ? sbuf_read : psum_read).add(*source, packed, parameters);
        read_latency = std::max(
            read_latency, in_sbuf ? parameters.sbuf_read_latency : parameters.psum_read_latency);
    }
    cost.beats = std::max(sbuf_read.cycles_for(n, parameters.sbuf_read_bytes, parameters),
                          psum_read.cycles_for(n, parameters.psum_read_bytes, parameters));
    if (program.store) {
        PortLoad write;
        write.add(program.dst, packed, parameters);
        const std::uint32_t width = program.dst.space == Space::SBUF ? parameters.sbuf_write_bytes
                                                                     : parameters.psum_write_bytes;
        cost.beats = std::max(cost.beats, write.cycles_for(n, width, parameters));
    }
    const std::uint32_t alu_width =
        packed ? parameters.alu_width_packed : parameters.alu_width_unpacked;
    cost.beats = std::max({cost.beats, cycles(n, 1, alu_width),
                           cycles(n, recurrence(program, parameters), 1), std::uint64_t{1}});
    cost.latency += read_latency + parameters.convert_in + parameters.alu0 + parameters.alu1 +
                    scan_stage_latency(program, parameters);
    return cost;
}

PipelineSchedule::Region PipelineSchedule::region(const TensorOperand& operand, unsigned channels,
                                                  std::uint64_t until) {
    return {operand.space, operand.partition, operand.partition + channels - 1U,
            operand.low,   operand.high,      until};
}

std::uint64_t PipelineSchedule::wait_for(const Region& read, std::uint64_t start) const {
    for (const Region& write : writes_) {
        if (write.until > start && write.overlaps(read)) {
            start = write.until;
        }
    }
    return start;
}

InstructionTimes PipelineSchedule::place(const LaneProgram& program, const InstructionCost& cost,
                                         std::uint64_t ready_cycle,
                                         const TimingParameters& parameters) {
    std::uint64_t start = ready_cycle;
    if (any_) {
        start = std::max({start, last_start_ + parameters.initiation_interval, last_read_done_});
    }
    const std::uint64_t without_hazard = start;
    for (const TensorOperand* source : {&program.src0, &program.src1}) {
        if (source->used) {
            start = wait_for(region(*source, program.channels, 0), start);
        }
    }
    for (const ScalarOperand* scalar : {&program.scalar0, &program.scalar1}) {
        if (scalar->source == ScalarOperand::Source::POINTER) {
            const Region read{scalar->space,
                              scalar->partition,
                              scalar->partition + program.channels - 1U,
                              scalar->byte,
                              std::int64_t{scalar->byte} + element_bytes(scalar->dtype),
                              0};
            start = wait_for(read, start);
        }
    }
    any_ = true;
    InstructionTimes times;
    times.start_cycle = start;
    times.hazard_stall = start - without_hazard;
    times.read_done_cycle = start + cost.beats;
    times.end_cycle = start + cost.beats + cost.latency;
    last_start_ = start;
    last_read_done_ = times.read_done_cycle;
    drained_ = std::max(drained_, times.end_cycle);

    writes_.erase(std::remove_if(writes_.begin(), writes_.end(),
                                 [start](const Region& write) { return write.until <= start; }),
                  writes_.end());
    if (program.store) {
        writes_.push_back(region(program.dst, program.channels, times.end_cycle));
    }
    return times;
}

}  // namespace dve
