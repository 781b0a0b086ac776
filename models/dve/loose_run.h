// One execution inside the loose executor, and the small helpers of its parts.
#pragma once

#include <cstring>

#include "models/dve/loose_executor.h"

namespace dve {

/// The program, the scalars of its channels, where results go.
struct LooseExecutor::Run {
    const LaneProgram& program;
    const ElementwiseKernel& kernel;
    const NumberModel& model;
    RowScalars scalar0{};
    RowScalars scalar1{};
    bool staged = false;  ///< results wait in staging_ until all sources are read
    ExecutionNotes notes{};

    std::size_t out_bytes() const { return program.dst.element_bytes; }
};

/// Elements that one block of the general path holds; three such blocks fit a first-level cache.
inline constexpr std::size_t loose_block_elements = 1024;
/// Rows that a scan or an accumulation keeps in flight.
inline constexpr unsigned interleaved_rows = 16;

/// Scratch memory of at least `size` elements; it only ever grows.
template <typename T>
T* grown(std::vector<T>& scratch, std::size_t size) {
    if (scratch.size() < size) {
        scratch.resize(size);
    }
    return scratch.data();
}

/// An element's bits, zero-extended.
inline std::uint64_t load_raw(const std::uint8_t* from, unsigned bytes) {
    std::uint64_t raw = 0;
    std::memcpy(&raw, from, bytes);
    return raw;
}

inline RowScalars from_row(const RowScalars& scalars, unsigned row) {
    return {scalars.values + row * scalars.stride, scalars.stride};
}

}  // namespace dve
