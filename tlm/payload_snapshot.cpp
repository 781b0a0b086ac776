// Copying and comparing payload attributes.
#include "tlm/payload_snapshot.h"

#include <algorithm>

namespace dve {

PayloadSnapshot::PayloadSnapshot(const tlm::tlm_generic_payload& transaction, bool with_arrays)
    : command_(transaction.get_command()),
      address_(transaction.get_address()),
      data_pointer_(transaction.get_data_ptr()),
      data_length_(transaction.get_data_length()),
      byte_enable_pointer_(transaction.get_byte_enable_ptr()),
      byte_enable_length_(transaction.get_byte_enable_length()),
      streaming_width_(transaction.get_streaming_width()),
      option_(transaction.get_gp_option()),
      extensions_(tlm::max_num_extensions()) {
    for (unsigned i = 0; i < extensions_.size(); ++i) {
        extensions_[i] = transaction.get_extension(i);
    }
    if (!with_arrays) {
        return;
    }
    if (byte_enable_pointer_ != nullptr) {
        byte_enables_.assign(byte_enable_pointer_, byte_enable_pointer_ + byte_enable_length_);
    }
    const bool partial_read = command_ == tlm::TLM_READ_COMMAND && !byte_enables_.empty();
    if (data_pointer_ != nullptr && (command_ == tlm::TLM_WRITE_COMMAND || partial_read)) {
        data_.assign(data_pointer_, data_pointer_ + data_length_);
    }
}

bool PayloadSnapshot::attributes_kept(const tlm::tlm_generic_payload& transaction) const {
    return transaction.get_command() == command_ && transaction.get_data_ptr() == data_pointer_ &&
           transaction.get_data_length() == data_length_ &&
           transaction.get_byte_enable_ptr() == byte_enable_pointer_ &&
           transaction.get_byte_enable_length() == byte_enable_length_ &&
           transaction.get_streaming_width() == streaming_width_;
}

bool PayloadSnapshot::option_kept(const tlm::tlm_generic_payload& transaction) const {
    const tlm::tlm_gp_option option = transaction.get_gp_option();
    return option == option_ ||
           (option_ == tlm::TLM_FULL_PAYLOAD && option == tlm::TLM_FULL_PAYLOAD_ACCEPTED);
}

bool PayloadSnapshot::extensions_kept(const tlm::tlm_generic_payload& transaction) const {
    for (unsigned i = 0; i < extensions_.size(); ++i) {
        if (extensions_[i] != nullptr && transaction.get_extension(i) != extensions_[i]) {
            return false;
        }
    }
    return true;
}

bool PayloadSnapshot::has_new_extensions(const tlm::tlm_generic_payload& transaction) const {
    for (unsigned i = 0; i < extensions_.size(); ++i) {
        if (extensions_[i] == nullptr && transaction.get_extension(i) != nullptr) {
            return true;
        }
    }
    return false;
}

bool PayloadSnapshot::byte_enables_kept() const {
    return std::equal(byte_enables_.begin(), byte_enables_.end(), byte_enable_pointer_);
}

bool PayloadSnapshot::write_data_kept() const {
    return command_ != tlm::TLM_WRITE_COMMAND ||
           std::equal(data_.begin(), data_.end(), data_pointer_);
}

bool PayloadSnapshot::inactive_bytes_kept() const {
    if (command_ != tlm::TLM_READ_COMMAND || byte_enables_.empty()) {
        return true;
    }
    for (std::size_t i = 0; i < data_.size(); ++i) {
        if (byte_enables_[i % byte_enables_.size()] == TLM_BYTE_DISABLED &&
            data_pointer_[i] != data_[i]) {
            return false;
        }
    }
    return true;
}

}  // namespace dve
