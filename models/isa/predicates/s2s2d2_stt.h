// Rules that the opcodes of the S2S2D2_STT record share (isa_wire_format 6.5 to 6.7).
#pragma once

#include "models/isa/predicates/common.h"
#include "models/isa/predicates/patterns.h"

namespace dve::predicates::s2s2d2_stt {

std::uint8_t src0_dtype(const CheckContext& context);
std::uint8_t src1_dtype(const CheckContext& context);

// Names of the operands inside the pair byte, for messages.
inline constexpr const char* src0_dtype_name = "in0_in1_dtype.src0";
inline constexpr const char* src1_dtype_name = "in0_in1_dtype.src1";

bool is_valid_dtype(const CheckContext& context, Violation* violation);
bool imm0_dtype_rule(const CheckContext& context, Violation* violation);
bool enums(const CheckContext& context, Violation* violation);
bool immediate(const CheckContext& context, Violation* violation);
bool active_channels(const CheckContext& context, Violation* violation);
bool patterns_valid(const CheckContext& context, Violation* violation);
bool channel_range(const CheckContext& context, Violation* violation);
bool source_counts(const CheckContext& context, Violation* violation);
bool destination_count(const CheckContext& context, Violation* violation);
bool source_partitions(const CheckContext& context, Violation* violation);
bool reserved_zero_rule(const CheckContext& context, Violation* violation);
bool shapes_in_record(const CheckContext& context, Violation* violation);

/// What every list of the record ends with.
inline constexpr Predicate operand_rules[] = {
    {"has_valid_s2s2d2_stt_immediate", every_generation, immediate},
    {"start_addr_active_channels", every_generation, active_channels},
    {"tensor2d_valid", every_generation, patterns_valid},
    {"check_active_channels", every_generation, channel_range},
    {"s2s2d2_stt_src_element_cnt_check", every_generation, source_counts},
    {"s2s2d2_stt_dst_element_cnt_check", every_generation, destination_count},
    {"tt_valid_partitions", every_generation, source_partitions},
    {"has_s2s2d2_stt_reserved_zero", every_generation, reserved_zero_rule},
    {"shape_registers_unpublished", every_generation, shapes_in_record},
};

}  // namespace dve::predicates::s2s2d2_stt
