// Rules that the opcodes of the S2S2D2_STT record share.
#include "models/isa/predicates/s2s2d2_stt.h"

namespace dve::predicates::s2s2d2_stt {
namespace {

using namespace fields::S2S2D2_STT;

bool is_inline(const CheckContext& context) {
    return context.get(imm0_src) == static_cast<std::uint8_t>(ImmSrc::INSTRUCTION);
}

}  // namespace

std::uint8_t src0_dtype(const CheckContext& context) {
    return low_nibble(context.get(in0_in1_dtype));
}

std::uint8_t src1_dtype(const CheckContext& context) {
    return high_nibble(context.get(in0_in1_dtype));
}

bool is_valid_dtype(const CheckContext& context, Violation* violation) {
    const DtypeSet sources = valid_dtypes(context, false);
    return dtype_in(src0_dtype_name, src0_dtype(context), sources, violation) &&
           dtype_in(src1_dtype_name, src1_dtype(context), sources, violation) &&
           dtype_in(imm0_dtype.name, context.get(imm0_dtype), sources, violation) &&
           dtype_in(out_dtype.name, context.get(out_dtype), valid_dtypes(context, true), violation);
}

// A pointer or register pointer brings its own type (is_const_ptr_dve).
bool imm0_dtype_rule(const CheckContext& context, Violation* violation) {
    const std::uint8_t dtype = context.get(imm0_dtype);
    return context.code() == Opcode::SCALAR_TENSOR_TENSOR_BITVEC || !is_inline(context) ||
           dtype == static_cast<std::uint8_t>(Dtype::FP32) ||
           (violation != nullptr &&
            refuse(*violation, imm0_dtype.name, dtype, "fp32 for an inline arithmetic immediate"));
}

bool enums(const CheckContext& context, Violation* violation) {
    return op_in_class(context, op0, is_alu_op, violation) &&
           op_in_class(context, op1, is_alu_op, violation) &&
           field_in_enum(context, reverse_operands, violation);
}

bool immediate(const CheckContext& context, Violation* violation) {
    switch (static_cast<ImmSrc>(context.get(imm0_src))) {
        case ImmSrc::INSTRUCTION: return true;
        case ImmSrc::POINTER:
            return pointer_valid(context, imm0, context.get(num_active_channels),
                                 dtype_alignment(context.generation, context.get(imm0_dtype)),
                                 violation);
        case ImmSrc::REG_PTR: return imm_reg_valid(context, imm0, violation);
    }
    return field_in_enum(context, imm0_src, violation);
}

bool active_channels(const CheckContext& context, Violation* violation) {
    const unsigned channels = context.get(num_active_channels);
    return tensor_channels(context, src0_mem_pattern, channels, violation) &&
           tensor_channels(context, src1_mem_pattern, channels, violation) &&
           tensor_channels(context, dst_mem_pattern, channels, violation);
}

bool patterns_valid(const CheckContext& context, Violation* violation) {
    return tensor_valid(context, {src0_mem_pattern, src0_dtype_name, src0_dtype(context), false},
                        violation) &&
           tensor_valid(context, {src1_mem_pattern, src1_dtype_name, src1_dtype(context), false},
                        violation) &&
           tensor_valid(context, {dst_mem_pattern, out_dtype.name, context.get(out_dtype), true},
                        violation);
}

bool channel_range(const CheckContext& context, Violation* violation) {
    return channels_in_range(context, num_active_channels, violation);
}

bool source_counts(const CheckContext& context, Violation* violation) {
    return same_element_count(context, src0_mem_pattern, src1_mem_pattern, violation);
}

bool destination_count(const CheckContext& context, Violation* violation) {
    return same_element_count(context, src0_mem_pattern, dst_mem_pattern, violation);
}

bool source_partitions(const CheckContext& context, Violation* violation) {
    return tt_valid_partitions(context, src0_mem_pattern, src1_mem_pattern, violation);
}

bool reserved_zero_rule(const CheckContext& context, Violation* violation) {
    return reserved_zero(context, reserved, violation);
}

bool shapes_in_record(const CheckContext& context, Violation* violation) {
    return shape_in_record(context, src0_mem_pattern, violation) &&
           shape_in_record(context, src1_mem_pattern, violation) &&
           shape_in_record(context, dst_mem_pattern, violation);
}

}  // namespace dve::predicates::s2s2d2_stt
