// Entries of the notification ring.
#include "models/seq/notification_ring.h"

#include <algorithm>

namespace dve {
namespace {

struct EntryField {
    unsigned first_bit;
    unsigned bits;
};

namespace field {
#define DVE_ENTRY(name, first_bit, bits, what) constexpr EntryField name{first_bit, bits};
#include "models/seq/notification.def"
#undef DVE_ENTRY
}  // namespace field

void put(NotificationRing::Entry& entry, EntryField to, std::uint64_t value) {
    for (unsigned bit = 0; bit < to.bits; ++bit) {
        const unsigned at = to.first_bit + bit;
        entry.bytes[at / 8] |= static_cast<std::uint8_t>((value >> bit & 1U) << at % 8);
    }
}

}  // namespace

bool NotificationRing::resize(std::uint32_t entries) {
    if (entries == 1 || entries > max_entries) {
        return false;
    }
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

NotificationRing::Entry NotificationRing::entry(const Notification& notification) const {
    Entry entry{base_ + std::uint64_t{tail_} * notification_bytes, {}};
    put(entry, field::ID, notification.id);
    put(entry, field::METADATA_LOW, notification.metadata_low);
    put(entry, field::TYPE, static_cast<std::uint8_t>(notification.type));
    put(entry, field::SOFTWARE_OVERFLOW, full_ring_ ? 1 : 0);
    put(entry, field::HARDWARE_OVERFLOW, memory_refused_ ? 1 : 0);
    put(entry, field::PHASE, phase_ ? 1 : 0);
    put(entry, field::METADATA_HIGH, notification.metadata_high);
    put(entry, field::TIME_STAMP, notification.time_stamp);
    return entry;
}

bool NotificationRing::written(const Entry& entry) {
    if (!is_on() || entry.address != base_ + std::uint64_t{tail_} * notification_bytes) {
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

void NotificationRing::lost_by_memory() {
    ++lost_;
    memory_refused_ = true;
}

}  // namespace dve
