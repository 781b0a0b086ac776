// Register reads, writes and the interrupt line.
#include "platform/register_block.h"

#include <cstring>
#include <utility>

#include "tlm/target_access.h"

namespace dve {
namespace {

constexpr std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
constexpr std::uint32_t high(std::uint64_t value) {
    return static_cast<std::uint32_t>(value >> 32);
}

constexpr bool same(std::uint32_t mask, InterruptCause cause) {
    return mask == static_cast<std::uint32_t>(cause);
}
static_assert(same(csr::mask::INTERRUPT_RUN_ENDED, InterruptCause::RUN_ENDED));
static_assert(same(csr::mask::INTERRUPT_FAULT, InterruptCause::FAULT));
static_assert(same(csr::mask::INTERRUPT_RING_EMPTY, InterruptCause::RING_EMPTY));
static_assert(same(csr::mask::INTERRUPT_NOTIFICATION, InterruptCause::NOTIFICATION));
static_assert(same(csr::mask::INTERRUPT_NOTIFICATION_LOST, InterruptCause::NOTIFICATION_LOST));

}  // namespace

RegisterBlock::RegisterBlock(sc_core::sc_module_name name, Sequencer& sequencer,
                             DveDatapath& datapath, std::function<void()> reset,
                             sc_core::sc_time access_time, const NonBlockingStyle& non_blocking)
    : sc_module(name),
      socket("socket"),
      irq("irq"),
      reset_n("reset_n"),
      sequencer_(sequencer),
      datapath_(datapath),
      reset_(std::move(reset)),
      access_time_(access_time),
      non_blocking_(
          non_blocking,
          [this](tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) {
              access(transaction);
              delay += access_time_;
          },
          socket, AccessMoment::ANNOTATED) {
    socket.bind(*this);
    DVE_HAS_PROCESS(RegisterBlock);
    SC_METHOD(take_causes);
    sensitive << sequencer_.cause_event();
    dont_initialize();
    SC_METHOD(drive_irq);
    sensitive << irq_event_;
    this->reset();
}

void RegisterBlock::end_of_elaboration() { reset_line_ = reset_n[0]; }

void RegisterBlock::reset() {
    for (std::size_t row = 0; row < csr::register_count; ++row) {
        stored_[row] = csr::registers[row].reset;
    }
    latched_.fill(0);
    irq_event_.notify(sc_core::SC_ZERO_TIME);
}

std::uint32_t& RegisterBlock::stored(std::uint32_t offset) {
    return stored_[csr::word_at(offset).row];
}

std::uint64_t RegisterBlock::stored_pair(std::uint32_t low_offset) {
    return std::uint64_t{stored(low_offset + 4)} << 32 | stored(low_offset);
}

void RegisterBlock::take_causes() {
    stored(csr::INTERRUPT) |= sequencer_.take_causes();
    irq_event_.notify(sc_core::SC_ZERO_TIME);  // one process drives the line
}

void RegisterBlock::drive_irq() {
    irq.write((stored(csr::INTERRUPT) & stored(csr::INTERRUPT_ENABLE)) != 0);
}

tlm::tlm_response_status RegisterBlock::read(csr::Word word, std::uint32_t offset,
                                             std::uint32_t& value) const {
    if (word.access == csr::Access::WO) {
        return tlm::TLM_COMMAND_ERROR_RESPONSE;
    }
    switch (word.kind) {
        case csr::Word::Kind::NONE: return tlm::TLM_ADDRESS_ERROR_RESPONSE;
        case csr::Word::Kind::REGISTER: value = read_register(csr::registers[word.row]); break;
        case csr::Word::Kind::COUNTER_LOW:
            value = low(count_of(static_cast<csr::Counter>(word.row)));
            break;
        case csr::Word::Kind::COUNTER_HIGH: value = latched_[word.row]; break;
        case csr::Word::Kind::WINDOW: {
            const csr::WindowRow& window = csr::windows[word.row];
            value = read_window(window, (offset - window.offset) / 4);
            break;
        }
    }
    return tlm::TLM_OK_RESPONSE;
}

std::uint32_t RegisterBlock::read_window(const csr::WindowRow& window, unsigned index) const {
    switch (window.offset) {
        case csr::registers_window: return sequencer_.register_value(index);
        case csr::semaphore_read: return sequencer_.synchronisation().semaphore(index);
        case csr::event_read: return sequencer_.synchronisation().event(index) ? 1 : 0;
        default: return 0;
    }
}

std::uint32_t RegisterBlock::read_register(const csr::RegisterRow& row) const {
    // A loosely-timed engine knows of its fault before it is there.
    const bool faulted = sequencer_.state() == RunState::FAULTED;
    const std::optional<FaultReport>& fault = sequencer_.fault();
    const NotificationRing& notifications = sequencer_.notifications();
    switch (row.offset) {
        case csr::INTERRUPT: return stored_[csr::word_at(row.offset).row] | sequencer_.causes();
        case csr::RUN_STATE: return static_cast<std::uint32_t>(sequencer_.state());
        case csr::FCR: return static_cast<std::uint32_t>(datapath_.rounding());
        case csr::FSR: return datapath_.fp_status().bits;
        case csr::ERROR_TYPE:
            return faulted ? static_cast<std::uint32_t>(fault->fault.type) : row.reset;
        case csr::ERROR_RECORD: return faulted ? low(fault->record_index) : row.reset;
        case csr::SEMAPHORE_ERRORS: return low(sequencer_.semaphore_errors());
        case csr::RING_HEAD: return sequencer_.ring_head();
        case csr::RING_TAIL: return sequencer_.ring().tail();
        case csr::NOTIFICATION_HEAD: return notifications.head();
        case csr::NOTIFICATION_TAIL: return notifications.tail();
        case csr::NOTIFICATIONS_LOST: return notifications.lost();
        default: return stored_[static_cast<std::size_t>(&row - csr::registers)];
    }
}

std::uint64_t RegisterBlock::count_of(csr::Counter counter) const {
    const PerformanceCounters& counters = sequencer_.counters();
    const auto stalls = [&](StallCause cause) {
        return counters.stalls[static_cast<std::size_t>(cause)];
    };
    switch (counter) {
        case csr::Counter::CYCLES: return sequencer_.run_cycles();
        case csr::Counter::INSTRUCTIONS: return counters.instructions;
        case csr::Counter::BUSY: return counters.busy;
        case csr::Counter::ELEMENTS: return counters.elements;
        case csr::Counter::FETCHED: return counters.fetched;
        case csr::Counter::NOTIFICATIONS: return counters.notifications;
        case csr::Counter::STALL_PORT: return stalls(StallCause::PORT);
        case csr::Counter::STALL_BANK: return stalls(StallCause::BANK);
        case csr::Counter::STALL_HAZARD: return stalls(StallCause::HAZARD);
        case csr::Counter::STALL_SEMAPHORE: return stalls(StallCause::SEMAPHORE);
        case csr::Counter::STALL_FETCH: return stalls(StallCause::FETCH);
    }
    return 0;
}

tlm::tlm_response_status RegisterBlock::write(std::uint32_t offset, std::uint32_t value) {
    const csr::Word word = csr::word_at(offset);
    if (word.kind == csr::Word::Kind::NONE) {
        return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    }
    if (word.access == csr::Access::RO) {
        return tlm::TLM_COMMAND_ERROR_RESPONSE;
    }
    if (reset_line_ != nullptr && !reset_line_->read()) {
        return tlm::TLM_GENERIC_ERROR_RESPONSE;
    }
    if (word.kind == csr::Word::Kind::WINDOW) {
        const csr::WindowRow& window = csr::windows[word.row];
        write_window(window, (offset - window.offset) / 4, value);
        return tlm::TLM_OK_RESPONSE;
    }
    const csr::RegisterRow& row = csr::registers[word.row];
    if (!write_register(row, value & row.mask)) {
        return tlm::TLM_GENERIC_ERROR_RESPONSE;
    }
    irq_event_.notify(sc_core::SC_ZERO_TIME);
    return tlm::TLM_OK_RESPONSE;
}

void RegisterBlock::write_window(const csr::WindowRow& window, unsigned index,
                                 std::uint32_t value) {
    switch (window.offset) {
        case csr::registers_window: sequencer_.set_register(index, value); break;
        case csr::semaphore_set: sequencer_.set_semaphore(index, value); break;
        case csr::semaphore_increment: sequencer_.add_to_semaphore(index, value); break;
        case csr::semaphore_decrement: sequencer_.subtract_from_semaphore(index, value); break;
        case csr::event_set: sequencer_.set_event(index, true); break;
        case csr::event_clear: sequencer_.set_event(index, false); break;
        default: break;
    }
}

/// False, and nothing changes, where the value is not legal now.
bool RegisterBlock::write_register(const csr::RegisterRow& row, std::uint32_t value) {
    NotificationRing& notifications = sequencer_.notifications();
    switch (row.offset) {
        case csr::START: return start(value);
        case csr::RESET:
            if (value == csr::value::RESET_ENGINE) {
                reset_();
            }
            return true;
        case csr::FCR: datapath_.set_rounding(static_cast<Rounding>(value)); return true;
        case csr::FSR: datapath_.fp_status().bits &= static_cast<std::uint8_t>(~value); return true;
        case csr::RING_TAIL: return sequencer_.hand_over(value);
        case csr::NOTIFICATION_HEAD: return notifications.set_head(value);
        case csr::PROGRAM_BASE_LO:
            if (value % record_bytes != 0) {
                return false;
            }
            break;
        case csr::RING_BASE_LO:
        case csr::RING_BASE_HI:
            if (sequencer_.ring_run_in_progress() ||
                (row.offset == csr::RING_BASE_LO && value % record_bytes != 0)) {
                return false;
            }
            break;
        case csr::NOTIFICATION_BASE_LO:
            if (value % notification_bytes != 0) {
                return false;
            }
            break;
        case csr::RING_BYTES:
            if (!sequencer_.resize_ring(value)) {
                return false;
            }
            break;
        case csr::NOTIFICATION_ENTRIES:
            if (!notifications.resize(value)) {
                return false;
            }
            break;
        case csr::NOTIFICATION_THRESHOLD: notifications.set_threshold(value); break;
        default: break;
    }
    if (row.offset == csr::INTERRUPT) {  // what has been raised in this delta cycle, too
        stored(csr::INTERRUPT) |= sequencer_.take_causes();
    }
    if (row.access == csr::Access::W1C) {
        stored(row.offset) &= ~value;
    } else {
        stored(row.offset) = value;
    }
    if (row.offset == csr::NOTIFICATION_BASE_LO || row.offset == csr::NOTIFICATION_BASE_HI) {
        notifications.set_base(stored_pair(csr::NOTIFICATION_BASE_LO));
    }
    return true;
}

bool RegisterBlock::start(std::uint32_t what) {
    if (what == 0) {
        return true;
    }
    const bool ring = what == csr::value::START_RING;
    const std::uint64_t base = stored_pair(ring ? csr::RING_BASE_LO : csr::PROGRAM_BASE_LO);
    const std::uint32_t bytes = stored(ring ? csr::RING_BYTES : csr::PROGRAM_BYTES);
    if ((!ring && what != csr::value::START_PROGRAM) || (ring && bytes == 0) ||
        bytes > ~std::uint64_t{0} - base || bytes % record_bytes != 0 ||
        sequencer_.run_in_progress()) {
        return false;
    }
    if (ring) {
        sequencer_.start_ring(base);
    } else {
        sequencer_.start(base, bytes);
    }
    return true;
}

void RegisterBlock::b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) {
    if (delay != sc_core::SC_ZERO_TIME) {
        wait(delay);
    }
    access(transaction);
    delay = access_time_;
}

