// Host view of a partitioned memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dve {

/// Partition p starts at first + p * stride.
struct MemoryRows {
    std::uint8_t* first = nullptr;
    std::ptrdiff_t stride = 0;  ///< bytes

    std::uint8_t* partition(unsigned p) const {
        return first + static_cast<std::ptrdiff_t>(p) * stride;
    }
};

}  // namespace dve
