// Random base-protocol traffic of one initiator over areas of its own, held against a byte array.
#pragma once

#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <list>
#include <random>
#include <vector>

#include "tests/support/payload_pool.h"
#include "tlm/systemc_compat.h"

namespace dve::test {

/// Addresses that only one initiator touches.
struct TrafficArea {
    std::uint64_t first;
    std::uint32_t bytes;
    bool ends_memory;  ///< whoever crosses its end gets an address error
};

class TrafficInitiator : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<TrafficInitiator> socket;

    struct Counts {
        std::uint64_t transactions = 0;
        std::uint64_t blocking = 0;
        std::uint64_t completed_early = 0;
        std::uint64_t responses = 0;  ///< by phases
        std::uint64_t direct = 0;
        std::uint64_t debug = 0;
        std::uint64_t errors = 0;  ///< as expected
        std::uint64_t differences = 0;
        std::uint64_t invalidations = 0;
    };

    /// Starts from bytes of zero. `unmapped`: an address that no target answers.
    TrafficInitiator(sc_core::sc_module_name name, unsigned seed, std::vector<TrafficArea> areas,
                     std::uint64_t unmapped);

    /// From a thread: transactions of all kinds; returns when all have ended.
    void run(std::uint64_t transactions);

    const Counts& counts() const { return counts_; }
    const PayloadPool& pool() const { return pool_; }

private:
    /// A transaction with its data, and what it must come back with.
    struct Work {
        std::vector<std::uint8_t> data;
        std::vector<std::uint8_t> expected;
        std::vector<std::uint8_t> enables;
        tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
        std::uint64_t address = 0;
        tlm::tlm_generic_payload* payload = nullptr;
    };
    struct Area {
        TrafficArea at;
        std::vector<std::uint8_t> bytes;
    };

    std::uint32_t between(std::uint32_t low, std::uint32_t high) {
        return low + static_cast<std::uint32_t>(engine_() % (std::uint64_t{high} - low + 1));
    }
    bool one_in(std::uint32_t n) { return between(1, n) == 1; }

    Work invent(tlm::tlm_generic_payload& payload);
    void work_out(Work& work, const tlm::tlm_generic_payload& payload, Area& area,
                  std::uint32_t offset);
    void check(const Work& work, const tlm::tlm_generic_payload& payload);
    void check(bool holds) { counts_.differences += !holds; }

    void send_blocking();
    void send_non_blocking();
    void use_direct_memory();
    void use_debug_transport();
    void drain();
    void pause();

    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay);
    void receive(tlm::tlm_generic_payload& payload);
    void end_response();
    void finish(tlm::tlm_generic_payload& payload);
    void invalidate(sc_dt::uint64, sc_dt::uint64) { ++counts_.invalidations; }

    std::mt19937 engine_;
    std::vector<Area> areas_;
    std::uint64_t unmapped_;
    Counts counts_;
    PayloadPool pool_;
    std::list<Work> flying_;                        ///< between BEGIN_REQ and the end
    bool request_open_ = false;                     ///< BEGIN_REQ sent and not ended
    tlm::tlm_generic_payload* response_ = nullptr;  ///< that end_response will end
    sc_core::sc_event progress_;
    sc_core::sc_event end_response_event_;
};

}  // namespace dve::test
