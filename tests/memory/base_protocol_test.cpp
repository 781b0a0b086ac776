// What every byte memory owes the base protocol (IEEE 1666 clause 14), for SBUF, PSUM and system
// memory alike.
#include <gtest/gtest.h>

#include <memory>
#include <numeric>

#include "models/memory/partitioned_memory.h"
#include "platform/system_memory.h"
#include "tests/support/initiator.h"

namespace dve::test {
namespace {

enum class Kind { SBUF, PSUM, SYSTEM };

using Bytes = std::vector<std::uint8_t>;

class BaseProtocol : public testing::TestWithParam<Kind> {
protected:
    void SetUp() override {
        switch (GetParam()) {
            case Kind::SBUF:
                memory = std::make_unique<PartitionedMemory>(
                    "sbuf", generation_row(Generation::CAYMAN).sbuf, 8,
                    sc_core::sc_time(1, sc_core::SC_NS));
                place = 3 * 0x40000;  // partition 3
                bytes = 0x38000;
                break;
            case Kind::PSUM:
                memory = std::make_unique<PartitionedMemory>(
                    "psum", generation_row(Generation::CAYMAN).psum, 4,
                    sc_core::sc_time(1, sc_core::SC_NS));
                place = 127 * 0x8000;
                bytes = 0x4000;
                break;
            case Kind::SYSTEM:
                system = std::make_unique<SystemMemory>("system", 0x1000);
                bytes = 0x1000;
                break;
        }
        if (memory) {
            initiator.socket.bind(memory->socket);
        } else {
            initiator.socket.bind(system->socket);
        }
        elaborate();
        fill(place, 64);
    }

    /// Bytes 1, 2, 3, ... at an address.
    void fill(std::uint64_t address, unsigned count) {
        Bytes data(count);
        std::iota(data.begin(), data.end(), std::uint8_t{1});
        ASSERT_EQ(initiator.write(address, data.data(), count), tlm::TLM_OK_RESPONSE);
    }

    Bytes peek(std::uint64_t address, unsigned count) {
        Bytes data(count, 0xEE);
        EXPECT_EQ(initiator.read(address, data.data(), count), tlm::TLM_OK_RESPONSE);
        return data;
    }

    tlm::tlm_response_status send(Access access) {
        const tlm::tlm_response_status status = initiator.send(access);
        EXPECT_TRUE(initiator.attributes_kept);
        return status;
    }

