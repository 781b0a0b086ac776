// An engine with its host, its program memory and everything it reports.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "platform/dve_engine.h"
#include "platform/system_memory.h"
#include "tests/isa/check_samples.h"
#include "tests/support/initiator.h"
#include "tlm/protocol_checker.h"

namespace dve::test {

class RecordedLog final : public FirmwareLog {
public:
    RecordedLog() : FirmwareLog(true) {}
    void write(const std::string& text) override { lines.push_back(text); }

    bool has(const std::string& text) const {
        return std::find(lines.begin(), lines.end(), text) != lines.end();
    }
    std::vector<std::string> lines;
};

/// A checker sits on each arrow to the outside: whatever breaks the base protocol fails the test.
class EngineBench : private RetireObserver {
public:
    /// Offsets of the csr socket that the sources give.
    static constexpr std::uint64_t semaphore_read = 0x1000;
    static constexpr std::uint64_t semaphore_set = 0x1400;
    static constexpr std::uint64_t semaphore_increment = 0x1800;
    static constexpr std::uint64_t semaphore_decrement = 0x1C00;
    static constexpr std::uint64_t program_base = 0x400;

    explicit EngineBench(const Configuration& configuration)
        : engine(unique("engine"), configuration, log),
          system(unique("system"), 0x4000, sc_core::SC_ZERO_TIME,
                 non_blocking_style(configuration)),
          csr(unique("csr")),
          host(unique("host")),
          irq(unique("irq")),
          csr_checker(unique("csr_checker")),
          memory_checker(unique("memory_checker")),
          fetch_checker(unique("fetch_checker")) {
        engine.fetch.bind(fetch_checker.target);
        fetch_checker.initiator.bind(system.socket);
        csr.socket.bind(csr_checker.target);
        csr_checker.initiator.bind(engine.csr);
        host.socket.bind(memory_checker.target);
        memory_checker.initiator.bind(engine.memory);
        for (ProtocolChecker* checker : {&csr_checker, &memory_checker, &fetch_checker}) {
            checker->set_report(
                [](const ProtocolViolation& violation) { ADD_FAILURE() << violation.line(); });
            // Tests ask for debug access without data.
            checker->set_rule(ProtocolRule::DEBUG_POINTER, false);
        }
        engine.irq.bind(irq);
        engine.sequencer().set_retire_observer(this);
    }
    explicit EngineBench(Generation generation,
                         SemanticsProfile profile = SemanticsProfile::REFERENCE)
        : EngineBench(Configuration::defaults(generation, profile)) {}

    /// Starts a program; SystemC time does not move yet.
    void begin(const std::vector<Record>& program) {
        elaborate();
        for (std::size_t i = 0; i < program.size(); ++i) {
            std::memcpy(system.bytes().data() + program_base + 64 * i, program[i].bytes.data(), 64);
        }
        begin_at(program_base, static_cast<std::uint32_t>(64 * program.size()));
    }
    void begin_at(std::uint32_t base, std::uint32_t bytes) {
        retired_records.clear();
        log.lines.clear();
        write_csr(csr::PROGRAM_BASE_LO, base);
        write_csr(csr::PROGRAM_BYTES, bytes);
        write_csr(0x0004, 1);
    }
    /// Until nothing is left to do: the end of the program, or a wait for somebody outside.
    void run(const std::vector<Record>& program) {
        begin(program);
        sc_core::sc_start();
    }

    bool halted() const { return state() == RunState::HALTED; }
    bool faulted() const { return state() == RunState::FAULTED; }
    bool running() const { return state() == RunState::RUNNING; }
    const Fault& fault() const { return engine_sequencer().fault()->fault; }

    void write_csr(std::uint64_t offset, std::uint32_t value) { csr.write(offset, &value, 4); }
    std::uint32_t read_csr(std::uint64_t offset) {
        std::uint32_t value = 0;
        csr.read(offset, &value, 4);
        return value;
    }
    std::uint32_t semaphore(unsigned index) { return read_csr(semaphore_read + 4 * index); }
    void set_semaphore(unsigned index, std::uint32_t value) {
        write_csr(semaphore_set + 4 * index, value);
    }
    bool event(unsigned index) const { return engine_sequencer().synchronisation().event(index); }
    std::uint32_t reg(unsigned number) const { return engine_sequencer().register_value(number); }

    std::uint8_t* sbuf(unsigned partition, std::uint64_t byte, std::uint64_t count = 1) {
        return engine.memory_of(Space::SBUF).bytes(partition, byte, count);
    }
    template <typename T>
    T load(Space space, unsigned partition, std::uint64_t byte) {
        T value;
        std::memcpy(&value, engine.memory_of(space).bytes(partition, byte, sizeof value),
                    sizeof value);
        return value;
    }
    template <typename T>
    void store(Space space, unsigned partition, std::uint64_t byte, T value) {
        std::memcpy(engine.memory_of(space).bytes(partition, byte, sizeof value), &value,
                    sizeof value);
    }

    RecordedLog log;
    DveEngine engine;
    SystemMemory system;
    Initiator csr;
    Initiator host;
    sc_core::sc_signal<bool> irq;
    ProtocolChecker csr_checker;
    ProtocolChecker memory_checker;
    ProtocolChecker fetch_checker;
    std::vector<RetireRecord> retired_records;

private:
    static const char* unique(const char* seed) { return sc_core::sc_gen_unique_name(seed); }
    const Sequencer& engine_sequencer() const { return const_cast<DveEngine&>(engine).sequencer(); }
    RunState state() const { return engine_sequencer().state(); }
    void retired(const RetireRecord& record) override { retired_records.push_back(record); }
};

// Records that programs are made of.

inline Record nop() { return legal_record(0xA4); }
inline Record halt() { return legal_record(0xA1); }
inline Record drain() { return legal_record(0xA2); }

inline Record with_wait(Record record, std::uint8_t mode, std::uint8_t index, std::uint32_t value) {
    Edit(record).set("wait_mode", mode).set("wait_idx", index).set("semaphore_value", value);
    return record;
}
inline Record with_update(Record record, std::uint8_t mode, std::uint8_t index,
                          std::uint32_t value = 0) {
    Edit(record).set("update_mode", mode).set("update_idx", index).set("semaphore_value", value);
    return record;
}

/// R[number] = value.
inline Record move_immediate(std::uint8_t number, std::uint32_t value) {
    Record record = legal_record(0xA7);
    Edit(record).set("num_mov", 1).byte(24, number);
    std::memcpy(record.bytes.data() + 32, &value, 4);
    return record;
}

}  // namespace dve::test
