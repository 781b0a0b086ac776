// Modules with signals for the waveform tests: a core with lanes inside a top module.
#pragma once

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <string>
#include <systemc>

#include "tests/traces/waveform_vcd.h"
#include "tlm/systemc_compat.h"
#include "tlm/traceable.h"
#include "traces/waveform/waveform_file.h"

namespace dve::test {

constexpr unsigned core_lanes = 128;
constexpr std::uint64_t period = 1000;  ///< picoseconds

struct Core : sc_core::sc_module, Traceable {
    explicit Core(const sc_core::sc_module_name& name) : sc_module(name) {}

    void visit_signals(SignalVisitor& visitor) const override {
        visitor.number("busy", busy, 1);
        visitor.number("opcode", opcode, 8, SignalKind::OPCODE);
        visitor.number("half", half, 12);
        visitor.number("count", count);
        visitor.number("address", address, 40);
        visitor.number("alu0.op", op, 8, SignalKind::ALU_OP);
        visitor.text("mnemonic", mnemonic.data(), mnemonic.size());
        visitor.lanes("alu0", alu0.data(), core_lanes, SignalKind::FLOAT);
        visitor.lanes("alu1", alu1.data(), core_lanes, SignalKind::NUMBER);
    }
    void watch_lanes(const bool (&lanes)[128]) override {
        std::copy(std::begin(lanes), std::end(lanes), watched.begin());
        ++watch_calls;
    }

    void set_text(const std::string& text) {
        mnemonic = {};
        text.copy(mnemonic.data(), mnemonic.size());
    }

    bool busy = false;
    std::uint8_t opcode = 0;
    std::uint16_t half = 0;
    std::uint32_t count = 0;
    std::uint64_t address = 0;
    std::uint8_t op = 0;
    std::array<char, 6> mnemonic{};
    std::array<std::uint32_t, core_lanes> alu0{};
    std::array<std::uint32_t, core_lanes> alu1{};
    std::array<bool, 128> watched{};
    unsigned watch_calls = 0;
};

/// Between its own time steps, so that the kernel's time runs.
struct Top : sc_core::sc_module {
    DVE_HAS_PROCESS(Top);
    explicit Top(const sc_core::sc_module_name& name) : sc_module(name) { SC_METHOD(wake); }
    void wake() { next_trigger(period, sc_core::SC_PS); }

    Core core{"core"};
    sc_core::sc_signal<bool> irq{"irq"};
};

inline void run_cycles(unsigned cycles) {
    sc_core::sc_start(static_cast<double>(period * cycles), sc_core::SC_PS);
}

/// Makes files of this process end at `bytes` as on a full disk, while it lives.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes) {
        std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() { setrlimit(RLIMIT_FSIZE, &before_); }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

private:
    rlimit before_{};
};

/// The options of most tests: a clock period, no clock.
inline WaveformOptions vcd_options(const std::string& path) {
    WaveformOptions options;
    options.path = path;
    options.clock_period = period;
    return options;
}

/// The values of a variable by time.
using Changes = std::map<std::uint64_t, std::string>;

}  // namespace dve::test
