// Planning and running of the tile passes.
#include "models/alu/tiles.h"

#include <algorithm>
#include <cstring>

#include "models/alu/elementwise.h"
#include "models/alu/exact_kernels.h"
#include "models/alu/kernel_table.h"

namespace dve {
namespace {

/// Elements of a tile: four FP32 blocks fit in the first cache level.
constexpr std::size_t tile_elements = 2048;

/// Elements of a tile that needs no blocks; a watched value makes the whole tile run again.
constexpr std::size_t single_pass_elements = 8192;

using Block = std::uint32_t[tile_elements];

/// Index of a stage among the tile operations, or -1.
int tile_op_of(const StageSpec& spec, const NumberModel& model) {
    if (!lane_form_applies(spec.op, model)) {
        return -1;
    }
    switch (spec.op) {
        case AluOp::BYPASS: return static_cast<int>(TileOp::BYPASS);
        case AluOp::ADD: return static_cast<int>(TileOp::ADD);
        case AluOp::SUBTRACT:
            return static_cast<int>(spec.reversed ? TileOp::FROM : TileOp::SUBTRACT);
        case AluOp::MULT: return static_cast<int>(TileOp::MULT);
        case AluOp::MAX: return static_cast<int>(TileOp::MAX);
        case AluOp::MIN: return static_cast<int>(TileOp::MIN);
        default: return -1;
    }
}

bool can_be_inexact(const ElementwiseSpec& spec) {
    const auto& operations = kernel_table().lanes->operations;
    const auto stage_can = [&](const StageSpec& stage) {
        return (operations[static_cast<std::size_t>(stage.op)].may_raise & FpStatus::INEXACT) != 0;
    };
    const auto wide_integer = [](Dtype dtype) {
        return dtype == Dtype::INT32 || dtype == Dtype::UINT32;
    };
    const bool moves = spec.stage0.op == AluOp::BYPASS && spec.stage1.op == AluOp::BYPASS;
    const bool same = moves && spec.in0 == spec.out && !wide_integer(spec.in0);
    return stage_can(spec.stage0) || stage_can(spec.stage1) || wide_integer(spec.in0) ||
           wide_integer(spec.in1) || (spec.out != Dtype::FP32 && !same);
}

/// The tile function of a format's table row if the stage has one there.
TileFunction half_of(const TileFunction (&functions)[tile_ops][2], const StageSpec& spec,
                     const NumberModel& model) {
    const int op = tile_op_of(spec, model);
    return op < 0 ? nullptr : functions[static_cast<std::size_t>(op)][takes_tensor(spec) ? 1 : 0];
}

const LaneOperation* lane_of(const StageSpec& spec) {
    return &kernel_table().lanes->operations[static_cast<std::size_t>(spec.op)];
}

template <typename RowsType>
RowsType part(const RowsType& rows, std::size_t row, std::size_t bytes) {
    RowsType result = rows;
    if (result.data != nullptr) {
        result.data +=
            static_cast<std::ptrdiff_t>(row) * rows.row_stride + static_cast<std::ptrdiff_t>(bytes);
    }
    return result;
}

RowScalars part(const RowScalars& scalars, std::size_t row) {
    static constexpr std::uint32_t none = 0;
    if (scalars.values == nullptr) {
        return {&none, 0};
    }
    return {scalars.values + row * scalars.stride, scalars.stride};
}

class TileRunner {
public:
    TileRunner(const ElementwiseKernel& kernel, const ElementwiseArguments& arguments,
               FpStatus& status)
        : kernel_(kernel),
          plan_(kernel.tiles),
          arguments_(arguments),
          status_(status),
          bytes0_(element_bytes(kernel.spec.in0)),
          bytes1_(element_bytes(kernel.spec.in1)),
          bytes_out_(element_bytes(kernel.spec.out)),
          tensor_(takes_tensor(kernel.spec.stage0) || takes_tensor(kernel.spec.stage1)) {
        const bool in_place = arguments.src0.data == arguments.dst.data ||
                              arguments.src1.data == arguments.dst.data;
        elements_ = plan_.single != nullptr && !in_place ? single_pass_elements : tile_elements;
    }

    void run() {
        std::size_t row = 0;
        while (row < arguments_.rows) {
            std::size_t rows = 1;
            if (arguments_.columns < elements_ / 2 && !searching()) {
                rows = std::min(arguments_.rows - row,
                                elements_ / std::max<std::size_t>(arguments_.columns, 1));
            }
            std::size_t column = 0;
            while (column < arguments_.columns) {
                const std::size_t limit = searching() ? block_elements : elements_;
                const std::size_t columns = std::min(limit, arguments_.columns - column);
                run_tile(tile_at(row, rows, column, columns));
                column += columns;
            }
            row += rows;
        }
    }

private:
    /// Inexact is possible and not raised yet.
    bool searching() const { return (plan_.inexact & ~status_.bits) != 0; }

