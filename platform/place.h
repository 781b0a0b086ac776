// Memory places on the command line: where --load puts an array, what --dump takes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "models/isa/dtype.h"
#include "models/isa/text_place.h"

namespace dve {

/// `space:partition:byte:SHAPE:DTYPE`.
struct DumpPlace {
    Place place;                       ///< first byte of the first partition
    std::vector<std::uint32_t> shape;  ///< partitions first, then row-major in each partition
    Dtype dtype = Dtype::FP32;

    std::uint64_t elements_per_partition() const;
    std::uint64_t bytes_per_partition() const;
};

/// The WHERE of --load. Errors as parse_place.
Result<Place> parse_load_place(std::string_view text, const MemoryMap& memory);

/// The WHERE:SHAPE:DTYPE of --dump. Errors also for a dtype without whole bytes and for a region
/// that leaves the partitions of its memory or the active bytes of one.
Result<DumpPlace> parse_dump_place(std::string_view text, const MemoryMap& memory);

/// Whether `partitions` rows of `bytes` bytes from a place on stay inside the memory; the error
/// says which end they pass.
Status check_extent(const Place& place, std::uint64_t partitions, std::uint64_t bytes,
                    const MemoryMap& memory);

}  // namespace dve
