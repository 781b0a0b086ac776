// What the sequencer shows to a waveform.
#pragma once

#include <cstdint>

#include "tlm/sequencer_state.h"

namespace dve {

struct SequencerSignals {
    static constexpr unsigned mnemonic_length = 40;

    SequencerState state = SequencerState::IDLE;
    std::uint8_t stall = 0;             ///< StallCause + 1: FETCH or SEMAPHORE; 0: none
    std::uint64_t program_counter = 0;  ///< address of the record in DECODE, WAIT or DISPATCH
    std::uint8_t opcode = 0;
    char mnemonic[mnemonic_length] = {};
    std::uint64_t fetch_address = 0;  ///< of the last FETCH
    std::uint32_t queue_records = 0;  ///< from FETCH to DISPATCH
    // The kernel_info look-up of a DISPATCH.
    std::uint8_t lookup = 0;
    std::uint32_t lookup_address = 0;
    std::uint32_t worker_address = 0;
};

}  // namespace dve
