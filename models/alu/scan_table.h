// Scans over a group of rows, one row per lane: what the definition and the vector copies share.
#pragma once

#include <cstddef>
#include <cstdint>

#include "models/alu/kernels.h"

namespace dve {

inline constexpr std::size_t scan_tile_columns = 16;  ///< columns of a tile: one scan window
inline constexpr std::size_t scan_most_lanes = 16;    ///< rows of the widest group

struct ScanGroup;

/// Exact processing of one tile: x and t are [columns][lanes], results replace x; state is
/// [lanes]. `first`: no tile of these rows came before.
using ExactTile = void (*)(const ScanGroup& group, std::uint32_t* x, const std::uint32_t* t,
                           std::uint32_t* state, std::size_t columns, std::size_t lanes,
                           bool first);

struct ScanGroup {
    ConstRows src0;
    ConstRows src1;  ///< data null if not used
    Rows out;        ///< data null if nothing is stored
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::uint32_t* state = nullptr;  ///< one word per row, updated
    FpStatus* status = nullptr;
    ExactTile exact = nullptr;
    const void* context = nullptr;  ///< of `exact`
};

/// All columns of at most `lanes` rows; tiles with anything unusual go through group.exact.
using ScanFunction = void (*)(const ScanGroup& group);

/// Combines of the prefix and of the accumulators, in this order.
enum class ScanOp : std::uint8_t { ADD, SUBTRACT, MULT, MAX, MIN, ABSOLUTE_DIFF };
inline constexpr std::size_t scan_ops = 6;

/// Maps of the carried network, in this order (decisions 1).
enum class ScanMap : std::uint8_t {
    MULT_ADD,
    MULT_SUBTRACT,
    ADD_ADD,
    MULT_MULT,
    ADD_MAX,
    ADD_MIN,
    MAX_MIN,
    MIN_MAX,
};
inline constexpr std::size_t scan_maps = 8;
inline constexpr std::size_t scan_stage_ops = 6;  ///< TileOp without BYPASS, from ADD on

struct ScanTable {
    std::size_t lanes;
    ScanFunction prefix_network[scan_ops];
    ScanFunction prefix_sequential[scan_ops];
    ScanFunction accumulate[scan_ops];
    ScanFunction carried_network[scan_maps];
    ScanFunction carried_sequential[scan_stage_ops][scan_stage_ops];
};

}  // namespace dve
