// is_valid_tensor_scalar_cache_reduce and its cumulative twin, 0x9A and 0xE6 (isa_wire_format 6.3).
#include "models/isa/predicates/s3d3_ts.h"

namespace dve::predicates {
namespace {

using namespace fields::S3D3_TS;

bool tensor_scalar_cache_reduce_valid_ops(const CheckContext& context, Violation* violation) {
    return op_in_class(context, op0, is_general_arith_op, violation) &&
           op_in_class(context, op1, is_valid_cache_reduce_op, violation);
}

bool tensor_scalar_cache_reduce_valid_types(const CheckContext& context, Violation* violation) {
    return dtype_in(in_dtype.name, context.get(in_dtype),
                    fp_datapath | (int_datapath & ~int32_types), violation);
}

bool tensor_scalar_cache_reduce_immediates(const CheckContext& context, Violation* violation) {
    if (!s3d3_ts::immediate_by_source(context, imm0_src, imm0, violation)) {
        return false;
    }
    return s3d3_ts::loads_accumulator(context)
               ? s3d3_ts::immediate_by_source(context, imm1_src, imm1, violation)
               : s3d3_ts::imm1_unused(context, "0 unless accumulator_cmd is load_accumulate",
                                      violation);
}

bool tensor_scalar_cache_reduce_reverse(const CheckContext& context, Violation* violation) {
    return field_equals(context, reverse_operands, 0, "none 0", violation);
}

bool has_valid_tensor_scalar_cache_reduce_accum_cmd(const CheckContext& context,
                                                    Violation* violation) {
    const std::uint8_t command = context.get(accumulator_cmd);
    return is_one_of(command, {2, 3, 4}) ||
           (violation != nullptr && refuse(*violation, accumulator_cmd.name, command,
                                           "accumulate 2, zero_accumulate 3, load_accumulate 4"));
}

// The list holds for both opcodes. Names without a published form: ..._reverse.
constexpr Predicate cache_reduce_rules[] = {
    {"tensor_scalar_cache_reduce_valid_ops", every_generation,
     tensor_scalar_cache_reduce_valid_ops},
    {"tensor_scalar_cache_reduce_valid_types", every_generation,
     tensor_scalar_cache_reduce_valid_types},
    {"tensor_scalar_cache_reduce_immediates", every_generation,
     tensor_scalar_cache_reduce_immediates},
    {"tensor_scalar_cache_reduce_reverse", every_generation, tensor_scalar_cache_reduce_reverse},
    {"has_valid_tensor_scalar_cache_reduce_accum_cmd", every_generation,
     has_valid_tensor_scalar_cache_reduce_accum_cmd},
};

constexpr auto cache_reduce_list = joined(cache_reduce_rules, s3d3_ts::operand_rules);

}  // namespace

PredicateList tensor_scalar_cache_reduce() { return list_of(cache_reduce_list); }

}  // namespace dve::predicates
