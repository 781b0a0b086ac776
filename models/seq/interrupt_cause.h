// What the sequencer tells a host by interrupt: the bits of the register INTERRUPT.
#pragma once

#include <cstdint>

namespace dve {

enum class InterruptCause : std::uint32_t {
    RUN_ENDED = 1U << 0,
    FAULT = 1U << 1,
    RING_EMPTY = 1U << 2,
    NOTIFICATION = 1U << 3,
    NOTIFICATION_LOST = 1U << 4,
};

}  // namespace dve
