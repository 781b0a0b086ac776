// 100,000 random transactions of several initiators at once, every arrow checked, against byte
// arrays: through routers to memories, and into the engine with resets in between.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "platform/dve_engine.h"
#include "platform/system_memory.h"
#include "tests/support/initiator.h"
#include "tests/support/traffic.h"
#include "tlm/initiator_access.h"
#include "tlm/protocol_checker.h"

namespace dve::test {
namespace {

constexpr std::uint64_t transactions = 100'000;
constexpr unsigned initiators = 3;
constexpr std::uint64_t system_base = 0x1'0000'0000;
constexpr std::uint32_t system_bytes = 0x3000;

const char* unique(const char* seed) { return sc_core::sc_gen_unique_name(seed); }

/// SBUF and PSUM of CAYMAN: partitions of 224 KiB every 256 KiB, of 16 KiB every 32 KiB. Each
/// initiator has a partition of its own, with both of its ends, and a third of a shared one.
std::vector<TrafficArea> areas_of(unsigned initiator) {
    const GenerationRow& row = generation_row(Generation::CAYMAN);
    const auto at = [](const MemoryGeometry& memory, unsigned partition, std::uint32_t byte) {
        return memory.base + std::uint64_t{partition} * memory.partition_stride + byte;
    };
    const std::uint32_t end = row.sbuf.partition_bytes;
    const unsigned own = initiator == 2 ? 127 : initiator;
    return {{at(row.sbuf, own, 0), 400, false},
            {at(row.sbuf, own, end - 400), 400, true},
            {at(row.sbuf, 64, 1000 + 333 * initiator), 333, false},
            {at(row.psum, own, 0), row.psum.partition_bytes, true},
            {at(row.psum, 64, 333 * initiator), 333, false}};
}

/// What must be true after a run, whatever it did.
void expect_clean(const std::vector<std::unique_ptr<TrafficInitiator>>& sources,
                  const std::vector<std::unique_ptr<ProtocolChecker>>& checkers) {
    std::uint64_t sent = 0;
    for (const auto& source : sources) {
        const TrafficInitiator::Counts& counts = source->counts();
        sent += counts.transactions;
        EXPECT_EQ(counts.differences, 0U);
        EXPECT_GT(counts.errors, 100U);
        EXPECT_GT(counts.blocking, 1000U);
        EXPECT_GT(counts.debug, 1000U);
        EXPECT_GT(source->pool().taken(), 1000U);
        EXPECT_EQ(source->pool().taken(), source->pool().returned());
    }
    EXPECT_EQ(sent, transactions / initiators * initiators);
    for (const auto& checker : checkers) {
        EXPECT_EQ(checker->violations(), 0U) << checker->name();
        EXPECT_EQ(checker->in_flight(), 0U);
        EXPECT_GT(checker->calls(), 100U);
    }
}

/// Initiators -> checkers -> routers -> checkers -> SBUF, PSUM and a system memory.
class RoutedTraffic : public testing::TestWithParam<unsigned> {
protected:
    void SetUp() override {
        const GenerationRow& row = generation_row(Generation::CAYMAN);
        const auto style = NonBlockingStyle::four_phases(GetParam());
        const sc_core::sc_time cycle(1, sc_core::SC_NS);
        sbuf = std::make_unique<PartitionedMemory>("sbuf", row.sbuf, 8, cycle, style);
        psum = std::make_unique<PartitionedMemory>("psum", row.psum, 4, cycle, style);
        system = std::make_unique<SystemMemory>("system", system_bytes, cycle * 20, style);
        for (unsigned i = 0; i < initiators; ++i) {
            auto areas = areas_of(i);
            areas.push_back({system_base + 0x1000 * i, 0x1000, i == 2});
            sources.push_back(
                std::make_unique<TrafficInitiator>(unique("source"), i, areas, 0x5000'0000));
            routers.push_back(std::make_unique<Router>(unique("router")));
            sources[i]->socket.bind(new_checker().target);
            checkers.back()->initiator.bind(routers[i]->target);
            add_window(*routers[i], row.sbuf.base, row.sbuf.window_bytes(), sbuf->socket);
            add_window(*routers[i], row.psum.base, row.psum.window_bytes(), psum->socket);
            add_window(*routers[i], system_base, system_bytes, system->socket);
        }
        elaborate();
        for (auto& source : sources) {
            sc_core::sc_spawn([&source] { source->run(transactions / initiators); });
        }
    }
    ProtocolChecker& new_checker() {
        checkers.push_back(std::make_unique<ProtocolChecker>(unique("checker")));
        return *checkers.back();
    }
    template <typename Socket>
    void add_window(Router& router, std::uint64_t base, std::uint64_t bytes, Socket& socket) {
        router.map(base, bytes);
        router.initiator.bind(new_checker().target);
        checkers.back()->initiator.bind(socket);
    }

    std::unique_ptr<PartitionedMemory> sbuf;
    std::unique_ptr<PartitionedMemory> psum;
    std::unique_ptr<SystemMemory> system;
    std::vector<std::unique_ptr<Router>> routers;
    std::vector<std::unique_ptr<ProtocolChecker>> checkers;
    std::vector<std::unique_ptr<TrafficInitiator>> sources;
};

/// 0: early completion; otherwise four phases with so many requests outstanding.
INSTANTIATE_TEST_SUITE_P(Outstanding, RoutedTraffic, testing::Values(0, 1, 3),
                         testing::PrintToStringParamName());

TEST_P(RoutedTraffic, MatchesByteArrays) {
    sc_core::sc_start();
    expect_clean(sources, checkers);
    for (const auto& source : sources) {
        EXPECT_GT(source->counts().direct, 1000U);
        if (GetParam() == 0) {
            EXPECT_GT(source->counts().completed_early, 10'000U);
            EXPECT_EQ(source->counts().responses, 0U);
        } else {
            EXPECT_GT(source->counts().responses, 10'000U);
        }
    }
}

/// Random R[] accesses and resets over csr, against an array.
class CsrTraffic : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<CsrTraffic> socket;
    unsigned resets = 0;
    unsigned differences = 0;
    PayloadPool pool;

    explicit CsrTraffic(sc_core::sc_module_name name) : sc_module(name), socket("socket") {}

    void run(unsigned accesses) {
        std::mt19937 engine(1);
        for (unsigned i = 0; i < accesses; ++i) {
            wait(sc_core::sc_time(engine() % 40, sc_core::SC_NS));
            const unsigned number = engine() % 40;
            std::uint32_t value = static_cast<std::uint32_t>(engine());
            if (engine() % 50 == 0) {
                value = 1;
                access(engine() % 2 == 0, tlm::TLM_WRITE_COMMAND, csr::RESET, value);
                registers_.fill(0);
                ++resets;
            } else if (engine() % 2 == 0) {
                registers_[number] = value;
                access(engine() % 2 == 0, tlm::TLM_WRITE_COMMAND,
                       csr::registers_window + 4 * number, value);
            } else {
                access(engine() % 2 == 0, tlm::TLM_READ_COMMAND, csr::registers_window + 4 * number,
                       value);
                differences += value != registers_[number];
            }
        }
    }

private:
    void access(bool blocking, tlm::tlm_command command, std::uint64_t offset,
                std::uint32_t& value) {
        tlm::tlm_generic_payload& payload = pool.take();
        prepare(payload, command, offset, &value, sizeof value);
        sc_core::sc_time delay;
        if (blocking) {
            socket->b_transport(payload, delay);
        } else {
            tlm::tlm_phase phase = tlm::BEGIN_REQ;
            differences += socket->nb_transport_fw(payload, phase, delay) != tlm::TLM_COMPLETED;
        }
        differences += !payload.is_response_ok();
        payload.release();
    }

    std::array<std::uint32_t, 40> registers_{};
};

/// One initiator at the engine's memory socket, the others beside it at SBUF and PSUM.
class EngineTraffic : public testing::TestWithParam<TimingMode> {};

INSTANTIATE_TEST_SUITE_P(Timing, EngineTraffic,
                         testing::Values(TimingMode::LOOSE, TimingMode::CYCLE),
                         [](const auto& mode) { return timing_mode_name(mode.param); });

TEST_P(EngineTraffic, MatchesByteArraysThroughResets) {
    Configuration configuration =
        Configuration::defaults(Generation::CAYMAN, SemanticsProfile::REFERENCE);
    configuration.mode = GetParam();
    SilentLog log;
    DveEngine engine("engine", configuration, log);
    SystemMemory system("system", 64);
    sc_core::sc_signal<bool> irq("irq");
    engine.fetch.bind(system.socket);
    engine.irq.bind(irq);
    CsrTraffic host("host");
    std::vector<std::unique_ptr<ProtocolChecker>> checkers;
    const auto checked = [&checkers](auto& from) -> auto& {
        checkers.push_back(std::make_unique<ProtocolChecker>(unique("checker")));
        from.bind(checkers.back()->target);
        return checkers.back()->initiator;
    };
    checked(host.socket).bind(engine.csr);
    std::vector<std::unique_ptr<TrafficInitiator>> sources;
    std::vector<std::unique_ptr<Router>> routers;
    for (unsigned i = 0; i < initiators; ++i) {
        sources.push_back(
            std::make_unique<TrafficInitiator>(unique("source"), i, areas_of(i), 0x5000'0000));
        if (i == 0) {
            checked(sources[i]->socket).bind(engine.memory);
            continue;
        }
        routers.push_back(std::make_unique<Router>(unique("router")));
        Router& router = *routers.back();
        checked(sources[i]->socket).bind(router.target);
        for (const Space space : {Space::SBUF, Space::PSUM}) {
            const MemoryGeometry& geometry = engine.memory_of(space).geometry();
            router.map(geometry.base, geometry.window_bytes());
            checked(router.initiator).bind(engine.memory_of(space).socket);
        }
    }
    elaborate();
    for (auto& source : sources) {
        sc_core::sc_spawn([&source] { source->run(transactions / initiators); });
    }
    sc_core::sc_spawn([&host] { host.run(5000); });
    sc_core::sc_start();
    expect_clean(sources, checkers);
    EXPECT_EQ(host.differences, 0U);
    EXPECT_GT(host.resets, 50U);
    EXPECT_EQ(host.pool.taken(), host.pool.returned());
    for (const auto& source : sources) {
        // In cycle mode everybody must be seen at the ports. A reset withdraws what was granted.
        EXPECT_EQ(source->counts().direct > 0, GetParam() == TimingMode::LOOSE);
        EXPECT_EQ(source->counts().invalidations > 20, GetParam() == TimingMode::LOOSE);
    }
}

}  // namespace
}  // namespace dve::test
