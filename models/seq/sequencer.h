// SEQ: fetch, decode, wait, dispatch, retire; R[], semaphores, events, control instructions.
#pragma once

#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/alu/number_model.h"
#include "models/isa/alu_op.h"
#include "models/isa/check.h"
#include "models/isa/dtype.h"
#include "models/isa/fault.h"
#include "models/seq/instruction_ring.h"
#include "models/seq/interrupt_cause.h"
#include "models/seq/notification_ring.h"
#include "models/seq/performance_counters.h"
#include "models/seq/sequencer_signals.h"
#include "models/seq/sequencer_timing.h"
#include "models/seq/synchronisation.h"
#include "tlm/dispatch_extension.h"
#include "tlm/firmware_log.h"
#include "tlm/non_blocking_initiator.h"
#include "tlm/retire_record.h"
#include "tlm/systemc_compat.h"
#include "tlm/timing_mode.h"
#include "tlm/traceable.h"

namespace dve {

/// Values of the run-state register (op_semantics 4.8) with this project's end states. PAUSED: the
/// instruction ring is empty and everything before is done.
enum class RunState : std::uint8_t { IDLE = 0, RUNNING = 1, PAUSED = 2, HALTED = 3, FAULTED = 4 };

/// Why the engine stopped, for people and for the error notification.
struct FaultReport {
    Fault fault;
    std::uint64_t record_index = 0;
    std::uint64_t byte_offset = 0;  ///< in the program, or in the ring
    std::uint8_t opcode = 0;

    /// "record 3 at byte 192: opcode 0x43 tensor_scalar_arith: SEQUENCER_FATAL: ..."
    std::string message() const;
};

/// The sequencer. It keeps its own time in engine cycles. Loosely timed it runs ahead of SystemC
/// time by up to the global quantum; cycle by cycle it acts when SystemC time is there, a second
/// process fetches ahead, and records retire in order when the datapath has completed them.
class Sequencer : public sc_core::sc_module, public Traceable {
public:
    tlm_utils::simple_initiator_socket<Sequencer> fetch;        ///< records in, notifications out
    tlm_utils::simple_initiator_socket<Sequencer> kernel_info;  ///< worker look-up
    tlm_utils::simple_initiator_socket<Sequencer> dispatch;     ///< records to the datapath

    Sequencer(sc_core::sc_module_name name, const IsaConfiguration& isa,
              const SequencerTiming& timing, sc_core::sc_time cycle, FirmwareLog& log,
              const NumberModel& numbers = {}, TimingMode mode = TimingMode::LOOSE);
    ~Sequencer() override;

    // Control, from the register block.

    /// Runs the stream of `bytes` bytes at `base` of the fetch address space.
    /// Ignored while a run is in progress.
    void start(std::uint64_t base, std::uint64_t bytes);
    /// Runs records of the instruction ring at `base` from its head on. Likewise.
    void start_ring(std::uint64_t base);
    bool run_in_progress() const {
        return state_ == RunState::RUNNING || state_ == RunState::PAUSED;
    }
    bool ring_run_in_progress() const { return runs_ring_ && run_in_progress(); }
    /// At any moment. The datapath has given back what was dispatched: reset it first.
    void reset();
    RunState state() const { return state_; }
    const std::optional<FaultReport>& fault() const { return fault_; }

    const InstructionRing& ring() const { return ring_; }
    /// Byte offset of the head as it is at this time, however far the engine is ahead.
    std::uint32_t ring_head() const;
    /// False, and nothing changes, for an illegal size or during a run of the ring.
    bool resize_ring(std::uint32_t bytes);
    /// The doorbell. False, and nothing changes, for an illegal tail.
    bool hand_over(std::uint32_t tail);
    NotificationRing& notifications() { return notifications_; }
    const NotificationRing& notifications() const { return notifications_; }

    /// Notified when there are causes to take: RUN_ENDED at the simulated time at which the last
    /// write is visible, RING_EMPTY likewise, NOTIFICATION when the entry is in memory.
    const sc_core::sc_event& cause_event() const { return cause_event_; }
    std::uint32_t causes() const { return causes_; }
    std::uint32_t take_causes() { return std::exchange(causes_, 0); }

    // Architectural state.
    std::uint32_t register_value(unsigned number) const { return registers_[number]; }
    void set_register(unsigned number, std::uint32_t value) { registers_[number] = value; }
    const Synchronisation& synchronisation() const { return synchronisation_; }
    /// For writers outside the engine: changes the state and wakes a waiting instruction.
    void set_semaphore(unsigned index, std::uint32_t value);
    void add_to_semaphore(unsigned index, std::uint32_t value);
    void subtract_from_semaphore(unsigned index, std::uint32_t value);
    void set_event(unsigned index, bool value);

