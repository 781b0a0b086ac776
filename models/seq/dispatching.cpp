// From a record to its worker: the kernel_info look-up and the dispatch arrow.
#include <algorithm>

#include "models/seq/dispatched.h"
#include "tlm/initiator_access.h"
#include "tlm/kernel_info_slot.h"

namespace dve {

std::optional<Fault> Sequencer::dispatch_record(const Record& record, RetireRecord& retire) {
    while (setup_busy_) {  // cycle mode only
        show(SequencerState::DISPATCH);
        pause(progress_event_);
        setup_free_ = current_cycle();
    }
    now_ = std::max(now_, setup_free_);
    retire.issue_cycle = now_;
    release_queue_slot();

    const DispatchGeometry& geometry = isa_.row().dispatch;
    KernelInfoSlot slot;
    slot.worker_address = geometry.default_target;
    if (record.opcode() >= geometry.first_opcode && record.opcode() <= geometry.last_opcode) {
        const unsigned index = record.opcode() - geometry.first_opcode;
        prepare(transaction_, tlm::TLM_READ_COMMAND,
                geometry.table_base + std::uint64_t{index} * sizeof slot, &slot, sizeof slot);
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        kernel_info->b_transport(transaction_, delay);
        check_abandoned();
        signals_.lookup = 1;
        signals_.lookup_address = static_cast<std::uint32_t>(transaction_.get_address());
        signals_.worker_address = slot.worker_address;
    }
    show(SequencerState::DISPATCH);
    if (log_.enabled()) {
        log_.line("S: Dispatch opcode=0x%x", record.opcode());
    }
    if (slot.worker_address == geometry.default_target) {
        const bool in_table =
            record.opcode() >= geometry.first_opcode && record.opcode() <= geometry.last_opcode;
        if (in_table && !retire.opcode->is_modelled()) {
            return Fault{ErrorType::SEQUENCER_FATAL,
                         FaultSubtype::ASSERT,
                         {"not_modelled", "opcode", record.opcode(),
                          "an opcode of the generation that this project models"}};
        }
        if (log_.enabled()) {
            log_.line("S: ErrorHandler : Bad Opcode(0x%x)", record.opcode());
        }
        return Fault{ErrorType::SEQUENCER_FATAL,
                     FaultSubtype::BAD_OPCODE,
                     {"bad_opcode", "opcode", record.opcode(),
                      "an opcode with an entry in the dispatch table of the generation"}};
    }
    now_ += timing_.dispatch;
    retire.worker_address = slot.worker_address;
    dispatch_extension_.kernel_info_flags = slot.flags;
    // READ never begins in the cycle of DISPATCH itself, however short that is.
    dispatch_extension_.ready_cycle = std::max(now_, retire.issue_cycle + 1);
    dispatch_extension_.fault.reset();
    auto fault = mode_ == TimingMode::CYCLE ? begin_dispatch(retire) : run_loosely(retire);
    dispatch_extension_.begins_run &= fault.has_value();
    return fault;
}

/// What is said when the datapath refuses a record without a word.
Fault Sequencer::dispatch_refused(std::uint32_t worker_address) {
    return {
        ErrorType::SEQUENCER_FATAL,
        FaultSubtype::ASSERT,
        {"dispatch", "worker_address", worker_address, "a worker address that the datapath knows"}};
}

std::optional<Fault> Sequencer::run_loosely(RetireRecord& retire) {
    const Record& record = *retire.record;
    // The datapath only reads the record: the payload's pointer type is not const.
    prepare(dispatch_transaction_, tlm::TLM_WRITE_COMMAND, retire.worker_address,
            const_cast<std::uint8_t*>(record.bytes.data()), record_bytes);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    dispatch->b_transport(dispatch_transaction_, delay);
    check_abandoned();
    const DispatchExtension& done = dispatch_extension_;
    if (!dispatch_transaction_.is_response_ok()) {
        return done.fault.value_or(dispatch_refused(retire.worker_address));
    }
    retire.start_cycle = done.start_cycle;
    retire.read_done_cycle = done.read_done_cycle;
    retire.end_cycle = done.end_cycle;
    retire.channels = done.channels;
    retire.elements = done.elements;
    add_stalls(retire.stalls, done.stalls);
    setup_free_ = done.start_cycle;
    if (done.reads_lists) {
        now_ = std::max(now_, done.start_cycle);
    }
    drained_ = std::max(drained_, done.end_cycle);
    return schedule_update(static_cast<UpdateMode>(record.get8(fields::HEADER::update_mode)),
                           "semaphore_value", record.get8(fields::HEADER::update_idx),
                           record.get32(fields::HEADER::semaphore_value), done.read_done_cycle,
                           done.end_cycle);
}

}  // namespace dve
