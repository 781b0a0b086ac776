// The run loop: from a record in memory to its retirement.
#include "models/seq/sequencer.h"

#include <algorithm>
#include <cstring>

#include "models/seq/dispatched.h"
#include "tlm/initiator_access.h"
#include "tlm/kernel_info_slot.h"

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
      legal_records_(legal_record_slots) {
    DVE_HAS_PROCESS(Sequencer);
    SC_THREAD(run_loop);
    if (mode == TimingMode::CYCLE) {
        SC_THREAD(fetch_ahead);
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
    if (state_ == RunState::RUNNING) {
        return;
    }
    base_ = base;
    bytes_ = bytes;
    state_ = RunState::RUNNING;
    start_event_.notify(sc_core::SC_ZERO_TIME);
}

void Sequencer::reset() {
    registers_.fill(0);
    synchronisation_.reset();
    pending_.clear();
    fault_.reset();
    state_ = RunState::IDLE;
    semaphore_errors_ = total_cycles_ = retired_ = 0;
}

void Sequencer::set_semaphore(unsigned index, std::uint32_t value) {
    synchronisation_.set_semaphore(index, value);
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
        run_program();
    }
}

void Sequencer::run_program() {
    run_start_ = sc_core::sc_time_stamp();
    program_counter_ = prefetched_bytes_ = 0;
    now_ = last_fetch_ = setup_free_ = drained_ = total_cycles_ = retired_ = 0;
    next_sync_cycle_ = 0;
    fetched_any_ = false;
    dispatch_extension_.begins_run = true;
    dispatch_extension_.run_start = run_start_;
    fault_.reset();
    std::fill(dispatch_history_.begin(), dispatch_history_.end(), 0);
    if (mode_ == TimingMode::CYCLE) {
        settled_at_ = ~std::uint64_t{0};
        drop_fetched();
    }
    if (log_.enabled()) {
        log_.line("S: enter_run: start");
    }
    Record record;
    while (bytes_ - program_counter_ >= record_bytes) {
        FrontEnd times;
        if (!next_record(record, times)) {
            stop_with({ErrorType::MEMORY_ERROR,
                       FaultSubtype::ASSERT,
                       {"instruction_fetch", "address", base_ + program_counter_,
                        "64 readable bytes in the fetch address space"}},
                      Record{});
            return;
        }
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
        retire.record_index = program_counter_ / record_bytes;
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
        if (flow == Flow::HALT) {
            break;
        }
        follow(flow);
        if (now_ >= next_sync_cycle_) {
            advance_time(now_);
            apply_updates(now_);
        }
    }
    finish(RunState::HALTED);
}

