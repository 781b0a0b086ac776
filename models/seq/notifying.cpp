// What the sequencer tells the host: notifications in system memory, causes of interrupts.
#include "models/seq/sequencer.h"

namespace dve {

void Sequencer::raise(InterruptCause cause) {
    causes_ |= static_cast<std::uint32_t>(cause);
    cause_event_.notify(sc_core::SC_ZERO_TIME);
}

/// NOTIFY: the program counter, once SystemC time has reached its cycle.
void Sequencer::notify() {
    const std::uint64_t address = base_ + stream_offset(program_counter_);
    Notification notification(NotificationType::NOTIFY);
    notification.set(entry::ID, static_cast<std::uint8_t>(Opcode::NOTIFY));
    notification.set(entry::NOTIFY_PROGRAM_COUNTER_LO, address);
    notification.set(entry::NOTIFY_PROGRAM_COUNTER_HI, address >> 32);
    advance_time(now_);
    post(notification);
}

void Sequencer::notify_fault() {
    Notification notification(NotificationType::TPB_ERROR);
    notification.set(entry::ID, static_cast<std::uint8_t>(fault_->fault.type));
    notification.set(entry::TPB_ERROR_SUBTYPE, static_cast<std::uint8_t>(fault_->fault.subtype));
    notification.set(entry::TPB_ERROR_RECORD, fault_->record_index);
    notification.set(entry::TPB_ERROR_OPCODE, fault_->opcode);
    post(notification);
}

/// Writes an entry of the ring. Only a memory that blocks makes the sequencer wait.
void Sequencer::post(Notification notification) {
    if (!notifications_.is_on()) {
        return;
    }
    if (notifications_.is_full()) {
        notifications_.lost_by_full_ring();
        raise(InterruptCause::NOTIFICATION_LOST);
        return;
    }
    notification.set(entry::TIME_STAMP, run_start_.value() / cycle_time_.value() + now_);
    NotificationRing::Entry next = notifications_.next_entry(notification);
    const sc_core::sc_time before = sc_core::sc_time_stamp();
    const bool accepted = transport(tlm::TLM_WRITE_COMMAND, next.address,
                                    next.notification.bytes.data(), notification_bytes);
    const sc_core::sc_time blocked = sc_core::sc_time_stamp() - before;
    now_ += (blocked.value() + cycle_time_.value() - 1) / cycle_time_.value();
    if (!accepted) {
        notifications_.lost_by_memory(next);
        raise(InterruptCause::NOTIFICATION_LOST);
        return;
    }
    if (!notifications_.written(next)) {
        return;
    }
    ++counters_.notifications;
    if (notifications_.reached_threshold()) {
        raise(InterruptCause::NOTIFICATION);
    }
}

}  // namespace dve
