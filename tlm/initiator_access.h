// Simple reads and writes for the initiators of the project: a payload set up as the rules demand.
#pragma once

#include <tlm.h>

#include <cstdint>

namespace dve {

/// Fills every attribute that an initiator owns (IEEE 1666 14.7 to 14.17).
inline void prepare(tlm::tlm_generic_payload& transaction, tlm::tlm_command command,
                    std::uint64_t address, void* data, unsigned bytes) {
    transaction.set_command(command);
    transaction.set_address(address);
    transaction.set_data_ptr(static_cast<unsigned char*>(data));
    transaction.set_data_length(bytes);
    transaction.set_streaming_width(bytes);
    transaction.set_byte_enable_ptr(nullptr);
    transaction.set_byte_enable_length(0);
    transaction.set_dmi_allowed(false);
    transaction.set_gp_option(tlm::TLM_MIN_PAYLOAD);
    transaction.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

}  // namespace dve
