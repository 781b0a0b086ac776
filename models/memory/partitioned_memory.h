// SBUF and PSUM: a partitioned memory behind TLM target sockets.
#pragma once

#include <tlm.h>
#include <tlm_utils/multi_passthrough_target_socket.h>

#include "models/memory/partition_storage.h"
#include "tlm/systemc_compat.h"

namespace dve {

/// A TLM-2.0 target over the engine-local byte map of one memory: byte b of partition p lies at
/// p * partition_stride + b, counted from the memory's base (isa_wire_format 2.2). Bytes between
/// the active size and the stride answer TLM_ADDRESS_ERROR_RESPONSE. Each partition is a DMI
/// region of its own, read and write, latency zero. Any number of initiators may bind.
///
/// Port use: an access holds the port for ceil(bytes / port width) cycles, annotated to the delay.
class PartitionedMemory : public sc_core::sc_module {
public:
    tlm_utils::multi_passthrough_target_socket<PartitionedMemory> socket;

    /// port_bytes: width of the host's port, bytes a cycle.
    PartitionedMemory(sc_core::sc_module_name name, const MemoryGeometry& geometry,
                      std::uint32_t port_bytes, sc_core::sc_time cycle);

    const MemoryGeometry& geometry() const { return geometry_; }

    /// Zeroes all bytes. DMI pointers stay valid.
    void clear() { storage_.clear(); }

    /// Backdoor for loaders and dumps; null if the range leaves the partition.
    std::uint8_t* bytes(unsigned partition, std::uint64_t byte, std::uint64_t count);

private:
    void b_transport(int id, tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay);
    tlm::tlm_sync_enum nb_transport_fw(int id, tlm::tlm_generic_payload& transaction,
                                       tlm::tlm_phase& phase, sc_core::sc_time& delay);
    bool get_direct_mem_ptr(int id, tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& dmi);
    unsigned transport_dbg(int id, tlm::tlm_generic_payload& transaction);

    std::uint8_t* locate(std::uint64_t address, std::uint64_t count);

    MemoryGeometry geometry_;
    PartitionStorage storage_;
    std::uint32_t port_bytes_;
    sc_core::sc_time cycle_;
};

}  // namespace dve
