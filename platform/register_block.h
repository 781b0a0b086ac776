// The csr socket: 32-bit registers, R[] and the semaphore windows.
#pragma once

#include <tlm.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>

#include "models/dve/dve_datapath.h"
#include "models/seq/sequencer.h"
#include "tlm/systemc_compat.h"

namespace dve {

/// Offsets of the registers, from platform/registers.def.
namespace csr {
#define REGISTER(name, offset, access, what) inline constexpr std::uint32_t name = offset;
#include "platform/registers.def"
#undef REGISTER

inline constexpr std::uint32_t registers_window = 0x0400;  ///< R[n] at + 4n, read and write
inline constexpr std::uint32_t semaphore_read = 0x1000;    ///< + 4 * index (isa_wire_format 1.3)
inline constexpr std::uint32_t semaphore_set = 0x1400;
inline constexpr std::uint32_t semaphore_increment = 0x1800;
inline constexpr std::uint32_t semaphore_decrement = 0x1C00;
inline constexpr std::uint32_t window_bytes = 0x2000;

inline constexpr std::uint32_t interrupt_run_ended = 1U << 0;
inline constexpr std::uint32_t interrupt_fault = 1U << 1;
}  // namespace csr

/// A TLM-2.0 target of aligned 32-bit words. Other sizes answer TLM_BURST_ERROR_RESPONSE, byte
/// enables TLM_BYTE_ENABLE_ERROR_RESPONSE, addresses without a register and accesses against its
/// kind TLM_ADDRESS_ERROR_RESPONSE and TLM_COMMAND_ERROR_RESPONSE. Debug reads have no side effect.
class RegisterBlock : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<RegisterBlock> socket;
    sc_core::sc_out<bool> irq;

    RegisterBlock(sc_core::sc_module_name name, Sequencer& sequencer, DveDatapath& datapath,
                  std::function<void()> reset);

    /// Interrupt causes and enables as after power-on.
    void reset();

private:
    void b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay);
    unsigned transport_dbg(tlm::tlm_generic_payload& transaction);
    tlm::tlm_response_status read(std::uint32_t offset, std::uint32_t& value) const;
    tlm::tlm_response_status write(std::uint32_t offset, std::uint32_t value);
    void run_ended();
    void drive_irq();

    Sequencer& sequencer_;
    DveDatapath& datapath_;
    std::function<void()> reset_;
    std::uint64_t program_base_ = 0;
    std::uint32_t program_bytes_ = 0;
    std::uint32_t interrupt_ = 0;
    std::uint32_t interrupt_enable_ = 0;
    sc_core::sc_event irq_event_;
};

}  // namespace dve
