// Accumulation of retire records.
#include "traces/run_statistics.h"

namespace dve {

void RunStatistics::retired(const RetireRecord& record) {
    ++counters_.instructions;
    ++(record.opcode->is_control() ? counters_.control_instructions
                                   : counters_.datapath_instructions);
    counters_.elements += record.channels * record.elements;
    for (std::size_t cause = 0; cause < stall_cause_count; ++cause) {
        counters_.stalls[cause] += record.stalls[cause];
    }
    if (keep_instructions_) {
        instructions_.push_back(record);
        instructions_.back().record = nullptr;
    }
}

}  // namespace dve
