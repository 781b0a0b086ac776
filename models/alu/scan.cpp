// Scans: choice between the vector kernels and the exact tiles, and the walk over groups of rows.
#include "models/alu/scan.h"

#include <algorithm>
#include <cstring>

#include "models/alu/evaluate.h"
#include "models/alu/exact_kernels.h"
#include "models/alu/kernel_table.h"
#include "models/alu/scan_exact.h"

namespace dve {
namespace {

/// All rows in groups. state: one word per row, updated.
void run_groups(ScanGroup group, std::size_t rows, std::uint32_t* state, ScanFunction vector) {
    if (group.columns == 0) {
        return;
    }
    const std::size_t lanes = vector != nullptr ? kernel_table().scans->lanes : scan_most_lanes;
    const auto advance = [lanes](auto& part) {
        if (part.data != nullptr) {
            part.data += static_cast<std::ptrdiff_t>(lanes) * part.row_stride;
        }
    };
    for (std::size_t row = 0; row < rows; row += lanes) {
        group.rows = std::min(lanes, rows - row);
        group.state = state + row;
        vector != nullptr ? vector(group) : run_exact_scan(group);
        advance(group.src0);
        advance(group.src1);
        advance(group.out);
    }
}

/// Index among the combines with vector kernels, or -1.
int scan_op_of(AluOp op, const NumberModel& model) {
    if (!lane_form_applies(op, model)) {
        return -1;
    }
    switch (op) {
        case AluOp::ADD: return static_cast<int>(ScanOp::ADD);
        case AluOp::SUBTRACT: return static_cast<int>(ScanOp::SUBTRACT);
        case AluOp::MULT: return static_cast<int>(ScanOp::MULT);
        case AluOp::MAX: return static_cast<int>(ScanOp::MAX);
        case AluOp::MIN: return static_cast<int>(ScanOp::MIN);
        case AluOp::ABSOLUTE_DIFF: return static_cast<int>(ScanOp::ABSOLUTE_DIFF);
        default: return -1;
    }
}

/// Index among the stages of the sequential carried scan, or -1.
int stage_op_of(const StageSpec& spec, const NumberModel& model) {
    if (!lane_form_applies(spec.op, model)) {
        return -1;
    }
    const auto index = [](TileOp op) { return static_cast<int>(op) - 1; };
    switch (spec.op) {
        case AluOp::ADD: return index(TileOp::ADD);
        case AluOp::SUBTRACT: return index(spec.reversed ? TileOp::FROM : TileOp::SUBTRACT);
        case AluOp::MULT: return index(TileOp::MULT);
        case AluOp::MAX: return index(TileOp::MAX);
        case AluOp::MIN: return index(TileOp::MIN);
        default: return -1;
    }
}

/// The map of a pair of stages; false for the pairs that have none (decisions 1).
bool map_of(const StageSpec& op0, const StageSpec& op1, ScanMap& map) {
    struct Row {
        AluOp op0;
        AluOp op1;
        ScanMap map;
    };
    static constexpr Row rows[] = {
        {AluOp::MULT, AluOp::ADD, ScanMap::MULT_ADD},
        {AluOp::MULT, AluOp::SUBTRACT, ScanMap::MULT_SUBTRACT},
        {AluOp::ADD, AluOp::ADD, ScanMap::ADD_ADD},
        {AluOp::MULT, AluOp::MULT, ScanMap::MULT_MULT},
        {AluOp::ADD, AluOp::MAX, ScanMap::ADD_MAX},
        {AluOp::ADD, AluOp::MIN, ScanMap::ADD_MIN},
        {AluOp::MAX, AluOp::MIN, ScanMap::MAX_MIN},
        {AluOp::MIN, AluOp::MAX, ScanMap::MIN_MAX},
    };
    for (const Row& row : rows) {
        if (row.op0 == op0.op && row.op1 == op1.op) {
            map = row.map;
            return op1.op != AluOp::SUBTRACT || !op1.reversed;
        }
    }
    return false;
}

ConstRows source(const Rows& rows) { return {rows.data, rows.row_stride}; }

/// Words of state for the rows of one group at a time: the callers' rows have no limit.
constexpr std::size_t rows_at_once = 128;

}  // namespace

void prefix_scan(AluOp combine, ScanOrder order, const Rows& fp32, std::size_t rows,
                 std::size_t columns, const NumberModel& model, FpStatus& status) {
    const bool network = order == ScanOrder::ROTATE_COMBINE;
    ScanOperations scan;
    scan.op0 = ScanCombine({combine, false, StageOperand::TENSOR}, model, status);
    ScanGroup group;
    group.columns = columns;
    group.status = &status;
    group.exact = network ? prefix_network_tile : prefix_sequential_tile;
    group.context = &scan;
    const ScanTable& table = *kernel_table().scans;
    const int op = scan_op_of(combine, model);
    const ScanFunction vector = op < 0    ? nullptr
                                : network ? table.prefix_network[op]
                                          : table.prefix_sequential[op];
    for (std::size_t row = 0; row < rows; row += rows_at_once) {
        std::uint32_t state[rows_at_once] = {};
        group.out = {fp32.data + static_cast<std::ptrdiff_t>(row) * fp32.row_stride,
                     fp32.row_stride};
        group.src0 = source(group.out);
        run_groups(group, std::min(rows_at_once, rows - row), state, vector);
    }
}

bool carried_scan_operations(const StageSpec& op0, const StageSpec& op1, const NumberModel& model,
                             FpStatus& status, ScanOperations& scan) {
    scan.op0 = ScanCombine(op0, model, status);
    scan.op1 = ScanCombine(op1, model, status);
    scan.add = ScanCombine({AluOp::ADD, false, StageOperand::TENSOR}, model, status);
    scan.mult = ScanCombine({AluOp::MULT, false, StageOperand::TENSOR}, model, status);
    return map_of(op0, op1, scan.map);
}

bool carried_scan(const StageSpec& op0, const StageSpec& op1, ScanOrder order,
                  const ConstRows& src0, const ConstRows& src1, const Rows& out, std::size_t rows,
                  std::size_t columns, const RowScalars& initial, const NumberModel& model,
                  FpStatus& status) {
    ScanOperations scan;
    const bool composes = carried_scan_operations(op0, op1, model, status, scan);
    const bool network = order == ScanOrder::ROTATE_COMBINE && composes;
    ScanGroup group;
    group.columns = columns;
    group.status = &status;
    group.exact = network ? carried_network_tile : carried_sequential_tile;
    group.context = &scan;
    const ScanTable& table = *kernel_table().scans;
    const int first = stage_op_of(op0, model);
    const int second = stage_op_of(op1, model);
    const ScanFunction vector = first < 0 || second < 0 ? nullptr
                                : network
                                    ? table.carried_network[static_cast<std::size_t>(scan.map)]
                                    : table.carried_sequential[first][second];
    const auto at = [](const auto& part, std::size_t row) {
        auto result = part;
        result.data += static_cast<std::ptrdiff_t>(row) * part.row_stride;
        return result;
    };
    for (std::size_t row = 0; row < rows; row += rows_at_once) {
        const std::size_t count = std::min(rows_at_once, rows - row);
        std::uint32_t state[rows_at_once];
        for (std::size_t i = 0; i < count; ++i) {
            state[i] = initial.values[(row + i) * initial.stride];
        }
        group.src0 = at(src0, row);
        group.src1 = at(src1, row);
        group.out = at(out, row);
        run_groups(group, count, state, vector);
    }
    return order != ScanOrder::ROTATE_COMBINE || composes;
}

bool carried_scan_composes(const StageSpec& op0, const StageSpec& op1) {
    ScanMap map{};
    return map_of(op0, op1, map);
}

void accumulate(AluOp op, const ConstRows& fp32, std::size_t rows, std::size_t columns,
                std::uint32_t* accumulators, const Rows* emit, const NumberModel& model,
                FpStatus& status) {
    ScanOperations scan;
    scan.op0 = ScanCombine({op, false, StageOperand::TENSOR}, model, status);
    ScanGroup group;
    group.src0 = fp32;
    group.out = emit != nullptr ? *emit : Rows{};
    group.columns = columns;
    group.status = &status;
    group.exact = accumulate_tile;
    group.context = &scan;
    const int index = scan_op_of(op, model);
    run_groups(group, rows, accumulators,
               index < 0 ? nullptr : kernel_table().scans->accumulate[index]);
}

}  // namespace dve
