// A console: bytes written to it are printed, and a write to its second register ends the run.
#pragma once

#include <dve/tlm/systemc_compat.h>
#include <dve/tlm/target_access.h>
#include <tlm.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <cstdio>

/// 32-bit registers, write only: DATA at 0 prints its low byte, EXIT at 4 stops the simulation with
/// the value as exit status.
class Console : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<Console> socket;

    explicit Console(sc_core::sc_module_name name) : sc_module(name), socket("socket") {
        socket.register_b_transport(this, &Console::b_transport);
    }

    /// Exit status of the firmware; 1 if it has not ended the run.
    int status() const { return status_; }

private:
    void b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time&) {
        std::uint32_t value = 0;
        tlm::tlm_response_status status = dve::check_attributes(transaction);
        if (status == tlm::TLM_OK_RESPONSE) {
            status = transaction.get_address() > 4 || transaction.get_address() % 4 != 0
                         ? tlm::TLM_ADDRESS_ERROR_RESPONSE
                     : !transaction.is_write() ? tlm::TLM_COMMAND_ERROR_RESPONSE
                     : transaction.get_data_length() != sizeof value ||
                             transaction.get_streaming_width() < sizeof value
                         ? tlm::TLM_BURST_ERROR_RESPONSE
                     : transaction.get_byte_enable_ptr() != nullptr
                         ? tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE
                         : tlm::TLM_OK_RESPONSE;
        }
        transaction.set_response_status(status);
        if (status != tlm::TLM_OK_RESPONSE) {
            return;
        }
        dve::transfer(transaction, reinterpret_cast<std::uint8_t*>(&value));
        if (transaction.get_address() == 0) {
            std::putchar(static_cast<int>(value & 0xFF));
        } else {
            status_ = static_cast<int>(value);
            sc_core::sc_stop();
        }
    }

    int status_ = 1;
};
