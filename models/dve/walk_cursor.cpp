// Runs along the innermost dimension, carried into the outer ones.
#include "models/dve/walk_cursor.h"

#include <algorithm>

#include "models/alu/kernels.h"

namespace dve {

template <typename Move>
void WalkCursor::runs(std::size_t count, Move move) {
    const TensorOperand& operand = *operand_;
    if (next_ != nullptr) {
        for (; count > 0; --count) {
            move(std::int64_t{*next_++}, std::int64_t{operand.element_bytes}, std::size_t{1});
        }
        return;
    }
    if (operand.dimensions == 0) {
        move(offset_, operand.element_bytes, std::size_t{1});
        return;
    }
    while (count > 0) {
        const WalkDimension& inner = operand.walk[0];
        const std::size_t run = std::min<std::size_t>(count, inner.count - index_[0]);
        move(offset_, inner.step, run);
        count -= run;
        index_[0] += static_cast<std::uint32_t>(run);
        offset_ += inner.step * static_cast<std::int64_t>(run);
        for (unsigned d = 0; d < operand.dimensions && index_[d] == operand.walk[d].count; ++d) {
            offset_ -= operand.walk[d].step * operand.walk[d].count;
            index_[d] = 0;
            if (d + 1U < operand.dimensions) {
                offset_ += operand.walk[d + 1U].step;
                ++index_[d + 1U];
            }
        }
    }
}

void WalkCursor::gather(const std::uint8_t* partition, std::uint8_t* to, std::size_t count) {
    const unsigned size = operand_->element_bytes;
    runs(count, [&](std::int64_t from, std::int64_t step, std::size_t run) {
        dve::gather(partition + from, static_cast<std::ptrdiff_t>(step), to, run, size);
        to += run * size;
    });
}

void WalkCursor::scatter(std::uint8_t* partition, const std::uint8_t* from, std::size_t count) {
    const unsigned size = operand_->element_bytes;
    runs(count, [&](std::int64_t to, std::int64_t step, std::size_t run) {
        dve::scatter(from, partition + to, static_cast<std::ptrdiff_t>(step), run, size);
        from += run * size;
    });
}

}  // namespace dve
