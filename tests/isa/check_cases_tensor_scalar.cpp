// Cases of the S3D3_TS opcodes: 43 53 93 44 54 9A E6 30.
#include "tests/isa/check_cases.h"

namespace dve::test {
namespace {

using Opcodes = std::vector<std::uint8_t>;

const Opcodes all_s3d3 = {0x43, 0x53, 0x93, 0x44, 0x54, 0x9A, 0xE6, 0x30};
const Opcodes plain = {0x43, 0x53, 0x93, 0x44, 0x54};
const Opcodes arith = {0x43, 0x93, 0x44};
const Opcodes bitvec = {0x53, 0x54};
const Opcodes by_source = {0x43, 0x53, 0x93};
const Opcodes cached = {0x9A, 0xE6};
constexpr GenerationSet maverick = only(Generation::MAVERICK);
constexpr GenerationSet before_maverick = everywhere & ~maverick;

std::uint64_t both_starts(Edit& edit, std::uint32_t word) {
    edit.start("src_mem_pattern", word).start("dst_mem_pattern", word);
    return word;
}

// The operand rules that every list of the record ends with.
std::vector<Case> operand_cases() {
    return {
        {all_s3d3, "s3d3_ts_reserved_zero", everywhere, "reserved0[2]",
         [](Edit& e, Generation) {
             e.byte(15, 0x80);
             return 0x80;
         }},
        {{0x43, 0x93, 0x44, 0x30}, "is_valid_dtype", everywhere, "in_dtype", put("in_dtype", 0xB)},
        {{0x43, 0x93, 0x44, 0x9A, 0xE6, 0x30},
         "is_valid_dtype",
         everywhere,
         "out_dtype",
         put("out_dtype", 0x1)},
        {{0x43, 0x53, 0x44, 0x54, 0x9A, 0xE6, 0x30},
         "has_valid_active_channel_range",
         everywhere,
         "num_active_channels",
         put("num_active_channels", 0)},
        {{0x43, 0x53, 0x44, 0x54, 0x9A, 0xE6, 0x30},
         "has_valid_active_channel_range",
         everywhere,
         "num_active_channels",
         put("num_active_channels", 129)},
        {all_s3d3, "check_m3d_active_channels", everywhere, "src_mem_pattern.start_addr",
         [](Edit& e, Generation g) {
             e.set("num_active_channels", 64);
             return both_starts(e, sbuf(g, 32, 0));
         }},
        {all_s3d3, "check_m3d_active_channels", with_indirect, "dst_mem_pattern.data_addr",
         [](Edit& e, Generation g) {
             e.indirect("dst_mem_pattern", 0, sbuf(g, 5, 0), 64);
             return sbuf(g, 5, 0);
         }},
        {all_s3d3, "mem3d_valid", everywhere, "src_mem_pattern.start_addr",
         [](Edit& e, Generation) {
             e.start("src_mem_pattern", 0x2);
             return 0x2;
         }},
        {all_s3d3, "mem3d_valid", everywhere, "dst_mem_pattern.start_addr",
         [](Edit& e, Generation) {  // register number 64
             e.start("dst_mem_pattern", 0x80000040);
             return 0x80000040;
         }},
        {all_s3d3, "mem3d_valid", everywhere, "src_mem_pattern.num_elem[1]",
         [](Edit& e, Generation) {
             e.count("src_mem_pattern", 1, 0).count("dst_mem_pattern", 1, 0);
             return 0;
         }},
        {all_s3d3, "mem3d_valid", with_indirect, "src_mem_pattern.num_indices",
         [](Edit& e, Generation) {
             e.indirect("src_mem_pattern", 0, 0x1000, 0).indirect("dst_mem_pattern", 0, 0x2000, 0);
             return 0;
         }},
        {all_s3d3, "mem3d_valid", with_indirect, "src_mem_pattern.data_addr",
         [](Edit& e, Generation) {
             e.indirect("src_mem_pattern", 0, 0x80000001, 64);
             return 0x80000001;
         }},
        {{0x43, 0x53, 0x44, 0x54, 0x9A, 0xE6, 0x30, 0x93},
         "same_element_count_m3d",
         everywhere,
         "dst_mem_pattern.num_elem",
         [](Edit& e, Generation) {
             e.count("dst_mem_pattern", 0, 96);
             return 96;
         }},
        {all_s3d3, "indirect_quadrant_check_src3d", with_indirect, "src_mem_pattern.data_addr",
         [](Edit& e, Generation g) {
             e.indirect("src_mem_pattern", 0, sbuf(g, 32, 0), 64);
             return sbuf(g, 32, 0);
         }},
        {all_s3d3, "indirect_quadrant_check_src3d_dst3d", with_indirect,
         "dst_mem_pattern.index_addr",
         [](Edit& e, Generation g) {
             e.indirect("dst_mem_pattern", sbuf(g, 32, 0), 0x2000, 64);
             return sbuf(g, 32, 0) | 0x20000000;
         }},
        {all_s3d3, "shape_registers_unpublished", everywhere, "dst_mem_pattern.start_addr",
         [](Edit& e, Generation) {
             e.start("dst_mem_pattern", 0x40002000);
             return 0x40002000;
         }},
    };
}

std::vector<Case> plain_cases() {
    return {
        {arith, "tensor_scalar_valid_ops", everywhere, "op0", put("op0", 0x07)},
        {arith, "tensor_scalar_valid_ops", everywhere, "op1", put("op1", 0x1A)},
        {arith, "tensor_scalar_valid_ops", everywhere, "op1",
         [](Edit& e, Generation) {
             e.set("op0", 0);
             return 0x04;
         }},
        {bitvec, "tensor_scalar_valid_ops", everywhere, "op1", put("op1", 0x04)},
        {{0x43, 0x93},
         "tensor_scalar_valid_ops",
         everywhere,
         "op0",
         [](Edit& e, Generation) {  // the RSQRT form with an immediate
             e.set("op0", 0x1D).set("op1", 0).set("imm1", 1);
             return 0x1D;
         }},
        {arith, "tensor_scalar_valid_ops", before_maverick, "op0",
         [](Edit& e, Generation) {
             e.set("in_dtype", 8).set("out_dtype", 8).set("op0", 0xC4).set("op1", 0);
             return 0xC4;
         }},
        {bitvec, "tensor_scalar_valid_types", everywhere, "out_dtype", put("out_dtype", 0x9)},
        {{0x53},
         "tensor_scalar_valid_types",
         everywhere,
         "in_dtype",
         [](Edit& e, Generation) {
             e.set("in_dtype", 0xA).set("out_dtype", 0xA).set("op0", 0).set("op1", 0);
             return 0xA;
         }},
        {bitvec, "tensor_scalar_shift_chk", everywhere, "in_dtype",
         [](Edit& e, Generation) {
             e.set("op0", 0x10).set("op1", 0x11).set("in_dtype", 5).set("out_dtype", 5);
             return 5;
         }},
        {plain, "tensor_scalar_reverse_chk", everywhere, "reverse_operands",
         put("reverse_operands", 4)},
        {plain, "has_zero_accum_cmd_field", everywhere, "accumulator_cmd",
         put("accumulator_cmd", 2)},
        {{0x53},
         "alu_op_accepts_dtype",
         everywhere,
         "in_dtype",
         [](Edit& e, Generation) {
             e.set("op0", 0x1C).set("op1", 0).set("in_dtype", 3).set("out_dtype", 3);
             return 3;
         }},
        {{0x54},
         "alu_op_accepts_dtype",
         everywhere,
         "in_dtype",
         [](Edit& e, Generation) {
             e.set("op0", 0x1C).set("op1", 0).set("in_dtype", 3).set("out_dtype", 3);
             return 3;
         }},
        {{0x43, 0x93},
         "alu_op_accepts_dtype",
         everywhere,
         "in_dtype",
         [](Edit& e, Generation) {  // RSQRT takes no FP8
             e.set("op0", 0x1D).set("op1", 0).set("in_dtype", 0xE);
             return 0xE;
         }},
        {arith, "alu_op_accepts_dtype", maverick, "out_dtype",
         [](Edit& e, Generation) {
             e.set("op0", 0xC4).set("op1", 0).set("in_dtype", 8).set("out_dtype", 9);
             return 9;
         }},
    };
}

std::vector<Case> immediate_cases() {
    return {
        {by_source, "tensor_scalar_immediates_check", everywhere, "imm1_src", put("imm1_src", 3)},
        {{0x53},
         "ts_imm_chk",
         everywhere,
         "imm0",
         [](Edit& e, Generation) {
             e.set("in_dtype", 4).set("out_dtype", 4).set("imm0", 0x10000);
             return 0x10000;
         }},
        {{0x53},
         "ts_imm_chk",
         everywhere,
         "imm1",
         [](Edit& e, Generation) {
             e.set("in_dtype", 2).set("out_dtype", 2).set("imm1", 0x100);
             return 0x100;
         }},
        {by_source, "ts_ptr_imm_chk", everywhere, "imm0",
         [](Edit& e, Generation) {
             e.set("imm0_src", 1).set("imm0", 0x3002);
             return 0x3002;
         }},
        {by_source, "ts_ptr_imm_chk", everywhere, "imm1",
         [](Edit& e, Generation g) {
             e.set("imm1_src", 1).set("imm1", sbuf(g, 1, 0));
             return sbuf(g, 1, 0);
         }},
        {by_source, "ts_ptr_imm_chk", everywhere, "imm1",
         [](Edit& e, Generation) {  // in no memory
             e.set("imm1_src", 1).set("imm1", 0x1F000000);
             return 0x1F000000;
         }},
        {by_source, "is_valid_imm_reg", everywhere, "imm0",
         [](Edit& e, Generation) {
             e.set("imm0_src", 2).set("imm0", 64);
             return 64;
         }},
        {by_source, "is_valid_imm_reg", everywhere, "imm1",
         [](Edit& e, Generation) {
             e.set("imm1_src", 2).set("imm1", 0x01000005);
             return 0x01000005;
         }},
        {{0x93},
         "s3d3_transpose_check",
         everywhere,
         "num_active_channels",
         put("num_active_channels", 16)},
        {{0x93},
         "s3d3_transpose_check",
         everywhere,
         "src_mem_pattern.num_elem",
         [](Edit& e, Generation) {
             e.count("src_mem_pattern", 0, 48).count("dst_mem_pattern", 0, 48);
             return 48;
         }},
        {{0x44, 0x54}, "tensor_scalar_ptr_imm_src", everywhere, "imm0_src", put("imm0_src", 1)},
        {{0x44, 0x54}, "tensor_scalar_ptr_imm_src", everywhere, "imm1_src", put("imm1_src", 2)},
        {{0x44, 0x54}, "tensor_scalar_ptr_immediates", everywhere, "imm1", put("imm1", 0x3102)},
    };
}

std::vector<Case> accumulating_cases() {
    return {
        {cached, "tensor_scalar_cache_reduce_valid_ops", everywhere, "op0", put("op0", 0x0A)},
        {cached, "tensor_scalar_cache_reduce_valid_ops", everywhere, "op1", put("op1", 0x12)},
        {cached, "tensor_scalar_cache_reduce_valid_types", everywhere, "in_dtype",
         put("in_dtype", 0x9)},
        {cached, "tensor_scalar_cache_reduce_immediates", everywhere, "imm0_src",
         put("imm0_src", 3)},
        {cached, "tensor_scalar_cache_reduce_immediates", everywhere, "imm1", put("imm1", 7)},
        {cached, "tensor_scalar_cache_reduce_immediates", everywhere, "imm1",
         [](Edit& e, Generation) {
             e.set("accumulator_cmd", 4).set("imm1_src", 1).set("imm1", 0x3001);
             return 0x3001;
         }},
        {cached, "tensor_scalar_cache_reduce_reverse", everywhere, "reverse_operands",
         put("reverse_operands", 1)},
        {cached, "has_valid_tensor_scalar_cache_reduce_accum_cmd", everywhere, "accumulator_cmd",
         put("accumulator_cmd", 0)},
        {{0x30}, "exponential_ops", everywhere, "op1", put("op1", 4)},
        {{0x30}, "exponential_ops", everywhere, "reverse_operands", put("reverse_operands", 1)},
        {{0x30},
         "exponential_immediates",
         everywhere,
         "imm0",
         [](Edit& e, Generation) {
             e.set("imm0_src", 2).set("imm0", 200);
             return 200;
         }},
        {{0x30},
         "has_valid_exponential_accum_cmd",
         everywhere,
         "accumulator_cmd",
         put("accumulator_cmd", 1)},
        {{0x30}, "has_valid_exponential_accum_cmd", everywhere, "imm1", put("imm1", 1)},
        {{0x30},
         "exponential_element_count",
         everywhere,
         "src_mem_pattern.num_elem[0]",
         [](Edit& e, Generation) {
             e.set("in_dtype", 6).set("accumulator_cmd", 3);
             e.count("src_mem_pattern", 0, 63).count("dst_mem_pattern", 0, 63);
             return 63;
         }},
        {{0x30},
         "exponential_element_count",
         everywhere,
         "src_mem_pattern.step_elem[1]",
         [](Edit& e, Generation) {
             e.set("in_dtype", 6).set("accumulator_cmd", 3);
             e.count("src_mem_pattern", 1, 2).step("src_mem_pattern", 1, 65);
             e.count("dst_mem_pattern", 1, 2);
             return 65;
         }},
    };
}

}  // namespace

std::vector<Case> tensor_scalar_cases() {
    std::vector<Case> cases = operand_cases();
    for (const std::vector<Case>& more : {plain_cases(), immediate_cases(), accumulating_cases()}) {
        cases.insert(cases.end(), more.begin(), more.end());
    }
    return cases;
}

}  // namespace dve::test
