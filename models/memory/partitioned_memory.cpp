// Address decoding and the base protocol of a partitioned memory.
#include "models/memory/partitioned_memory.h"

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
      socket("socket", *this),
      lanes("lanes"),
      geometry_(geometry),
      stride_bits_(bits_of(geometry.partition_stride)),
      storage_(geometry),
      read_time_(port_bytes.read, cycle),
      write_time_(port_bytes.write, cycle),
      non_blocking_(
          non_blocking,
          [this](tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) {
              b_transport(0, transaction, delay);
          },
          socket),
      lane_arrow_(*this) {
    lanes.bind(lane_arrow_);
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
    const std::uint64_t last = geometry_.window_bytes() - 1;
    for (int id = 0; id < socket.size(); ++id) {
        socket[id]->invalidate_direct_mem_ptr(0, last);
    }
    if (lanes.size() != 0) {
        lanes->invalidate_direct_mem_ptr(0, last);
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
    const unsigned partition = partition_of(address);
    const std::uint64_t byte = byte_of(address);
    if (partition == dve_num_channels || byte + count > geometry_.partition_bytes) {
        return nullptr;
    }
    return storage_.partition(partition) + byte;
}

inline void PartitionedMemory::access(tlm::tlm_generic_payload& transaction,
                                      sc_core::sc_time& delay, bool free_ports) {
    const bool moved = access_bytes(
        transaction,
        [this](std::uint64_t address, std::uint64_t count) { return locate(address, count); },
        free_ports);
    if (!moved) {
        return;
    }
    PortTime& port = transaction.is_write() ? write_time_ : read_time_;
    const sc_core::sc_time& duration = port.of(transaction.get_data_length());
    if (!free_ports) {
        wait_for_port(transaction, duration, delay);
    }
    delay += duration;
}

void PartitionedMemory::b_transport(int, tlm::tlm_generic_payload& transaction,
                                    sc_core::sc_time& delay) {
    access(transaction, delay, holds_ == nullptr);
}

void PartitionedMemory::PortTime::compute(unsigned length) {
    const std::uint64_t cycles = (std::uint64_t{length} + width_ - 1) / width_;
    length_ = length;
    duration_ = sc_core::sc_time::from_value(cycle_.value() * cycles);
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
    const std::uint64_t now = sc_core::sc_time_stamp().value();
    const std::uint64_t asked = now + delay.value();
    const std::uint64_t start = holds_->acquire(use, asked, duration.value(), now);
    delay += sc_core::sc_time::from_value(start - asked);
}

tlm::tlm_sync_enum PartitionedMemory::nb_transport_fw(int id, tlm::tlm_generic_payload& transaction,
                                                      tlm::tlm_phase& phase,
                                                      sc_core::sc_time& delay) {
    return non_blocking_.transport(id, transaction, phase, delay);
}

bool PartitionedMemory::get_direct_mem_ptr(int, tlm::tlm_generic_payload& transaction,
                                           tlm::tlm_dmi& dmi) {
    return holds_ == nullptr ? grant_direct_access(transaction, dmi)
                             : refuse_direct_access(transaction, dmi);
}

bool PartitionedMemory::grant_direct_access(const tlm::tlm_generic_payload& transaction,
                                            tlm::tlm_dmi& dmi) {
    const std::uint64_t address = transaction.get_address();
    std::uint8_t* bytes_at = locate(address, 1);
    if (bytes_at == nullptr) {
        return refuse_direct_access(transaction, dmi);
    }
    const std::uint64_t byte = byte_of(address);
    dmi.set_start_address(address - byte);
    dmi.set_end_address(address - byte + geometry_.partition_bytes - 1);
    dmi.set_dmi_ptr(bytes_at - byte);
    dmi.set_read_latency(read_time_.cycle());
    dmi.set_write_latency(write_time_.cycle());
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

PartitionedMemory::LaneArrow::LaneArrow(PartitionedMemory& memory)
    : memory_(memory),
      non_blocking_(
          NonBlockingStyle::early_completion(),
          [this](tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) {
              b_transport(transaction, delay);
          },
          memory.lanes) {}

void PartitionedMemory::LaneArrow::b_transport(tlm::tlm_generic_payload& transaction,
                                               sc_core::sc_time& delay) {
    memory_.access(transaction, delay, true);
}

tlm::tlm_sync_enum PartitionedMemory::LaneArrow::nb_transport_fw(
    tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    return non_blocking_.transport(0, transaction, phase, delay);
}

bool PartitionedMemory::LaneArrow::get_direct_mem_ptr(tlm::tlm_generic_payload& transaction,
                                                      tlm::tlm_dmi& dmi) {
    return memory_.grant_direct_access(transaction, dmi);
}

unsigned PartitionedMemory::LaneArrow::transport_dbg(tlm::tlm_generic_payload& transaction) {
    return memory_.transport_dbg(0, transaction);
}

}  // namespace dve
