// Writing 512 registers of 32 bits to VCD: the waveform file against SystemC's own sc_trace file.
//
// Both write to a memory file system and are called by the kernel once a nanosecond; the null
// device shows what is left without a file. Prints nanoseconds a register and time step, without
// those of the same run with no file, and the ratio.
#include <benchmark/benchmark.h>

#include <array>
#include <cstdio>
#include <map>
#include <string>
#include <systemc>

#include "traces/waveform/waveform_file.h"

namespace dve::bench {
namespace {

constexpr unsigned registers = 512;

/// Enough that headers do not count, and little enough to write with every register changing.
constexpr int step_count(bool changing) { return changing ? 2000 : 50000; }

const std::string path_stem = "/dev/shm/dve_bench_waveform";
const std::string vcd_path = path_stem + ".vcd";
const std::string fst_path = path_stem + ".fst";

/// Every nanosecond either all registers get new random values, or none.
struct Registers : sc_core::sc_module, Traceable {
    DVE_HAS_PROCESS(Registers);
    explicit Registers(const sc_core::sc_module_name& name) : sc_module(name) { SC_METHOD(step); }

    void step() {
        if (changing) {
            for (std::uint32_t& value : values) {
                state ^= state << 13;
                state ^= state >> 17;
                state ^= state << 5;
                value = state;
            }
        }
        benchmark::DoNotOptimize(values.data());
        next_trigger(1, sc_core::SC_NS);
    }

    void visit_signals(SignalVisitor& visitor) const override {
        for (unsigned stage = 0; stage < registers / 128; ++stage) {
            visitor.lanes(("stage" + std::to_string(stage)).c_str(), values.data() + 128 * stage,
                          128, SignalKind::NUMBER);
        }
    }

    bool changing = true;
    std::uint32_t state = 1;
    std::array<std::uint32_t, registers> values{};
};

Registers& module() {
    static Registers registers_module("registers");
    return registers_module;
}

void run(bool changing) {
    module().changing = changing;
    sc_core::sc_start(step_count(changing), sc_core::SC_NS);
}

void without(benchmark::State& state, bool changing) {
    for (auto _ : state) {
        run(changing);
    }
}

void with_waveform(benchmark::State& state, bool changing, const std::string& path, bool open) {
    WaveformOptions options;
    options.path = path;
    options.format = path == fst_path ? WaveFormat::FST : WaveFormat::VCD;
    options.clock_period = 1000;
    options.first_cycle = open ? 0 : ~std::uint64_t{0} - 1;
    for (auto _ : state) {
        state.PauseTiming();
        WaveformFile file(options);
        file.add_hierarchy();
        file.set_origin(0);
        state.ResumeTiming();
        run(changing);
        file.close();
        if (!file.error().empty()) {
            state.SkipWithError(file.error().c_str());
        }
    }
}

void with_sc_trace(benchmark::State& state, bool changing) {
    for (auto _ : state) {
        state.PauseTiming();
        sc_core::sc_trace_file* const file = sc_core::sc_create_vcd_trace_file(path_stem.c_str());
        file->set_time_unit(1, sc_core::SC_PS);
        for (unsigned index = 0; index < registers; ++index) {
            sc_core::sc_trace(file, module().values[index], "r" + std::to_string(index));
        }
        state.ResumeTiming();
        run(changing);
        sc_core::sc_close_vcd_trace_file(file);
    }
}

/// Keeps the medians and prints them as nanoseconds a register beyond the run without a file.
class RatioReporter : public benchmark::ConsoleReporter {
public:
    RatioReporter() : ConsoleReporter(OO_None) {}

    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs) {
            if (run.error_occurred) {
                std::printf("%s: %s\n", run.benchmark_name().c_str(), run.error_message.c_str());
            }
            if (run.aggregate_name == "median") {
                const std::string name = run.run_name.function_name;
                const bool changing = name.rfind("changing/", 0) == 0;
                nanoseconds_[name] =
                    run.GetAdjustedCPUTime() / (double{registers} * step_count(changing));
            }
        }
    }

    void Finalize() override {
        std::printf("%-10s %-24s %12s %12s\n", "registers", "file", "ns each", "sc_trace x");
        for (const std::string what : {"changing", "unchanged"}) {
            const double none = nanoseconds_[what + "/none"];
            const double stock = nanoseconds_[what + "/sc_trace"] - none;
            for (const char* file : {"sc_trace", "waveform_vcd", "waveform_to_null", "waveform_fst",
                                     "closed_window"}) {
                if (nanoseconds_.count(what + '/' + file) != 0) {
                    const double each = nanoseconds_[what + '/' + file] - none;
                    std::printf("%-10s %-24s %12.3f %12.1f\n", what.c_str(), file, each,
                                stock / each);
                }
            }
        }
    }

private:
    std::map<std::string, double> nanoseconds_;
};

void register_benchmarks() {
    for (const bool changing : {true, false}) {
        const std::string what = changing ? "changing/" : "unchanged/";
        const auto add = [&](const char* name, auto... arguments) {
            benchmark::RegisterBenchmark((what + name).c_str(), arguments...)
                ->Repetitions(7)
                ->MinTime(0.05);
        };
        add("none", without, changing);
        add("waveform_vcd", with_waveform, changing, vcd_path, true);
        add("waveform_to_null", with_waveform, changing, std::string("/dev/null"), true);
        add("waveform_fst", with_waveform, changing, fst_path, true);
        add("closed_window", with_waveform, changing, vcd_path, false);
        add("sc_trace", with_sc_trace, changing);
    }
}

}  // namespace
}  // namespace dve::bench

int sc_main(int argc, char** argv) {
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    benchmark::Initialize(&argc, argv);
    dve::bench::module();
    dve::bench::register_benchmarks();
    dve::bench::RatioReporter reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
    std::remove(dve::bench::vcd_path.c_str());
    std::remove(dve::bench::fst_path.c_str());
    return 0;
}
