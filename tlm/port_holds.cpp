// Holds on the ports and banks of one memory.
#include "tlm/port_holds.h"

#include <algorithm>

namespace dve {

PortConflict PortHolds::meets(const PortUse& one, const PortUse& other) const {
    const auto overlap = [](unsigned first, unsigned last, unsigned other_first,
                            unsigned other_last) {
        return first <= other_last && other_first <= last;
    };
    if (!overlap(one.first_partition, one.last_partition, other.first_partition,
                 other.last_partition)) {
        return PortConflict::NONE;
    }
    if (rule_ == PortRule::SHARED_PORT) {
        return one.write == other.write ? PortConflict::PORT : PortConflict::NONE;
    }
    if (overlap(one.first_bank, one.last_bank, other.first_bank, other.last_bank)) {
        return PortConflict::BANK;
    }
    return rule_ == PortRule::BANKS ? PortConflict::NONE : PortConflict::PORT;
}

std::uint64_t PortHolds::acquire(const PortUse& use, std::uint64_t time, std::uint64_t duration,
                                 std::uint64_t now) {
    expire(now);
    for (bool moved = true; moved;) {
        moved = false;
        for (const Hold& hold : holds_) {
            if (time < hold.until && hold.from < time + duration &&
                meets(use, hold.use) != PortConflict::NONE) {
                time = hold.until;
                moved = true;
            }
        }
    }
    holds_.push_back({use, time, time + duration});
    return time;
}

PortConflict PortHolds::conflict(const PortUse& use, std::uint64_t time) const {
    for (const Hold& hold : holds_) {
        if (hold.from <= time && time < hold.until) {
            const PortConflict found = meets(use, hold.use);
            if (found != PortConflict::NONE) {
                return found;
            }
        }
    }
    return PortConflict::NONE;
}

void PortHolds::expire(std::uint64_t now) {
    holds_.erase(std::remove_if(holds_.begin(), holds_.end(),
                                [now](const Hold& hold) { return hold.until <= now; }),
                 holds_.end());
}

}  // namespace dve
