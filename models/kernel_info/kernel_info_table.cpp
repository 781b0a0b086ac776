// Boot-time registration by stubs, look-up by address.
#include "models/kernel_info/kernel_info_table.h"

#include "tlm/initiator_access.h"
#include "tlm/target_access.h"

namespace dve {

KernelInfoTable::KernelInfoTable(sc_core::sc_module_name name, Generation generation,
                                 AluOp scan_combine, FirmwareLog& log,
                                 const NonBlockingStyle& non_blocking)
    : sc_module(name),
      socket("socket"),
      generation_(generation_row(generation)),
      scan_combine_(scan_combine),
      log_(log),
      slots_(generation_.dispatch.slots()),
      non_blocking_(
          non_blocking,
          [this](tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) {
              b_transport(transaction, delay);
          },
          socket) {
    socket.bind(*this);
    boot();
}

void KernelInfoTable::boot() {
    for (unsigned i = 0; i < slots_.size(); ++i) {
        slots_[i] = {generation_.dispatch.first_opcode + i, 0, 0,
                     generation_.dispatch.default_target};
    }
    for (const OpcodeRow& opcode : opcode_rows()) {
        const WorkerRow* worker = find_worker(opcode.worker);
        if (worker == nullptr || !contains(opcode.wired, generation_.generation)) {
            continue;
        }
        const bool is_scan = opcode.opcode == Opcode::TENSOR_TENSOR_SCAN_ARITH;
        register_worker(opcode, *worker, is_scan ? static_cast<std::uint32_t>(scan_combine_) : 0U);
    }
}

/// What a stub does: it writes the slot of its opcode, the worker's address at +12.
void KernelInfoTable::register_worker(const OpcodeRow& opcode, const WorkerRow& worker,
                                      std::uint32_t flags) {
    KernelInfoSlot slot{opcode.value(), static_cast<std::uint32_t>(opcode.layout), flags,
                        worker.address(generation_.generation)};
    const unsigned index = opcode.value() - generation_.dispatch.first_opcode;
    tlm::tlm_generic_payload transaction;
    prepare(transaction, tlm::TLM_WRITE_COMMAND,
            generation_.dispatch.table_base + std::uint64_t{index} * slot_bytes, &slot, slot_bytes);
    sc_core::sc_time delay;
    b_transport(transaction, delay);
    if (log_.enabled()) {
        log_.line("R: register opcode=0x%x stub=0x%x worker=0x%x", opcode.value(),
                  worker.stub[static_cast<std::size_t>(generation_.generation)].value,
                  slot.worker_address);
    }
}

std::uint8_t* KernelInfoTable::locate(std::uint64_t address, std::uint64_t count) {
    const std::uint64_t size = slots_.size() * slot_bytes;
    const std::uint64_t base = generation_.dispatch.table_base;
    if (address < base || address - base >= size || count > size - (address - base)) {
        return nullptr;
    }
    return reinterpret_cast<std::uint8_t*>(slots_.data()) + (address - base);
}

void KernelInfoTable::b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time&) {
    // No DMI: a registration must be seen by the next look-up.
    access_bytes(
        transaction,
        [this](std::uint64_t address, std::uint64_t count) { return locate(address, count); },
        false);
}

tlm::tlm_sync_enum KernelInfoTable::nb_transport_fw(tlm::tlm_generic_payload& transaction,
                                                    tlm::tlm_phase& phase,
                                                    sc_core::sc_time& delay) {
    return non_blocking_.transport(0, transaction, phase, delay);
}

bool KernelInfoTable::get_direct_mem_ptr(tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& dmi) {
    return refuse_direct_access(transaction, dmi);
}

unsigned KernelInfoTable::transport_dbg(tlm::tlm_generic_payload& transaction) {
    return debug_bytes(transaction, [this](std::uint64_t address, std::uint64_t& available) {
        std::uint8_t* bytes = locate(address, 1);
        if (bytes != nullptr) {
            available = slots_.size() * slot_bytes - (address - generation_.dispatch.table_base);
        }
        return bytes;
    });
}

}  // namespace dve