void Sequencer::follow(Flow flow) {
    program_counter_ = flow == Flow::BRANCH ? branch_target_ : program_counter_ + record_bytes;
    if (flow == Flow::NEXT) {
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
    total_cycles_ = std::max(total_cycles_, retire.end_cycle);
    if (observer_ != nullptr) {
        observer_->retired(retire);
    }
}

bool Sequencer::next_record(Record& record, FrontEnd& times) {
    if (mode_ == TimingMode::CYCLE) {
        return wait_for_fetched(record, times);
    }
    // FETCH waits for a queue slot, which the record queue_depth places earlier gave back.
    const std::uint64_t slot_free = dispatch_history_[retired_ % dispatch_history_.size()];
    times.fetch_cycle = fetched_any_ ? std::max(last_fetch_ + timing_.fetch, slot_free) : slot_free;
    times.decoded_cycle = times.fetch_cycle + timing_.fetch + timing_.decode;
    fetched_any_ = true;
    last_fetch_ = times.fetch_cycle;
    return fetch_record(record);
}

/// Reads ahead by up to queue_depth records in one burst; where the burst is refused, the record
/// alone, so that a stream may end right before unreadable bytes.
bool Sequencer::fetch_record(Record& record) {
    const std::uint64_t end = prefetched_at_ + prefetched_bytes_;
    if (prefetched_bytes_ == 0 || program_counter_ < prefetched_at_ || program_counter_ >= end) {
        const std::uint64_t burst =
            std::min<std::uint64_t>(prefetched_.size(), bytes_ - program_counter_);
        if (!fetch_burst(burst) && (burst == record_bytes || !fetch_burst(record_bytes))) {
            return false;
        }
    }
    std::memcpy(record.bytes.data(), prefetched_.data() + (program_counter_ - prefetched_at_),
                record_bytes);
    return true;
}

bool Sequencer::fetch_burst(std::uint64_t bytes) {
    prepare(transaction_, tlm::TLM_READ_COMMAND, base_ + program_counter_, prefetched_.data(),
            static_cast<unsigned>(bytes));
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    fetch->b_transport(transaction_, delay);
    prefetched_at_ = program_counter_;
    prefetched_bytes_ = transaction_.is_response_ok() ? bytes : 0;
    return prefetched_bytes_ != 0;
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

std::optional<Fault> Sequencer::dispatch_record(const Record& record, RetireRecord& retire) {
    while (setup_busy_) {  // cycle mode only
        show(SequencerState::DISPATCH);
        wait(progress_event_);
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
    dispatch_extension_.ready_cycle = now_;
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

std::optional<Fault> Sequencer::wait_for(const WaitCondition& condition, RetireRecord& retire) {
    const std::uint64_t asked = now_;
    for (;;) {
        if (mode_ == TimingMode::CYCLE) {
            advance_time(now_);
        }
        apply_updates(now_);
        if (synchronisation_.satisfied(condition.mode, condition.index, condition.value)) {
            break;
        }
        if (!pending_.empty()) {
            now_ = std::max(now_, pending_.front().cycle);
            continue;
        }
        // Only somebody else can change it now: give the local lead back and wait.
        show(SequencerState::WAIT);
        advance_time(now_);
        waiting_record_ = retire.record_index;
        if (!synchronisation_.satisfied(condition.mode, condition.index, condition.value)) {
            wait(changed_event_);
        }
        waiting_record_.reset();
        const sc_core::sc_time elapsed = sc_core::sc_time_stamp() - run_start_;
        now_ = std::max(now_, static_cast<std::uint64_t>(elapsed / cycle_time_ + 0.999999));
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
    update = {0, mode, index, 0};
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
    const auto place = std::upper_bound(
        pending_.begin(), pending_.end(), update.cycle,
        [](std::uint64_t cycle, const PendingUpdate& other) { return cycle < other.cycle; });
    pending_.insert(place, update);
    return std::nullopt;
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

/// Lets SystemC time reach a cycle of the run, if it has not passed it already.
void Sequencer::advance_time(std::uint64_t cycle) {
    const sc_core::sc_time target = run_start_ + cycle_time_ * static_cast<double>(cycle);
    const sc_core::sc_time now = sc_core::sc_time_stamp();
    const sc_core::sc_time quantum = tlm::tlm_global_quantum::instance().get();
    if (target > now) {
        wait(target - now);
    }
    if (mode_ == TimingMode::CYCLE) {
        settle();
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
        wait(progress_event_);
        drained_ = std::max(drained_, current_cycle());
    }
    now_ = std::max(now_, drained_);
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
    state_ = state;
    fetching_ = false;
    ++fetch_epoch_;
    show(state == RunState::FAULTED ? SequencerState::FAULTED : SequencerState::HALTED);
    if (log_.enabled()) {
        log_.line("S: Entering HALT");
    }
    done_event_.notify(sc_core::SC_ZERO_TIME);
}

void Sequencer::stop_with(const Fault& fault, const Record& record) {
    fault_ = FaultReport{fault, program_counter_ / record_bytes, program_counter_, record.opcode()};
    if (log_.enabled() && fault.subtype != FaultSubtype::BAD_OPCODE) {
        log_.write("S: Assertion failure! " + fault_->message());
    }
    finish(RunState::FAULTED);
}

}  // namespace dve
