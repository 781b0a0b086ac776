// The general elementwise kernels: convert in, stage 0, stage 1, convert out, block by block.
#include "models/alu/elementwise.h"

#include <algorithm>
#include <cstring>

namespace dve {
namespace {

using Block = std::uint32_t[block_elements];

const std::uint32_t* scalar_of(const RowScalars& scalars, std::size_t row) {
    static constexpr std::uint32_t none = 0;
    return scalars.values == nullptr ? &none : scalars.values + row * scalars.stride;
}

const std::uint8_t* row_of(const ConstRows& rows, std::size_t row) {
    return rows.data + static_cast<std::ptrdiff_t>(row) * rows.row_stride;
}

std::uint8_t* row_of(const Rows& rows, std::size_t row) {
    return rows.data + static_cast<std::ptrdiff_t>(row) * rows.row_stride;
}

/// Zero-extends elements of `bytes` to words.
void widen(const std::uint8_t* from, std::uint32_t* to, std::size_t count, unsigned bytes) {
    if (bytes == 4) {
        std::memcpy(to, from, count * 4);
        return;
    }
    for (std::size_t i = 0; i < count; ++i) {
        to[i] = bytes == 1 ? from[i] : from[2 * i] | static_cast<unsigned>(from[2 * i + 1]) << 8;
    }
}

void narrow(const std::uint32_t* from, std::uint8_t* to, std::size_t count, unsigned bytes) {
    if (bytes == 4) {
        std::memcpy(to, from, count * 4);
        return;
    }
    for (std::size_t i = 0; i < count; ++i) {
        to[bytes * i] = static_cast<std::uint8_t>(from[i]);
        if (bytes == 2) {
            to[2 * i + 1] = static_cast<std::uint8_t>(from[i] >> 8);
        }
    }
}

bool uses_tensor(const ElementwiseSpec& spec) {
    return takes_tensor(spec.stage0) || takes_tensor(spec.stage1);
}

/// The right operand of a stage: its row scalar or the block of the second tensor.
const std::uint32_t* right_of(const StageSpec& spec, const RowScalars& scalars, std::size_t row,
                              const std::uint32_t* tensor) {
    return spec.operand == StageOperand::TENSOR ? tensor : scalar_of(scalars, row);
}

}  // namespace

void run_arithmetic_blocks(const ElementwiseKernel& kernel, const ElementwiseArguments& arguments,
                           FpStatus& status) {
    const ElementwiseSpec& spec = kernel.spec;
    const std::size_t bytes0 = element_bytes(spec.in0);
    const std::size_t bytes1 = element_bytes(spec.in1);
    const std::size_t bytes_out = element_bytes(spec.out);
    const bool tensor = uses_tensor(spec);
    alignas(64) Block first;
    alignas(64) Block second;
    alignas(64) Block after0;
    alignas(64) Block after1;
    for (std::size_t row = 0; row < arguments.rows; ++row) {
        const std::uint8_t* src0 = row_of(arguments.src0, row);
        const std::uint8_t* src1 = tensor ? row_of(arguments.src1, row) : nullptr;
        std::uint8_t* dst = row_of(arguments.dst, row);
        for (std::size_t done = 0; done < arguments.columns; done += block_elements) {
            const std::size_t count = std::min(block_elements, arguments.columns - done);
            kernel.in0(src0 + done * bytes0, first, count, kernel.model, status);
            if (tensor) {
                kernel.in1(src1 + done * bytes1, second, count, kernel.model, status);
            }
            const std::uint32_t* values = first;
            if (kernel.stage0 != nullptr) {
                kernel.stage0(values, right_of(spec.stage0, arguments.scalar0, row, second), after0,
                              count, kernel.model, status);
                values = after0;
            }
            if (kernel.stage1 != nullptr) {
                kernel.stage1(values, right_of(spec.stage1, arguments.scalar1, row, second), after1,
                              count, kernel.model, status);
                values = after1;
            }
            kernel.out(values, dst + done * bytes_out, count, kernel.model, status);
        }
    }
}

void run_bitvec_blocks(const ElementwiseKernel& kernel, const ElementwiseArguments& arguments,
                       FpStatus&) {
    const ElementwiseSpec& spec = kernel.spec;
    const unsigned bytes = element_bytes(spec.in0);
    const bool tensor = uses_tensor(spec);
    alignas(64) Block values;
    alignas(64) Block second;
    for (std::size_t row = 0; row < arguments.rows; ++row) {
        const std::uint8_t* src0 = row_of(arguments.src0, row);
        const std::uint8_t* src1 = tensor ? row_of(arguments.src1, row) : nullptr;
        std::uint8_t* dst = row_of(arguments.dst, row);
        for (std::size_t done = 0; done < arguments.columns; done += block_elements) {
            const std::size_t count = std::min(block_elements, arguments.columns - done);
            widen(src0 + done * bytes, values, count, bytes);
            if (tensor) {
                widen(src1 + done * bytes, second, count, bytes);
            }
            if (kernel.bitvec0 != nullptr) {
                kernel.bitvec0(values, right_of(spec.stage0, arguments.scalar0, row, second),
                               values, count, bytes * 8, kernel.model);
            }
            if (kernel.bitvec1 != nullptr) {
                kernel.bitvec1(values, right_of(spec.stage1, arguments.scalar1, row, second),
                               values, count, bytes * 8, kernel.model);
            }
            narrow(values, dst + done * bytes, count, bytes);
        }
    }
}

}  // namespace dve
