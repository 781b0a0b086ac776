// An engine as a device: in either timing mode, with what its drivers do.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "platform/register_table.h"
#include "tests/support/engine_bench.h"

namespace dve::test {

inline Configuration configuration_of(TimingMode mode) {
    Configuration configuration =
        Configuration::defaults(Generation::MARIANA, SemanticsProfile::REFERENCE);
    configuration.mode = mode;
    return configuration;
}

inline auto both_modes() { return testing::Values(TimingMode::LOOSE, TimingMode::CYCLE); }
inline std::string mode_label(const testing::TestParamInfo<TimingMode>& info) {
    return timing_mode_name(info.param);
}

class DeviceBench : public EngineBench {
public:
    static constexpr std::uint32_t notifications_at = 0x2000;
    static constexpr std::uint32_t ring_at = 0x1000;

    explicit DeviceBench(const Configuration& configuration) : EngineBench(configuration) {}
    explicit DeviceBench(TimingMode mode) : DeviceBench(configuration_of(mode)) {}

    tlm::tlm_response_status write_status(std::uint32_t offset, std::uint32_t value) {
        return csr.write(offset, &value, 4);
    }
    tlm::tlm_response_status read_status(std::uint32_t offset) {
        std::uint32_t value = 0;
        return csr.read(offset, &value, 4);
    }
    std::uint64_t read_counter(std::uint32_t low_offset) {
        const std::uint64_t low = read_csr(low_offset);
        return std::uint64_t{read_csr(low_offset + 4)} << 32 | low;
    }
    bool cause(std::uint32_t mask) { return (read_csr(csr::INTERRUPT) & mask) != 0; }
    sc_core::sc_time cycles(double count) const {
        return cycle_time(engine.configuration()) * count;
    }

    // Notifications.
    void open_notifications(std::uint32_t entries, std::uint32_t at = notifications_at) {
        elaborate();
        write_csr(csr::NOTIFICATION_BASE_LO, at);
        write_csr(csr::NOTIFICATION_ENTRIES, entries);
    }
    const std::uint8_t* entry(unsigned index) {
        return system.bytes().data() + notifications_at + 16 * index;
    }
    template <typename T>
    T entry_word(unsigned index, unsigned byte) {
        T value;
        std::memcpy(&value, entry(index) + byte, sizeof value);
        return value;
    }

    // The instruction ring.
    void open_ring(std::uint32_t records) {
        elaborate();
        ring_records = records;
        tail = 0;
        write_csr(csr::RING_BASE_LO, ring_at);
        write_csr(csr::RING_BYTES, 64 * records);
    }
    void push(const Record& record) {
        place(tail, record);
        tail = (tail + 1) % ring_records;
    }
    void place(std::uint32_t index, const Record& record) {
        std::memcpy(system.bytes().data() + ring_at + 64 * index, record.bytes.data(), 64);
    }
    void ring_doorbell() { write_csr(csr::RING_TAIL, 64 * tail); }
    void start_ring() { write_csr(csr::START, 2); }

    std::uint32_t ring_records = 0;
    std::uint32_t tail = 0;  ///< in records
};

/// A process that acts while simulation runs.
class Driver : public sc_core::sc_module {
public:
    Driver(sc_core::sc_module_name name, std::function<void()> body)
        : sc_module(name), body_(std::move(body)) {
        DVE_HAS_PROCESS(Driver);
        SC_THREAD(run);
    }

private:
    void run() { body_(); }
    std::function<void()> body_;
};

inline Record notify() { return legal_record(0xA6); }

/// A branch by a number of records.
inline Record branch(std::int32_t records) {
    Record record = make_record(Opcode::COMPARE_BRANCH);
    record.set(fields::CTRL_BR::target_mode, 3);
    record.set(fields::CTRL_BR::br_immediate,
               static_cast<std::uint64_t>(static_cast<std::int64_t>(records)));
    return record;
}

}  // namespace dve::test