    std::unique_ptr<PartitionedMemory> memory;
    std::unique_ptr<SystemMemory> system;
    Initiator initiator{"initiator"};
    std::uint64_t place = 0;  ///< first address of a contiguous range
    std::uint64_t bytes = 0;  ///< of that range
};

std::string name_of(const testing::TestParamInfo<Kind>& info) {
    switch (info.param) {
        case Kind::SBUF: return "sbuf";
        case Kind::PSUM: return "psum";
        case Kind::SYSTEM: return "system";
    }
    return "";
}

INSTANTIATE_TEST_SUITE_P(Memories, BaseProtocol,
                         testing::Values(Kind::SBUF, Kind::PSUM, Kind::SYSTEM), name_of);

TEST_P(BaseProtocol, ReadsWhatWasWritten) {
    EXPECT_EQ(peek(place, 4), (Bytes{1, 2, 3, 4}));
    EXPECT_EQ(peek(place + 61, 3), (Bytes{62, 63, 64}));
    EXPECT_EQ(peek(place + 64, 2), (Bytes{0, 0}));
    EXPECT_TRUE(initiator.dmi_hint);
}

TEST_P(BaseProtocol, ByteEnablesRepeatWithTheirOwnLength) {
    Bytes data(9, 0xAA);
    Access access{tlm::TLM_WRITE_COMMAND, place, data.data(), 9,
                  {0xFF, 0x00, 0x00},     false, 0,           false};
    EXPECT_EQ(send(access), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(peek(place, 10), (Bytes{0xAA, 2, 3, 0xAA, 5, 6, 0xAA, 8, 9, 10}));

    // Longer than the data, and inactive bytes of a read stay as they are.
    Bytes read(4, 0x55);
    access = {tlm::TLM_READ_COMMAND,          place, read.data(), 4,
              {0, 0xFF, 0xFF, 0, 0xFF, 0xFF}, false, 0,           false};
    EXPECT_EQ(send(access), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(read, (Bytes{0x55, 2, 3, 0x55}));
}

TEST_P(BaseProtocol, ByteEnablesOfLengthZero) {
    Bytes data(4, 0xAA);
    EXPECT_EQ(send({tlm::TLM_WRITE_COMMAND, place, data.data(), 4, {}, false, 0, true}),
              tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    EXPECT_EQ(peek(place, 4), (Bytes{1, 2, 3, 4}));
}

TEST_P(BaseProtocol, StreamingWrapsAtTheWidth) {
    Bytes data{10, 11, 12, 13, 14, 15, 16};
    EXPECT_EQ(send({tlm::TLM_WRITE_COMMAND, place, data.data(), 7, {}, true, 3, false}),
              tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(peek(place, 4), (Bytes{16, 14, 15, 4}));
    Bytes read(7);
    EXPECT_EQ(send({tlm::TLM_READ_COMMAND, place, read.data(), 7, {}, true, 2, false}),
              tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(read, (Bytes{16, 14, 16, 14, 16, 14, 16}));
    // A width beyond the length is an ordinary transfer; streaming and enables combine.
    EXPECT_EQ(send({tlm::TLM_READ_COMMAND, place, read.data(), 2, {}, true, 100, false}),
              tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(
        send({tlm::TLM_WRITE_COMMAND, place, data.data(), 4, {0, 0xFF, 0xFF, 0}, true, 2, false}),
        tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(peek(place, 3), (Bytes{12, 11, 15}));
}

// Only the bytes up to the width are touched: the last address of a range may be streamed to.
TEST_P(BaseProtocol, StreamingNeedsOnlyItsWidthInRange) {
    Bytes data{1, 2, 3, 4, 5};
    EXPECT_EQ(send({tlm::TLM_WRITE_COMMAND, place + bytes - 1, data.data(), 5, {}, true, 1, false}),
              tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(peek(place + bytes - 1, 1), Bytes{5});
    EXPECT_EQ(send({tlm::TLM_WRITE_COMMAND, place + bytes - 1, data.data(), 5, {}, true, 2, false}),
              tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

TEST_P(BaseProtocol, ZeroLengthZeroWidthAndNoData) {
    Bytes data(4, 0xAA);
    for (const auto command : {tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND}) {
        EXPECT_EQ(send({command, place, data.data(), 0, {}, true, 4, false}),
                  tlm::TLM_BURST_ERROR_RESPONSE);
        EXPECT_EQ(send({command, place, data.data(), 4, {}, true, 0, false}),
                  tlm::TLM_BURST_ERROR_RESPONSE);
        EXPECT_EQ(send({command, place, nullptr, 4, {}, false, 0, false}),
                  tlm::TLM_GENERIC_ERROR_RESPONSE);
    }
    EXPECT_EQ(peek(place, 4), (Bytes{1, 2, 3, 4}));
    EXPECT_EQ(data, Bytes(4, 0xAA));
}

TEST_P(BaseProtocol, IgnoreMovesNothingAndUnknownIsAnError) {
    Bytes data(4, 0xAA);
    EXPECT_EQ(send({tlm::TLM_IGNORE_COMMAND, place, data.data(), 4, {}, false, 0, false}),
              tlm::TLM_OK_RESPONSE);
    // It needs neither data nor a length; an address out of range is one all the same.
    EXPECT_EQ(send({tlm::TLM_IGNORE_COMMAND, place, nullptr, 0, {}, true, 1, false}),
              tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(send({tlm::TLM_IGNORE_COMMAND, place + bytes, nullptr, 0, {}, true, 1, false}),
              tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(send({static_cast<tlm::tlm_command>(7), place, data.data(), 4, {}, false, 0, false}),
              tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(peek(place, 4), (Bytes{1, 2, 3, 4}));
    EXPECT_EQ(data, Bytes(4, 0xAA));
}

TEST_P(BaseProtocol, TheLastByteIsInRangeAndTheNextIsNot) {
    Bytes data{0xAB, 0xCD};
    EXPECT_EQ(initiator.write(place + bytes - 2, data.data(), 2), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(peek(place + bytes - 1, 1), Bytes{0xCD});
    EXPECT_EQ(initiator.write(place + bytes, data.data(), 1), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_FALSE(initiator.dmi_hint);
    // Half in range: nothing is written.
    Bytes other{0x11, 0x22};
    EXPECT_EQ(initiator.write(place + bytes - 1, other.data(), 2), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(peek(place + bytes - 2, 2), (Bytes{0xAB, 0xCD}));
}

TEST_P(BaseProtocol, AddressesThatOverflow) {
    Bytes data(16, 0x11);
    for (const std::uint64_t address :
         {~std::uint64_t{0}, ~std::uint64_t{0} - 15, std::uint64_t{1} << 32,
          (std::uint64_t{1} << 32) + place, std::uint64_t{1} << 63}) {
        EXPECT_EQ(initiator.write(address, data.data(), 16), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        EXPECT_EQ(initiator.read(address, data.data(), 16), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
    EXPECT_EQ(peek(place, 4), (Bytes{1, 2, 3, 4}));
    EXPECT_EQ(data, Bytes(16, 0x11));
}

TEST_P(BaseProtocol, DebugTransport) {
    Bytes data(8, 0);
    EXPECT_EQ(initiator.debug(tlm::TLM_READ_COMMAND, place + 2, data.data(), 8), 8U);
    EXPECT_EQ(data, (Bytes{3, 4, 5, 6, 7, 8, 9, 10}));
    EXPECT_TRUE(initiator.attributes_kept);
    Bytes written{0x91, 0x92};
    EXPECT_EQ(initiator.debug(tlm::TLM_WRITE_COMMAND, place, written.data(), 2), 2U);
    EXPECT_EQ(peek(place, 3), (Bytes{0x91, 0x92, 3}));
    // As many bytes as are in range, none out of it.
    EXPECT_EQ(initiator.debug(tlm::TLM_READ_COMMAND, place + bytes - 3, data.data(), 8), 3U);
    EXPECT_EQ(initiator.debug(tlm::TLM_WRITE_COMMAND, place + bytes - 3, data.data(), 8), 3U);
    EXPECT_EQ(initiator.debug(tlm::TLM_READ_COMMAND, place + bytes, data.data(), 8), 0U);
    EXPECT_EQ(initiator.debug(tlm::TLM_READ_COMMAND, ~std::uint64_t{0}, data.data(), 8), 0U);
    EXPECT_EQ(initiator.debug(tlm::TLM_IGNORE_COMMAND, place, data.data(), 8), 0U);
    EXPECT_EQ(initiator.debug(tlm::TLM_READ_COMMAND, place, nullptr, 8), 0U);
    EXPECT_EQ(initiator.debug(tlm::TLM_READ_COMMAND, place, data.data(), 0), 0U);
    EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
}

TEST_P(BaseProtocol, DirectMemoryCoversTheRangeInclusively) {
    for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{17}, bytes - 1}) {
        tlm::tlm_dmi dmi;
        ASSERT_TRUE(initiator.direct_memory(place + offset, dmi));
        EXPECT_TRUE(initiator.attributes_kept);
        EXPECT_EQ(dmi.get_start_address(), place);
        EXPECT_EQ(dmi.get_end_address(), place + bytes - 1);
        EXPECT_TRUE(dmi.is_read_write_allowed());
        EXPECT_EQ(dmi.get_dmi_ptr()[4], 5);
        dmi.get_dmi_ptr()[bytes - 1] = 0x77;
        EXPECT_EQ(peek(place + bytes - 1, 1), Bytes{0x77});
    }
    tlm::tlm_dmi refused;
    EXPECT_FALSE(initiator.direct_memory(place + bytes, refused));
    EXPECT_FALSE(refused.is_read_allowed());
    EXPECT_LE(refused.get_start_address(), place + bytes);
    EXPECT_GE(refused.get_end_address(), place + bytes);
}

}  // namespace
}  // namespace dve::test
