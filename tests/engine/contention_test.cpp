// Others at the ports and banks of the lanes: who waits, for how long, and what it is called
// (timing, "What must hold" 3).
#include <gtest/gtest.h>

#include "tests/support/engine_bench.h"
#include "tlm/initiator_access.h"

namespace dve::test {
namespace {

constexpr std::uint32_t elements = 512;  // 2048 bytes of FP32: one PSUM bank
constexpr std::uint64_t port = static_cast<std::uint64_t>(StallCause::PORT);
constexpr std::uint64_t bank = static_cast<std::uint64_t>(StallCause::BANK);

/// One of several masters that share the bench's socket: one access after the other.
class Host : public sc_core::sc_module {
public:
    Host(sc_core::sc_module_name name, EngineBench& bench) : sc_module(name), bench_(bench) {
        DVE_HAS_PROCESS(Host);
        SC_THREAD(run);
    }

    struct Access {
        sc_core::sc_time at;
        bool write;
        std::uint64_t address;
        unsigned bytes;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;  ///< annotated by the caller, then by all
    };
    std::vector<Access> accesses;
    sc_core::sc_event more;

private:
    EngineBench& bench_;

    void run() {
        std::vector<std::uint8_t> data(4096);
        for (std::size_t next = 0;; ++next) {
            while (next == accesses.size()) {
                wait(more);
            }
            Access& access = accesses[next];
            if (access.at > sc_core::sc_time_stamp()) {
                wait(access.at - sc_core::sc_time_stamp());
            }
            tlm::tlm_generic_payload payload;
            prepare(payload, access.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND,
                    access.address, data.data(), access.bytes);
            bench_.host.socket->b_transport(payload, access.delay);
            EXPECT_TRUE(payload.is_response_ok());
        }
    }
};

class Contention : public testing::Test {
protected:
    static Configuration configuration(Generation generation) {
        Configuration configuration =
            Configuration::defaults(generation, SemanticsProfile::REFERENCE);
        configuration.mode = TimingMode::CYCLE;
        return configuration;
    }

    void build(Generation generation) {
        bench = std::make_unique<EngineBench>(configuration(generation));
        for (auto& host : hosts) {
            host = std::make_unique<Host>(sc_core::sc_gen_unique_name("master"), *bench);
        }
        isa = IsaConfiguration::for_generation(generation);
        cycle = cycle_time(bench->engine.configuration());
    }
    /// 32 channels from partition 0, source at byte `src` of PSUM or SBUF, dst at 0x2000 of SBUF.
    Record copy(Space from, std::uint32_t src = 0) const {
        Record record = legal_record(0x43);
        const std::uint32_t base = from == Space::PSUM ? isa.psum.base : isa.sbuf.base;
        Edit(record).start("src_mem_pattern", base + src).count("src_mem_pattern", 0, elements);
        Edit(record).count("dst_mem_pattern", 0, elements);
        return record;
    }
    std::uint64_t address(Space space, unsigned partition, std::uint32_t byte) const {
        const MemoryGeometry& memory = space == Space::SBUF ? isa.sbuf : isa.psum;
        return memory.base + std::uint64_t{partition} * memory.partition_stride + byte;
    }
    sc_core::sc_time at_cycle(double cycles) const { return cycle * cycles; }
    void access(unsigned host, double at, bool write, Space space, unsigned partition,
                std::uint32_t byte, unsigned bytes) {
        hosts[host]->accesses.push_back(
            {at_cycle(at), write, address(space, partition, byte), bytes});
    }
    RetireRecord run(const Record& record) {
        bench->run({record});
        EXPECT_TRUE(bench->halted());
        EXPECT_EQ(bench->retired_records.size(), 1U);
        return bench->retired_records.at(0);
    }

    /// Alone on the engine: start + 512 beats + 60 + 3 + 1 + 32.
    static constexpr std::uint64_t alone = elements + 96;

