// is_valid_scalar_tensor_tensor and is_valid_tensor_tensor_scan (isa_wire_format 6.5, 6.6).
#include "models/isa/predicates/s2s2d2_stt.h"

namespace dve::predicates {
namespace {

using namespace fields::S2S2D2_STT;

bool is_bitvec_opcode(const CheckContext& context) {
    return context.code() == Opcode::SCALAR_TENSOR_TENSOR_BITVEC;
}

bool has_valid_scalar_tensor_tensor_dtypes(const CheckContext& context, Violation* violation) {
    return !is_bitvec_opcode(context) ||
           (dtype_in(s2s2d2_stt::src0_dtype_name, s2s2d2_stt::src0_dtype(context), int_datapath,
                     violation) &&
            dtype_in(s2s2d2_stt::src1_dtype_name, s2s2d2_stt::src1_dtype(context), int_datapath,
                     violation) &&
            dtype_in(imm0_dtype.name, context.get(imm0_dtype), int_datapath, violation) &&
            dtype_in(out_dtype.name, context.get(out_dtype), int_datapath, violation));
}

bool s2s2d2_stt_src_dst_dtype(const CheckContext& context, Violation* violation) {
    if (!is_bitvec_opcode(context)) {
        return true;
    }
    const std::uint8_t wanted = s2s2d2_stt::src0_dtype(context);
    const auto equals = [&](const char* field, std::uint8_t dtype) {
        return dtype == wanted ||
               (violation != nullptr &&
                refuse(*violation, field, dtype, "the type of src0: a bitvec opcode has one type"));
    };
    return equals(s2s2d2_stt::src1_dtype_name, s2s2d2_stt::src1_dtype(context)) &&
           equals(imm0_dtype.name, context.get(imm0_dtype)) &&
           equals(out_dtype.name, context.get(out_dtype));
}

bool has_valid_scalar_tensor_tensor_op(const CheckContext& context, Violation* violation) {
    const OpClass op_class = is_bitvec_opcode(context) ? is_general_bitvec_op : is_general_arith_op;
    return op_in_class(context, op0, op_class, violation) &&
           op_in_class(context, op1, op_class, violation);
}

bool has_valid_s2s2d2_stt_accum_cmd(const CheckContext& context, Violation* violation) {
    const std::uint8_t command = context.get(accumulator_cmd);
    if (is_bitvec_opcode(context)) {
        return field_equals(context, accumulator_cmd, 0, "idle 0 for a bitvec opcode", violation);
    }
    return is_one_of(command, {0, 2, 3}) ||
           (violation != nullptr && refuse(*violation, accumulator_cmd.name, command,
                                           "idle 0, accumulate 2, zero_accumulate 3"));
}

// Erratum NEURON-3759; the body is not published: all SBUF operands in one quadrant, PSUM operands
// exempt (D-09).
bool s2s2d2_stt_quadrant_check(const CheckContext& context, Violation* violation) {
    int quadrant = -1;
    for (const Field* pattern : {&src0_mem_pattern, &src1_mem_pattern, &dst_mem_pattern}) {
        const AddressWord word = start_word(context.record, *pattern);
        const int own = sbuf_quadrant(context, word);
        if (quadrant >= 0 && own >= 0 && own != quadrant) {
            return violation != nullptr &&
                   refuse(*violation, std::string(pattern->name) + ".start_addr", word.word,
                          "SBUF quadrant " + std::to_string(quadrant) +
                              " like the other operands, or PSUM");
        }
        quadrant = own >= 0 ? own : quadrant;
    }
    return true;
}

bool has_tensor_tensor_scan_opcode(const CheckContext& context, Violation* violation) {
    return field_equals(context, fields::HEADER::opcode, 0xE5, "0xe5", violation);
}

bool has_valid_tensor_tensor_scan_op(const CheckContext& context, Violation* violation) {
    return op_in_class(context, op0, is_general_arith_op, violation) &&
           op_in_class(context, op1, is_general_arith_op, violation);
}

bool has_zero_accum_cmd(const CheckContext& context, Violation* violation) {
    return field_equals(context, accumulator_cmd, 0, "idle 0", violation);
}

constexpr Predicate scalar_tensor_tensor_rules[] = {
    {"is_valid_dtype", every_generation, s2s2d2_stt::is_valid_dtype},
    {"has_valid_scalar_tensor_tensor_dtypes", every_generation,
     has_valid_scalar_tensor_tensor_dtypes},
    {"s2s2d2_stt_src_dst_dtype", every_generation, s2s2d2_stt_src_dst_dtype},
    {"s2s2d2_stt_imm0_dtype", every_generation, s2s2d2_stt::imm0_dtype_rule},
    {"is_valid_enum", every_generation, s2s2d2_stt::enums},
    {"has_valid_scalar_tensor_tensor_op", every_generation, has_valid_scalar_tensor_tensor_op},
    {"has_valid_s2s2d2_stt_accum_cmd", every_generation, has_valid_s2s2d2_stt_accum_cmd},
    {"s2s2d2_stt_quadrant_check", every_generation, s2s2d2_stt_quadrant_check},
};

constexpr auto scalar_tensor_tensor_list =
    joined(scalar_tensor_tensor_rules, s2s2d2_stt::operand_rules);

// Looser than its sibling: no coupling of the types and no quadrant rule.
constexpr Predicate tensor_tensor_scan_rules[] = {
    {"has_tensor_tensor_scan_opcode", every_generation, has_tensor_tensor_scan_opcode},
    {"is_valid_dtype", every_generation, s2s2d2_stt::is_valid_dtype},
    {"s2s2d2_stt_imm0_dtype", every_generation, s2s2d2_stt::imm0_dtype_rule},
    {"is_valid_enum", every_generation, s2s2d2_stt::enums},
    {"has_valid_tensor_tensor_scan_op", every_generation, has_valid_tensor_tensor_scan_op},
    {"has_zero_accum_cmd", every_generation, has_zero_accum_cmd},
};

constexpr auto tensor_tensor_scan_list =
    joined(tensor_tensor_scan_rules, s2s2d2_stt::operand_rules);

}  // namespace

PredicateList scalar_tensor_tensor() { return list_of(scalar_tensor_tensor_list); }
PredicateList tensor_tensor_scan() { return list_of(tensor_tensor_scan_list); }

}  // namespace dve::predicates
