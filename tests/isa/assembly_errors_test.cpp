// Every kind of error in assembly text: its line, what is wrong and what is legal.
#include <gmock/gmock.h>

#include "tests/isa/assembly_text.h"

namespace dve {
namespace {

using ::testing::HasSubstr;

struct Case {
    const char* text;
    unsigned line;
    const char* wrong;
    const char* legal;
};

constexpr const char* fp32_operands =
    " dst=sbuf:0:0:1:fp32 src=sbuf:0:0:1:fp32 num_active_channels=1 ";

const Case cases[] = {
    {".gen maiana", 1, "unknown generation 'maiana', nearest is 'mariana'", "maverick"},
    {"nop\n.gen mariana", 2, ".gen after", "before them"},
    {".gen mariana\n.gen mariana", 2, "another .gen", "once"},
    {".gen cayman", 1, "disagrees with --gen mariana", "one of the two"},
    {".tensr x sbuf:0:0 128x1 fp32", 1, "unknown directive '.tensr'", ".tensor"},
    {".tensor x sbuf:0:0 128x1", 1, ".tensor is malformed", "SHAPE DTYPE"},
    {".tensor R sbuf:0:0 128x1 fp32", 1, "tensor name 'R'", "letters"},
    {".tensor x sbuf:0:0 128x1 fp32\n.tensor x sbuf:0:0 128x1 fp32", 2, "declared twice", "name"},
    {".tensor x sbf:0:0 128x1 fp32", 1, "unknown memory 'sbf'", "sbuf, psum"},
    {".tensor x sbuf:128:0 1x1 fp32", 1, "partition '128'", "0..127"},
    {".tensor x sbuf:0:0x40000 1x1 fp32", 1, "byte '0x40000'", "0..0x3ffff"},
    {".tensor x sbuf:0 1x1 fp32", 1, "place 'sbuf:0'", "space:partition:byte"},
    {".tensor x sbuf:0:0 1x0 fp32", 1, "shape '1x0'", "1..16777216"},
    {".tensor x sbuf:0:0 1x2x3x4x5x6 fp32", 1, "6 dimensions", "1..5"},
    {".tensor x sbuf:0:0 129x2 fp32", 1, "129 partitions", "1..128"},
    {".tensor x sbuf:0:0 128x2 fp23", 1, "unknown dtype 'fp23'", "fp32"},
    {".tensor x sbuf:0:0 128x2 fp32 step=1,2", 1, "step of tensor 'x'", "1 values"},
    {"tensor_scaler_arith", 1, "unknown mnemonic", "tensor_scalar_arith"},
    {"nop opp=1", 1, "unknown field 'opp'", "wait_mode"},
    {"nop debug_cmd", 1, "'debug_cmd' is malformed", "field=value"},
    {"nop debug_cmd=", 1, "'debug_cmd=' is malformed", "field=value"},
    {"nop debug_cmd=1 debug_cmd=1", 1, "written twice", "once"},
    {"nop debug_cmd=256", 1, "'256' does not fit 8 bits", "0..255"},
    {"nop debug_cmd=-1", 1, "'-1' does not fit 8 bits", "0..255"},
    {"nop debug_cmd=x", 1, "'x' is not a number", "0..255"},
    {"nop debug_cmd=99999999999999999999", 1, "is not a number of up to 64 bits", "0..255"},
    {"nop unused12=123", 1, "'123' is not a byte string", "up to 56 hexadecimal digits"},
    {"move dst_registers=1,2,3,4,5,6,7,8,9", 1, "9 values do not fit", "up to 8"},
    {"move immediates=4294967296", 1, "does not fit 32 bits", "4294967295"},
    {"move dtype=fp33", 1, "unknown value 'fp33'", "number 0..255"},
    {"move data_src=imm", 1, "unknown value 'imm'", "register, immediate"},
    {"tensor_scalar_arith src=x", 1, "unknown tensor 'x'", ".tensor"},
    {"tensor_scalar_arith src=12", 1, "operand '12' is malformed", "sbuf:0:0x400"},
    {"tensor_scalar_arith src=sbuf:0:0:1:2:3", 1, "is malformed", "NAME"},
    {"tensor_scalar_arith src=sbuf:0:0:1x1x1x1", 1, "pattern '1x1x1x1'", "1..3 counts"},
    {"tensor_scalar_arith src=sbuf:0:0:65536", 1, "pattern '65536'", "0..65535"},
    {"tensor_scalar_arith src=sbuf:0:0:1/1,1", 1, "pattern '1/1,1'", "as many steps"},
    {"tensor_scalar_arith src=sbuf:0:0:1/40000", 1, "pattern '1/40000'", "-32768..32767"},
    {"tensor_scalar_arith src=sbuf:0:0:2x40000", 1, "step of 40000", "32767"},
    {"tensor_scalar_arith src=R[256]:1", 1, "register 'R[256]'", "R[63]"},
    {"tensor_scalar_arith src=indirect(R[1],R[2])", 1, "is malformed", "indirect(INDEX"},
    {"tensor_scalar_arith dst=sbuf:0:0:1 src=sbuf:0:0:1 num_active_channels=1 in_dtype=fp32", 1,
     "out_dtype: is not known", ":DTYPE"},
    {"tensor_scalar_arith src=sbuf:0:0:1:fp32 num_active_channels=1", 1, "dst is not written",
     "write either"},
    {"tensor_scalar_arith dst=sbuf:0:0:1:fp32 src=sbuf:0:0:1:fp32", 1,
     "num_active_channels: is not known", "1..128"},
    {".tensor x sbuf:0:0 128x8 fp32\n.tensor y sbuf:0:0 64x8 fp32\ntensor_scalar_arith dst=x src=y",
     3, "dst has 128 partitions and src has 64", "tensors that agree"},
    {".tensor x sbuf:0:0 128x8 fp32\nnop\ntensor_scalar_arith dst=x[0:9] src=x", 3,
     "slice '0:9' is empty", "0..7"},
    {".tensor x sbuf:0:0 128x8 fp32\ntensor_scalar_arith dst=x[8] src=x", 2, "slice '8'", "0..7"},
    {".tensor x sbuf:0:0 128x8 fp32\ntensor_scalar_arith dst=x[0,1] src=x", 2, "2 slices",
     "1 free"},
    {".tensor x sbuf:0:0 128x8 fp32\ntensor_scalar_arith dst=x[0 src=x", 2, "does not end in ']'",
     "NAME[0:256]"},
    {".tensor x sbuf:0:0 128x2x2x2x2 fp32 step=99,50,20,1\ntensor_scalar_arith dst=x "
     "src=x[0,0,0,0]",
     2, "needs 4 free dimensions", "up to 3"},
    {".tensor x sbuf:0:0 128x65536 int8\ntensor_scalar_arith dst=x src=x[0]", 2,
     "dimension of 65536 elements", "65535"},
    {".tensor e sbuf:0:0 1x1 fp8_exp2\nscalar_tensor_tensor_arith dst=e src0=e src1=e", 2,
     "dtypes up to number 15", "older"},
    {"tensor_tensor_arith in0_in1_dtype=fp32", 1, "'fp32' is not a pair", "fp32,bf16"},
    {"wait sem[3] >== 1\nnop", 1, "wait 'sem[3] >== 1' is malformed", "sem[0..255]"},
    {"wait sem[256] >= 1\nnop", 1, "wait 'sem[256] >= 1'", "sem[0..255]"},
    {"wait event[5] sets\nnop", 1, "wait 'event[5] sets'", "set_then_clear"},
    {"update sem[3] *= 1\nnop", 1, "update 'sem[3] *= 1'", "+=|-=|="},
    {"update sem[3] += 1 on write\nnop", 1, "update 'sem[3] += 1 on write'", "on read"},
    {"wait sem[3] >= 1\nupdate sem[4] += 2\nnop", 2, "needs semaphore_value 2", "one value"},
    {"wait sem[3] >= 1\nwait sem[4] >= 1\nnop", 2, "second wait", "one wait"},
    {"nop\nwait sem[3] >= 1\n\n", 2, "without an instruction", "in front of one"},
    {"wait sem[3] >= 1\nnop wait_idx=3", 2, "is set by the wait or update line", "one of the two"},
    {".raw 0011", 1, ".raw has 2 bytes", "128 hexadecimal digits"},
    {".raw 001", 1, ".raw has bad digits", "128 hexadecimal digits"},
    {"a b: nop", 1, "unknown mnemonic 'a'", "label"},
    {"1b: nop", 1, "label '1b' is malformed", "letters"},
    {"a: nop\na: nop", 2, "label 'a' is defined twice", "once"},
    {"top: nop\ncompare_branch br_immediate=@tip", 2, "unknown label 'tip', nearest is 'top'",
     "legal: top"},
};

TEST(AssemblyErrors, EachIsOneLineWithItsPlace) {
    AssemblyOptions options;
    options.generation = Generation::MARIANA;
    for (const Case& each : cases) {
        SCOPED_TRACE(each.text);
        const Assembly assembly = assemble(each.text, options);
        ASSERT_EQ(assembly.errors.size(), 1U) << messages(assembly);
        const AssemblyError& error = assembly.errors.front();
        EXPECT_EQ(error.line, each.line);
        EXPECT_THAT(error.message, HasSubstr(each.wrong));
        EXPECT_THAT(error.message, HasSubstr("legal"));
        EXPECT_THAT(error.message, HasSubstr(each.legal));
        EXPECT_EQ(error.message.find('\n'), std::string::npos);
    }
}

TEST(AssemblyErrors, ImmediatesThatDoNotFit) {
    const auto message = [](const std::string& text) {
        const Assembly assembly = assemble(text);
        return assembly.errors.empty() ? std::string() : assembly.errors.front().message;
    };
    const std::string arith = std::string("tensor_scalar_arith") + fp32_operands;
    EXPECT_THAT(message(arith + "imm0=1e60"), HasSubstr("'1e60' is not an FP32 value"));
    EXPECT_THAT(message(arith + "imm0=mult"), HasSubstr("'mult' is not an FP32 value"));
    EXPECT_THAT(message(arith + "imm0=0x100000000"), HasSubstr("does not fit 32 bits"));
    EXPECT_THAT(message(arith + "imm0=@nowhere"), HasSubstr("unknown tensor 'nowhere'"));
    EXPECT_THAT(message(arith + "imm0=@sbuf:0:0x99999"), HasSubstr("byte '0x99999'"));
    const std::string bitvec =
        "tensor_scalar_bitvec dst=sbuf:0:0:1:int8 src=sbuf:0:0:1:int8 num_active_channels=1 ";
    EXPECT_THAT(message(bitvec + "imm0=256"), HasSubstr("'256' does not fit 8 bits"));
    EXPECT_THAT(message(bitvec + "imm0=-129"), HasSubstr("'-129' does not fit 8 bits"));
    EXPECT_THAT(message(bitvec + "imm0=0.5"), HasSubstr("'0.5' is not a number"));
}

TEST(AssemblyErrors, AllAreCollectedUpToTheCap) {
    EXPECT_EQ(assemble("bad\nnop\nbad debug=1\n nop a=1 b=2").errors.size(), 4U);
    std::string many;
    for (int i = 0; i < 100; ++i) {
        many += "bad\n";
    }
    many += "nop br_immediate=@nowhere\n";
    EXPECT_EQ(assemble(many).errors.size(), maximum_assembly_errors);
}

TEST(AssemblyErrors, PsumIsUnknownOnMaverick) {
    const Assembly assembly = assemble(".gen maverick\n.tensor p psum:0:0 128x1 fp32");
    ASSERT_EQ(assembly.errors.size(), 1U);
    EXPECT_THAT(assembly.errors[0].message, HasSubstr("no psum"));
}

}  // namespace
}  // namespace dve
