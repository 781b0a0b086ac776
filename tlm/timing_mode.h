// The three timing views of one engine, chosen at run time.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

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

inline std::optional<TimingMode> timing_mode_from_name(std::string_view name) {
    for (const TimingMode mode : {TimingMode::LOOSE, TimingMode::APPROX, TimingMode::CYCLE}) {
        if (name == timing_mode_name(mode)) {
            return mode;
        }
    }
    return std::nullopt;
}

}  // namespace dve
