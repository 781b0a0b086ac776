// A legal record of every modelled opcode, and edits by field name.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "models/isa/check.h"
#include "models/isa/record.h"

namespace dve::test {

inline constexpr std::uint32_t kib = 1024;

/// Changes a record by the names of its fields; elements of patterns by their place in the record.
class Edit {
public:
    explicit Edit(Record& record) : record_(record) {}

    Edit& set(const std::string& field, std::uint64_t value);
    Edit& byte(unsigned offset, std::uint8_t value);

    /// Start address word, one count, one step.
    Edit& start(const std::string& pattern, std::uint32_t word);
    Edit& count(const std::string& pattern, unsigned dimension, std::uint16_t elements);
    Edit& step(const std::string& pattern, unsigned dimension, std::int16_t step);

    /// The INDIRECT arm: the index word gets marker bit 29.
    Edit& indirect(const std::string& pattern, std::uint32_t index, std::uint32_t data,
                   std::uint16_t indices);

    const Record& record() const { return record_; }

private:
    const Field& find(const std::string& field) const;

    Record& record_;
};

/// Byte address of a partition of the SBUF of a generation, and of PSUM at 0x2000000.
std::uint32_t sbuf(Generation generation, unsigned partition, std::uint32_t byte);
std::uint32_t psum(unsigned partition, std::uint32_t byte);

/// A legal record: 32 channels from partition 0, 64 elements, FP32 or INT32; sources from SBUF byte
/// 0 and 0x1000, destination at 0x2000, pointers at 0x3000.
Record legal_record(std::uint8_t opcode);

/// The opcodes legal_record knows.
const std::vector<std::uint8_t>& sample_opcodes();

/// Names of the violations, in order.
std::vector<std::string> names_of(const std::vector<Violation>& violations);

std::vector<Generation> members(GenerationSet set);

}  // namespace dve::test
