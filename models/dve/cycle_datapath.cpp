// The datapath cycle by cycle: the phases of the dispatch arrow and the process of the pipeline.
#include <algorithm>
#include <cstring>

#include "models/dve/dve_datapath.h"

namespace dve {
namespace {

DispatchExtension& extension_of(tlm::tlm_generic_payload& transaction) {
    return *transaction.get_extension<DispatchExtension>();
}

tlm::tlm_generic_payload& transaction_of(std::uint64_t tag) {
    return *reinterpret_cast<tlm::tlm_generic_payload*>(static_cast<std::uintptr_t>(tag));
}

}  // namespace

tlm::tlm_sync_enum DveDatapath::nb_transport_fw(tlm::tlm_generic_payload& transaction,
                                                tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (phase != tlm::BEGIN_REQ) {
        return tlm::TLM_ACCEPTED;  // END_RESP, or a phase of somebody else
    }
    auto* extension = transaction.get_extension<DispatchExtension>();
    if (!transaction.is_write() || transaction.get_data_length() != record_bytes ||
        transaction.get_byte_enable_ptr() != nullptr || extension == nullptr ||
        !transaction.has_mm() || !pipeline_.accepts()) {
        transaction.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        return tlm::TLM_COMPLETED;
    }
    extension->fault = accept(transaction, *extension);
    if (extension->fault) {
        transaction.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        return tlm::TLM_COMPLETED;
    }
    transaction.acquire();
    outstanding_.push_back(&transaction);
    return tlm::TLM_ACCEPTED;
}

std::optional<Fault> DveDatapath::accept(tlm::tlm_generic_payload& transaction,
                                         DispatchExtension& extension) {
    Record record;
    std::memcpy(record.bytes.data(), transaction.get_data_ptr(), record_bytes);
    const auto worker_address = static_cast<std::uint32_t>(transaction.get_address());
    PreparedProgram* prepared = nullptr;
    if (auto fault = lookup(record, worker_address, extension, prepared)) {
        return fault;
    }
    // Beats go to the lanes' own rows: a copy would miss what others write meanwhile.
    if (!(sbuf.direct() & (!isa_.psum.present || psum.direct()))) {
        return Fault{ErrorType::MEMORY_ERROR,
                     FaultSubtype::ASSERT,
                     {"memory_response", "dmi_allowed", 0,
                      "memories that grant DMI to the datapath in cycle mode"}};
    }
    if (log_.enabled()) {
        log_operation(*prepared->worker, prepared->program);
    }
    if (extension.begins_run) {
        pipeline_.clear();
        run_start_ = extension.run_start;
        pipeline_.set_time(run_start_.value(), cycle_.value());
    }
    pipeline_.set_memories(sbuf.rows(), psum.rows());
    extension.channels = prepared->program.channels;
    extension.elements = prepared->program.elements;
    extension.reads_lists = prepared->program.reads_lists();
    RetireRecord shown = extension.retire != nullptr ? *extension.retire : RetireRecord{};
    shown.channels = extension.channels;
    shown.elements = extension.elements;
    const bool sleeping = pipeline_.idle();
    pipeline_.accept(prepared->program, prepared->plan, prepared->cost, semantics_.numbers,
                     reinterpret_cast<std::uintptr_t>(&transaction), extension.ready_cycle, shown);
    if (sleeping) {
        next_cycle_ = std::max(current_cycle(), extension.ready_cycle);
        wake_at(next_cycle_);
    }
    return std::nullopt;
}

sc_core::sc_time DveDatapath::time_of(std::uint64_t cycle) const {
    return run_start_ + cycle_ * static_cast<double>(cycle);
}

std::uint64_t DveDatapath::current_cycle() const {
    return static_cast<std::uint64_t>((sc_core::sc_time_stamp() - run_start_).value() /
                                      cycle_.value());
}

void DveDatapath::wake_at(std::uint64_t cycle) {
    settled_ = false;
    wake_.notify(time_of(cycle) - sc_core::sc_time_stamp());
}

/// Runs the cycle whose time has come and, while nobody else has anything pending, those after it.
void DveDatapath::run_cycles() {
    if (pipeline_.idle()) {
        return;  // a reset came between two activations
    }
    // Accesses of others in this time step come first: the lanes lose ties (timing).
    if (!settled_) {
        settled_ = true;
        next_trigger(sc_core::SC_ZERO_TIME);
        return;
    }
    const sc_core::sc_time now = sc_core::sc_time_stamp();
    const std::uint64_t first = next_cycle_;
    std::uint64_t last = first;  // runs without anybody noticing
    bool alone = !sc_core::sc_pending_activity_at_current_time();
    if (alone) {
        const sc_core::sc_time quiet = sc_core::sc_time_to_pending_activity();
        const std::uint64_t cycles = (quiet.value() + cycle_.value() - 1) / cycle_.value();
        last = first + std::min<std::uint64_t>(cycles - 1, run_ahead_ - 1U);
    }
    for (;; ++next_cycle_) {
        if (pipeline_.event_due(next_cycle_)) {
            if (next_cycle_ != first) {
                break;
            }
            pipeline_.begin_cycle(next_cycle_, *this);
            last = first;
            alone = false;  // somebody may answer in this time step
        }
        pipeline_.run_cycle(next_cycle_);
        if (cycle_observer_ != nullptr && alone) {
            cycle_observer_->cycle_done(
                next_cycle_, picoseconds(now + cycle_ * static_cast<double>(next_cycle_ - first)));
        }
        if (pipeline_.idle()) {
            return;  // the next dispatch wakes it
        }
        if (next_cycle_ >= last) {
            ++next_cycle_;
            break;
        }
    }
    wake_at(next_cycle_);
}

void DveDatapath::send(std::uint64_t tag, const tlm::tlm_phase& phase) {
    tlm::tlm_phase sent = phase;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    dispatch->nb_transport_bw(transaction_of(tag), sent, delay);
}

void DveDatapath::started(std::uint64_t tag, const ExecutionNotes& notes) {
    extension_of(transaction_of(tag)).start_cycle = next_cycle_;
    if (log_.enabled()) {
        log_notes(notes);
    }
    send(tag, tlm::END_REQ);
}

void DveDatapath::failed(std::uint64_t tag, const Fault& fault) {
    tlm::tlm_generic_payload& transaction = transaction_of(tag);
    extension_of(transaction).fault = fault;
    give_back(transaction, tlm::TLM_GENERIC_ERROR_RESPONSE);
}

void DveDatapath::read_done(std::uint64_t tag) {
    extension_of(transaction_of(tag)).read_done_cycle = next_cycle_;
    send(tag, READ_DONE);
}

void DveDatapath::completed(std::uint64_t tag, const StallCycles& stalls) {
    tlm::tlm_generic_payload& transaction = transaction_of(tag);
    DispatchExtension& extension = extension_of(transaction);
    extension.end_cycle = next_cycle_;
    extension.stalls = stalls;
    give_back(transaction, tlm::TLM_OK_RESPONSE);
}

void DveDatapath::give_back(tlm::tlm_generic_payload& transaction,
                            tlm::tlm_response_status status) {
    outstanding_.erase(std::find(outstanding_.begin(), outstanding_.end(), &transaction));
    transaction.set_response_status(status);
    send(reinterpret_cast<std::uintptr_t>(&transaction), tlm::BEGIN_RESP);
    transaction.release();
}

void DveDatapath::give_all_back() {
    while (!outstanding_.empty()) {
        give_back(*outstanding_.front(), tlm::TLM_GENERIC_ERROR_RESPONSE);
    }
}

void DveDatapath::visit_signals(SignalVisitor& visitor) const {
    if (mode_ != TimingMode::CYCLE) {
        return;
    }
    const PipelineSignals& signals = pipeline_.signals();
    visitor.number("cycle", signals.cycle, 32, SignalKind::COUNT);
    visitor.number("active", signals.active, 1);
    visitor.number("stall", signals.stall, 3, SignalKind::STALL_CAUSE);
    visitor.number("sbuf_read", signals.sbuf_read, 1);
    visitor.number("sbuf_write", signals.sbuf_write, 1);
    visitor.number("psum_read", signals.psum_read, 1);
    visitor.number("psum_write", signals.psum_write, 1);
    visitor.number("psum_banks", signals.psum_banks, isa_.psum.banks);
    for (std::size_t i = 0; i < pipeline_slot_count; ++i) {
        const auto slot = static_cast<PipelineSlot>(i);
        const std::string name = pipeline_slot_name(slot);
        const SlotSignals& shown = signals.slots[i];
        visitor.number((name + ".valid").c_str(), shown.valid, 1);
        visitor.number((name + ".instruction").c_str(), shown.instruction, 32, SignalKind::COUNT);
        visitor.number((name + ".element").c_str(), shown.element, 32, SignalKind::COUNT);
        if (slot_converts(slot)) {
            visitor.number((name + ".dtype").c_str(), shown.operation, 8, SignalKind::DTYPE);
        }
        if (slot == PipelineSlot::CVT_IN) {
            visitor.number((name + ".second_dtype").c_str(), shown.second, 8, SignalKind::DTYPE);
        }
        if (slot_has_operation(slot)) {
            visitor.number((name + ".operation").c_str(), shown.operation, 8, SignalKind::ALU_OP);
        }
    }
    for (std::size_t stage = 0; stage < lane_stage_count; ++stage) {
        const auto lane_stage = static_cast<LaneStage>(stage);
        for (std::size_t element = 0; element < shown_elements_of(lane_stage); ++element) {
            std::string name = lane_stage_name(lane_stage);
            if (element != 0) {
                name += "_" + std::to_string(element);
            }
            visitor.lanes(name.c_str(), signals.values[stage][element].data(), dve_num_channels,
                          is_hub_stage(lane_stage) ? SignalKind::FLOAT : SignalKind::NUMBER);
        }
    }
}

}  // namespace dve
