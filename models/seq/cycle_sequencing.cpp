// The sequencer cycle by cycle: fetch ahead, the phases of the dispatch arrow, retirement in order.
#include <algorithm>
#include <cstring>

#include "models/seq/dispatched.h"
#include "tlm/initiator_access.h"

namespace dve {

/// Lets the datapath say first what happens in this time step.
void Sequencer::settle() {
    const std::uint64_t now = sc_core::sc_time_stamp().value();
    if (settled_at_ != now) {
        settled_at_ = now;
        for (unsigned delta = 0; delta < 2; ++delta) {
            wait(sc_core::SC_ZERO_TIME);
            check_abandoned();
        }
    }
    signals_.lookup = 0;
}

void Sequencer::drop_fetched() {
    fetched_.clear();
    queue_slots_used_ = 0;
    fetch_counter_ = program_counter_;
    ++fetch_epoch_;
    fetching_ = true;
    fetch_event_.notify(sc_core::SC_ZERO_TIME);
}

void Sequencer::release_queue_slot() {
    if (mode_ == TimingMode::CYCLE) {
        --queue_slots_used_;
        signals_.queue_records = queue_slots_used_;
        fetch_event_.notify(sc_core::SC_ZERO_TIME);
    }
}

/// FETCH: one record after the other while the queue has room.
void Sequencer::fetch_ahead() {
    for (;;) {
        while (!fetching_ || stream_end() - fetch_counter_ < record_bytes ||
               queue_slots_used_ >= timing_.queue_depth) {
            wait(fetch_event_);
        }
        const std::uint64_t epoch = fetch_epoch_;
        std::uint64_t cycle = current_cycle();
        const std::uint64_t from = earliest_fetch(fetch_counter_);
        if (from > cycle) {
            wait(time_of(from) - sc_core::sc_time_stamp(), fetch_event_);
            cycle = current_cycle();
            if (epoch != fetch_epoch_ || cycle < from) {
                continue;
            }
        }
        fetched_any_ = true;
        last_fetch_ = cycle;
        ++queue_slots_used_;
        Fetched fetched;
        fetched.program_counter = fetch_counter_;
        signals_.fetch_address = base_ + stream_offset(fetch_counter_);
        signals_.queue_records = queue_slots_used_;
        tlm::tlm_generic_payload transaction;
        prepare(transaction, tlm::TLM_READ_COMMAND, signals_.fetch_address,
                fetched.record.bytes.data(), record_bytes);
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        fetch_under_way_ = true;
        fetch->b_transport(transaction, delay);
        if (delay != sc_core::SC_ZERO_TIME) {
            wait(delay);
        }
        fetch_under_way_ = false;
        fetched_event_.notify(sc_core::SC_ZERO_TIME);
        if (epoch != fetch_epoch_) {
            continue;
        }
        fetched.readable = transaction.is_response_ok();
        fetched.times.fetch_cycle = cycle;
        fetched.times.decoded_cycle = current_cycle() + timing_.fetch + timing_.decode;
        fetched_.push_back(fetched);
        fetch_counter_ += record_bytes;
    }
}

/// False if the record could not be read.
bool Sequencer::wait_for_fetched(Record& record, FrontEnd& times) {
    while (fetched_.empty()) {
        show(SequencerState::FETCH);
        pause(fetched_event_);
    }
    const Fetched next = fetched_.front();
    fetched_.pop_front();
    record = next.record;
    times = next.times;
    signals_.program_counter = base_ + stream_offset(next.program_counter);
    signals_.opcode = record.opcode();
    const OpcodeRow* row = find_opcode(record.opcode());
    std::strncpy(signals_.mnemonic, row != nullptr ? row->mnemonic : "",
                 SequencerSignals::mnemonic_length - 1);
    show(SequencerState::FETCH);
    advance_time(times.decoded_cycle - timing_.decode);
    show(SequencerState::DECODE);
    return next.readable;
}

std::unique_ptr<Sequencer::Dispatched> Sequencer::take_dispatched() {
    if (spare_.empty()) {
        ++dispatches_made_;
        return std::make_unique<Dispatched>();
    }
    auto dispatched = std::move(spare_.back());
    spare_.pop_back();
    return dispatched;
}

std::size_t Sequencer::dispatches_in_use() const {
    const auto unused = std::count_if(spare_.begin(), spare_.end(), [](const auto& dispatched) {
        return dispatched->transaction.get_ref_count() == 0;
    });
    return dispatches_made_ - static_cast<std::size_t>(unused);
}

std::optional<Fault> Sequencer::begin_dispatch(RetireRecord& retire) {
    const Record& record = *retire.record;
    const auto mode = static_cast<UpdateMode>(record.get8(fields::HEADER::update_mode));
    PendingUpdate update{};
    if (auto fault = make_update(mode, "semaphore_value", record.get8(fields::HEADER::update_idx),
                                 record.get32(fields::HEADER::semaphore_value), update)) {
        return fault;
    }
    auto dispatched = take_dispatched();
    dispatched->update = update;
    dispatched->record = record;
    dispatched->retire = retire;
    dispatched->retire.record = &dispatched->record;
    dispatched->complete = false;
    dispatched->extension = dispatch_extension_;
    dispatched->extension.retire = &dispatched->retire;
    tlm::tlm_generic_payload& transaction = dispatched->transaction;
    prepare(transaction, tlm::TLM_WRITE_COMMAND, retire.worker_address,
            dispatched->record.bytes.data(), record_bytes);
    transaction.acquire();
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    if (dispatch->nb_transport_fw(transaction, phase, delay) == tlm::TLM_COMPLETED) {
        transaction.release();
        Fault fault = dispatched->extension.fault.value_or(dispatch_refused(retire.worker_address));
        spare_.push_back(std::move(dispatched));
        return fault;
    }
    setup_busy_ = true;
    dispatched_.push_back(std::move(dispatched));
    return dispatched_.back()->extension.reads_lists ? wait_for_lists() : std::nullopt;
}

std::optional<Fault> Sequencer::wait_for_lists() {
    while (setup_busy_) {
        pause(progress_event_);
    }
    if (auto fault = dispatched_.back()->extension.fault) {
        spare_.push_back(std::move(dispatched_.back()));
        dispatched_.pop_back();
        return fault;
    }
    now_ = std::max(now_, current_cycle());
    return std::nullopt;
}

tlm::tlm_sync_enum Sequencer::nb_transport_bw(tlm::tlm_generic_payload& transaction,
                                              tlm::tlm_phase& phase, sc_core::sc_time&) {
    const auto found = std::find_if(
        dispatched_.begin(), dispatched_.end(),
        [&transaction](const auto& candidate) { return &candidate->transaction == &transaction; });
    if (found == dispatched_.end()) {
        return tlm::TLM_ACCEPTED;
    }
    Dispatched& dispatched = **found;
    const UpdateMode mode = dispatched.update.mode;
    if (phase == tlm::END_REQ) {
        setup_busy_ = false;
        dispatched.retire.start_cycle = dispatched.extension.start_cycle;
        progress_event_.notify(sc_core::SC_ZERO_TIME);
    } else if (phase == READ_DONE) {
        if (!at_completion(mode)) {
            report_update(dispatched);
        }
    } else if (phase == tlm::BEGIN_RESP) {
        if (transaction.is_response_error()) {
            setup_busy_ = false;
            dispatched.transaction.release();
            progress_event_.notify(sc_core::SC_ZERO_TIME);
        } else {
            complete(dispatched);
        }
        phase = tlm::END_RESP;
        return tlm::TLM_COMPLETED;
    }
    return tlm::TLM_ACCEPTED;
}

void Sequencer::complete(Dispatched& dispatched) {
    const DispatchExtension& done = dispatched.extension;
    RetireRecord& retire = dispatched.retire;
    retire.read_done_cycle = done.read_done_cycle;
    retire.end_cycle = done.end_cycle;
    retire.channels = done.channels;
    retire.elements = done.elements;
    add_stalls(retire.stalls, done.stalls);
    if (at_completion(dispatched.update.mode)) {
        report_update(dispatched);
    }
    dispatched.complete = true;
    dispatched.transaction.release();
    retire_completed();
    progress_event_.notify(sc_core::SC_ZERO_TIME);
}

/// The update of a dispatched record is due in this cycle, like those of other instructions maybe.
void Sequencer::report_update(const Dispatched& dispatched) {
    if (dispatched.update.mode == UpdateMode::NONE) {
        return;
    }
    PendingUpdate update = dispatched.update;
    update.cycle = current_cycle();
    schedule(update);
    reported_event_.notify(sc_core::SC_ZERO_TIME);
}

void Sequencer::apply_reported() {
    apply_updates(current_cycle());
    changed_event_.notify(sc_core::SC_ZERO_TIME);
}

/// A control instruction is complete, but waits for the older ones.
void Sequencer::retire_in_order(const RetireRecord& retire) {
    if (retire.opcode->is_control()) {
        auto dispatched = take_dispatched();
        dispatched->record = *retire.record;
        dispatched->retire = retire;
        dispatched->retire.record = &dispatched->record;
        dispatched->complete = true;
        dispatched_.push_back(std::move(dispatched));
    }
    retire_completed();
}

void Sequencer::retire_completed() {
    while (!dispatched_.empty() && dispatched_.front()->complete) {
        const RetireRecord& retire = dispatched_.front()->retire;
        report_retired(retire);
        spare_.push_back(std::move(dispatched_.front()));
        dispatched_.pop_front();
    }
}

void Sequencer::show(SequencerState state) {
    signals_.state = state;
    const bool front_end = state == SequencerState::FETCH || state == SequencerState::DECODE;
    const auto stalled_by = [](StallCause cause) {
        return static_cast<std::uint8_t>(static_cast<unsigned>(cause) + 1);
    };
    signals_.stall = state == SequencerState::WAIT ? stalled_by(StallCause::SEMAPHORE)
                     : front_end && retired_ > 0   ? stalled_by(StallCause::FETCH)
                                                   : 0;
}

void Sequencer::visit_signals(SignalVisitor& visitor) const {
    const SequencerSignals& shown = signals_;
    visitor.number("state", shown.state, 4, SignalKind::SEQUENCER_STATE);
    visitor.number("stall", shown.stall, 3, SignalKind::STALL_CAUSE);
    visitor.number("program_counter", shown.program_counter);
    visitor.number("opcode", shown.opcode, 8, SignalKind::OPCODE);
    visitor.text("mnemonic", shown.mnemonic, SequencerSignals::mnemonic_length);
    visitor.number("fetch_address", shown.fetch_address);
    visitor.number("queue_records", shown.queue_records, 16, SignalKind::COUNT);
    visitor.number("lookup", shown.lookup, 1);
    visitor.number("lookup_address", shown.lookup_address);
    visitor.number("worker_address", shown.worker_address);
    for (unsigned index = 0; index < Synchronisation::count; ++index) {
        visitor.number(("semaphores.s" + std::to_string(index)).c_str(),
                       synchronisation_.semaphores()[index], 32, SignalKind::COUNT);
    }
}

}  // namespace dve
