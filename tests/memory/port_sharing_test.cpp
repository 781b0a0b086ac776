// Shared ports: hosts wait for each other by port and bank, and are refused direct access.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "models/memory/partitioned_memory.h"
#include "tests/support/initiator.h"
#include "tlm/initiator_access.h"

namespace dve::test {
namespace {

constexpr std::uint64_t KiB = 1024;
constexpr std::uint64_t sbuf_stride = 256 * KiB;
constexpr std::uint64_t psum_stride = 32 * KiB;
constexpr std::uint64_t bank = 2 * KiB;  // 16 KiB in 8 banks (published_facts: PSUM)

/// Two hosts and a lane port at one memory of CAYMAN, 1 ns a cycle.
class PortSharing : public testing::Test {
protected:
    void build(Space space, PortRule rule) {
        const GenerationRow& row = generation_row(Generation::CAYMAN);
        holds = std::make_unique<PortHolds>(rule);
        memory = std::make_unique<PartitionedMemory>(
            "memory", space == Space::SBUF ? row.sbuf : row.psum,
            space == Space::SBUF ? PartitionedMemory::PortWidth(8)
                                 : PartitionedMemory::PortWidth(4),
            sc_core::sc_time(1, sc_core::SC_NS));
        memory->share_ports(*holds);
        host.socket.bind(memory->socket);
        other.socket.bind(memory->socket);
        lanes.socket.bind(memory->lanes);
        elaborate();
    }

    /// Nanoseconds on the delay after an access that comes with `delay` of them.
    double access(Initiator& from, tlm::tlm_command command, std::uint64_t address, unsigned bytes,
                  double delay = 0, unsigned width = 0) {
        std::vector<std::uint8_t> data(bytes);
        tlm::tlm_generic_payload payload;
        prepare(payload, command, address, data.data(), bytes);
        payload.set_streaming_width(width == 0 ? bytes : width);
        sc_core::sc_time time(delay, sc_core::SC_NS);
        from.socket->b_transport(payload, time);
        EXPECT_TRUE(payload.is_response_ok());
        dmi_hint = payload.is_dmi_allowed();
        return static_cast<double>(picoseconds(time)) / 1000;
    }
    double read(Initiator& from, std::uint64_t address, unsigned bytes, double delay = 0) {
        return access(from, tlm::TLM_READ_COMMAND, address, bytes, delay);
    }
    double write(Initiator& from, std::uint64_t address, unsigned bytes, double delay = 0) {
        return access(from, tlm::TLM_WRITE_COMMAND, address, bytes, delay);
    }
    bool direct(Initiator& from, tlm::tlm_dmi& dmi) {
        tlm::tlm_generic_payload payload;
        payload.set_read();
        payload.set_address(sbuf_stride + 100);
        return from.socket->get_direct_mem_ptr(payload, dmi);
    }

