// is_valid_select_reduce, 0xEA (isa_wire_format 6.7).
#include "models/isa/predicates/s2s2d2_stt.h"

namespace dve::predicates {
namespace {

using namespace fields::S2S2D2_STT;

bool has_valid_select_reduce_op(const CheckContext& context, Violation* violation) {
    return field_equals(context, op0, static_cast<std::uint8_t>(AluOp::BYPASS), "bypass 0",
                        violation) &&
           field_equals(context, op1, static_cast<std::uint8_t>(AluOp::MAX), "max 8", violation);
}

bool has_valid_select_reduce_rev_ops(const CheckContext& context, Violation* violation) {
    const std::uint8_t reverse = context.get(reverse_operands);
    return is_one_of(reverse, {0, 1}) ||
           (violation != nullptr &&
            refuse(*violation, reverse_operands.name, reverse, "none 0, first 1"));
}

bool has_valid_select_reduce_dtypes(const CheckContext& context, Violation* violation) {
    return dtype_in(s2s2d2_stt::src0_dtype_name, s2s2d2_stt::src0_dtype(context), int_datapath,
                    violation) &&
           dtype_in(s2s2d2_stt::src1_dtype_name, s2s2d2_stt::src1_dtype(context), ~int32_types,
                    violation);
}

bool has_valid_s2s2d2_cpr_accum_cmd(const CheckContext& context, Violation* violation) {
    const std::uint8_t command = context.get(accumulator_cmd);
    return is_one_of(command, {0, 2, 3}) ||
           (violation != nullptr && refuse(*violation, accumulator_cmd.name, command,
                                           "idle 0, accumulate 2, zero_accumulate 3"));
}

constexpr Predicate select_reduce_rules[] = {
    {"has_valid_select_reduce_op", every_generation, has_valid_select_reduce_op},
    {"has_valid_select_reduce_rev_ops", every_generation, has_valid_select_reduce_rev_ops},
    {"has_valid_select_reduce_dtypes", every_generation, has_valid_select_reduce_dtypes},
    {"has_valid_s2s2d2_cpr_accum_cmd", every_generation, has_valid_s2s2d2_cpr_accum_cmd},
    {"is_valid_dtype", every_generation, s2s2d2_stt::is_valid_dtype},
    {"s2s2d2_stt_imm0_dtype", every_generation, s2s2d2_stt::imm0_dtype_rule},
};

constexpr auto select_reduce_list = joined(select_reduce_rules, s2s2d2_stt::operand_rules);

}  // namespace

PredicateList select_reduce() { return list_of(select_reduce_list); }

}  // namespace dve::predicates
