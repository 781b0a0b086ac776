// Lane loops: one operation or conversion over spans, generated from the rows of alu_op.def.
//
// Compiled once per instruction set; DVE_KERNEL_NAMESPACE names the copy.
#include "models/alu/arithmetic_operations.h"
#include "models/alu/bitvec_operations.h"
#include "models/alu/kernel_table.h"
#include "models/alu/lane_formats.h"

namespace dve::DVE_KERNEL_NAMESPACE {

extern const LaneTable lane_table;

namespace {

template <typename Operation, LaneShape shape>
std::uint32_t run(const std::uint32_t* left, const std::uint32_t* right,
                  std::uint32_t* __restrict out, std::size_t count) {
    std::uint32_t suspect = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t a = left[shape == LaneShape::LEFT_SCALAR ? 0 : i];
        const std::uint32_t b = right[shape == LaneShape::RIGHT_SCALAR ? 0 : i];
        const std::uint32_t result = Operation::lane(a, b);
        suspect |= Operation::suspect(a, b, result);
        out[i] = Operation::moves_bits ? result : canonical(result);
    }
    return suspect;
}

template <typename Operation, LaneShape shape>
std::uint32_t flags(const std::uint32_t* left, const std::uint32_t* right,
                    const std::uint32_t* result, std::size_t count) {
    std::uint32_t raised = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t a = left[shape == LaneShape::LEFT_SCALAR ? 0 : i];
        const std::uint32_t b = right[shape == LaneShape::RIGHT_SCALAR ? 0 : i];
        raised |= Operation::flags(a, b, result[i]);
    }
    return raised;
}

template <typename Operation, unsigned width, LaneShape shape>
void bitvec_width(const std::uint32_t* left, const std::uint32_t* right,
                  std::uint32_t* __restrict out, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t a = left[shape == LaneShape::LEFT_SCALAR ? 0 : i];
        const std::uint32_t b = right[shape == LaneShape::RIGHT_SCALAR ? 0 : i];
        out[i] = Operation::bitvec_lane(a & width_mask(width), b & width_mask(width), width) &
                 width_mask(width);
    }
}

template <typename Operation, LaneShape shape>
void bitvec(const std::uint32_t* left, const std::uint32_t* right, std::uint32_t* out,
            std::size_t count, unsigned width) {
    switch (width) {
        case 8: return bitvec_width<Operation, 8, shape>(left, right, out, count);
        case 16: return bitvec_width<Operation, 16, shape>(left, right, out, count);
        default: return bitvec_width<Operation, 32, shape>(left, right, out, count);
    }
}

template <typename Operation, LaneShape shape, bool has_fp32, bool has_bitvec>
constexpr void fill_shape(LaneOperation& to) {
    constexpr auto index = static_cast<std::size_t>(shape);
    if constexpr (has_fp32) {
        if constexpr (Operation::has_lane) {
            to.run[index] = run<Operation, shape>;
            to.may_raise = Operation::may_raise;
        }
        if constexpr (Operation::has_flags) {
            to.flags[index] = flags<Operation, shape>;
        }
    }
    if constexpr (has_bitvec) {
        to.bitvec[index] = bitvec<Operation, shape>;
    }
}

template <typename Operation, int value, int classes>
constexpr void fill_operation(LaneTable& table) {
    if constexpr (value < static_cast<int>(lane_operations)) {
        constexpr bool fp32 = is_fp32_operation(value, classes);
        constexpr bool bits_class = is_bitvec_operation(classes);
        LaneOperation& to = table.operations[value];
        fill_shape<Operation, LaneShape::TENSORS, fp32, bits_class>(to);
        fill_shape<Operation, LaneShape::RIGHT_SCALAR, fp32, bits_class>(to);
        fill_shape<Operation, LaneShape::LEFT_SCALAR, fp32, bits_class>(to);
    }
}

template <typename Format>
void convert_in(const std::uint8_t* from, std::uint32_t* __restrict fp32, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        typename Format::Storage raw;
        __builtin_memcpy(&raw, from + i * sizeof raw, sizeof raw);
        fp32[i] = Format::decode(raw);
    }
}

template <typename Format>
void convert_out(const std::uint32_t* fp32, std::uint8_t* __restrict to, std::size_t count,
                 const NumberModel& model) {
    const NumberModel rules = model;
    for (std::size_t i = 0; i < count; ++i) {
        const auto raw = static_cast<typename Format::Storage>(Format::encode(fp32[i], rules));
        __builtin_memcpy(to + i * sizeof raw, &raw, sizeof raw);
    }
}

template <typename Format>
std::uint32_t out_flags(const std::uint32_t* fp32, std::size_t count, const NumberModel& model) {
    const NumberModel rules = model;
    std::uint32_t raised = 0;
    for (std::size_t i = 0; i < count; ++i) {
        raised |= Format::flags(fp32[i], rules);
    }
    return raised;
}

/// Integers that FP32 cannot hold.
template <typename Word>
std::uint32_t integer_flags(const std::uint8_t* from, std::size_t count) {
    std::uint32_t inexact = 0;
    for (std::size_t i = 0; i < count; ++i) {
        Word raw;
        __builtin_memcpy(&raw, from + i * sizeof raw, sizeof raw);
        inexact |=
            condition(static_cast<double>(static_cast<float>(raw)) != static_cast<double>(raw));
    }
    return when(inexact, FpStatus::INEXACT);
}

template <typename Format>
constexpr LaneFormat format() {
    return {convert_in<Format>, nullptr, convert_out<Format>, out_flags<Format>};
}

template <typename Format>
constexpr LaneFormat wide_integer_format() {
    return {convert_in<Format>, integer_flags<typename Format::Storage>, convert_out<Format>,
            out_flags<Format>};
}

constexpr LaneTable make_table() {
    LaneTable table{};
#define DVE_ALU_OP(value, name, operands, classes, first, function) \
    fill_operation<function, value, classes>(table);
#include "models/isa/alu_op.def"
#undef DVE_ALU_OP
    const LaneFormat formats[] = {
        format<LaneFp32>(),
        format<LaneFloat<std::uint16_t, 7, 127, false>>(),
        format<LaneFloat<std::uint16_t, 10, 15, false>>(),
        format<LaneFloat<std::uint8_t, 4, 3, false>>(),
        format<LaneFloat<std::uint8_t, 3, 7, false>>(),
        format<LaneFloat<std::uint8_t, 3, 7, true>>(),
        format<LaneFloat<std::uint8_t, 2, 15, false>>(),
        format<LaneInteger<std::int8_t, std::int32_t>>(),
        format<LaneInteger<std::uint8_t, std::int32_t>>(),
        format<LaneInteger<std::int16_t, std::int32_t>>(),
        format<LaneInteger<std::uint16_t, std::int32_t>>(),
        wide_integer_format<LaneInteger<std::int32_t, std::int32_t>>(),
        wide_integer_format<LaneInteger<std::uint32_t, std::int64_t>>(),
        format<LaneFp32r>(),
    };
    for (std::size_t i = 0; i < lane_formats; ++i) {
        table.formats[i] = formats[i];
    }
    return table;
}

}  // namespace

constexpr LaneTable lane_table = make_table();

}  // namespace dve::DVE_KERNEL_NAMESPACE
