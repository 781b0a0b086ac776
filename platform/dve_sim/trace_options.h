// Parsing of the options of `dve-sim run` that ask for timelines, waveforms and lane traces.
#pragma once

#include <string>

#include "platform/dve_sim/command_line.h"
#include "platform/dve_sim/run_options.h"

namespace dve::sim {

po::options_description trace_description();

/// Errors: a malformed value; an option of the cycle view, which `timing` does not give.
Result<TraceOptions> trace_options(const po::variables_map& values, const std::string& timing);

}  // namespace dve::sim
