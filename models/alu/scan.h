// Scans over rows: the prefix by the rotate-combine network and the carried recurrence
// (decisions 1). FP32 bits throughout, every operation rounded as evaluate_fp32 does.
#pragma once

#include <cstddef>
#include <cstdint>

#include "models/alu/kernels.h"
#include "models/alu/number_model.h"

namespace dve {

inline constexpr std::size_t scan_window = 16;  ///< 32-bit lanes of one 512-bit register
inline constexpr unsigned scan_passes = 4;      ///< log2(scan_window): strides 1, 2, 4, 8

enum class ScanOrder : std::uint8_t { ROTATE_COMBINE, SEQUENTIAL };
enum class ScanRecurrence : std::uint8_t { COMBINE_PREFIX, CARRIED };

/// Inclusive prefix of each row in place, combine(earlier, later), windows of 16 with one carry
/// combine per window after the first. Lanes below the stride keep their value.
/// combine: ADD, MULT, MAX, MIN or ABSOLUTE_DIFF.
/// SEQUENTIAL: x[i] = combine(x[i-1], x[i]).
void prefix_scan(AluOp combine, ScanOrder order, const Rows& fp32, std::size_t rows,
                 std::size_t columns, const NumberModel& model, FpStatus& status);

/// s = initial[r]; s = (src0[i] op0 s) op1 src1[i]; out[i] = s, operands swapped by the stages'
/// `reversed`. Under ROTATE_COMBINE the pairs of decisions 1 are lifted to maps and composed in the
/// network (carry applied to each lane's composed map); every other pair runs sequentially.
/// Returns false in that case, so that the caller can log it. out may be src0 or src1.
bool carried_scan(const StageSpec& op0, const StageSpec& op1, ScanOrder order,
                  const ConstRows& src0, const ConstRows& src1, const Rows& out, std::size_t rows,
                  std::size_t columns, const RowScalars& initial, const NumberModel& model,
                  FpStatus& status);

/// Whether the pair has a composition (first two columns of the table in decisions 1).
bool carried_scan_composes(const StageSpec& op0, const StageSpec& op1);

}  // namespace dve
