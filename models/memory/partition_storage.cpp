// Anonymous mapping, reserved and not committed.
#include "models/memory/partition_storage.h"

#include <sys/mman.h>

#include <new>

namespace dve {
namespace {

constexpr std::size_t row_padding = 128;
/// Memories start at different places of a page, so that equal byte offsets do not alias.
constexpr std::size_t psum_skew = 17 * 64;

}  // namespace

PartitionStorage::PartitionStorage(const MemoryGeometry& geometry)
    : stride_(static_cast<std::ptrdiff_t>(geometry.partition_bytes + row_padding)) {
    mapped_bytes_ = static_cast<std::size_t>(stride_) * dve_num_channels + psum_skew;
    void* mapping = mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED) {
        throw std::bad_alloc();
    }
    mapping_ = static_cast<std::uint8_t*>(mapping);
    first_ = mapping_ + (geometry.base == 0 ? 0 : psum_skew);
}

PartitionStorage::~PartitionStorage() { munmap(mapping_, mapped_bytes_); }

void PartitionStorage::clear() { madvise(mapping_, mapped_bytes_, MADV_DONTNEED); }

}  // namespace dve
