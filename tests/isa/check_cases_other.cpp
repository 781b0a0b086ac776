// Cases of 4E, 5E, 9B, of the sequencer's opcodes and of header and events, and the whole list.
#include "tests/isa/check_cases.h"

namespace dve::test {
namespace {

using Opcodes = std::vector<std::uint8_t>;

const Opcodes cumulative = {0x4E, 0x5E};
const Opcodes read_out = {0x9B};

std::vector<Case> cumulative_cases() {
    return {
        {cumulative, "tensor_cumulative_zero_fields", everywhere, "negated", put("negated", 1)},
        {cumulative, "tensor_cumulative_zero_fields", everywhere, "mask_enable",
         put("mask_enable", 1)},
        {cumulative, "tensor_cumulative_zero_fields", everywhere, "reserved1[4]",
         [](Edit& e, Generation) {
             e.byte(43, 9);
             return 9;
         }},
        {{0x4E}, "is_valid_dtype", everywhere, "in_dtype", put("in_dtype", 0xB)},
        {{0x4E}, "is_valid_dtype", everywhere, "out_dtype", put("out_dtype", 0x1)},
        {{0x4E}, "tensor_cumulative_valid_op", everywhere, "op", put("op", 0x07)},
        {{0x5E}, "tensor_cumulative_valid_op", everywhere, "op", put("op", 0x04)},
        {{0x5E},
         "tensor_cumulative_valid_types",
         everywhere,
         "in_dtype",
         [](Edit& e, Generation) {  // INT16 is not among the four
             e.set("in_dtype", 4).set("out_dtype", 4);
             return 4;
         }},
        {{0x5E},
         "tensor_cumulative_valid_types",
         everywhere,
         "in_dtype",
         [](Edit& e, Generation) {
             e.set("op", 0x11).set("in_dtype", 9).set("out_dtype", 9);
             return 9;
         }},
        {{0x5E}, "tensor_cumulative_valid_types", everywhere, "out_dtype", put("out_dtype", 9)},
        {cumulative, "is_valid_subdim", everywhere, "op_dim", put("op_dim", 0)},
        {cumulative, "has_valid_active_channel_range", everywhere, "num_active_channels",
         put("num_active_channels", 200)},
        {cumulative, "check_m4d_active_channels", everywhere, "dst_mem_pattern.start_addr",
         [](Edit& e, Generation g) {
             e.start("dst_mem_pattern", sbuf(g, 7, 0));
             return sbuf(g, 7, 0);
         }},
        {cumulative, "mem4d_valid", everywhere, "src_mem_pattern.num_elem[3]",
         [](Edit& e, Generation) {
             e.count("src_mem_pattern", 3, 0).count("dst_mem_pattern", 3, 0);
             return 0;
         }},
        {cumulative, "same_element_count_m4d", everywhere, "dst_mem_pattern.num_elem",
         [](Edit& e, Generation) {
             e.count("dst_mem_pattern", 3, 2);
             return 128;
         }},
        {cumulative, "indirect_quadrant_check_src4d", with_indirect, "src_mem_pattern.data_addr",
         [](Edit& e, Generation g) {
             e.indirect("src_mem_pattern", 0, sbuf(g, 64, 0), 64);
             return sbuf(g, 64, 0);
         }},
        {cumulative, "shape_registers_unpublished", everywhere, "src_mem_pattern.start_addr",
         [](Edit& e, Generation) {
             e.start("src_mem_pattern", 0xC0000003);
             return 0xC0000003;
         }},
        {{0x4E},
         "alu_op_accepts_dtype",
         everywhere,
         "in_dtype",
         [](Edit& e, Generation) {  // ADD_INT on FP32
             e.set("op", 0xC4);
             return 0xA;
         }},
        {{0x5E},
         "alu_op_accepts_dtype",
         everywhere,
         "in_dtype",
         [](Edit& e, Generation) {  // CRC32 on UINT8
             e.set("op", 0x1C).set("in_dtype", 3).set("out_dtype", 3);
             return 3;
         }},
    };
}

std::vector<Case> read_accumulator_cases() {
    return {
        {read_out, "d1_rd_reserved_zero", everywhere, "reserved1[8]",
         [](Edit& e, Generation) {
             e.byte(43, 2);
             return 2;
         }},
        {read_out, "d1_rd_element_count", everywhere, "dst_element_count",
         put("dst_element_count", 0x10001)},
        {read_out, "d1_rd_element_count", everywhere, "dst_mem_pattern.num_elem[0]",
         [](Edit& e, Generation) {
             e.count("dst_mem_pattern", 0, 2);
             return 2;
         }},
        {read_out, "d1_rd_dtype", everywhere, "dtype", put("dtype", 8)},
        {read_out, "d1_rd_negated", everywhere, "negated", put("negated", 2)},
        {read_out, "has_valid_active_channel_range", everywhere, "num_active_channels",
         put("num_active_channels", 0)},
        {read_out, "start_addr_active_channels", everywhere, "dst_mem_pattern.start_addr",
         [](Edit& e, Generation g) {
             e.set("num_active_channels", 128).start("dst_mem_pattern", sbuf(g, 64, 0));
             return sbuf(g, 64, 0);
         }},
        {read_out, "tensor1d_valid", everywhere, "dst_mem_pattern.start_addr",
         [](Edit& e, Generation) {
             e.start("dst_mem_pattern", 0x2003);
             return 0x2003;
         }},
        {read_out, "shape_registers_unpublished", everywhere, "dst_mem_pattern.start_addr",
         [](Edit& e, Generation) {
             e.start("dst_mem_pattern", 0x40002000);
             return 0x40002000;
         }},
    };
}

std::vector<Case> control_cases() {
    return {
        {{0xA0},
         "event_semaphore_inline_update",
         everywhere,
         "update_mode",
         put("update_mode", 0x13)},
        {{0xA0},
         "event_semaphore_extended_events",
         everywhere,
         "extended_wait_mode",
         put("extended_wait_mode", 0x08)},
        {{0xA0},
         "event_semaphore_extended_events",
         everywhere,
         "extended_update_mode",
         put("extended_update_mode", 0xFF)},
        {{0xA0},
         "event_semaphore_extended_events",
         everywhere,
         "extended_update_value",
         [](Edit& e, Generation) {
             e.set("extended_update_mode", 0x99).set("extended_update_value", 64);
             return 64;
         }},
        {{0xA7}, "move_num_mov", everywhere, "num_mov", put("num_mov", 0)},
        {{0xA7}, "move_num_mov", everywhere, "num_mov", put("num_mov", 9)},
        {{0xA7}, "move_dtype", everywhere, "dtype", put("dtype", 7)},
        {{0xA7}, "move_data_src", everywhere, "data_src", put("data_src", 2)},
        {{0xA7},
         "move_registers",
         everywhere,
         "dst_registers[7]",
         [](Edit& e, Generation) {
             e.byte(31, 64);
             return 64;
         }},
        {{0xA7},
         "move_registers",
         everywhere,
         "src_registers[2]",
         [](Edit& e, Generation) {
             e.set("data_src", 0).byte(18, 130);
             return 130;
         }},
        {{0xA7},
         "move_reserved_zero",
         everywhere,
         "reserved0",
         [](Edit& e, Generation) {
             e.byte(15, 1);
             return 1;
         }},
        {{0xA4},
         "shape_registers_unpublished",
         everywhere,
         "opcode",
         [](Edit& e, Generation) {
             e.byte(0, 0xB2);
             return 0xB2;
         }},
        {{0xA4},
         "write_unpublished",
         everywhere,
         "opcode",
         [](Edit& e, Generation) {
             e.byte(0, 0xA5);
             return 0xA5;
         }},
        {{0xA4},
         "poll_sem_unpublished",
         everywhere,
         "opcode",
         [](Edit& e, Generation) {
             e.byte(0, 0xB3);
             return 0xB3;
         }},
    };
}

std::vector<Case> common_cases() {
    return {
        {sample_opcodes(), "has_valid_inst_len", everywhere, "inst_word_len",
         put("inst_word_len", 0x11)},
        {sample_opcodes(), "has_valid_neuron_events", everywhere, "wait_mode",
         put("wait_mode", 0xFF)},
        {sample_opcodes(), "has_valid_neuron_events", everywhere, "wait_mode",
         put("wait_mode", 0x08)},
        {{0x43, 0x9D, 0xA4},
         "has_valid_neuron_events",
         everywhere,
         "update_mode",
         put("update_mode", 0x06)},
        {{0x43, 0x9D, 0xA4},
         "has_valid_neuron_events",
         everywhere,
         "semaphore_value",
         [](Edit& e, Generation) {
             e.set("wait_mode", 0x85).set("semaphore_value", 0x40);
             return 0x40;
         }},
        {{0xA4},
         "has_valid_neuron_header",
         everywhere,
         "opcode",
         [](Edit& e, Generation) {
             e.byte(0, 0x31);
             return 0x31;
         }},
        {{0xA4},
         "has_valid_neuron_header",
         only(Generation::SUNDA),
         "opcode",
         [](Edit& e, Generation) {  // RANGE_SELECT came with CAYMAN
             e.byte(0, 0xBC);
             return 0xBC;
         }},
    };
}

}  // namespace

std::vector<Case> other_cases() {
    std::vector<Case> cases = common_cases();
    for (const std::vector<Case>& more :
         {cumulative_cases(), read_accumulator_cases(), control_cases()}) {
        cases.insert(cases.end(), more.begin(), more.end());
    }
    return cases;
}

std::vector<Case> all_cases() {
    std::vector<Case> cases = tensor_scalar_cases();
    for (const std::vector<Case>& more : {two_source_cases(), other_cases()}) {
        cases.insert(cases.end(), more.begin(), more.end());
    }
    return cases;
}

std::string name_in(Generation generation, const std::string& predicate) {
    struct Renamed {
        const char* name;
        const char* until_cayman;
    };
    constexpr Renamed renamed[] = {
        {"mem3d_valid", "tensor3d_valid"},
        {"mem4d_valid", "tensor4d_valid"},
        {"check_m3d_active_channels", "start_addr_active_channels"},
        {"check_m4d_active_channels", "start_addr_active_channels"},
        {"same_element_count_m3d", "same_element_count_t3d"},
        {"same_element_count_m4d", "same_element_count_t4d"},
    };
    if (generation == Generation::MAVERICK && predicate == "has_valid_active_channel_range") {
        return predicate + "_with_tile";
    }
    for (const Renamed& entry : renamed) {
        if (generation < Generation::MARIANA && predicate == entry.name) {
            return entry.until_cayman;
        }
    }
    return predicate;
}

}  // namespace dve::test
