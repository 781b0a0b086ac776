// What the engine counts from the start of a run on, in 64 bits.
#pragma once

#include <algorithm>
#include <cstdint>

#include "tlm/retire_record.h"

namespace dve {

/// Of retired instructions, but for `fetched` and `notifications`.
struct PerformanceCounters {
    std::uint64_t instructions = 0;
    std::uint64_t busy = 0;           ///< cycles in which the datapath has an instruction
    std::uint64_t elements = 0;       ///< elements per partition times channels
    std::uint64_t fetched = 0;        ///< records that came to DECODE
    std::uint64_t notifications = 0;  ///< written
    StallCycles stalls{};

    void count(const RetireRecord& retire) {
        ++instructions;
        elements += std::uint64_t{retire.channels} * retire.elements;
        add_stalls(stalls, retire.stalls);
        if (retire.channels != 0) {
            // Instructions start in program order: the union of their intervals, one by one.
            const std::uint64_t from = std::max(retire.start_cycle, busy_until_);
            busy += retire.end_cycle > from ? retire.end_cycle - from : 0;
            busy_until_ = std::max(busy_until_, retire.end_cycle);
        }
    }

private:
    std::uint64_t busy_until_ = 0;
};

}  // namespace dve
