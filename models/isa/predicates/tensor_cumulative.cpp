// is_valid_tensor_cumulative, 0x4E and 0x5E (isa_wire_format 6.9).
#include "models/isa/predicates/common.h"
#include "models/isa/predicates/patterns.h"

namespace dve::predicates {
namespace {

using namespace fields::S4D4_TR;

bool is_bitvec_opcode(const CheckContext& context) {
    return context.code() == Opcode::TENSOR_CUMULATIVE_BITVEC_OP;
}

bool tensor_cumulative_zero_fields(const CheckContext& context, Violation* violation) {
    return field_equals(context, negated, 0, "0", violation) &&
           field_equals(context, mask_enable, 0, "0", violation) &&
           reserved_zero(context, reserved1, violation);
}

bool is_valid_dtype(const CheckContext& context, Violation* violation) {
    return dtype_in(in_dtype.name, context.get(in_dtype), valid_dtypes(context, false),
                    violation) &&
           dtype_in(out_dtype.name, context.get(out_dtype), valid_dtypes(context, true), violation);
}

bool is_valid_enum(const CheckContext& context, Violation* violation) {
    return op_in_class(context, op, is_alu_op, violation);
}

bool is_op_of_arith(const CheckContext& context, std::uint8_t code) {
    return is_arith_op(context, code) && !is_op(code, AluOp::DIVIDE) && !is_op(code, AluOp::POW) &&
           !is_op(code, AluOp::MOD);
}

bool tensor_cumulative_valid_op(const CheckContext& context, Violation* violation) {
    return op_in_class(context, op, is_bitvec_opcode(context) ? is_bitvec_op : is_op_of_arith,
                       violation);
}

bool tensor_cumulative_valid_types(const CheckContext& context, Violation* violation) {
    if (!is_bitvec_opcode(context)) {
        return true;
    }
    constexpr DtypeSet admitted =
        set_of(Dtype::UINT8) | set_of(Dtype::UINT16) | set_of(Dtype::UINT32) | set_of(Dtype::INT32);
    const std::uint8_t in = context.get(in_dtype);
    const bool signed_shift = is_op(context.get(op), AluOp::LOGICAL_SHIFT_RIGHT);
    if (!dtype_in(in_dtype.name, in, signed_shift ? set_of(Dtype::INT32) : admitted, violation)) {
        return false;
    }
    return context.get(out_dtype) == in ||
           (violation != nullptr && refuse(*violation, out_dtype.name, context.get(out_dtype),
                                           "the in_dtype: a bitvec opcode converts nothing"));
}

bool is_valid_subdim(const CheckContext& context, Violation* violation) {
    const std::uint8_t dimension = context.get(op_dim);
    return is_one_of(dimension, {2, 3, 4, 5}) ||
           (violation != nullptr &&
            refuse(*violation, op_dim.name, dimension, "x 2, xy 3, xyz 4, xyzw 5"));
}

bool channel_range(const CheckContext& context, Violation* violation) {
    return channels_in_range(context, num_active_channels, violation);
}

bool channel_range_with_tile(const CheckContext& context, Violation* violation) {
    return channels_in_tile(context, num_active_channels, violation);
}

bool active_channels(const CheckContext& context, Violation* violation) {
    const unsigned channels = context.get(num_active_channels);
    return mem_channels(context, src_mem_pattern, channels, violation) &&
           mem_channels(context, dst_mem_pattern, channels, violation);
}

bool patterns_valid(const CheckContext& context, Violation* violation) {
    return mem_valid(context, {src_mem_pattern, in_dtype.name, context.get(in_dtype), false},
                     violation) &&
           mem_valid(context, {dst_mem_pattern, out_dtype.name, context.get(out_dtype), true},
                     violation);
}

bool element_counts(const CheckContext& context, Violation* violation) {
    return same_element_count(context, src_mem_pattern, dst_mem_pattern, violation);
}

bool source_quadrant(const CheckContext& context, Violation* violation) {
    return indirect_source_quadrant(context, src_mem_pattern, violation);
}

bool shapes_in_record(const CheckContext& context, Violation* violation) {
    return shape_in_record(context, src_mem_pattern, violation) &&
           shape_in_record(context, dst_mem_pattern, violation);
}

bool alu_op_accepts_dtype(const CheckContext& context, Violation* violation) {
    const std::uint8_t in = context.get(in_dtype);
    return op_takes_dtype(context, op, in_dtype.name, in, valid_dtypes(context, false),
                          violation) &&
           op_takes_dtype(context, op, out_dtype.name, context.get(out_dtype),
                          valid_dtypes(context, true), violation) &&
           op_signedness_agrees(context, op, in, out_dtype, violation);
}

// The sheet gives the rules on operations, types and zero fields without a name.
constexpr Predicate tensor_cumulative_list[] = {
    {"tensor_cumulative_zero_fields", every_generation, tensor_cumulative_zero_fields},
    {"is_valid_dtype", every_generation, is_valid_dtype},
    {"is_valid_enum", every_generation, is_valid_enum},
    {"tensor_cumulative_valid_op", every_generation, tensor_cumulative_valid_op},
    {"tensor_cumulative_valid_types", every_generation, tensor_cumulative_valid_types},
    {"is_valid_subdim", every_generation, is_valid_subdim},
    {"has_valid_active_channel_range", before_maverick, channel_range},
    {"has_valid_active_channel_range_with_tile", maverick, channel_range_with_tile},
    {"start_addr_active_channels", until_cayman, active_channels},
    {"check_m4d_active_channels", from_mariana, active_channels},
    {"tensor4d_valid", until_cayman, patterns_valid},
    {"mem4d_valid", from_mariana, patterns_valid},
    {"same_element_count_t4d", until_cayman, element_counts},
    {"same_element_count_m4d", from_mariana, element_counts},
    {"indirect_quadrant_check_src4d", from_mariana, source_quadrant},
    {"shape_registers_unpublished", every_generation, shapes_in_record},
    {"alu_op_accepts_dtype", every_generation, alu_op_accepts_dtype},
};

}  // namespace

PredicateList tensor_cumulative() { return list_of(tensor_cumulative_list); }

}  // namespace dve::predicates
