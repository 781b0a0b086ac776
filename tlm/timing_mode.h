// The three timing views of one engine, chosen at run time.
#pragma once

#include <cstdint>

namespace dve {

enum class TimingMode : std::uint8_t {
    LOOSE,   ///< whole instructions at once, delays in closed form, DMI, temporal decoupling
    APPROX,  ///< four-phase transactions at the engine's borders, closed-form service times
    CYCLE,   ///< every stage of every beat
};

inline const char* timing_mode_name(TimingMode mode) {
    static constexpr const char* names[] = {"loose", "approx", "cycle"};
    return names[static_cast<unsigned>(mode)];
}

}  // namespace dve
