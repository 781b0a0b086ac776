// Storage costs memory only where it is touched.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <memory>

#include "models/memory/partition_storage.h"

namespace dve::test {
namespace {

/// Pages in memory of this process.
long resident_pages() {
    std::ifstream statm("/proc/self/statm");
    long total = 0;
    long resident = 0;
    statm >> total >> resident;
    return resident;
}

TEST(Storage, IdleMemoriesOfAllGenerationsHoldNoPages) {
    std::vector<std::unique_ptr<PartitionStorage>> memories;
    memories.reserve(64);
    const long before = resident_pages();
    ASSERT_GT(before, 0);
    for (unsigned copy = 0; copy < 5; ++copy) {
        for (const GenerationRow& row : generation_rows()) {
            memories.push_back(std::make_unique<PartitionStorage>(row.sbuf));
            memories.push_back(std::make_unique<PartitionStorage>(row.psum));
        }
    }
    const long idle = resident_pages();
    EXPECT_LT(idle - before, 64);  // 50 memories, 860 MiB of address space

    const long page = sysconf(_SC_PAGESIZE);
    PartitionStorage& sbuf = *memories[4];
    constexpr long touched = 200;
    for (long i = 0; i < touched; ++i) {
        sbuf.partition(static_cast<unsigned>(i % 128))[i / 128 * 4 * page] = 1;
    }
    const long used = resident_pages();
    EXPECT_GE(used - idle, touched);
    EXPECT_LT(used - idle, touched + 64);
    sbuf.clear();
    EXPECT_LT(resident_pages() - idle, 64);
}

TEST(Storage, PartitionsAreZeroSeparateAndWhole) {
    for (const GenerationRow& row : generation_rows()) {
        PartitionStorage storage(row.sbuf);
        for (unsigned p = 0; p < 128; ++p) {
            EXPECT_EQ(storage.partition(p)[0], 0);
            storage.partition(p)[row.sbuf.partition_bytes - 1] = static_cast<std::uint8_t>(p + 1);
        }
        for (unsigned p = 0; p < 128; ++p) {
            EXPECT_EQ(storage.partition(p)[0], 0);
            EXPECT_EQ(storage.partition(p)[row.sbuf.partition_bytes - 1], p + 1);
            EXPECT_EQ(storage.partition(p), storage.partition(0) + p * storage.stride());
        }
        storage.clear();
        EXPECT_EQ(storage.partition(127)[row.sbuf.partition_bytes - 1], 0);
    }
}

}  // namespace
}  // namespace dve::test
