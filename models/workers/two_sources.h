// What the instructions with two source tensors share.
#pragma once

#include "models/lane_program/worker.h"

namespace dve {

/// Where a layout keeps the parts.
struct TwoSourceFields {
    const Field& src0;
    const Field& src1;
    const Field& dst;
    const Field& dtype_pair;
    const Field& out_dtype;
    const Field& channels;
};

/// Fills channels, elements, the three tensors and their dtypes.
std::optional<Fault> build_two_sources(const WorkerContext& context, const TwoSourceFields& fields,
                                       LaneProgram& program);

}  // namespace dve
