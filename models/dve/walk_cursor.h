// Moves the elements of a walk, in linear order, to and from a contiguous block.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "models/lane_program/lane_program.h"

namespace dve {

/// A position in a walk, or in the list of an indirect operand. Each call continues where the last
/// one stopped.
class WalkCursor {
public:
    WalkCursor() = default;
    /// `offsets`: bytes of the channel's elements (IndirectOffsets), null for a direct operand.
    explicit WalkCursor(const TensorOperand& operand, const std::uint32_t* offsets = nullptr)
        : operand_(&operand), next_(offsets), offset_(static_cast<std::int64_t>(operand.byte)) {}

    /// Next `count` elements of the partition that starts at `partition`.
    void gather(const std::uint8_t* partition, std::uint8_t* to, std::size_t count);
    void scatter(std::uint8_t* partition, const std::uint8_t* from, std::size_t count);

private:
    template <typename Move>
    void runs(std::size_t count, Move move);

    const TensorOperand* operand_ = nullptr;
    const std::uint32_t* next_ = nullptr;  ///< indirect: byte of the next element
    std::int64_t offset_ = 0;              ///< byte of the next element
    std::array<std::uint32_t, 4> index_{};
};

}  // namespace dve
