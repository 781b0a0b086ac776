// What an instruction reads and writes in the same place.
#pragma once

#include "models/dve/indirect_offsets.h"
#include "models/lane_program/lane_program.h"

namespace dve {

/// Whether results have to wait until all sources are read. Offsets are those of src0 and dst.
bool results_wait(const LaneProgram& program, const IndirectOffsets& source,
                  const IndirectOffsets& destination);
/// Whether dst touches the list of an operand.
bool overwrites_list(const LaneProgram& program, const IndirectOffsets& destination);

}  // namespace dve
