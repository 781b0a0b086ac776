// The run loop: from a record in memory to its retirement.
#include "models/seq/sequencer.h"

#include <algorithm>
#include <cstring>

#include "models/seq/dispatched.h"
#include "tlm/initiator_access.h"

namespace dve {
namespace {

constexpr std::size_t legal_record_slots = 1024;

std::string hexadecimal(std::uint64_t value) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return text;
}

}  // namespace

std::string FaultReport::message() const {
    const OpcodeRow* row = find_opcode(opcode);
    return "record " + std::to_string(record_index) + " at byte " + std::to_string(byte_offset) +
           ": opcode " + hexadecimal(opcode) + " " +
           (row != nullptr ? row->mnemonic : "(unknown)") + ": " + fault.message();
}

Sequencer::Sequencer(sc_core::sc_module_name name, const IsaConfiguration& isa,
                     const SequencerTiming& timing, sc_core::sc_time cycle, FirmwareLog& log,
                     const NumberModel& numbers, TimingMode mode)
    : sc_module(name),
      fetch("fetch"),
      kernel_info("kernel_info"),
      dispatch("dispatch"),
      isa_(isa),
      timing_(timing),
      mode_(mode),
      numbers_(numbers),
      cycle_time_(cycle),
      log_(log),
      prefetched_(std::size_t{timing.queue_depth} * record_bytes),
      dispatch_history_(timing.queue_depth),
      legal_records_(legal_record_slots),
      fetch_phases_([this](tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase,
                           sc_core::sc_time& delay) {
          return fetch->nb_transport_fw(transaction, phase, delay);
      }) {
    fetch.register_nb_transport_bw(this, &Sequencer::fetch_answered);
    DVE_HAS_PROCESS(Sequencer);
    SC_THREAD(run_loop);
    if (mode == TimingMode::CYCLE) {
        SC_THREAD(fetch_ahead);
        SC_METHOD(apply_reported);
        sensitive << reported_event_;
        dont_initialize();
        dispatch.register_nb_transport_bw(this, &Sequencer::nb_transport_bw);
    }
    dispatch_transaction_.set_extension(&dispatch_extension_);
    dispatch_extension_.registers = registers_.data();
}

Sequencer::~Sequencer() {
    // The extension is a member; the payload must not free it.
    dispatch_transaction_.clear_extension(&dispatch_extension_);
}

void Sequencer::start(std::uint64_t base, std::uint64_t bytes) {
    if (!run_in_progress()) {
        bytes_ = bytes;
        begin(base, false);
    }
}

void Sequencer::start_ring(std::uint64_t base) {
    if (!run_in_progress()) {
        ring_.begin_run();
        begin(base, true);
    }
}

void Sequencer::begin(std::uint64_t base, bool ring) {
    base_ = base;
    runs_ring_ = ring;
    state_ = RunState::RUNNING;
    run_start_ = sc_core::sc_time_stamp();
    total_cycles_ = retired_ = 0;
    counters_ = PerformanceCounters();
    fault_.reset();
    start_event_.notify(sc_core::SC_ZERO_TIME);
}

void Sequencer::reset() {
    ++reset_count_;
    for (sc_core::sc_event* event :
         {&abandoned_event_, &changed_event_, &progress_event_, &fetched_event_}) {
        event->notify(sc_core::SC_ZERO_TIME);
    }
    registers_.fill(0);
    synchronisation_.reset();
    pending_.clear();
    fault_.reset();
    waiting_record_.reset();
    ring_ = InstructionRing();
    notifications_ = NotificationRing();
    counters_ = PerformanceCounters();
    state_ = RunState::IDLE;
    semaphore_errors_ = total_cycles_ = retired_ = 0;
    causes_ = 0;
    while (!dispatched_.empty()) {
        spare_.push_back(std::move(dispatched_.front()));
        dispatched_.pop_front();
    }
    setup_busy_ = false;
    fetching_ = false;
    ++fetch_epoch_;
    fetched_.clear();
    queue_slots_used_ = 0;
    signals_ = {};
}

bool Sequencer::resize_ring(std::uint32_t bytes) {
    return !ring_run_in_progress() && ring_.resize(bytes);
}

