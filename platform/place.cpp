// Parsing of memory places on the command line.
#include "platform/place.h"

#include <algorithm>

#include "models/isa/text_name.h"
#include "models/isa/text_number.h"

namespace dve {
namespace {

constexpr std::size_t maximum_dimensions = 32;               // as many as NumPy takes
constexpr std::uint64_t saturated = std::uint64_t{1} << 31;  // beyond every partition

}  // namespace

std::uint64_t DumpPlace::elements_per_partition() const {
    std::uint64_t elements = 1;
    for (std::size_t d = 1; d < shape.size(); ++d) {
        elements = std::min(elements * shape[d], saturated);
    }
    return elements;
}

std::uint64_t DumpPlace::bytes_per_partition() const {
    return elements_per_partition() * element_bytes(dtype);
}

Result<Place> parse_load_place(std::string_view text, const MemoryMap& memory) {
    return parse_place(text, memory);
}

Result<DumpPlace> parse_dump_place(std::string_view text, const MemoryMap& memory) {
    const std::vector<std::string_view> parts = split(text, ':');
    if (parts.size() != 5) {
        return Error{"dump " + quoted(text) +
                     " is malformed; legal: space:partition:byte:SHAPE:DTYPE, e.g. "
                     "sbuf:0:0x400:128x512:fp32"};
    }
    DumpPlace dump;
    const Result<Place> place = parse_place(parts[0], parts[1], parts[2], memory);
    if (!place) {
        return place.failure();
    }
    dump.place = *place;
    const Result<std::vector<std::uint32_t>> shape = parse_shape(parts[3], maximum_dimensions);
    if (!shape) {
        return shape.failure();
    }
    dump.shape = *shape;
    std::vector<std::string_view> names;
    for (const DtypeRow& row : dtype_rows()) {
        if (row.bytes() != 0) {
            names.emplace_back(row.text);
        }
    }
    const DtypeRow* dtype = find_dtype(parts[4]);
    if (dtype == nullptr || dtype->bytes() == 0) {
        return unknown_name("dtype", parts[4], names);
    }
    dump.dtype = dtype->dtype;
    const Status extent =
        check_extent(dump.place, dump.shape.front(), dump.bytes_per_partition(), memory);
    if (!extent) {
        return Error{"dump " + quoted(text) + ' ' + extent.error()};
    }
    return dump;
}

Status check_extent(const Place& place, std::uint64_t partitions, std::uint64_t bytes,
                    const MemoryMap& memory) {
    const std::uint64_t free_partitions = dve_num_channels - place.partition;
    const std::uint64_t free_bytes = memory.of(place.space).partition_bytes - place.byte;
    if (partitions > free_partitions) {
        return Error{"has " + std::to_string(partitions) + " partitions from partition " +
                     std::to_string(place.partition) + "; legal: up to " +
                     std::to_string(free_partitions)};
    }
    if (bytes > free_bytes) {
        return Error{"has " + std::to_string(bytes) + " bytes a partition from byte " +
                     format_hex(place.byte) + "; legal: up to " + std::to_string(free_bytes)};
    }
    return Done{};
}

}  // namespace dve
