// A TLM initiator that tests drive from sc_main, attribute by attribute.
#pragma once

#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "tlm/systemc_compat.h"

namespace dve::test {

/// One blocking access as the initiator describes it; the defaults are an ordinary transfer.
struct Access {
    tlm::tlm_command command = tlm::TLM_READ_COMMAND;
    std::uint64_t address = 0;
    std::uint8_t* data = nullptr;
    unsigned length = 0;
    std::vector<std::uint8_t> byte_enables;
    bool streaming = false;
    unsigned streaming_width = 0;  ///< used if `streaming`
    bool empty_byte_enables = false;
};

class Initiator : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<Initiator> socket;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> invalidations;
    sc_core::sc_time delay;  ///< of the last access
    bool dmi_hint = false;   ///< likewise
    /// False if the target changed an attribute that it must not touch (IEEE 1666 14.7).
    bool attributes_kept = true;

    explicit Initiator(sc_core::sc_module_name name) : sc_module(name), socket("socket") {
        socket.register_invalidate_direct_mem_ptr(this, &Initiator::invalidated);
    }

    tlm::tlm_response_status send(const Access& access) {
        static std::uint8_t enabled = TLM_BYTE_ENABLED;
        tlm::tlm_generic_payload payload;
        std::vector<std::uint8_t> enables = access.byte_enables;
        std::uint8_t* enable_pointer = access.empty_byte_enables ? &enabled
                                       : enables.empty()         ? nullptr
                                                                 : enables.data();
        const unsigned width = access.streaming ? access.streaming_width : access.length;
        payload.set_command(access.command);
        payload.set_address(access.address);
        payload.set_data_ptr(access.data);
        payload.set_data_length(access.length);
        payload.set_streaming_width(width);
        payload.set_byte_enable_ptr(enable_pointer);
        payload.set_byte_enable_length(static_cast<unsigned>(enables.size()));
        payload.set_dmi_allowed(false);
        payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        delay = sc_core::SC_ZERO_TIME;
        socket->b_transport(payload, delay);
        attributes_kept =
            payload.get_command() == access.command && payload.get_address() == access.address &&
            payload.get_data_ptr() == access.data && payload.get_data_length() == access.length &&
            payload.get_streaming_width() == width &&
            payload.get_byte_enable_ptr() == enable_pointer &&
            payload.get_byte_enable_length() == enables.size();
        dmi_hint = payload.is_dmi_allowed();
        return payload.get_response_status();
    }

    tlm::tlm_response_status write(std::uint64_t address, const void* data, unsigned bytes) {
        auto* from = static_cast<std::uint8_t*>(const_cast<void*>(data));
        return send({tlm::TLM_WRITE_COMMAND, address, from, bytes, {}, false, 0, false});
    }
    tlm::tlm_response_status read(std::uint64_t address, void* data, unsigned bytes) {
        return send({tlm::TLM_READ_COMMAND,
                     address,
                     static_cast<std::uint8_t*>(data),
                     bytes,
                     {},
                     false,
                     0,
                     false});
    }

    unsigned debug(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data,
                   unsigned bytes) {
        tlm::tlm_generic_payload payload;
        payload.set_command(command);
        payload.set_address(address);
        payload.set_data_ptr(data);
        payload.set_data_length(bytes);
        payload.set_streaming_width(bytes);
        const unsigned count = socket->transport_dbg(payload);
        attributes_kept = payload.get_address() == address && payload.get_data_length() == bytes;
        return count;
    }

    bool direct_memory(std::uint64_t address, tlm::tlm_dmi& dmi) {
        tlm::tlm_generic_payload payload;
        payload.set_command(tlm::TLM_READ_COMMAND);
        payload.set_address(address);
        const bool granted = socket->get_direct_mem_ptr(payload, dmi);
        attributes_kept = payload.get_address() == address;
        return granted;
    }

private:
    void invalidated(sc_dt::uint64 start, sc_dt::uint64 end) {
        invalidations.emplace_back(start, end);
    }
};

/// Ends elaboration, so that sockets are bound.
inline void elaborate() {
    if (!sc_core::sc_start_of_simulation_invoked()) {
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
}

}  // namespace dve::test
