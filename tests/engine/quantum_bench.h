// Quanta to run with, and the figures of a run that must not depend on them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "models/isa/assembly.h"
#include "tests/engine/device_bench.h"

namespace dve::test {

/// None, shorter than a cycle or a multiple of nothing, one cycle, up to far longer than a run.
inline std::vector<sc_core::sc_time> quanta(const sc_core::sc_time& cycle) {
    using sc_core::sc_time;
    return {sc_core::SC_ZERO_TIME,      sc_time(500, sc_core::SC_PS),
            sc_time(1, sc_core::SC_NS), cycle,
            sc_time(7, sc_core::SC_NS), sc_time(100, sc_core::SC_NS),
            sc_time(1, sc_core::SC_US), sc_time(10, sc_core::SC_US),
            sc_time(1, sc_core::SC_MS)};
}

inline void set_quantum(const sc_core::sc_time& quantum) {
    tlm::tlm_global_quantum::instance().set(quantum);
}

/// What a retire record says of its instruction.
using RetireFigures = std::array<std::uint64_t, 11 + stall_cause_count>;
inline RetireFigures figures_of(const RetireRecord& retire) {
    RetireFigures figures{retire.index,       retire.record_index,    retire.opcode->value(),
                          retire.fetch_cycle, retire.decoded_cycle,   retire.issue_cycle,
                          retire.start_cycle, retire.read_done_cycle, retire.end_cycle,
                          retire.channels,    retire.elements};
    std::copy(retire.stalls.begin(), retire.stalls.end(), figures.end() - stall_cause_count);
    return figures;
}

inline std::vector<RetireFigures> figures_of(const std::vector<RetireRecord>& records) {
    std::vector<RetireFigures> figures;
    for (const RetireRecord& record : records) {
        figures.push_back(figures_of(record));
    }
    return figures;
}

/// Notification entries with their times counted from the start of the run.
inline std::vector<std::uint64_t> notification_words(const std::uint8_t* entries, unsigned count,
                                                     std::uint64_t start_cycle) {
    std::vector<std::uint64_t> words(2 * std::size_t{count});
    std::memcpy(words.data(), entries, words.size() * sizeof words[0]);
    for (std::size_t time = 1; time < words.size(); time += 2) {
        words[time] -= words[time] == 0 ? 0 : start_cycle;
    }
    return words;
}

/// Assembles what has no errors.
inline std::vector<Record> records_of(const std::string& text,
                                      Generation generation = Generation::MARIANA) {
    AssemblyOptions options;
    options.generation = generation;
    const Assembly assembly = assemble(text, options);
    for (const AssemblyError& error : assembly.errors) {
        ADD_FAILURE() << "line " << error.line << ": " << error.message;
    }
    return assembly.records;
}

}  // namespace dve::test
