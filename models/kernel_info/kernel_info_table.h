// The kernel_info registration table: which worker serves an opcode (isa_wire_format 7.2).
#pragma once

#include <tlm.h>

#include <array>
#include <vector>

#include "models/isa/alu_op.h"
#include "models/isa/generation.h"
#include "models/isa/worker_row.h"
#include "tlm/firmware_log.h"
#include "tlm/kernel_info_slot.h"
#include "tlm/non_blocking_target.h"
#include "tlm/systemc_compat.h"

namespace dve {

/// A TLM-2.0 target in the sequencer's data memory: slot = base + 16 * (opcode - first opcode).
/// Registration is a write, look-up a read. At boot a stub per wired opcode writes its slot; all
/// others keep the default entry, which raises "Bad Opcode".
class KernelInfoTable : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
public:
    tlm::tlm_target_socket<> socket;

    KernelInfoTable(sc_core::sc_module_name name, Generation generation, AluOp scan_combine,
                    FirmwareLog& log, const NonBlockingStyle& non_blocking = {});

    /// Every slot to the default entry, then the stubs run. Also part of a reset.
    void boot();

    static constexpr std::uint32_t slot_bytes = sizeof(KernelInfoSlot);

private:
    void b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) override;
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& dmi) override;
    unsigned transport_dbg(tlm::tlm_generic_payload& transaction) override;
    std::uint8_t* locate(std::uint64_t address, std::uint64_t count);
    void register_worker(const OpcodeRow& opcode, const WorkerRow& worker, std::uint32_t flags);

    const GenerationRow& generation_;
    AluOp scan_combine_;
    FirmwareLog& log_;
    std::vector<KernelInfoSlot> slots_;
    NonBlockingTarget non_blocking_;
};

}  // namespace dve
