// Command-line parsing with Boost.Program_options; the configuration file is JSON.
#include "platform/dve_sim/run_options.h"

#include <boost/program_options.hpp>
#include <charconv>
#include <iostream>
#include <nlohmann/json.hpp>

#include "platform/parameters.h"
#include "platform/whole_file.h"

namespace dve::sim {
namespace {

namespace po = boost::program_options;
using Json = nlohmann::ordered_json;
using Settings = std::vector<std::pair<std::string, std::string>>;

/// "name=value"; the error names the option.
Result<std::pair<std::string, std::string>> split(const std::string& option,
                                                  const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
        return Error{option + ": '" + text + "' has no NAME=VALUE form"};
    }
    return std::make_pair(text.substr(0, equals), text.substr(equals + 1));
}

/// Flattens nested objects to dotted names; values become text.
Status flatten(const std::string& file, const std::string& prefix, const Json& node,
               Settings& settings) {
    for (const auto& [key, value] : node.items()) {
        const std::string name = prefix.empty() ? key : prefix + "." + key;
        if (value.is_object()) {
            if (auto status = flatten(file, name, value, settings); !status) {
                return status;
            }
        } else if (value.is_string()) {
            settings.emplace_back(name, value.get<std::string>());
        } else if (value.is_number() || value.is_boolean()) {
            settings.emplace_back(name, value.dump());
        } else {
            return Error{file + ": " + name +
                         " is neither text, number, true nor false nor an object of them"};
        }
    }
    return Done{};
}

/// A key that stands twice in an object would be lost silently: the callback sees it.
Result<Json> parse_json(const std::string& file, const std::vector<std::uint8_t>& bytes) {
    std::vector<std::vector<std::string>> keys;
    std::string repeated;
    const auto watch = [&](int, Json::parse_event_t event, Json& value) {
        if (event == Json::parse_event_t::object_start) {
            keys.emplace_back();
        } else if (event == Json::parse_event_t::object_end) {
            keys.pop_back();
        } else if (event == Json::parse_event_t::key) {
            const auto key = value.get<std::string>();
            for (const std::string& earlier : keys.back()) {
                if (earlier == key) {
                    repeated = key;
                }
            }
            keys.back().push_back(key);
        }
        return true;
    };
    try {
        Json json = Json::parse(bytes.begin(), bytes.end(), watch, true, true);
        if (!repeated.empty()) {
            return Error{file + ": the key \"" + repeated + "\" stands twice in an object"};
        }
        return json;
    } catch (const Json::exception& error) {
        // "[json.exception.parse_error.101] parse error at line 2, column 5: ..."
        std::string text = error.what();
        const std::size_t start = text.find("] ");
        return Error{file + ": " + (start == std::string::npos ? text : text.substr(start + 2))};
    }
}

Result<Settings> read_configuration_file(const std::string& file) {
    auto bytes = read_whole_file(file);
    if (!bytes) {
        return bytes.failure();
    }
    auto json = parse_json(file, *bytes);
    if (!json) {
        return json.failure();
    }
    if (!json->is_object()) {
        return Error{file + ": the configuration must be a JSON object of parameters"};
    }
    Settings settings;
    if (auto status = flatten(file, "", *json, settings); !status) {
        return status.failure();
    }
    return settings;
}

Result<Generation> parse_generation(const std::string& text) {
    if (auto generation = generation_from_name(text)) {
        return *generation;
    }
    return Error{"unknown generation '" + text + "'; legal: " + std::string(generation_names())};
}

Result<SemanticsProfile> parse_profile(const std::string& text) {
    if (text == "reference") {
        return SemanticsProfile::REFERENCE;
    }
    if (text == "published") {
        return SemanticsProfile::PUBLISHED;
    }
    return Error{"unknown semantics '" + text + "'; legal: reference, published"};
}

/// N=VALUE of --reg and --sem; VALUE decimal, negative or 0x.
Result<std::pair<unsigned, std::uint32_t>> parse_preset(const std::string& option,
                                                        const std::string& text, unsigned limit) {
    auto parts = split(option, text);
    if (!parts) {
        return parts.failure();
    }
    const auto number = [](std::string_view digits, std::int64_t& value) {
        const bool negative = !digits.empty() && digits[0] == '-';
        if (negative) {
            digits.remove_prefix(1);
        }
        int base = 10;
        if (digits.size() > 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X')) {
            digits.remove_prefix(2);
            base = 16;
        }
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
        value = negative ? -value : value;
        return error == std::errc() && end == digits.data() + digits.size();
    };
    std::int64_t index = 0;
    std::int64_t value = 0;
    if (!number(parts->first, index) || index < 0 || index >= static_cast<std::int64_t>(limit)) {
        return Error{option + ": '" + parts->first + "' is no index; legal: 0.." +
                     std::to_string(limit - 1)};
    }
    if (!number(parts->second, value) || value < -0x80000000LL || value > 0xFFFFFFFFLL) {
        return Error{option + ": '" + parts->second + "' is no 32-bit value"};
    }
    return std::make_pair(static_cast<unsigned>(index), static_cast<std::uint32_t>(value));
}

po::options_description engine_description() {
    po::options_description description("Engine");
    description.add_options()  //
        ("gen", po::value<std::string>(),
         "sunda | cayman | mariana (default) | mariana_plus | maverick")                          //
        ("semantics", po::value<std::string>(), "reference (default) | published")                //
        ("config", po::value<std::string>(), "JSON file of parameters")                           //
        ("set", po::value<std::vector<std::string>>()->composing(), "NAME=VALUE, one parameter")  //
        ("help,h", "this text");
    return description;
}

Result<EngineOptions> engine_options(const po::variables_map& values) {
    EngineOptions options;
    const auto take = [&options](const std::string& name, const std::string& value,
                                 bool from_file) -> Status {
        if (name == "generation" && from_file) {
            auto generation = parse_generation(value);
            if (!generation) {
                return generation.failure();
            }
            options.generation = *generation;
        } else if (name == "semantics" && from_file) {
            auto profile = parse_profile(value);
            if (!profile) {
                return profile.failure();
            }
            options.profile = *profile;
        } else {
            options.settings.emplace_back(name, value);
        }
        return Done{};
    };
    if (values.count("config") != 0) {
        const auto file = values["config"].as<std::string>();
        auto settings = read_configuration_file(file);
        if (!settings) {
            return settings.failure();
        }
        for (const auto& [name, value] : *settings) {
            if (auto status = take(name, value, true); !status) {
                return Error{file + ": " + status.error()};
            }
        }
    }
    if (values.count("set") != 0) {
        for (const std::string& text : values["set"].as<std::vector<std::string>>()) {
            auto parts = split("--set", text);
            if (!parts) {
                return parts.failure();
            }
            options.settings.push_back(*parts);
        }
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

/// Parses without guessing of abbreviated names.
Result<po::variables_map> parse(const std::vector<std::string>& arguments,
                                const po::options_description& description,
                                const po::positional_options_description& positional) {
    try {
        po::variables_map values;
        const int style =
            po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
        po::store(po::command_line_parser(arguments)
                      .options(description)
                      .positional(positional)
                      .style(style)
                      .run(),
                  values);
        po::notify(values);
        return values;
    } catch (const po::error& error) {
        return Error{error.what()};
    }
}

std::vector<std::string> strings(const po::variables_map& values, const char* name) {
    return values.count(name) == 0 ? std::vector<std::string>{}
                                   : values[name].as<std::vector<std::string>>();
}

std::string text(const po::variables_map& values, const char* name) {
    return values.count(name) == 0 ? std::string{} : values[name].as<std::string>();
}

}  // namespace

Result<Configuration> EngineOptions::configuration(Generation for_generation) const {
    Configuration result =
        Configuration::defaults(for_generation, profile.value_or(SemanticsProfile::REFERENCE));
    for (const auto& [name, value] : settings) {
        if (auto status = set_parameter(result, name, value); !status) {
            return status.failure();
        }
    }
    return result;
}

Result<RunOptions> parse_run_options(const std::vector<std::string>& arguments) {
    using Strings = std::vector<std::string>;
    po::options_description description("dve-sim run PROGRAM [options]");
    po::options_description run("Run");
    run.add_options()                                                             //
        ("timing", po::value<std::string>(), "loose (default) | approx | cycle")  //
        ("load", po::value<Strings>()->composing(),
         "WHERE=FILE.npy; WHERE = space:partition:byte or a tensor of the program")  //
        ("dump", po::value<Strings>()->composing(),
         "WHERE:SHAPE:DTYPE=FILE.npy, or a tensor of the program")                             //
        ("reg", po::value<Strings>()->composing(), "N=VALUE presets R[N]")                     //
        ("sem", po::value<Strings>()->composing(), "N=VALUE presets a semaphore")              //
        ("stats", po::value<std::string>(), "FILE.json of statistics, - for standard output")  //
        ("log", po::value<std::string>(),
         "FILE of the firmware-style log, - for standard output")        //
        ("dump-on-fault", "write dumps after a fault too")               //
        ("quiet,q", "no summary line")                                   //
        ("timeline", po::value<std::string>(), "not available yet")      //
        ("vcd", po::value<std::string>(), "not available yet")           //
        ("fst", po::value<std::string>(), "not available yet")           //
        ("kanata", po::value<std::string>(), "not available yet")        //
        ("lane-trace", po::value<std::string>(), "not available yet")    //
        ("trace-lanes", po::value<std::string>(), "not available yet")   //
        ("trace-window", po::value<std::string>(), "not available yet")  //
        ("trace-scope", po::value<std::string>(), "not available yet");
    po::options_description hidden;
    hidden.add_options()("program", po::value<Strings>());
    po::options_description visible;
    visible.add(run).add(engine_description());
    description.add(visible).add(hidden);
    po::positional_options_description positional;
    positional.add("program", -1);

    auto values = parse(arguments, description, positional);
    if (!values) {
        return values.failure();
    }
    RunOptions options;
    if (values->count("help") != 0) {
        std::cout << "dve-sim run PROGRAM [options]\n" << visible;
        options.help = true;
        return options;
    }
    const Strings programs = strings(*values, "program");
    if (programs.size() != 1) {
        return Error{"run takes one PROGRAM (.dvs or .bin), not " +
                     std::to_string(programs.size())};
    }
    options.program = programs[0];
    const std::string timing = text(*values, "timing");
    if (timing == "approx" || timing == "cycle") {
        return Error{"--timing " + timing + " is not available yet; legal: loose"};
    }
    if (!timing.empty() && timing != "loose") {
        return Error{"unknown timing '" + timing + "'; legal: loose"};
    }
    for (const char* later : {"timeline", "vcd", "fst", "kanata", "lane-trace", "trace-lanes",
                              "trace-window", "trace-scope"}) {
        if (values->count(later) != 0) {
            return Error{"--" + std::string(later) +
                         " is not available yet: it needs the cycle view; legal: --log, --stats"};
        }
    }
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
    for (const std::string& preset : strings(*values, "sem")) {
        auto parsed = parse_preset("--sem", preset, 256);
        if (!parsed) {
            return parsed.failure();
        }
        options.semaphores.push_back(*parsed);
    }
    options.stats = text(*values, "stats");
    options.log = text(*values, "log");
    options.dump_on_fault = values->count("dump-on-fault") != 0;
    options.quiet = values->count("quiet") != 0;
    return options;
}

Result<CommonOptions> parse_common_options(const std::vector<std::string>& arguments,
                                           const std::string& usage, std::size_t files) {
    po::options_description visible = engine_description();
    visible.add_options()                                                         //
        ("output,o", po::value<std::string>(), "file to write")                   //
        ("opcode", po::value<std::string>(), "one opcode, by mnemonic or value")  //
        ("json", "as JSON");
    po::options_description description;
    description.add(visible).add_options()("files", po::value<std::vector<std::string>>());
    po::positional_options_description positional;
    positional.add("files", -1);
    auto values = parse(arguments, description, positional);
    if (!values) {
        return values.failure();
    }
    CommonOptions options;
    if (values->count("help") != 0) {
        std::cout << usage << "\n" << visible;
        options.help = true;
        return options;
    }
    auto engine = engine_options(*values);
    if (!engine) {
        return engine.failure();
    }
    options.engine = std::move(engine.value());
    options.files = strings(*values, "files");
    if (options.files.size() != files) {
        return Error{usage + ": takes " + std::to_string(files) + " file(s), not " +
                     std::to_string(options.files.size())};
    }
    options.output = text(*values, "output");
    options.opcode = text(*values, "opcode");
    options.json = values->count("json") != 0;
    return options;
}

}  // namespace dve::sim
