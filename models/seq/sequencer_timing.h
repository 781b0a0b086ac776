// Cycles the sequencer takes for a record; parameters of the timing, none published.
#pragma once

#include <cstdint>

namespace dve {

struct SequencerTiming {
    std::uint32_t fetch = 1;
    std::uint32_t decode = 1;
    std::uint32_t dispatch = 1;
    std::uint32_t control = 1;            ///< one control instruction
    std::uint32_t queue_depth = 16;       ///< records fetched ahead
    std::uint32_t instruction_limit = 0;  ///< a run that executes more is a fault; 0: no limit
};

}  // namespace dve
