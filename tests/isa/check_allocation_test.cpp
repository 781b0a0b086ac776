// check() of a legal record allocates nothing.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "tests/isa/check_samples.h"

namespace {
std::size_t allocations = 0;
}

void* operator new(std::size_t size) {
    ++allocations;
    if (void* memory = std::malloc(size)) {
        return memory;
    }
    throw std::bad_alloc();
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace dve::test {
namespace {

TEST(Allocation, NoneForLegalRecords) {
    for (const std::uint8_t opcode : sample_opcodes()) {
        const Record record = legal_record(opcode);
        for (const GenerationRow& row : generation_rows()) {
            const auto configuration = IsaConfiguration::for_generation(row.generation);
            const std::size_t before = allocations;
            const bool refused = check(record, configuration).has_value();
            EXPECT_EQ(allocations, before) << int{opcode};
            EXPECT_FALSE(refused);
        }
    }
}

}  // namespace
}  // namespace dve::test