    /// Largest end_cycle of the run so far.
    std::uint64_t total_cycles() const { return total_cycles_; }
    std::uint64_t retired() const { return retired_; }
    /// Cycles since the start of the run in progress, or total_cycles of the last one.
    std::uint64_t run_cycles() const { return run_in_progress() ? current_cycle() : total_cycles_; }
    const PerformanceCounters& counters() const { return counters_; }
    /// The record that waits for a semaphore or event, while it does.
    std::optional<std::uint64_t> waiting_record() const { return waiting_record_; }
    /// Counter overflows and underflows seen (SEMAPHORE_ERROR, not fatal).
    std::uint64_t semaphore_errors() const { return semaphore_errors_; }
    /// Transactions of the dispatch arrow in cycle mode: how many there are, and how many wait for
    /// retirement or are held by the datapath.
    std::size_t dispatches_made() const { return dispatches_made_; }
    std::size_t dispatches_in_use() const;

    void set_retire_observer(RetireObserver* observer) { observer_ = observer; }
    void visit_signals(SignalVisitor& visitor) const override;

private:
    /// An update that takes effect at a cycle to come.
    struct PendingUpdate {
        std::uint64_t cycle;
        std::uint64_t instruction;  ///< its number: updates of one cycle come in program order
        UpdateMode mode;
        std::uint8_t index;
        std::uint32_t value;
    };
    struct WaitCondition {
        WaitMode mode;
        std::uint8_t index;
        std::uint32_t value;
    };
    /// What a control instruction does to the flow. REFETCH: what was fetched ahead is dropped.
    enum class Flow : std::uint8_t { NEXT, BRANCH, REFETCH, HALT };
    /// When a record came through the front end.
    struct FrontEnd {
        std::uint64_t fetch_cycle = 0;
        std::uint64_t decoded_cycle = 0;
    };
    struct Dispatched;  ///< cycle mode: an instruction between dispatch and retirement
    /// Thrown by waits of the run's process, caught by its loop: a reset has ended the run.
    struct Abandoned {};

    void begin(std::uint64_t base, bool ring);
    void run_loop();
    void run_program();
    bool another_record();
    void sleep_until_doorbell();
    std::uint64_t stream_end() const;
    std::uint64_t stream_offset(std::uint64_t position) const;
    std::uint64_t earliest_fetch(std::uint64_t position) const;
    bool next_record(Record& record, FrontEnd& times);
    bool fetch_in_phases(Record& record, FrontEnd& times);
    bool fetch_record(Record& record);
    bool fetch_burst(std::uint64_t bytes);
    bool transport(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data,
                   std::uint64_t bytes, sc_core::sc_time delay = sc_core::SC_ZERO_TIME);
    tlm::tlm_sync_enum fetch_answered(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase,
                                      sc_core::sc_time& delay) {
        return fetch_phases_.backward(transaction, phase, delay);
    }
    void follow(Flow flow, std::uint64_t issue_cycle);
    std::optional<Fault> execute(const Record& record, Flow& flow, RetireRecord& retire);
    std::optional<Fault> dispatch_record(const Record& record, RetireRecord& retire);
    std::optional<Fault> run_loosely(RetireRecord& retire);
    static Fault dispatch_refused(std::uint32_t worker_address);
    void retire_record(const RetireRecord& retire);
    void report_retired(const RetireRecord& retire);
    std::optional<Fault> execute_control(const Record& record, Flow& flow, RetireRecord& retire);
    std::optional<Fault> move(const Record& record);
    std::optional<Fault> event_semaphore(const Record& record, RetireRecord& retire);
    std::optional<Fault> range_clear(const Record& record);
    std::optional<Fault> alu_op(const Record& record);
    std::optional<Fault> compare_branch(const Record& record, Flow& flow);
    std::optional<Fault> compare(const Record& record, bool& taken);
    std::optional<Fault> branch_target(const Record& record, std::uint64_t& target);
    std::optional<Fault> read_scalar(const Field& low, const Field& high, Dtype dtype,
                                     const Record& record, std::uint64_t& value) const;
    void log_alu_op(const Record& record, AluOp operation, Dtype type, Dtype result_type,
                    std::uint64_t left, std::uint64_t right, std::uint64_t value);
    std::optional<Fault> wait_for(const WaitCondition& condition, RetireRecord& retire);
    std::optional<Fault> operand(bool from_register, const char* field, std::uint32_t value,
                                 std::uint32_t& result) const;
    std::optional<Fault> make_update(UpdateMode mode, const char* field, std::uint8_t index,
                                     std::uint32_t value, PendingUpdate& update) const;
    std::optional<Fault> schedule_update(UpdateMode mode, const char* field, std::uint8_t index,
                                         std::uint32_t value, std::uint64_t read_cycle,
                                         std::uint64_t complete_cycle);
    void apply_updates(std::uint64_t cycle);
    void apply(const PendingUpdate& update);
    sc_core::sc_time time_of(std::uint64_t cycle) const;
    std::uint64_t current_cycle() const;
    std::uint64_t next_cycle() const;
    void check_abandoned() const;
    void pause(const sc_core::sc_event& event);
    void pause_until(std::uint64_t cycle, const sc_core::sc_event& event);
    void advance_time(std::uint64_t cycle);
    void wait_until_drained();
    void show(SequencerState state);
    void finish(RunState state);
    void stop_with(const Fault& fault, const Record& record);
    void raise(InterruptCause cause);
    void notify();
    void notify_fault();
    void post(Notification notification);