bool Sequencer::hand_over(std::uint32_t tail) {
    const bool handed_over = ring_run_in_progress()
                                 ? ring_.hand_over(tail, current_cycle(), next_cycle())
                                 : ring_.hand_over(tail, ~std::uint64_t{0}, 0);
    if (!handed_over) {
        return false;
    }
    fetch_event_.notify(sc_core::SC_ZERO_TIME);
    progress_event_.notify(sc_core::SC_ZERO_TIME);
    return true;
}

std::uint32_t Sequencer::ring_head() const {
    return ring_.head(ring_run_in_progress() ? current_cycle() : ~std::uint64_t{0});
}

void Sequencer::set_semaphore(unsigned index, std::uint32_t value) {
    synchronisation_.set_semaphore(index, value);
    changed_event_.notify(sc_core::SC_ZERO_TIME);
}

void Sequencer::set_event(unsigned index, bool value) {
    synchronisation_.set_event(index, value);
    changed_event_.notify(sc_core::SC_ZERO_TIME);
}

void Sequencer::add_to_semaphore(unsigned index, std::uint32_t value) {
    semaphore_errors_ += synchronisation_.add(index, value) ? 1 : 0;
    changed_event_.notify(sc_core::SC_ZERO_TIME);
}

void Sequencer::subtract_from_semaphore(unsigned index, std::uint32_t value) {
    semaphore_errors_ += synchronisation_.subtract(index, value) ? 1 : 0;
    changed_event_.notify(sc_core::SC_ZERO_TIME);
}

void Sequencer::run_loop() {
    for (;;) {
        while (state_ != RunState::RUNNING) {
            wait(start_event_);
        }
        run_reset_count_ = reset_count_;
        try {
            run_program();
        } catch (const Abandoned&) {
            // The reset has cleaned up; perhaps somebody has started the next run already.
        }
    }
}

void Sequencer::run_program() {
    while (fetch_under_way_) {  // of a run that was reset
        pause(fetched_event_);
    }
    run_start_ = sc_core::sc_time_stamp();
    if (runs_ring_) {
        ring_.begin_run();  // what came meanwhile was there from cycle 0 on
    }
    program_counter_ = runs_ring_ ? ring_.consumed() : 0;
    prefetched_bytes_ = 0;
    now_ = last_fetch_ = setup_free_ = drained_ = next_sync_cycle_ = 0;
    fetched_any_ = false;
    dispatch_extension_.begins_run = true;
    dispatch_extension_.run_start = run_start_;
    std::fill(dispatch_history_.begin(), dispatch_history_.end(), 0);
    if (mode_ == TimingMode::CYCLE) {
        settled_at_ = ~std::uint64_t{0};
        drop_fetched();
    }
    if (log_.enabled()) {
        log_.line("S: enter_run: start");
    }
    Record record;
    while (another_record()) {
        FrontEnd times;
        if (!next_record(record, times)) {
            stop_with({ErrorType::MEMORY_ERROR,
                       FaultSubtype::ASSERT,
                       {"instruction_fetch", "address", base_ + stream_offset(program_counter_),
                        "64 readable bytes in the fetch address space"}},
                      Record{});
            return;
        }
        ++counters_.fetched;
        if (timing_.instruction_limit != 0 && retired_ >= timing_.instruction_limit) {
            stop_with({ErrorType::SEQUENCER_FATAL,
                       FaultSubtype::ASSERT,
                       {"instruction_limit", "executed", retired_,
                        "a run within seq.instruction_limit (0: no limit)"}},
                      record);
            return;
        }
        RetireRecord retire;
        retire.index = retired_;
        retire.record_index = stream_offset(program_counter_) / record_bytes;
        retire.record = &record;
        retire.fetch_cycle = times.fetch_cycle;
        retire.decoded_cycle = times.decoded_cycle;
        Flow flow = Flow::NEXT;
        if (auto fault = execute(record, flow, retire)) {
            stop_with(*fault, record);
            return;
        }
        dispatch_history_[retired_ % dispatch_history_.size()] = retire.issue_cycle;
        ++retired_;
        retire_record(retire);
        follow(flow, retire.issue_cycle);
        if (flow == Flow::HALT) {
            break;
        }
        if (now_ >= next_sync_cycle_) {
            advance_time(now_);
            apply_updates(now_);
        }
    }
    finish(RunState::HALTED);
}

