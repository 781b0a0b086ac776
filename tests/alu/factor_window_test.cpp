// Products with scalars on FP32: tiles watch the factors against a window that the scalars allow.
// Directed at its edges, in every instruction set, bits and status against evaluate.h.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "models/alu/evaluate.h"
#include "models/alu/kernel_table.h"
#include "models/alu/kernels.h"
#include "tests/alu/samples.h"

namespace dve {
namespace {

using test::Random;
using Words = std::vector<std::uint32_t>;

/// Scalars of every kind: zeros, subnormal, tiny, at the edges of the window rule, huge, specials.
const Words& scalar_kinds() {
    static const Words kinds = [] {
        Words result;
        for (const std::uint32_t size :
             {0x00000000U, 0x00000001U, 0x007FFFFFU, 0x00800000U, 0x00800001U, 0x01000000U,
              0x1F800000U, 0x20000000U, 0x3EFFFFFFU, 0x3F000000U, 0x3F7FFFFFU, 0x3F800000U,
              0x3F800001U, 0x40490FDBU, 0x5F800000U, 0x7E000000U, 0x7E7FFFFFU, 0x7E800000U,
              0x7F000000U, 0x7F7FFFFFU, 0x7F800000U, 0x7FC00000U, 0x7F812345U}) {
            result.push_back(size);
            result.push_back(size | 0x80000000U);
        }
        return result;
    }();
    return kinds;
}

/// Addends up to and beyond the limit below which a product in the window stays finite.
const Words& addend_kinds() {
    static const Words kinds = {0x00000000U, 0x80000000U, 0x00000001U, 0x807FFFFFU, 0x3F800000U,
                                0x7DFFFFFFU, 0x7E000000U, 0xFE7FFFFFU, 0x7E7FFFFFU, 0x7E800000U,
                                0xFE800000U, 0x7EFFFFFFU, 0x7F000000U, 0x7F7FFFFFU, 0xFF7FFFFFU,
                                0x7F800000U, 0xFF800000U, 0x7FC00000U};
    return kinds;
}

/// Factors whose product with a scalar lies around 2^-126 and around 2^126 .. 2^128, and others.
std::uint32_t factor(std::uint32_t scalar, Random& random) {
    const int exponent = static_cast<int>(scalar >> 23 & 0xFF);
    const int near[] = {128 - exponent,
                        127 - exponent,
                        126 - exponent,
                        378 - exponent,
                        379 - exponent,
                        380 - exponent,
                        381 - exponent,
                        1,
                        253,
                        254};
    const int field = std::clamp(near[random.below(std::size(near))], 0, 254);
    const std::uint32_t fractions[] = {0, 1, 0x7FFFFF, 0x7FFFFE, random.word() & 0x7FFFFF};
    const std::uint32_t fraction = fractions[random.below(std::size(fractions))];
    return static_cast<std::uint32_t>(field) << 23 | fraction | (random.word() & 0x80000000U);
}

struct Instruction {
    ElementwiseSpec spec;
    std::size_t rows = 1;
    std::size_t columns = 1;
    Words src0;
    Words src1;
    Words scalar0;
    Words scalar1;
};

std::uint32_t stage(const StageSpec& spec, std::uint32_t data, std::uint32_t operand,
                    FpStatus& status) {
    if (spec.op == AluOp::BYPASS) {
        return data;
    }
    return spec.reversed ? evaluate_fp32(spec.op, operand, data, {}, status)
                         : evaluate_fp32(spec.op, data, operand, {}, status);
}

void check(const Instruction& instruction, std::uint8_t raised) {
    const ElementwiseSpec& spec = instruction.spec;
    const std::size_t count = instruction.rows * instruction.columns;
    Words want(count);
    FpStatus want_status;
    want_status.raise(raised);
    const std::size_t stride = instruction.scalar0.size() > 1 ? 1 : 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t row = i / instruction.columns * stride;
        const std::uint32_t y =
            stage(spec.stage0, instruction.src0[i], instruction.scalar0[row], want_status);
        const bool tensor = spec.stage1.operand == StageOperand::TENSOR;
        const std::uint32_t z = stage(
            spec.stage1, y, tensor ? instruction.src1[i] : instruction.scalar1[row], want_status);
        FpStatus exact;
        want[i] = static_cast<std::uint32_t>(from_fp32(Dtype::FP32, z, {}, exact));
    }
    Words have(count, 0xA5A5A5A5U);
    ElementwiseArguments arguments;
    const auto bytes = static_cast<std::ptrdiff_t>(instruction.columns * 4);
    arguments.rows = instruction.rows;
    arguments.columns = instruction.columns;
    arguments.src0 = {reinterpret_cast<const std::uint8_t*>(instruction.src0.data()), bytes};
    arguments.src1 = {reinterpret_cast<const std::uint8_t*>(instruction.src1.data()), bytes};
    arguments.dst = {reinterpret_cast<std::uint8_t*>(have.data()), bytes};
    arguments.scalar0 = {instruction.scalar0.data(), stride};
    arguments.scalar1 = {instruction.scalar1.data(), stride};
    FpStatus status;
    status.raise(raised);
    ElementwiseKernel::select(spec, {}).run(arguments, status);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t row = i / instruction.columns * stride;
        ASSERT_EQ(have[i], want[i])
            << std::hex << instruction.src0[i] << " * " << instruction.scalar0[row] << ", then "
            << alu_op_row(spec.stage1.op).text << " " << instruction.scalar1[row] << " on "
            << kernel_instruction_set();
    }
    ASSERT_EQ(status.bits, want_status.bits)
        << std::hex << instruction.src0[0] << " * " << instruction.scalar0[0] << ", then "
        << alu_op_row(spec.stage1.op).text << " " << instruction.scalar1[0] << " on "
        << kernel_instruction_set();
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

/// The second stages: none, those that the window covers, and the others.
const StageSpec second_stages[] = {
    {AluOp::BYPASS, false, StageOperand::SCALAR},   {AluOp::ADD, false, StageOperand::SCALAR},
    {AluOp::SUBTRACT, false, StageOperand::SCALAR}, {AluOp::SUBTRACT, true, StageOperand::SCALAR},
    {AluOp::MULT, false, StageOperand::SCALAR},     {AluOp::MAX, false, StageOperand::SCALAR},
    {AluOp::MIN, true, StageOperand::SCALAR},       {AluOp::ADD, false, StageOperand::TENSOR},
    {AluOp::SUBTRACT, true, StageOperand::TENSOR},  {AluOp::MULT, false, StageOperand::TENSOR}};

/// Flags raised before: with inexact the tiles run at once; with underflow missing or not.
const std::uint8_t presets[] = {FpStatus::INEXACT, FpStatus::INEXACT | FpStatus::UNDERFLOW_, 0,
                                0x1F};

/// One odd factor among ordinary ones, so that only the window can find it.
TEST(FactorWindow, ASingleFactorAtTheEdgeOfEveryScalar) {
    for_each_instruction_set([] {
        Random random(91);
        for (const StageSpec& second : second_stages) {
            for (const std::uint32_t scalar : scalar_kinds()) {
                for (int trial = 0; trial < 24; ++trial) {
                    Instruction one;
                    one.spec.stage0 = {AluOp::MULT, random.below(2) == 0, StageOperand::SCALAR};
                    one.spec.stage1 = second;
                    const std::size_t sizes[] = {1, 5, 16, 37, 64};
                    one.columns = sizes[random.below(5)];
                    // Ordinary: products near one where the scalar allows it.
                    const int exponent = static_cast<int>(scalar >> 23 & 0xFF);
                    const auto usual =
                        static_cast<std::uint32_t>(std::clamp(254 - exponent, 1, 253));
                    for (std::size_t i = 0; i < one.columns; ++i) {
                        one.src0.push_back(usual << 23 | (random.word() & 0x807FFFFFU));
                        one.src1.push_back(0x3F800000U | (random.word() & 0x807FFFFFU));
                    }
                    const std::size_t odd = random.below(one.columns);
                    one.src0[odd] = factor(scalar, random);
                    if (random.below(3) == 0) {
                        one.src1[odd] = addend_kinds()[random.below(addend_kinds().size())];
                    }
                    one.scalar0 = {scalar};
                    one.scalar1 = {addend_kinds()[random.below(addend_kinds().size())]};
                    check(one, presets[trial % 4]);
                    if (HasFatalFailure()) {
                        return;
                    }
                }
            }
        }
    });
}

/// Rows of one tile with scalars that mix every kind: the window is that of all of them.
TEST(FactorWindow, ScalarsOfEachRow) {
    for_each_instruction_set([] {
        Random random(92);
        for (int trial = 0; trial < 4000; ++trial) {
            Instruction some;
            some.spec.stage0 = {AluOp::MULT, random.below(2) == 0, StageOperand::SCALAR};
            some.spec.stage1 = second_stages[random.below(std::size(second_stages))];
            some.rows = 2 + random.below(4);
            some.columns = 1 + random.below(40);
            const bool mild = random.below(3) != 0;  // finite scalars that leave a window
            for (std::size_t r = 0; r < some.rows; ++r) {
                const std::uint32_t kind = scalar_kinds()[random.below(scalar_kinds().size())];
                some.scalar0.push_back(mild ? (random.word() & 0x807FFFFFU) |
                                                  (0x60U + random.word() % 0x40U) << 23
                                            : kind);
                some.scalar1.push_back(addend_kinds()[random.below(addend_kinds().size())]);
            }
            for (std::size_t i = 0; i < some.rows * some.columns; ++i) {
                const std::uint32_t scalar = some.scalar0[i / some.columns];
                const std::uint32_t of_other = some.scalar0[random.below(some.rows)];
                const std::uint32_t ordinary = 0x3F800000U | (random.word() & 0x807FFFFFU);
                const bool edge = random.below(8) == 0;
                some.src0.push_back(edge ? factor(random.below(2) == 0 ? scalar : of_other, random)
                                         : ordinary);
                some.src1.push_back(ordinary);
            }
            check(some, presets[trial % 4]);
            if (HasFatalFailure()) {
                return;
            }
        }
    });
}

/// Every product next to 2^-126, 2^126 and the overflow limit, with addends around FLT_MAX.
TEST(FactorWindow, SumsAtTheOverflowLimit) {
    for_each_instruction_set([] {
        for (const StageSpec& second : second_stages) {
            if (second.operand == StageOperand::TENSOR) {
                continue;
            }
            for (const std::uint32_t scalar : {0x3F800000U, 0xBF800000U, 0x3FFFFFFFU, 0x40000000U,
                                               0x3E800000U, 0x5F000000U, 0x20800000U}) {
                for (const std::uint32_t addend : addend_kinds()) {
                    Instruction row;
                    row.spec.stage0.op = AluOp::MULT;
                    row.spec.stage1 = second;
                    const int exponent = static_cast<int>(scalar >> 23 & 0xFF);
                    for (const int product : {1, 2, 251, 252, 253, 254, 255}) {
                        const int field = std::clamp(product - exponent + 127, 0, 254);
                        const std::uint32_t base = static_cast<std::uint32_t>(field) << 23;
                        for (const std::uint32_t offset : {0U, 1U, 0x7FFFFFU}) {
                            // Each factor alone, so that its own status shows.
                            row.src0.assign(3, base + offset);
                            row.columns = 3;
                            row.scalar0 = {scalar};
                            row.scalar1 = {addend};
                            for (const std::uint8_t raised : presets) {
                                check(row, raised);
                            }
                            if (HasFatalFailure()) {
                                return;
                            }
                        }
                    }
                }
            }
        }
    });
}

}  // namespace
}  // namespace dve
