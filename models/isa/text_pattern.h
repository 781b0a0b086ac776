// Memory patterns in assembly text: tensors, literal patterns, register and indirect forms.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "models/isa/text_tensor.h"

namespace dve {

/// What an operand says beyond its bytes; absent for a literal that does not say it.
struct OperandFacts {
    std::optional<Dtype> dtype;
    std::optional<std::uint32_t> partitions;
};

/// An ADDR4 word: `space:partition:byte`, `R[n]` (address from a register) or `word:0x...` for any
/// other value (isa_wire_format 2.1).
Result<std::uint32_t> parse_address_word(std::string_view text, const TextContext& context);
std::string format_address_word(std::uint32_t word, const MemoryMap& memory);

/// Writes an operand into the bytes of a pattern field. Forms:
///   NAME, NAME[slice]
///   ADDRESS[:counts[/steps]][:dtype]            counts and steps outermost first
///   indirect(INDEX,DATA,COUNT[,tail bytes])     three and four dimensions
Result<OperandFacts> parse_operand(std::string_view text, const Field& field,
                                   const TextContext& context, Record& record);

/// Literal form of the bytes of a pattern field.
std::string format_operand(const Record& record, const Field& field, const MemoryMap& memory);

}  // namespace dve
