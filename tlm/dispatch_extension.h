// Side-band of the dispatch arrow (SEQ to datapath): an ignorable extension.
//
// The payload itself is a write of the 64-byte record to the worker's image address.
//
// Loosely timed, one b_transport runs the instruction whole. Cycle by cycle, the phases of
// nb_transport follow it:
//   BEGIN_REQ   dispatched: it is in SETUP (a fault completes the transaction at once)
//   END_REQ     it started: SETUP is free, start_cycle is valid (an index list that is wrong
//               completes it with an error here: BEGIN_RESP)
//   READ_DONE   all sources are read: an ignorable phase
//   BEGIN_RESP  all writes are visible: the whole answer is valid
#pragma once

#include <tlm.h>

#include <cstdint>
#include <optional>

#include "models/isa/fault.h"
#include "tlm/retire_record.h"

namespace dve {

TLM_DECLARE_EXTENDED_PHASE(READ_DONE);

/// Filled by the sequencer before the call, answered by the datapath within it.
struct DispatchExtension : tlm::tlm_extension<DispatchExtension> {
    // Request
    const std::uint32_t* registers = nullptr;  ///< R[0..63]
    std::uint32_t kernel_info_flags = 0;
    std::uint64_t ready_cycle = 0;  ///< first cycle in which the instruction may start
    bool begins_run = false;        ///< the first of a run: the pipeline is empty, cycles restart
    sc_core::sc_time run_start;     ///< SystemC time of cycle 0
    const RetireRecord* retire = nullptr;  ///< what is known of the instruction so far

    // Answer, valid with TLM_OK_RESPONSE
    std::uint64_t start_cycle = 0;
    std::uint64_t read_done_cycle = 0;
    std::uint64_t end_cycle = 0;
    StallCycles stalls{};  ///< HAZARD, PORT, BANK
    unsigned channels = 0;
    std::uint64_t elements = 0;
    /// Index lists are read and checked at the start: the sequencer waits for it.
    bool reads_lists = false;

    // Answer, set with TLM_GENERIC_ERROR_RESPONSE
    std::optional<Fault> fault;

    tlm_extension_base* clone() const override { return new DispatchExtension(*this); }
    void copy_from(const tlm_extension_base& other) override {
        *this = static_cast<const DispatchExtension&>(other);
    }
};

}  // namespace dve
