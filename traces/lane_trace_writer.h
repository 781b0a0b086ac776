// Writes a lane trace while the pipeline runs.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "traces/lane_trace_format.h"
#include "traces/output_file.h"

namespace dve {

/// Allocates nothing once constructed. Every prefix of the file that ends with a record is a valid
/// trace, so a run that stops on a fault leaves one.
class LaneTraceWriter final : public LaneObserver {
public:
    /// `path`: `-` is standard output.
    LaneTraceWriter(const std::string& path, const LaneTraceHeader& header);

    void begins(const RetireRecord& instruction) override;
    void values(const LaneValues& values) override;

    Status status() const { return file_.status(); }
    Status finish() { return file_.finish(); }

private:
    using Words = std::array<std::uint32_t, dve_num_channels>;
    /// What the stage wrote last.
    struct Last {
        std::uint64_t instruction = 0;
        unsigned lanes = 0;  ///< 0: nothing yet
        bool has_second = false;
        Words values;
        Words second;
    };

    lane_trace::Encoding encode(const std::uint32_t* words, unsigned lanes, bool comparable,
                                Words& last) const;
    void write_words(lane_trace::Encoding encoding, const std::uint32_t* words, unsigned lanes);

    OutputFile file_;
    std::array<Last, lane_stage_count> last_{};
};

}  // namespace dve
