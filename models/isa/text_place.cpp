// Parsing and printing of memory places.
#include "models/isa/text_place.h"

#include "models/isa/text_name.h"
#include "models/isa/text_number.h"

namespace dve {
MemoryMap MemoryMap::for_generation(Generation generation) {
    const GenerationRow& row = generation_row(generation);
    return {row.sbuf, row.psum};
}

Result<Place> parse_place(std::string_view text, const MemoryMap& memory) {
    const std::vector<std::string_view> parts = split(text, ':');
    if (parts.size() != 3) {
        return Error{"place " + quoted(text) +
                     " is malformed; legal: space:partition:byte, e.g. sbuf:0:0x400"};
    }
    return parse_place(parts[0], parts[1], parts[2], memory);
}

Result<Place> parse_place(std::string_view space, std::string_view partition, std::string_view byte,
                          const MemoryMap& memory) {
    Place place;
    if (space == space_name(Space::PSUM)) {
        place.space = Space::PSUM;
    } else if (space != space_name(Space::SBUF)) {
        return unknown_name("memory", space, {"sbuf", "psum"});
    }
    const MemoryGeometry& geometry = memory.of(place.space);
    if (!geometry.present) {
        return Error{"this generation has no " + std::string(space) + "; legal: sbuf"};
    }
    const auto parsed_partition = parse_unsigned(partition, dve_num_channels - 1);
    if (!parsed_partition) {
        return Error{"partition " + quoted(partition) + " of " + std::string(space) +
                     " is out of range; legal: 0..127"};
    }
    const auto parsed_byte = parse_unsigned(byte, geometry.partition_bytes - 1);
    if (!parsed_byte) {
        return Error{"byte " + quoted(byte) + " of " + std::string(space) +
                     " is out of range; legal: 0.." + format_hex(geometry.partition_bytes - 1)};
    }
    place.partition = static_cast<unsigned>(*parsed_partition);
    place.byte = static_cast<std::uint32_t>(*parsed_byte);
    return place;
}

std::string format_place(const Place& place) {
    return std::string(space_name(place.space)) + ':' + std::to_string(place.partition) + ':' +
           format_hex(place.byte);
}

std::uint32_t address_of(const Place& place, const MemoryMap& memory) {
    const MemoryGeometry& geometry = memory.of(place.space);
    return geometry.base + place.partition * geometry.partition_stride + place.byte;
}

std::optional<Place> place_of(std::uint32_t address, const MemoryMap& memory) {
    for (const Space space : {Space::SBUF, Space::PSUM}) {
        const MemoryGeometry& geometry = memory.of(space);
        if (geometry.holds(address) && geometry.byte_offset(address) < geometry.partition_bytes) {
            return Place{space, geometry.partition(address), geometry.byte_offset(address)};
        }
    }
    return std::nullopt;
}

Result<std::vector<std::uint32_t>> parse_shape(std::string_view text,
                                               std::size_t maximum_dimensions) {
    std::vector<std::uint32_t> shape;
    for (const std::string_view part : split(text, 'x')) {
        const std::optional<std::uint64_t> count = parse_unsigned(part, maximum_count);
        if (!count || *count == 0) {
            return Error{
                "shape " + quoted(text) +
                " is malformed; legal: counts of 1..16777216 joined by x, partitions first, e.g. "
                "128x512"};
        }
        shape.push_back(static_cast<std::uint32_t>(*count));
    }
    if (shape.size() > maximum_dimensions) {
        return Error{"shape " + quoted(text) + " has " + std::to_string(shape.size()) +
                     " dimensions; legal: 1.." + std::to_string(maximum_dimensions)};
    }
    return shape;
}

}  // namespace dve
