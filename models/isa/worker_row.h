// Dispatch facts of the datapath workers: self-names and addresses (isa_wire_format 7).
#pragma once

#include <cstdint>
#include <vector>

#include "models/isa/opcode.h"

namespace dve {

/// An address of the firmware image: published, or a value of this project in its place.
struct ImageAddress {
    std::uint32_t value;
    bool published;
};

struct WorkerRow {
    WorkerId id;
    const char* name;       ///< identifier of the row
    const char* self_name;  ///< as the worker logs it, "S: " left out
    ImageAddress stub[generation_count];
    ImageAddress worker[generation_count];

    std::uint32_t address(Generation generation) const {
        return worker[static_cast<std::size_t>(generation)].value;
    }
};

/// All rows; WorkerId::NONE and SEQUENCER have none.
const std::vector<WorkerRow>& worker_rows();

/// Null for NONE and SEQUENCER.
const WorkerRow* find_worker(WorkerId id);

}  // namespace dve
