// The configuration file: JSON objects of parameters.
#pragma once

#include <string>
#include <vector>

#include "models/isa/text_result.h"

namespace dve::sim {

/// One value for one parameter, and who asked for it.
struct Setting {
    std::string name;    ///< dotted
    std::string value;   ///< as written
    std::string origin;  ///< "--set" or the file, for messages
};

/// Reads `{"scan.order": "sequential", "fp": {"rounding": "up"}}`; nested objects give dotted
/// names. The error names the file and the place or the parameter: malformed JSON, a value that is
/// no text, number, true or false, a name that stands twice in either form.
Result<std::vector<Setting>> read_configuration_file(const std::string& file);

}  // namespace dve::sim
