// `dve-sim diff`: first divergence of two lane traces, and the text view of one.
#include <algorithm>
#include <iostream>
#include <limits>

#include "models/isa/text_name.h"
#include "models/isa/text_number.h"
#include "platform/dve_sim/command_line.h"
#include "platform/dve_sim/commands.h"
#include "platform/dve_sim/mapped_file.h"
#include "traces/lane_trace_diff.h"

namespace dve::sim {
namespace {

constexpr char usage[] =
    "usage: dve-sim diff A.trace B.trace [options] | --print A.trace [options]";

po::options_description diff_description() {
    po::options_description description("Options");
    description.add_options()                                                                  //
        ("lanes", po::value<std::string>(), "lanes to compare: all (default) or 0,1,120-127")  //
        ("stages", po::value<std::string>(),
         "stages to compare: all (default) or names, e.g. READ0,ALU0,CVT_OUT")         //
        ("cycles", "compare cycle numbers too")                                        //
        ("max", po::value<std::string>(), "divergences to list, 1 (default) or more")  //
        ("print", "list one trace as text")                                            //
        ("help,h", "this text");
    return description;
}

Result<std::bitset<lane_stage_count>> parse_stages(const std::string& list) {
    std::bitset<lane_stage_count> stages;
    if (list == "all") {
        return stages.set();
    }
    std::vector<std::string_view> names;
    for (std::size_t stage = 0; stage < lane_stage_count; ++stage) {
        names.emplace_back(lane_stage_name(static_cast<LaneStage>(stage)));
    }
    for (const std::string_view item : split(list, ',')) {
        const auto found = std::find(names.begin(), names.end(), item);
        if (found == names.end()) {
            return Error{"--stages: " + unknown_name("stage", item, names, "or all").message};
        }
        stages.set(static_cast<std::size_t>(found - names.begin()));
    }
    return stages;
}

Result<LaneTraceChoice> parse_choice(const po::variables_map& values) {
    LaneTraceChoice choice;
    if (values.count("lanes") != 0) {
        auto lanes = parse_lanes("--lanes", text(values, "lanes"));
        if (!lanes) {
            return lanes.failure();
        }
        choice.lanes = *lanes;
    }
    if (values.count("stages") != 0) {
        auto stages = parse_stages(text(values, "stages"));
        if (!stages) {
            return stages.failure();
        }
        choice.stages = *stages;
    }
    choice.cycles = values.count("cycles") != 0;
    return choice;
}

/// A trace and the bytes it looks into.
struct OpenTrace {
    MappedFile file;
    LaneTrace trace;
};

Result<OpenTrace> open_trace(const std::string& path) {
    auto file = MappedFile::open(path);
    if (!file) {
        return file.failure();
    }
    auto trace = LaneTrace::parse(file->bytes(), file->size());
    if (!trace) {
        return Error{path + ": " + trace.error()};
    }
    return OpenTrace{std::move(file).value(), std::move(trace).value()};
}

bool has_values(const LaneTrace& trace) {
    for (std::size_t stage = 0; stage < lane_stage_count; ++stage) {
        if (trace.last(static_cast<LaneStage>(stage))) {
            return true;
        }
    }
    return false;
}

int compare(const std::string& a_path, const std::string& b_path, const LaneTraceChoice& choice,
            std::size_t maximum) {
    auto a = open_trace(a_path);
    if (!a) {
        return usage_error(a.error());
    }
    auto b = open_trace(b_path);
    if (!b) {
        return usage_error(b.error());
    }
    const LaneTraceComparison result =
        compare_lane_traces({a->trace, a_path}, {b->trace, b_path}, choice, maximum);
    for (const std::string& line : result.differences) {
        std::cout << line << '\n';
    }
    if (result.differences.size() > result.header_differences) {
        return exit_fault;
    }
    if (result.values == 0 && has_values(a->trace)) {
        return usage_error(
            "diff: no value of the chosen lanes and stages is in the traces; legal: lanes and "
            "stages that they have (--print lists them)");
    }
    std::cout << (result.differences.empty() ? "equal: " : "otherwise equal: ")
              << result.instructions << " instructions, " << result.values << " lane values\n";
    return result.differences.empty() ? exit_done : exit_fault;
}

}  // namespace

int diff_command(const Arguments& arguments) {
    const po::options_description description = diff_description();
    auto values = parse_command_line(arguments, "diff", description);
    if (!values) {
        return usage_error(values.error());
    }
    if (values->count("help") != 0) {
        std::cout << usage << '\n'
                  << description << "Exit status: 0 equal; 1 different; 2 bad usage or input\n";
        return exit_done;
    }
    auto choice = parse_choice(*values);
    if (!choice) {
        return usage_error(choice.error());
    }
    const bool print = values->count("print") != 0;
    std::size_t maximum = 1;
    if (values->count("max") != 0) {
        const std::string given = text(*values, "max");
        const auto number = parse_unsigned(given, std::numeric_limits<std::uint32_t>::max());
        if (!number || *number == 0 || print) {
            return usage_error("--max: " + quoted(given) + (print ? " with --print" : "") +
                               " is no number of divergences; legal: 1 or more, to compare");
        }
        maximum = *number;
    }
    const Strings files = strings(*values, "files");
    const std::size_t wanted = print ? 1 : 2;
    if (files.size() != wanted) {
        return usage_error("diff takes " + std::string(print ? "one file" : "two files") +
                           ", not " + std::to_string(files.size()) + "; " + usage);
    }
    if (!print) {
        return files[0] == "-" && files[1] == "-"
                   ? usage_error("diff: standard input is already A; legal: one - for input")
                   : compare(files[0], files[1], *choice, maximum);
    }
    auto trace = open_trace(files[0]);
    if (!trace) {
        return usage_error(trace.error());
    }
    print_lane_trace(trace->trace, *choice, std::cout);
    return exit_done;
}

}  // namespace dve::sim
