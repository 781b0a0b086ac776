// Semaphores and events of the core, and the wait and update modes that use them. No SystemC.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>

#include "models/isa/enums.h"

namespace dve {

/// 256 counters of 32 bits and 256 one-bit events (isa_wire_format 1.3). Compares are unsigned
/// (D-02); a counter that wraps reports it (D-03).
class Synchronisation {
public:
    static constexpr unsigned count = 256;

    std::uint32_t semaphore(unsigned index) const { return semaphores_[index]; }
    void set_semaphore(unsigned index, std::uint32_t value) { semaphores_[index] = value; }
    /// All of them, for waveforms.
    const std::array<std::uint32_t, count>& semaphores() const { return semaphores_; }
    bool event(unsigned index) const { return events_[index]; }
    void set_event(unsigned index, bool value) { events_[index] = value; }

    /// Adds (or subtracts) with wrap-around; true if the counter wrapped.
    bool add(unsigned index, std::uint32_t value);
    bool subtract(unsigned index, std::uint32_t value);

    /// Whether an instruction with this wait may start. `value` is the threshold, already read
    /// from its register for the register modes.
    bool satisfied(WaitMode mode, unsigned index, std::uint32_t value) const;
    /// The side effect of a satisfied wait: EVT_SET_THEN_CLEAR and EVT_CLEAR_THEN_SET.
    void consume(WaitMode mode, unsigned index);
    /// Undoes consume, for an instruction that is rejected after its wait.
    void restore(WaitMode mode, unsigned index);

    /// True if a counter wrapped. `value` as above.
    bool update(UpdateMode mode, unsigned index, std::uint32_t value);

    void reset() { *this = Synchronisation(); }

private:
    std::array<std::uint32_t, count> semaphores_{};
    std::bitset<count> events_;
};

/// The operand is named by a register (bit 7 of the mode, isa_wire_format 1.3).
constexpr bool takes_register(WaitMode mode) {
    return mode >= WaitMode::SEM_EQ_REG && mode <= WaitMode::SEM_GE_REG;
}
constexpr bool takes_register(UpdateMode mode) {
    return (static_cast<std::uint8_t>(mode) & 0x80U) != 0;
}
/// The update takes effect when all writes are done, not when all reads are.
constexpr bool at_completion(UpdateMode mode) {
    return (static_cast<std::uint8_t>(mode) & 0x10U) != 0;
}

}  // namespace dve
