// Validity of a record: every predicate of isa_wire_format 6 under its own name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/isa/generation.h"
#include "models/isa/record.h"

namespace dve {

/// What the predicates depend on besides the record: the generation and the switches of the
/// decision register that change legality. Filled from the generation row by `for_generation`;
/// the assumption registry sets the rest.
struct IsaConfiguration {
    Generation generation = Generation::MARIANA;
    MemoryGeometry sbuf{};
    MemoryGeometry psum{};
    bool psum_narrow_writes = false;       ///< D-26: 1- and 2-byte writes to PSUM
    bool symmetric_clamp_is_arith = true;  ///< D-14: 0x24 counts as general arithmetic
    bool tile_mode = false;                ///< D-01: inst_flags carry a tile

    static IsaConfiguration for_generation(Generation generation);
    const GenerationRow& row() const { return generation_row(generation); }
};

/// Why a record is refused.
struct Violation {
    const char* predicate = "";  ///< name of the predicate that fails
    std::string field;           ///< record name of the field (or pattern element) at fault
    std::uint64_t value = 0;     ///< its value
    std::string legal;           ///< what would be legal, one phrase

    /// "predicate: field = 0x..., legal: ..."
    std::string message() const;
};

/// First predicate that the record fails, in the order of the sheet; nothing if it is legal.
/// Costs no allocation for a legal record.
std::optional<Violation> check(const Record& record, const IsaConfiguration& configuration);

/// Every predicate that the record fails. Each is evaluated by itself.
std::vector<Violation> check_all(const Record& record, const IsaConfiguration& configuration);

/// Names of the predicates that apply to an opcode, in order.
std::vector<const char*> predicate_names(ValidatorId validator);

// Rules that other parts of the model need at run time, for addresses that come from registers.

/// tensor_start_addr_valid for an immediate address (isa_wire_format 2.3).
bool start_address_valid(std::uint32_t address, std::uint8_t dtype, bool write,
                         const IsaConfiguration& configuration, Violation* violation);

/// The start-partition table of isa_wire_format 2.4: address and channel count.
bool start_addr_active_channels(std::uint32_t address, unsigned channels,
                                const IsaConfiguration& configuration, Violation* violation);

}  // namespace dve
