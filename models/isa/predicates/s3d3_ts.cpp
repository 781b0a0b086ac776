// Rules that the opcodes of the S3D3_TS record share.
#include "models/isa/predicates/s3d3_ts.h"

namespace dve::predicates::s3d3_ts {
namespace {

using namespace fields::S3D3_TS;

Operand source(const CheckContext& context) {
    return {src_mem_pattern, in_dtype.name, context.get(in_dtype), false};
}

Operand destination(const CheckContext& context) {
    return {dst_mem_pattern, out_dtype.name, context.get(out_dtype), true};
}

}  // namespace

bool is_valid_dtype(const CheckContext& context, Violation* violation) {
    return dtype_in(in_dtype.name, context.get(in_dtype), valid_dtypes(context, false),
                    violation) &&
           dtype_in(out_dtype.name, context.get(out_dtype), valid_dtypes(context, true), violation);
}

bool is_valid_aluop(const CheckContext& context, Violation* violation) {
    return op_in_class(context, op0, is_alu_op, violation) &&
           op_in_class(context, op1, is_alu_op, violation);
}

bool reserved0_zero(const CheckContext& context, Violation* violation) {
    return reserved_zero(context, reserved0, violation);
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
    return mem_valid(context, source(context), violation) &&
           mem_valid(context, destination(context), violation);
}

bool element_counts(const CheckContext& context, Violation* violation) {
    return same_element_count(context, src_mem_pattern, dst_mem_pattern, violation);
}

bool shapes_in_record(const CheckContext& context, Violation* violation) {
    return shape_in_record(context, src_mem_pattern, violation) &&
           shape_in_record(context, dst_mem_pattern, violation);
}

bool source_quadrant(const CheckContext& context, Violation* violation) {
    return indirect_source_quadrant(context, src_mem_pattern, violation);
}

bool destination_quadrant(const CheckContext& context, Violation* violation) {
    return indirect_destination_quadrant(context, src_mem_pattern, dst_mem_pattern, violation);
}

bool destination_index(const CheckContext& context, Violation* violation) {
    return indirect_destination_index(context, dst_mem_pattern, violation);
}

bool is_bitvec_opcode(const CheckContext& context) {
    return context.code() == Opcode::TENSOR_SCALAR_BITVEC_OP ||
           context.code() == Opcode::TENSOR_SCALAR_PTR_BITVEC_OP;
}

// ts_imm_32_chk is free; ts_imm_16_chk and ts_imm_8_chk want the bits above the type zero.
bool inline_immediate(const CheckContext& context, const Field& immediate, Violation* violation) {
    const unsigned bytes = dtype_bytes(context.get(in_dtype));
    if (!is_bitvec_opcode(context) || bytes == 0 || bytes >= 4) {
        return true;
    }
    const std::uint32_t value = context.record.get32(immediate);
    return value >> (8 * bytes) == 0 ||
           (violation != nullptr &&
            refuse(*violation, immediate.name, value,
                   bytes == 2 ? "0..0xffff for a 16-bit type" : "0..0xff for an 8-bit type"));
}

// ts_ptr_imm_chk: an arithmetic scalar is one 4-byte value, a bitvec one has the type of the
// tensor.
bool pointer_immediate(const CheckContext& context, const Field& immediate, Violation* violation) {
    const unsigned alignment =
        is_bitvec_opcode(context) ? dtype_alignment(context.generation, context.get(in_dtype)) : 4;
    return pointer_valid(context, immediate, context.get(num_active_channels), alignment,
                         violation);
}

bool immediate_by_source(const CheckContext& context, const Field& source_field,
                         const Field& immediate, Violation* violation) {
    switch (static_cast<ImmSrc>(context.get(source_field))) {
        case ImmSrc::INSTRUCTION: return inline_immediate(context, immediate, violation);
        case ImmSrc::POINTER: return pointer_immediate(context, immediate, violation);
        case ImmSrc::REG_PTR: return imm_reg_valid(context, immediate, violation);
    }
    return field_in_enum(context, source_field, violation);
}

bool loads_accumulator(const CheckContext& context) {
    return context.get(accumulator_cmd) == static_cast<std::uint8_t>(AccumCmd::LOAD_ACCUMULATE);
}

bool imm1_unused(const CheckContext& context, const char* legal, Violation* violation) {
    return field_equals(context, imm1_src, 0, legal, violation) &&
           field_equals(context, imm1, 0, legal, violation);
}

}  // namespace dve::predicates::s3d3_ts
