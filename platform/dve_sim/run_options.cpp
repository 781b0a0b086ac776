// What the options of an engine and of a run say.
#include "platform/dve_sim/run_options.h"

#include <iostream>

#include "models/isa/text_number.h"
#include "platform/dve_sim/command_line.h"
#include "platform/dve_sim/trace_options.h"
#include "platform/parameters.h"

namespace dve::sim {
namespace {

/// "name=value"; the error names the option.
Result<std::pair<std::string, std::string>> name_and_value(const std::string& option,
                                                           const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
        return Error{option + ": " + quoted(text) + " is malformed; legal: NAME=VALUE"};
    }
    return std::make_pair(text.substr(0, equals), text.substr(equals + 1));
}

Result<Generation> parse_generation(const std::string& text) {
    if (auto generation = generation_from_name(text)) {
        return *generation;
    }
    return Error{"unknown generation " + quoted(text) +
                 "; legal: " + std::string(generation_names())};
}

Result<SemanticsProfile> parse_profile(const std::string& text) {
    for (const auto profile : {SemanticsProfile::REFERENCE, SemanticsProfile::PUBLISHED}) {
        if (text == profile_name(profile)) {
            return profile;
        }
    }
    return Error{"unknown semantics " + quoted(text) + "; legal: reference, published"};
}

/// N=VALUE of --reg and --sem; VALUE decimal, negative or 0x.
Result<std::pair<unsigned, std::uint32_t>> parse_preset(const std::string& option,
                                                        const std::string& text, unsigned limit) {
    auto parts = name_and_value(option, text);
    if (!parts) {
        return parts.failure();
    }
    const auto index = parse_unsigned(parts->first, limit - 1);
    if (!index) {
        return Error{option + ": " + quoted(parts->first) + " is no index; legal: 0.." +
                     std::to_string(limit - 1)};
    }
    constexpr unsigned value_bits = 32;
    const auto value = parse_bits(parts->second, value_bits, true);
    if (!value) {
        return Error{option + " " + parts->first + ": " + value.error()};
    }
    return std::make_pair(static_cast<unsigned>(*index), static_cast<std::uint32_t>(*value));
}

po::options_description engine_description() {
    po::options_description description("Engine");
    description.add_options()  //
        ("gen", po::value<std::string>(),
         "sunda | cayman | mariana (default) | mariana_plus | maverick")                      //
        ("semantics", po::value<std::string>(), "reference (default) | published")            //
        ("config", po::value<std::string>(), "JSON file of parameters")                       //
        ("set", po::value<Strings>()->composing(), "NAME=VALUE, one parameter (repeatable)")  //
        ("help,h", "this text");
    return description;
}

/// A configuration file may also hold what --gen and --semantics say.
Status take_setting(const Setting& setting, EngineOptions& options) {
    if (setting.name == "generation") {
        auto generation = parse_generation(setting.value);
        if (!generation) {
            return Error{setting.origin + ": " + generation.error()};
        }
        options.generation = *generation;
    } else if (setting.name == "semantics") {
        auto profile = parse_profile(setting.value);
        if (!profile) {
            return Error{setting.origin + ": " + profile.error()};
        }
        options.profile = *profile;
    } else {
        options.settings.push_back(setting);
    }
    return Done{};
}

Result<EngineOptions> engine_options(const po::variables_map& values) {
    EngineOptions options;
    auto file = file_name(values, "config");
    if (!file) {
        return file.failure();
    }
    options.file = *file;
    if (!file->empty()) {
        auto settings = read_configuration_file(*file);
        if (!settings) {
            return settings.failure();
        }
        for (const Setting& setting : *settings) {
            if (auto status = take_setting(setting, options); !status) {
                return status.failure();
            }
        }
    }
    for (const std::string& text : strings(values, "set")) {
        auto parts = name_and_value("--set", text);
        if (!parts) {
            return parts.failure();
        }
        options.settings.push_back({parts->first, parts->second, "--set"});
    }
    if (values.count("gen") != 0) {
        auto generation = parse_generation(values["gen"].as<std::string>());
        if (!generation) {
            return generation.failure();
        }
        options.generation = *generation;
    }
    if (values.count("semantics") != 0) {
        auto profile = parse_profile(values["semantics"].as<std::string>());
        if (!profile) {
            return profile.failure();
        }
        options.profile = *profile;
    }
    return options;
}

}  // namespace

Result<Configuration> EngineOptions::configuration(Generation for_generation) const {
    Configuration result =
        Configuration::defaults(for_generation, profile.value_or(SemanticsProfile::REFERENCE));
    for (const Setting& setting : settings) {
        if (auto status = set_parameter(result, setting.name, setting.value); !status) {
            return Error{setting.origin + ": " + status.error()};
        }
    }
    return result;
}

