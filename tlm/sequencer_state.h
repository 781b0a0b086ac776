// What the sequencer does in a cycle, and the names of these states.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace dve {

enum class SequencerState : std::uint8_t {
    IDLE,
    FETCH,
    DECODE,
    WAIT,
    DISPATCH,
    CONTROL,  ///< executes a control instruction itself
    DRAIN,    ///< waits until the datapath has retired everything
    HALTED,
    FAULTED,
};
inline constexpr std::size_t sequencer_state_count = 9;

/// The names by value.
inline const std::array<const char*, sequencer_state_count>& sequencer_state_names() {
    static constexpr std::array<const char*, sequencer_state_count> names = {
        "IDLE", "FETCH", "DECODE", "WAIT", "DISPATCH", "CONTROL", "DRAIN", "HALTED", "FAULTED"};
    return names;
}

}  // namespace dve
