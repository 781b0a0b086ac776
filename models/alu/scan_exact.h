// Exact scan tiles: any operation and number model, with the status of every step.
#pragma once

#include "models/alu/kernels.h"
#include "models/alu/scan_table.h"

namespace dve {

/// One column of a group: a word per row.
using ScanColumn = std::uint32_t[scan_most_lanes];

/// An operation over columns, any model, with status.
struct ScanCombine {
    StageFunction function = nullptr;
    const NumberModel* model = nullptr;
    FpStatus* status = nullptr;

    ScanCombine() = default;
    ScanCombine(const StageSpec& spec, const NumberModel& number_model, FpStatus& fp_status)
        : function(stage({spec.op, spec.reversed, StageOperand::TENSOR}, number_model)),
          model(&number_model),
          status(&fp_status) {}

    void operator()(const std::uint32_t* left, const std::uint32_t* right, std::uint32_t* out,
                    std::size_t lanes) const {
        function(left, right, out, lanes, *model, *status);
    }
};

/// The operations of a scan, as exact tiles see them through ScanGroup::context.
struct ScanOperations {
    ScanCombine op0;
    ScanCombine op1;
    ScanCombine add;
    ScanCombine mult;
    ScanMap map = ScanMap::MULT_ADD;
};

// Tiles as ExactTile in scan_table.h describes; ScanGroup::context is a ScanOperations.

void prefix_network_tile(const ScanGroup& group, std::uint32_t* x, const std::uint32_t* t,
                         std::uint32_t* state, std::size_t columns, std::size_t lanes, bool first);
void prefix_sequential_tile(const ScanGroup& group, std::uint32_t* x, const std::uint32_t* t,
                            std::uint32_t* state, std::size_t columns, std::size_t lanes,
                            bool first);
void accumulate_tile(const ScanGroup& group, std::uint32_t* x, const std::uint32_t* t,
                     std::uint32_t* state, std::size_t columns, std::size_t lanes, bool first);
void carried_network_tile(const ScanGroup& group, std::uint32_t* x, const std::uint32_t* t,
                          std::uint32_t* state, std::size_t columns, std::size_t lanes, bool first);
void carried_sequential_tile(const ScanGroup& group, std::uint32_t* x, const std::uint32_t* t,
                             std::uint32_t* state, std::size_t columns, std::size_t lanes,
                             bool first);

/// A group without a vector kernel: rows to columns, exact tiles, columns to rows.
void run_exact_scan(const ScanGroup& group);

}  // namespace dve
