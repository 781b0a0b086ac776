// Random legal instructions: every form of operand, every kind of overlap.
#pragma once

#include <optional>

#include "models/isa/alu_op.h"
#include "models/isa/check.h"
#include "tests/dve/reference.h"

namespace dve::test {

class InstructionSource {
public:
    explicit InstructionSource(unsigned seed) : engine_(seed) {}

    /// The next instruction that the generation's predicates accept and whose walks fit Memories.
    Instruction next(Generation generation);

    std::mt19937& engine() { return engine_; }

private:
    Instruction propose();
    Shape shape_of(std::uint32_t elements, unsigned dimensions);
    void place(Tensor& tensor);
    Dtype any_dtype(bool integer);
    unsigned partition_for(unsigned channels);
    AluOp any_op(AluOpClass op_class);
    Scalar any_scalar(unsigned channels, Dtype dtype);
    bool one_in(unsigned n) { return between(engine_, 1, n) == 1; }

    std::mt19937 engine_;
};

}  // namespace dve::test
