// Where the elements of an indirect operand lie. No SystemC.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/dve/memory_rows.h"
#include "models/isa/fault.h"
#include "models/lane_program/lane_program.h"

namespace dve {

/// The lists of one operand as bytes inside a partition. Memory grows to the longest lists seen.
class IndirectOffsets {
public:
    /// Reads the lists as they stand in memory; of a direct operand nothing. MEMORY_ERROR for an
    /// element that does not lie inside its partition. `field` is the operand's, for the message.
    std::optional<Fault> read(const TensorOperand& operand, unsigned channels,
                              std::uint32_t elements, const MemoryRows& list_rows,
                              const char* field);

    /// Of a channel's elements, in linear order; null for a direct operand.
    const std::uint32_t* of_channel(unsigned channel) const {
        return lists_ == 0 ? nullptr
                           : offsets_.data() + channel / sharers_ * std::size_t{elements_};
    }

    /// Bytes that the operand touches in some partition: [low, high).
    std::int64_t low() const { return low_; }
    std::int64_t high() const { return high_; }

private:
    unsigned lists_ = 0;  ///< 0: direct
    unsigned sharers_ = 1;
    std::uint32_t elements_ = 0;
    std::int64_t low_ = 0;
    std::int64_t high_ = 0;
    std::vector<std::uint32_t> offsets_;  ///< [list][element]
};

}  // namespace dve
