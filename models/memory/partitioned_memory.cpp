// Address decoding and the base protocol of a partitioned memory.
#include "models/memory/partitioned_memory.h"

#include "tlm/lane_access.h"
#include "tlm/target_access.h"

namespace dve {
namespace {

/// The power of two that a stride is.
unsigned bits_of(std::uint32_t stride) {
    unsigned bits = 0;
    while ((std::uint64_t{1} << bits) < stride) {
        ++bits;
    }
    sc_assert((std::uint64_t{1} << bits) == stride);
    return bits;
}

}  // namespace

PartitionedMemory::PartitionedMemory(sc_core::sc_module_name name, const MemoryGeometry& geometry,
                                     PortWidth port_bytes, sc_core::sc_time cycle,
                                     const NonBlockingStyle& non_blocking)
    : sc_module(name),
      socket("socket"),
      geometry_(geometry),
      stride_bits_(bits_of(geometry.partition_stride)),
      storage_(geometry),
      port_bytes_(port_bytes),
      cycle_(cycle),
      non_blocking_(
          non_blocking,
          [this](tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) {
              b_transport(0, transaction, delay);
          },
          [this](int id, tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase,
                 sc_core::sc_time& delay) {
              return socket[static_cast<unsigned>(id)]->nb_transport_bw(transaction, phase, delay);
          }) {
    socket.register_b_transport(this, &PartitionedMemory::b_transport);
    socket.register_nb_transport_fw(this, &PartitionedMemory::nb_transport_fw);
    socket.register_get_direct_mem_ptr(this, &PartitionedMemory::get_direct_mem_ptr);
    socket.register_transport_dbg(this, &PartitionedMemory::transport_dbg);
}

void PartitionedMemory::share_ports(PortHolds& holds) {
    holds_ = &holds;
    withdraw_direct_access();
}

void PartitionedMemory::withdraw_direct_access() {
    if (!direct_access_granted_) {
        return;
    }
    direct_access_granted_ = false;
    for (unsigned id = 0; id < socket.size(); ++id) {
        socket[id]->invalidate_direct_mem_ptr(0, geometry_.window_bytes() - 1);
    }
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
    return bytes(partition_of(address), byte_of(address), count);
}

void PartitionedMemory::b_transport(int, tlm::tlm_generic_payload& transaction,
                                    sc_core::sc_time& delay) {
    access_bytes(
        transaction,
        [this](std::uint64_t address, std::uint64_t count) { return locate(address, count); },
        grants_direct_access(transaction));
    const bool moves = transaction.is_read() || transaction.is_write();
    if (transaction.is_response_ok() && moves) {
        use_port(transaction, delay);
    }
}

bool PartitionedMemory::grants_direct_access(const tlm::tlm_generic_payload& transaction) const {
    return holds_ == nullptr || transaction.get_extension<LaneAccess>() != nullptr;
}

void PartitionedMemory::use_port(const tlm::tlm_generic_payload& transaction,
                                 sc_core::sc_time& delay) {
    const std::uint32_t width = transaction.is_write() ? port_bytes_.write : port_bytes_.read;
    const unsigned length = transaction.get_data_length();
    const sc_core::sc_time duration =
        length <= width
            ? cycle_
            : sc_core::sc_time::from_value(cycle_.value() * ((length + width - 1) / width));
    if (!grants_direct_access(transaction)) {
        wait_for_port(transaction, duration, delay);
    }
    delay += duration;
}

/// Adds the time until the port is free for `duration`, and holds it.
void PartitionedMemory::wait_for_port(const tlm::tlm_generic_payload& transaction,
                                      const sc_core::sc_time& duration, sc_core::sc_time& delay) {
    const unsigned partition = partition_of(transaction.get_address());
    const std::uint64_t byte = byte_of(transaction.get_address());
    const std::uint64_t last = byte + touched_bytes(transaction) - 1;
    const PortUse use{transaction.is_write(), partition, partition,
                      static_cast<unsigned>(byte / geometry_.bank_bytes()),
                      static_cast<unsigned>(last / geometry_.bank_bytes())};
    const std::uint64_t now = picoseconds(sc_core::sc_time_stamp());
    const std::uint64_t asked = now + picoseconds(delay);
    const std::uint64_t start = holds_->acquire(use, asked, picoseconds(duration), now);
    delay += sc_core::sc_time(static_cast<double>(start - asked), sc_core::SC_PS);
}

tlm::tlm_sync_enum PartitionedMemory::nb_transport_fw(int id, tlm::tlm_generic_payload& transaction,
                                                      tlm::tlm_phase& phase,
                                                      sc_core::sc_time& delay) {
    return non_blocking_.transport(id, transaction, phase, delay);
}

bool PartitionedMemory::get_direct_mem_ptr(int, tlm::tlm_generic_payload& transaction,
                                           tlm::tlm_dmi& dmi) {
    const std::uint64_t address = transaction.get_address();
    std::uint8_t* bytes_at = locate(address, 1);
    if (bytes_at == nullptr || !grants_direct_access(transaction)) {
        dmi.set_start_address(address);
        dmi.set_end_address(address);
        dmi.allow_none();
        return false;
    }
    const std::uint64_t byte = byte_of(address);
    dmi.set_start_address(address - byte);
    dmi.set_end_address(address - byte + geometry_.partition_bytes - 1);
    dmi.set_dmi_ptr(bytes_at - byte);
    dmi.set_read_latency(sc_core::SC_ZERO_TIME);
    dmi.set_write_latency(sc_core::SC_ZERO_TIME);
    dmi.allow_read_write();
    direct_access_granted_ = true;
    return true;
}

unsigned PartitionedMemory::transport_dbg(int, tlm::tlm_generic_payload& transaction) {
    return debug_bytes(transaction, [this](std::uint64_t address, std::uint64_t& available) {
        std::uint8_t* bytes_at = locate(address, 1);
        if (bytes_at != nullptr) {
            available = geometry_.partition_bytes - byte_of(address);
        }
        return bytes_at;
    });
}

}  // namespace dve
