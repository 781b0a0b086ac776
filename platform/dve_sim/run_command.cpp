// `dve-sim run`: one program on one engine.
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>

#include "platform/dve_engine.h"
#include "platform/dve_sim/commands.h"
#include "platform/dve_sim/host.h"
#include "platform/dve_sim/program_file.h"
#include "platform/dve_sim/run_observers.h"
#include "platform/dve_sim/run_options.h"
#include "platform/dve_sim/statistics_json.h"
#include "platform/dve_sim/transfers.h"
#include "platform/system_memory.h"
#include "traces/stream_log.h"
#include "traces/waveform/viewer_files.h"

namespace dve::sim {
namespace {

/// Everything that is read and checked before the engine exists.
struct Inputs {
    RunOptions options;
    Program program;
    Configuration configuration;
    std::vector<Load> loads;
    std::vector<Dump> dumps;
};

/// Standard input can be read once.
Status check_standard_input(const RunOptions& options) {
    const bool program = options.program == "-";
    std::string first = program ? "PROGRAM" : "";
    for (const std::string& load : options.loads) {
        const std::string_view end = "=-";
        if (load.size() < end.size() || load.substr(load.size() - end.size()) != end) {
            continue;
        }
        if (!first.empty()) {
            return Error{"--load " + load + ": standard input is already " + first +
                         "; legal: one - for input"};
        }
        first = "--load " + load;
    }
    return Done{};
}

/// Every output can be written, and no two go to one place.
Status check_outputs(const Inputs& inputs) {
    std::vector<Output> outputs;
    for (const Dump& dump : inputs.dumps) {
        outputs.push_back({"--dump " + dump.option, dump.file, true});
    }
    const RunOptions& options = inputs.options;
    for (const auto& [option, file] :
         {std::make_pair("--stats ", options.stats), std::make_pair("--log ", options.log),
          std::make_pair("--timeline ", options.trace.timeline),
          std::make_pair("--kanata ", options.trace.kanata),
          std::make_pair("--vcd ", options.trace.vcd), std::make_pair("--fst ", options.trace.fst),
          std::make_pair("--lane-trace ", options.trace.lane_trace)}) {
        if (!file.empty()) {
            outputs.push_back({option + file, file, false});
        }
    }
    for (const std::string& waveform : {options.trace.vcd, options.trace.fst}) {
        if (!waveform.empty() && waveform != "-") {
            const std::string beside = viewer_file_beside(waveform);
            outputs.push_back({beside + " (beside " + waveform + ")", beside, false});
        }
    }
    for (const Output& output : outputs) {
        for (const std::string& input : {options.program, options.engine.file}) {
            std::error_code error;
            if (output.file != "-" && std::filesystem::equivalent(output.file, input, error)) {
                return Error{output.option +
                             ": would replace an input of the run; legal: another file"};
            }
        }
    }
    return check_outputs(outputs);
}

Result<Inputs> read_inputs(const Arguments& arguments) {
    auto options = parse_run_options(arguments);
    if (!options) {
        return options.failure();
    }
    Inputs inputs;
    inputs.options = std::move(options.value());
    if (inputs.options.help) {
        return inputs;
    }
    if (auto status = check_standard_input(inputs.options); !status) {
        return status.failure();
    }
    const EngineOptions& engine = inputs.options.engine;
    AssemblyOptions assembly;
    assembly.generation = engine.generation;
    assembly.memory = [&engine](Generation generation) {
        auto configuration = engine.configuration(generation);
        return configuration ? MemoryMap{configuration->isa.sbuf, configuration->isa.psum}
                             : MemoryMap::for_generation(generation);
    };
    auto program = read_program(inputs.options.program, assembly);
    if (!program) {
        return program.failure();
    }
    inputs.program = std::move(program.value());
    auto configuration = engine.configuration(inputs.program.generation);
    if (!configuration) {
        return configuration.failure();
    }
    inputs.configuration = *configuration;
    inputs.configuration.mode = inputs.options.timing;
    auto loads = read_loads(inputs.options.loads, inputs.program, inputs.configuration);
    if (!loads) {
        return loads.failure();
    }
    inputs.loads = std::move(loads.value());
    auto dumps = read_dumps(inputs.options.dumps, inputs.program, inputs.configuration);
    if (!dumps) {
        return dumps.failure();
    }
    inputs.dumps = std::move(dumps.value());
    if (auto status = check_outputs(inputs); !status) {
        return status.failure();
    }
    return inputs;
}

/// The engine with its program memory and host.
struct Platform {
    SystemMemory memory;
    DveEngine engine;
    Host host;
    sc_core::sc_signal<bool> irq;

