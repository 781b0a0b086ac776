// Vector kernels for the default rounding with exact status: conversions and stages over spans.
#pragma once

#include "models/alu/kernels.h"

namespace dve {

/// Index of a type among the lane formats, or -1.
int lane_format_of(Dtype dtype, const NumberModel& model);

/// Whether the lane form of an operation follows the model.
bool lane_form_applies(AluOp op, const NumberModel& model);

/// Null where only the definition will do.
ConvertInFunction exact_convert_in(Dtype dtype, const NumberModel& model);
ConvertOutFunction exact_convert_out(Dtype dtype, const NumberModel& model);
StageFunction exact_stage(const StageSpec& spec, const NumberModel& model);
BitvecStageFunction vector_bitvec_stage(const StageSpec& spec, const NumberModel& model);

}  // namespace dve
