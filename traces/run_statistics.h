// Counters and, on request, one entry an instruction, from the retire stream.
#pragma once

#include <cstdint>
#include <vector>

#include "tlm/retire_record.h"

namespace dve {

/// Totals over a run.
struct RunCounters {
    std::uint64_t instructions = 0;
    std::uint64_t datapath_instructions = 0;
    std::uint64_t control_instructions = 0;
    std::uint64_t elements = 0;  ///< elements per partition times channels, over all instructions
    StallCycles stalls{};
};

class RunStatistics final : public RetireObserver {
public:
    /// keep_instructions: remember every retired instruction, a RetireRecord each.
    explicit RunStatistics(bool keep_instructions) : keep_instructions_(keep_instructions) {}

    void retired(const RetireRecord& record) override;

    const RunCounters& counters() const { return counters_; }
    /// `record` pointers in here are null: the record itself is not kept.
    const std::vector<RetireRecord>& instructions() const { return instructions_; }

private:
    bool keep_instructions_;
    RunCounters counters_;
    std::vector<RetireRecord> instructions_;
};

}  // namespace dve
