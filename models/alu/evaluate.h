// The definition of the arithmetic, one element at a time, from bits (no host floating point).
//
// The vector kernels (kernels.h) must give the same bits; tests hold them against these functions,
// and these functions against exact rationals.
#pragma once

#include <cstdint>

#include "models/alu/number_model.h"
#include "models/isa/alu_op.h"
#include "models/isa/dtype.h"

namespace dve {

inline constexpr std::uint32_t canonical_nan_fp32 = 0x7FC00000;

/// Memory pattern of one element (low bits of `raw`; the low 4 for INT4 and FP4_EXP2) to FP32 bits.
/// Integers round by model.rounding; everything else is exact. FP32 NaN payloads pass unchanged.
/// FP8_EXP2 is read IEEE style, as FP8_EXP3; the scale formats SFP8_* have no sign, no infinity and
/// NaN only as 0xFF; SFP8_E8 has powers of two and no zero.
std::uint32_t to_fp32(Dtype dtype, std::uint64_t raw, const NumberModel& model, FpStatus& status);

/// FP32 bits to the memory pattern of one element: narrowing by model.rounding, overflow by
/// model.saturate_narrowing, integers by model.fp_to_int_nearest then saturation, NaN results
/// canonical (sign 0) for floats and by model.nan_to_int_max for integers (decisions 3).
/// FP4_EXP2 has numbers only: overflow gives 6 whatever the rule, NaN gives +0 and raises invalid.
/// Scale formats: a negative number gives the lowest pattern (0, or 2^-127 for SFP8_E8) and raises
/// invalid, as in an unsigned integer; -0 counts as 0; SFP8_E8 takes numbers below 2^-127 up to it.
std::uint64_t from_fp32(Dtype dtype, std::uint32_t fp32, const NumberModel& model,
                        FpStatus& status);

/// One arithmetic stage on FP32 bits: left op right, rounded once. Comparisons give 1.0 or 0.0.
/// Unary operations act on `left`; BYPASS returns `left`. NaN results are canonical except for
/// BYPASS. `op` must be one of the base arithmetic operations (not the integer band, not bitvec).
std::uint32_t evaluate_fp32(AluOp op, std::uint32_t left, std::uint32_t right,
                            const NumberModel& model, FpStatus& status);

/// One bitvec stage on values of `bits` (8, 16 or 32) width, result truncated to that width.
/// Shift counts are unsigned; the sign is the top bit of the width (decisions 3).
std::uint32_t evaluate_bitvec(AluOp op, std::uint32_t left, std::uint32_t right, unsigned bits,
                              const NumberModel& model);

}  // namespace dve
