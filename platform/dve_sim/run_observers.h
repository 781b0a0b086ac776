// Who listens to a run: statistics, timelines, lane trace, progress line.
#pragma once

#include <chrono>
#include <memory>

#include "platform/dve_sim/run_options.h"
#include "traces/kanata.h"
#include "traces/lane_trace_writer.h"
#include "traces/retire_fan_out.h"
#include "traces/run_statistics.h"
#include "traces/timeline.h"

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

    RetireObserver& stream() { return stream_; }
    /// Null if no lane trace was asked for.
    LaneObserver* lanes() { return lane_trace_.get(); }
    const RunStatistics& statistics() const { return statistics_; }
    Progress& progress() { return progress_; }

    /// The first file that cannot be written.
    Status status() const;
    /// Completes the files.
    Status finish();

private:
    RunStatistics statistics_;
    Progress progress_;
    std::unique_ptr<Timeline> timeline_;
    std::unique_ptr<KanataLog> kanata_;
    std::unique_ptr<LaneTraceWriter> lane_trace_;
    RetireFanOut stream_;
};

}  // namespace dve::sim
