// Scans against a plain restatement of decisions 1 and the published vectors, in every instruction
// set, with the status of every combine.
#include "models/alu/scan.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "models/alu/evaluate.h"
#include "models/alu/kernel_table.h"
#include "tests/alu/samples.h"

namespace dve {
namespace {

using test::any_pattern;
using test::bits_of;
using test::Random;
using Words = std::vector<std::uint32_t>;

Words words_of(const std::vector<float>& values) {
    Words result;
    for (const float value : values) {
        result.push_back(bits_of(value));
    }
    return result;
}

Rows rows_of(Words& words, std::size_t columns) {
    return {reinterpret_cast<std::uint8_t*>(words.data()),
            static_cast<std::ptrdiff_t>(columns * 4)};
}

ConstRows const_rows_of(const Words& words, std::size_t columns) {
    return {reinterpret_cast<const std::uint8_t*>(words.data()),
            static_cast<std::ptrdiff_t>(columns * 4)};
}

const StageSpec mult{AluOp::MULT, false, StageOperand::TENSOR};
const StageSpec add{AluOp::ADD, false, StageOperand::TENSOR};
const StageSpec subtract{AluOp::SUBTRACT, false, StageOperand::TENSOR};
const StageSpec from{AluOp::SUBTRACT, true, StageOperand::TENSOR};
const StageSpec max{AluOp::MAX, false, StageOperand::TENSOR};
const StageSpec min{AluOp::MIN, false, StageOperand::TENSOR};

Words carried(const StageSpec& op0, const StageSpec& op1, ScanOrder order, const Words& src0,
              const Words& src1, float initial) {
    Words out(src0.size());
    const std::uint32_t state = bits_of(initial);
    FpStatus status;
    carried_scan(op0, op1, order, const_rows_of(src0, 0), const_rows_of(src1, 0), rows_of(out, 0),
                 1, src0.size(), {&state, 0}, {}, status);
    return out;
}

TEST(Scan, PublishedVectors) {
    const ScanOrder order = ScanOrder::SEQUENTIAL;
    // D1
    EXPECT_EQ(carried(mult, add, order, words_of({.5F, .5F, .5F, .5F}), words_of({1, 2, 3, 4}), 8),
              words_of({5, 4.5F, 5.25F, 6.625F}));
    // D2
    const Words data = words_of({3, 1, 4, 1, 5});
    const Words zeros(5, 0);
    EXPECT_EQ(carried(subtract, max, order, data, zeros, 2), words_of({1, 0, 4, 0, 5}));
    EXPECT_EQ(carried(from, max, order, data, zeros, 2), words_of({0, 0, 0, 0, 0}));
    // D3
    const Words ones = words_of({1, 1, 1});
    const Words fives = words_of({5, 5, 5});
    EXPECT_EQ(carried(mult, subtract, order, ones, fives, 1), words_of({-4, -9, -14}));
    EXPECT_EQ(carried(mult, from, order, ones, fives, 1), words_of({4, 1, 4}));
    EXPECT_EQ(carried(mult, subtract, ScanOrder::ROTATE_COMBINE, ones, fives, 1),
              words_of({-4, -9, -14}));
    // D4: the state stays FP32; BF16 appears only on output.
    Words sums(300, bits_of(1));
    FpStatus status;
    prefix_scan(AluOp::ADD, ScanOrder::ROTATE_COMBINE, rows_of(sums, 300), 1, 300, {}, status);
    for (std::size_t i = 0; i < 300; ++i) {
        ASSERT_EQ(sums[i], bits_of(static_cast<float>(i + 1)));
    }
    EXPECT_EQ(from_fp32(Dtype::BF16, sums[255], {}, status), bits_of(256) >> 16);
    EXPECT_EQ(from_fp32(Dtype::BF16, sums[257], {}, status), bits_of(258) >> 16);
    EXPECT_EQ(from_fp32(Dtype::BF16, sums[299], {}, status), bits_of(300) >> 16);
}

TEST(Scan, AccumulateTakesTheElementOnTheLeft) {
    const Words x = words_of({1, 2, 3});  // D5
    Words out(3);
    std::uint32_t accumulator = 0;
    const Rows emit = rows_of(out, 3);
    FpStatus status;
    accumulate(AluOp::SUBTRACT, const_rows_of(x, 3), 1, 3, &accumulator, &emit, {}, status);
    EXPECT_EQ(out, words_of({1, 1, 2}));
    EXPECT_EQ(accumulator, bits_of(2));
}

TEST(Scan, OnlyTheListedPairsCompose) {
    const StageSpec all[] = {mult, add, subtract, from, max, min};
    std::size_t count = 0;
    for (const StageSpec& op0 : all) {
        for (const StageSpec& op1 : all) {
            count += carried_scan_composes(op0, op1) ? 1 : 0;
        }
    }
    EXPECT_EQ(count, 8U);
    EXPECT_TRUE(carried_scan_composes({AluOp::MULT, true}, {AluOp::ADD, true}));
    EXPECT_FALSE(carried_scan_composes(mult, from));
    EXPECT_FALSE(carried_scan_composes(subtract, add));
}

/// Decisions 1 word for word, one row, one operation at a time.
class Reference {
public:
    Reference(const NumberModel& model, FpStatus& status) : model_(model), status_(status) {}

