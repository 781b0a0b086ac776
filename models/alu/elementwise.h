// The general elementwise kernels: rows in blocks that stay in the first cache level.
#pragma once

#include "models/alu/kernels.h"

namespace dve {

/// Elements of one block.
inline constexpr std::size_t block_elements = 512;

/// Whether a stage reads the second tensor; BYPASS has no right operand.
inline bool takes_tensor(const StageSpec& spec) {
    return spec.operand == StageOperand::TENSOR && spec.op != AluOp::BYPASS;
}

void run_arithmetic_blocks(const ElementwiseKernel& kernel, const ElementwiseArguments& arguments,
                           FpStatus& status);
void run_bitvec_blocks(const ElementwiseKernel& kernel, const ElementwiseArguments& arguments,
                       FpStatus& status);

}  // namespace dve