    Platform(const Inputs& inputs, FirmwareLog& log)
        : memory("memory", std::max<std::size_t>(inputs.program.records.size() * record_bytes, 1),
                 sc_core::SC_ZERO_TIME, non_blocking_style(inputs.configuration)),
          engine("engine", inputs.configuration, log),
          host("host"),
          irq("irq") {
        if (!inputs.program.records.empty()) {
            std::memcpy(memory.bytes().data(), inputs.program.records.data(),
                        inputs.program.records.size() * record_bytes);
        }
        host.csr.bind(engine.csr);
        host.irq.bind(irq);
        engine.irq.bind(irq);
        engine.fetch.bind(memory.socket);
        host.memory.bind(engine.memory);
        host.registers = inputs.options.registers;
        host.semaphores = inputs.options.semaphores;
        host.program_bytes =
            static_cast<std::uint32_t>(inputs.program.records.size() * record_bytes);
    }
};

std::string deadlock_message(const Inputs& inputs, std::uint64_t record) {
    return inputs.program.where(record) + ": waits for ever: " +
           disassemble_record(inputs.program.records[record], inputs.configuration.generation()) +
           "; nothing in the program will satisfy its wait (--sem presets a semaphore)";
}

}  // namespace

int run_command(const Arguments& arguments) {
    auto read = read_inputs(arguments);
    if (!read) {
        return usage_error(read.error());
    }
    const Inputs inputs = std::move(read.value());
    const RunOptions& options = inputs.options;
    if (options.help) {
        return exit_done;
    }

    std::ofstream log_file;
    std::unique_ptr<FirmwareLog> log;
    if (options.log == "-") {
        log = std::make_unique<StreamLog>(std::cout);
    } else if (!options.log.empty()) {
        log_file.open(options.log);
        if (!log_file) {
            return usage_error(options.log + ": cannot be written: " + std::strerror(errno));
        }
        log = std::make_unique<StreamLog>(log_file);
    } else {
        log = std::make_unique<SilentLog>();
    }

    RunObservers observers(inputs.configuration, options);
    if (auto status = observers.status(); !status) {
        return usage_error(status.error());
    }

    Platform platform(inputs, *log);
    for (const Load& load : inputs.loads) {
        apply(load, platform.engine);
    }
    Sequencer& sequencer = platform.engine.sequencer();
    if (auto status = observers.listen_to(platform.engine); !status) {
        return usage_error(status.error());
    }
    sc_core::sc_start();
    observers.progress().end();

    RunSummary summary;
    summary.total_cycles = sequencer.total_cycles();
    summary.simulated_ns =
        static_cast<double>(summary.total_cycles) / inputs.configuration.clock_ghz;
    summary.semaphore_errors = sequencer.semaphore_errors();
    summary.fp_status = platform.engine.datapath().fp_status().bits;
    if (Interrupt::signal_number() != 0) {
        summary.fault = "interrupted after " +
                        std::to_string(observers.statistics().counters().instructions) +
                        " instructions";
    } else if (sequencer.fault()) {
        summary.fault = inputs.program.source(sequencer.fault()->record_index) + ": " +
                        sequencer.fault()->message();
    } else if (sequencer.waiting_record()) {
        summary.fault = deadlock_message(inputs, *sequencer.waiting_record());
    } else if (!platform.host.access_error().empty()) {
        summary.fault = platform.host.access_error();
    }
    const bool failed = !summary.fault.empty();
    if (failed) {
        std::cerr << "dve-sim: " << summary.fault << '\n';
    }
    int status = failed ? exit_fault : exit_done;
    if (!failed || options.dump_on_fault) {
        for (const Dump& dump : inputs.dumps) {
            if (auto written = write(dump, platform.engine); !written) {
                status = usage_error(written.error());
            }
        }
    }
    if (!options.stats.empty()) {
        if (auto written = write_statistics(options.stats, inputs.configuration,
                                            observers.statistics(), summary);
            !written) {
            status = usage_error(written.error());
        }
    }
    if (log_file.is_open() && !log_file.flush()) {
        status = usage_error(options.log + ": cannot be written: " + std::strerror(errno));
    }
    if (auto written = observers.finish(); !written) {
        status = usage_error(written.error());
    }
    if (Interrupt::signal_number() != 0) {
        std::cout.flush();
        Interrupt::end_process();
    }
    const bool stdout_taken = options.stats == "-" || options.log == "-" ||
                              options.trace.timeline == "-" || options.trace.kanata == "-" ||
                              options.trace.lane_trace == "-" || options.trace.vcd == "-" ||
                              std::any_of(inputs.dumps.begin(), inputs.dumps.end(),
                                          [](const Dump& dump) { return dump.file == "-"; });
    if (!options.quiet && status == exit_done && !stdout_taken) {
        char line[160];
        std::snprintf(
            line, sizeof line, "%s: %llu instructions, %llu cycles, %.3f us at %g GHz\n",
            inputs.configuration.isa.row().name,
            static_cast<unsigned long long>(observers.statistics().counters().instructions),
            static_cast<unsigned long long>(summary.total_cycles), summary.simulated_ns / 1000,
            inputs.configuration.clock_ghz);
        std::cout << line;
    }
    return status;
}

}  // namespace dve::sim
