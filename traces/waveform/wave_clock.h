// The clock of a waveform: made from the period, because the model has no clock signal.
#pragma once

#include <cstdint>

namespace dve {

/// Rises at origin + n x period, falls half a period later. Times in picoseconds.
class WaveClock {
public:
    explicit WaveClock(std::uint64_t period) : period_(period) {}

    /// Sets level and next edge as they are at `time`, an edge at `time` included.
    void start(std::uint64_t origin, std::uint64_t time) {
        const std::uint64_t phase = (time % period_ + period_ - origin % period_) % period_;
        level_ = phase < high();
        next_edge_ = time - phase + (level_ ? high() : period_);
    }
    bool level() const { return level_; }
    std::uint64_t next_edge() const { return next_edge_; }
    void step() {
        level_ = !level_;
        next_edge_ += level_ ? high() : period_ - high();
    }

private:
    std::uint64_t high() const { return period_ / 2; }

    std::uint64_t period_;
    std::uint64_t next_edge_ = 0;
    bool level_ = false;
};

}  // namespace dve
