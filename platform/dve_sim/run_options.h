// The command line of `dve-sim run`, and of the other commands that take engine options.
#pragma once

#include <bitset>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/isa/text_result.h"
#include "platform/configuration.h"
#include "platform/dve_sim/configuration_file.h"

namespace dve::sim {

/// Options that choose the engine: generation, profile, parameters.
struct EngineOptions {
    std::optional<Generation> generation;
    std::optional<SemanticsProfile> profile;
    std::vector<Setting> settings;  ///< configuration file, then --set
    std::string file;               ///< --config, empty if none

    /// The configuration for a generation; an unknown or illegal setting is the error.
    Result<Configuration> configuration(Generation generation) const;
};

/// Timelines, waveforms and lane traces. File names are empty where the option was not given.
struct TraceOptions {
    std::string timeline;
    std::string kanata;
    std::string lane_trace;
    std::string vcd;
    std::string fst;
    std::bitset<dve_num_channels> lanes = 1;  ///< lane 0
    std::uint64_t first_cycle = 0;
    std::uint64_t end_cycle = std::numeric_limits<std::uint64_t>::max();  ///< one past the last
    std::string scope = "*";  ///< glob over hierarchical names: * and ?
};

struct RunOptions {
    std::string program;
    EngineOptions engine;
    TimingMode timing = TimingMode::LOOSE;
    std::vector<std::string> loads;
    std::vector<std::string> dumps;
    std::vector<std::pair<unsigned, std::uint32_t>> registers;
    std::vector<std::pair<unsigned, std::uint32_t>> semaphores;
    std::string stats;
    std::string log;
    TraceOptions trace;
    bool dump_on_fault = false;
    bool quiet = false;
    bool help = false;
};

/// Arguments without the program and command name.
Result<RunOptions> parse_run_options(const std::vector<std::string>& arguments);

/// For every command but `run`.
struct CommonOptions {
    EngineOptions engine;
    std::vector<std::string> files;
    std::string output;  ///< -o
    std::string opcode;  ///< --opcode
    bool json = false;
    bool help = false;
};

/// Options of a command besides those of the engine.
enum Extra : unsigned { OUTPUT = 1, OPCODE = 2, JSON = 4 };

/// What a command takes.
struct CommandForm {
    const char* command;
    const char* arguments;  ///< for the usage line
    std::size_t files;      ///< 0 or 1
    unsigned extras;        ///< of Extra
};
Result<CommonOptions> parse_common_options(const std::vector<std::string>& arguments,
                                           const CommandForm& form);

}  // namespace dve::sim
