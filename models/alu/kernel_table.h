// What one copy of the vector kernels offers; there is a copy per instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "models/alu/kernels.h"

namespace dve {

/// Outcome of a tile kernel: what the caller must do about the tile.
enum TileOutcome : std::uint32_t {
    TILE_DONE = 0,
    TILE_WRONG = 1,      ///< a NaN, infinity, overflow or unusual scalar: results may be wrong
    TILE_UNDERFLOW = 2,  ///< results are right; underflow may have to be raised
    TILE_INVALID = 4,    ///< results are right; invalid may have to be raised
};

/// A pass over a tile. src0, src1 and dst do not overlap; src1, if used, is FP32. Inexact results
/// are not reported.
using TileFunction = std::uint32_t (*)(const ElementwiseArguments& tile, const NumberModel& model);

/// Operations that have tile kernels, in this order.
enum class TileOp : std::uint8_t { BYPASS, ADD, SUBTRACT, FROM, MULT, MAX, MIN };
inline constexpr std::size_t tile_ops = 7;  // FROM is SUBTRACT reversed

/// Element formats of the tile kernels, in this order.
enum class TileFormat : std::uint8_t {
    FP32,
    BF16,
    FP16,
    FP8_EXP3,
    FP8_EXP4,
    FP8_EXP4_FN,
    FP8_EXP5,
    INT8,
    UINT8,
    INT16,
    UINT16,
    INT32,
    UINT32,
};
inline constexpr std::size_t tile_formats = 13;

/// Where a two-stage kernel takes the second tensor.
enum class TileShape : std::uint8_t { SCALARS, TENSOR_FIRST, TENSOR_SECOND };
inline constexpr std::size_t tile_shapes = 3;

struct TileTable {
    /// FP32 to FP32.
    TileFunction fused[tile_ops][tile_ops][tile_shapes];
    /// A format to an FP32 block with one stage; last index: 1 if the operand is a tensor.
    TileFunction in[tile_formats][tile_ops][2];
    /// An FP32 block to a format with one stage.
    TileFunction out[tile_formats][tile_ops][2];
    /// A format to FP32 in memory, nothing else.
    TileFunction widen[tile_formats];
};

/// Both stages with scalars, same format in and out; null for the formats without them.
struct NarrowTable {
    TileFunction fused[tile_formats][tile_ops][tile_ops];
};

/// Operand spans of a lane loop; a scalar is one word.
enum class LaneShape : std::uint8_t { TENSORS, RIGHT_SCALAR, LEFT_SCALAR };
inline constexpr std::size_t lane_shapes = 3;

/// One operation over spans. `out` overlaps neither operand.
struct LaneOperation {
    /// Returns the flags other than inexact that may have been raised.
    using Run = std::uint32_t (*)(const std::uint32_t* left, const std::uint32_t* right,
                                  std::uint32_t* out, std::size_t count);
    /// Returns exactly the flags that were raised, given the result.
    using Flags = std::uint32_t (*)(const std::uint32_t* left, const std::uint32_t* right,
                                    const std::uint32_t* result, std::size_t count);
    using Bitvec = void (*)(const std::uint32_t* left, const std::uint32_t* right,
                            std::uint32_t* out, std::size_t count, unsigned width);
    Run run[lane_shapes] = {};
    Flags flags[lane_shapes] = {};  ///< null: by the definition
    Bitvec bitvec[lane_shapes] = {};
    std::uint32_t may_raise = 0;
};

/// Conversions over spans.
struct LaneFormat {
    void (*in)(const std::uint8_t* from, std::uint32_t* fp32, std::size_t count);
    std::uint32_t (*in_flags)(const std::uint8_t* from, std::size_t count);  ///< null: exact
    void (*out)(const std::uint32_t* fp32, std::uint8_t* to, std::size_t count,
                const NumberModel& model);
    std::uint32_t (*out_flags)(const std::uint32_t* fp32, std::size_t count,
                               const NumberModel& model);
};

/// The tile formats, then FP32R, which is only written.
inline constexpr std::size_t lane_formats = tile_formats + 1;
inline constexpr std::size_t lane_format_fp32r = tile_formats;

inline constexpr std::size_t lane_operations = 0x25;  ///< base operations, by value

struct LaneTable {
    LaneOperation operations[lane_operations];
    LaneFormat formats[lane_formats];
};

struct KernelTable {
    const char* instruction_set;
    const TileTable* tiles;
    const NarrowTable* narrow;
    const LaneTable* lanes;
    const struct ScanTable* scans;
};

/// The copy for this machine, or the one that DVE_KERNELS names. Chosen at first use.
const KernelTable& kernel_table();

/// The copies this machine can run, largest instruction set last.
std::size_t available_kernel_tables(KernelTable (&tables)[3]);

/// Makes kernel_table() return another copy (for tests). Kernels selected before keep theirs.
void use_kernel_table(const KernelTable& table);

}  // namespace dve
