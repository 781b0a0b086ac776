// Cases of the opcodes with two sources: 9D 9E E5 EA (S2S2D2_STT), 41 51 (S3S3D3_TT).
#include "tests/isa/check_cases.h"

namespace dve::test {
namespace {

using Opcodes = std::vector<std::uint8_t>;

const Opcodes all_stt = {0x9D, 0x9E, 0xE5, 0xEA};
const Opcodes all_tt = {0x41, 0x51};
const Opcodes both = {0x9D, 0x9E, 0xE5, 0xEA, 0x41, 0x51};

std::function<std::uint64_t(Edit&, Generation)> start(const char* pattern, std::uint32_t word) {
    return [=](Edit& edit, Generation) {
        edit.start(pattern, word);
        return word;
    };
}

// Rules on patterns and channels that both records have.
std::vector<Case> operand_cases() {
    return {
        {both, "start_addr_active_channels", everywhere, "src0_mem_pattern.start_addr",
         [](Edit& e, Generation g) {
             e.set("num_active_channels", 64);
             for (const char* pattern :
                  {"src0_mem_pattern", "src1_mem_pattern", "dst_mem_pattern"}) {
                 e.start(pattern, sbuf(g, 32, 0x1000));
             }
             return sbuf(g, 32, 0x1000);
         }},
        {both, "check_active_channels", everywhere, "num_active_channels",
         put("num_active_channels", 0)},
        {both, "check_active_channels", everywhere, "num_active_channels",
         put("num_active_channels", 129)},
        {both, "tt_valid_partitions", everywhere, "src1_mem_pattern.start_addr",
         [](Edit& e, Generation g) {
             // Both in PSUM; on MAVERICK, which has none, past the bytes of the partition.
             const bool has_psum = g != Generation::MAVERICK;
             e.start("src0_mem_pattern", has_psum ? psum(0, 0) : 0x0);
             const std::uint32_t word = has_psum ? psum(0, 0x1000) : sbuf(g, 0, 0xA0000);
             e.start("src1_mem_pattern", word);
             return word;
         }},
        {both, "shape_registers_unpublished", everywhere, "src1_mem_pattern.start_addr",
         start("src1_mem_pattern", 0x40001000)},
    };
}

std::vector<Case> stt_cases() {
    return {
        {{0x9D, 0xE5},
         "is_valid_dtype",
         everywhere,
         "in0_in1_dtype.src0",
         [](Edit& e, Generation) {
             e.set("in0_in1_dtype", 0xAB);
             return 0xB;
         }},
        {{0xEA},
         "is_valid_dtype",
         everywhere,
         "in0_in1_dtype.src1",
         [](Edit& e, Generation) {
             e.set("in0_in1_dtype", 0xB8);
             return 0xB;
         }},
        {{0x9D, 0xE5, 0xEA}, "is_valid_dtype", everywhere, "out_dtype", put("out_dtype", 0xC)},
        {{0x9E},
         "has_valid_scalar_tensor_tensor_dtypes",
         everywhere,
         "in0_in1_dtype.src0",
         [](Edit& e, Generation) {
             e.set("in0_in1_dtype", 0x77).set("imm0_dtype", 7).set("out_dtype", 7);
             return 7;
         }},
        {{0x9E}, "s2s2d2_stt_src_dst_dtype", everywhere, "out_dtype", put("out_dtype", 9)},
        {{0x9E}, "s2s2d2_stt_src_dst_dtype", everywhere, "imm0_dtype", put("imm0_dtype", 9)},
        {{0x9D, 0xE5, 0xEA},
         "s2s2d2_stt_imm0_dtype",
         everywhere,
         "imm0_dtype",
         put("imm0_dtype", 6)},
        {{0x9D, 0x9E, 0xE5},
         "is_valid_enum",
         everywhere,
         "reverse_operands",
         put("reverse_operands", 4)},
        {{0x9D}, "has_valid_scalar_tensor_tensor_op", everywhere, "op0", put("op0", 0x0A)},
        {{0x9E}, "has_valid_scalar_tensor_tensor_op", everywhere, "op1", put("op1", 0x1C)},
        {all_stt, "has_valid_s2s2d2_stt_immediate", everywhere, "imm0_src", put("imm0_src", 3)},
        {all_stt, "has_valid_s2s2d2_stt_immediate", everywhere, "imm0",
         [](Edit& e, Generation) {
             e.set("imm0_src", 1).set("imm0", 0x3002);
             return 0x3002;
         }},
        {all_stt, "has_valid_s2s2d2_stt_immediate", everywhere, "imm0",
         [](Edit& e, Generation g) {
             e.set("imm0_src", 1).set("imm0", sbuf(g, 3, 0));
             return sbuf(g, 3, 0);
         }},
        {all_stt, "has_valid_s2s2d2_stt_immediate", everywhere, "imm0",
         [](Edit& e, Generation) {
             e.set("imm0_src", 2).set("imm0", 0x100);
             return 0x100;
         }},
        {all_stt, "tensor2d_valid", everywhere, "src1_mem_pattern.start_addr",
         start("src1_mem_pattern", 0x1002)},
        {all_stt, "tensor2d_valid", everywhere, "dst_mem_pattern.start_addr",
         start("dst_mem_pattern", 0x20002000)},
        {all_stt, "tensor2d_valid", everywhere, "src0_mem_pattern.num_elem[1]",
         [](Edit& e, Generation) {
             for (const char* pattern :
                  {"src0_mem_pattern", "src1_mem_pattern", "dst_mem_pattern"}) {
                 e.count(pattern, 1, 0);
             }
             return 0;
         }},
        {all_stt, "s2s2d2_stt_src_element_cnt_check", everywhere, "src1_mem_pattern.num_elem",
         [](Edit& e, Generation) {
             e.count("src1_mem_pattern", 0, 63);
             return 63;
         }},
        {all_stt, "s2s2d2_stt_dst_element_cnt_check", everywhere, "dst_mem_pattern.num_elem",
         [](Edit& e, Generation) {
             e.count("dst_mem_pattern", 1, 2);
             return 128;
         }},
        {all_stt, "has_s2s2d2_stt_reserved_zero", everywhere, "reserved[0]",
         [](Edit& e, Generation) {
             e.byte(45, 1);
             return 1;
         }},
        {{0x9D},
         "has_valid_s2s2d2_stt_accum_cmd",
         everywhere,
         "accumulator_cmd",
         put("accumulator_cmd", 1)},
        {{0x9E},
         "has_valid_s2s2d2_stt_accum_cmd",
         everywhere,
         "accumulator_cmd",
         put("accumulator_cmd", 2)},
        {{0x9D, 0x9E},
         "s2s2d2_stt_quadrant_check",
         everywhere,
         "dst_mem_pattern.start_addr",
         [](Edit& e, Generation g) {
             e.start("dst_mem_pattern", sbuf(g, 96, 0));
             return sbuf(g, 96, 0);
         }},
        {{0xE5}, "has_valid_tensor_tensor_scan_op", everywhere, "op1", put("op1", 0x1D)},
        {{0xE5}, "has_zero_accum_cmd", everywhere, "accumulator_cmd", put("accumulator_cmd", 3)},
        {{0xEA}, "has_valid_select_reduce_op", everywhere, "op0", put("op0", 4)},
        {{0xEA}, "has_valid_select_reduce_op", everywhere, "op1", put("op1", 9)},
        {{0xEA},
         "has_valid_select_reduce_rev_ops",
         everywhere,
         "reverse_operands",
         put("reverse_operands", 2)},
        {{0xEA},
         "has_valid_select_reduce_dtypes",
         everywhere,
         "in0_in1_dtype.src0",
         [](Edit& e, Generation) {
             e.set("in0_in1_dtype", 0xAA);
             return 0xA;
         }},
        {{0xEA},
         "has_valid_select_reduce_dtypes",
         everywhere,
         "in0_in1_dtype.src1",
         [](Edit& e, Generation) {
             e.set("in0_in1_dtype", 0x98);
             return 0x9;
         }},
        {{0xEA},
         "has_valid_s2s2d2_cpr_accum_cmd",
         everywhere,
         "accumulator_cmd",
         put("accumulator_cmd", 4)},
    };
}

std::vector<Case> tt_cases() {
    return {
        {{0x41},
         "is_valid_dtype_64",
         everywhere,
         "in0_in1_dtype.src1",
         [](Edit& e, Generation) {
             e.set("in0_in1_dtype", 0xBA);
             return 0xB;
         }},
        {{0x41}, "s3s3d3_tt_valid_op", everywhere, "op", put("op", 0x07)},
        {{0x51}, "s3s3d3_tt_valid_op", everywhere, "op", put("op", 0x1C)},
        {{0x41},
         "s3s3d3_tt_signedness",
         everywhere,
         "out_dtype",
         [](Edit& e, Generation) {
             e.set("op", 0xC4).set("in0_in1_dtype", 0x88).set("out_dtype", 9);
             return 9;
         }},
        {{0x41},
         "s3s3d3_tt_signedness",
         everywhere,
         "in0_in1_dtype.src1",
         [](Edit& e, Generation) {
             e.set("op", 0xC6).set("in0_in1_dtype", 0x89).set("out_dtype", 9);
             return 8;
         }},
        {{0x51},
         "s3s3d3_tt_dtype",
         everywhere,
         "out_dtype",
         [](Edit& e, Generation) {
             e.set("op", 0).set("in0_in1_dtype", 0xAA).set("out_dtype", 0xA);
             return 0xA;
         }},
        {{0x51}, "s3s3d3_tt_src_dst_dtype", everywhere, "out_dtype", put("out_dtype", 9)},
        {{0x51},
         "s3s3d3_tt_src_dst_dtype",
         everywhere,
         "in0_in1_dtype.src1",
         [](Edit& e, Generation) {  // the 32-bit count goes with a 64-bit shift only
             e.set("op", 0x10).set("in0_in1_dtype", 0x95).set("out_dtype", 5);
             return 9;
         }},
        {all_tt, "tensor3d_valid", everywhere, "src0_mem_pattern.start_addr",
         start("src0_mem_pattern", 0x20000000)},
        {all_tt, "tensor3d_valid", everywhere, "src1_mem_pattern.start_addr",
         start("src1_mem_pattern", 0x1001)},
        {all_tt, "s3s3d3_tt_src_element_cnt_check", everywhere, "src1_mem_pattern.num_elem",
         [](Edit& e, Generation) {
             e.count("src1_mem_pattern", 2, 3);
             return 192;
         }},
        {all_tt, "s3s3d3_tt_dst_element_cnt_check", everywhere, "dst_mem_pattern.num_elem",
         [](Edit& e, Generation) {
             e.count("dst_mem_pattern", 0, 1);
             return 1;
         }},
        {{0x41},
         "alu_op_accepts_dtype",
         everywhere,
         "in0_in1_dtype.src0",
         [](Edit& e, Generation) {
             e.set("in0_in1_dtype", 0xCC).set("out_dtype", 0xC);
             return 0xC;
         }},
        {{0x41},
         "alu_op_accepts_dtype",
         everywhere,
         "in0_in1_dtype.src0",
         [](Edit& e, Generation) {  // POW takes no integers
             e.set("op", 0x1A).set("in0_in1_dtype", 0x88);
             return 0x8;
         }},
    };
}

}  // namespace

std::vector<Case> two_source_cases() {
    std::vector<Case> cases = operand_cases();
    for (const std::vector<Case>& more : {stt_cases(), tt_cases()}) {
        cases.insert(cases.end(), more.begin(), more.end());
    }
    return cases;
}

}  // namespace dve::test
