// is_valid_dve_read_accumulator, 0x9B: the constraints of its record (isa_wire_format 4.6).
#include "models/isa/predicates/common.h"
#include "models/isa/predicates/patterns.h"

namespace dve::predicates {
namespace {

using namespace fields::D1_RD;

bool d1_rd_reserved_zero(const CheckContext& context, Violation* violation) {
    return reserved_zero(context, reserved0, violation) &&
           reserved_zero(context, reserved1, violation) &&
           reserved_zero(context, reserved2, violation);
}

bool d1_rd_element_count(const CheckContext& context, Violation* violation) {
    if (!field_equals(context, dst_element_count, 1, "1", violation)) {
        return false;
    }
    if (start_word(context.record, dst_mem_pattern).shape_from_register()) {
        return true;
    }
    const std::uint64_t count = element_count(context, dst_mem_pattern);
    return count == 1 ||
           (violation != nullptr && refuse(*violation, "dst_mem_pattern.num_elem[0]", count, "1"));
}

bool d1_rd_dtype(const CheckContext& context, Violation* violation) {
    return dtype_in(dtype.name, context.get(dtype), fp_datapath | set_of(Dtype::FP32R), violation);
}

bool d1_rd_negated(const CheckContext& context, Violation* violation) {
    const std::uint8_t value = context.get(negated);
    return value <= 1 || (violation != nullptr && refuse(*violation, negated.name, value, "0, 1"));
}

bool channel_range(const CheckContext& context, Violation* violation) {
    return channels_in_range(context, num_active_channels, violation);
}

bool channel_range_with_tile(const CheckContext& context, Violation* violation) {
    return channels_in_tile(context, num_active_channels, violation);
}

bool active_channels(const CheckContext& context, Violation* violation) {
    return tensor_channels(context, dst_mem_pattern, context.get(num_active_channels), violation);
}

bool tensor1d_valid(const CheckContext& context, Violation* violation) {
    return tensor_valid(context, {dst_mem_pattern, dtype.name, context.get(dtype), true},
                        violation);
}

bool shapes_in_record(const CheckContext& context, Violation* violation) {
    return shape_in_record(context, dst_mem_pattern, violation);
}

// The sheet lists constraints, not predicates: the d1_rd names are this project's.
constexpr Predicate read_accumulator_list[] = {
    {"d1_rd_reserved_zero", every_generation, d1_rd_reserved_zero},
    {"d1_rd_element_count", every_generation, d1_rd_element_count},
    {"d1_rd_dtype", every_generation, d1_rd_dtype},
    {"d1_rd_negated", every_generation, d1_rd_negated},
    {"has_valid_active_channel_range", before_maverick, channel_range},
    {"has_valid_active_channel_range_with_tile", maverick, channel_range_with_tile},
    {"start_addr_active_channels", every_generation, active_channels},
    {"tensor1d_valid", every_generation, tensor1d_valid},
    {"shape_registers_unpublished", every_generation, shapes_in_record},
};

}  // namespace

PredicateList dve_read_accumulator() { return list_of(read_accumulator_list); }

}  // namespace dve::predicates
