// A plain byte memory behind a TLM target: where programs and host data lie.
#pragma once

#include <tlm.h>

#include <cstdint>
#include <vector>

#include "tlm/non_blocking_target.h"
#include "tlm/numbered_target_socket.h"
#include "tlm/systemc_compat.h"

namespace dve {

/// Every base-protocol duty of a memory: byte enables, streaming, DMI over the whole range, debug.
class SystemMemory : public sc_core::sc_module {
public:
    NumberedTargetSocket<SystemMemory> socket;

    /// latency: annotated to each access.
    SystemMemory(sc_core::sc_module_name name, std::size_t bytes,
                 sc_core::sc_time latency = sc_core::SC_ZERO_TIME,
                 const NonBlockingStyle& non_blocking = {});

    std::vector<std::uint8_t>& bytes() { return bytes_; }

private:
    friend NumberedTargetSocket<SystemMemory>;

    void b_transport(int id, tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay);
    tlm::tlm_sync_enum nb_transport_fw(int id, tlm::tlm_generic_payload& transaction,
                                       tlm::tlm_phase& phase, sc_core::sc_time& delay);
    bool get_direct_mem_ptr(int id, tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& dmi);
    unsigned transport_dbg(int id, tlm::tlm_generic_payload& transaction);
    std::uint8_t* locate(std::uint64_t address, std::uint64_t count);

    std::vector<std::uint8_t> bytes_;
    sc_core::sc_time latency_;
    NonBlockingTarget non_blocking_;
};

}  // namespace dve
