// The base protocol over one array of bytes.
#include "platform/system_memory.h"

#include "tlm/target_access.h"

namespace dve {

SystemMemory::SystemMemory(sc_core::sc_module_name name, std::size_t bytes,
                           sc_core::sc_time latency, const NonBlockingStyle& non_blocking)
    : sc_module(name),
      socket("socket", *this),
      bytes_(bytes),
      latency_(latency),
      non_blocking_(
          non_blocking,
          [this](tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) {
              b_transport(0, transaction, delay);
          },
          socket) {}

std::uint8_t* SystemMemory::locate(std::uint64_t address, std::uint64_t count) {
    if (address >= bytes_.size() || count > bytes_.size() - address) {
        return nullptr;
    }
    return bytes_.data() + address;
}

void SystemMemory::b_transport(int, tlm::tlm_generic_payload& transaction,
                               sc_core::sc_time& delay) {
    access_bytes(
        transaction,
        [this](std::uint64_t address, std::uint64_t count) { return locate(address, count); },
        true);
    delay += latency_;
}

tlm::tlm_sync_enum SystemMemory::nb_transport_fw(int id, tlm::tlm_generic_payload& transaction,
                                                 tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    return non_blocking_.transport(id, transaction, phase, delay);
}

bool SystemMemory::get_direct_mem_ptr(int, tlm::tlm_generic_payload& transaction,
                                      tlm::tlm_dmi& dmi) {
    if (locate(transaction.get_address(), 1) == nullptr) {
        return refuse_direct_access(transaction, dmi);
    }
    dmi.set_start_address(0);
    dmi.set_end_address(bytes_.size() - 1);
    dmi.set_dmi_ptr(bytes_.data());
    dmi.set_read_latency(latency_);
    dmi.set_write_latency(latency_);
    dmi.allow_read_write();
    return true;
}

unsigned SystemMemory::transport_dbg(int, tlm::tlm_generic_payload& transaction) {
    return debug_bytes(transaction, [this](std::uint64_t address, std::uint64_t& available) {
        std::uint8_t* bytes = locate(address, 1);
        available = bytes == nullptr ? 0 : bytes_.size() - address;
        return bytes;
    });
}

}  // namespace dve
