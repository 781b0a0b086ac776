// What every memory-like TLM target owes the base protocol, in one place (IEEE 1666 clause 14).
#pragma once

#include <tlm.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace dve {

/// Response to the attributes alone: TLM_OK_RESPONSE if the transfer may be tried. A transaction
/// that moves nothing (TLM_IGNORE_COMMAND) needs neither data nor length.
inline tlm::tlm_response_status check_attributes(const tlm::tlm_generic_payload& transaction) {
    const bool moves = transaction.is_read() || transaction.is_write();
    if (!moves && transaction.get_command() != tlm::TLM_IGNORE_COMMAND) {
        return tlm::TLM_COMMAND_ERROR_RESPONSE;
    }
    if ((moves && transaction.get_data_length() == 0) || transaction.get_streaming_width() == 0) {
        return tlm::TLM_BURST_ERROR_RESPONSE;
    }
    if (moves && transaction.get_data_ptr() == nullptr) {
        return tlm::TLM_GENERIC_ERROR_RESPONSE;
    }
    if (transaction.get_byte_enable_ptr() != nullptr && transaction.get_byte_enable_length() == 0) {
        return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    }
    return tlm::TLM_OK_RESPONSE;
}

/// Bytes of address space a transfer touches, at least the one of its address: streaming wraps at
/// the streaming width.
inline std::uint64_t touched_bytes(const tlm::tlm_generic_payload& transaction) {
    const std::uint64_t length = transaction.get_data_length();
    const std::uint64_t width = transaction.get_streaming_width();
    return std::max<std::uint64_t>(std::min(length, width), 1);
}

/// A read or write of so many bytes in a row that needs no second look: neither byte enables nor
/// streaming, and nothing that check_attributes refuses.
inline bool is_ordinary(const tlm::tlm_generic_payload& transaction) {
    const unsigned length = transaction.get_data_length();
    return (transaction.is_read() || transaction.is_write()) && length != 0 &&
           length <= transaction.get_streaming_width() &&
           transaction.get_byte_enable_ptr() == nullptr && transaction.get_data_ptr() != nullptr;
}

/// Words and lines, which most transfers are, without a call.
inline void copy(std::uint8_t* to, const std::uint8_t* from, unsigned bytes) {
    switch (bytes) {
        case 4: std::memcpy(to, from, 4); break;
        case 8: std::memcpy(to, from, 8); break;
        case 64: std::memcpy(to, from, 64); break;
        default: std::memcpy(to, from, bytes); break;
    }
}

/// Moves the data of an ordinary transaction from or to `bytes`, the host place of its address.
inline void transfer_ordinary(tlm::tlm_generic_payload& transaction, std::uint8_t* bytes) {
    std::uint8_t* data = transaction.get_data_ptr();
    const unsigned length = transaction.get_data_length();
    transaction.is_write() ? copy(bytes, data, length) : copy(data, bytes, length);
}

/// The same for any checked transaction: byte enables repeat, streaming wraps. Inactive bytes of a
/// read stay as they are.
inline void transfer(tlm::tlm_generic_payload& transaction, std::uint8_t* bytes) {
    std::uint8_t* data = transaction.get_data_ptr();
    const unsigned length = transaction.get_data_length();
    const unsigned width = transaction.get_streaming_width();
    const std::uint8_t* enable = transaction.get_byte_enable_ptr();
    const unsigned enable_length = transaction.get_byte_enable_length();
    const bool write = transaction.is_write();
    for (unsigned i = 0; i < length; ++i) {
        if (enable != nullptr && enable[i % enable_length] != TLM_BYTE_ENABLED) {
            continue;
        }
        std::uint8_t& place = bytes[i % width];
        write ? place = data[i] : data[i] = place;
    }
}

/// access_bytes of a transaction that is not ordinary.
template <typename Locate>
[[gnu::noinline]] bool access_unusual(tlm::tlm_generic_payload& transaction, Locate locate,
                                      bool dmi) {
    tlm::tlm_response_status status = check_attributes(transaction);
    const bool moves = transaction.get_command() != tlm::TLM_IGNORE_COMMAND;
    if (status == tlm::TLM_OK_RESPONSE) {
        std::uint8_t* bytes = locate(transaction.get_address(), touched_bytes(transaction));
        if (bytes == nullptr) {
            status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
        } else {
            if (moves) {
                transfer(transaction, bytes);
            }
            transaction.set_dmi_allowed(dmi);
        }
    }
    transaction.set_response_status(status);
    return moves && status == tlm::TLM_OK_RESPONSE;
}

/// A whole b_transport of a byte memory, but for its time; true if it moved bytes.
/// `locate(address, bytes)` gives the host place of a range or null if any of it is out of range;
/// nothing is written unless all of it is in range. `dmi` says whether get_direct_mem_ptr would
/// succeed there.
template <typename Locate>
bool access_bytes(tlm::tlm_generic_payload& transaction, Locate locate, bool dmi) {
    if (!is_ordinary(transaction)) {
        return access_unusual(transaction, locate, dmi);
    }
    std::uint8_t* bytes = locate(transaction.get_address(), transaction.get_data_length());
    if (bytes == nullptr) {
        transaction.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return false;
    }
    transfer_ordinary(transaction, bytes);
    transaction.set_dmi_allowed(dmi);
    transaction.set_response_status(tlm::TLM_OK_RESPONSE);
    return true;
}

/// The answer of get_direct_mem_ptr where there is no direct access: none for this address.
inline bool refuse_direct_access(const tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& dmi) {
    dmi.set_start_address(transaction.get_address());
    dmi.set_end_address(transaction.get_address());
    dmi.allow_none();
    return false;
}

/// transport_dbg of a byte memory: as many leading bytes as are in range, no side effects; 0 for
/// anything but a read or a write. `locate_span(address, available)` gives the place and how many
/// bytes follow it.
template <typename LocateSpan>
unsigned debug_bytes(tlm::tlm_generic_payload& transaction, LocateSpan locate_span) {
    if (transaction.get_data_ptr() == nullptr ||
        (!transaction.is_read() && !transaction.is_write())) {
        return 0;
    }
    std::uint64_t available = 0;
    const std::uint64_t wanted = transaction.get_data_length();
    std::uint8_t* bytes = locate_span(transaction.get_address(), available);
    const std::uint64_t count = bytes == nullptr ? 0 : (wanted < available ? wanted : available);
    if (count > 0 && transaction.is_write()) {
        std::memcpy(bytes, transaction.get_data_ptr(), count);
    } else if (count > 0) {
        std::memcpy(transaction.get_data_ptr(), bytes, count);
    }
    return static_cast<unsigned>(count);
}

}  // namespace dve
