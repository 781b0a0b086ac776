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

/// Cycles per element that a loop through the ALU or the scan stage imposes.
std::uint64_t recurrence(const LaneProgram& program, const TimingParameters& parameters) {
    if (program.tail == Tail::CUMULATIVE) {
        return 1;
    }
    if (program.tail != Tail::SCAN || scans_in_network(program)) {
        return 0;
    }
    return program.recurrence == ScanRecurrence::CARRIED ? parameters.alu0 + parameters.alu1
                                                         : parameters.scan_latency;
}

}  // namespace

TimingParameters TimingParameters::for_generation(Generation generation) {
    TimingParameters parameters;
    if (generation == Generation::SUNDA) {
        parameters.sbuf_read_bytes = 4;
        parameters.sbuf_write_bytes = 4;
        parameters.strided_accesses = 1;
        parameters.alu_width_packed = 1;
        parameters.psum_parallel_banks = false;
    }
    return parameters;
}

bool is_packed(const LaneProgram& program, Generation generation) {
    return std::any_of(std::begin(packing_table), std::end(packing_table),
                       [&](const PackingRow& row) { return applies(row, program, generation); });
}

bool scans_in_network(const LaneProgram& program) {
    return program.tail == Tail::SCAN && program.order == ScanOrder::ROTATE_COMBINE &&
           (program.recurrence == ScanRecurrence::COMBINE_PREFIX ||
            carried_scan_composes(program.elementwise.stage0, program.elementwise.stage1));
}

ResourceDemands resource_demands(const LaneProgram& program, Generation generation,
                                 const TimingParameters& parameters) {
    ResourceDemands demands;
    const auto of = [&demands](Resource resource) -> ResourceDemand& {
        return demands[static_cast<std::size_t>(resource)];
    };
    if (program.tail == Tail::READ_ACCUMULATOR) {
        of(Resource::ACCUMULATOR) = {parameters.read_accumulator, 1};
        return demands;
    }
    const bool packed = is_packed(program, generation);
    const auto slot = [&](const TensorOperand& operand) -> std::uint64_t {
        return packed ? operand.element_bytes
                      : std::max<std::uint32_t>(parameters.slot_bytes, operand.element_bytes);
    };
    of(Resource::SBUF_READ).capacity = parameters.sbuf_read_bytes;
    of(Resource::PSUM_READ).capacity = parameters.psum_read_bytes;
    of(Resource::SBUF_READ_STRIDED).capacity = parameters.strided_accesses;
    of(Resource::PSUM_READ_STRIDED).capacity = parameters.strided_accesses;
    of(Resource::WRITE_STRIDED).capacity = parameters.strided_accesses;
    // S2S2D2 records have one stream for both sources, whatever memory they lie in.
    const bool one_stream = program.opcode->layout == StructId::S2S2D2_STT;
    for (const TensorOperand* source : {&program.src0, &program.src1}) {
        if (!source->used) {
            continue;
        }
        const bool sbuf_port = source->space == Space::SBUF || one_stream;
        of(sbuf_port ? Resource::SBUF_READ : Resource::PSUM_READ).need += slot(*source);
        of(sbuf_port ? Resource::SBUF_READ_STRIDED : Resource::PSUM_READ_STRIDED).need +=
            source->inner_contiguous() ? 0 : 1;
    }
    if (program.store) {
        const bool sbuf = program.dst.space == Space::SBUF;
        of(Resource::WRITE) = {slot(program.dst),
                               sbuf ? parameters.sbuf_write_bytes : parameters.psum_write_bytes};
        of(Resource::WRITE_STRIDED).need = program.dst.inner_contiguous() ? 0 : 1;
    }
    of(Resource::ALU) = {1, packed ? parameters.alu_width_packed : parameters.alu_width_unpacked};
    of(Resource::RECURRENCE).need = recurrence(program, parameters);
    return demands;
}

StageOffsets stage_offsets(const LaneProgram& program, const TimingParameters& parameters) {
    StageOffsets at;
    if (program.tail != Tail::READ_ACCUMULATOR) {
        for (const TensorOperand* source : {&program.src0, &program.src1}) {
            if (source->used) {
                at.convert_in = std::max(at.convert_in, source->space == Space::SBUF
                                                            ? parameters.sbuf_read_latency
                                                            : parameters.psum_read_latency);
            }
        }
        at.alu0 = at.convert_in + parameters.convert_in;
        at.alu1 = at.alu0 + parameters.alu0;
        at.scan = at.carry = at.convert_out = at.alu1 + parameters.alu1;
        if (scans_in_network(program)) {
            at.carry = at.scan + scan_passes * parameters.scan_pass;
            at.convert_out = at.carry + parameters.scan_carry;
        } else if (program.tail == Tail::SCAN &&
                   program.recurrence == ScanRecurrence::COMBINE_PREFIX) {
            at.convert_out = at.carry + parameters.scan_latency;
        }
    }
    at.write = at.convert_out + parameters.convert_out;
    at.visible = at.write + parameters.write_latency;
    return at;
}

