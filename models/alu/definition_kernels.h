// Kernels of every number model, built on evaluate.h element by element.
#pragma once

#include "models/alu/kernels.h"

namespace dve {

ConvertInFunction definition_convert_in(Dtype dtype);
ConvertOutFunction definition_convert_out(Dtype dtype);
StageFunction definition_stage(const StageSpec& spec);
BitvecStageFunction definition_bitvec_stage(const StageSpec& spec);

}  // namespace dve
