// Hand-made streams of lane values, and what a trace of them must hold.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "models/isa/record.h"
#include "tlm/lane_observer.h"

namespace dve::test {

using Bytes = std::vector<std::uint8_t>;

inline Bytes file_bytes(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// A file of the test that is gone with it.
class ScratchFile {
public:
    ScratchFile() {
        char name[] = "/tmp/dve_trace_test_XXXXXX";
        close(mkstemp(name));
        path_ = name;
    }
    ~ScratchFile() { std::remove(path_.c_str()); }
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;

    const std::string& path() const { return path_; }
    Bytes bytes() const { return file_bytes(path_); }

private:
    std::string path_;
};

/// Instruction, element, stage.
using Key = std::tuple<std::uint64_t, std::uint32_t, LaneStage>;
struct Expected {
    std::uint64_t cycle;
    std::vector<std::uint32_t> values;
    std::vector<std::uint32_t> second;
};

/// Feeds an observer and remembers what it was fed.
class LaneStream {
public:
    explicit LaneStream(LaneObserver& observer) : observer_(observer) {}

    void begin(std::uint64_t index, Opcode opcode, unsigned channels, std::uint64_t elements) {
        const Record record = make_record(opcode);
        RetireRecord retire;
        retire.index = index;
        retire.record_index = index + 1;
        retire.record = &record;
        retire.opcode = &opcode_row(opcode);
        retire.channels = channels;
        retire.elements = elements;
        retire.issue_cycle = 100 * index;
        retire.start_cycle = 100 * index + 1;
        observer_.begins(retire);
    }

    void value(std::uint64_t index, std::uint32_t element, LaneStage stage, std::uint64_t cycle,
               std::vector<std::uint32_t> values, std::vector<std::uint32_t> second = {}) {
        LaneValues fed;
        fed.instruction = index;
        fed.cycle = cycle;
        fed.stage = stage;
        fed.element = element;
        fed.lanes = static_cast<unsigned>(values.size());
        fed.values = values.data();
        fed.second = second.empty() ? nullptr : second.data();
        observer_.values(fed);
        expected_[{index, element, stage}] = {cycle, std::move(values), std::move(second)};
    }

    const std::map<Key, Expected>& expected() const { return expected_; }

private:
    LaneObserver& observer_;
    std::map<Key, Expected> expected_;
};

}  // namespace dve::test
