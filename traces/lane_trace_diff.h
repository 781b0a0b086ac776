// Comparison of two lane traces, and a text view of one.
#pragma once

#include <bitset>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "traces/lane_trace_reader.h"

namespace dve {

/// What is compared or shown.
struct LaneTraceChoice {
    std::bitset<dve_num_channels> lanes = std::bitset<dve_num_channels>().set();
    std::bitset<lane_stage_count> stages = std::bitset<lane_stage_count>().set();
    bool cycles = false;
};

/// A trace and the name it has in messages.
struct NamedLaneTrace {
    const LaneTrace& trace;
    std::string name;
};

struct LaneTraceComparison {
    std::vector<std::string> differences;  ///< a line each, those of the headers first
    std::size_t header_differences = 0;    ///< of them
    std::uint64_t instructions = 0;        ///< found in both
    std::uint64_t values = 0;              ///< lane words compared, until the list was full
};

/// Differences in execution order: instruction, element, stage, lane; at most `maximum`, besides
/// those of the headers. Header entries that only one trace has are no difference.
LaneTraceComparison compare_lane_traces(const NamedLaneTrace& a, const NamedLaneTrace& b,
                                        const LaneTraceChoice& choice, std::size_t maximum);

/// Header, instructions and chosen values as text.
void print_lane_trace(const LaneTrace& trace, const LaneTraceChoice& choice, std::ostream& out);

}  // namespace dve