    void schedule(const PendingUpdate& update);

    // Cycle mode.
    void apply_reported();
    void report_update(const Dispatched& dispatched);
    void fetch_ahead();
    void drop_fetched();
    bool wait_for_fetched(Record& record, FrontEnd& times);
    void release_queue_slot();
    void settle();
    std::optional<Fault> begin_dispatch(RetireRecord& retire);
    std::optional<Fault> wait_for_lists();
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay);
    void complete(Dispatched& dispatched);
    void retire_in_order(const RetireRecord& retire);
    void retire_completed();
    std::unique_ptr<Dispatched> take_dispatched();

    IsaConfiguration isa_;
    SequencerTiming timing_;
    TimingMode mode_;
    NumberModel numbers_;  ///< of the scalar evaluator
    sc_core::sc_time cycle_time_;
    FirmwareLog& log_;
    RetireObserver* observer_ = nullptr;

    sc_core::sc_event start_event_;
    sc_core::sc_event reported_event_;   ///< updates of dispatched records have become due
    sc_core::sc_event changed_event_;    ///< a semaphore or event was written from outside
    sc_core::sc_event abandoned_event_;  ///< a reset ended the run
    std::uint64_t reset_count_ = 0;
    std::uint64_t run_reset_count_ = 0;  ///< reset_count_ when the run began
    sc_core::sc_event cause_event_;
    std::uint32_t causes_ = 0;

    RunState state_ = RunState::IDLE;
    std::optional<FaultReport> fault_;
    std::array<std::uint32_t, num_address_registers> registers_{};
    Synchronisation synchronisation_;
    std::vector<PendingUpdate> pending_;  ///< by ascending cycle
    NotificationRing notifications_;
    PerformanceCounters counters_;

    // The stream. Positions are byte offsets; in the ring they go on counting when it wraps.
    std::uint64_t base_ = 0;
    std::uint64_t bytes_ = 0;  ///< of a program
    InstructionRing ring_;
    bool runs_ring_ = false;
    std::uint64_t program_counter_ = 0;
    std::uint64_t branch_target_ = 0;  ///< of the branch just taken
    std::vector<std::uint8_t> prefetched_;
    std::uint64_t prefetched_at_ = 0;
    std::uint64_t prefetched_bytes_ = 0;

    // Time, in cycles since the start of the run.
    sc_core::sc_time run_start_;
    std::uint64_t next_sync_cycle_ = 0;
    std::uint64_t now_ = 0;  ///< cycle of the last DISPATCH, plus its duration
    std::uint64_t last_fetch_ = 0;
    bool fetched_any_ = false;
    std::uint64_t setup_free_ = 0;  ///< the datapath can take the next record
    std::uint64_t drained_ = 0;     ///< all dispatched writes are visible
    std::uint64_t total_cycles_ = 0;
    std::uint64_t retired_ = 0;
    std::vector<std::uint64_t> dispatch_history_;  ///< ring: a queue slot frees at dispatch
    std::optional<std::uint64_t> waiting_record_;
    std::uint64_t semaphore_errors_ = 0;

    /// Direct-mapped by the record's bytes. All zero bytes are no legal record: an empty slot.
    std::vector<Record> legal_records_;

    tlm::tlm_generic_payload transaction_;
    NonBlockingInitiator fetch_phases_;  ///< approximate view
    tlm::tlm_generic_payload dispatch_transaction_;
    DispatchExtension dispatch_extension_;

    // Cycle mode.
    struct Fetched {
        Record record;
        std::uint64_t program_counter;
        FrontEnd times;
        bool readable;
    };
    std::deque<Fetched> fetched_;
    bool fetching_ = false;            ///< a run is on
    bool fetch_under_way_ = false;     ///< the memory has not answered
    std::uint64_t fetch_counter_ = 0;  ///< position of the next record to fetch
    unsigned queue_slots_used_ = 0;    ///< from FETCH to DISPATCH
    std::uint64_t fetch_epoch_ = 0;    ///< counts what was dropped
    sc_core::sc_event fetch_event_;    ///< there may be something to fetch
    sc_core::sc_event fetched_event_;
    bool setup_busy_ = false;           ///< a dispatched record has not started yet
    sc_core::sc_event progress_event_;  ///< an instruction started or completed; a doorbell
    std::deque<std::unique_ptr<Dispatched>> dispatched_;  ///< in program order
    std::vector<std::unique_ptr<Dispatched>> spare_;
    std::size_t dispatches_made_ = 0;
    std::uint64_t settled_at_ = ~std::uint64_t{0};
    SequencerSignals signals_;
};

}  // namespace dve
