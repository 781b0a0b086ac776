// Exact scan tiles, built from stages over columns of rows.
#include "models/alu/scan_exact.h"

#include <algorithm>
#include <cstring>

#include "models/alu/scan.h"

namespace dve {
namespace {

const ScanOperations& scan_of(const ScanGroup& group) {
    return *static_cast<const ScanOperations*>(group.context);
}

}  // namespace

void MapAlgebra::element(std::uint32_t* a, std::uint32_t* b) const {
    switch (scan_.map) {
        case ScanMap::MULT_SUBTRACT:
            for (std::size_t i = 0; i < lanes_; ++i) {
                b[i] ^= 0x80000000;
            }
            break;
        case ScanMap::ADD_ADD: scan_.add(a, b, b, lanes_); break;
        case ScanMap::MULT_MULT: scan_.mult(a, b, b, lanes_); break;
        default: break;
    }
}

void MapAlgebra::compose(const std::uint32_t* a1, const std::uint32_t* b1, std::uint32_t* a2,
                         std::uint32_t* b2) const {
    std::uint32_t inner[most_lanes];
    switch (scan_.map) {
        case ScanMap::ADD_ADD: scan_.add(b1, b2, b2, lanes_); break;
        case ScanMap::MULT_MULT: scan_.mult(b1, b2, b2, lanes_); break;
        case ScanMap::MULT_ADD:
        case ScanMap::MULT_SUBTRACT:
            scan_.mult(a2, b1, inner, lanes_);
            scan_.add(inner, b2, b2, lanes_);
            scan_.mult(a2, a1, a2, lanes_);
            break;
        default:
            scan_.op0(b1, a2, inner, lanes_);
            scan_.op1(inner, b2, b2, lanes_);
            scan_.op0(a1, a2, a2, lanes_);
            break;
    }
}

void MapAlgebra::apply(const std::uint32_t* a, const std::uint32_t* b, const std::uint32_t* state,
                       std::uint32_t* out) const {
    std::uint32_t inner[most_lanes];
    switch (scan_.map) {
        case ScanMap::ADD_ADD: scan_.add(state, b, out, lanes_); break;
        case ScanMap::MULT_MULT: scan_.mult(state, b, out, lanes_); break;
        case ScanMap::MULT_ADD:
        case ScanMap::MULT_SUBTRACT:
            scan_.mult(a, state, inner, lanes_);
            scan_.add(inner, b, out, lanes_);
            break;
        default:
            scan_.op0(state, a, inner, lanes_);
            scan_.op1(inner, b, out, lanes_);
            break;
    }
}

void prefix_network_tile(const ScanGroup& group, std::uint32_t* x, const std::uint32_t*,
                         std::uint32_t* state, std::size_t columns, std::size_t lanes, bool first) {
    const ScanCombine& combine = scan_of(group).op0;
    for (std::size_t stride = 1; stride < scan_window; stride *= 2) {
        for (std::size_t i = columns; i-- > stride;) {  // downwards: the lower lanes are still old
            combine(x + (i - stride) * lanes, x + i * lanes, x + i * lanes, lanes);
        }
    }
    for (std::size_t i = 0; i < columns && !first; ++i) {
        combine(state, x + i * lanes, x + i * lanes, lanes);
    }
    std::memcpy(state, x + (columns - 1) * lanes, lanes * sizeof *state);
}

void prefix_sequential_tile(const ScanGroup& group, std::uint32_t* x, const std::uint32_t*,
                            std::uint32_t* state, std::size_t columns, std::size_t lanes,
                            bool first) {
    for (std::size_t i = 0; i < columns; ++i) {
        if (!first || i != 0) {
            scan_of(group).op0(state, x + i * lanes, x + i * lanes, lanes);
        }
        std::memcpy(state, x + i * lanes, lanes * sizeof *state);
    }
}

void accumulate_tile(const ScanGroup& group, std::uint32_t* x, const std::uint32_t*,
                     std::uint32_t* state, std::size_t columns, std::size_t lanes, bool) {
    for (std::size_t i = 0; i < columns; ++i) {
        scan_of(group).op0(x + i * lanes, state, state, lanes);
        std::memcpy(x + i * lanes, state, lanes * sizeof *state);
    }
}

void carried_sequential_tile(const ScanGroup& group, std::uint32_t* x, const std::uint32_t* t,
                             std::uint32_t* state, std::size_t columns, std::size_t lanes, bool) {
    const ScanOperations& scan = scan_of(group);
    for (std::size_t i = 0; i < columns; ++i) {
        scan.op0(x + i * lanes, state, state, lanes);
        scan.op1(state, t + i * lanes, state, lanes);
        std::memcpy(x + i * lanes, state, lanes * sizeof *state);
    }
}

void carried_network_tile(const ScanGroup& group, std::uint32_t* x, const std::uint32_t* t,
                          std::uint32_t* state, std::size_t columns, std::size_t lanes, bool) {
    const MapAlgebra algebra(scan_of(group), lanes);
    std::uint32_t b[scan_window * scan_most_lanes];
    std::memcpy(b, t, columns * lanes * sizeof *b);
    for (std::size_t i = 0; i < columns; ++i) {
        algebra.element(x + i * lanes, b + i * lanes);
    }
    for (std::size_t stride = 1; stride < scan_window; stride *= 2) {
        for (std::size_t i = columns; i-- > stride;) {
            const std::size_t earlier = (i - stride) * lanes;
            algebra.compose(x + earlier, b + earlier, x + i * lanes, b + i * lanes);
        }
    }
    for (std::size_t i = 0; i < columns; ++i) {
        algebra.apply(x + i * lanes, b + i * lanes, state, x + i * lanes);
    }
    std::memcpy(state, x + (columns - 1) * lanes, lanes * sizeof *state);
}

void run_exact_scan(const ScanGroup& group) {
    constexpr std::size_t lanes = scan_most_lanes;
    const auto at = [](const auto& rows, std::size_t row, std::size_t column) {
        return rows.data + static_cast<std::ptrdiff_t>(row) * rows.row_stride + 4 * column;
    };
    std::uint32_t x[scan_window][lanes];
    std::uint32_t t[scan_window][lanes];
    ScanColumn state;
    for (std::size_t row = 0; row < lanes; ++row) {
        state[row] = group.state[row < group.rows ? row : 0];
    }
    for (std::size_t start = 0; start < group.columns; start += scan_window) {
        const std::size_t columns = std::min(scan_window, group.columns - start);
        for (std::size_t i = 0; i < columns; ++i) {
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                const std::size_t row = lane < group.rows ? lane : 0;
                std::memcpy(&x[i][lane], at(group.src0, row, start + i), 4);
                if (group.src1.data != nullptr) {
                    std::memcpy(&t[i][lane], at(group.src1, row, start + i), 4);
                }
            }
        }
        group.exact(group, x[0], t[0], state, columns, lanes, start == 0);
        for (std::size_t i = 0; i < columns && group.out.data != nullptr; ++i) {
            for (std::size_t row = 0; row < group.rows; ++row) {
                std::memcpy(at(group.out, row, start + i), &x[i][row], 4);
            }
        }
    }
    std::memcpy(group.state, state, group.rows * sizeof *state);
}

}  // namespace dve
