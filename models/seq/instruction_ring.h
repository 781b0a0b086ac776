// The instruction ring in system memory: what the host has handed over, what was taken. No SystemC.
#pragma once

#include <cstdint>
#include <deque>

namespace dve {

/// Positions count bytes without wrapping: position p lies at byte p % bytes() of the ring. Empty
/// is head == tail, so one record's place always stays free.
class InstructionRing {
public:
    /// An empty ring with head and tail at 0. False, and nothing changes, unless it is a multiple
    /// of the record size with room for two records; 0: no ring.
    bool resize(std::uint32_t bytes);
    std::uint32_t bytes() const { return bytes_; }

    // Bytes from the start of the ring.
    /// What the host may know of the head in a cycle of the run, if the engine is ahead.
    std::uint32_t head(std::uint64_t cycle) const { return offset(issued_until(cycle)); }
    std::uint32_t tail() const { return offset(produced_); }
    std::uint32_t offset(std::uint64_t position) const {
        return bytes_ == 0 ? 0 : static_cast<std::uint32_t>(position % bytes_);
    }

    std::uint64_t consumed() const { return consumed_; }
    std::uint64_t produced() const { return produced_; }

    /// A run begins: what is there was there from cycle 0 on.
    void begin_run() {
        doorbells_.assign(1, {produced_, 0});
        issues_.clear();
        known_ = consumed_;
    }
    /// The doorbell: the host has written records up to `tail`; `now`: the cycle of the run;
    /// `cycle`: from which on they can be fetched. False, and nothing changes, if the tail is no
    /// place of a record or passes the head that the host knows.
    bool hand_over(std::uint32_t tail, std::uint64_t now, std::uint64_t cycle);
    /// First cycle in which the record at a position could be fetched.
    std::uint64_t arrival_cycle(std::uint64_t position) const;
    /// Records before the position are issued from `cycle` on, and their places the host's then.
    /// `now`: the cycle that it is; the engine may be ahead of it.
    void consume(std::uint64_t position, std::uint64_t cycle, std::uint64_t now);

private:
    struct Issue {
        std::uint64_t position;
        std::uint64_t cycle;
    };
    std::uint64_t issued_until(std::uint64_t cycle) const;

    struct Doorbell {
        std::uint64_t end;  ///< position behind its last record
        std::uint64_t cycle;
    };

    std::uint32_t bytes_ = 0;
    std::uint64_t consumed_ = 0;
    std::uint64_t produced_ = 0;
    std::uint64_t known_ = 0;         ///< position that the host knows to be issued
    std::deque<Issue> issues_;        ///< that it does not know of yet
    std::deque<Doorbell> doorbells_;  ///< of this run, with records not consumed
};

}  // namespace dve
