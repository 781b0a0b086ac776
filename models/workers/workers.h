// The workers of the project: every row of models/isa/workers.def with its build function.
#pragma once

#include <vector>

#include "models/lane_program/worker.h"

namespace dve {

#define DVE_WORKER(name, self_name, ...) \
    std::optional<Fault> build_##name(const WorkerContext& context, LaneProgram& program);
#include "models/isa/workers.def"
#undef DVE_WORKER

const std::vector<Worker>& workers();

/// Finds a worker by its image address, as the sequencer reads it from kernel_info.
class FirmwareWorkers final : public WorkerDirectory {
public:
    const Worker* find(Generation generation, std::uint32_t address) const override;
};

}  // namespace dve
