// Records and arithmetic of an installed dve, in a program without SystemC.
#include <dve/models/alu/evaluate.h>
#include <dve/models/isa/assembly.h>
#include <dve/models/isa/check.h>

#include <cstdio>
#include <string>

#ifdef SYSTEMC_INCLUDED
#error "dve::isa and dve::alu bring SystemC"
#endif

int main() {
    using namespace dve;
    const Assembly program = assemble(
        ".gen cayman\n.tensor x sbuf:0:0 128x4 fp32\n"
        "tensor_scalar_arith dst=x src=x op0=mult imm0=2.0 op1=bypass\n");
    const bool assembled =
        program.ok() && program.records.size() == 1 && program.records[0].bytes[0] == 0x43 &&
        !check(program.records[0], IsaConfiguration::for_generation(Generation::CAYMAN));
    NumberModel model;
    FpStatus status;
    // 1.5 * -2.5 = -3.75, exact; BF16 of 1 + 2^-8 is a tie and goes to the even 1.0.
    const bool product =
        evaluate_fp32(AluOp::MULT, 0x3FC00000, 0xC0200000, model, status) == 0xC0700000;
    const bool narrowed = from_fp32(Dtype::BF16, 0x3F808000, model, status) == 0x3F80;
    std::printf("assembled %d, product %d, narrowed %d\n", assembled, product, narrowed);
    return assembled && product && narrowed ? 0 : 1;
}