    ElementwiseArguments tile_at(std::size_t row, std::size_t rows, std::size_t column,
                                 std::size_t columns) const {
        ElementwiseArguments tile;
        tile.rows = rows;
        tile.columns = columns;
        tile.src0 = part(arguments_.src0, row, column * bytes0_);
        tile.src1 = tensor_ ? part(arguments_.src1, row, column * bytes1_) : ConstRows{};
        tile.dst = part(arguments_.dst, row, column * bytes_out_);
        tile.scalar0 = part(arguments_.scalar0, row);
        tile.scalar1 = part(arguments_.scalar1, row);
        return tile;
    }

    void run_tile(const ElementwiseArguments& tile) {
        if (searching()) {
            run_arithmetic_blocks(kernel_, tile, status_);
            return;
        }
        // In place: the passes may have to be repeated, so they read a copy.
        ElementwiseArguments stable = tile;
        if (tile.src0.data == tile.dst.data) {
            stable.src0 = copy(tile.src0, tile.rows, tile.columns * bytes0_, copy0_);
        }
        if (tile.src1.data == tile.dst.data) {
            stable.src1 = copy(tile.src1, tile.rows, tile.columns * bytes1_, copy1_);
        }
        const std::uint32_t outcome =
            plan_.single != nullptr ? plan_.single(stable, kernel_.model) : run_passes(stable);
        if ((outcome & TILE_WRONG) != 0 ||
            ((outcome & TILE_UNDERFLOW) != 0 && (status_.bits & FpStatus::UNDERFLOW_) == 0) ||
            ((outcome & TILE_INVALID) != 0 && (status_.bits & FpStatus::INVALID) == 0)) {
            run_arithmetic_blocks(kernel_, stable, status_);
        }
    }

    static ConstRows copy(const ConstRows& from, std::size_t rows, std::size_t bytes, Block& to) {
        auto* bytes_to = reinterpret_cast<std::uint8_t*>(to);
        for (std::size_t row = 0; row < rows; ++row) {
            std::memcpy(bytes_to + row * bytes,
                        from.data + static_cast<std::ptrdiff_t>(row) * from.row_stride, bytes);
        }
        return {bytes_to, static_cast<std::ptrdiff_t>(bytes)};
    }

    std::uint32_t run_passes(const ElementwiseArguments& tile) {
        const auto stride = static_cast<std::ptrdiff_t>(tile.columns * 4);
        const auto block = [stride](Block& words) {
            return Rows{reinterpret_cast<std::uint8_t*>(words), stride};
        };
        const auto source = [](const Rows& rows) { return ConstRows{rows.data, rows.row_stride}; };
        std::uint32_t outcome = TILE_DONE;
        ElementwiseArguments pass = tile;
        if (plan_.in1 != nullptr) {
            pass.src0 = tile.src1;
            pass.src1 = {};
            pass.dst = block(second_);
            outcome |= plan_.in1(pass, kernel_.model);
            pass.src1 = source(pass.dst);
        }
        pass.src0 = tile.src0;
        pass.dst = block(first_);
        outcome |= plan_.in0(pass, kernel_.model);
        pass.src0 = source(pass.dst);
        if (plan_.lane0 != nullptr) {
            pass.dst = block(after0_);
            outcome |= run_lanes(*plan_.lane0, kernel_.spec.stage0, pass, pass.scalar0);
            pass.src0 = source(pass.dst);
        }
        if (plan_.lane1 != nullptr) {
            pass.dst = block(after1_);
            outcome |= run_lanes(*plan_.lane1, kernel_.spec.stage1, pass, pass.scalar1);
            pass.src0 = source(pass.dst);
        }
        pass.dst = tile.dst;
        return outcome | plan_.out(pass, kernel_.model);
    }

    /// A stage of any operation, row by row; wrong if it raised a flag that is new.
    std::uint32_t run_lanes(const LaneOperation& operation, const StageSpec& spec,
                            const ElementwiseArguments& pass, const RowScalars& scalars) const {
        const bool tensor = takes_tensor(spec);
        const LaneShape shape = tensor          ? LaneShape::TENSORS
                                : spec.reversed ? LaneShape::LEFT_SCALAR
                                                : LaneShape::RIGHT_SCALAR;
        const LaneOperation::Run lanes = operation.run[static_cast<std::size_t>(shape)];
        std::uint32_t suspect = 0;
        for (std::size_t row = 0; row < pass.rows; ++row) {
            const auto* data = words(pass.src0, row);
            const auto* operand =
                tensor ? words(pass.src1, row) : scalars.values + row * scalars.stride;
            auto* result = reinterpret_cast<std::uint32_t*>(
                pass.dst.data + static_cast<std::ptrdiff_t>(row) * pass.dst.row_stride);
            suspect |= lanes(spec.reversed ? operand : data, spec.reversed ? data : operand, result,
                             pass.columns);
        }
        return (suspect & ~status_.bits) != 0 ? TILE_WRONG : TILE_DONE;
    }

