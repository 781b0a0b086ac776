// Address decoding and the base protocol of a partitioned memory.
#include "models/memory/partitioned_memory.h"

#include <algorithm>

#include "tlm/lane_access.h"
#include "tlm/target_access.h"

namespace dve {

PartitionedMemory::PartitionedMemory(sc_core::sc_module_name name, const MemoryGeometry& geometry,
                                     PortWidth port_bytes, sc_core::sc_time cycle)
    : sc_module(name),
      socket("socket"),
      geometry_(geometry),
      storage_(geometry),
      port_bytes_(port_bytes),
      cycle_(cycle) {
    socket.register_b_transport(this, &PartitionedMemory::b_transport);
    socket.register_nb_transport_fw(this, &PartitionedMemory::nb_transport_fw);
    socket.register_get_direct_mem_ptr(this, &PartitionedMemory::get_direct_mem_ptr);
    socket.register_transport_dbg(this, &PartitionedMemory::transport_dbg);
}

std::uint8_t* PartitionedMemory::bytes(unsigned partition, std::uint64_t byte,
                                       std::uint64_t count) {
    if (partition >= dve_num_channels || byte > geometry_.partition_bytes ||
        count > geometry_.partition_bytes - byte) {
        return nullptr;
    }
    return storage_.partition(partition) + byte;
}

std::uint8_t* PartitionedMemory::locate(std::uint64_t address, std::uint64_t count) {
    const std::uint64_t partition = address / geometry_.partition_stride;
    if (partition >= dve_num_channels) {
        return nullptr;
    }
    return bytes(static_cast<unsigned>(partition), address % geometry_.partition_stride, count);
}

void PartitionedMemory::b_transport(int, tlm::tlm_generic_payload& transaction,
                                    sc_core::sc_time& delay) {
    access_bytes(
        transaction,
        [this](std::uint64_t address, std::uint64_t count) { return locate(address, count); },
        true);
    if (transaction.is_response_ok()) {
        use_port(transaction, delay);
    }
}

void PartitionedMemory::use_port(const tlm::tlm_generic_payload& transaction,
                                 sc_core::sc_time& delay) {
    const std::uint32_t width = transaction.is_write() ? port_bytes_.write : port_bytes_.read;
    const sc_core::sc_time duration =
        cycle_ * ((transaction.get_data_length() + width - 1) / width);
    if (holds_ == nullptr || transaction.get_extension<LaneAccess>() != nullptr) {
        delay += duration;
        return;
    }
    const auto partition =
        static_cast<unsigned>(transaction.get_address() / geometry_.partition_stride);
    const std::uint64_t byte = transaction.get_address() % geometry_.partition_stride;
    const std::uint64_t last = byte + std::max(transaction.get_data_length(), 1U) - 1;
    const PortUse use{transaction.is_write(), partition, partition,
                      static_cast<unsigned>(byte / geometry_.bank_bytes()),
                      static_cast<unsigned>(last / geometry_.bank_bytes())};
    const std::uint64_t now = picoseconds(sc_core::sc_time_stamp());
    const std::uint64_t asked = now + picoseconds(delay);
    const std::uint64_t start = holds_->acquire(use, asked, picoseconds(duration), now);
    delay += sc_core::sc_time(static_cast<double>(start - asked), sc_core::SC_PS) + duration;
}

tlm::tlm_sync_enum PartitionedMemory::nb_transport_fw(int, tlm::tlm_generic_payload& transaction,
                                                      tlm::tlm_phase& phase,
                                                      sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_REQ) {
        return tlm::TLM_ACCEPTED;
    }
    b_transport(0, transaction, delay);
    phase = tlm::BEGIN_RESP;
    return tlm::TLM_COMPLETED;
}

bool PartitionedMemory::get_direct_mem_ptr(int, tlm::tlm_generic_payload& transaction,
                                           tlm::tlm_dmi& dmi) {
    const std::uint64_t address = transaction.get_address();
    std::uint8_t* bytes_at = locate(address, 1);
    const bool seen_at_ports =
        holds_ != nullptr && transaction.get_extension<LaneAccess>() == nullptr;
    if (bytes_at == nullptr || seen_at_ports) {
        dmi.set_start_address(address);
        dmi.set_end_address(address);
        dmi.allow_none();
        return false;
    }
    const std::uint64_t byte = address % geometry_.partition_stride;
    dmi.set_start_address(address - byte);
    dmi.set_end_address(address - byte + geometry_.partition_bytes - 1);
    dmi.set_dmi_ptr(bytes_at - byte);
    dmi.set_read_latency(sc_core::SC_ZERO_TIME);
    dmi.set_write_latency(sc_core::SC_ZERO_TIME);
    dmi.allow_read_write();
    return true;
}

unsigned PartitionedMemory::transport_dbg(int, tlm::tlm_generic_payload& transaction) {
    return debug_bytes(transaction, [this](std::uint64_t address, std::uint64_t& available) {
        std::uint8_t* bytes_at = locate(address, 1);
        if (bytes_at != nullptr) {
            available = geometry_.partition_bytes - address % geometry_.partition_stride;
        }
        return bytes_at;
    });
}

}  // namespace dve