void Sequencer::follow(Flow flow, std::uint64_t issue_cycle) {
    program_counter_ = flow == Flow::BRANCH ? branch_target_ : program_counter_ + record_bytes;
    if (runs_ring_) {
        ring_.consume(program_counter_, issue_cycle, current_cycle());
    }
    if (flow == Flow::NEXT || flow == Flow::HALT) {
        return;
    }
    // What was fetched ahead is dropped: FETCH starts again.
    last_fetch_ = now_;
    if (flow == Flow::REFETCH) {
        prefetched_bytes_ = 0;
    }
    if (mode_ == TimingMode::CYCLE) {
        drop_fetched();
    }
}

/// Loosely timed, a record retires when it has been issued: its times are known by then.
void Sequencer::retire_record(const RetireRecord& retire) {
    if (mode_ == TimingMode::CYCLE) {
        retire_in_order(retire);
        return;
    }
    report_retired(retire);
}

void Sequencer::report_retired(const RetireRecord& retire) {
    total_cycles_ = std::max(total_cycles_, retire.end_cycle);
    counters_.count(retire);
    if (observer_ != nullptr) {
        observer_->retired(retire);
    }
}

std::optional<Fault> Sequencer::execute(const Record& record, Flow& flow, RetireRecord& retire) {
    retire.stalls[static_cast<std::size_t>(StallCause::FETCH)] =
        retire.decoded_cycle > now_ && retired_ > 0 ? retire.decoded_cycle - now_ : 0;
    now_ = std::max(now_, retire.decoded_cycle);
    if (mode_ == TimingMode::CYCLE) {
        advance_time(now_);
    }
    retire.opcode = find_opcode(record.opcode());
    if (retire.opcode == nullptr || !retire.opcode->exists_in(isa_.generation)) {
        if (log_.enabled()) {
            log_.line("S: ErrorHandler : Bad Opcode(0x%x)", record.opcode());
        }
        return Fault{ErrorType::SEQUENCER_FATAL, FaultSubtype::BAD_OPCODE,
                     check(record, isa_).value_or(Violation{})};
    }
    // A record that passed once passes again: the rules depend on its bytes alone.
    Record& legal = legal_records_[record_hash(record) % legal_records_.size()];
    if (legal != record) {
        if (auto violation = check(record, isa_)) {
            return Fault{ErrorType::SEQUENCER_FATAL, FaultSubtype::ASSERT, std::move(*violation)};
        }
        legal = record;
    }
    const auto mode = static_cast<WaitMode>(record.get8(fields::HEADER::wait_mode));
    if (mode != WaitMode::NONE && mode != WaitMode::UNORDERED) {
        WaitCondition condition{mode, record.get8(fields::HEADER::wait_idx), 0};
        if (auto fault = operand(takes_register(mode), "semaphore_value",
                                 record.get32(fields::HEADER::semaphore_value), condition.value)) {
            return fault;
        }
        if (auto fault = wait_for(condition, retire)) {
            return fault;
        }
    }
    auto fault = retire.opcode->is_control() ? execute_control(record, flow, retire)
                                             : dispatch_record(record, retire);
    if (fault) {
        // A rejected record leaves no trace, its wait included.
        synchronisation_.restore(mode, record.get8(fields::HEADER::wait_idx));
    }
    return fault;
}

void Sequencer::finish(RunState state) {
    const std::uint64_t issued = now_;
    if (mode_ == TimingMode::CYCLE) {
        advance_time(now_);
    }
    wait_until_drained();
    now_ = issued;
    total_cycles_ = std::max({total_cycles_, drained_, now_});
    advance_time(total_cycles_);
    apply_updates(~std::uint64_t{0});
    if (fault_) {
        notify_fault();
    }
    state_ = state;
    fetching_ = false;
    ++fetch_epoch_;
    show(state == RunState::FAULTED ? SequencerState::FAULTED : SequencerState::HALTED);
    if (log_.enabled()) {
        log_.line("S: Entering HALT");
    }
    raise(InterruptCause::RUN_ENDED);
    if (fault_) {
        raise(InterruptCause::FAULT);
    }
}

void Sequencer::stop_with(const Fault& fault, const Record& record) {
    const std::uint64_t offset = stream_offset(program_counter_);
    fault_ = FaultReport{fault, offset / record_bytes, offset, record.opcode()};
    if (log_.enabled() && fault.subtype != FaultSubtype::BAD_OPCODE) {
        log_.write("S: Assertion failure! " + fault_->message());
    }
    finish(RunState::FAULTED);
}

}  // namespace dve