Result<RunOptions> parse_run_options(const Strings& arguments) {
    po::options_description run("Run");
    run.add_options()                                                           //
        ("timing", po::value<std::string>(), "loose (default), approx, cycle")  //
        ("load", po::value<Strings>()->composing(),
         "WHERE=FILE.npy (repeatable); WHERE = space:partition:byte, e.g. sbuf:0:0x400, or a "
         "tensor of the program")  //
        ("dump", po::value<Strings>()->composing(),
         "WHERE:SHAPE:DTYPE=FILE.npy (repeatable), e.g. sbuf:0:0x400:128x512:fp32=y.npy, or "
         "TENSOR=FILE.npy")                                                                     //
        ("reg", po::value<Strings>()->composing(), "N=VALUE presets R[N] (repeatable)")         //
        ("sem", po::value<Strings>()->composing(), "N=VALUE presets a semaphore (repeatable)")  //
        ("stats", po::value<std::string>(), "FILE.json of statistics, - for standard output")   //
        ("log", po::value<std::string>(),
         "FILE of the firmware-style log, - for standard output")  //
        ("dump-on-fault", "write dumps after a fault too")         //
        ("quiet,q", "no summary line");
    po::options_description visible;
    visible.add(run).add(trace_description()).add(engine_description());

    auto values = parse_command_line(arguments, "run", visible);
    if (!values) {
        return values.failure();
    }
    RunOptions options;
    if (values->count("help") != 0) {
        std::cout
            << "usage: dve-sim run PROGRAM [options]\n"
               "PROGRAM is .dvs assembly text or .bin records; - is standard input\n"
            << visible
            << "Exit status: 0 done; 1 a record was rejected, the engine faulted or waits for "
               "ever; 2 bad usage, input or output\n";
        options.help = true;
        return options;
    }
    const Strings programs = strings(*values, "files");
    if (programs.size() != 1) {
        return Error{"run takes one PROGRAM (.dvs or .bin), not " +
                     std::to_string(programs.size())};
    }
    options.program = programs[0];
    const std::string timing = text(*values, "timing");
    if (values->count("timing") != 0) {
        const auto mode = timing_mode_from_name(timing);
        if (!mode) {
            return Error{"unknown timing " + quoted(timing) + "; legal: loose, approx, cycle"};
        }
        options.timing = *mode;
    }
    auto trace = trace_options(*values, timing);
    if (!trace) {
        return trace.failure();
    }
    options.trace = std::move(trace.value());
    auto engine = engine_options(*values);
    if (!engine) {
        return engine.failure();
    }
    options.engine = std::move(engine.value());
    options.loads = strings(*values, "load");
    options.dumps = strings(*values, "dump");
    for (const std::string& preset : strings(*values, "reg")) {
        auto parsed = parse_preset("--reg", preset, num_address_registers);
        if (!parsed) {
            return parsed.failure();
        }
        options.registers.push_back(*parsed);
    }
    constexpr unsigned semaphores = 256;
    for (const std::string& preset : strings(*values, "sem")) {
        auto parsed = parse_preset("--sem", preset, semaphores);
        if (!parsed) {
            return parsed.failure();
        }
        options.semaphores.push_back(*parsed);
    }
    for (const auto& [option, file] :
         {std::make_pair("stats", &options.stats), std::make_pair("log", &options.log)}) {
        auto name = file_name(*values, option);
        if (!name) {
            return name.failure();
        }
        *file = *name;
    }
    options.dump_on_fault = values->count("dump-on-fault") != 0;
    options.quiet = values->count("quiet") != 0;
    return options;
}

Result<CommonOptions> parse_common_options(const Strings& arguments, const CommandForm& form) {
    po::options_description visible = engine_description();
    if ((form.extras & OUTPUT) != 0) {
        visible.add_options()("output,o", po::value<std::string>(),
                              "file to write, - for standard output");
    }
    if ((form.extras & OPCODE) != 0) {
        visible.add_options()("opcode", po::value<std::string>(),
                              "one opcode, by mnemonic or value");
    }
    if ((form.extras & JSON) != 0) {
        visible.add_options()("json", "as JSON");
    }
    const std::string command = form.command;
    auto values = parse_command_line(arguments, command, visible);
    if (!values) {
        return values.failure();
    }
    const std::string usage = "usage: dve-sim " + command + " " + form.arguments;
    CommonOptions options;
    if (values->count("help") != 0) {
        std::cout << usage << '\n' << visible;
        options.help = true;
        return options;
    }
    options.files = strings(*values, "files");
    if (options.files.size() != form.files) {
        return Error{command + " takes " + (form.files == 0 ? "no file" : "one file") + ", not " +
                     std::to_string(options.files.size()) + "; " + usage};
    }
    auto engine = engine_options(*values);
    if (!engine) {
        return engine.failure();
    }
    options.engine = std::move(engine.value());
    auto output = file_name(*values, "output");
    if (!output) {
        return output.failure();
    }
    options.output = *output;
    options.opcode = text(*values, "opcode");
    options.json = values->count("json") != 0;
    return options;
}

}  // namespace dve::sim
