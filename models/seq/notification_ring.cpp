// Entries of the notification ring.
#include "models/seq/notification_ring.h"

#include <algorithm>

namespace dve {

void Notification::set(EntryField field, std::uint64_t value) {
    for (unsigned bit = 0; bit < field.bits; ++bit) {
        const unsigned at = field.first_bit + bit;
        bytes[at / 8] |= static_cast<std::uint8_t>((value >> bit & 1U) << at % 8);
    }
}

bool NotificationRing::resize(std::uint32_t entries) {
    const std::uint64_t room = ~std::uint64_t{0} - base_;
    if (entries == 1 || entries > max_entries ||
        std::uint64_t{entries} * notification_bytes > room) {
        return false;
    }
    ++ring_;
    entries_ = entries;
    head_ = tail_ = 0;
    phase_ = true;
    full_ring_ = memory_refused_ = false;
    return true;
}

bool NotificationRing::set_head(std::uint32_t head) {
    if (head >= entries_ || (head + entries_ - head_) % entries_ > unread()) {
        return false;
    }
    head_ = head;
    return true;
}

bool NotificationRing::reached_threshold() const {
    return is_on() && unread() >= std::max(threshold_, 1U);
}

NotificationRing::Entry NotificationRing::next_entry(const Notification& notification) const {
    Entry next{base_ + std::uint64_t{tail_} * notification_bytes, notification, ring_};
    next.notification.set(entry::SOFTWARE_OVERFLOW, full_ring_ ? 1 : 0);
    next.notification.set(entry::HARDWARE_OVERFLOW, memory_refused_ ? 1 : 0);
    next.notification.set(entry::PHASE, phase_ ? 1 : 0);
    return next;
}

bool NotificationRing::written(const Entry& entry) {
    if (entry.ring != ring_) {
        return false;
    }
    full_ring_ = memory_refused_ = false;
    if (++tail_ == entries_) {
        tail_ = 0;
        phase_ = !phase_;
    }
    return true;
}

void NotificationRing::lost_by_full_ring() {
    ++lost_;
    full_ring_ = true;
}

void NotificationRing::lost_by_memory(const Entry& entry) {
    ++lost_;
    memory_refused_ = memory_refused_ || entry.ring == ring_;
}

}  // namespace dve
