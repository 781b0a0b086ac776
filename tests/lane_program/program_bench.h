// Lane programs by hand, for the timing: opcode, operands, stages.
#pragma once

#include <vector>

#include "models/lane_program/timing.h"

namespace dve::test {

/// A tensor of n elements with a constant step, in elements.
inline TensorOperand tensor(Space space, Dtype dtype, std::uint32_t n, std::uint32_t byte,
                            std::int64_t step = 1) {
    TensorOperand operand;
    operand.used = true;
    operand.space = space;
    operand.byte = byte;
    operand.dtype = dtype;
    operand.element_bytes = static_cast<std::uint8_t>(element_bytes(dtype));
    if (n > 1) {
        operand.dimensions = 1;
        operand.walk[0] = {step * operand.element_bytes, n};
    }
    const std::int64_t reach = step * operand.element_bytes * (std::int64_t{n} - 1);
    operand.low = byte + (reach < 0 ? reach : 0);
    operand.high = byte + (reach > 0 ? reach : 0) + operand.element_bytes;
    return operand;
}

struct Place {
    Space space = Space::SBUF;
    Dtype dtype = Dtype::FP32;
    std::int64_t step = 1;
};

/// Operands far from each other: no hazard between copies of the program.
inline LaneProgram program_of(Opcode opcode, std::uint32_t n, Place src0, Place dst) {
    LaneProgram program;
    program.opcode = &opcode_row(opcode);
    program.channels = 128;
    program.elements = n;
    program.src0 = tensor(src0.space, src0.dtype, n, 0, src0.step);
    program.dst = tensor(dst.space, dst.dtype, n, 0x2000000, dst.step);
    program.elementwise.stage0 = {AluOp::MULT, false, StageOperand::SCALAR};
    program.elementwise.stage1 = {AluOp::ADD, false, StageOperand::SCALAR};
    return program;
}

inline LaneProgram program_of(Opcode opcode, std::uint32_t n, Place src0, Place src1, Place dst) {
    LaneProgram program = program_of(opcode, n, src0, dst);
    program.src1 = tensor(src1.space, src1.dtype, n, 0x1000000, src1.step);
    program.elementwise.stage1.operand = StageOperand::TENSOR;
    return program;
}

inline LaneProgram scan_of(std::uint32_t n, ScanRecurrence recurrence, ScanOrder order) {
    LaneProgram program =
        program_of(Opcode::TENSOR_TENSOR_SCAN_ARITH, n, Place{}, Place{}, Place{});
    program.tail = Tail::SCAN;
    program.recurrence = recurrence;
    program.order = order;
    return program;
}

inline LaneProgram read_accumulator() {
    LaneProgram program;
    program.opcode = &opcode_row(Opcode::DVE_READ_ACCUMULATOR);
    program.channels = 128;
    program.elements = 1;
    program.tail = Tail::READ_ACCUMULATOR;
    program.dst = tensor(Space::SBUF, Dtype::FP32, 1, 0x3000000);
    return program;
}

/// When instructions run that could all start at once. There are two of it, and two test programs:
/// closed_form_times.cpp places them, cycle_times.cpp runs them cycle by cycle.
std::vector<InstructionTimes> times_of(const std::vector<LaneProgram>& programs,
                                       Generation generation, const TimingParameters& parameters);

/// Start-to-start distance of the second and third of three identical instructions.
inline std::uint64_t start_to_start(const LaneProgram& program, Generation generation,
                                    const TimingParameters& parameters) {
    const auto times = times_of({program, program, program}, generation, parameters);
    const std::uint64_t distance = times[2].start_cycle - times[1].start_cycle;
    return distance == times[1].start_cycle - times[0].start_cycle ? distance : 0;
}
inline std::uint64_t start_to_start(const LaneProgram& program, Generation generation) {
    return start_to_start(program, generation, TimingParameters::for_generation(generation));
}

inline std::uint64_t beats(const LaneProgram& program, Generation generation) {
    const auto times =
        times_of({program}, generation, TimingParameters::for_generation(generation));
    return times[0].read_done_cycle - times[0].start_cycle;
}

}  // namespace dve::test
