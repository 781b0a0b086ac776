// One record a retired instruction: the stream that log, statistics and timelines are made from.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "models/isa/record.h"

namespace dve {

/// Why an instruction starts later than it could have (timing, "What must hold" 3).
enum class StallCause : std::uint8_t { PORT, BANK, HAZARD, SEMAPHORE, FETCH };
inline constexpr std::size_t stall_cause_count = 5;
using StallCycles = std::array<std::uint64_t, stall_cause_count>;

inline void add_stalls(StallCycles& to, const StallCycles& more) {
    for (std::size_t cause = 0; cause < stall_cause_count; ++cause) {
        to[cause] += more[cause];
    }
}

inline const char* stall_cause_name(std::size_t cause) {
    static constexpr const char* names[stall_cause_count] = {"port", "bank", "hazard", "semaphore",
                                                             "fetch"};
    return names[cause];
}

/// All cycles count from the start of the run. A control instruction has start = issue.
struct RetireRecord {
    std::uint64_t index = 0;         ///< number of the instruction in the order of execution
    std::uint64_t record_index = 0;  ///< number of the record in the stream
    const Record* record = nullptr;
    const OpcodeRow* opcode = nullptr;
    std::uint32_t worker_address = 0;  ///< 0 for control instructions
    std::uint64_t fetch_cycle = 0;
    std::uint64_t decoded_cycle = 0;    ///< first cycle in WAIT or DISPATCH
    std::uint64_t issue_cycle = 0;      ///< DISPATCH
    std::uint64_t start_cycle = 0;      ///< first READ request
    std::uint64_t read_done_cycle = 0;  ///< one past the last READ request
    std::uint64_t end_cycle = 0;        ///< one past the cycle in which the last write is visible
    unsigned channels = 0;              ///< 0 for control instructions
    std::uint64_t elements = 0;         ///< per partition
    StallCycles stalls{};
};

class RetireObserver {
public:
    virtual ~RetireObserver() = default;
    virtual void retired(const RetireRecord& record) = 0;
};

}  // namespace dve
