// Parsing of options and lists.
#include "platform/dve_sim/command_line.h"

#include "models/isa/text_name.h"
#include "models/isa/text_number.h"

namespace dve::sim {

Strings strings(const po::variables_map& values, const char* name) {
    return values.count(name) == 0 ? Strings{} : values[name].as<Strings>();
}

std::string text(const po::variables_map& values, const char* name) {
    return values.count(name) == 0 ? std::string{} : values[name].as<std::string>();
}

Result<std::string> file_name(const po::variables_map& values, const char* option) {
    if (values.count(option) == 0) {
        return std::string();
    }
    auto name = values[option].as<std::string>();
    if (name.empty()) {
        return Error{"--" + std::string(option) + ": the file name is empty; legal: a file, or -"};
    }
    return name;
}

Result<po::variables_map> parse_command_line(const Strings& arguments, const std::string& command,
                                             const po::options_description& visible) {
    po::options_description all;
    all.add(visible).add_options()("files", po::value<Strings>());
    po::positional_options_description positional;
    positional.add("files", -1);
    try {
        po::variables_map values;
        const int style =
            po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
        po::store(po::command_line_parser(arguments)
                      .options(all)
                      .positional(positional)
                      .style(style)
                      .run(),
                  values);
        po::notify(values);
        return values;
    } catch (const po::unknown_option& error) {
        std::vector<std::string> names;
        for (const auto& option : visible.options()) {
            names.push_back("--" + option->long_name());
        }
        return unknown_name("option", error.get_option_name(), {names.begin(), names.end()});
    } catch (const po::error& error) {
        return Error{std::string(error.what()) + "; legal: see dve-sim " + command + " --help"};
    }
}

Result<std::bitset<dve_num_channels>> parse_lanes(const std::string& option,
                                                  const std::string& list) {
    std::bitset<dve_num_channels> lanes;
    if (list == "all") {
        return lanes.set();
    }
    constexpr unsigned last_lane = dve_num_channels - 1;
    for (const std::string_view item : split(list, ',')) {
        const std::size_t dash = item.find('-');
        const auto first = parse_unsigned(item.substr(0, dash), last_lane);
        const auto last = dash == std::string_view::npos
                              ? first
                              : parse_unsigned(item.substr(dash + 1), last_lane);
        if (!first || !last || *first > *last) {
            return Error{option + ": " + quoted(item) +
                         " is no lane or range of lanes; legal: all," +
                         " or numbers and ranges within 0.." + std::to_string(last_lane) +
                         ", e.g. 0,1,120-127"};
        }
        for (std::size_t lane = *first; lane <= *last; ++lane) {
            lanes.set(lane);
        }
    }
    return lanes;
}

}  // namespace dve::sim
