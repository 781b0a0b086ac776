// The one list of parameters and assumptions: name, legal values, default, unit, evidence, effect.
//
// `--set`, the configuration file, `dve-sim config`, `dve-sim assumptions`, the statistics file and
// the documentation all read this list.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/isa/text_result.h"
#include "platform/configuration.h"

namespace dve {

struct Parameter {
    std::string name;         ///< dotted, e.g. "scan.order"
    bool assumption = false;  ///< a choice where sources are silent or disagree
    std::string legal;        ///< "a | b", or "1..64 cycles"
    std::string effect;       ///< what changes with it
    std::string evidence;     ///< source and mark of the default
    std::function<std::string(const Configuration&)> get;
    /// Error: one line that names the value and what is legal. Nothing is changed then.
    std::function<Status(Configuration&, std::string_view value)> set;
};

const std::vector<Parameter>& parameters();

/// `reference` or `published`.
const char* profile_name(SemanticsProfile profile);

/// Null if unknown.
const Parameter* find_parameter(std::string_view name);

/// Sets one parameter. An unknown name is an error that names the nearest known one.
Status set_parameter(Configuration& configuration, std::string_view name, std::string_view value);

}  // namespace dve