void RegisterBlock::access(tlm::tlm_generic_payload& transaction) {
    const std::uint64_t offset = transaction.get_address();
    tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
    if (!is_ordinary(transaction)) {
        status = check_attributes(transaction);
        const bool ignored = transaction.get_command() == tlm::TLM_IGNORE_COMMAND;
        if (status != tlm::TLM_OK_RESPONSE || ignored) {
            transaction.set_response_status(status);
            return;
        }
    }
    if (transaction.get_byte_enable_ptr() != nullptr) {
        status = tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    } else if (transaction.get_data_length() != 4 || transaction.get_streaming_width() < 4 ||
               offset % 4 != 0) {
        status = tlm::TLM_BURST_ERROR_RESPONSE;
    } else if (offset >= csr::window_bytes) {
        status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
    } else if (transaction.is_read()) {
        status = read_word(static_cast<std::uint32_t>(offset), transaction.get_data_ptr());
    } else {
        std::uint32_t value = 0;
        std::memcpy(&value, transaction.get_data_ptr(), sizeof value);
        status = write(static_cast<std::uint32_t>(offset), value);
    }
    transaction.set_response_status(status);
}

/// As the debug read, and the read of a counter's low word keeps the high word that belongs to it.
tlm::tlm_response_status RegisterBlock::read_word(std::uint32_t offset, std::uint8_t* data) {
    const csr::Word word = csr::word_at(offset);
    std::uint32_t value = 0;
    const tlm::tlm_response_status status = read(word, offset, value);
    if (status == tlm::TLM_OK_RESPONSE) {
        if (word.kind == csr::Word::Kind::COUNTER_LOW) {
            latched_[word.row] = high(count_of(static_cast<csr::Counter>(word.row)));
        }
        std::memcpy(data, &value, sizeof value);
    }
    return status;
}

bool RegisterBlock::get_direct_mem_ptr(tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& dmi) {
    return refuse_direct_access(transaction, dmi);
}

tlm::tlm_sync_enum RegisterBlock::nb_transport_fw(tlm::tlm_generic_payload& transaction,
                                                  tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    return non_blocking_.transport(0, transaction, phase, delay);
}

unsigned RegisterBlock::transport_dbg(tlm::tlm_generic_payload& transaction) {
    const std::uint64_t address = transaction.get_address();
    if (!transaction.is_read() || transaction.get_data_ptr() == nullptr || address % 4 != 0 ||
        address >= csr::window_bytes || transaction.get_data_length() < 4) {
        return 0;
    }
    const auto offset = static_cast<std::uint32_t>(address);
    std::uint32_t value = 0;
    if (read(csr::word_at(offset), offset, value) != tlm::TLM_OK_RESPONSE) {
        return 0;
    }
    std::memcpy(transaction.get_data_ptr(), &value, sizeof value);
    return sizeof value;
}

}  // namespace dve
