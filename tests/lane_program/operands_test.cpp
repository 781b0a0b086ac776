// Resolution of patterns: walks, bounds, contiguity and injectivity against plain loops.
#include <gtest/gtest.h>

#include <set>

#include "tests/lane_program/operand_bench.h"

namespace dve::test {
namespace {

constexpr Dtype dtypes_by_size[] = {Dtype::UINT8, Dtype::BF16, Dtype::FP32};

Shape random_shape(std::mt19937& engine) {
    Shape shape;
    for (unsigned d = 0; d < 4; ++d) {
        shape.count[d] = static_cast<std::uint16_t>(between(engine, 1, d < 2 ? 6 : 3));
        shape.step[d] = static_cast<std::int16_t>(between(engine, -20, 20));
    }
    // Half of the shapes continue a dimension in the next one.
    if (between(engine, 0, 1) == 0) {
        const unsigned d = static_cast<unsigned>(between(engine, 0, 2));
        shape.step[d + 1] = static_cast<std::int16_t>(shape.step[d] * shape.count[d]);
    }
    return shape;
}

std::vector<std::int64_t> walk_of(const TensorOperand& operand) {
    std::vector<std::int64_t> bytes{0};
    for (unsigned d = 0; d < operand.dimensions; ++d) {
        const std::vector<std::int64_t> inner = bytes;
        bytes.clear();
        for (std::uint32_t i = 0; i < operand.walk[d].count; ++i) {
            for (const std::int64_t byte : inner) {
                bytes.push_back(byte + operand.walk[d].step * i);
            }
        }
    }
    return bytes;
}

bool touches_no_byte_twice(const std::vector<std::int64_t>& walk, unsigned element_bytes) {
    std::set<std::int64_t> seen;
    for (const std::int64_t start : walk) {
        for (unsigned b = 0; b < element_bytes; ++b) {
            if (!seen.insert(start + b).second) {
                return false;
            }
        }
    }
    return true;
}

TEST(Operands, RandomWalksKeepOrderAndBounds) {
    OperandBench bench(Generation::MARIANA);
    std::mt19937 engine(1);
    unsigned merged = 0;
    for (unsigned round = 0; round < 4000; ++round) {
        const Dtype dtype = dtypes_by_size[round % 3];
        const unsigned size = 1U << round % 3;
        const Shape shape = random_shape(engine);
        bench.put(0x10000, shape);
        ASSERT_FALSE(bench.resolve(dtype, 128, false));
        const TensorOperand& operand = bench.operand;
        const std::vector<std::int64_t> expected = walk_bytes(shape, size);
        const auto [low, high] = walk_reach(expected);
        ASSERT_EQ(walk_of(operand), expected);
        ASSERT_EQ(operand.low, 0x10000 + low);
        ASSERT_EQ(operand.high, 0x10000 + high + size);
        ASSERT_EQ(operand.byte, 0x10000U);
        ASSERT_EQ(operand.element_bytes, size);

        unsigned counted = 0;
        for (unsigned d = 0; d < 4; ++d) {
            counted += shape.count[d] > 1 ? 1 : 0;
        }
        ASSERT_LE(operand.dimensions, counted);
        merged += operand.dimensions < counted ? 1 : 0;
        for (unsigned d = 0; d < operand.dimensions; ++d) {
            ASSERT_GT(operand.walk[d].count, 1U);
        }
    }
    EXPECT_GT(merged, 500U);
}

TEST(Operands, ContiguousMeansOneElementBehindTheOther) {
    OperandBench bench(Generation::CAYMAN);
    std::mt19937 engine(2);
    unsigned contiguous = 0;
    for (unsigned round = 0; round < 4000; ++round) {
        const unsigned size = 1U << round % 3;
        Shape shape = random_shape(engine);
        if (round % 2 == 0) {
            shape.step[0] = 1;
            for (unsigned d = 1; d < 4; ++d) {
                shape.step[d] = static_cast<std::int16_t>(shape.step[d - 1] * shape.count[d - 1]);
            }
        }
        bench.put(0x8000, shape);
        ASSERT_FALSE(bench.resolve(dtypes_by_size[round % 3], 32, false));
        const std::vector<std::int64_t> walk = walk_bytes(shape, size);
        bool expected = true;
        for (std::size_t i = 0; i < walk.size(); ++i) {
            expected &= walk[i] == static_cast<std::int64_t>(i * size);
        }
        ASSERT_EQ(bench.operand.contiguous(), expected);
        contiguous += expected ? 1 : 0;

        bool inner = true;  // the first dimension with a count above one
        for (unsigned d = 0; d < 4; ++d) {
            if (shape.count[d] > 1) {
                inner = shape.step[d] == 1;
                break;
            }
        }
        ASSERT_EQ(bench.operand.inner_contiguous(), inner);
    }
    EXPECT_GT(contiguous, 1000U);
}

TEST(Operands, InjectiveIsNeverClaimedWrongly) {
    OperandBench bench(Generation::MARIANA);
    std::mt19937 engine(3);
    unsigned claimed = 0;
    unsigned repeated = 0;
    for (unsigned round = 0; round < 4000; ++round) {
        const unsigned size = 1U << round % 3;
        const Shape shape = random_shape(engine);
        bench.put(0x10000, shape);
        ASSERT_FALSE(bench.resolve(dtypes_by_size[round % 3], 1, true));
        const bool truth = touches_no_byte_twice(walk_bytes(shape, size), size);
        if (bench.operand.injective()) {
            ASSERT_TRUE(truth);
            ++claimed;
        }
        repeated += truth ? 0 : 1;
    }
    EXPECT_GT(claimed, 300U);
    EXPECT_GT(repeated, 300U);
}

TEST(Operands, InjectiveHoldsForNestedSteps) {
    OperandBench bench(Generation::MARIANA);
    const auto injective = [&](Shape shape) {
        bench.put(0x10000, shape);
        EXPECT_FALSE(bench.resolve(Dtype::FP32, 1, true));
        return bench.operand.injective();
    };
    EXPECT_TRUE(injective(row_of(1)));
    EXPECT_TRUE(injective(row_of(100, 1)));
    EXPECT_TRUE(injective(row_of(100, -3)));
    EXPECT_FALSE(injective(row_of(2, 0)));
    EXPECT_TRUE(injective({{4, 3, 2, 1}, {1, 4, 12, 1}}));
    EXPECT_TRUE(injective({{3, 4, 1, 1}, {4, 1, 1, 1}}));     // transposed order
    EXPECT_TRUE(injective({{3, 4, 5, 1}, {-20, 5, -1, 1}}));  // nested, mixed signs
    EXPECT_FALSE(injective({{4, 3, 1, 1}, {1, 3, 1, 1}}));    // rows overlap by one
    EXPECT_FALSE(injective({{4, 3, 1, 1}, {1, 0, 1, 1}}));    // broadcast row
}

TEST(Operands, SameWalkNeedsEveryPart) {
    OperandBench bench(Generation::MARIANA);
    const auto resolved = [&](std::uint32_t address, Dtype dtype, Shape shape) {
        bench.put(address, shape);
        EXPECT_FALSE(bench.resolve(dtype, 32, false));
        return bench.operand;
    };
    const TensorOperand base = resolved(0x1000, Dtype::FP32, {{4, 3, 1, 1}, {2, 16, 1, 1}});
    EXPECT_TRUE(base.same_walk(resolved(0x1000, Dtype::INT32, {{4, 1, 3, 1}, {2, 9, 16, 1}})));
    EXPECT_FALSE(base.same_walk(resolved(0x1004, Dtype::FP32, {{4, 3, 1, 1}, {2, 16, 1, 1}})));
    EXPECT_FALSE(base.same_walk(resolved(0x1000, Dtype::BF16, {{4, 3, 1, 1}, {4, 32, 1, 1}})));
    EXPECT_FALSE(base.same_walk(resolved(0x1000, Dtype::FP32, {{4, 3, 1, 1}, {2, 17, 1, 1}})));
    EXPECT_FALSE(base.same_walk(resolved(0x1000, Dtype::FP32, {{3, 4, 1, 1}, {2, 16, 1, 1}})));
    EXPECT_FALSE(base.same_walk(
        resolved(0x1000 + 32 * 0x40000, Dtype::FP32, {{4, 3, 1, 1}, {2, 16, 1, 1}})));
    EXPECT_FALSE(base.same_walk(
        resolved(spec_psum_base + 0x1000, Dtype::FP32, {{4, 3, 1, 1}, {2, 16, 1, 1}})));
}

TEST(Operands, WalksMayTouchButNotLeaveThePartition) {
    std::mt19937 engine(4);
    unsigned below = 0;
    unsigned above = 0;
    unsigned inside = 0;
    for (const GenerationRow& row : generation_rows()) {
        OperandBench bench(row.generation);
        const SpecGeometry spec = spec_geometry(row.generation);
        for (unsigned round = 0; round < 3000; ++round) {
            const unsigned size = 1U << round % 3;
            const bool psum = spec.psum && round % 2 == 0;
            const std::int64_t limit = psum ? spec_psum_bytes : spec.sbuf_bytes;
            const Shape shape = random_shape(engine);
            const std::vector<std::int64_t> walk = walk_bytes(shape, size);
            const auto [low, high] = walk_reach(walk);
            // Start so that the lowest or the highest byte lies next to an end.
            const std::int64_t off = between(engine, -2, 2) * size;
            std::int64_t start = round % 4 < 2 ? off - low : limit - size - high + off;
            start = std::clamp<std::int64_t>(start, 0, limit - size);
            const std::uint32_t partition = 32 * (round % 4);
            const std::uint32_t base =
                psum ? spec_psum_base + partition * spec_psum_stride : partition * spec.sbuf_stride;
            bench.put(base + static_cast<std::uint32_t>(start), shape);
            const auto fault = bench.resolve(dtypes_by_size[round % 3], 32, false);
            const bool under = start + low < 0;
            const bool over = start + high + size > limit;
            ASSERT_EQ(fault.has_value(), under || over) << row.name << " round " << round;
            if (fault) {
                ASSERT_EQ(fault->type, ErrorType::MEMORY_ERROR);
                ASSERT_STREQ(fault->violation.predicate, "walk_inside_partition");
                (under ? below : above) += 1;
            } else {
                ASSERT_EQ(bench.operand.space, psum ? Space::PSUM : Space::SBUF);
                ASSERT_EQ(bench.operand.partition, partition);
                ++inside;
            }
        }
    }
    EXPECT_GT(below, 500U);
    EXPECT_GT(above, 500U);
    EXPECT_GT(inside, 2000U);
}

TEST(Operands, ElementLimitHoldsForHostileCounts) {
    OperandBench bench(Generation::MARIANA);
    const auto outcome = [&](Shape shape) {
        bench.put(0x1000, shape);
        return bench.resolve(Dtype::FP32, 1, false);
    };
    EXPECT_FALSE(outcome({{1024, 1024, 1, 1}, {0, 0, 0, 0}}));
    for (const Shape shape :
         {Shape{{1024, 1024, 2, 1}, {0, 0, 0, 0}}, Shape{{65535, 17, 1, 1}, {0, 0, 0, 0}},
          Shape{{65535, 65535, 65535, 65535}, {0, 0, 0, 0}},
          Shape{{32768, 32768, 32768, 32768}, {1, 1, 1, 1}}}) {
        const auto fault = outcome(shape);
        ASSERT_TRUE(fault);
        EXPECT_EQ(fault->type, ErrorType::SEQUENCER_FATAL);
        EXPECT_STREQ(fault->violation.predicate, "max_elements");
    }
}

}  // namespace
}  // namespace dve::test
