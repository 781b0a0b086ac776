// Head, tail and doorbells of the instruction ring.
#include "models/seq/instruction_ring.h"

#include <algorithm>
#include <iterator>

#include "models/isa/record.h"

namespace dve {

bool InstructionRing::resize(std::uint32_t bytes) {
    if (bytes % record_bytes != 0 || bytes == record_bytes) {
        return false;
    }
    *this = InstructionRing();
    bytes_ = bytes;
    return true;
}

bool InstructionRing::hand_over(std::uint32_t tail, std::uint64_t now, std::uint64_t cycle) {
    if (tail >= bytes_ || tail % record_bytes != 0) {
        return false;
    }
    const std::uint64_t more = (std::uint64_t{tail} + bytes_ - this->tail()) % bytes_;
    if (produced_ + more - issued_until(now) >= bytes_) {
        return false;
    }
    if (more != 0) {
        produced_ += more;
        doorbells_.push_back({produced_, cycle});
    }
    return true;
}

std::uint64_t InstructionRing::arrival_cycle(std::uint64_t position) const {
    const auto doorbell = std::upper_bound(
        doorbells_.begin(), doorbells_.end(), position,
        [](std::uint64_t wanted, const Doorbell& candidate) { return wanted < candidate.end; });
    return doorbell == doorbells_.end() ? 0 : doorbell->cycle;
}

std::uint64_t InstructionRing::issued_until(std::uint64_t cycle) const {
    const auto later = std::upper_bound(
        issues_.begin(), issues_.end(), cycle,
        [](std::uint64_t wanted, const Issue& candidate) { return wanted < candidate.cycle; });
    return later == issues_.begin() ? known_ : std::prev(later)->position;
}

void InstructionRing::consume(std::uint64_t position, std::uint64_t cycle, std::uint64_t now) {
    consumed_ = position;
    issues_.push_back({position, cycle});
    while (!issues_.empty() && issues_.front().cycle <= now) {
        known_ = issues_.front().position;
        issues_.pop_front();
    }
    while (!doorbells_.empty() && doorbells_.front().end <= consumed_) {
        doorbells_.pop_front();
    }
}

}  // namespace dve
