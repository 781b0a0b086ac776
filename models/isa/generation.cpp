// The generation table: geometry, clock, dispatch.
#include "models/isa/generation.h"

#include <string>

namespace dve {
namespace {

constexpr std::uint32_t KiB = 1024;

constexpr MemoryGeometry sbuf(std::uint32_t stride_kib, std::uint32_t active_kib) {
    return {true, 0, stride_kib * KiB, active_kib * KiB, 1};
}

// MAVERICK has no PSUM window (D-07); `psum.enable` turns this row on where the SBUF window ends.
constexpr MemoryGeometry psum(bool present, std::uint32_t base) {
    return {present, base, 32 * KiB, 16 * KiB, 8};
}

constexpr std::array<GenerationRow, generation_count> rows = {{
    {Generation::SUNDA,
     "sunda",
     1.12,
     sbuf(256, 192),
     psum(true, 0x2000000),
     {0x41, 0xEA, 0x80814, 0x3207},
     false,
     false,
     false},
    {Generation::CAYMAN,
     "cayman",
     0.96,
     sbuf(256, 224),
     psum(true, 0x2000000),
     {0x41, 0xEA, 0x80814, 0x3207},
     false,
     false,
     false},
    {Generation::MARIANA,
     "mariana",
     1.2,
     sbuf(256, 256),
     psum(true, 0x2000000),
     {0x30, 0xEA, 0x80800, 0x31e3},
     true,
     false,
     false},
    {Generation::MARIANA_PLUS,
     "mariana_plus",
     1.2,
     sbuf(256, 256),
     psum(true, 0x2000000),
     {0x30, 0xEA, 0x80800, 0x31e3},
     true,
     false,
     false},
    {Generation::MAVERICK,
     "maverick",
     1.2,
     sbuf(1024, 512),
     psum(false, 0x8000000),
     {0x30, 0xEA, 0x80820, 0x2f90},
     true,
     true,
     true},
}};

}  // namespace

const GenerationRow& generation_row(Generation generation) {
    return rows[static_cast<std::size_t>(generation)];
}

const std::array<GenerationRow, generation_count>& generation_rows() { return rows; }

std::optional<Generation> generation_from_name(std::string_view name) {
    for (const GenerationRow& row : rows) {
        if (name == row.name) {
            return row.generation;
        }
    }
    return std::nullopt;
}

std::string_view generation_names() {
    static const std::string names = [] {
        std::string joined;
        for (const GenerationRow& row : rows) {
            joined += (joined.empty() ? "" : ", ") + std::string(row.name);
        }
        return joined;
    }();
    return names;
}

}  // namespace dve
