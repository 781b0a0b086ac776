// The lane pipeline cycle by cycle (timing, "Pipeline"). No SystemC.
//
//   READ -> CVT_IN -> ALU0 {splat | op0} -> ALU1 {splat | op1}
//        -> [4 x PASS {rotate | combine} -> CARRY] -> CVT_OUT -> WRITE
//
// Beats move only in cycles in which no port or bank that a beat needs is held by somebody else.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "models/dve/element_walk.h"
#include "models/dve/lane_stages.h"
#include "models/dve/loose_executor.h"
#include "models/dve/pipeline_signals.h"
#include "models/lane_program/timing.h"
#include "tlm/port_holds.h"
#include "tlm/retire_record.h"

namespace dve {

/// What the pipeline says of an instruction: all in the cycle in which it says so.
class PipelineListener {
public:
    virtual ~PipelineListener() = default;
    virtual void started(std::uint64_t tag, const ExecutionNotes& notes) = 0;
    /// It will not start: a list in memory names what it must not.
    virtual void failed(std::uint64_t tag, const Fault& fault) = 0;
    virtual void read_done(std::uint64_t tag) = 0;  ///< one past its last READ
    /// One past the cycle in which its last write is visible; stalls: HAZARD, PORT, BANK.
    virtual void completed(std::uint64_t tag, const StallCycles& stalls) = 0;
};

/// False in the one program that measures what the hooks cost (tests/bench).
#ifdef DVE_WITHOUT_SIGNALS
inline constexpr bool signals_compiled = false;
#else
inline constexpr bool signals_compiled = true;
#endif

class CyclePipeline {
public:
    CyclePipeline(Generation generation, const TimingParameters& timing,
                  std::uint32_t psum_bank_bytes);
    ~CyclePipeline();

    void set_memories(MemoryRows sbuf, MemoryRows psum) {
        sbuf_ = sbuf;
        psum_ = psum;
    }
    /// Who else uses the memories; times of holds are `origin` + cycle * `period`, in units of the
    /// time resolution.
    void set_holds(const PortHolds* sbuf, const PortHolds* psum) {
        sbuf_holds_ = sbuf;
        psum_holds_ = psum;
    }
    void set_time(std::uint64_t origin, std::uint64_t period) {
        origin_ = origin;
        period_ = period;
    }
    /// Every value of every stage goes to the observer.
    void set_observer(LaneObserver* observer);
    /// Keeps signals() current: slots and ports, and the values of these lanes.
    void show_signals() { signals_wanted_ = true; }
    void watch_lanes(const bool (&lanes)[dve_num_channels]);

    /// Empties the pipeline; accumulators and status stay.
    void clear();

    /// The SETUP slot is free.
    bool accepts() const { return waiting_ == nullptr; }
    /// The instruction may start from `ready_cycle` on. `retire`: what the observer gets to see;
    /// its record and opcode must live until completion. `instruction` is shown in the slots.
    void accept(const LaneProgram& program, const ExecutionPlan& plan, const InstructionCost& cost,
                const NumberModel& model, std::uint64_t tag, std::uint64_t ready_cycle,
                const RetireRecord& retire);

    bool idle() const { return waiting_ == nullptr && flights_.empty(); }

    /// Whether begin_cycle may have something to do in a cycle.
    bool event_due(std::uint64_t cycle) const { return due_ || cycle >= next_candidate_; }
    /// The events of a cycle. Call before run_cycle, at least for every cycle with an event due.
    void begin_cycle(std::uint64_t cycle, PipelineListener& listener);
    /// Beats of a cycle.
    void run_cycle(std::uint64_t cycle);

    Accumulators& accumulators() { return accumulators_; }
    FpStatus& status() { return status_; }
    const PipelineSignals& signals() const { return signals_; }

private:
    struct Flight;

    bool may_start(std::uint64_t cycle);
    std::optional<Fault> read_lists(Flight& flight);
    void start(std::uint64_t cycle, PipelineListener& listener);
    void begin_accumulation(const LaneProgram& program, ExecutionNotes& notes);
    std::unique_ptr<Flight> take_flight();
    PortConflict held(const Flight& flight, std::uint64_t time) const;
    bool blocked(std::uint64_t cycle);
    void advance(Flight& flight, std::uint64_t cycle);
    void advance_front(Flight& flight, std::uint64_t cycle, std::uint64_t k);
    void advance_scan(Flight& flight, std::uint64_t cycle, std::uint64_t k);
    void accumulate(Flight& flight, std::uint64_t cycle, const LaneElement& element,
                    std::uint32_t beat);
    void read(Flight& flight, std::uint64_t cycle, std::uint32_t until);
    void read_block(Flight& flight);
    void show_converted(Flight& flight, std::uint64_t cycle, const LaneElement& element,
                        std::uint32_t beat);
    void show_alu(Flight& flight, std::uint64_t cycle, unsigned number, const LaneElement& element,
                  std::uint32_t beat);
    void show_port(const TensorOperand& operand, std::int64_t offset, bool write);
    void show(const Flight& flight, PipelineSlot slot, std::uint8_t operation,
              std::uint32_t element, std::uint8_t second = 0);
    void show_words(const Flight& flight, std::uint64_t cycle, LaneStage stage,
                    std::uint32_t element, std::uint32_t beat, const std::uint32_t* values,
                    const std::uint32_t* second = nullptr);
    void show_raw(const Flight& flight, std::uint64_t cycle, LaneStage stage, std::uint32_t element,
                  std::uint32_t beat, const std::uint8_t* plane, unsigned bytes);
    bool shows_signals() const { return signals_compiled && signals_wanted_; }
    bool shows_values() const { return signals_compiled && values_wanted_; }
    /// Either of them: the one thing that the beats ask.
    bool watched() const { return signals_compiled && (signals_wanted_ || values_wanted_); }
    const MemoryRows& rows(Space space) const { return space == Space::SBUF ? sbuf_ : psum_; }

    Generation generation_;
    TimingParameters timing_;
    std::uint32_t psum_bank_bytes_;
    MemoryRows sbuf_;
    MemoryRows psum_;
    const PortHolds* sbuf_holds_ = nullptr;
    const PortHolds* psum_holds_ = nullptr;
    std::uint64_t origin_ = 0;
    std::uint64_t period_ = 1;
    LaneObserver* observer_ = nullptr;
    std::vector<std::uint8_t> watched_lanes_;
    bool signals_wanted_ = false;
    bool values_wanted_ = false;  ///< lanes are watched or an observer listens

    std::vector<std::unique_ptr<Flight>> flights_;  ///< started, oldest first
    std::unique_ptr<Flight> waiting_;               ///< in SETUP
    std::vector<std::unique_ptr<Flight>> free_;
    std::uint64_t pipe_time_ = 0;  ///< cycles in which beats moved
    bool due_ = false;             ///< a flight has something to report
    bool any_started_ = false;
    std::uint64_t last_start_ = 0;
    std::uint64_t next_candidate_ = ~std::uint64_t{0};  ///< when to ask may_start again

    Accumulators accumulators_;
    FpStatus status_;
    PipelineSignals signals_;
};

}  // namespace dve
