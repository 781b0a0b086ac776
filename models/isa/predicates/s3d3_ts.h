// Rules that the opcodes of the S3D3_TS record share (isa_wire_format 6.1 to 6.4).
#pragma once

#include "models/isa/predicates/common.h"
#include "models/isa/predicates/patterns.h"

namespace dve::predicates::s3d3_ts {

bool is_valid_dtype(const CheckContext& context, Violation* violation);
bool is_valid_aluop(const CheckContext& context, Violation* violation);
bool reserved0_zero(const CheckContext& context, Violation* violation);
bool channel_range(const CheckContext& context, Violation* violation);
bool channel_range_with_tile(const CheckContext& context, Violation* violation);
bool active_channels(const CheckContext& context, Violation* violation);
bool patterns_valid(const CheckContext& context, Violation* violation);
bool element_counts(const CheckContext& context, Violation* violation);
bool shapes_in_record(const CheckContext& context, Violation* violation);
bool source_quadrant(const CheckContext& context, Violation* violation);
bool destination_quadrant(const CheckContext& context, Violation* violation);
bool destination_index(const CheckContext& context, Violation* violation);

/// Opcode of the bitvec class (53, 54); every other one is arithmetic.
bool is_bitvec_opcode(const CheckContext& context);

/// ts_imm_chk, ts_ptr_imm_chk and is_valid_imm_reg of one immediate, whatever its source field.
bool inline_immediate(const CheckContext& context, const Field& immediate, Violation* violation);
bool pointer_immediate(const CheckContext& context, const Field& immediate, Violation* violation);

/// An immediate by its source: 0 inline, 1 pointer, 2 register pointer, others refused.
bool immediate_by_source(const CheckContext& context, const Field& source, const Field& immediate,
                         Violation* violation);

/// The accumulator starts from imm1.
bool loads_accumulator(const CheckContext& context);

/// imm1 has no use: source 0 and value 0.
bool imm1_unused(const CheckContext& context, const char* legal, Violation* violation);

/// What every list of the record ends with. The channel and pattern checks change their names
/// between generations (isa_wire_format 6.10).
inline constexpr Predicate operand_rules[] = {
    {"s3d3_ts_reserved_zero", every_generation, reserved0_zero},
    {"is_valid_dtype", every_generation, is_valid_dtype},
    {"is_valid_aluop", every_generation, is_valid_aluop},
    {"has_valid_active_channel_range", before_maverick, channel_range},
    {"has_valid_active_channel_range_with_tile", maverick, channel_range_with_tile},
    {"start_addr_active_channels", until_cayman, active_channels},
    {"check_m3d_active_channels", from_mariana, active_channels},
    {"tensor3d_valid", until_cayman, patterns_valid},
    {"mem3d_valid", from_mariana, patterns_valid},
    {"same_element_count_t3d", until_cayman, element_counts},
    {"same_element_count_m3d", from_mariana, element_counts},
    {"indirect_quadrant_check_src3d", from_mariana, source_quadrant},
    {"indirect_quadrant_check_src3d_dst3d", from_mariana, destination_quadrant},
    {"indirect_dst_size_limit_m3d", from_mariana, destination_index},
    {"shape_registers_unpublished", every_generation, shapes_in_record},
};

}  // namespace dve::predicates::s3d3_ts
