// Choice of opcodes, operands and placements.
#include "tests/dve/random_instruction.h"

namespace dve::test {
namespace {

bool inside(const Tensor& tensor) {
    const auto [low, high] = walk_reach(walk_bytes(tensor.shape, element_bytes(tensor.dtype)));
    return tensor.byte + low >= 0 && tensor.byte + high + element_bytes(tensor.dtype) <=
                                         static_cast<std::int64_t>(Memories::row_bytes);
}

}  // namespace

Shape InstructionSource::shape_of(std::uint32_t elements, unsigned dimensions) {
    Shape shape;
    std::uint32_t left = elements;
    for (unsigned d = 0; d + 1 < dimensions; ++d) {
        for (const std::uint32_t factor : {5U, 4U, 3U, 2U}) {
            if (left % factor == 0 && one_in(2)) {
                shape.count[d] = static_cast<std::uint16_t>(shape.count[d] * factor);
                left /= factor;
            }
        }
    }
    shape.count[dimensions - 1] = static_cast<std::uint16_t>(left);
    std::int64_t step = 1;
    const std::int64_t form = between(engine_, 0, 4);  // 0 and 1: contiguous
    for (unsigned d = 0; d < dimensions; ++d) {
        if (form == 2) {
            step += between(engine_, 0, 2);
        }
        shape.step[d] = static_cast<std::int16_t>(form == 4                ? between(engine_, -6, 6)
                                                  : form == 3 && one_in(2) ? -step
                                                                           : step);
        if (form != 4 && one_in(8)) {
            shape.step[d] = 0;
        }
        step *= shape.count[d];
    }
    return shape;
}

void InstructionSource::place(Tensor& tensor) {
    const std::int64_t size = element_bytes(tensor.dtype);
    const auto [low, high] = walk_reach(walk_bytes(tensor.shape, element_bytes(tensor.dtype)));
    const std::int64_t first = (-low + size - 1) / size;
    const std::int64_t last = (static_cast<std::int64_t>(Memories::row_bytes) - size - high) / size;
    if (first <= last) {
        tensor.byte = static_cast<std::uint32_t>(between(engine_, first, last) * size);
    }
}

Dtype InstructionSource::any_dtype(bool integer) {
    static constexpr Dtype integers[] = {Dtype::INT8,   Dtype::UINT8, Dtype::INT16,
                                         Dtype::UINT16, Dtype::INT32, Dtype::UINT32};
    static constexpr Dtype floats[] = {Dtype::FP32,     Dtype::FP32,     Dtype::BF16,
                                       Dtype::FP16,     Dtype::FP8_EXP3, Dtype::FP8_EXP4,
                                       Dtype::FP8_EXP5, Dtype::FP32R};
    return integer || one_in(4) ? integers[between(engine_, 0, 5)] : floats[between(engine_, 0, 7)];
}

unsigned InstructionSource::partition_for(unsigned channels) {
    if (channels > 64 || one_in(2)) {
        return 0;
    }
    return static_cast<unsigned>(channels > 32 ? 64 * between(engine_, 0, 1)
                                               : 32 * between(engine_, 0, 3));
}

AluOp InstructionSource::any_op(AluOpClass op_class) {
    static constexpr AluOp usual[] = {AluOp::BYPASS, AluOp::ADD, AluOp::MULT, AluOp::MAX};
    if (op_class != GENERAL_BITVEC && one_in(3)) {
        return usual[between(engine_, 0, 3)];
    }
    std::vector<AluOp> members;
    for (const AluOpRow& row : alu_op_rows()) {
        if (row.in(op_class)) {
            members.push_back(row.op);
        }
    }
    return members[static_cast<std::size_t>(
        between(engine_, 0, static_cast<std::int64_t>(members.size()) - 1))];
}

Scalar InstructionSource::any_scalar(unsigned channels, Dtype dtype) {
    Scalar scalar;
    scalar.source = static_cast<ImmSrc>(between(engine_, 0, 2));
    scalar.dtype = dtype;
    scalar.partition = partition_for(channels);
    scalar.space = one_in(4) ? Space::PSUM : Space::SBUF;
    const unsigned size = element_bytes(dtype);
    scalar.byte =
        static_cast<std::uint32_t>(between(engine_, 0, Memories::row_bytes / size - 1) * size);
    scalar.bits = one_in(2) ? 0x3F800000U + (engine_() & 0xFFFFFFU) : engine_();
    if (size < 4) {
        scalar.bits &= (1U << 8 * size) - 1;
    }
    return scalar;
}

Instruction InstructionSource::propose() {
    static constexpr std::uint8_t opcodes[] = {0x43, 0x44, 0x53, 0x54, 0x9D, 0x9D,
                                               0x9D, 0x9E, 0xE5, 0xE5, 0x9B};
    Instruction instruction;
    instruction.opcode = opcodes[between(engine_, 0, 10)];
    instruction.channels = static_cast<unsigned>(between(engine_, 1, one_in(4) ? 128 : 8));
    const unsigned partition = partition_for(instruction.channels);
    const bool bitvec = instruction.bitvec();
    for (Tensor* tensor : {&instruction.src0, &instruction.src1, &instruction.dst}) {
        tensor->space = one_in(4) ? Space::PSUM : Space::SBUF;
        tensor->partition =
            instruction.two_sources() ? partition : partition_for(instruction.channels);
        tensor->dtype = any_dtype(bitvec);
        tensor->by_register = one_in(5);
    }
    if (bitvec) {
        instruction.src0.dtype = instruction.src1.dtype = instruction.dst.dtype;
    }
    if (instruction.reads_accumulator()) {
        instruction.negated = one_in(2);
        place(instruction.dst);
        return instruction;
    }
    const AluOpClass op_class = bitvec ? GENERAL_BITVEC : GENERAL_ARITH;
    instruction.op0 = any_op(op_class);
    instruction.op1 = any_op(op_class);
    instruction.reverse = static_cast<unsigned>(between(engine_, 0, 3));
    const bool own_dtype = instruction.opcode == 0x9D || instruction.opcode == 0xE5;
    const Dtype scalar_dtype = bitvec                   ? instruction.src0.dtype
                               : own_dtype && one_in(2) ? any_dtype(false)
                                                        : Dtype::FP32;
    instruction.scalar0 = any_scalar(instruction.channels, scalar_dtype);
    instruction.scalar1 = any_scalar(instruction.channels, scalar_dtype);
    if (instruction.opcode == 0x9D && one_in(2)) {
        instruction.accumulate = one_in(2) ? 2 : 3;
    }

    static constexpr std::uint32_t counts[] = {1, 2, 15, 16, 17, 24, 48, 60, 64, 120, 1080, 2400};
    const std::uint32_t elements = counts[between(engine_, 0, one_in(6) ? 11 : 9)];
    const unsigned dimensions = instruction.two_sources() ? 2 : 3;
    for (Tensor* tensor : {&instruction.src0, &instruction.src1, &instruction.dst}) {
        tensor->shape = shape_of(elements, dimensions);
        place(*tensor);
    }
    // In place, or a few elements beside it.
    if (one_in(3)) {
        const Tensor& source =
            instruction.two_sources() && one_in(2) ? instruction.src1 : instruction.src0;
        const Dtype dtype = instruction.dst.dtype;
        instruction.dst = source;
        if (one_in(2)) {
            instruction.dst.byte +=
                static_cast<std::uint32_t>(between(engine_, -20, 20) * element_bytes(source.dtype));
        } else if (element_bytes(dtype) == element_bytes(source.dtype)) {
            instruction.dst.dtype = dtype;
        }
    }
    return instruction;
}

Instruction InstructionSource::next(Generation generation) {
    const IsaConfiguration isa = IsaConfiguration::for_generation(generation);
    for (;;) {
        const Instruction instruction = propose();
        bool fits = inside(instruction.dst);
        if (!instruction.reads_accumulator()) {
            fits = fits && inside(instruction.src0) &&
                   (!instruction.two_sources() || inside(instruction.src1));
        }
        std::array<std::uint32_t, 64> registers{};
        if (!fits || check(encode(instruction, generation, registers), isa)) {
            continue;
        }
        // A register word hides what `check` would refuse; the record with plain words must pass.
        Instruction plain = instruction;
        for (Tensor* tensor : {&plain.src0, &plain.src1, &plain.dst}) {
            tensor->by_register = false;
        }
        for (Scalar* scalar : {&plain.scalar0, &plain.scalar1}) {
            if (scalar->source == ImmSrc::REG_PTR) {
                scalar->source = ImmSrc::POINTER;
            }
        }
        if (!check(encode(plain, generation, registers), isa)) {
            return instruction;
        }
    }
}

}  // namespace dve::test
