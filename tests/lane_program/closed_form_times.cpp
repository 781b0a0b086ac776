// Instructions placed by the closed form.
#include "tests/lane_program/program_bench.h"

namespace dve::test {

std::vector<InstructionTimes> times_of(const std::vector<LaneProgram>& programs,
                                       Generation generation, const TimingParameters& parameters) {
    PipelineSchedule schedule;
    std::vector<InstructionTimes> times;
    for (const LaneProgram& program : programs) {
        times.push_back(schedule.place(program, instruction_cost(program, generation, parameters),
                                       0, parameters));
    }
    return times;
}

}  // namespace dve::test
