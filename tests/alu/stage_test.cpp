// Public span functions: stages in place, conversions of every pattern, strided moves.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "models/alu/evaluate.h"
#include "models/alu/kernel_table.h"
#include "models/alu/kernels.h"
#include "tests/alu/samples.h"

namespace dve {
namespace {

using test::any_pattern;
using test::Random;
using Words = std::vector<std::uint32_t>;

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

TEST(Stage, OutMayBeEitherOperand) {
    for_each_instruction_set([] {
        Random random(51);
        for (const AluOpRow& row : alu_op_rows()) {
            if (static_cast<unsigned>(row.op) >= 0xC4 ||
                !(row.in(ARITH) || row.in(GENERAL_ARITH))) {
                continue;
            }
            for (int i = 0; i < 60; ++i) {
                StageSpec spec{row.op, random.below(2) == 0, StageOperand::SCALAR};
                spec.operand = i % 3 == 0 ? StageOperand::SCALAR : StageOperand::TENSOR;
                const std::size_t count = 1 + random.below(1200);
                Words left(count);
                Words right(count);
                Words want(count);
                for (std::size_t k = 0; k < count; ++k) {
                    left[k] = any_pattern(random);
                    right[k] = any_pattern(random);
                }
                FpStatus want_status;
                const bool swap = spec.reversed && row.op != AluOp::BYPASS;
                for (std::size_t k = 0; k < count; ++k) {
                    const std::uint32_t b = right[spec.operand == StageOperand::TENSOR ? k : 0];
                    want[k] = swap ? evaluate_fp32(row.op, b, left[k], {}, want_status)
                                   : evaluate_fp32(row.op, left[k], b, {}, want_status);
                }
                FpStatus status;
                Words other(count);
                Words& out = i % 3 == 2 ? right : i % 2 == 0 ? left : other;
                stage(spec, {})(left.data(), right.data(), out.data(), count, {}, status);
                ASSERT_EQ(out, want) << row.text << " " << kernel_instruction_set();
                ASSERT_EQ(status.bits, want_status.bits) << row.text;
            }
        }
    });
}

TEST(Stage, ConversionsInOfEveryPattern) {
    for_each_instruction_set([] {
        for (const DtypeRow& row : dtype_rows()) {
            if ((!row.is_float() && !row.is_integer()) || (row.bits != 8 && row.bits != 16)) {
                continue;
            }
            for (const bool fn : {false, true}) {
                NumberModel model;
                model.fp8_exp4_fn = fn;
                const std::size_t count = std::size_t{1} << row.bits;
                std::vector<std::uint8_t> raw(count * row.bytes());
                for (std::size_t i = 0; i < count; ++i) {
                    std::memcpy(&raw[i * row.bytes()], &i, row.bytes());
                }
                Words have(count);
                FpStatus status;
                convert_in(row.dtype, model)(raw.data(), have.data(), count, model, status);
                for (std::size_t i = 0; i < count; ++i) {
                    ASSERT_EQ(have[i], to_fp32(row.dtype, i, model, status))
                        << row.name << " " << i;
                }
                ASSERT_EQ(status.bits, 0);
            }
        }
    });
}

TEST(Stage, ConversionsOutOfStridedPatterns) {
    for_each_instruction_set([] {
        Words samples = test::edge_patterns();
        for (std::uint64_t bits = 0; bits < 0x100000000; bits += 19991) {
            samples.push_back(static_cast<std::uint32_t>(bits));
        }
        for (const DtypeRow& row : dtype_rows()) {
            if ((!row.is_float() && !row.is_integer()) || row.bits < 8 || row.bits > 32) {
                continue;
            }
            for (unsigned choice = 0; choice < 4; ++choice) {
                NumberModel model;
                model.fp8_exp4_fn = (choice & 1) != 0;
                model.saturate_narrowing = (choice & 2) != 0;
                model.fp_to_int_nearest = (choice & 1) != 0;
                model.nan_to_int_max = (choice & 2) != 0;
                std::vector<std::uint8_t> have(samples.size() * row.bytes());
                FpStatus status;
                convert_out(row.dtype, model)(samples.data(), have.data(), samples.size(), model,
                                              status);
                FpStatus want_status;
                for (std::size_t i = 0; i < samples.size(); ++i) {
                    std::uint64_t result = 0;
                    std::memcpy(&result, &have[i * row.bytes()], row.bytes());
                    ASSERT_EQ(result, from_fp32(row.dtype, samples[i], model, want_status))
                        << row.name << std::hex << " " << samples[i];
                }
                ASSERT_EQ(status.bits, want_status.bits) << row.name;
            }
        }
    });
}

TEST(Stage, ConversionStatusOfSingleValues) {
    for_each_instruction_set([] {
        Random random(52);
        for (const DtypeRow& row : dtype_rows()) {
            if ((!row.is_float() && !row.is_integer()) || row.bits < 8 || row.bits > 32) {
                continue;
            }
            const NumberModel model;
            for (int i = 0; i < 4000; ++i) {
                const std::uint32_t fp32 =
                    i % 2 == 0 ? any_pattern(random) : (random.word() & 0x9FFFFFFFU) + 0x30000000U;
                std::uint64_t result = 0;
                FpStatus status;
                convert_out(row.dtype, model)(&fp32, reinterpret_cast<std::uint8_t*>(&result), 1,
                                              model, status);
                FpStatus want;
                ASSERT_EQ(result, from_fp32(row.dtype, fp32, model, want));
                ASSERT_EQ(status.bits, want.bits) << row.name << std::hex << " " << fp32;
            }
        }
    });
}

TEST(Stage, GatherAndScatterWalkAnyStep) {
    std::vector<std::uint8_t> memory(4096);
    for (std::size_t i = 0; i < memory.size(); ++i) {
        memory[i] = static_cast<std::uint8_t>(i * 7 + i / 256);
    }
    for (const unsigned bytes : {1U, 2U, 4U, 8U}) {
        for (const int elements : {-3, -1, 0, 1, 2, 5}) {
            const std::ptrdiff_t step = elements * static_cast<std::ptrdiff_t>(bytes);
            std::vector<std::uint8_t> block(50 * bytes);
            gather(&memory[2048], step, block.data(), 50, bytes);
            std::vector<std::uint8_t> copy(4096);
            scatter(block.data(), &copy[2048], step, 50, bytes);
            for (std::ptrdiff_t i = 0; i < 50; ++i) {
                ASSERT_EQ(0,
                          std::memcmp(&block[static_cast<std::size_t>(i) * bytes],
                                      &memory[static_cast<std::size_t>(2048 + i * step)], bytes));
                // Written in order: with step 0 the last element stays.
                const std::ptrdiff_t seen = step == 0 ? 49 : i;
                ASSERT_EQ(0, std::memcmp(&block[static_cast<std::size_t>(seen) * bytes],
                                         &copy[static_cast<std::size_t>(2048 + i * step)], bytes));
            }
        }
    }
}

TEST(Stage, InstructionSetHasAName) {
    EXPECT_STREQ(kernel_instruction_set(), kernel_table().instruction_set);
}

}  // namespace
}  // namespace dve