    std::uint32_t operate(AluOp op, std::uint32_t a, std::uint32_t b) {
        return evaluate_fp32(op, a, b, model_, status_);
    }
    std::uint32_t operate(const StageSpec& spec, std::uint32_t a, std::uint32_t b) {
        return spec.reversed && spec.op != AluOp::BYPASS ? operate(spec.op, b, a)
                                                         : operate(spec.op, a, b);
    }

    void prefix(AluOp op, bool network, std::uint32_t* x, std::size_t columns) {
        if (!network) {
            for (std::size_t i = 1; i < columns; ++i) {
                x[i] = operate(op, x[i - 1], x[i]);
            }
            return;
        }
        for (std::size_t start = 0; start < columns; start += 16) {
            const std::size_t lanes = std::min<std::size_t>(16, columns - start);
            for (std::size_t stride = 1; stride < 16; stride *= 2) {
                const Words old(x + start, x + start + lanes);
                for (std::size_t i = stride; i < lanes; ++i) {
                    x[start + i] = operate(op, old[i - stride], old[i]);
                }
            }
            for (std::size_t i = 0; start != 0 && i < lanes; ++i) {
                x[start + i] = operate(op, x[start - 1], x[start + i]);
            }
        }
    }

    void carried(const StageSpec& op0, const StageSpec& op1, bool network, const std::uint32_t* x,
                 const std::uint32_t* t, std::uint32_t* out, std::size_t columns, std::uint32_t s) {
        if (!network) {
            for (std::size_t i = 0; i < columns; ++i) {
                s = operate(op1, operate(op0, x[i], s), t[i]);
                out[i] = s;
            }
            return;
        }
        for (std::size_t start = 0; start < columns; start += 16) {
            const std::size_t lanes = std::min<std::size_t>(16, columns - start);
            std::vector<Pair> maps;
            for (std::size_t i = 0; i < lanes; ++i) {
                maps.push_back(element(op0.op, op1.op, x[start + i], t[start + i]));
            }
            for (std::size_t stride = 1; stride < 16; stride *= 2) {
                const std::vector<Pair> old = maps;
                for (std::size_t i = stride; i < lanes; ++i) {
                    maps[i] = compose(op0.op, op1.op, old[i - stride], old[i]);
                }
            }
            for (std::size_t i = 0; i < lanes; ++i) {
                out[start + i] = apply(op0.op, op1.op, maps[i], s);
            }
            s = out[start + lanes - 1];
        }
    }

private:
    struct Pair {
        std::uint32_t a;
        std::uint32_t b;
    };

