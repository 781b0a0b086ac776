// DMI to whole partitions, or a shadow copy where DMI is denied.
#include <algorithm>

#include "models/dve/dve_datapath.h"
#include "tlm/initiator_access.h"

namespace dve {

MemoryPort::MemoryPort(const char* name, const MemoryGeometry& geometry)
    : socket(name), geometry_(geometry) {
    socket.register_invalidate_direct_mem_ptr(this, &MemoryPort::invalidate);
}

void MemoryPort::invalidate(sc_dt::uint64, sc_dt::uint64) { state_ = State::UNKNOWN; }

/// Asks for every partition; direct use needs all of them, at one distance from each other.
void MemoryPort::acquire() {
    state_ = State::SHADOWED;
    for (unsigned p = 0; p < dve_num_channels; ++p) {
        const std::uint64_t start = std::uint64_t{p} * geometry_.partition_stride;
        std::uint8_t unused = 0;
        prepare(transaction_, tlm::TLM_WRITE_COMMAND, start, &unused, 1);
        tlm::tlm_dmi dmi;
        if (!socket->get_direct_mem_ptr(transaction_, dmi) || !dmi.is_read_write_allowed() ||
            dmi.get_start_address() > start ||
            dmi.get_end_address() < start + geometry_.partition_bytes - 1) {
            return;
        }
        std::uint8_t* row = dmi.get_dmi_ptr() + (start - dmi.get_start_address());
        if (p == 0) {
            direct_.first = row;
        } else if (p == 1) {
            direct_.stride = row - direct_.first;
        } else if (row != direct_.partition(p)) {
            return;
        }
    }
    state_ = State::DIRECT;
}

MemoryRows MemoryPort::rows() {
    if (state_ == State::DIRECT) {
        return direct_;
    }
    return {shadow_.data(), static_cast<std::ptrdiff_t>(geometry_.partition_bytes)};
}

bool MemoryPort::open(unsigned first_partition, unsigned partitions, std::int64_t low,
                      std::int64_t high) {
    if (direct()) {
        return true;
    }
    shadow_.resize(std::size_t{geometry_.partition_bytes} * dve_num_channels);
    return transfer(tlm::TLM_READ_COMMAND, first_partition, partitions, low, high);
}

bool MemoryPort::close(unsigned first_partition, unsigned partitions, std::int64_t low,
                       std::int64_t high) {
    return state_ == State::DIRECT ||
           transfer(tlm::TLM_WRITE_COMMAND, first_partition, partitions, low, high);
}

bool MemoryPort::transfer(tlm::tlm_command command, unsigned first_partition, unsigned partitions,
                          std::int64_t low, std::int64_t high) {
    for (unsigned p = first_partition; p < first_partition + partitions; ++p) {
        prepare(transaction_, command,
                std::uint64_t{p} * geometry_.partition_stride + static_cast<std::uint64_t>(low),
                rows().partition(p) + low, static_cast<unsigned>(high - low));
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        socket->b_transport(transaction_, delay);
        if (!transaction_.is_response_ok()) {
            return false;
        }
    }
    return true;
}

}  // namespace dve