InstructionCost instruction_cost(const LaneProgram& program, Generation generation,
                                 const TimingParameters& parameters) {
    InstructionCost cost;
    cost.beats = 1;
    for (const ResourceDemand& demand : resource_demands(program, generation, parameters)) {
        cost.beats = std::max(cost.beats, cycles(program.elements, demand.need, demand.capacity));
    }
    const StageOffsets at = stage_offsets(program, parameters);
    cost.latency = cost.first_write = at.visible;
    if (program.tail == Tail::READ_ACCUMULATOR) {
        cost.uses_accumulator = true;
        cost.accumulator_first = parameters.read_accumulator - 1;
        cost.first_write += parameters.read_accumulator - 1;
    } else if (program.tail == Tail::ACCUMULATE) {
        cost.uses_accumulator = true;
        cost.accumulator_first = cost.accumulator_last =
            program.tap_after_conversion && !program.emit ? at.convert_out : at.alu1;
    }
    return cost;
}

MemoryRegion MemoryRegion::of(const TensorOperand& operand, unsigned channels) {
    return {operand.space, operand.partition, operand.partition + channels - 1U, operand.low,
            operand.high};
}

MemoryRegion MemoryRegion::of(const ScalarOperand& scalar, unsigned channels) {
    return {scalar.space, scalar.partition, scalar.partition + channels - 1U, scalar.byte,
            std::int64_t{scalar.byte} + element_bytes(scalar.dtype)};
}

MemoryRegion MemoryRegion::of(const IndexList& list) {
    return {list.space, list.partition, list.partition + list.partitions - 1U, list.low, list.high};
}

ReadRegions::ReadRegions(const LaneProgram& program) {
    for (const TensorOperand* operand : {&program.src0, &program.src1, &program.dst}) {
        if (operand->list.used) {
            regions[count++] = MemoryRegion::of(operand->list);
        }
    }
    for (const TensorOperand* source : {&program.src0, &program.src1}) {
        if (source->used) {
            regions[count++] = MemoryRegion::of(*source, program.channels);
        }
    }
    for (const ScalarOperand* scalar : {&program.scalar0, &program.scalar1}) {
        if (scalar->source == ScalarOperand::Source::POINTER) {
            regions[count++] = MemoryRegion::of(*scalar, program.channels);
        }
    }
}

std::uint64_t PipelineSchedule::after_hazards(const LaneProgram& program,
                                              const InstructionCost& cost,
                                              std::uint64_t start) const {
    for (const MemoryRegion& read : ReadRegions(program)) {
        for (const PendingWrite& write : writes_) {
            if (write.until > start && write.region.overlaps(read)) {
                start = write.until;
            }
        }
    }
    // A write never overtakes an earlier write of the same bytes, nor a use of the accumulators
    // an earlier use: with the default latencies neither ever waits.
    if (program.store) {
        const MemoryRegion own = MemoryRegion::of(program.dst, program.channels);
        for (const PendingWrite& write : writes_) {
            if (write.until > start + cost.first_write && write.region.overlaps(own)) {
                start = write.until - cost.first_write;
            }
        }
    }
    if (cost.uses_accumulator && accumulator_ready_ > start + cost.accumulator_first) {
        start = accumulator_ready_ - cost.accumulator_first;
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
    start = after_hazards(program, cost, start);
    any_ = true;
    InstructionTimes times;
    times.start_cycle = start;
    times.hazard_stall = start - without_hazard;
    times.read_done_cycle = start + cost.beats;
    times.end_cycle = start + cost.beats + cost.latency;
    last_start_ = start;
    last_read_done_ = times.read_done_cycle;
    drained_ = std::max(drained_, times.end_cycle);
    if (program.tail == Tail::ACCUMULATE) {
        accumulator_ready_ =
            std::max(accumulator_ready_, times.read_done_cycle + cost.accumulator_last);
    }
    writes_.erase(
        std::remove_if(writes_.begin(), writes_.end(),
                       [start](const PendingWrite& write) { return write.until <= start; }),
        writes_.end());
    if (program.store) {
        writes_.push_back({MemoryRegion::of(program.dst, program.channels), times.end_cycle});
    }
    return times;
}

}  // namespace dve
