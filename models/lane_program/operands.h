// From wire operands to resolved ones: addresses, walks, bounds, scalars.
#pragma once

#include <optional>

#include "models/lane_program/worker.h"

namespace dve {

/// Elements per partition that one instruction may process. Wider walks repeat bytes beyond any
/// published use (op_semantics 4.6: 64 K in SBUF); refusing them keeps a hostile record finite.
inline constexpr std::uint64_t max_elements = std::uint64_t{1} << 20;

/// Elements per partition of a pattern field: the product of its counts, or its number of indices.
std::uint32_t pattern_elements(const WorkerContext& context, const Field& field);

/// Resolves a pattern field: register addresses, start partition and alignment, the whole walk
/// inside its partition (decisions 4 and D-11: MEMORY_ERROR). Of an indirect pattern the list lies
/// inside its partitions; its words are judged when they are read (IndirectOffsets).
std::optional<Fault> resolve_tensor(const WorkerContext& context, const Field& field, Dtype dtype,
                                    unsigned channels, bool write, TensorOperand& operand);

/// Resolves an immediate field. An inline value is taken as it is (FP32 bits for arithmetic, raw
/// bits for bitvec); a pointer or register pointer names one value of `dtype` per channel.
std::optional<Fault> resolve_scalar(const WorkerContext& context, const Field& field, ImmSrc source,
                                    Dtype dtype, unsigned channels, ScalarOperand& operand);

/// Where the list of an indirect destination has to start, for addresses that come from registers
/// (indirect_quadrant_check_src3d_dst3d, D-10).
std::optional<Fault> indirect_destination_fault(const TensorOperand& source,
                                                const TensorOperand& destination,
                                                const Field& destination_field);

/// A refusal by this project: the feature exists in the ISA but is not modelled.
Fault not_modelled(const char* field, std::uint64_t value, const char* legal);

}  // namespace dve
