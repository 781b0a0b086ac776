// Register reads, writes and the interrupt line.
#include "platform/register_block.h"

#include <cstring>
#include <utility>

namespace dve {
namespace {

constexpr std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
constexpr std::uint32_t high(std::uint64_t value) {
    return static_cast<std::uint32_t>(value >> 32);
}

enum class Access : std::uint8_t { RO, WO, RW, W1C };

/// Access kind of a register; nothing where there is none.
const Access* access_of(std::uint32_t offset) {
    switch (offset) {
#define REGISTER(name, at, access, what)               \
    case at: {                                         \
        static constexpr Access kind = Access::access; \
        return &kind;                                  \
    }
#include "platform/registers.def"
#undef REGISTER
        default: return nullptr;
    }
}

/// Index of a word in a window of `count` words, or -1.
int window_index(std::uint32_t offset, std::uint32_t base, std::uint32_t count) {
    return offset >= base && offset < base + 4 * count ? static_cast<int>((offset - base) / 4) : -1;
}

}  // namespace

RegisterBlock::RegisterBlock(sc_core::sc_module_name name, Sequencer& sequencer,
                             DveDatapath& datapath, std::function<void()> reset)
    : sc_module(name),
      socket("socket"),
      irq("irq"),
      sequencer_(sequencer),
      datapath_(datapath),
      reset_(std::move(reset)) {
    socket.register_b_transport(this, &RegisterBlock::b_transport);
    socket.register_transport_dbg(this, &RegisterBlock::transport_dbg);
    DVE_HAS_PROCESS(RegisterBlock);
    SC_METHOD(run_ended);
    sensitive << sequencer_.done_event();
    dont_initialize();
    SC_METHOD(drive_irq);
    sensitive << irq_event_;
}

void RegisterBlock::reset() {
    interrupt_ = interrupt_enable_ = 0;
    irq_event_.notify(sc_core::SC_ZERO_TIME);
}

void RegisterBlock::run_ended() {
    interrupt_ |= csr::interrupt_run_ended;
    if (sequencer_.state() == RunState::FAULTED) {
        interrupt_ |= csr::interrupt_fault;
    }
    irq_event_.notify(sc_core::SC_ZERO_TIME);  // one process drives the line
}

void RegisterBlock::drive_irq() { irq.write((interrupt_ & interrupt_enable_) != 0); }

tlm::tlm_response_status RegisterBlock::read(std::uint32_t offset, std::uint32_t& value) const {
    if (const int r = window_index(offset, csr::registers_window, num_address_registers); r >= 0) {
        value = sequencer_.register_value(static_cast<unsigned>(r));
        return tlm::TLM_OK_RESPONSE;
    }
    if (const int s = window_index(offset, csr::semaphore_read, Synchronisation::count); s >= 0) {
        value = sequencer_.synchronisation().semaphore(static_cast<unsigned>(s));
        return tlm::TLM_OK_RESPONSE;
    }
    const Access* access = access_of(offset);
    if (access == nullptr) {
        return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    }
    if (*access == Access::WO) {
        return tlm::TLM_COMMAND_ERROR_RESPONSE;
    }
    switch (offset) {
        case csr::RUN_STATE: value = static_cast<std::uint32_t>(sequencer_.state()); break;
        case csr::INTERRUPT: value = interrupt_; break;
        case csr::INTERRUPT_ENABLE: value = interrupt_enable_; break;
        case csr::PROGRAM_BASE_LO: value = low(program_base_); break;
        case csr::PROGRAM_BASE_HI: value = high(program_base_); break;
        case csr::PROGRAM_BYTES: value = program_bytes_; break;
        case csr::FCR: value = static_cast<std::uint32_t>(datapath_.rounding()); break;
        case csr::FSR: value = datapath_.fp_status().bits; break;
        case csr::ERROR_TYPE:
            value = sequencer_.fault() ? static_cast<std::uint32_t>(sequencer_.fault()->fault.type)
                                       : ~0U;
            break;
        case csr::ERROR_RECORD:
            value = sequencer_.fault() ? low(sequencer_.fault()->record_index) : 0;
            break;
        case csr::SEMAPHORE_ERRORS: value = low(sequencer_.semaphore_errors()); break;
        case csr::CYCLES_LO: value = low(sequencer_.total_cycles()); break;
        case csr::CYCLES_HI: value = high(sequencer_.total_cycles()); break;
        case csr::INSTRUCTIONS: value = low(sequencer_.retired()); break;
        default: break;
    }
    return tlm::TLM_OK_RESPONSE;
}

tlm::tlm_response_status RegisterBlock::write(std::uint32_t offset, std::uint32_t value) {
    if (const int r = window_index(offset, csr::registers_window, num_address_registers); r >= 0) {
        sequencer_.set_register(static_cast<unsigned>(r), value);
        return tlm::TLM_OK_RESPONSE;
    }
    if (const int s = window_index(offset, csr::semaphore_set, Synchronisation::count); s >= 0) {
        sequencer_.set_semaphore(static_cast<unsigned>(s), value);
        return tlm::TLM_OK_RESPONSE;
    }
    if (const int s = window_index(offset, csr::semaphore_increment, Synchronisation::count);
        s >= 0) {
        sequencer_.add_to_semaphore(static_cast<unsigned>(s), value);
        return tlm::TLM_OK_RESPONSE;
    }
    if (const int s = window_index(offset, csr::semaphore_decrement, Synchronisation::count);
        s >= 0) {
        sequencer_.subtract_from_semaphore(static_cast<unsigned>(s), value);
        return tlm::TLM_OK_RESPONSE;
    }
    const Access* access = access_of(offset);
    if (access == nullptr) {
        return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    }
    if (*access == Access::RO) {
        return tlm::TLM_COMMAND_ERROR_RESPONSE;
    }
    switch (offset) {
        case csr::START:
            if (value == 1) {
                if (program_bytes_ % record_bytes != 0 || program_base_ % record_bytes != 0 ||
                    sequencer_.state() == RunState::RUNNING) {
                    return tlm::TLM_GENERIC_ERROR_RESPONSE;
                }
                sequencer_.start(program_base_, program_bytes_);
            }
            break;
        case csr::RESET:
            if (sequencer_.state() == RunState::RUNNING) {
                return tlm::TLM_GENERIC_ERROR_RESPONSE;
            }
            if (value == 1) {
                reset_();
            }
            break;
        case csr::INTERRUPT: interrupt_ &= ~value; break;
        case csr::INTERRUPT_ENABLE:
            interrupt_enable_ = value & (csr::interrupt_run_ended | csr::interrupt_fault);
            break;
        case csr::PROGRAM_BASE_LO:
            program_base_ = (program_base_ & ~std::uint64_t{0xFFFFFFFF}) | value;
            break;
        case csr::PROGRAM_BASE_HI:
            program_base_ = (std::uint64_t{value} << 32) | low(program_base_);
            break;
        case csr::PROGRAM_BYTES: program_bytes_ = value; break;
        case csr::FCR: datapath_.set_rounding(static_cast<Rounding>(value & 3U)); break;
        case csr::FSR: datapath_.fp_status().bits &= static_cast<std::uint8_t>(~value); break;
        default: break;
    }
    irq_event_.notify(sc_core::SC_ZERO_TIME);
    return tlm::TLM_OK_RESPONSE;
}

void RegisterBlock::b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time&) {
    const std::uint64_t offset = transaction.get_address();
    tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
    if (transaction.get_byte_enable_ptr() != nullptr) {
        status = tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    } else if (transaction.get_data_length() != 4 || transaction.get_streaming_width() < 4 ||
               offset % 4 != 0) {
        status = tlm::TLM_BURST_ERROR_RESPONSE;
    } else if (offset >= csr::window_bytes) {
        status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
    } else if (transaction.get_data_ptr() == nullptr) {
        status = tlm::TLM_GENERIC_ERROR_RESPONSE;
    } else if (transaction.is_read()) {
        std::uint32_t value = 0;
        status = read(static_cast<std::uint32_t>(offset), value);
        if (status == tlm::TLM_OK_RESPONSE) {
            std::memcpy(transaction.get_data_ptr(), &value, sizeof value);
        }
    } else if (transaction.is_write()) {
        std::uint32_t value = 0;
        std::memcpy(&value, transaction.get_data_ptr(), sizeof value);
        status = write(static_cast<std::uint32_t>(offset), value);
    } else if (transaction.get_command() != tlm::TLM_IGNORE_COMMAND) {
        status = tlm::TLM_COMMAND_ERROR_RESPONSE;
    }
    transaction.set_response_status(status);
}

unsigned RegisterBlock::transport_dbg(tlm::tlm_generic_payload& transaction) {
    std::uint32_t value = 0;
    const std::uint64_t offset = transaction.get_address();
    if (!transaction.is_read() || transaction.get_data_ptr() == nullptr || offset % 4 != 0 ||
        offset >= csr::window_bytes || transaction.get_data_length() < 4 ||
        read(static_cast<std::uint32_t>(offset), value) != tlm::TLM_OK_RESPONSE) {
        return 0;
    }
    std::memcpy(transaction.get_data_ptr(), &value, sizeof value);
    return sizeof value;
}

}  // namespace dve
