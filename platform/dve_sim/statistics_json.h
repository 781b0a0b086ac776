// The statistics file of a run.
#pragma once

#include <string>

#include "models/isa/text_result.h"
#include "platform/configuration.h"
#include "traces/run_statistics.h"

namespace dve::sim {

/// What a statistics file says besides the retire stream.
struct RunSummary {
    std::uint64_t total_cycles = 0;
    double simulated_ns = 0;
    std::uint64_t semaphore_errors = 0;
    std::uint8_t fp_status = 0;
    std::string fault;  ///< empty if none
};

/// Writes the whole file or nothing; `-` is standard output.
Status write_statistics(const std::string& path, const Configuration& configuration,
                        const RunStatistics& statistics, const RunSummary& summary);

}  // namespace dve::sim