    Pair element(AluOp op0, AluOp op1, std::uint32_t x, std::uint32_t t) {
        if (op0 == op1) {
            return {0, operate(op0, x, t)};
        }
        return {x, op1 == AluOp::SUBTRACT ? t ^ 0x80000000U : t};
    }
    Pair compose(AluOp op0, AluOp op1, Pair one, Pair two) {
        if (op0 == op1) {
            return {0, operate(op0, one.b, two.b)};
        }
        if (op0 == AluOp::MULT) {
            return {operate(AluOp::MULT, two.a, one.a),
                    operate(AluOp::ADD, operate(AluOp::MULT, two.a, one.b), two.b)};
        }
        return {operate(op0, one.a, two.a), operate(op1, operate(op0, one.b, two.a), two.b)};
    }
    std::uint32_t apply(AluOp op0, AluOp op1, Pair map, std::uint32_t s) {
        if (op0 == op1) {
            return operate(op0, s, map.b);
        }
        if (op0 == AluOp::MULT) {
            return operate(AluOp::ADD, operate(AluOp::MULT, map.a, s), map.b);
        }
        return operate(op1, operate(op0, s, map.a), map.b);
    }

    const NumberModel& model_;
    FpStatus& status_;
};

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

Words random_words(std::size_t count, int kind, Random& random) {
    Words result;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t ordinary = (random.word() & 0x80FFFFFFU) | 0x3F000000U;
        const bool rare = kind == 1 && random.below(100) == 0;
        result.push_back(kind == 2 || rare ? any_pattern(random) : ordinary);
    }
    return result;
}

NumberModel random_model(Random& random) {
    NumberModel model;
    if (random.below(4) == 0) {
        model.rounding = static_cast<Rounding>(random.below(4));
        model.flush_subnormals = random.below(2) == 0;
        model.minmax_propagates_nan = random.below(2) == 0;
    }
    return model;
}

const std::size_t column_sizes[] = {1, 2, 15, 16, 17, 31, 48, 100, 300};
const std::size_t row_sizes[] = {1, 3, 8, 16, 17, 130};
const std::uint8_t status_presets[] = {0, FpStatus::INEXACT, 0x1F};

TEST(Scan, PrefixFollowsTheNetwork) {
    for_each_instruction_set([] {
        Random random(41);
        for (const AluOp op : {AluOp::ADD, AluOp::MULT, AluOp::MAX, AluOp::MIN,
                               AluOp::ABSOLUTE_DIFF, AluOp::SUBTRACT, AluOp::IS_GT}) {
            for (int i = 0; i < 120; ++i) {
                const std::size_t columns = column_sizes[random.below(9)];
                const std::size_t rows = row_sizes[random.below(i < 100 ? 5 : 6)];
                const bool network = random.below(2) == 0;
                const NumberModel model = random_model(random);
                Words have = random_words(rows * columns, i % 3, random);
                Words want = have;
                FpStatus status;
                status.raise(status_presets[random.below(3)]);
                FpStatus want_status = status;
                Reference reference(model, want_status);
                for (std::size_t r = 0; r < rows; ++r) {
                    reference.prefix(op, network, &want[r * columns], columns);
                }
                prefix_scan(op, network ? ScanOrder::ROTATE_COMBINE : ScanOrder::SEQUENTIAL,
                            rows_of(have, columns), rows, columns, model, status);
                ASSERT_EQ(have, want) << alu_op_row(op).text << " " << rows << " x " << columns
                                      << " " << network << " " << kernel_instruction_set();
                ASSERT_EQ(status.bits, want_status.bits) << alu_op_row(op).text;
            }
        }
    });
}

TEST(Scan, CarriedFollowsTheMaps) {
    for_each_instruction_set([] {
        Random random(42);
        const StageSpec stages[] = {
            mult, add, subtract, from, max, min, {AluOp::BYPASS, true}, {AluOp::IS_GT, true}};
        for (const StageSpec& op0 : stages) {
            for (const StageSpec& op1 : stages) {
                for (int i = 0; i < 24; ++i) {
                    const std::size_t columns = column_sizes[random.below(9)];
                    const std::size_t rows = row_sizes[random.below(5)];
                    const bool network = random.below(2) == 0;
                    const NumberModel model = random_model(random);
                    Words src0 = random_words(rows * columns, i % 3, random);
                    Words src1 = random_words(rows * columns, i % 3, random);
                    const Words initial = random_words(rows, i % 3, random);
                    Words want(rows * columns);
                    FpStatus status;
                    status.raise(status_presets[random.below(3)]);
                    FpStatus want_status = status;
                    Reference reference(model, want_status);
                    const bool composes = carried_scan_composes(op0, op1);
                    for (std::size_t r = 0; r < rows; ++r) {
                        reference.carried(op0, op1, network && composes, &src0[r * columns],
                                          &src1[r * columns], &want[r * columns], columns,
                                          initial[r]);
                    }
                    Words have(rows * columns);
                    Words& out = i % 2 == 0 ? have : i % 4 == 1 ? src0 : src1;
                    const bool as_asked = carried_scan(
                        op0, op1, network ? ScanOrder::ROTATE_COMBINE : ScanOrder::SEQUENTIAL,
                        const_rows_of(src0, columns), const_rows_of(src1, columns),
                        rows_of(out, columns), rows, columns, {initial.data(), 1}, model, status);
                    ASSERT_EQ(as_asked, !network || composes);
                    ASSERT_EQ(out, want)
                        << alu_op_row(op0.op).text << " " << alu_op_row(op1.op).text << " " << rows
                        << " x " << columns << " " << network << " " << kernel_instruction_set();
                    ASSERT_EQ(status.bits, want_status.bits)
                        << alu_op_row(op0.op).text << " " << alu_op_row(op1.op).text;
                }
            }
        }
    });
}

TEST(Scan, AccumulateRunsInElementOrder) {
    for_each_instruction_set([] {
        Random random(43);
        for (const AluOp op :
             {AluOp::ADD, AluOp::SUBTRACT, AluOp::MULT, AluOp::MAX, AluOp::MIN, AluOp::ABS_MAX}) {
            for (int i = 0; i < 90; ++i) {
                const std::size_t columns = column_sizes[random.below(9)];
                const std::size_t rows = row_sizes[random.below(6)];
                const NumberModel model = random_model(random);
                const Words x = random_words(rows * columns, i % 3, random);
                Words have = random_words(rows, i % 3, random);
                Words want = have;
                Words emitted(rows * columns);
                Words want_emitted(rows * columns);
                FpStatus status;
                status.raise(status_presets[random.below(3)]);
                FpStatus want_status = status;
                for (std::size_t r = 0; r < rows; ++r) {
                    for (std::size_t c = 0; c < columns; ++c) {
                        want[r] =
                            evaluate_fp32(op, x[r * columns + c], want[r], model, want_status);
                        want_emitted[r * columns + c] = want[r];
                    }
                }
                const Rows emit = rows_of(emitted, columns);
                accumulate(op, const_rows_of(x, columns), rows, columns, have.data(),
                           i % 2 == 0 ? &emit : nullptr, model, status);
                ASSERT_EQ(have, want) << alu_op_row(op).text << " " << kernel_instruction_set();
                if (i % 2 == 0) {
                    ASSERT_EQ(emitted, want_emitted) << alu_op_row(op).text;
                }
                ASSERT_EQ(status.bits, want_status.bits) << alu_op_row(op).text;
            }
        }
    });
}

TEST(Scan, PassesMakeTheNetwork) {
    Random random(44);
    Words window = random_words(16, 1, random);
    Words whole = window;
    FpStatus status;
    prefix_scan(AluOp::ADD, ScanOrder::ROTATE_COMBINE, rows_of(whole, 16), 1, 16, {}, status);
    for (unsigned stride = 1; stride < 16; stride *= 2) {
        Words after(16);
        for (unsigned i = 0; i < 16; ++i) {
            after[i] = i < stride
                           ? window[i]
                           : evaluate_fp32(AluOp::ADD, window[i - stride], window[i], {}, status);
        }
        window = after;
    }
    EXPECT_EQ(window, whole);
}

}  // namespace
}  // namespace dve
