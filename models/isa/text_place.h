// Memory places in text, `space:partition:byte`, and the engine-local addresses they stand for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/isa/generation.h"
#include "models/isa/text_result.h"

namespace dve {

/// The two memories of an engine as a program sees them.
struct MemoryMap {
    MemoryGeometry sbuf{};
    MemoryGeometry psum{};

    /// Geometry of the generation table; `psum.enable` and the like may change it afterwards.
    static MemoryMap for_generation(Generation generation);
    const MemoryGeometry& of(Space space) const { return space == Space::SBUF ? sbuf : psum; }
};

/// A byte of a partition.
struct Place {
    Space space = Space::SBUF;
    unsigned partition = 0;  ///< 0..127
    std::uint32_t byte = 0;  ///< offset in the partition, below its active size

    bool operator==(const Place& other) const {
        return space == other.space && partition == other.partition && byte == other.byte;
    }
};

/// `sbuf:P:B` or `psum:P:B`; P and B decimal or 0x hexadecimal. Errors: form, partition above 127,
/// byte outside the active size, a memory that the map does not have.
Result<Place> parse_place(std::string_view text, const MemoryMap& memory);

/// Same from the three parts between the colons.
Result<Place> parse_place(std::string_view space, std::string_view partition, std::string_view byte,
                          const MemoryMap& memory);

/// Text that parse_place takes; the byte in hexadecimal.
std::string format_place(const Place& place);

/// Engine-local byte address (isa_wire_format 2.2).
std::uint32_t address_of(const Place& place, const MemoryMap& memory);

/// The place of an address; nothing between active size and stride, or outside both windows.
std::optional<Place> place_of(std::uint32_t address, const MemoryMap& memory);

/// Largest count in a shape: more than any partition has bytes, and products with steps stay exact.
inline constexpr std::uint32_t maximum_count = 1U << 24;

/// `128x512`: one to `maximum_dimensions` counts of 1 to `maximum_count`.
Result<std::vector<std::uint32_t>> parse_shape(std::string_view text,
                                               std::size_t maximum_dimensions);

}  // namespace dve
