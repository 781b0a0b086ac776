// Bitvec stages against 64-bit arithmetic, a textbook CRC-32, and the vector form.
#include <gtest/gtest.h>

#include <cstring>

#include "models/alu/evaluate.h"
#include "models/alu/kernel_table.h"
#include "models/alu/kernels.h"
#include "tests/alu/samples.h"

namespace dve {
namespace {

using test::Random;

std::int64_t signed_value(std::uint32_t value, unsigned bits) {
    const std::int64_t top = std::int64_t{1} << (bits - 1);
    return (static_cast<std::int64_t>(value) ^ top) - top;
}

std::uint32_t expected(AluOp op, std::uint32_t left, std::uint32_t right, unsigned bits,
                       bool modulo) {
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    const std::uint32_t count = modulo ? right % bits : right;
    std::uint64_t result = 0;
    switch (op) {
        case AluOp::BYPASS: result = left; break;
        case AluOp::BITWISE_NOT: result = ~std::uint64_t{left}; break;
        case AluOp::BITWISE_AND: result = left & right; break;
        case AluOp::BITWISE_OR: result = left | right; break;
        case AluOp::BITWISE_XOR: result = left ^ right; break;
        case AluOp::ARITH_SHIFT_LEFT:
        case AluOp::LOGICAL_SHIFT_LEFT:
            result = count >= bits ? 0 : std::uint64_t{left} << count;
            break;
        case AluOp::LOGICAL_SHIFT_RIGHT: result = count >= bits ? 0 : left >> count; break;
        case AluOp::ARITH_SHIFT_RIGHT: {
            // Division by a power of two, rounded down.
            const std::int64_t value = signed_value(left, bits);
            const std::int64_t divisor = std::int64_t{1} << (count > 40 ? 40 : count);
            std::int64_t quotient = value / divisor;
            if (value % divisor < 0) {
                --quotient;
            }
            result = static_cast<std::uint64_t>(quotient);
            break;
        }
        default: ADD_FAILURE();
    }
    return static_cast<std::uint32_t>(result & mask);
}

const AluOp simple[] = {AluOp::BYPASS,
                        AluOp::BITWISE_NOT,
                        AluOp::BITWISE_AND,
                        AluOp::BITWISE_OR,
                        AluOp::BITWISE_XOR,
                        AluOp::ARITH_SHIFT_LEFT,
                        AluOp::ARITH_SHIFT_RIGHT,
                        AluOp::LOGICAL_SHIFT_LEFT,
                        AluOp::LOGICAL_SHIFT_RIGHT};

TEST(Bitvec, EveryPairOfBytes) {
    for (const AluOp op : simple) {
        for (const bool modulo : {false, true}) {
            NumberModel model;
            model.shift_modulo = modulo;
            for (std::uint32_t left = 0; left < 256; ++left) {
                for (std::uint32_t right = 0; right < 256; ++right) {
                    ASSERT_EQ(evaluate_bitvec(op, left, right, 8, model),
                              expected(op, left, right, 8, modulo))
                        << alu_op_row(op).text << " " << left << " " << right;
                }
            }
        }
    }
}

TEST(Bitvec, WiderElements) {
    Random random(31);
    for (const unsigned bits : {16U, 32U}) {
        const std::uint32_t mask = bits == 32 ? 0xFFFFFFFF : 0xFFFF;
        for (const AluOp op : simple) {
            for (int i = 0; i < 4000; ++i) {
                const std::uint32_t left = random.word() & mask;
                const std::uint32_t right =
                    (i % 2 == 0 ? random.word() : random.word() % 70) & mask;
                NumberModel model;
                model.shift_modulo = i % 4 == 0;
                ASSERT_EQ(evaluate_bitvec(op, left, right, bits, model),
                          expected(op, left, right, bits, model.shift_modulo))
                    << alu_op_row(op).text << std::hex << " " << left << " " << right;
            }
        }
    }
}

TEST(Bitvec, Crc32OfTheCheckString) {
    // Register all ones, "12345678" as two little-endian words, then '9'; inverted at the end, the
    // check value of CRC-32 is CBF43926.
    std::uint32_t state = 0xFFFFFFFF;
    for (const char* part : {"1234", "5678"}) {
        std::uint32_t word = 0;
        std::memcpy(&word, part, 4);
        state = evaluate_bitvec(AluOp::CRC32, state, word, 32, {});
    }
    // One byte more by the table step, since a 32-bit stage always feeds four bytes.
    state ^= '9';
    for (int i = 0; i < 8; ++i) {
        state = state >> 1 ^ ((state & 1) != 0 ? 0xEDB88320U : 0U);
    }
    EXPECT_EQ(~state, 0xCBF43926U);
}

TEST(Bitvec, KernelsFollowTheDefinition) {
    KernelTable tables[3];
    const std::size_t count = available_kernel_tables(tables);
    const KernelTable before = kernel_table();
    for (std::size_t table = 0; table < count; ++table) {
        use_kernel_table(tables[table]);
        Random random(32);
        for (int i = 0; i < 3000; ++i) {
            const Dtype types[] = {Dtype::UINT8, Dtype::INT16, Dtype::INT32};
            std::vector<AluOp> operations(std::begin(simple), std::end(simple));
            operations.push_back(AluOp::CRC32);
            ElementwiseSpec spec;
            spec.bitvec = true;
            spec.in0 = spec.in1 = spec.out = types[random.below(3)];
            spec.stage0 = {operations[random.below(10)], random.below(2) == 0};
            spec.stage1 = {operations[random.below(10)], random.below(2) == 0};
            const std::size_t shape = random.below(3);
            spec.stage0.operand = shape == 1 ? StageOperand::TENSOR : StageOperand::SCALAR;
            spec.stage1.operand = shape == 2 ? StageOperand::TENSOR : StageOperand::SCALAR;
            NumberModel model;
            model.shift_modulo = random.below(4) == 0;
            model.crc32_polynomial = random.below(4) == 0 ? 0x82F63B78 : 0xEDB88320;
            const unsigned bytes = element_bytes(spec.in0);
            const std::size_t sizes[] = {1, 15, 16, 17, 300, 700};
            const std::size_t columns = sizes[random.below(6)];
            std::vector<std::uint8_t> src0(columns * bytes);
            std::vector<std::uint8_t> src1(columns * bytes);
            for (std::size_t k = 0; k < src0.size(); ++k) {
                src0[k] = static_cast<std::uint8_t>(random.word());
                src1[k] = static_cast<std::uint8_t>(random.below(3) == 0 ? random.word()
                                                                         : random.below(9));
            }
            const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << bytes * 8) - 1);
            const std::uint32_t scalar0 = random.word() % 40 & mask;
            const std::uint32_t scalar1 = random.word() & mask;
            std::vector<std::uint8_t> want(columns * bytes);
            for (std::size_t k = 0; k < columns; ++k) {
                std::uint32_t value = 0;
                std::uint32_t tensor = 0;
                std::memcpy(&value, &src0[k * bytes], bytes);
                std::memcpy(&tensor, &src1[k * bytes], bytes);
                const StageSpec* stages[] = {&spec.stage0, &spec.stage1};
                const std::uint32_t operands[] = {shape == 1 ? tensor : scalar0,
                                                  shape == 2 ? tensor : scalar1};
                for (int s = 0; s < 2; ++s) {
                    if (stages[s]->op == AluOp::BYPASS) {
                        continue;
                    }
                    value =
                        stages[s]->reversed
                            ? evaluate_bitvec(stages[s]->op, operands[s], value, bytes * 8, model)
                            : evaluate_bitvec(stages[s]->op, value, operands[s], bytes * 8, model);
                }
                std::memcpy(&want[k * bytes], &value, bytes);
            }
            ElementwiseArguments arguments;
            arguments.rows = 1;
            arguments.columns = columns;
            arguments.src0.data = src0.data();
            arguments.src1.data = src1.data();
            arguments.dst.data = src0.data();  // in place
            arguments.scalar0.values = &scalar0;
            arguments.scalar1.values = &scalar1;
            FpStatus status;
            ElementwiseKernel::select(spec, model).run(arguments, status);
            ASSERT_EQ(src0, want) << alu_op_row(spec.stage0.op).text << " "
                                  << alu_op_row(spec.stage1.op).text << " "
                                  << dtype_row(spec.in0).text << " " << kernel_instruction_set();
        }
    }
    use_kernel_table(before);
}

}  // namespace
}  // namespace dve
