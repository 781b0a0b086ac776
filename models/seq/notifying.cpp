// What the sequencer tells the host: notifications in system memory, causes of interrupts.
#include "models/seq/sequencer.h"
#include "tlm/initiator_access.h"

namespace dve {

void Sequencer::raise(InterruptCause cause) {
    causes_ |= static_cast<std::uint32_t>(cause);
    cause_event_.notify(sc_core::SC_ZERO_TIME);
}

/// NOTIFY: the program counter, once SystemC time has reached its cycle.
void Sequencer::notify() {
    const std::uint64_t address = base_ + stream_offset(program_counter_);
    Notification notification;
    notification.type = NotificationType::NOTIFY;
    notification.id = static_cast<std::uint8_t>(Opcode::NOTIFY);
    notification.metadata_low = static_cast<std::uint16_t>(address >> 32);
    notification.metadata_high = static_cast<std::uint32_t>(address);
    advance_time(now_);
    post(notification);
}

void Sequencer::notify_fault() {
    Notification notification;
    notification.type = NotificationType::TPB_ERROR;
    notification.id = static_cast<std::uint8_t>(fault_->fault.type);
    notification.metadata_low = static_cast<std::uint8_t>(fault_->fault.subtype);
    notification.metadata_high = static_cast<std::uint32_t>(fault_->record_index & 0xFFFU) << 4 |
                                 std::uint32_t{fault_->opcode} << 16;
    post(notification);
}

/// Writes an entry of the ring. Only a memory that blocks makes the sequencer wait.
void Sequencer::post(const Notification& notification) {
    if (!notifications_.is_on()) {
        return;
    }
    if (notifications_.is_full()) {
        notifications_.lost_by_full_ring();
        raise(InterruptCause::NOTIFICATION_LOST);
        return;
    }
    Notification stamped = notification;
    stamped.time_stamp = run_start_.value() / cycle_time_.value() + now_;
    NotificationRing::Entry entry = notifications_.entry(stamped);
    tlm::tlm_generic_payload transaction;
    prepare(transaction, tlm::TLM_WRITE_COMMAND, entry.address, entry.bytes.data(),
            notification_bytes);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const sc_core::sc_time before = sc_core::sc_time_stamp();
    fetch->b_transport(transaction, delay);
    check_abandoned();
    const sc_core::sc_time blocked = sc_core::sc_time_stamp() - before;
    now_ += (blocked.value() + cycle_time_.value() - 1) / cycle_time_.value();
    if (!transaction.is_response_ok()) {
        notifications_.lost_by_memory();
        raise(InterruptCause::NOTIFICATION_LOST);
        return;
    }
    if (!notifications_.written(entry)) {
        return;
    }
    ++counters_.notifications;
    if (notifications_.reached_threshold()) {
        raise(InterruptCause::NOTIFICATION);
    }
}

}  // namespace dve
