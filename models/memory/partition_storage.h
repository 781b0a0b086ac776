// Storage of a partitioned memory in host pages that exist only once they are touched. No SystemC.
#pragma once

#include <cstddef>
#include <cstdint>

#include "models/isa/generation.h"

namespace dve {

/// 128 partitions, zero at start. Rows are padded, because the partition size itself is a multiple
/// of every cache way: narrow tiles would fight for the same sets.
class PartitionStorage {
public:
    /// Throws std::bad_alloc if the address space cannot be reserved.
    explicit PartitionStorage(const MemoryGeometry& geometry);
    ~PartitionStorage();
    PartitionStorage(const PartitionStorage&) = delete;
    PartitionStorage& operator=(const PartitionStorage&) = delete;

    std::uint8_t* partition(unsigned p) {
        return first_ + static_cast<std::ptrdiff_t>(p) * stride_;
    }
    std::ptrdiff_t stride() const { return stride_; }

    /// All bytes zero again, pages given back.
    void clear();

private:
    std::uint8_t* mapping_ = nullptr;
    std::size_t mapped_bytes_ = 0;
    std::uint8_t* first_ = nullptr;
    std::ptrdiff_t stride_ = 0;
};

}  // namespace dve
