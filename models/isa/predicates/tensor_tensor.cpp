// is_valid_tensor_tensor, 0x41 and 0x51 (isa_wire_format 6.8).
#include "models/isa/predicates/common.h"
#include "models/isa/predicates/patterns.h"

namespace dve::predicates {
namespace {

using namespace fields::S3S3D3_TT;

constexpr const char* src0_name = "in0_in1_dtype.src0";
constexpr const char* src1_name = "in0_in1_dtype.src1";

struct Types {
    std::uint8_t src0;
    std::uint8_t src1;
    std::uint8_t out;
};

Types types_of(const CheckContext& context) {
    const std::uint8_t pair = context.get(in0_in1_dtype);
    return {low_nibble(pair), high_nibble(pair), context.get(out_dtype)};
}

bool is_bitvec_opcode(const CheckContext& context) {
    return context.code() == Opcode::TENSOR_TENSOR_BITVEC_OP;
}

bool is_valid_dtype_64(const CheckContext& context, Violation* violation) {
    const Types types = types_of(context);
    const DtypeSet sources = valid_dtypes(context, false, true);
    return dtype_in(src0_name, types.src0, sources, violation) &&
           dtype_in(src1_name, types.src1, sources, violation) &&
           dtype_in(out_dtype.name, types.out, valid_dtypes(context, true, true), violation);
}

bool is_valid_enum(const CheckContext& context, Violation* violation) {
    return op_in_class(context, op, is_alu_op, violation);
}

bool is_op_of_arith(const CheckContext& context, std::uint8_t code) {
    return is_general_arith_op(context, code) || is_op(code, AluOp::POW) ||
           is_valid_int_aluop(context, code);
}

bool s3s3d3_tt_valid_op(const CheckContext& context, Violation* violation) {
    return op_in_class(
        context, op, is_bitvec_opcode(context) ? is_general_bitvec_op : is_op_of_arith, violation);
}

bool s3s3d3_tt_signedness(const CheckContext& context, Violation* violation) {
    if (is_bitvec_opcode(context) || !is_valid_int_aluop(context, context.get(op))) {
        return true;
    }
    const std::uint8_t code = context.get(op);
    const DtypeSet admitted = (op_in(context, code, INT_SIGNED) ? signed_types : 0) |
                              (op_in(context, code, INT_UNSIGNED) ? unsigned_types : 0);
    const Types types = types_of(context);
    if (!dtype_in(src0_name, types.src0, admitted, violation)) {
        return false;
    }
    const DtypeSet same = contains_dtype(signed_types, types.src0) ? signed_types : unsigned_types;
    return dtype_in(src1_name, types.src1, same, violation) &&
           dtype_in(out_dtype.name, types.out, same, violation);
}

bool s3s3d3_tt_dtype(const CheckContext& context, Violation* violation) {
    return !is_bitvec_opcode(context) ||
           dtype_in(out_dtype.name, context.get(out_dtype), int_datapath | int64_types, violation);
}

bool s3s3d3_tt_src_dst_dtype(const CheckContext& context, Violation* violation) {
    if (!is_bitvec_opcode(context)) {
        return true;
    }
    const Types types = types_of(context);
    if (types.out != types.src0) {
        return violation != nullptr && refuse(*violation, out_dtype.name, types.out,
                                              "the type of src0: a bitvec opcode has one type");
    }
    const bool wide_shift = op_in(context, context.get(op), SHIFT_LEFT | SHIFT_RIGHT) &&
                            contains_dtype(int64_types, types.src0) &&
                            types.src1 == static_cast<std::uint8_t>(Dtype::UINT32);
    return types.src1 == types.src0 || wide_shift ||
           (violation != nullptr &&
            refuse(*violation, src1_name, types.src1,
                   "the type of src0, or uint32 as the count of a 64-bit shift"));
}

bool start_channels(const CheckContext& context, Violation* violation) {
    const unsigned channels = context.get(num_active_channels);
    return tensor_channels(context, src0_mem_pattern, channels, violation) &&
           tensor_channels(context, src1_mem_pattern, channels, violation) &&
           tensor_channels(context, dst_mem_pattern, channels, violation);
}

bool tensor3d_valid(const CheckContext& context, Violation* violation) {
    const Types types = types_of(context);
    return tensor_valid(context, {src0_mem_pattern, src0_name, types.src0, false}, violation) &&
           tensor_valid(context, {src1_mem_pattern, src1_name, types.src1, false}, violation) &&
           tensor_valid(context, {dst_mem_pattern, out_dtype.name, types.out, true}, violation);
}

bool source_counts(const CheckContext& context, Violation* violation) {
    return same_element_count(context, src0_mem_pattern, src1_mem_pattern, violation);
}

bool destination_count(const CheckContext& context, Violation* violation) {
    return same_element_count(context, src0_mem_pattern, dst_mem_pattern, violation);
}

bool check_active_channels(const CheckContext& context, Violation* violation) {
    return channels_in_range(context, num_active_channels, violation);
}

bool source_partitions(const CheckContext& context, Violation* violation) {
    return tt_valid_partitions(context, src0_mem_pattern, src1_mem_pattern, violation);
}

bool shapes_in_record(const CheckContext& context, Violation* violation) {
    return shape_in_record(context, src0_mem_pattern, violation) &&
           shape_in_record(context, src1_mem_pattern, violation) &&
           shape_in_record(context, dst_mem_pattern, violation);
}

// Types that is_valid_dtype_64 refuses are not judged here.
bool alu_op_accepts_dtype(const CheckContext& context, Violation* violation) {
    const Types types = types_of(context);
    const DtypeSet sources = valid_dtypes(context, false, true);
    return op_takes_dtype(context, op, src0_name, types.src0, sources, violation) &&
           op_takes_dtype(context, op, src1_name, types.src1, sources, violation) &&
           op_takes_dtype(context, op, out_dtype.name, types.out, valid_dtypes(context, true, true),
                          violation);
}

// The sheet gives the signedness and count rules without a name.
constexpr Predicate tensor_tensor_list[] = {
    {"is_valid_dtype_64", every_generation, is_valid_dtype_64},
    {"is_valid_enum", every_generation, is_valid_enum},
    {"s3s3d3_tt_valid_op", every_generation, s3s3d3_tt_valid_op},
    {"s3s3d3_tt_signedness", every_generation, s3s3d3_tt_signedness},
    {"s3s3d3_tt_dtype", every_generation, s3s3d3_tt_dtype},
    {"s3s3d3_tt_src_dst_dtype", every_generation, s3s3d3_tt_src_dst_dtype},
    {"start_addr_active_channels", every_generation, start_channels},
    {"tensor3d_valid", every_generation, tensor3d_valid},
    {"s3s3d3_tt_src_element_cnt_check", every_generation, source_counts},
    {"s3s3d3_tt_dst_element_cnt_check", every_generation, destination_count},
    {"check_active_channels", every_generation, check_active_channels},
    {"tt_valid_partitions", every_generation, source_partitions},
    {"shape_registers_unpublished", every_generation, shapes_in_record},
    {"alu_op_accepts_dtype", every_generation, alu_op_accepts_dtype},
};

}  // namespace

PredicateList tensor_tensor() { return list_of(tensor_tensor_list); }

}  // namespace dve::predicates
