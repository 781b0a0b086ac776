// Forms of fields, operands and immediates, and what is taken from tensors.
#include "tests/isa/assembly_text.h"

namespace dve {
namespace {

Pattern operand(const std::string& text, const std::string& declarations = "") {
    const Record record =
        assemble_one(declarations + "\ntensor_scalar_arith src=" + text +
                     " dst=sbuf:0:0:1 in_dtype=fp32 out_dtype=fp32 num_active_channels=128");
    return record.get_pattern(fields::S3D3_TS::src_mem_pattern);
}

void expect_walk(const Pattern& pattern, std::uint32_t word, std::array<std::int16_t, 3> steps,
                 std::array<std::uint16_t, 3> counts) {
    EXPECT_EQ(pattern.start.word, word);
    for (unsigned d = 0; d < 3; ++d) {
        EXPECT_EQ(pattern.step_elem[d], steps[d]) << d;
        EXPECT_EQ(pattern.num_elem[d], counts[d]) << d;
    }
}

TEST(AssemblySyntax, LiteralPatterns) {
    expect_walk(operand("sbuf:0:0x400"), 0x400, {1, 1, 1}, {1, 1, 1});
    expect_walk(operand("sbuf:2:16:4x512/1024,1"), 0x80010, {1, 1024, 1}, {512, 4, 1});
    expect_walk(operand("psum:1:0:2x3x4"), 0x2008000, {1, 4, 12}, {4, 3, 2});
    expect_walk(operand("R[63]:5/-2"), 0x8000003F, {-2, 1, 1}, {5, 1, 1});
    expect_walk(operand("word:0xffffffff:0x0/0,-32768"), 0xFFFFFFFF, {-32768, 0, 1}, {0, 0, 1});
}

TEST(AssemblySyntax, SlicesFollowPython) {
    const std::string x = ".tensor x sbuf:0:0x100 128x512 fp32";
    expect_walk(operand("x", x), 0x100, {1, 1, 1}, {512, 1, 1});
    expect_walk(operand("x[0:256]", x), 0x100, {1, 1, 1}, {256, 1, 1});
    expect_walk(operand("x[0:512:2]", x), 0x100, {2, 1, 1}, {256, 1, 1});
    expect_walk(operand("x[1:512:3]", x), 0x104, {3, 1, 1}, {171, 1, 1});
    expect_walk(operand("x[5]", x), 0x114, {1, 1, 1}, {1, 1, 1});
    expect_walk(operand("x[::-1]", x), 0x100 + 511 * 4, {-1, 1, 1}, {512, 1, 1});
    expect_walk(operand("x[-4:]", x), 0x100 + 508 * 4, {1, 1, 1}, {4, 1, 1});
    const std::string t = ".tensor t sbuf:0:0 128x4x8x16 int16";
    expect_walk(operand("t[1:3, 2, ::4]", t), (128 + 32) * 2, {4, 1, 128}, {4, 1, 2});
    expect_walk(operand("t[8:]", t), 16, {1, 16, 128}, {8, 8, 4});
}

TEST(AssemblySyntax, TensorsFitTheirPattern) {
    expect_walk(operand("u", ".tensor u sbuf:0:0 128x2x3x4x5 int8"), 0, {1, 20, 60}, {20, 3, 2});
    expect_walk(operand("u", ".tensor u sbuf:0:0 128x1x7x1x5 int8"), 0, {1, 5, 1}, {5, 7, 1});
    expect_walk(operand("u", ".tensor u sbuf:0:0 128 fp32"), 0, {1, 1, 1}, {1, 1, 1});
    expect_walk(operand("u", ".tensor u sbuf:0:0 128x6x512 fp32 step=0,1"), 0, {1, 0, 1},
                {512, 6, 1});
}

TEST(AssemblySyntax, DtypesAndChannelsComeFromTensors) {
    const std::string head =
        ".tensor a sbuf:0:0 64x16 fp16\n.tensor c sbuf:0:64 64x16 int8\n.tensor d psum:0:0 64x16 "
        "fp32\n";
    const Record written =
        assemble_one(head +
                     "tensor_tensor_arith dst=d src0=a src1=c op=add out_dtype=bf16 "
                     "num_active_channels=200");
    EXPECT_EQ(written.get8(fields::S3S3D3_TT::in0_in1_dtype), 0x27);
    EXPECT_EQ(written.get8(fields::S3S3D3_TT::out_dtype), 0x06);
    EXPECT_EQ(written.get8(fields::S3S3D3_TT::num_active_channels), 200);
    const Record bitvec = assemble_one(
        head + "scalar_tensor_tensor_bitvec dst=c src0=c src1=c op0=bitwise_or imm0=255");
    EXPECT_EQ(bitvec.get8(fields::S2S2D2_STT::imm0_dtype), 0x02);
    EXPECT_EQ(bitvec.get8(fields::S2S2D2_STT::num_active_channels), 64);
    EXPECT_EQ(bitvec.get32(fields::S2S2D2_STT::imm0), 0xFFU);
}

std::uint32_t immediate(const std::string& fields_text, const char* mnemonic, const char* dtype) {
    return assemble_one(std::string(mnemonic) + " dst=sbuf:0:0:1:" + dtype +
                        " src=sbuf:0:0:1:" + dtype + " num_active_channels=1 " + fields_text)
        .get32(fields::S3D3_TS::imm0);
}

TEST(AssemblySyntax, ImmediateNumbers) {
    const auto fp32 = [](const std::string& text) {
        return immediate("imm0=" + text, "tensor_scalar_arith", "bf16");
    };
    EXPECT_EQ(fp32("0.125"), 0x3E000000U);
    EXPECT_EQ(fp32("-0.0"), 0x80000000U);
    EXPECT_EQ(fp32("1"), 0x3F800000U);
    EXPECT_EQ(fp32("+1e-45"), 0x00000001U);
    EXPECT_EQ(fp32("16777217"), 0x4B800000U);  // a tie, to even
    EXPECT_EQ(fp32("inf"), 0x7F800000U);
    EXPECT_EQ(fp32("-inf"), 0xFF800000U);
    EXPECT_EQ(fp32("nan"), 0x7FC00000U);
    EXPECT_EQ(fp32("0x3f800000"), 0x3F800000U);
    const auto bits = [](const std::string& text, const char* dtype) {
        return immediate("imm0=" + text, "tensor_scalar_bitvec", dtype);
    };
    EXPECT_EQ(bits("-1", "int8"), 0xFFU);
    EXPECT_EQ(bits("255", "int8"), 0xFFU);
    EXPECT_EQ(bits("-32768", "uint16"), 0x8000U);
    EXPECT_EQ(bits("4294967295", "int32"), 0xFFFFFFFFU);
    EXPECT_EQ(bits("0x12345678", "uint8"), 0x12345678U);  // raw: a validator needs bad input
    // An operation of the integer band takes an integer under an arithmetic opcode too.
    EXPECT_EQ(immediate("op0=add_int imm0=-2", "tensor_scalar_arith", "int32"), 0xFFFFFFFEU);
}

TEST(AssemblySyntax, EveryFieldTakesIllegalNumbers) {
    const Record record = assemble_one(
        "TENSOR_SCALAR_ARITH_OP dst=word:0x60000001:0 src=word:0:1 in_dtype=0xfe out_dtype=0 "
        "num_active_channels=255 op0=0x1e op1=255 reverse=9 imm0_src=7 imm1_src=3 "
        "accumulator_cmd=99 reserved0=0102ff wait_mode=0xff update_mode=6 inst_word_len=17 "
        "debug_cmd=2 imm0=5 opcode=0x99 ; a comment");
    EXPECT_EQ(hex(record), without_blanks("99 11 02 00  ff 00 06 00  00000000"
                                          "63 0102ff"
                                          "00000000 0100 0100 0100 0100 0100 0100"
                                          "fe 00 ff 07 1e ff 09 03 0000a040 00000000"
                                          "01000060 0100 0100 0100 0000 0100 0100"));
    EXPECT_EQ(assemble_one("nop unused12=0x1").get8(fields::CTRL_NO::unused12), 1);
    EXPECT_EQ(assemble_one("tensor_tensor_arith dst=sbuf:0:0 src0=sbuf:0:0 src1=sbuf:0:0 "
                           "in0_in1_dtype=0xa6 out_dtype=fp32 num_active_channels=1")
                  .get8(fields::S3S3D3_TT::in0_in1_dtype),
              0xA6);
}

TEST(AssemblySyntax, RawTakesBlanks) {
    std::string digits;
    for (int i = 0; i < 64; ++i) {
        digits += " 0" + std::to_string(i % 10);
    }
    EXPECT_EQ(hex(assemble_one(".raw" + digits)), without_blanks(digits));
}

TEST(AssemblySyntax, GenerationOfTheTextOrOfTheOption) {
    AssemblyOptions options;
    EXPECT_EQ(assemble("nop").generation, Generation::MARIANA);
    EXPECT_EQ(assemble(".gen cayman\nnop").generation, Generation::CAYMAN);
    options.generation = Generation::MAVERICK;
    const Assembly assembly = assemble(
        ".tensor x sbuf:1:0x7fffc 128x1 fp32\ntensor_scalar_arith dst=x src=x\r\n", options);
    ASSERT_TRUE(assembly.ok()) << messages(assembly);
    EXPECT_EQ(assembly.generation, Generation::MAVERICK);
    EXPECT_EQ(assembly.records[0].get32(fields::S3D3_TS::dst_mem_pattern), 0x17FFFCU);
    options.memory = [](Generation generation) {
        MemoryMap memory = MemoryMap::for_generation(generation);
        memory.psum.present = true;
        return memory;
    };
    EXPECT_TRUE(assemble(".tensor p psum:0:0 128x1 fp32", options).ok());
}

}  // namespace
}  // namespace dve
