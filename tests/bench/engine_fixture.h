// One engine for all benchmarks of a process: SystemC allows one elaboration.
#pragma once

#include <vector>

#include "platform/dve_engine.h"
#include "platform/system_memory.h"

namespace dve::bench {

/// Room for programs of this many records.
inline constexpr std::size_t maximum_records = 4096;

/// A MARIANA engine with a program memory; nothing logged.
class EngineFixture {
public:
    explicit EngineFixture(TimingMode mode);

    /// Puts a program of `count` copies of a record into memory.
    void load(const Record& record, std::size_t count);
    /// Runs it to the end. False on a fault.
    bool run();

    std::uint8_t* sbuf(unsigned partition, std::uint32_t byte) {
        return engine_.memory_of(Space::SBUF).bytes(partition, byte, 1);
    }
    DveEngine& dve() { return engine_; }
    /// Host distance of two partitions.
    std::ptrdiff_t row_stride() { return sbuf(1, 0) - sbuf(0, 0); }

private:
    /// Keeps the ports that a host would drive bound.
    struct IdleHost : sc_core::sc_module {
        tlm_utils::simple_initiator_socket<IdleHost> csr;
        tlm_utils::simple_initiator_socket<IdleHost> memory;
        explicit IdleHost(sc_core::sc_module_name name)
            : sc_module(name), csr("csr"), memory("memory") {}
    };

    SilentLog log_;
    SystemMemory program_;
    DveEngine engine_;
    IdleHost host_;
    sc_core::sc_signal<bool> irq_;
    std::size_t bytes_ = 0;
};

/// Loosely timed; made at the first call.
EngineFixture& engine();

}  // namespace dve::bench
