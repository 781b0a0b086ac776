// Random legal records of every modelled opcode, made from the field tables, and random programs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "models/isa/check.h"
#include "models/isa/record.h"

namespace dve::test {

/// Bytes of a partition that random walks stay in.
inline constexpr std::uint32_t random_area_bytes = 0x3000;

/// Behind it, every SBUF partition must hold index lists: words below `listed_elements`. The last
/// word of the lists is for an element that does not exist.
inline constexpr std::uint32_t index_lists_at = random_area_bytes;
inline constexpr std::uint32_t index_list_bytes = 0x400;
inline constexpr std::uint32_t listed_elements = 64;

class RandomRecords {
public:
    RandomRecords(unsigned seed, const IsaConfiguration& isa);

    /// A record that the predicates accept. Its walks stay in the area of a partition.
    Record tensor_record();
    /// Tensor and control records, waits that hold and updates; ends by itself.
    std::vector<Record> program(unsigned tensor_records);

    /// R[0..39] that the records of the last program address their operands with.
    const std::array<std::uint32_t, 64>& registers() const { return registers_; }

    std::mt19937& engine() { return engine_; }
    std::uint32_t between(std::uint32_t low, std::uint32_t high) {
        return low + engine_() % (high - low + 1);
    }
    bool one_in(unsigned n) { return between(1, n) == 1; }

private:
    std::optional<Record> propose(const OpcodeRow& opcode);
    void randomise(Record& record, const Field& field, const Layout& layout);
    bool place(Record& record, const Field& field, std::uint32_t elements);
    void place_indirect(Record& record, const Field& field, std::uint32_t elements,
                        unsigned element_bytes);
    std::uint32_t address_word(std::uint32_t byte, unsigned bytes_of_space);
    std::uint32_t any_float();
    void add_synchronisation(std::vector<Record>& program);
    void add_control(std::vector<Record>& program);

    IsaConfiguration isa_;
    std::mt19937 engine_;
    std::vector<const OpcodeRow*> opcodes_;
    std::array<std::uint32_t, 64> registers_{};
    unsigned next_register_ = 0;
    unsigned channels_ = 128;
    unsigned partition_ = 0;
    unsigned one_dtype_ = 0;  ///< of all operands; 0: each its own
};

}  // namespace dve::test
