// Whole rows of exact integers: the integer band on tensors and the 64-bit bitvec arm.
#pragma once

#include "models/alu/kernels.h"

namespace dve {

/// Runs a spec with `integer` set, or a bitvec spec on 64-bit values, in blocks. Results are those
/// of evaluate_integer and evaluate_bitvec64. Operands are extended by the signedness of their
/// types, a stage's result wraps at the output width; between two stages at 32 bits (decisions 3).
void run_integer_blocks(const ElementwiseKernel& kernel, const ElementwiseArguments& arguments,
                        FpStatus& status);

/// Whether a spec is one of those.
bool is_integer_spec(const ElementwiseSpec& spec);

}  // namespace dve