    Initiator host{"host"};
    Initiator other{"other"};
    Initiator lanes{"lanes"};
    std::unique_ptr<PortHolds> holds;
    std::unique_ptr<PartitionedMemory> memory;
    bool dmi_hint = false;  ///< of the last access
};

TEST_F(PortSharing, HostsWaitForEachOtherAtThePort) {
    build(Space::SBUF, PortRule::SHARED_PORT);
    EXPECT_EQ(read(host, 0, 64), 8);
    EXPECT_EQ(read(other, 0x1000, 64), 16);      // same partition, elsewhere
    EXPECT_EQ(read(host, 0, 1), 17);             // behind both
    EXPECT_EQ(write(other, 0, 16), 2);           // the write port is free
    EXPECT_EQ(read(other, sbuf_stride, 64), 8);  // so is another partition
    sc_core::sc_start(sc_core::sc_time(17, sc_core::SC_NS));
    EXPECT_EQ(read(other, 0, 8), 1);  // a hold ends before the cycle in which it is over
    EXPECT_EQ(read(host, 0, 8), 2);
}

TEST_F(PortSharing, AnnotatedTimesTakeTheirPlace) {
    build(Space::SBUF, PortRule::SHARED_PORT);
    EXPECT_EQ(read(host, 0, 64, 10), 18);  // 10..18
    EXPECT_EQ(read(other, 0, 8), 1);       // before it
    EXPECT_EQ(read(other, 0, 64, 2), 10);  // 2..10 fits exactly
    EXPECT_EQ(read(other, 0, 8, 12), 19);  // in the middle: behind it
    EXPECT_EQ(read(other, 0, 72, 0), 28);  // nine cycles fit only behind all
    EXPECT_EQ(read(other, 0, 8, 0.5), 2);  // off the edge, into the gap 1..2
}

TEST_F(PortSharing, TheLanesSeeHolds) {
    build(Space::SBUF, PortRule::SHARED_PORT);
    read(host, 3 * sbuf_stride, 16, 2);  // 2..4
    const PortUse all{false, 0, 127, 0, 0};
    EXPECT_EQ(holds->conflict(all, 1999), PortConflict::NONE);
    EXPECT_EQ(holds->conflict(all, 2000), PortConflict::PORT);
    EXPECT_EQ(holds->conflict(all, 3999), PortConflict::PORT);
    EXPECT_EQ(holds->conflict(all, 4000), PortConflict::NONE);
    EXPECT_EQ(holds->conflict({true, 0, 127, 0, 0}, 2000), PortConflict::NONE);
    EXPECT_EQ(holds->conflict({false, 4, 127, 0, 0}, 2000), PortConflict::NONE);
}

TEST_F(PortSharing, TheLanesThemselvesHoldNothing) {
    build(Space::SBUF, PortRule::SHARED_PORT);
    read(host, 0, 64);
    EXPECT_EQ(access(lanes, tlm::TLM_READ_COMMAND, 0, 64), 8);
    EXPECT_TRUE(dmi_hint);
    EXPECT_EQ(access(lanes, tlm::TLM_READ_COMMAND, 0, 64), 8);
    EXPECT_EQ(read(other, 0, 8), 9);
}

TEST_F(PortSharing, NothingMovedHoldsNothing) {
    build(Space::SBUF, PortRule::SHARED_PORT);
    EXPECT_EQ(access(host, tlm::TLM_IGNORE_COMMAND, 0, 64, 3), 3);
    EXPECT_TRUE(holds->empty());
    std::uint8_t data[8];
    EXPECT_EQ(host.read(0x38000, data, 8), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_TRUE(holds->empty());
}

TEST_F(PortSharing, BanksOfPsum) {
    build(Space::PSUM, PortRule::BANKS);
    EXPECT_EQ(read(host, 0, 16), 4);
    EXPECT_EQ(read(other, bank, 16), 4);        // another bank
    EXPECT_EQ(write(other, bank - 4, 4), 5);    // either direction meets in a bank
    EXPECT_EQ(read(host, psum_stride, 16), 4);  // another partition
    EXPECT_EQ(read(host, 2 * bank - 4, 8), 6);  // two banks: behind the user of bank 1
    EXPECT_EQ(read(other, 2 * bank, 20), 11);   // and it holds bank 2 as well
    EXPECT_EQ(holds->conflict({true, 0, 0, 1, 1}, 5000), PortConflict::BANK);
    EXPECT_EQ(holds->conflict({true, 0, 0, 5, 5}, 5000), PortConflict::NONE);
    // Streaming touches only its width: 16 bytes over 4 addresses of bank 3.
    EXPECT_EQ(access(host, tlm::TLM_WRITE_COMMAND, 4 * bank - 4, 16, 0, 4), 4);
    EXPECT_EQ(read(other, 4 * bank, 4), 1);
}

// SUNDA: accesses to different banks go one after the other through the one port.
TEST_F(PortSharing, BanksAndPortOfSunda) {
    build(Space::PSUM, PortRule::BANKS_AND_PORT);
    EXPECT_EQ(read(host, 0, 16), 4);
    EXPECT_EQ(read(other, bank, 16), 8);
    EXPECT_EQ(write(other, 3 * bank, 16), 12);
    EXPECT_EQ(read(other, psum_stride, 16), 4);
    EXPECT_EQ(holds->conflict({false, 0, 0, 7, 7}, 0), PortConflict::PORT);
    EXPECT_EQ(holds->conflict({false, 0, 0, 0, 0}, 0), PortConflict::BANK);
}

TEST_F(PortSharing, DirectAccessIsForTheLanesAlone) {
    build(Space::SBUF, PortRule::SHARED_PORT);
    tlm::tlm_dmi refused;
    EXPECT_FALSE(direct(host, refused));
    EXPECT_EQ(refused.get_start_address(), sbuf_stride + 100);
    EXPECT_EQ(refused.get_end_address(), sbuf_stride + 100);
    read(host, 0, 8);
    EXPECT_FALSE(dmi_hint);  // get_direct_mem_ptr would not succeed
    tlm::tlm_dmi granted;
    EXPECT_TRUE(direct(lanes, granted));
    EXPECT_EQ(granted.get_start_address(), sbuf_stride);
    EXPECT_EQ(granted.get_end_address(), sbuf_stride + 224 * KiB - 1);
}

// Sharing from now on takes back what was granted before; so does a reset.
TEST_F(PortSharing, WithdrawsWhatWasGranted) {
    const GenerationRow& row = generation_row(Generation::CAYMAN);
    PortHolds late(PortRule::SHARED_PORT);
    PartitionedMemory target("target", row.sbuf, 8, sc_core::sc_time(1, sc_core::SC_NS));
    host.socket.bind(target.socket);
    other.socket.bind(target.socket);
    lanes.socket.bind(target.lanes);
    elaborate();
    target.withdraw_direct_access();
    EXPECT_TRUE(host.invalidations.empty());  // nobody has any
    tlm::tlm_dmi dmi;
    ASSERT_TRUE(direct(host, dmi));
    const std::vector<std::pair<std::uint64_t, std::uint64_t>> everything = {
        {0, 128 * sbuf_stride - 1}};
    target.share_ports(late);
    EXPECT_EQ(host.invalidations, everything);
    EXPECT_EQ(other.invalidations, everything);
    EXPECT_FALSE(direct(host, dmi));
    ASSERT_TRUE(direct(lanes, dmi));
    target.withdraw_direct_access();
    EXPECT_EQ(lanes.invalidations.size(), 2U);
    EXPECT_TRUE(direct(lanes, dmi));
}

// Random users against an occupancy table with one entry a picosecond, port and bank.
TEST(PortHolds, GiveTheFirstFreePlace) {
    for (const PortRule rule : {PortRule::SHARED_PORT, PortRule::BANKS, PortRule::BANKS_AND_PORT}) {
        std::mt19937 engine(7);
        PortHolds holds(rule);
        struct Taken {
            PortUse use;
            std::uint64_t from;
            std::uint64_t until;
        };
        std::vector<Taken> taken;
        const auto meet = [rule](const PortUse& a, const PortUse& b) {
            bool partitions = false;
            for (unsigned p = a.first_partition; p <= a.last_partition; ++p) {
                partitions |= p >= b.first_partition && p <= b.last_partition;
            }
            bool banks = false;
            for (unsigned k = a.first_bank; k <= a.last_bank; ++k) {
                banks |= k >= b.first_bank && k <= b.last_bank;
            }
            switch (rule) {
                case PortRule::SHARED_PORT: return partitions && a.write == b.write;
                case PortRule::BANKS: return partitions && banks;
                case PortRule::BANKS_AND_PORT: return partitions;
            }
            return false;
        };
        std::uint64_t now = 0;
        for (int i = 0; i < 2000; ++i) {
            now += engine() % 8;
            PortUse use;
            use.write = engine() % 2 != 0;
            use.first_partition = engine() % 4;
            use.last_partition = use.first_partition + engine() % 3;
            use.first_bank = engine() % 4;
            use.last_bank = use.first_bank + engine() % 2;
            const std::uint64_t duration = 1 + engine() % 6;
            const std::uint64_t asked = now + engine() % 12;
            std::uint64_t expected = asked;
            const auto free_at = [&](std::uint64_t start) {
                for (const Taken& other : taken) {
                    for (std::uint64_t t = start; t < start + duration; ++t) {
                        if (t >= other.from && t < other.until && meet(use, other.use)) {
                            return false;
                        }
                    }
                }
                return true;
            };
            while (!free_at(expected)) {
                ++expected;
            }
            ASSERT_EQ(holds.acquire(use, asked, duration, now), expected);
            ASSERT_NE(holds.conflict(use, expected), PortConflict::NONE);
            taken.push_back({use, expected, expected + duration});
            taken.erase(std::remove_if(taken.begin(), taken.end(),
                                       [now](const Taken& old) { return old.until <= now; }),
                        taken.end());
        }
    }
}

}  // namespace
}  // namespace dve::test
