// Immediates imm0 and imm1 in assembly text: inline values, pointers and register pointers.
#pragma once

#include <string>
#include <string_view>

#include "models/isa/text_pattern.h"

namespace dve {

/// Writes an immediate; every field it depends on (its source, dtypes, operations) must be set.
/// `@place`, `@NAME` and `@word:0x...` are pointers, `@R[n]` a register pointer; both set the
/// source field too unless `source_is_written`. Anything else is an inline value: an integer of
/// the operand's width for bitvec operations and the integer band, FP32 for all others, or raw bits
/// in hexadecimal (isa_wire_format 4.5).
Status parse_immediate(std::string_view text, const Field& field, bool source_is_written,
                       const TextContext& context, Record& record);

/// The immediate as ` name=value`, with its source field in front where that is not implied.
std::string format_immediate(const Record& record, const Field& field, const MemoryMap& memory);

/// The field that says where an immediate comes from; null if its layout has none.
const Field* immediate_source(const Layout& layout, const Field& immediate);

/// The operation that uses an immediate; null if its layout has none.
const Field* immediate_operation(const Layout& layout, const Field& immediate);

/// Opcodes of the bitvec class, whose immediates are integers; the ISA marks them by name.
bool is_bitvec(const OpcodeRow& row);

}  // namespace dve
