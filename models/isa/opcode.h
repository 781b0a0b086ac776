// Opcodes: identifiers and the table behind them (isa_wire_format 1.2, 5.1).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "models/isa/generation.h"

namespace dve {

enum class Opcode : std::uint8_t {
#define DVE_OPCODE(value, name, layout, generations, wired, maintained, validator, worker) name = value,
#include "models/isa/opcode.def"
#undef DVE_OPCODE
};

/// Record layouts; each is a list of fields in models/isa/layouts.def.
enum class StructId : std::uint8_t {
#define DVE_LAYOUT(name) name,
#define DVE_FIELD(name, offset, bytes, kind)
#include "models/isa/layouts.def"
#undef DVE_FIELD
#undef DVE_LAYOUT
};

/// Who executes an opcode: the sequencer, or a row of models/isa/workers.def.
enum class WorkerId : std::uint8_t {
    NONE,       ///< enumerated, not modelled
    SEQUENCER,  ///< executed by the sequencer itself
#define DVE_WORKER(name, self_name, ...) name,
#include "models/isa/workers.def"
#undef DVE_WORKER
};

enum class Maintained : std::uint8_t { Y, N, U };

/// The validity predicate of the ISA that an opcode must pass (isa_wire_format 6).
enum class ValidatorId : std::uint8_t {
    none,
    is_valid_tensor_scalar_op,
    is_valid_tensor_scalar_ptr_op,
    is_valid_tensor_scalar_cache_reduce,
    is_valid_tensor_scalar_cache_cumulative,
    is_valid_exponential,
    is_valid_scalar_tensor_tensor,
    is_valid_tensor_tensor_scan,
    is_valid_select_reduce,
    is_valid_tensor_tensor,
    is_valid_tensor_cumulative,
    is_valid_dve_read_accumulator,
    is_valid_event_semaphore,
    is_valid_move,
    is_valid_control,
};

struct OpcodeRow {
    Opcode opcode;
    const char* name;      ///< ISA identifier, upper case
    const char* mnemonic;  ///< lower case, without a final `_op`
    StructId layout;
    GenerationSet generations;  ///< whose enumeration has it
    GenerationSet wired;        ///< where the dispatch table has a real entry
    Maintained maintained;
    ValidatorId validator;
    WorkerId worker;

    bool exists_in(Generation generation) const { return contains(generations, generation); }
    bool is_control() const { return worker == WorkerId::SEQUENCER; }
    bool is_modelled() const { return worker != WorkerId::NONE; }
    std::uint8_t value() const { return static_cast<std::uint8_t>(opcode); }
};

/// The row of a byte, or null where no generation defines the value. O(1).
const OpcodeRow* find_opcode(std::uint8_t value);
const OpcodeRow& opcode_row(Opcode opcode);

/// By mnemonic, in either case, with or without a final `_op`; null if unknown.
const OpcodeRow* find_opcode(std::string_view mnemonic);

/// All rows by ascending value.
const std::vector<OpcodeRow>& opcode_rows();

}  // namespace dve
