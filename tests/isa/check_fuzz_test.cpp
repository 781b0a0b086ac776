// Random records: no crash, and the two entry points agree.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/isa/check_samples.h"

namespace dve::test {
namespace {

void expect_agreement(const Record& record, const IsaConfiguration& configuration) {
    const auto first = check(record, configuration);
    const std::vector<Violation> all = check_all(record, configuration);
    ASSERT_EQ(first.has_value(), !all.empty());
    if (first.has_value()) {
        ASSERT_EQ(first->message(), all.front().message());
    }
    for (const Violation& violation : all) {
        ASSERT_STRNE(violation.predicate, "");
        ASSERT_FALSE(violation.field.empty()) << violation.predicate;
        ASSERT_FALSE(violation.legal.empty()) << violation.predicate;
    }
}

TEST(Fuzz, FlippedBytes) {
    std::mt19937 random(20240607);
    for (const GenerationRow& row : generation_rows()) {
        IsaConfiguration configuration = IsaConfiguration::for_generation(row.generation);
        for (const std::uint8_t opcode : sample_opcodes()) {
            for (unsigned round = 0; round < 2000; ++round) {
                configuration.psum_narrow_writes = random() % 2 != 0;
                configuration.symmetric_clamp_is_arith = random() % 2 != 0;
                configuration.tile_mode = random() % 2 != 0;
                Record record = legal_record(opcode);
                for (unsigned flips = 1 + random() % 4; flips != 0; --flips) {
                    record.bytes[random() % record_bytes] = static_cast<std::uint8_t>(random());
                }
                expect_agreement(record, configuration);
            }
        }
    }
}

TEST(Fuzz, RandomRecords) {
    std::mt19937 random(1);
    for (unsigned round = 0; round < 100000; ++round) {
        const auto generation = static_cast<Generation>(random() % generation_count);
        Record record;
        for (std::uint8_t& byte : record.bytes) {
            byte = static_cast<std::uint8_t>(random());
        }
        record.bytes[1] = 16;
        expect_agreement(record, IsaConfiguration::for_generation(generation));
    }
}

}  // namespace
}  // namespace dve::test
