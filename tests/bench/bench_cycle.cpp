// Simulated cycles a second of the cycle pipeline: 0x43 FP32 MULT/ADD, 128 lanes busy, without a
// waveform and with 1, 8 and 128 lanes in a VCD file on a memory file system.
//
// Prints the median of the repetitions of each, and its ratio to the run without a waveform.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "tests/bench/engine_fixture.h"
#include "traces/waveform/waveform_file.h"

namespace dve::bench {
namespace {

constexpr std::uint32_t columns = 4096;
constexpr std::uint32_t src_at = 0x0;
constexpr std::uint32_t dst_at = 0x10840;
constexpr unsigned repetitions = 7;

/// Both operands move on from copy to copy, so that instructions are independent.
Record tensor_scalar() {
    using namespace fields::S3D3_TS;
    const auto row = [](std::uint32_t byte) {
        Pattern pattern;
        pattern.start.word = byte;
        pattern.num_elem[0] = columns;
        return pattern;
    };
    Record record = make_record(Opcode::TENSOR_SCALAR_ARITH_OP);
    record.set_pattern(src_mem_pattern, row(src_at));
    record.set_pattern(dst_mem_pattern, row(dst_at));
    record.set(in_dtype, static_cast<std::uint8_t>(Dtype::FP32));
    record.set(out_dtype, static_cast<std::uint8_t>(Dtype::FP32));
    record.set(num_active_channels, dve_num_channels);
    record.set(op0, static_cast<std::uint8_t>(AluOp::MULT));
    record.set(op1, static_cast<std::uint8_t>(AluOp::ADD));
    record.set(imm0, 0x3F400000);  // 0.75
    record.set(imm1, 0x3FC00000);  // 1.5
    return record;
}

void fill(EngineFixture& fixture) {
    std::uint32_t value = 1;
    for (unsigned partition = 0; partition < dve_num_channels; ++partition) {
        for (std::uint32_t column = 0; column < columns; ++column) {
            value = value * 1664525U + 1013904223U;
            const float number = static_cast<float>(value >> 8) / 65536.0F - 128.0F;
            std::memcpy(fixture.sbuf(partition, src_at + 4 * column), &number, sizeof number);
        }
    }
}

struct Form {
    const char* name;
    unsigned lanes;   ///< in the waveform; 0: none
    bool in_window;   ///< else the waveform is open, and its window is over
    unsigned copies;  ///< of the instruction in one run
};

double cycles_per_second(EngineFixture& fixture, const Form& form) {
    const std::string path = "/dev/shm/dve_bench_cycle.vcd";
    std::unique_ptr<WaveformFile> waveform;
    if (form.lanes != 0) {
        WaveformOptions options;
        options.path = path;
        options.clock_period = picoseconds(cycle_time(fixture.dve().configuration()));
        options.clock_name = "engine.clk";
        options.lanes.reset();
        for (unsigned lane = 0; lane < form.lanes; ++lane) {
            options.lanes.set(lane);
        }
        options.end_cycle = form.in_window ? ~std::uint64_t{0} : 1;
        options.scope = "engine.dve*";
        waveform = std::make_unique<WaveformFile>(options);
        waveform->add_hierarchy();
        waveform->set_origin(picoseconds(sc_core::sc_time_stamp()));
        fixture.dve().datapath().set_cycle_observer(waveform.get());
    }
    fixture.load(tensor_scalar(), form.copies);
    const auto before = std::chrono::steady_clock::now();
    if (!fixture.run()) {
        std::abort();
    }
    if (waveform != nullptr) {
        fixture.dve().datapath().set_cycle_observer(nullptr);
        waveform->close();
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - before;
    std::remove(path.c_str());
    return static_cast<double>(fixture.dve().sequencer().total_cycles()) / took.count();
}

int run(const std::string& wanted) {
    EngineFixture fixture(TimingMode::CYCLE);
    fill(fixture);
    static constexpr Form forms[] = {
        {"no waveform", 0, true, 100},      {"waveform open, window over", 1, false, 100},
        {"1 lane traced", 1, true, 50},     {"8 lanes traced", 8, true, 20},
        {"128 lanes traced", 128, true, 4},
    };
    double untraced = 0;
    for (const Form& form : forms) {
        if (std::string(form.name).find(wanted) == std::string::npos ||
            (!signals_compiled && form.lanes != 0)) {
            continue;
        }
        std::vector<double> rates;
        for (unsigned i = 0; i < repetitions; ++i) {
            rates.push_back(cycles_per_second(fixture, form));
        }
        std::sort(rates.begin(), rates.end());
        const double median = rates[repetitions / 2];
        untraced = form.lanes == 0 ? median : untraced;
        std::printf("%-28s %8.0f kcycles/s (%.0f to %.0f)  ratio %.3f\n", form.name, median / 1e3,
                    rates.front() / 1e3, rates.back() / 1e3, median / untraced);
    }
    return 0;
}

}  // namespace
}  // namespace dve::bench

/// An argument chooses the forms whose names contain it.
int sc_main(int argc, char** argv) { return dve::bench::run(argc > 1 ? argv[1] : ""); }
