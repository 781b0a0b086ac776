// Command lines with Boost.Program_options, and the lists that several commands take.
#pragma once

#include <bitset>
#include <boost/program_options.hpp>
#include <string>
#include <vector>

#include "models/isa/generation.h"
#include "models/isa/text_result.h"

namespace dve::sim {

namespace po = boost::program_options;
using Strings = std::vector<std::string>;

/// Parses without guessing of abbreviated names; positional arguments are "files". `command` is for
/// messages.
Result<po::variables_map> parse_command_line(const Strings& arguments, const std::string& command,
                                             const po::options_description& visible);

/// Values of a repeatable option.
Strings strings(const po::variables_map& values, const char* name);
/// Empty if the option was not given.
std::string text(const po::variables_map& values, const char* name);
/// The value of an option that names a file; empty if it was not given.
Result<std::string> file_name(const po::variables_map& values, const char* option);

/// `all`, or numbers and ranges: 0,1,120-127. `option` is for messages.
Result<std::bitset<dve_num_channels>> parse_lanes(const std::string& option,
                                                  const std::string& list);

}  // namespace dve::sim
