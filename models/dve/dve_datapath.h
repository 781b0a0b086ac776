// The 128-lane datapath as a SystemC module: takes dispatched records, runs lane programs.
#pragma once

#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <cstdint>
#include <vector>

#include "models/dve/cycle_pipeline.h"
#include "models/dve/loose_executor.h"
#include "models/isa/check.h"
#include "models/lane_program/timing.h"
#include "models/lane_program/worker.h"
#include "tlm/dispatch_extension.h"
#include "tlm/firmware_log.h"
#include "tlm/systemc_compat.h"
#include "tlm/timing_mode.h"
#include "tlm/traceable.h"

namespace dve {

/// Host pointers to the partitions of one memory, obtained through DMI. Where a memory (or a
/// monitor on the arrow) denies DMI, tensors travel through a shadow by blocking transport.
class MemoryPort {
public:
    tlm_utils::simple_initiator_socket<MemoryPort> socket;

    MemoryPort(const char* name, const MemoryGeometry& geometry);

    /// Makes rows() valid for the partitions and bytes of an operand; reads them if shadowed.
    /// False if the memory answers an error.
    bool open(unsigned first_partition, unsigned partitions, std::int64_t low, std::int64_t high);
    /// Writes the range back if shadowed.
    bool close(unsigned first_partition, unsigned partitions, std::int64_t low, std::int64_t high);

    MemoryRows rows();
    bool uses_dmi() const { return state_ == State::DIRECT; }
    /// Asks for DMI where that is not settled; true if the memory is reached that way.
    bool direct() {
        if (state_ == State::UNKNOWN) {
            acquire();
        }
        return state_ == State::DIRECT;
    }

private:
    enum class State : std::uint8_t { UNKNOWN, DIRECT, SHADOWED };

    void acquire();
    void invalidate(sc_dt::uint64 start, sc_dt::uint64 end);
    bool transfer(tlm::tlm_command command, unsigned first_partition, unsigned partitions,
                  std::int64_t low, std::int64_t high);

    MemoryGeometry geometry_;
    State state_ = State::UNKNOWN;
    MemoryRows direct_;
    std::vector<std::uint8_t> shadow_;
    tlm::tlm_generic_payload transaction_;
};

/// A dispatched record with everything that can be decided before it runs.
struct PreparedProgram {
    Record record;
    std::uint32_t worker_address = 0;
    std::uint32_t kernel_info_flags = 0;
    const Worker* worker = nullptr;  ///< null: an empty slot
    LaneProgram program;
    ExecutionPlan plan;
    InstructionCost cost;
};

/// Loosely timed, a dispatched record runs whole within its b_transport; the times at which it
/// started, freed its sources and finished come back in the extension, in closed form. Cycle by
/// cycle, records come by nb_transport and beats move with SystemC time; one process runs all
/// stages, and as many cycles in one activation as nobody else can take part in.
class DveDatapath : public sc_core::sc_module, public Traceable, private PipelineListener {
public:
    tlm_utils::simple_target_socket<DveDatapath> dispatch;
    MemoryPort sbuf;
    MemoryPort psum;

    /// `cycle`: period of the engine clock.
    DveDatapath(sc_core::sc_module_name name, const IsaConfiguration& isa,
                const Semantics& semantics, const TimingParameters& timing, TimingMode mode,
                sc_core::sc_time cycle, const WorkerDirectory& workers, FirmwareLog& log);

    /// Accumulators, status and pipeline as after power-on. Dispatched records come back with an
    /// error response, wherever they are.
    void reset();

    FpStatus& fp_status() {
        return mode_ == TimingMode::CYCLE ? pipeline_.status() : executor_.status();
    }
    const Accumulators& accumulators() {
        return mode_ == TimingMode::CYCLE ? pipeline_.accumulators() : executor_.accumulators();
    }
    Rounding rounding() const { return semantics_.numbers.rounding; }
    void set_rounding(Rounding rounding);

    // Cycle mode only.

    /// Who else uses the memories. Before the first dispatch.
    void set_holds(const PortHolds& sbuf_holds, const PortHolds& psum_holds) {
        pipeline_.set_holds(&sbuf_holds, &psum_holds);
    }
    void set_lane_observer(LaneObserver* observer) { pipeline_.set_observer(observer); }
    /// Called for the cycles in which nobody else does anything; SystemC traces the others.
    void set_cycle_observer(CycleObserver* observer) { cycle_observer_ = observer; }
    /// Cycles that one activation may run at most when nothing else is pending.
    void set_run_ahead(std::uint32_t cycles) { run_ahead_ = cycles; }
    void visit_signals(SignalVisitor& visitor) const override;
    void watch_lanes(const bool (&lanes)[dve_num_channels]) override {
        pipeline_.show_signals();
        pipeline_.watch_lanes(lanes);
    }

private:
    void b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay);
    std::optional<Fault> run(const Record& record, std::uint32_t worker_address,
                             DispatchExtension& extension);
    std::optional<Fault> lookup(const Record& record, std::uint32_t worker_address,
                                const DispatchExtension& extension, PreparedProgram*& prepared);
    std::optional<Fault> prepare(const Record& record, std::uint32_t worker_address,
                                 const DispatchExtension& extension, PreparedProgram& prepared);
    std::optional<Fault> open_memories(const LaneProgram& program);
    std::optional<Fault> close_memories(const LaneProgram& program);
    void log_operation(const Worker& worker, const LaneProgram& program);
    void log_notes(const ExecutionNotes& notes);
    MemoryPort& port(Space space) { return space == Space::SBUF ? sbuf : psum; }

    // Cycle mode.
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay);
    std::optional<Fault> accept(tlm::tlm_generic_payload& transaction,
                                DispatchExtension& extension);
    void run_cycles();
    void wake_at(std::uint64_t cycle);
    void give_back(tlm::tlm_generic_payload& transaction, tlm::tlm_response_status status);
    void give_all_back();
    sc_core::sc_time time_of(std::uint64_t cycle) const;
    std::uint64_t current_cycle() const;
    void send(std::uint64_t tag, const tlm::tlm_phase& phase);
    void started(std::uint64_t tag, const ExecutionNotes& notes) override;
    void failed(std::uint64_t tag, const Fault& fault) override;
    void read_done(std::uint64_t tag) override;
    void completed(std::uint64_t tag, const StallCycles& stalls) override;

    IsaConfiguration isa_;
    Semantics semantics_;
    TimingParameters timing_;
    TimingMode mode_;
    sc_core::sc_time cycle_;
    const WorkerDirectory& workers_;
    FirmwareLog& log_;
    LooseExecutor executor_;
    PipelineSchedule schedule_;
    /// Direct-mapped by the record's bytes: loops and rings meet the same records again.
    std::vector<PreparedProgram> prepared_;

    CyclePipeline pipeline_;
    CycleObserver* cycle_observer_ = nullptr;
    std::uint32_t run_ahead_ = 1024;
    sc_core::sc_event wake_;
    sc_core::sc_time run_start_;
    std::uint64_t next_cycle_ = 0;  ///< the next one to run, where the pipeline is not empty
    bool settled_ = false;          ///< everybody else has had his turn in this time step
    std::vector<tlm::tlm_generic_payload*> outstanding_;  ///< dispatched, not complete
};

}  // namespace dve
