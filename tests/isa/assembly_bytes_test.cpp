// Records that the assembler makes, against bytes typed from the layouts of isa_wire_format 1 to 4.
#include "tests/isa/assembly_text.h"

namespace dve {
namespace {

constexpr std::string_view tensors =
    ".gen mariana\n"
    ".tensor x  sbuf:0:0x0000   128x512 bf16\n"
    ".tensor y  sbuf:0:0x8000   128x512 bf16\n"
    ".tensor z  sbuf:0:0xc000   128x512 fp32\n"
    ".tensor b  sbuf:32:0x10    32x4x8x16 int8\n"
    ".tensor p  psum:0:0x100    128x64 fp32\n";

Record one(const std::string& line) { return assemble_one(std::string(tensors) + line); }

TEST(AssemblyBytes, TensorScalarOfTheExample) {
    EXPECT_EQ(hex(one("tensor_scalar_arith dst=y src=x op0=mult imm0=0.125 op1=add imm1=1.0 "
                      "reverse=none")),
              without_blanks("43 10 00 00  00 00 00 00  00 00 00 00"   // header, events
                             "00 000000"                               // accumulator_cmd, reserved0
                             "00000000 0100 0100 0100 0002 0100 0100"  // src: 512 x 1 x 1
                             "06 06 80 00"        // bf16, bf16, 128 channels, imm0_src
                             "06 04 00 00"        // mult, add, reverse, imm1_src
                             "0000003e 0000803f"  // 0.125, 1.0
                             "00800000 0100 0100 0100 0002 0100 0100"));
}

TEST(AssemblyBytes, ScalarTensorTensorOfTheExample) {
    EXPECT_EQ(hex(one("scalar_tensor_tensor_arith dst=y src0=x imm0=2.0 op0=mult src1=y op1=add")),
              without_blanks("9d 10 00 00  00 00 00 00  00 00 00 00"
                             "00000000 0100 0100 0002 0100"  // src0
                             "00800000 0100 0100 0002 0100"  // src1
                             "06 04 00 00"                   // mult, add, reverse, imm0_src
                             "66 06 80 0a"  // bf16 pair, bf16, channels, imm0_dtype fp32
                             "00 000000"    // accumulator_cmd, reserved
                             "00800000 0100 0100 0002 0100"
                             "00000040"));
}

TEST(AssemblyBytes, ScanWithWaitAndUpdate) {
    EXPECT_EQ(hex(one("wait sem[3] >= 1\n"
                      "update sem[4] += 1\n"
                      "tensor_tensor_scan_arith dst=z src0=x src1=z imm0=0.0 op0=mult op1=add")),
              without_blanks("e5 10 00 00  05 03 15 04  01 00 00 00"
                             "00000000 0100 0100 0002 0100"
                             "00c00000 0100 0100 0002 0100"
                             "06 04 00 00"
                             "a6 0a 80 0a"
                             "00 000000"
                             "00c00000 0100 0100 0002 0100"
                             "00000000"));
}

TEST(AssemblyBytes, BitvecOnThreeDimensionsInPartition32) {
    // 32 partitions of 256 KiB: the start address is 0x800010.
    EXPECT_EQ(hex(one("tensor_scalar_bitvec dst=b src=b op0=bitwise_and imm0=-5 op1=bypass")),
              without_blanks("53 10 00 00  00 00 00 00  00 00 00 00"
                             "00 000000"
                             "10008000 0100 1000 8000 1000 0800 0400"
                             "02 02 20 00"
                             "0a 00 00 00"
                             "fb000000 00000000"
                             "10008000 0100 1000 8000 1000 0800 0400"));
}

TEST(AssemblyBytes, PointersAndRegisterPointers) {
    const Record record =
        one("tensor_scalar_arith dst=z src=p[::2] op0=add imm0=@psum:1:0x20 op1=mult imm1=@R[5] "
            "num_active_channels=64");
    EXPECT_EQ(hex(record), without_blanks("43 10 00 00  00 00 00 00  00 00 00 00"
                                          "00 000000"
                                          "00010002 0200 0100 0100 2000 0100 0100"
                                          "0a 0a 40 01"  // fp32, fp32, 64, POINTER
                                          "04 06 00 02"  // add, mult, none, REG_PTR
                                          "20800002 05000000"
                                          "00c00000 0100 0100 0100 0002 0100 0100"));
}

TEST(AssemblyBytes, PointerOpcodeKeepsTheSourceCodeZero) {
    const Record record =
        one("tensor_scalar_ptr_arith dst=z src=z op0=add imm0=@z[3] op1=mult imm1=@sbuf:0:0x40");
    EXPECT_EQ(record.get32(fields::S3D3_TS::imm0), 0xC00CU);
    EXPECT_EQ(record.get32(fields::S3D3_TS::imm1), 0x40U);
    EXPECT_EQ(record.get8(fields::S3D3_TS::imm0_src), 0);
    EXPECT_EQ(record.get8(fields::S3D3_TS::imm1_src), 0);
}

TEST(AssemblyBytes, IndirectAndRegisterOperands) {
    const Record record =
        one("tensor_scalar_arith dst=R[4]:512:fp32 src=indirect(sbuf:32:0x8,psum:0:0,16,aabb) "
            "in_dtype=fp32 num_active_channels=32 imm0=0x7fc00001");
    EXPECT_EQ(hex(record), without_blanks("43 10 00 00  00 00 00 00  00 00 00 00"
                                          "00 000000"
                                          "08008020 00000002 1000 aabb 00000000"
                                          "0a 0a 20 00"
                                          "00 00 00 00"
                                          "0100c07f 00000000"
                                          "04000080 0100 0100 0100 0002 0100 0100"));
}

TEST(AssemblyBytes, ReadAccumulatorCountsOneElement) {
    EXPECT_EQ(hex(one("dve_read_accumulator dst=z[7] negated=1")),
              without_blanks("9b 10 00 00  00 00 00 00  00 00 00 00"
                             "00000000 00000000 00000000 00000000"
                             "01000000 0a 01 80 00 00000000 00000000"
                             "1cc00000 0100 0100"
                             "00000000 00000000 00000000"));
}

TEST(AssemblyBytes, SequencerRecords) {
    EXPECT_EQ(
        hex(assemble_one("move num_mov=2 dtype=int32 data_src=immediate dst_registers=5,6 "
                         "immediates=-5,0x400")),
        without_blanks("a7 10 00 00  00 00 00 00  00 00 00 00"
                       "02 08 01 00"
                       "0000000000000000 0506000000000000"
                       "fbffffff 00040000 0000000000000000 0000000000000000 0000000000000000"));
    EXPECT_EQ(hex(assemble_one("update event[9] clear on read\n"
                               "event_semaphore extended_wait_mode=sem_gt_reg extended_wait_idx=7 "
                               "extended_wait_value=3")),
              without_blanks("a0 10 00 00  00 00 02 09  00 00 00 00"
                             "00000000 00000000 00000000 00000000 00000000"
                             "84 07 00 00 03000000 00000000"
                             "0000000000000000 0000000000000000 00000000"));
}

TEST(AssemblyBytes, LabelsAreRelativeToTheBranch) {
    const Assembly assembly = assemble(
        "top: nop\n"
        "  compare_branch cmp_op=9 br_immediate=@end\n"
        "  compare_branch br_immediate=@top\n"
        "end:\n"
        "  halt\n");
    ASSERT_TRUE(assembly.ok()) << messages(assembly);
    ASSERT_EQ(assembly.records.size(), 4U);
    EXPECT_EQ(assembly.records[1].get(fields::CTRL_BR::br_immediate), 2U);
    EXPECT_EQ(assembly.records[2].get(fields::CTRL_BR::br_immediate), ~std::uint64_t{0} - 1);
    EXPECT_EQ(assembly.records[1].get8(fields::CTRL_BR::target_mode), 3);
    EXPECT_EQ(assembly.lines, (std::vector<unsigned>{1, 2, 3, 5}));
}

TEST(AssemblyBytes, EveryWaitAndUpdateForm) {
    const auto events = [](const std::string& lines) {
        return hex(assemble_one(lines + "\nnop")).substr(8, 16);
    };
    EXPECT_EQ(events("wait sem[1]==2"),
              "01010000"
              "02000000");
    EXPECT_EQ(events("wait sem[1] < R[2]"),
              "82010000"
              "02000000");
    EXPECT_EQ(events("wait sem[255] <= 7"),
              "03ff0000"
              "07000000");
    EXPECT_EQ(events("wait event[5] set"),
              "06050000"
              "00000000");
    EXPECT_EQ(events("wait event[5] set_then_clear"),
              "07050000"
              "00000000");
    EXPECT_EQ(events("wait event[5] clear"),
              "0e050000"
              "00000000");
    EXPECT_EQ(events("wait event[5] clear_then_set"),
              "0f050000"
              "00000000");
    EXPECT_EQ(events("wait unordered"),
              "fe000000"
              "00000000");
    EXPECT_EQ(events("update sem[4]++ on read"),
              "00000304"
              "00000000");
    EXPECT_EQ(events("update sem[4] --"),
              "00001404"
              "00000000");
    EXPECT_EQ(events("update sem[4] -= R[6] on complete"),
              "00009704"
              "06000000");
    EXPECT_EQ(events("update sem[4] = 8 on read"),
              "00000904"
              "08000000");
    EXPECT_EQ(events("update event[4] set"),
              "00001104"
              "00000000");
    EXPECT_EQ(events("wait sem[1] > 3\nupdate sem[4]++"),
              "04011304"
              "03000000");
}

}  // namespace
}  // namespace dve
