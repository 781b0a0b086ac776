// is_valid_tensor_scalar_op and is_valid_tensor_scalar_ptr_op (isa_wire_format 6.1, 6.2).
#include "models/isa/predicates/s3d3_ts.h"

namespace dve::predicates {
namespace {

using namespace fields::S3D3_TS;

bool has_tensor_scalar_opcode(const CheckContext& context, Violation* violation) {
    return is_one_of(context.record.opcode(), {0x43, 0x53, 0x93}) ||
           (violation != nullptr &&
            refuse(*violation, "opcode", context.record.opcode(), "0x43, 0x53, 0x93"));
}

bool has_tensor_scalar_ptr_opcode(const CheckContext& context, Violation* violation) {
    return is_one_of(context.record.opcode(), {0x44, 0x54}) ||
           (violation != nullptr &&
            refuse(*violation, "opcode", context.record.opcode(), "0x44, 0x54"));
}

// What either operation of an arithmetic record may be, but for the RSQRT form.
bool is_op_of_arith(const CheckContext& context, std::uint8_t op) {
    return is_general_arith_op(context, op) || is_valid_int_aluop_dve(context, op);
}

bool is_rsqrt_form(const CheckContext& context) {
    return is_op(context.get(op0), AluOp::RSQRT) && is_op(context.get(op1), AluOp::BYPASS) &&
           context.record.get32(imm0) == 0 && context.get(imm0_src) == 0 &&
           context.record.get32(imm1) == 0 && context.get(imm1_src) == 0;
}

// DIVIDE, POW and MOD are in neither class, so the classes refuse them too.
bool tensor_scalar_valid_ops(const CheckContext& context, Violation* violation) {
    const std::uint8_t first = context.get(op0);
    const std::uint8_t second = context.get(op1);
    if (s3d3_ts::is_bitvec_opcode(context)) {
        if (!op_in_class(context, op0, is_bitvec_op, violation) ||
            !op_in_class(context, op1, is_bitvec_op, violation)) {
            return false;
        }
    } else if (!is_rsqrt_form(context)) {
        const bool both_general =
            is_general_arith_op(context, first) && is_general_arith_op(context, second);
        if (!both_general &&
            !(is_valid_int_aluop_dve(context, first) && is_valid_int_aluop_dve(context, second))) {
            if (violation == nullptr) {
                return false;
            }
            if (is_op(first, AluOp::RSQRT)) {
                return refuse(*violation, op0.name, first,
                              "rsqrt only with op1 = bypass, both immediates inline and 0");
            }
            return op_in_class(context, op0, is_op_of_arith, violation) &&
                   op_in_class(context, op1, is_op_of_arith, violation) &&
                   refuse(*violation, op1.name, second,
                          "both operations general arithmetic, or both of the integer band");
        }
    }
    return !is_op(first, AluOp::BYPASS) || is_op(second, AluOp::BYPASS) ||
           (violation != nullptr &&
            refuse(*violation, op1.name, second, "bypass: op1 runs only if op0 does"));
}

bool tensor_scalar_valid_types(const CheckContext& context, Violation* violation) {
    if (!s3d3_ts::is_bitvec_opcode(context)) {
        return true;
    }
    if (!dtype_in(in_dtype.name, context.get(in_dtype), int_datapath, violation)) {
        return false;
    }
    return context.get(out_dtype) == context.get(in_dtype) ||
           (violation != nullptr && refuse(*violation, out_dtype.name, context.get(out_dtype),
                                           "the in_dtype: a bitvec opcode converts nothing"));
}

bool tensor_scalar_immediates_check(const CheckContext& context, Violation* violation) {
    return field_in_enum(context, imm0_src, violation) &&
           field_in_enum(context, imm1_src, violation);
}

// One rule for those of the two immediates that come from `wanted`.
template <ImmSrc wanted, bool (*rule)(const CheckContext&, const Field&, Violation*)>
bool immediates_from(const CheckContext& context, Violation* violation) {
    const auto source = static_cast<std::uint8_t>(wanted);
    return (context.get(imm0_src) != source || rule(context, imm0, violation)) &&
           (context.get(imm1_src) != source || rule(context, imm1, violation));
}

constexpr Holds ts_imm_chk = immediates_from<ImmSrc::INSTRUCTION, s3d3_ts::inline_immediate>;
constexpr Holds ts_ptr_imm_chk = immediates_from<ImmSrc::POINTER, s3d3_ts::pointer_immediate>;
constexpr Holds is_valid_imm_reg = immediates_from<ImmSrc::REG_PTR, imm_reg_valid>;

bool tensor_scalar_shift_chk(const CheckContext& context, Violation* violation) {
    const std::uint8_t first = context.get(op0);
    const std::uint8_t second = context.get(op1);
    const bool wants_word =
        (op_in(context, first, SHIFT_LEFT) && op_in(context, second, SHIFT_RIGHT)) ||
        is_op(first, AluOp::ARITH_SHIFT_RIGHT) || is_op(second, AluOp::ARITH_SHIFT_RIGHT);
    return !wants_word || dtype_bytes(context.get(in_dtype)) == 4 ||
           (violation != nullptr &&
            refuse(*violation, in_dtype.name, context.get(in_dtype),
                   "a 4-byte type: left then right shift, or an arithmetic right shift"));
}

bool tensor_scalar_reverse_chk(const CheckContext& context, Violation* violation) {
    return field_in_enum(context, reverse_operands, violation);
}

bool s3d3_transpose_check(const CheckContext& context, Violation* violation) {
    if (context.code() != Opcode::TRANSPOSE_TENSOR_SCALAR_ARITH_OP) {
        return true;
    }
    const std::uint64_t elements = element_count(context, src_mem_pattern);
    if (!start_word(context.record, src_mem_pattern).shape_from_register() &&
        elements % 32 != 0) {  // has_transpose_src_element_count_m3d
        return violation != nullptr && refuse(*violation, "src_mem_pattern.num_elem", elements,
                                              "a multiple of 32 elements in all");
    }
    const std::uint8_t channels = context.get(num_active_channels);
    return is_one_of(channels, {32, 64, 96, 128}) ||  // has_multiple_32_channels
           (violation != nullptr &&
            refuse(*violation, num_active_channels.name, channels, "32, 64, 96, 128"));
}

bool has_zero_accum_cmd_field(const CheckContext& context, Violation* violation) {
    return field_equals(context, accumulator_cmd, 0, "idle 0", violation);
}

bool alu_op_accepts_dtype(const CheckContext& context, Violation* violation) {
    const std::uint8_t in = context.get(in_dtype);
    const std::uint8_t out = context.get(out_dtype);
    for (const Field* op : {&op0, &op1}) {
        if (!op_takes_dtype(context, *op, in_dtype.name, in, valid_dtypes(context, false),
                            violation) ||
            !op_takes_dtype(context, *op, out_dtype.name, out, valid_dtypes(context, true),
                            violation) ||
            !op_signedness_agrees(context, *op, in, out_dtype, violation)) {
            return false;
        }
    }
    return true;
}

bool tensor_scalar_ptr_imm_src(const CheckContext& context, Violation* violation) {
    constexpr const char* legal = "0: the opcode itself says that the immediates are pointers";
    return field_equals(context, imm0_src, 0, legal, violation) &&
           field_equals(context, imm1_src, 0, legal, violation);
}

bool tensor_scalar_ptr_immediates(const CheckContext& context, Violation* violation) {
    return s3d3_ts::pointer_immediate(context, imm0, violation) &&
           s3d3_ts::pointer_immediate(context, imm1, violation);
}

constexpr Predicate tensor_scalar_rules[] = {
    {"has_tensor_scalar_opcode", every_generation, has_tensor_scalar_opcode},
    {"tensor_scalar_valid_ops", every_generation, tensor_scalar_valid_ops},
    {"tensor_scalar_valid_types", every_generation, tensor_scalar_valid_types},
    {"tensor_scalar_immediates_check", every_generation, tensor_scalar_immediates_check},
    {"ts_imm_chk", every_generation, ts_imm_chk},
    {"ts_ptr_imm_chk", every_generation, ts_ptr_imm_chk},
    {"is_valid_imm_reg", every_generation, is_valid_imm_reg},
    {"tensor_scalar_shift_chk", every_generation, tensor_scalar_shift_chk},
    {"tensor_scalar_tensor_chk", every_generation, nullptr},
    {"tensor_scalar_reverse_chk", every_generation, tensor_scalar_reverse_chk},
    {"s3d3_transpose_check", every_generation, s3d3_transpose_check},
    {"has_zero_accum_cmd_field", every_generation, has_zero_accum_cmd_field},
    {"alu_op_accepts_dtype", every_generation, alu_op_accepts_dtype},
};

constexpr auto tensor_scalar_list = joined(tensor_scalar_rules, s3d3_ts::operand_rules);

constexpr Predicate tensor_scalar_ptr_rules[] = {
    {"has_tensor_scalar_ptr_opcode", every_generation, has_tensor_scalar_ptr_opcode},
    {"tensor_scalar_valid_ops", every_generation, tensor_scalar_valid_ops},
    {"tensor_scalar_valid_types", every_generation, tensor_scalar_valid_types},
    {"tensor_scalar_ptr_imm_src", every_generation, tensor_scalar_ptr_imm_src},
    {"tensor_scalar_ptr_immediates", every_generation, tensor_scalar_ptr_immediates},
    {"tensor_scalar_shift_chk", every_generation, tensor_scalar_shift_chk},
    {"tensor_scalar_tensor_chk", every_generation, nullptr},
    {"tensor_scalar_reverse_chk", every_generation, tensor_scalar_reverse_chk},
    {"has_zero_accum_cmd_field", every_generation, has_zero_accum_cmd_field},
    {"alu_op_accepts_dtype", every_generation, alu_op_accepts_dtype},
};

constexpr auto tensor_scalar_ptr_list = joined(tensor_scalar_ptr_rules, s3d3_ts::operand_rules);

}  // namespace

PredicateList tensor_scalar_op() { return list_of(tensor_scalar_list); }
PredicateList tensor_scalar_ptr_op() { return list_of(tensor_scalar_ptr_list); }

}  // namespace dve::predicates
