// How a worker turns an instruction into a lane program: the contract of models/workers.
#pragma once

#include <cstdint>
#include <optional>

#include "models/isa/fault.h"
#include "models/isa/worker_row.h"
#include "models/lane_program/lane_program.h"
#include "models/lane_program/semantics.h"

namespace dve {

/// What a worker may look at.
struct WorkerContext {
    const Record& record;
    const OpcodeRow& opcode;
    const std::uint32_t* registers;  ///< R[0..63]
    const IsaConfiguration& isa;
    const Semantics& semantics;
    std::uint32_t kernel_info_flags;  ///< third word of the opcode's kernel_info slot
};

/// Fills a default-constructed program; the fault says why it cannot. The record has passed
/// `check`.
using BuildFunction = std::optional<Fault> (*)(const WorkerContext& context, LaneProgram& program);

struct Worker {
    const WorkerRow* row;
    BuildFunction build;
};

/// A set of workers, by image address; the datapath gets one at assembly.
class WorkerDirectory {
public:
    virtual ~WorkerDirectory() = default;
    /// Null where no worker lies at the address on that generation.
    virtual const Worker* find(Generation generation, std::uint32_t address) const = 0;
};

}  // namespace dve
