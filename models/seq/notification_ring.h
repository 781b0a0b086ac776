// The notification ring in system memory: entries, indexes, losses. No SystemC.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace dve {

enum class NotificationType : std::uint8_t { NOTIFY = 1, TPB_ERROR = 0x1F };

inline constexpr std::uint32_t notification_bytes = 16;

/// A place in an entry.
struct EntryField {
    unsigned first_bit;
    unsigned bits;
};

/// FIELD, and TYPE_FIELD of what the metadata hold.
namespace entry {
#define DVE_ENTRY(name, first_bit, bits, what) inline constexpr EntryField name{first_bit, bits};
#define DVE_ENTRY_PART(type, name, first_bit, bits, what) \
    inline constexpr EntryField type##_##name{first_bit, bits};
#include "models/seq/notification.def"
}  // namespace entry

/// What an entry says, at its place; the ring adds overflow and phase.
struct Notification {
    explicit Notification(NotificationType type) {
        set(entry::TYPE, static_cast<std::uint8_t>(type));
    }
    /// The low bits of `value`; once a field.
    void set(EntryField field, std::uint64_t value);

    std::array<std::uint8_t, notification_bytes> bytes{};
};

/// Indexes count entries in 0..entries()-1. The engine writes at tail, the host reads at head; head
/// == tail is empty, so one entry always stays free. What finds no room is dropped, never an entry
/// that the host has not read; the next entry that is written says so.
class NotificationRing {
public:
    struct Entry {
        std::uint64_t address;
        Notification notification;
        std::uint32_t ring;  ///< counts the sizes that were set
    };

    void set_base(std::uint64_t base) { base_ = base; }
    std::uint64_t base() const { return base_; }
    /// An empty ring in its first phase. 0: off. False, and nothing changes, for 1, above the
    /// maximum, and where the address space ends before the ring. Resizing while an entry is being
    /// written drops that entry.
    bool resize(std::uint32_t entries);
    static constexpr std::uint32_t max_entries = 1U << 24;
    std::uint32_t entries() const { return entries_; }

    std::uint32_t head() const { return head_; }
    /// False, and nothing changes, unless it lies between the old head and tail.
    bool set_head(std::uint32_t head);
    std::uint32_t tail() const { return tail_; }

    void set_threshold(std::uint32_t threshold) { threshold_ = threshold; }
    std::uint32_t threshold() const { return threshold_; }
    /// There are at least `threshold` entries to read (0 counts as 1).
    bool reached_threshold() const;

    bool is_on() const { return entries_ != 0; }
    bool is_full() const { return unread() + 1 == entries_; }
    /// The next entry to write.
    Entry next_entry(const Notification& notification) const;
    /// The entry is in memory. False if it is of a ring that was resized meanwhile.
    bool written(const Entry& entry);
    /// A notification was dropped: the ring was full, or the memory refused it.
    void lost_by_full_ring();
    void lost_by_memory(const Entry& entry);

    std::uint32_t lost() const { return lost_; }

private:
    std::uint32_t unread() const { return (tail_ + entries_ - head_) % entries_; }

    std::uint64_t base_ = 0;
    std::uint32_t entries_ = 0;
    std::uint32_t ring_ = 0;
    std::uint32_t head_ = 0;
    std::uint32_t tail_ = 0;
    std::uint32_t threshold_ = 0;
    std::uint32_t lost_ = 0;
    bool phase_ = true;
    bool full_ring_ = false;       ///< something was lost since the last entry
    bool memory_refused_ = false;  ///< likewise
};

}  // namespace dve
