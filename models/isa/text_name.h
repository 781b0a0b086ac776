// Names in messages: the nearest valid one, and what is legal.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/isa/text_result.h"

namespace dve {

/// "unknown WHAT 'name', nearest is 'x'; legal: ...". Long lists are cut to the nearest names and
/// their number. `also` is appended to the legal values, e.g. "or a number 0..255".
Error unknown_name(std::string_view what, std::string_view name,
                   const std::vector<std::string_view>& names, std::string_view also = {});

/// Names joined by ", ".
std::string join(const std::vector<std::string_view>& names);

/// A letter or underscore, then letters, digits, underscores and dots.
bool is_identifier(std::string_view text);

}  // namespace dve
