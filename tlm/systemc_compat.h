// The one place that knows differences between SystemC 2.3.x and 3.0, and small helpers of time.
#pragma once

#include <cstdint>
#include <systemc>

// 2.3.x needs the declaration wherever a module has processes; 3.0 deprecates it.
#if defined(IEEE_1666_SYSTEMC) && IEEE_1666_SYSTEMC >= 202301L
#define DVE_HAS_PROCESS(module) static_assert(true, "")
#else
#define DVE_HAS_PROCESS(module) SC_HAS_PROCESS(module)
#endif

namespace dve {

/// A time in whole picoseconds.
inline std::uint64_t picoseconds(const sc_core::sc_time& time) {
    return static_cast<std::uint64_t>(time / sc_core::sc_time(1, sc_core::SC_PS) + 0.5);
}

}  // namespace dve
