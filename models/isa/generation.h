// Generations of the DVE and the facts that differ between them, one row each.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace dve {

/// NeuronCore generations, oldest first. The order is meaningful: ISA enumerations only grow.
enum class Generation : std::uint8_t { SUNDA, CAYMAN, MARIANA, MARIANA_PLUS, MAVERICK };

inline constexpr std::size_t generation_count = 5;

/// A set of generations, one bit each (bit number = enumerator value).
using GenerationSet = std::uint8_t;

constexpr GenerationSet only(Generation generation) {
    return static_cast<GenerationSet>(1U << static_cast<unsigned>(generation));
}

/// All generations from `first` on.
constexpr GenerationSet from(Generation first) {
    return static_cast<GenerationSet>(0x1FU & ~(only(first) - 1U));
}

constexpr bool contains(GenerationSet set, Generation generation) {
    return (set & only(generation)) != 0;
}

/// Lanes of the engine, and partitions of its memories, on every generation.
inline constexpr unsigned dve_num_channels = 128;

/// Partitions of one quadrant.
inline constexpr unsigned quadrant_channels = 32;

/// The engine-local memories an operand can lie in.
enum class Space : std::uint8_t { SBUF, PSUM };
constexpr const char* space_name(Space space) { return space == Space::SBUF ? "sbuf" : "psum"; }

/// Where a partitioned memory lies in the engine-local byte map (isa_wire_format 2.2, decisions 6).
/// All figures in bytes; partition p holds [base + p * partition_stride, + partition_bytes).
struct MemoryGeometry {
    bool present;
    std::uint32_t base;
    std::uint32_t partition_stride;
    std::uint32_t partition_bytes;
    std::uint32_t banks;

    constexpr std::uint32_t window_bytes() const { return partition_stride * dve_num_channels; }
    constexpr std::uint32_t bank_bytes() const { return partition_bytes / banks; }
    constexpr bool holds(std::uint32_t address) const {
        return present && address >= base && address - base < window_bytes();
    }
    constexpr unsigned partition(std::uint32_t address) const {
        return (address - base) / partition_stride;
    }
    constexpr std::uint32_t byte_offset(std::uint32_t address) const {
        return (address - base) % partition_stride;
    }
};

/// Dispatch table of the sequencer (isa_wire_format 7.1): slot index = opcode - first_opcode.
struct DispatchGeometry {
    std::uint8_t first_opcode;
    std::uint8_t last_opcode;
    std::uint32_t table_base;      ///< address of kernel_info slot 0 in the sequencer's data memory
    std::uint32_t default_target;  ///< worker address of an unregistered slot: "Bad Opcode"

    constexpr unsigned slots() const { return last_opcode - first_opcode + 1U; }
};

struct GenerationRow {
    Generation generation;
    const char* name;  ///< as on the command line
    double clock_ghz;  ///< engine clock (decisions 6)
    MemoryGeometry sbuf;
    MemoryGeometry psum;
    DispatchGeometry dispatch;
    bool indirect_patterns;  ///< S3D3_TS and S4D4_TR patterns are unions with an INDIRECT arm
    bool tensor_scalar_integer_band;  ///< 0x43 admits is_valid_int_aluop_dve (isa_wire_format 6.1)
    bool tile_in_instruction_flags;   ///< channel check reads inst_flags (D-01)
};

const GenerationRow& generation_row(Generation generation);
const std::array<GenerationRow, generation_count>& generation_rows();

/// Case-sensitive, lower-case names; nothing if the name is unknown.
std::optional<Generation> generation_from_name(std::string_view name);

/// "sunda, cayman, mariana, mariana_plus, maverick": for messages.
std::string_view generation_names();

}  // namespace dve
