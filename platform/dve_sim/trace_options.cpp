// Description and checks of the trace options.
#include "platform/dve_sim/trace_options.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

#include "models/isa/text_number.h"

namespace dve::sim {
namespace {

/// A:B, either side may be empty.
Status parse_window(const std::string& window, TraceOptions& options) {
    const Error malformed{
        "--trace-window: " + dve::quoted(window) +
        " is no window; legal: FIRST:END in cycles, FIRST below END, one side may "
        "be empty, e.g. 1000:2000"};
    const std::size_t colon = window.find(':');
    if (colon == std::string::npos || window.size() == 1) {
        return malformed;
    }
    for (const auto& [side, cycle] :
         {std::make_pair(window.substr(0, colon), &options.first_cycle),
          std::make_pair(window.substr(colon + 1), &options.end_cycle)}) {
        if (side.empty()) {
            continue;
        }
        const auto value = parse_unsigned(side, std::numeric_limits<std::uint64_t>::max());
        if (!value) {
            return malformed;
        }
        *cycle = *value;
    }
    return options.first_cycle < options.end_cycle ? Status(Done{}) : Status(malformed);
}

Status check_scope(const std::string& scope) {
    const auto legal = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("_.*?[]!-").find(c) != std::string_view::npos;
    };
    if (!scope.empty() && std::all_of(scope.begin(), scope.end(), legal)) {
        return Done{};
    }
    return Error{"--trace-scope: " + dve::quoted(scope) +
                 " is no glob of names; legal: letters, digits, _ . * ? [], e.g. engine.seq*"};
}

}  // namespace

po::options_description trace_description() {
    po::options_description description("Timelines and traces");
    description.add_options()  //
        ("timeline", po::value<std::string>(),
         "FILE.json for Perfetto or chrome://tracing, - for standard output")  //
        ("kanata", po::value<std::string>(),
         "FILE of the Kanata log for the Konata viewer, - for standard output")  //
        ("lane-trace", po::value<std::string>(),
         "FILE with every value of every lane, for dve-sim diff; needs --timing cycle")   //
        ("vcd", po::value<std::string>(), "FILE.vcd of waveforms; needs --timing cycle")  //
        ("fst", po::value<std::string>(), "FILE.fst of waveforms; needs --timing cycle")  //
        ("trace-lanes", po::value<std::string>(),
         "lanes in waveforms: all or 0,1,120-127; default 0")  //
        ("trace-window", po::value<std::string>(),
         "FIRST:END, cycles in waveforms, END not included; one side may be empty")  //
        ("trace-scope", po::value<std::string>(),
         "GLOB of the names in waveforms, e.g. engine.seq* or *.lane_?.ALU*");
    return description;
}

Result<TraceOptions> trace_options(const po::variables_map& values, const std::string& timing) {
    TraceOptions options;
    for (const auto& [option, file] :
         {std::make_pair("timeline", &options.timeline), std::make_pair("kanata", &options.kanata),
          std::make_pair("lane-trace", &options.lane_trace), std::make_pair("vcd", &options.vcd),
          std::make_pair("fst", &options.fst)}) {
        auto name = file_name(values, option);
        if (!name) {
            return name.failure();
        }
        *file = *name;
    }
    if (values.count("trace-lanes") != 0) {
        auto lanes = parse_lanes("--trace-lanes", text(values, "trace-lanes"));
        if (!lanes) {
            return lanes.failure();
        }
        options.lanes = *lanes;
    }
    if (values.count("trace-window") != 0) {
        if (auto status = parse_window(text(values, "trace-window"), options); !status) {
            return status.failure();
        }
    }
    if (values.count("trace-scope") != 0) {
        options.scope = text(values, "trace-scope");
        if (auto status = check_scope(options.scope); !status) {
            return status.failure();
        }
    }
    for (const char* option : {"lane-trace", "vcd", "fst"}) {
        if (values.count(option) != 0 && timing != "cycle") {
            return Error{"--" + std::string(option) + " needs --timing cycle"};
        }
    }
    if (!options.vcd.empty() && !options.fst.empty() &&
        std::filesystem::path(options.vcd).replace_extension() ==
            std::filesystem::path(options.fst).replace_extension()) {
        return Error{"--vcd " + options.vcd + " and --fst " + options.fst + ": both would write " +
                     std::filesystem::path(options.vcd).replace_extension(".gtkw").string() +
                     " beside them; legal: two names"};
    }
    for (const char* option : {"trace-lanes", "trace-window", "trace-scope"}) {
        if (values.count(option) != 0 && options.vcd.empty() && options.fst.empty()) {
            return Error{"--" + std::string(option) +
                         " needs a waveform; legal: with --vcd or --fst"};
        }
    }
    return options;
}

}  // namespace dve::sim
