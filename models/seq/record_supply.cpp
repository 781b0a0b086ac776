// Where the next record comes from, loosely timed: a program of known length, or the instruction
// ring.
#include <algorithm>
#include <cstring>

#include "models/seq/dispatched.h"
#include "tlm/initiator_access.h"

namespace dve {

/// End of what may be fetched.
std::uint64_t Sequencer::stream_end() const { return runs_ring_ ? ring_.produced() : bytes_; }

/// Bytes from the base of the program or the ring.
std::uint64_t Sequencer::stream_offset(std::uint64_t position) const {
    return runs_ring_ ? ring_.offset(position) : position;
}

/// Whether the stream goes on. A ring run sleeps until it does.
bool Sequencer::another_record() {
    if (runs_ring_) {
        while (ring_.produced() == program_counter_) {
            sleep_until_doorbell();
        }
        now_ = std::max(now_, ring_.arrival_cycle(program_counter_));
    }
    return stream_end() - program_counter_ >= record_bytes;
}

/// Head has reached tail: the engine sleeps once everything before is done.
void Sequencer::sleep_until_doorbell() {
    show(SequencerState::FETCH);
    const auto empty = [this] { return ring_.produced() == program_counter_; };
    while (empty() && !dispatched_.empty()) {  // cycle mode only
        pause(progress_event_);
    }
    while (empty() && time_of(total_cycles_) > sc_core::sc_time_stamp()) {
        const std::uint64_t update = pending_.empty() ? total_cycles_ : pending_.front().cycle;
        pause_until(std::min(total_cycles_, std::max(update, next_cycle())), progress_event_);
        apply_updates(current_cycle());
    }
    if (!empty()) {
        return;
    }
    apply_updates(total_cycles_);
    state_ = RunState::PAUSED;
    if (fetched_any_) {  // a ring that was empty at START has not run empty
        raise(InterruptCause::RING_EMPTY);
    }
    while (empty()) {
        pause(progress_event_);
    }
    state_ = RunState::RUNNING;
}

bool Sequencer::next_record(Record& record, FrontEnd& times) {
    if (mode_ == TimingMode::CYCLE) {
        return wait_for_fetched(record, times);
    }
    // FETCH waits for a queue slot, which the record queue_depth places earlier gave back.
    const std::uint64_t slot_free = dispatch_history_[retired_ % dispatch_history_.size()];
    times.fetch_cycle = std::max(earliest_fetch(program_counter_), slot_free);
    times.decoded_cycle = times.fetch_cycle + timing_.fetch + timing_.decode;
    fetched_any_ = true;
    last_fetch_ = times.fetch_cycle;
    if (mode_ == TimingMode::APPROX) {
        return fetch_in_phases(record, times);
    }
    return fetch_record(record);
}

/// The bus has its say: a record is decoded no earlier than it has come.
bool Sequencer::fetch_in_phases(Record& record, FrontEnd& times) {
    advance_time(times.fetch_cycle);
    const sc_core::sc_time asked = sc_core::sc_time_stamp();
    const bool readable = fetch_record(record);
    if (sc_core::sc_time_stamp() != asked) {
        times.decoded_cycle = std::max(times.decoded_cycle, next_cycle() + timing_.decode);
    }
    return readable;
}

/// First cycle in which the fetch port and, in a ring, the doorbell allow it.
std::uint64_t Sequencer::earliest_fetch(std::uint64_t position) const {
    const std::uint64_t arrival = runs_ring_ ? ring_.arrival_cycle(position) : 0;
    return fetched_any_ ? std::max(arrival, last_fetch_ + timing_.fetch) : arrival;
}

/// Reads ahead by up to queue_depth records in one burst; where the burst is refused, the record
/// alone, so that a stream may end right before unreadable bytes.
bool Sequencer::fetch_record(Record& record) {
    const std::uint64_t end = prefetched_at_ + prefetched_bytes_;
    if (prefetched_bytes_ == 0 || program_counter_ < prefetched_at_ || program_counter_ >= end) {
        std::uint64_t burst =
            std::min<std::uint64_t>(prefetched_.size(), stream_end() - program_counter_);
        if (runs_ring_) {
            burst = std::min(burst, ring_.bytes() - stream_offset(program_counter_));
        }
        if (!fetch_burst(burst) && (burst == record_bytes || !fetch_burst(record_bytes))) {
            return false;
        }
    }
    std::memcpy(record.bytes.data(), prefetched_.data() + (program_counter_ - prefetched_at_),
                record_bytes);
    return true;
}

bool Sequencer::fetch_burst(std::uint64_t bytes) {
    // The memory sees the local time; how long a fetch takes is a parameter.
    const sc_core::sc_time fetched = time_of(last_fetch_);
    const sc_core::sc_time now = sc_core::sc_time_stamp();
    const bool readable =
        transport(tlm::TLM_READ_COMMAND, base_ + stream_offset(program_counter_),
                  prefetched_.data(), bytes, fetched > now ? fetched - now : sc_core::SC_ZERO_TIME);
    prefetched_at_ = program_counter_;
    prefetched_bytes_ = readable ? bytes : 0;
    return readable;
}

/// At the fetch socket, by the sequencer's own process; false if the answer is an error. A write
/// ends when the target says; how long a loosely-timed read takes is a parameter.
bool Sequencer::transport(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data,
                          std::uint64_t bytes, sc_core::sc_time delay) {
    const bool in_phases = mode_ == TimingMode::APPROX;
    tlm::tlm_generic_payload& transaction = in_phases ? fetch_phases_.payload() : transaction_;
    prepare(transaction, command, address, data, static_cast<unsigned>(bytes));
    if (in_phases) {
        fetch_phases_.transport();
    } else {
        fetch->b_transport(transaction, delay);
        if (command == tlm::TLM_WRITE_COMMAND && delay != sc_core::SC_ZERO_TIME) {
            wait(delay);
        }
    }
    check_abandoned();
    return transaction.is_response_ok();
}

}  // namespace dve