    static const std::uint32_t* words(const ConstRows& rows, std::size_t row) {
        return reinterpret_cast<const std::uint32_t*>(rows.data + static_cast<std::ptrdiff_t>(row) *
                                                                      rows.row_stride);
    }

    const ElementwiseKernel& kernel_;
    const TilePlan& plan_;
    const ElementwiseArguments& arguments_;
    FpStatus& status_;
    std::size_t bytes0_;
    std::size_t bytes1_;
    std::size_t bytes_out_;
    bool tensor_;
    std::size_t elements_;  ///< of a tile
    alignas(64) Block first_;
    alignas(64) Block second_;
    alignas(64) Block after0_;
    alignas(64) Block after1_;
    alignas(64) Block copy0_;
    alignas(64) Block copy1_;
};

}  // namespace

bool plan_tiles(const ElementwiseSpec& spec, const NumberModel& model, TilePlan& plan) {
    const TileTable& tiles = *kernel_table().tiles;
    const int in0 = lane_format_of(spec.in0, model);
    const int in1 = lane_format_of(spec.in1, model);
    const int out = lane_format_of(spec.out, model);
    const auto formats = static_cast<int>(tile_formats);
    const bool tensor = takes_tensor(spec.stage0) || takes_tensor(spec.stage1);
    if (in0 < 0 || in0 >= formats || out < 0 || out >= formats ||
        (tensor && (in1 < 0 || in1 >= formats)) || !lane_form_applies(spec.stage0.op, model) ||
        !lane_form_applies(spec.stage1.op, model)) {
        return false;
    }
    const int op0 = tile_op_of(spec.stage0, model);
    const int op1 = tile_op_of(spec.stage1, model);
    const bool fp32_in = spec.in0 == Dtype::FP32 && (!tensor || spec.in1 == Dtype::FP32);
    const bool fp32_out = spec.out == Dtype::FP32;
    const bool passes0 = spec.stage0.op == AluOp::BYPASS;
    const bool passes1 = spec.stage1.op == AluOp::BYPASS;
    const auto& in_row = tiles.in[static_cast<std::size_t>(in0)];
    const auto& out_row = tiles.out[static_cast<std::size_t>(out)];
    plan.inexact = can_be_inexact(spec) ? FpStatus::INEXACT : 0;
    const TileFunction in_half = half_of(in_row, spec.stage0, model);
    const TileFunction out_half = half_of(out_row, spec.stage1, model);
    TileFunction same_format = nullptr;
    if (in0 == out && !tensor && op0 >= 0 && op1 >= 0) {
        same_format = kernel_table().narrow->fused[in0][op0][op1];
    }
    if (fp32_in && fp32_out && op0 >= 0 && op1 >= 0) {
        const TileShape shape = takes_tensor(spec.stage0)   ? TileShape::TENSOR_FIRST
                                : takes_tensor(spec.stage1) ? TileShape::TENSOR_SECOND
                                                            : TileShape::SCALARS;
        plan.single = tiles.fused[op0][op1][static_cast<std::size_t>(shape)];
    } else if (same_format != nullptr) {
        plan.single = same_format;
    } else if (fp32_in && passes0 && out_half != nullptr) {
        plan.single = out_half;
    } else if (fp32_out && passes1 && (!tensor || spec.in1 == Dtype::FP32) && in_half != nullptr) {
        plan.single = passes0 ? tiles.widen[static_cast<std::size_t>(in0)] : in_half;
    } else {
        plan.in1 = tensor && spec.in1 != Dtype::FP32 ? tiles.in[static_cast<std::size_t>(in1)][0][0]
                                                     : nullptr;
        plan.in0 = in_half != nullptr ? in_half : in_row[0][0];
        plan.lane0 = in_half != nullptr ? nullptr : lane_of(spec.stage0);
        plan.lane1 = out_half != nullptr ? nullptr : lane_of(spec.stage1);
        plan.out = out_half != nullptr ? out_half : out_row[0][0];
    }
    return true;
}

void run_tiles(const ElementwiseKernel& kernel, const ElementwiseArguments& arguments,
               FpStatus& status) {
    TileRunner(kernel, arguments, status).run();
}

}  // namespace dve
