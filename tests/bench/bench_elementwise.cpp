// 0x43 and 0x9D MULT/ADD in loose mode against hand-written loops over the same memory.
//
// Prints, for each shape and type, the time of one instruction on the engine, the time of the
// loop, their ratio (1 = as fast as the loop) and the nanoseconds beyond it; `packed` is the loop
// over rows that follow each other without a gap.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <systemc>

#include "tests/bench/engine_fixture.h"
#include "tests/bench/hand_loops.h"

namespace dve::bench {
namespace {

struct TypeRow {
    const char* name;
    Dtype dtype;
    void (*loop)(const LoopArguments&);
};
constexpr TypeRow types[] = {
    {"fp32", Dtype::FP32, loop_fp32}, {"bf16", Dtype::BF16, loop_bf16},
    {"fp16", Dtype::FP16, loop_fp16}, {"fp8_exp4", Dtype::FP8_EXP4, loop_fp8_exp4},
    {"int8", Dtype::INT8, loop_int8},
};
constexpr std::size_t columns_list[] = {16, 64, 512, 4096};
constexpr const char* forms[] = {"tensor_scalar", "scalar_tensor_tensor"};

constexpr std::uint32_t src_at = 0x0;
constexpr std::uint32_t second_at = 0x8040;
constexpr std::uint32_t dst_at = 0x10840;
constexpr float scale = 0.75F;
constexpr float offset = 1.5F;

Pattern row_pattern(std::uint32_t byte, std::size_t columns) {
    Pattern pattern;
    pattern.start.word = byte;
    pattern.num_elem[0] = static_cast<std::uint16_t>(columns);
    return pattern;
}

std::uint32_t bits_of(float value) {
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

Record tensor_scalar(Dtype dtype, std::size_t columns) {
    using namespace fields::S3D3_TS;
    Record record = make_record(Opcode::TENSOR_SCALAR_ARITH_OP);
    record.set_pattern(src_mem_pattern, row_pattern(src_at, columns));
    record.set_pattern(dst_mem_pattern, row_pattern(dst_at, columns));
    record.set(in_dtype, static_cast<std::uint8_t>(dtype));
    record.set(out_dtype, static_cast<std::uint8_t>(dtype));
    record.set(num_active_channels, dve_num_channels);
    record.set(op0, static_cast<std::uint8_t>(AluOp::MULT));
    record.set(op1, static_cast<std::uint8_t>(AluOp::ADD));
    record.set(imm0, bits_of(scale));
    record.set(imm1, bits_of(offset));
    return record;
}

Record scalar_tensor_tensor(Dtype dtype, std::size_t columns) {
    using namespace fields::S2S2D2_STT;
    Record record = make_record(Opcode::SCALAR_TENSOR_TENSOR_ARITH);
    record.set_pattern(src0_mem_pattern, row_pattern(src_at, columns));
    record.set_pattern(src1_mem_pattern, row_pattern(second_at, columns));
    record.set_pattern(dst_mem_pattern, row_pattern(dst_at, columns));
    record.set(in0_in1_dtype, static_cast<unsigned>(dtype) * 0x11U);
    record.set(out_dtype, static_cast<std::uint8_t>(dtype));
    record.set(imm0_dtype, static_cast<std::uint8_t>(Dtype::FP32));
    record.set(num_active_channels, dve_num_channels);
    record.set(op0, static_cast<std::uint8_t>(AluOp::MULT));
    record.set(op1, static_cast<std::uint8_t>(AluOp::ADD));
    record.set(imm0, bits_of(scale));
    return record;
}

/// Normal, finite numbers of every type: halves from 1.0 to 2.0 whose bytes are small FP8 numbers.
void fill_sources() {
    static const std::vector<std::uint16_t> row = [] {
        std::mt19937 random(1);
        std::vector<std::uint16_t> values(4096 * 2);
        for (std::uint16_t& value : values) {
            value = static_cast<std::uint16_t>(0x3C20U | (random() & 0x31FU));
        }
        return values;
    }();
    for (unsigned p = 0; p < dve_num_channels; ++p) {
        for (const std::uint32_t at : {src_at, second_at}) {
            std::memcpy(engine().sbuf(p, at), row.data(), row.size() * sizeof row[0]);
        }
    }
}

/// About 4 M elements a run, so that starting the kernel costs nothing.
std::size_t repetitions(std::size_t columns) {
    const std::size_t count = (std::size_t{1} << 22) / (columns * dve_num_channels);
    return std::min(std::max<std::size_t>(count, 8), maximum_records);
}

void run_engine(benchmark::State& state, Record record, std::size_t columns) {
    const std::size_t count = repetitions(columns);
    fill_sources();
    engine().load(record, count);
    for (auto _ : state) {
        if (!engine().run()) {
            state.SkipWithError("the engine faulted");
            break;
        }
    }
    state.counters["ns"] = benchmark::Counter(
        static_cast<double>(count) * 1e-9,
        benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void run_loop(benchmark::State& state, void (*loop)(const LoopArguments&), bool second,
              std::size_t columns, std::size_t element_bytes, bool packed) {
    const std::size_t count = repetitions(columns);
    fill_sources();
    LoopArguments arguments{engine().sbuf(0, src_at),
                            second ? engine().sbuf(0, second_at) : nullptr,
                            engine().sbuf(0, dst_at),
                            engine().row_stride(),
                            dve_num_channels,
                            columns,
                            scale,
                            offset};
    std::vector<std::uint8_t> rows;
    if (packed) {
        const std::size_t bytes = dve_num_channels * columns * element_bytes;
        rows.assign(3 * bytes + 192, 0x20);
        arguments.src = rows.data();
        arguments.second = second ? rows.data() + bytes + 64 : nullptr;
        arguments.dst = rows.data() + 2 * bytes + 128;
        arguments.row_stride = static_cast<std::ptrdiff_t>(columns * element_bytes);
    }
    for (auto _ : state) {
        for (std::size_t i = 0; i < count; ++i) {
            loop(arguments);
            benchmark::ClobberMemory();
        }
    }
    state.counters["ns"] = benchmark::Counter(
        static_cast<double>(count) * 1e-9,
        benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// Collects medians and prints the table of ratios.
class RatioReporter : public benchmark::BenchmarkReporter {
public:
    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs) {
            if (run.run_type == Run::RT_Aggregate && run.aggregate_name == "median") {
                nanoseconds_[run.run_name.function_name] = run.counters.at("ns");
            }
        }
    }
    void Finalize() override {
        std::printf("kernels: %s\n", kernel_instruction_set());
        std::printf("%-21s %-9s %9s %10s %10s %10s %7s %9s %9s\n", "instruction", "dtype", "tile",
                    "engine ns", "loop ns", "packed ns", "ratio", "beyond ns", "G elem/s");
        for (const char* form : forms) {
            for (const TypeRow& type : types) {
                for (const std::size_t columns : columns_list) {
                    print(form, type.name, columns);
                }
            }
        }
    }

private:
    void print(const char* form, const char* type, std::size_t columns) {
        const std::string key =
            std::string(form) + "/" + type + "/" + std::to_string(columns) + "/";
        if (nanoseconds_.count(key + "engine") == 0) {
            return;
        }
        const double engine_ns = nanoseconds_[key + "engine"];
        const double loop_ns = nanoseconds_[key + "loop"];
        std::printf("%-21s %-9s %9s %10.0f %10.0f %10.0f %7.2f %9.0f %9.2f\n", form, type,
                    ("128x" + std::to_string(columns)).c_str(), engine_ns, loop_ns,
                    nanoseconds_[key + "packed"], loop_ns / engine_ns, engine_ns - loop_ns,
                    static_cast<double>(dve_num_channels * columns) / engine_ns);
    }
    std::map<std::string, double> nanoseconds_;
};

void register_benchmarks() {
    for (const char* form : forms) {
        const bool second = form == forms[1];
        for (const TypeRow& type : types) {
            for (const std::size_t columns : columns_list) {
                const std::string key =
                    std::string(form) + "/" + type.name + "/" + std::to_string(columns) + "/";
                const Record record = second ? scalar_tensor_tensor(type.dtype, columns)
                                             : tensor_scalar(type.dtype, columns);
                const std::size_t bytes = element_bytes(type.dtype);
                const auto add = [&](const char* side, auto... arguments) {
                    benchmark::RegisterBenchmark((key + side).c_str(), arguments...)
                        ->Repetitions(7)
                        ->MinTime(0.01);
                };
                add("engine", run_engine, record, columns);
                add("loop", run_loop, type.loop, second, columns, bytes, false);
                add("packed", run_loop, type.loop, second, columns, bytes, true);
            }
        }
    }
}

}  // namespace
}  // namespace dve::bench

int sc_main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    dve::bench::register_benchmarks();
    dve::bench::RatioReporter reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
    return 0;
}
