// exp of FP32 values, correctly rounded (decisions 3).
#pragma once

#include <cstddef>
#include <cstdint>

#include "models/alu/number_model.h"

namespace dve {

/// e^x of FP32 bits, rounded by model.rounding. exp(0) is exactly 1, exp(-inf) +0, exp(+inf)
/// infinity; a NaN becomes the canonical one. The value comes from the C library in double and,
/// where that lies next to a rounding boundary, in 64-bit-significand long double, so a result is
/// the correctly rounded one unless the true value agrees with a boundary to 2^-62.
std::uint32_t evaluate_exponential(std::uint32_t fp32, const NumberModel& model, FpStatus& status);

/// A span in place.
void exponential(std::uint32_t* fp32, std::size_t count, const NumberModel& model,
                 FpStatus& status);

}  // namespace dve