    std::unique_ptr<EngineBench> bench;
    std::unique_ptr<Host> hosts[2];
    IsaConfiguration isa;
    sc_core::sc_time cycle;
};

TEST_F(Contention, NobodyElse) {
    build(Generation::MARIANA);
    const RetireRecord done = run(copy(Space::PSUM));
    EXPECT_EQ(done.end_cycle - done.start_cycle, alone);
    EXPECT_EQ(done.stalls, StallCycles{});
}

TEST_F(Contention, ReadOfTheSamePsumBankStallsByItsPortCycles) {
    build(Generation::MARIANA);
    access(0, 100, false, Space::PSUM, 3, 0x40, 64);  // 64 bytes at 4 a cycle
    const RetireRecord done = run(copy(Space::PSUM));
    EXPECT_EQ(done.end_cycle - done.start_cycle, alone + 16);
    EXPECT_EQ(done.read_done_cycle - done.start_cycle, elements + 16);
    EXPECT_EQ(done.stalls[bank], 16U);
    EXPECT_EQ(done.stalls[port], 0U);
    EXPECT_EQ(hosts[0]->accesses[0].delay, cycle * 16);  // the host does not wait for the lanes
}

TEST_F(Contention, WriteOfTheSamePsumBankStallsToo) {
    build(Generation::CAYMAN);
    access(0, 100, true, Space::PSUM, 0, 0, 10);  // three cycles
    const RetireRecord done = run(copy(Space::PSUM));
    EXPECT_EQ(done.stalls[bank], 3U);
    EXPECT_EQ(done.end_cycle - done.start_cycle, alone + 3);
}

TEST_F(Contention, AnotherBankIsNoConflictFromCaymanOn) {
    build(Generation::CAYMAN);
    access(0, 100, false, Space::PSUM, 3, 0x800, 64);
    const RetireRecord done = run(copy(Space::PSUM));
    EXPECT_EQ(done.end_cycle - done.start_cycle, alone);
    EXPECT_EQ(done.stalls, StallCycles{});
}

TEST_F(Contention, AnotherBankMeetsAtThePortOfSunda) {
    build(Generation::SUNDA);
    access(0, 100, false, Space::PSUM, 3, 0x800, 64);
    const RetireRecord done = run(copy(Space::PSUM));
    EXPECT_EQ(done.end_cycle - done.start_cycle, alone + 16);
    EXPECT_EQ(done.stalls[port], 16U);
    EXPECT_EQ(done.stalls[bank], 0U);
}

TEST_F(Contention, SbufReadsMeetAtTheReadPort) {
    build(Generation::MARIANA);
    access(0, 100, false, Space::SBUF, 31, 0x8000, 64);  // 8 bytes a cycle
    const RetireRecord done = run(copy(Space::SBUF));
    EXPECT_EQ(done.stalls[port], 8U);
    EXPECT_EQ(done.end_cycle - done.start_cycle, alone + 8);
}

TEST_F(Contention, SbufWritesMeetWhileBeatsAreInWrite) {
    build(Generation::MARIANA);
    // The first beat enters WRITE 64 cycles behind its READ; before that the port is free.
    access(0, 20, true, Space::SBUF, 1, 0x8000, 80);
    access(0, 300, true, Space::SBUF, 1, 0x8000, 80);
    const RetireRecord done = run(copy(Space::PSUM));
    EXPECT_EQ(done.stalls[port], 10U);
    EXPECT_EQ(done.end_cycle - done.start_cycle, alone + 10);
}

TEST_F(Contention, OtherPartitionsAreNoConflict) {
    build(Generation::MARIANA);
    access(0, 100, false, Space::PSUM, 32, 0, 64);
    access(0, 140, false, Space::SBUF, 127, 0, 64);
    EXPECT_EQ(run(copy(Space::PSUM)).stalls, StallCycles{});
}

TEST_F(Contention, AHoldThatBeginsWithinACycleCountsFromTheNext) {
    build(Generation::MARIANA);
    access(0, 100.5, false, Space::PSUM, 3, 0, 64);
    const RetireRecord done = run(copy(Space::PSUM));
    EXPECT_EQ(done.stalls[bank], 16U);
}

TEST_F(Contention, MastersWaitForEachOtherAndTheLanesForBoth) {
    build(Generation::MARIANA);
    access(0, 100, false, Space::PSUM, 3, 0, 64);
    access(1, 104, false, Space::PSUM, 3, 0x100, 32);
    const RetireRecord done = run(copy(Space::PSUM));
    EXPECT_EQ(hosts[0]->accesses[0].delay, cycle * 16);
    EXPECT_EQ(hosts[1]->accesses[0].delay, cycle * (12 + 8));
    EXPECT_EQ(done.stalls[bank], 24U);
    EXPECT_EQ(done.end_cycle - done.start_cycle, alone + 24);
}

TEST_F(Contention, AnAnnotatedDelayMovesTheHold) {
    build(Generation::MARIANA);
    access(0, 10, false, Space::PSUM, 3, 0, 64);
    hosts[0]->accesses[0].delay = cycle * 200;  // the master is ahead of SystemC time
    const RetireRecord done = run(copy(Space::PSUM));
    EXPECT_EQ(done.stalls[bank], 16U);
    EXPECT_EQ(hosts[0]->accesses[0].delay, cycle * 216);
}

TEST_F(Contention, AHoldBeforeOrBehindTheInstructionCostsNothing) {
    build(Generation::MARIANA);
    access(0, 0, false, Space::PSUM, 3, 0, 4);
    access(0, 700, false, Space::PSUM, 3, 0, 64);
    EXPECT_EQ(run(copy(Space::PSUM)).stalls, StallCycles{});
}

/// Every lane waits, the results do not change.
TEST_F(Contention, ResultsAreThoseOfTheRunAlone) {
    build(Generation::MARIANA);
    for (std::uint32_t i = 0; i < elements; ++i) {
        bench->store(Space::PSUM, 5, 4 * i, static_cast<float>(i));
    }
    for (int i = 0; i < 40; ++i) {
        access(0, 10 + 20 * i, i % 2 == 0, Space::PSUM, 7, 0x10, 12);
    }
    Record record = copy(Space::PSUM);
    Edit(record).set("op0", 0).set("op1", 0);
    run(record);
    for (std::uint32_t i = 0; i < elements; ++i) {
        EXPECT_EQ(bench->load<float>(Space::SBUF, 5, 0x2000 + 4 * i), static_cast<float>(i));
    }
}

TEST_F(Contention, OnlyTheLanesGetDirectMemoryAccess) {
    build(Generation::MARIANA);
    bench->begin({copy(Space::PSUM)});
    tlm::tlm_generic_payload payload;
    std::uint8_t byte = 0;
    prepare(payload, tlm::TLM_READ_COMMAND, address(Space::PSUM, 3, 0), &byte, 1);
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(bench->host.socket->get_direct_mem_ptr(payload, dmi));
    sc_core::sc_start();
    EXPECT_TRUE(bench->halted());
}

}  // namespace
}  // namespace dve::test
