// Who uses a memory's ports and banks besides the lanes: what the cycle pipeline waits for.
#pragma once

#include <cstdint>
#include <vector>

namespace dve {

/// Use of one memory: a direction, a range of partitions, a range of banks.
struct PortUse {
    bool write = false;
    unsigned first_partition = 0;
    unsigned last_partition = 0;
    unsigned first_bank = 0;
    unsigned last_bank = 0;
};

enum class PortConflict : std::uint8_t { NONE, PORT, BANK };

/// How two users of one memory meet (timing, "What must hold" 3).
enum class PortRule : std::uint8_t {
    SHARED_PORT,     ///< SBUF: one port a direction and partition
    BANKS,           ///< PSUM from CAYMAN on: users of different banks do not meet
    BANKS_AND_PORT,  ///< PSUM of SUNDA: users of different banks meet at the port
};

/// The holds on one memory. Times are SystemC time in units of its resolution.
class PortHolds {
public:
    explicit PortHolds(PortRule rule) : rule_(rule) {}

    /// Holds for `duration` from `time` on, or from when the holds it meets end. Returns the start.
    std::uint64_t acquire(const PortUse& use, std::uint64_t time, std::uint64_t duration,
                          std::uint64_t now);
    /// What keeps a user away at `time`.
    PortConflict conflict(const PortUse& use, std::uint64_t time) const;

    bool empty() const { return holds_.empty(); }
    /// Forgets the holds that end at `now` or before.
    void expire(std::uint64_t now);
    void clear() { holds_.clear(); }

private:
    struct Hold {
        PortUse use;
        std::uint64_t from;
        std::uint64_t until;
    };
    PortConflict meets(const PortUse& one, const PortUse& other) const;

    PortRule rule_;
    std::vector<Hold> holds_;
};

}  // namespace dve
