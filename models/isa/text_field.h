// Field values in assembly text: numbers, names of the enumerations, lists, byte strings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/isa/record.h"
#include "models/isa/text_result.h"

namespace dve {

/// Short names of an instruction line for record names: dst for dst_mem_pattern, reverse for
/// reverse_operands, and so on. Every other field has only its record name.
std::string_view field_alias(std::string_view record_name);

/// A field of the layout or of the header, by record name or alias; null if there is none.
const Field* find_field(const Layout& layout, std::string_view name);

/// All names that find_field takes, aliases instead of the names they stand for.
std::vector<std::string_view> field_names(const Layout& layout);

/// Writes a value into a field of any kind but PATTERN and IMMEDIATE. Errors: an unknown name, a
/// number that does not fit the field, a list that is too long.
Status parse_field(std::string_view text, const Field& field, Record& record);

/// Text that parse_field turns into the same bytes.
std::string format_field(const Record& record, const Field& field);

}  // namespace dve
