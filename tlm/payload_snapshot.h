// What a generic payload was when its request set out, to tell what others changed since.
#pragma once

#include <tlm.h>

#include <cstdint>
#include <vector>

namespace dve {

class PayloadSnapshot {
public:
    PayloadSnapshot() = default;
    /// `with_arrays`: also the bytes behind the pointers, as far as they must not change: byte
    /// enables, the data of a write, the data of a read with byte enables.
    PayloadSnapshot(const tlm::tlm_generic_payload& transaction, bool with_arrays);

    std::uint64_t address() const { return address_; }

    bool attributes_kept(const tlm::tlm_generic_payload& transaction) const;
    /// The option may turn from TLM_FULL_PAYLOAD to TLM_FULL_PAYLOAD_ACCEPTED.
    bool option_kept(const tlm::tlm_generic_payload& transaction) const;
    bool extensions_kept(const tlm::tlm_generic_payload& transaction) const;
    bool has_new_extensions(const tlm::tlm_generic_payload& transaction) const;

    // Only where attributes_kept: these follow the pointers.
    bool byte_enables_kept() const;
    bool write_data_kept() const;
    bool inactive_bytes_kept() const;

private:
    tlm::tlm_command command_ = tlm::TLM_IGNORE_COMMAND;
    std::uint64_t address_ = 0;
    const unsigned char* data_pointer_ = nullptr;
    unsigned data_length_ = 0;
    const unsigned char* byte_enable_pointer_ = nullptr;
    unsigned byte_enable_length_ = 0;
    unsigned streaming_width_ = 0;
    tlm::tlm_gp_option option_ = tlm::TLM_MIN_PAYLOAD;
    std::vector<unsigned char> data_;
    std::vector<unsigned char> byte_enables_;
    std::vector<const tlm::tlm_extension_base*> extensions_;  ///< by extension number
};

}  // namespace dve
