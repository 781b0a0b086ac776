// Loops that a person would write for one instruction, over the same rows of memory.
//
// Compiled for the machine at hand, because the model chooses its kernels at run time as well.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dve::bench {

/// dst = src * scale + offset (0x43), or dst = src * scale + second (0x9D, second not null).
struct LoopArguments {
    const std::uint8_t* src;
    const std::uint8_t* second;
    std::uint8_t* dst;
    std::ptrdiff_t row_stride;  ///< bytes, the same for all three
    std::size_t rows;
    std::size_t columns;
    float scale;
    float offset;
};

void loop_fp32(const LoopArguments& arguments);
void loop_bf16(const LoopArguments& arguments);
void loop_fp16(const LoopArguments& arguments);
void loop_fp8_exp4(const LoopArguments& arguments);
void loop_int8(const LoopArguments& arguments);

}  // namespace dve::bench
