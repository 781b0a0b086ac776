// Blocks of 64-bit words: load and extend, one or two operations, wrap and store.
#include "models/alu/integer_kernels.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "models/alu/integer.h"

namespace dve {
namespace {

constexpr std::size_t block_size = 256;
using Block = std::array<std::uint64_t, block_size>;

template <typename Element>
void load_elements(const std::uint8_t* from, std::uint64_t* to, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        Element element;
        std::memcpy(&element, from + i * sizeof element, sizeof element);
        to[i] = static_cast<std::uint64_t>(static_cast<std::int64_t>(element));
    }
}

template <typename Element>
void store_elements(const std::uint64_t* from, std::uint8_t* to, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const auto element = static_cast<Element>(from[i]);
        std::memcpy(to + i * sizeof element, &element, sizeof element);
    }
}

void load(Dtype dtype, const std::uint8_t* from, std::uint64_t* to, std::size_t count) {
    switch (dtype) {
        case Dtype::INT8: return load_elements<std::int8_t>(from, to, count);
        case Dtype::UINT8: return load_elements<std::uint8_t>(from, to, count);
        case Dtype::INT16: return load_elements<std::int16_t>(from, to, count);
        case Dtype::UINT16: return load_elements<std::uint16_t>(from, to, count);
        case Dtype::INT32: return load_elements<std::int32_t>(from, to, count);
        case Dtype::UINT32: return load_elements<std::uint32_t>(from, to, count);
        default: std::memcpy(to, from, count * sizeof *to);
    }
}

void store(Dtype dtype, const std::uint64_t* from, std::uint8_t* to, std::size_t count) {
    switch (element_bytes(dtype)) {
        case 1: return store_elements<std::uint8_t>(from, to, count);
        case 2: return store_elements<std::uint16_t>(from, to, count);
        case 4: return store_elements<std::uint32_t>(from, to, count);
        default: std::memcpy(to, from, count * sizeof *from);
    }
}

/// What a stage does to a block. Right operands: a block, or one word (step 0).
struct Stage {
    AluOp op;
    bool reversed;
    bool is_signed;
    IntegerType out;
};

void run_stage(const Stage& stage, const NumberModel& model, std::uint64_t* left,
               const std::uint64_t* right, std::size_t right_step, std::size_t count,
               FpStatus& status) {
    // The cheap and frequent operations as plain loops; the definition decides all others.
    const auto loop = [&](auto operation) {
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint64_t other = right[i * right_step];
            left[i] = stage.reversed ? operation(other, left[i]) : operation(left[i], other);
        }
    };
    using Word = std::uint64_t;
    switch (stage.op) {
        case AluOp::ADD_INT: return loop([](Word a, Word b) { return a + b; });
        case AluOp::SUBTRACT_INT: return loop([](Word a, Word b) { return a - b; });
        case AluOp::MULT_INT:
        case AluOp::MULT_UINT: return loop([](Word a, Word b) { return a * b; });
        case AluOp::IS_EQUAL_INT: return loop([](Word a, Word b) { return Word{a == b}; });
        case AluOp::IS_NE_INT: return loop([](Word a, Word b) { return Word{a != b}; });
        case AluOp::MAX_UINT: return loop([](Word a, Word b) { return a > b ? a : b; });
        case AluOp::MIN_UINT: return loop([](Word a, Word b) { return a < b ? a : b; });
        case AluOp::BITWISE_AND: return loop([](Word a, Word b) { return a & b; });
        case AluOp::BITWISE_OR: return loop([](Word a, Word b) { return a | b; });
        case AluOp::BITWISE_XOR: return loop([](Word a, Word b) { return a ^ b; });
        default: break;
    }
    if (alu_op_row(stage.op).in(BITVEC)) {
        return loop([&](Word a, Word b) { return *evaluate_bitvec64(stage.op, a, b, model); });
    }
    const IntegerType operands{64, stage.is_signed};
    loop([&](Word a, Word b) {
        return *evaluate_integer(stage.op, a, b, operands, stage.out, status);
    });
}

void wrap_block(std::uint64_t* block, std::size_t count, IntegerType type) {
    for (std::size_t i = 0; i < count; ++i) {
        block[i] = extend(block[i], type);
    }
}

}  // namespace

bool is_integer_spec(const ElementwiseSpec& spec) {
    return spec.integer || (spec.bitvec && element_bytes(spec.in0) == 8);
}

void run_integer_blocks(const ElementwiseKernel& kernel, const ElementwiseArguments& arguments,
                        FpStatus& status) {
    const ElementwiseSpec& spec = kernel.spec;
    const bool is_signed = IntegerType::of(spec.in0).is_signed;
    // A result wraps where it is stored; between two stages it wraps at 32 bits.
    const IntegerType between{32, is_signed};
    const IntegerType last{64, is_signed};
    const bool two = spec.stage1.op != AluOp::BYPASS;
    const Stage stages[2] = {
        {spec.stage0.op, spec.stage0.reversed, is_signed, two ? between : last},
        {spec.stage1.op, spec.stage1.reversed, is_signed, last}};
    const StageSpec* specs[2] = {&spec.stage0, &spec.stage1};
    const RowScalars* scalars[2] = {&arguments.scalar0, &arguments.scalar1};
    const std::size_t in0_bytes = element_bytes(spec.in0);
    const std::size_t in1_bytes = element_bytes(spec.in1);
    const std::size_t out_bytes = element_bytes(spec.out);

    Block value;
    Block second;
    for (std::size_t row = 0; row < arguments.rows; ++row) {
        const auto r = static_cast<std::ptrdiff_t>(row);
        for (std::size_t column = 0; column < arguments.columns; column += block_size) {
            const std::size_t count = std::min(block_size, arguments.columns - column);
            load(spec.in0, arguments.src0.data + r * arguments.src0.row_stride + column * in0_bytes,
                 value.data(), count);
            if (arguments.src1.data != nullptr) {
                load(spec.in1,
                     arguments.src1.data + r * arguments.src1.row_stride + column * in1_bytes,
                     second.data(), count);
            }
            for (unsigned s = 0; s < (two ? 2U : 1U); ++s) {
                if (stages[s].op == AluOp::BYPASS) {
                    continue;
                }
                const bool tensor = specs[s]->operand == StageOperand::TENSOR;
                const std::uint64_t scalar =
                    tensor ? 0 : extend(scalars[s]->values[row * scalars[s]->stride], {32, true});
                run_stage(stages[s], kernel.model, value.data(), tensor ? second.data() : &scalar,
                          tensor ? 1 : 0, count, status);
                if (two && s == 0) {
                    wrap_block(value.data(), count, between);
                }
            }
            store(spec.out, value.data(),
                  arguments.dst.data + r * arguments.dst.row_stride + column * out_bytes, count);
        }
    }
}

}  // namespace dve
