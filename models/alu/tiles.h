// Elementwise instructions as vector passes over tiles that stay in the first cache level.
//
// The passes are right for ordinary data and say so; a tile with a NaN, an infinity, an overflow
// or a status flag that is new goes through the exact kernels instead. Until inexact is raised,
// every instruction that can raise it does.
#pragma once

#include "models/alu/kernels.h"

namespace dve {

/// Fills in the passes; false if the instruction or the model has none.
bool plan_tiles(const ElementwiseSpec& spec, const NumberModel& model, TilePlan& plan);

void run_tiles(const ElementwiseKernel& kernel, const ElementwiseArguments& arguments,
               FpStatus& status);

}  // namespace dve
