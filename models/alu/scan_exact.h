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

/// The operations of a carried scan for a pair of stages; false if the pair has no map, then only
/// op0 and op1 are good. model and status are kept by reference.
bool carried_scan_operations(const StageSpec& op0, const StageSpec& op1, const NumberModel& model,
                             FpStatus& status, ScanOperations& scan);

/// The maps of decisions 1 over a word per lane: (a, b) of an earlier map (1) and a later one (2).
class MapAlgebra {
public:
    static constexpr std::size_t most_lanes = 128;

    MapAlgebra(const ScanOperations& scan, std::size_t lanes) : scan_(scan), lanes_(lanes) {}

    /// From the elements of the two sources to their map, in place.
    void element(std::uint32_t* a, std::uint32_t* b) const;
    /// Replaces the later map by the composition.
    void compose(const std::uint32_t* a1, const std::uint32_t* b1, std::uint32_t* a2,
                 std::uint32_t* b2) const;
    void apply(const std::uint32_t* a, const std::uint32_t* b, const std::uint32_t* state,
               std::uint32_t* out) const;

private:
    const ScanOperations& scan_;
    std::size_t lanes_;
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
