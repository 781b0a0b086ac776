// The csr socket: 32-bit registers, R[] and the semaphore windows.
#pragma once

#include <tlm.h>

#include <array>
#include <cstdint>
#include <functional>
#include <utility>

#include "models/dve/dve_datapath.h"
#include "models/seq/sequencer.h"
#include "platform/register_table.h"
#include "tlm/non_blocking_target.h"
#include "tlm/systemc_compat.h"

namespace dve {

/// A TLM-2.0 target of aligned 32-bit words. Other sizes answer TLM_BURST_ERROR_RESPONSE, byte
/// enables TLM_BYTE_ENABLE_ERROR_RESPONSE, addresses without a register and accesses against its
/// kind TLM_ADDRESS_ERROR_RESPONSE and TLM_COMMAND_ERROR_RESPONSE; while reset_n is low, writes
/// answer TLM_GENERIC_ERROR_RESPONSE. Debug reads have no side effect, debug writes move nothing.
///
/// An access takes effect at the time that its initiator says, stamp and delay, for it can start
/// what others see: b_transport waits that long first.
class RegisterBlock : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
public:
    tlm::tlm_target_socket<> socket;
    sc_core::sc_out<bool> irq;
    sc_core::sc_in<bool> reset_n;

    RegisterBlock(sc_core::sc_module_name name, Sequencer& sequencer, DveDatapath& datapath,
                  std::function<void()> reset, sc_core::sc_time access_time,
                  const NonBlockingStyle& non_blocking = {});

    /// Every register as after power-on.
    void reset();

private:
    void end_of_elaboration() override;
    void b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) override;
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& dmi) override;
    unsigned transport_dbg(tlm::tlm_generic_payload& transaction) override;
    void access(tlm::tlm_generic_payload& transaction);
    tlm::tlm_response_status read(csr::Word word, std::uint32_t offset, std::uint32_t& value) const;
    std::uint32_t read_window(const csr::WindowRow& window, unsigned index) const;
    std::uint32_t read_register(const csr::RegisterRow& row) const;
    std::uint64_t count_of(csr::Counter counter) const;
    tlm::tlm_response_status read_word(std::uint32_t offset, std::uint8_t* data);
    tlm::tlm_response_status write(std::uint32_t offset, std::uint32_t value);
    void write_window(const csr::WindowRow& window, unsigned index, std::uint32_t value);
    bool write_register(const csr::RegisterRow& row, std::uint32_t value);
    bool start(std::uint32_t what);
    std::uint32_t& stored(std::uint32_t offset);
    /// A register of 64 bits in two words.
    std::uint64_t stored_pair(std::uint32_t low_offset);
    void take_causes();
    void drive_irq();

    Sequencer& sequencer_;
    DveDatapath& datapath_;
    std::function<void()> reset_;
    sc_core::sc_time access_time_;
    /// What reset_n is bound to; null before the end of elaboration, when a backdoor may write.
    const sc_core::sc_signal_in_if<bool>* reset_line_ = nullptr;
    /// What registers hold that are not read from the engine, by row.
    std::array<std::uint32_t, csr::register_count> stored_{};
    /// High words, taken when the low word was read.
    std::array<std::uint32_t, csr::counter_count> latched_{};
    sc_core::sc_event irq_event_;
    NonBlockingTarget non_blocking_;
};

}  // namespace dve
