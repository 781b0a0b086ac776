// SBUF and PSUM: a partitioned memory behind TLM target sockets.
#pragma once

#include <tlm.h>

#include "models/memory/partition_storage.h"
#include "tlm/non_blocking_target.h"
#include "tlm/numbered_target_socket.h"
#include "tlm/port_holds.h"
#include "tlm/systemc_compat.h"

namespace dve {

/// TLM-2.0 targets over the engine-local byte map of one memory: byte b of partition p lies at
/// p * partition_stride + b, counted from the memory's base (isa_wire_format 2.2). Bytes between
/// the active size and the stride answer TLM_ADDRESS_ERROR_RESPONSE. Each partition is a DMI
/// region of its own, read and write; its latency is a cycle, a beat of either port.
///
/// Port use: an access holds the port for ceil(bytes / port width) cycles, annotated to the delay.
/// Where the ports are shared (share_ports), accesses of others than the lanes also wait for each
/// other, hold what the lanes need, and get no DMI.
class PartitionedMemory : public sc_core::sc_module {
public:
    /// For everybody but the lanes.
    NumberedTargetSocket<PartitionedMemory> socket;
    /// For the lanes, whose port use is known beat by beat. May stay unbound.
    tlm::tlm_target_socket<32, tlm::tlm_base_protocol_types, 1, sc_core::SC_ZERO_OR_MORE_BOUND>
        lanes;

    /// Bytes a cycle.
    struct PortWidth {
        std::uint32_t read;
        std::uint32_t write;
        PortWidth(std::uint32_t both) : read(both), write(both) {}
        PortWidth(std::uint32_t read_bytes, std::uint32_t write_bytes)
            : read(read_bytes), write(write_bytes) {}
    };

    PartitionedMemory(sc_core::sc_module_name name, const MemoryGeometry& geometry,
                      PortWidth port_bytes, sc_core::sc_time cycle,
                      const NonBlockingStyle& non_blocking = {});

    /// Accesses of others than the lanes are entered in `holds`, which must outlive the memory.
    /// Direct access that was granted before is withdrawn.
    void share_ports(PortHolds& holds);

    /// Tells everybody who was granted direct access to ask again. A reset does so.
    void withdraw_direct_access();

    const MemoryGeometry& geometry() const { return geometry_; }

    /// Zeroes all bytes. DMI pointers stay valid.
    void clear() { storage_.clear(); }

    /// Backdoor for loaders and dumps; null if the range leaves the partition.
    std::uint8_t* bytes(unsigned partition, std::uint64_t byte, std::uint64_t count);

private:
    class LaneArrow : public tlm::tlm_fw_transport_if<> {
    public:
        explicit LaneArrow(PartitionedMemory& memory);

    private:
        void b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) override;
        tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& transaction,
                                           tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
        bool get_direct_mem_ptr(tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& dmi) override;
        unsigned transport_dbg(tlm::tlm_generic_payload& transaction) override;

        PartitionedMemory& memory_;
        NonBlockingTarget non_blocking_;
    };

    friend NumberedTargetSocket<PartitionedMemory>;

    /// How long a port is in use, kept for the next access, which mostly has the same length.
    class PortTime {
    public:
        PortTime(std::uint32_t bytes_a_cycle, const sc_core::sc_time& cycle)
            : width_(bytes_a_cycle), cycle_(cycle) {}
        const sc_core::sc_time& of(unsigned length) {
            if (length != length_) {
                compute(length);
            }
            return duration_;
        }

        const sc_core::sc_time& cycle() const { return cycle_; }

    private:
        void compute(unsigned length);

        std::uint32_t width_;
        unsigned length_ = 0;
        sc_core::sc_time cycle_;
        sc_core::sc_time duration_;  ///< of length_
    };

    void b_transport(int id, tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay);
    tlm::tlm_sync_enum nb_transport_fw(int id, tlm::tlm_generic_payload& transaction,
                                       tlm::tlm_phase& phase, sc_core::sc_time& delay);
    bool get_direct_mem_ptr(int id, tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& dmi);
    unsigned transport_dbg(int id, tlm::tlm_generic_payload& transaction);

    /// `free_ports`: the access waits for nobody and is seen by nobody.
    void access(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay, bool free_ports);
    bool grant_direct_access(const tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& dmi);
    void wait_for_port(const tlm::tlm_generic_payload& transaction,
                       const sc_core::sc_time& duration, sc_core::sc_time& delay);
    std::uint8_t* locate(std::uint64_t address, std::uint64_t count);

    unsigned partition_of(std::uint64_t address) const {
        const std::uint64_t partition = address >> stride_bits_;
        return partition < dve_num_channels ? static_cast<unsigned>(partition) : dve_num_channels;
    }
    std::uint64_t byte_of(std::uint64_t address) const {
        return address & (geometry_.partition_stride - 1);
    }

    MemoryGeometry geometry_;
    unsigned
        stride_bits_;  ///< partition strides are powers of two: a division is most of an access
    PartitionStorage storage_;
    PortTime read_time_;
    PortTime write_time_;
    PortHolds* holds_ = nullptr;
    bool direct_access_granted_ = false;
    NonBlockingTarget non_blocking_;
    LaneArrow lane_arrow_;
};

}  // namespace dve
