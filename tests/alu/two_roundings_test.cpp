// No contraction: operands for which a fused multiply-add would differ, through every kernel path.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "models/alu/evaluate.h"
#include "models/alu/kernel_table.h"
#include "models/alu/kernels.h"
#include "models/alu/scan.h"
#include "tests/alu/samples.h"

namespace dve {
namespace {

using test::bits_of;
using test::float_of;
using test::Random;
using Words = std::vector<std::uint32_t>;

struct Triple {
    std::uint32_t a, b, c;
    std::uint32_t twice;  ///< round(round(a * b) + c)
};

/// Operands near one whose sum cancels, with a fused result that is another number.
std::vector<Triple> triples(std::size_t count) {
    std::vector<Triple> result;
    Random random(95);
    FpStatus status;
    while (result.size() < count) {
        const std::uint32_t a = 0x3F800000U | (random.word() & 0x7FFFFFU);
        const std::uint32_t b = 0x3F800000U | (random.word() & 0x7FFFFFU);
        const std::uint32_t product = evaluate_fp32(AluOp::MULT, a, b, {}, status);
        const std::uint32_t c =
            (product ^ 0x80000000U) + static_cast<std::uint32_t>(random.below(3));
        const std::uint32_t twice = evaluate_fp32(AluOp::ADD, product, c, {}, status);
        if (bits_of(std::fma(float_of(a), float_of(b), float_of(c))) != twice) {
            result.push_back({a, b, c, twice});
        }
    }
    return result;
}

const std::uint8_t* bytes(const Words& words) {
    return reinterpret_cast<const std::uint8_t*>(words.data());
}

template <typename Body>
void for_each_instruction_set(const Body& body) {
    KernelTable tables[3];
    const std::size_t count = available_kernel_tables(tables);
    const KernelTable before = kernel_table();
    for (std::size_t i = 0; i < count; ++i) {
        use_kernel_table(tables[i]);
        body();
    }
    use_kernel_table(before);
}

/// Both operands of the sum and of the product in every place; status fresh (exact kernels) and
/// raised before (tiles).
TEST(TwoRoundings, ElementwiseKernels) {
    const std::vector<Triple> all = triples(64);
    for_each_instruction_set([&] {
        for (const bool subtract : {false, true}) {
            for (const bool reversed : {false, true}) {
                for (const bool tensor0 : {false, true}) {
                    for (const bool tensor1 : {false, true}) {
                        if (tensor0 && tensor1) {
                            continue;
                        }
                        for (const Triple& t : all) {
                            ElementwiseSpec spec;
                            spec.stage0 = {AluOp::MULT, reversed,
                                           tensor0 ? StageOperand::TENSOR : StageOperand::SCALAR};
                            spec.stage1 = {subtract ? AluOp::SUBTRACT : AluOp::ADD, false,
                                           tensor1 ? StageOperand::TENSOR : StageOperand::SCALAR};
                            const std::uint32_t c = subtract ? t.c ^ 0x80000000U : t.c;
                            const Words src0(40, t.a);
                            const Words src1(40, tensor0 ? t.b : c);
                            Words out(40);
                            ElementwiseArguments arguments;
                            arguments.rows = 1;
                            arguments.columns = out.size();
                            arguments.src0.data = bytes(src0);
                            arguments.src1.data = bytes(src1);
                            arguments.dst.data = reinterpret_cast<std::uint8_t*>(out.data());
                            arguments.scalar0.values = &t.b;
                            arguments.scalar1.values = &c;
                            for (const std::uint8_t raised : {0x00, 0x1F}) {
                                FpStatus status;
                                status.raise(raised);
                                ElementwiseKernel::select(spec, {}).run(arguments, status);
                                ASSERT_EQ(out, Words(40, t.twice)) << kernel_instruction_set();
                            }
                        }
                    }
                }
            }
        }
    });
}

/// The recurrence s = a * s + c, in order and composed.
TEST(TwoRoundings, CarriedScans) {
    const std::vector<Triple> all = triples(64);
    for_each_instruction_set([&] {
        for (const ScanOrder order : {ScanOrder::SEQUENTIAL, ScanOrder::ROTATE_COMBINE}) {
            for (const Triple& t : all) {
                // One row each, more rows than lanes, so that the vector kernels run.
                constexpr std::size_t rows = 20;
                const Words src0(rows, t.a);
                const Words src1(rows, t.c);
                Words out(rows);
                FpStatus status;
                status.raise(0x1F);
                carried_scan({AluOp::MULT, false, StageOperand::TENSOR},
                             {AluOp::ADD, false, StageOperand::TENSOR}, order, {bytes(src0), 4},
                             {bytes(src1), 4}, {reinterpret_cast<std::uint8_t*>(out.data()), 4},
                             rows, 1, {&t.b, 0}, {}, status);
                ASSERT_EQ(out, Words(rows, t.twice)) << kernel_instruction_set();
            }
        }
    });
}

}  // namespace
}  // namespace dve
