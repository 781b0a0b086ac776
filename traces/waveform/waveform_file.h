// Waveform file: a SystemC trace file that also shows the plain state of modules.
#pragma once

#include <bitset>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "tlm/traceable.h"
#include "traces/waveform/kernel_trace_file.h"
#include "traces/waveform/sampled_values.h"
#include "traces/waveform/wave_clock.h"
#include "traces/waveform/wave_variable.h"
#include "traces/waveform/wave_writer.h"

namespace dve {

enum class WaveFormat : std::uint8_t { VCD, FST };

struct WaveformOptions {
    std::string path;  ///< `-`: standard output, VCD only
    WaveFormat format = WaveFormat::VCD;
    std::uint64_t clock_period = 0;  ///< picoseconds; windows and the clock signal need it
    std::string clock_name;          ///< hierarchical name of a generated clock; empty: none
    /// Cycles from the origin, [first_cycle, end_cycle). With any but the default window nothing
    /// is recorded before set_origin().
    std::uint64_t first_cycle = 0;
    std::uint64_t end_cycle = ~std::uint64_t{0};
    /// Pattern with * ? [] for the hierarchical name of a signal or of a scope around it, clock
    /// excepted; * also stands for dots. Empty: everything.
    std::string scope;
    std::bitset<128> lanes = std::bitset<128>().set();
};

/// Takes `sc_trace(&file, object, name)` like the files of SystemC, and whole module hierarchies.
/// Signals are added before the first sample. Only picoseconds: set_time_unit() does nothing.
class WaveformFile : public KernelTraceFile, public CycleObserver {
public:
    explicit WaveformFile(const WaveformOptions& options);
    ~WaveformFile() override;
    WaveformFile(const WaveformFile&) = delete;
    WaveformFile& operator=(const WaveformFile&) = delete;

    /// The first thing that went wrong, one line; empty: nothing. A signal that was added too late
    /// is left out; anything else ends the file.
    const std::string& error() const;

    /// Adds the signals of every Traceable in the module hierarchy, once.
    void add_hierarchy();
    /// SystemC time of cycle 0.
    void set_origin(std::uint64_t picoseconds);
    /// What the last time step of the kernel left: SystemC tells a trace file only when time moves
    /// on. Between sc_start and close, while the modules live.
    void sample_now() { cycle(false); }
    /// Leaves a valid file; samples later on are ignored. May be called at any time, also again.
    void close();

    /// All signals; complete once the file has been added to.
    const std::vector<WaveVariable>& variables() const { return variables_; }
    const WaveformOptions& options() const { return options_; }

    void cycle_done(std::uint64_t cycle, std::uint64_t picoseconds) override;

#define DVE_TRACE(type) void trace(const type& object, const std::string& name) override;
#define DVE_TRACE_WIDTH(type) \
    void trace(const type& object, const std::string& name, int width) override;
#include "traces/waveform/traced_types.def"
#undef DVE_TRACE
#undef DVE_TRACE_WIDTH
    void trace(const unsigned int& object, const std::string& name,
               const char** enum_literals) override;
    void write_comment(const std::string& comment) override;
    void set_time_unit(double, sc_core::sc_time_unit) override {}

protected:
    void cycle(bool delta_cycle) override;

private:
    class HierarchyVisitor;

    std::uint64_t kernel_picoseconds();
    void sample(std::uint64_t picoseconds, bool modules);
    void start(std::uint64_t picoseconds);
    void update_window();
    bool is_in_scope(const std::string& full_name) const;
    /// Adds a variable; false if it has no bits, the scope filter leaves it out or it comes too
    /// late.
    bool declare(const std::string& full_name, WaveType type, unsigned bits, SignalKind kind,
                 int lane = -1);
    void add_variable(std::string name, WaveType type, unsigned bits, SignalKind kind, int lane);
    void trace_number(const void* object, const std::string& name, unsigned bytes, int width);
    void trace_vector(const void* object, const std::string& name, int bits, ReadVector read);
    void trace_real(const void* object, const std::string& name, ReadReal read);

    WaveformOptions options_;
    std::unique_ptr<WaveWriter> writer_;
    std::string error_;  ///< of this class; the writer has its own
    std::vector<WaveVariable> variables_;
    std::unordered_set<std::string> names_;
    SampledValues modules_;
    SampledValues objects_;
    std::optional<WaveClock> clock_;
    bool has_hierarchy_ = false;
    bool has_origin_ = false;
    bool is_started_ = false;
    bool is_closed_ = false;
    std::uint64_t origin_ = 0;
    /// Samples are taken in [begin_, end_), picoseconds.
    std::uint64_t begin_ = 0;
    std::uint64_t end_ = ~std::uint64_t{0};
    std::uint64_t last_ = 0;                  ///< time of the last sample
    bool last_is_of_module_ = false;          ///< the last sample came from cycle_done()
    std::uint64_t picoseconds_per_tick_ = 0;  ///< of the kernel's time resolution; 0: not asked yet
    std::uint64_t ticks_per_picosecond_ = 1;
};

}  // namespace dve
