// Byte offsets of a walk's elements, one after the other.
#pragma once

#include <array>
#include <cstdint>

#include "models/lane_program/lane_program.h"

namespace dve {

class ElementWalk {
public:
    ElementWalk() = default;
    explicit ElementWalk(const TensorOperand& operand)
        : operand_(&operand), offset_(static_cast<std::int64_t>(operand.byte)) {}

    /// Of the next element, in its partition.
    std::int64_t offset() const { return offset_; }
    void advance() {
        for (unsigned d = 0; d < operand_->dimensions; ++d) {
            offset_ += operand_->walk[d].step;
            if (++index_[d] < operand_->walk[d].count) {
                return;
            }
            offset_ -= operand_->walk[d].step * operand_->walk[d].count;
            index_[d] = 0;
        }
    }

private:
    const TensorOperand* operand_ = nullptr;
    std::int64_t offset_ = 0;
    std::array<std::uint32_t, 4> index_{};
};

}  // namespace dve
