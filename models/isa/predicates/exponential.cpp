// is_valid_exponential, 0x30 (isa_wire_format 6.4).
#include "models/isa/predicates/s3d3_ts.h"

namespace dve::predicates {
namespace {

using namespace fields::S3D3_TS;

bool exponential_ops(const CheckContext& context, Violation* violation) {
    return field_equals(context, op0, static_cast<std::uint8_t>(AluOp::BYPASS), "bypass 0",
                        violation) &&
           field_equals(context, op1, static_cast<std::uint8_t>(AluOp::BYPASS), "bypass 0",
                        violation) &&
           field_equals(context, reverse_operands, 0, "none 0", violation);
}

bool exponential_immediates(const CheckContext& context, Violation* violation) {
    return s3d3_ts::immediate_by_source(context, imm0_src, imm0, violation) &&
           (!s3d3_ts::loads_accumulator(context) ||
            s3d3_ts::immediate_by_source(context, imm1_src, imm1, violation));
}

bool has_valid_exponential_accum_cmd(const CheckContext& context, Violation* violation) {
    if (s3d3_ts::loads_accumulator(context)) {
        return true;
    }
    const std::uint8_t command = context.get(accumulator_cmd);
    if (!is_one_of(command, {0, 2, 3})) {
        return violation != nullptr &&
               refuse(*violation, accumulator_cmd.name, command,
                      "idle 0, accumulate 2, zero_accumulate 3, load_accumulate 4");
    }
    return s3d3_ts::imm1_unused(context, "0 unless accumulator_cmd is load_accumulate", violation);
}

// The sum takes two elements a step where two share a word: types under 4 bytes with X step 1. Then
// rows must hold an even number of elements and start on an even one (op_semantics 3.9 has the
// second half as steps). Dimensions of count 1 take no step.
bool exponential_element_count(const CheckContext& context, Violation* violation) {
    if (context.get(accumulator_cmd) == 0 || is_indirect(context, src_mem_pattern) ||
        start_word(context.record, src_mem_pattern).shape_from_register() ||
        dtype_bytes(context.get(in_dtype)) >= 4) {
        return true;
    }
    const Pattern source = context.record.get_pattern(src_mem_pattern);
    if (source.step_elem[0] == 1 && source.num_elem[0] % 2 != 0) {
        return violation != nullptr &&
               refuse(*violation, "src_mem_pattern.num_elem[0]", source.num_elem[0],
                      "an even count when accumulating packed elements");
    }
    for (unsigned d = 1; d < source.dimensions; ++d) {
        if (source.num_elem[d] > 1 && source.step_elem[d] % 2 != 0) {
            return violation != nullptr &&
                   refuse(*violation, "src_mem_pattern.step_elem[" + std::to_string(d) + ']',
                          static_cast<std::uint16_t>(source.step_elem[d]),
                          "an even step when accumulating elements of less than 4 bytes");
        }
    }
    return true;
}

// The sheet gives these rules without a name, but for the accumulator command.
constexpr Predicate exponential_rules[] = {
    {"exponential_ops", every_generation, exponential_ops},
    {"exponential_immediates", every_generation, exponential_immediates},
    {"has_valid_exponential_accum_cmd", every_generation, has_valid_exponential_accum_cmd},
    {"exponential_element_count", every_generation, exponential_element_count},
};

constexpr auto exponential_list = joined(exponential_rules, s3d3_ts::operand_rules);

}  // namespace

PredicateList exponential() { return list_of(exponential_list); }

}  // namespace dve::predicates
