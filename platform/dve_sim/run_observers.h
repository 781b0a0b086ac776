// Who listens to a run: statistics, timelines, traces, progress line, signals.
#pragma once

#include <chrono>
#include <memory>

#include "platform/dve_engine.h"
#include "platform/dve_sim/interrupt.h"
#include "platform/dve_sim/run_options.h"
#include "traces/kanata.h"
#include "traces/lane_trace_writer.h"
#include "traces/retire_fan_out.h"
#include "traces/run_statistics.h"
#include "traces/timeline.h"
#include "traces/waveform/waveform_file.h"

namespace dve::sim {

/// Shows a line on a terminal once a run takes long.
class Progress final : public RetireObserver {
public:
    Progress();
    void retired(const RetireRecord& record) override;
    /// Takes the line away.
    void end();

private:
    bool terminal_;
    bool shown_ = false;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

class RunObservers {
public:
    /// Opens the files; see status().
    RunObservers(const Configuration& configuration, const RunOptions& options);

    /// Connects everybody. After elaboration of the engine, before the start.
    /// A waveform without a signal is an error.
    Status listen_to(DveEngine& engine);
    const RunStatistics& statistics() const { return statistics_; }
    Progress& progress() { return progress_; }

    /// The first file that cannot be written.
    Status status() const;
    /// Completes the files.
    Status finish();

private:
    /// One cycle after the other to several observers.
    class CycleFanOut final : public CycleObserver {
    public:
        void add(CycleObserver& observer) { observers_.push_back(&observer); }
        void cycle_done(std::uint64_t cycle, std::uint64_t picoseconds) override {
            for (CycleObserver* observer : observers_) {
                observer->cycle_done(cycle, picoseconds);
            }
        }

    private:
        std::vector<CycleObserver*> observers_;
    };
    void open_waveform(const Configuration& configuration, const TraceOptions& options,
                       const std::string& path, WaveFormat format);

    RunStatistics statistics_;
    Progress progress_;
    std::unique_ptr<Timeline> timeline_;
    std::unique_ptr<KanataLog> kanata_;
    std::unique_ptr<LaneTraceWriter> lane_trace_;
    std::vector<std::unique_ptr<WaveformFile>> waveforms_;
    Interrupt interrupt_;
    RetireFanOut stream_;
    CycleFanOut cycles_;
};

}  // namespace dve::sim
