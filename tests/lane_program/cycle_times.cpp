// Instructions run by the cycle pipeline, one cycle after the other.
#include "models/dve/cycle_pipeline.h"
#include "tests/lane_program/program_bench.h"

namespace dve::test {
namespace {

/// Tags are places in `times`.
class Listener final : public PipelineListener {
public:
    explicit Listener(std::size_t instructions) : times(instructions) {}

    void started(std::uint64_t tag, const ExecutionNotes&) override {
        times[tag].start_cycle = cycle;
    }
    void failed(std::uint64_t, const Fault&) override {}
    void read_done(std::uint64_t tag) override { times[tag].read_done_cycle = cycle; }
    void completed(std::uint64_t tag, const StallCycles& stalls) override {
        times[tag].end_cycle = cycle;
        times[tag].hazard_stall = stalls[static_cast<std::size_t>(StallCause::HAZARD)];
    }

    std::uint64_t cycle = 0;
    std::vector<InstructionTimes> times;
};

}  // namespace

std::vector<InstructionTimes> times_of(const std::vector<LaneProgram>& programs,
                                       Generation generation, const TimingParameters& parameters) {
    // All partitions share one row: the values do not matter here.
    static std::vector<std::uint8_t> row(0x4000000);
    CyclePipeline pipeline(generation, parameters, 2048);
    pipeline.set_memories({row.data(), 0}, {row.data(), 0});
    Listener listener(programs.size());
    for (std::size_t next = 0; next < programs.size() || !pipeline.idle(); ++listener.cycle) {
        if (next < programs.size() && pipeline.accepts()) {
            LaneProgram program = programs[next];
            program.run_elements = program.elements;
            const NumberModel model;
            pipeline.accept(program, LooseExecutor::plan(program, model),
                            instruction_cost(program, generation, parameters), model, next,
                            listener.cycle, {});
            ++next;
        }
        pipeline.begin_cycle(listener.cycle, listener);
        pipeline.run_cycle(listener.cycle);
    }
    return listener.times;
}

}  // namespace dve::test
