// Partitions: geometry of every generation, gaps, borders, port time, non-blocking calls.
#include "models/memory/partitioned_memory.h"

#include <gtest/gtest.h>

#include <memory>

#include "tests/support/initiator.h"

namespace dve::test {
namespace {

constexpr std::uint64_t KiB = 1024;

struct SpecMemory {
    Generation generation;
    Space space;
    std::uint64_t stride;
    std::uint64_t bytes;
};
// decisions 6.
constexpr SpecMemory spec_memories[] = {
    {Generation::SUNDA, Space::SBUF, 256 * KiB, 192 * KiB},
    {Generation::CAYMAN, Space::SBUF, 256 * KiB, 224 * KiB},
    {Generation::MARIANA, Space::SBUF, 256 * KiB, 256 * KiB},
    {Generation::MARIANA_PLUS, Space::SBUF, 256 * KiB, 256 * KiB},
    {Generation::MAVERICK, Space::SBUF, 1024 * KiB, 512 * KiB},
    {Generation::SUNDA, Space::PSUM, 32 * KiB, 16 * KiB},
    {Generation::CAYMAN, Space::PSUM, 32 * KiB, 16 * KiB},
    {Generation::MARIANA, Space::PSUM, 32 * KiB, 16 * KiB},
    {Generation::MARIANA_PLUS, Space::PSUM, 32 * KiB, 16 * KiB},
    {Generation::MAVERICK, Space::PSUM, 32 * KiB, 16 * KiB},
};

struct Bench {
    explicit Bench(const SpecMemory& spec)
        : memory(sc_core::sc_gen_unique_name("memory"),
                 spec.space == Space::SBUF ? generation_row(spec.generation).sbuf
                                           : generation_row(spec.generation).psum,
                 spec.space == Space::SBUF ? 8 : 4, sc_core::sc_time(1, sc_core::SC_NS)),
          initiator(sc_core::sc_gen_unique_name("initiator")) {
        initiator.socket.bind(memory.socket);
    }
    PartitionedMemory memory;
    Initiator initiator;
};

TEST(PartitionedMemory, GeometryOfEveryGeneration) {
    std::vector<std::unique_ptr<Bench>> benches;
    for (const SpecMemory& spec : spec_memories) {
        benches.push_back(std::make_unique<Bench>(spec));
    }
    elaborate();
    for (std::size_t i = 0; i < benches.size(); ++i) {
        const SpecMemory& spec = spec_memories[i];
        Initiator& host = benches[i]->initiator;
        // Each partition's ends hold their own value.
        for (std::uint64_t p = 0; p < 128; ++p) {
            const std::uint64_t base = p * spec.stride;
            std::uint32_t value = static_cast<std::uint32_t>(0xC0DE0000 + p);
            ASSERT_EQ(host.write(base, &value, 4), tlm::TLM_OK_RESPONSE);
            value ^= 0xFFFF;
            ASSERT_EQ(host.write(base + spec.bytes - 4, &value, 4), tlm::TLM_OK_RESPONSE);
            ASSERT_EQ(host.write(base + spec.bytes - 3, &value, 4),
                      tlm::TLM_ADDRESS_ERROR_RESPONSE);
            if (spec.bytes < spec.stride) {
                for (const std::uint64_t gap : {spec.bytes, spec.stride - 1}) {
                    ASSERT_EQ(host.read(base + gap, &value, 1), tlm::TLM_ADDRESS_ERROR_RESPONSE);
                }
            }
        }
        std::uint32_t value = 0;
        EXPECT_EQ(host.read(128 * spec.stride, &value, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        for (unsigned p = 0; p < 128; ++p) {
            ASSERT_EQ(host.read(p * spec.stride, &value, 4), tlm::TLM_OK_RESPONSE);
            ASSERT_EQ(value, 0xC0DE0000 + p);
            ASSERT_EQ(host.read(p * spec.stride + spec.bytes - 4, &value, 4), tlm::TLM_OK_RESPONSE);
            ASSERT_EQ(value, (0xC0DE0000 + p) ^ 0xFFFF);
            std::uint8_t* backdoor = benches[i]->memory.bytes(p, 0, spec.bytes);
            ASSERT_NE(backdoor, nullptr);
            ASSERT_EQ(backdoor[0], p);
        }
        EXPECT_EQ(benches[i]->memory.bytes(128, 0, 1), nullptr);
        EXPECT_EQ(benches[i]->memory.bytes(0, 1, spec.bytes), nullptr);
        EXPECT_EQ(benches[i]->memory.bytes(0, ~std::uint64_t{0}, 2), nullptr);
        benches[i]->memory.clear();
        ASSERT_EQ(host.read(0, &value, 4), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(value, 0U);
    }
}

// MARIANA's partitions touch: an access across the border must not slip into the next one.
TEST(PartitionedMemory, AccessAcrossPartitionsWritesNothing) {
    Bench bench({Generation::MARIANA, Space::SBUF, 256 * KiB, 256 * KiB});
    elaborate();
    std::vector<std::uint8_t> data(32, 0xAB);
    const std::uint64_t border = 256 * KiB;
    EXPECT_EQ(bench.initiator.write(border - 16, data.data(), 32), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    for (unsigned i = 0; i < 16; ++i) {
        EXPECT_EQ(bench.memory.bytes(0, border - 16, 16)[i], 0);
        EXPECT_EQ(bench.memory.bytes(1, 0, 16)[i], 0);
    }
    EXPECT_EQ(bench.initiator.debug(tlm::TLM_WRITE_COMMAND, border - 16, data.data(), 32), 16U);
    EXPECT_EQ(bench.memory.bytes(0, border - 1, 1)[0], 0xAB);
    EXPECT_EQ(bench.memory.bytes(1, 0, 1)[0], 0);
}

TEST(PartitionedMemory, EveryPartitionIsADirectRegionOfItsOwn) {
    Bench bench({Generation::SUNDA, Space::SBUF, 256 * KiB, 192 * KiB});
    elaborate();
    std::uint8_t* previous = nullptr;
    for (std::uint64_t p = 0; p < 128; ++p) {
        tlm::tlm_dmi dmi;
        ASSERT_TRUE(bench.initiator.direct_memory(p * 256 * KiB + 5, dmi));
        EXPECT_EQ(dmi.get_start_address(), p * 256 * KiB);
        EXPECT_EQ(dmi.get_end_address(), p * 256 * KiB + 192 * KiB - 1);
        EXPECT_EQ(dmi.get_dmi_ptr(), bench.memory.bytes(static_cast<unsigned>(p), 0, 1));
        EXPECT_NE(dmi.get_dmi_ptr(), previous);
        EXPECT_EQ(dmi.get_read_latency(), sc_core::sc_time(1, sc_core::SC_NS));
        EXPECT_EQ(dmi.get_write_latency(), dmi.get_read_latency());
        previous = dmi.get_dmi_ptr();
        EXPECT_FALSE(bench.initiator.direct_memory(p * 256 * KiB + 192 * KiB, dmi));
    }
}

TEST(PartitionedMemory, AnAccessHoldsThePortByWidth) {
    Bench sbuf({Generation::MARIANA, Space::SBUF, 256 * KiB, 256 * KiB});
    Bench psum({Generation::MARIANA, Space::PSUM, 32 * KiB, 16 * KiB});
    elaborate();
    std::uint8_t data[64] = {};
    for (const auto& [bytes, sbuf_cycles, psum_cycles] :
         {std::array{1, 1, 1}, std::array{8, 1, 2}, std::array{9, 2, 3}, std::array{64, 8, 16}}) {
        sbuf.initiator.read(0, data, static_cast<unsigned>(bytes));
        EXPECT_EQ(sbuf.initiator.delay, sc_core::sc_time(sbuf_cycles, sc_core::SC_NS));
        psum.initiator.write(0, data, static_cast<unsigned>(bytes));
        EXPECT_EQ(psum.initiator.delay, sc_core::sc_time(psum_cycles, sc_core::SC_NS));
    }
    sbuf.initiator.read(~std::uint64_t{0}, data, 8);
    EXPECT_EQ(sbuf.initiator.delay, sc_core::SC_ZERO_TIME);
}

TEST(PartitionedMemory, NonBlockingRequestCompletesAtOnce) {
    Bench bench({Generation::MARIANA, Space::SBUF, 256 * KiB, 256 * KiB});
    elaborate();
    bench.memory.bytes(2, 8, 1)[0] = 0x5A;
    std::uint8_t data = 0;
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_address(2 * 256 * KiB + 8);
    payload.set_data_ptr(&data);
    payload.set_data_length(1);
    payload.set_streaming_width(1);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay(10, sc_core::SC_NS);
    EXPECT_EQ(bench.initiator.socket->nb_transport_fw(payload, phase, delay), tlm::TLM_COMPLETED);
    EXPECT_TRUE(payload.is_response_ok());
    EXPECT_EQ(data, 0x5A);
    EXPECT_EQ(delay, sc_core::sc_time(11, sc_core::SC_NS));  // added to, never reduced
}

}  // namespace
}  // namespace dve::test
