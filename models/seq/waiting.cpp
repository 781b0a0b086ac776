// Time, and what waits for it: semaphores and events, updates to come, the end of all writes.
#include <algorithm>
#include <tuple>

#include "models/seq/dispatched.h"

namespace dve {

std::optional<Fault> Sequencer::wait_for(const WaitCondition& condition, RetireRecord& retire) {
    const std::uint64_t asked = now_;
    for (;;) {
        // Others see and change this, too: give the local lead back.
        advance_time(now_);
        apply_updates(now_);
        if (synchronisation_.satisfied(condition.mode, condition.index, condition.value)) {
            break;
        }
        show(SequencerState::WAIT);
        waiting_record_ = retire.record_index;
        if (pending_.empty()) {
            pause(changed_event_);
        } else {
            pause_until(std::max(pending_.front().cycle, next_cycle()), changed_event_);
        }
        waiting_record_.reset();
        now_ = std::max(now_, next_cycle());
    }
    synchronisation_.consume(condition.mode, condition.index);
    retire.stalls[static_cast<std::size_t>(StallCause::SEMAPHORE)] += now_ - asked;
    return std::nullopt;
}

std::optional<Fault> Sequencer::operand(bool from_register, const char* field, std::uint32_t value,
                                        std::uint32_t& result) const {
    if (!from_register) {
        result = value;
        return std::nullopt;
    }
    if (value >= num_address_registers) {
        return Fault{ErrorType::SEQUENCER_FATAL,
                     FaultSubtype::ASSERT,
                     {"semaphore_operand_register", field, value, "a register number below 64"}};
    }
    result = registers_[value];
    return std::nullopt;
}

/// Mode NONE if there is nothing to do. The operand is read from its register now.
std::optional<Fault> Sequencer::make_update(UpdateMode mode, const char* field, std::uint8_t index,
                                            std::uint32_t value, PendingUpdate& update) const {
    update = {0, retired_, mode, index, 0};
    const auto code = static_cast<std::uint8_t>(mode);
    const bool has_operand =
        (code & 0x0FU) >= static_cast<std::uint8_t>(UpdateMode::SEM_ADD_IMM_READ);
    return has_operand ? operand(takes_register(mode), field, value, update.value) : std::nullopt;
}

std::optional<Fault> Sequencer::schedule_update(UpdateMode mode, const char* field,
                                                std::uint8_t index, std::uint32_t value,
                                                std::uint64_t read_cycle,
                                                std::uint64_t complete_cycle) {
    if (mode == UpdateMode::NONE) {
        return std::nullopt;
    }
    PendingUpdate update;
    if (auto fault = make_update(mode, field, index, value, update)) {
        return fault;
    }
    update.cycle = at_completion(mode) ? complete_cycle : read_cycle;
    schedule(update);
    return std::nullopt;
}

void Sequencer::schedule(const PendingUpdate& update) {
    const auto place = std::upper_bound(pending_.begin(), pending_.end(), update,
                                        [](const PendingUpdate& one, const PendingUpdate& other) {
                                            return std::tie(one.cycle, one.instruction) <
                                                   std::tie(other.cycle, other.instruction);
                                        });
    pending_.insert(place, update);
}

void Sequencer::apply(const PendingUpdate& update) {
    if (synchronisation_.update(update.mode, update.index, update.value)) {
        ++semaphore_errors_;
        if (log_.enabled()) {
            log_.line("S: SEMAPHORE_ERROR sem[%u] wrapped", update.index);
        }
    }
}

void Sequencer::apply_updates(std::uint64_t cycle) {
    std::size_t done = 0;
    while (done < pending_.size() && pending_[done].cycle <= cycle) {
        apply(pending_[done++]);
    }
    pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(done));
}

sc_core::sc_time Sequencer::time_of(std::uint64_t cycle) const {
    return run_start_ + cycle_time_ * static_cast<double>(cycle);
}

std::uint64_t Sequencer::current_cycle() const {
    return (sc_core::sc_time_stamp() - run_start_).value() / cycle_time_.value();
}

/// The cycle that begins now or next.
std::uint64_t Sequencer::next_cycle() const {
    return ((sc_core::sc_time_stamp() - run_start_).value() + cycle_time_.value() - 1) /
           cycle_time_.value();
}

/// Leaves the run if a reset has ended it meanwhile. Not within a call of somebody else.
void Sequencer::check_abandoned() const {
    if (reset_count_ != run_reset_count_) {
        throw Abandoned{};
    }
}

/// Every wait of the run goes through here. A reset notifies all events that it waits for.
void Sequencer::pause(const sc_core::sc_event& event) {
    wait(event);
    check_abandoned();
}

/// Until the event, but at most until SystemC time has reached a cycle.
void Sequencer::pause_until(std::uint64_t cycle, const sc_core::sc_event& event) {
    wait(time_of(cycle) - sc_core::sc_time_stamp(), event);
    check_abandoned();
}

/// Lets SystemC time reach a cycle of the run, if it has not passed it already.
void Sequencer::advance_time(std::uint64_t cycle) {
    while (time_of(cycle) > sc_core::sc_time_stamp()) {
        const std::uint64_t update = pending_.empty() ? cycle : pending_.front().cycle;
        pause_until(std::min(cycle, std::max(update, next_cycle())), abandoned_event_);
        if (mode_ == TimingMode::CYCLE) {
            settle();
        }
        apply_updates(current_cycle());
    }
    const sc_core::sc_time quantum = tlm::tlm_global_quantum::instance().get();
    if (mode_ == TimingMode::CYCLE) {
        settle();
        return;
    }
    if (mode_ == TimingMode::APPROX) {
        next_sync_cycle_ = cycle;  // no lead: others see every record at its time
        return;
    }
    // Without a quantum the lead is bounded by one simulated microsecond.
    const sc_core::sc_time lead =
        quantum == sc_core::SC_ZERO_TIME ? sc_core::sc_time(1, sc_core::SC_US) : quantum;
    next_sync_cycle_ = cycle + static_cast<std::uint64_t>(lead / cycle_time_) + 1;
}

void Sequencer::wait_until_drained() {
    while (!dispatched_.empty()) {  // cycle mode only
        show(SequencerState::DRAIN);
        pause(progress_event_);
        drained_ = std::max(drained_, current_cycle());
    }
    now_ = std::max(now_, drained_);
}

}  // namespace dve
