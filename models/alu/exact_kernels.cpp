// Vector kernels with exact status: the values first, then, only if a flag that is not yet raised
// may be missing, a pass that computes the flags.
#include "models/alu/exact_kernels.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "models/alu/evaluate.h"
#include "models/alu/kernel_table.h"

namespace dve {
namespace {

constexpr std::size_t chunk_elements = 512;

void raise(FpStatus& status, std::uint32_t flags) {
    status.raise(static_cast<std::uint8_t>(flags));
}

bool missing(std::uint32_t flags, const FpStatus& status) { return (flags & ~status.bits) != 0; }

template <std::size_t format>
void convert_in_span(const std::uint8_t* from, std::uint32_t* fp32, std::size_t count,
                     const NumberModel&, FpStatus& status) {
    const LaneFormat& lanes = kernel_table().lanes->formats[format];
    if (lanes.in_flags != nullptr && missing(FpStatus::INEXACT, status)) {
        raise(status, lanes.in_flags(from, count));
    }
    lanes.in(from, fp32, count);
}

template <std::size_t format>
void convert_out_span(const std::uint32_t* fp32, std::uint8_t* to, std::size_t count,
                      const NumberModel& model, FpStatus& status) {
    constexpr bool integer = format >= static_cast<std::size_t>(TileFormat::INT8) &&
                             format <= static_cast<std::size_t>(TileFormat::UINT32);
    constexpr std::uint32_t possible =
        integer ? FpStatus::INVALID | FpStatus::INEXACT
                : FpStatus::OVERFLOW_ | FpStatus::UNDERFLOW_ | FpStatus::INEXACT;
    const LaneFormat& lanes = kernel_table().lanes->formats[format];
    if (format != static_cast<std::size_t>(TileFormat::FP32) && missing(possible, status)) {
        raise(status, lanes.out_flags(fp32, count, model));
    }
    lanes.out(fp32, to, count, model);
}

std::uint32_t defined_flags(AluOp op, LaneShape shape, const std::uint32_t* left,
                            const std::uint32_t* right, std::size_t count, const NumberModel& model,
                            FpStatus raised, std::uint32_t wanted) {
    for (std::size_t i = 0; i < count && missing(wanted, raised); ++i) {
        evaluate_fp32(op, left[shape == LaneShape::LEFT_SCALAR ? 0 : i],
                      right[shape == LaneShape::RIGHT_SCALAR ? 0 : i], model, raised);
    }
    return raised.bits;
}

template <AluOp op, bool reversed, bool tensor>
void stage_span(const std::uint32_t* left, const std::uint32_t* right, std::uint32_t* out,
                std::size_t count, const NumberModel& model, FpStatus& status) {
    constexpr LaneShape shape = tensor     ? LaneShape::TENSORS
                                : reversed ? LaneShape::LEFT_SCALAR
                                           : LaneShape::RIGHT_SCALAR;
    const LaneOperation& operation =
        kernel_table().lanes->operations[static_cast<std::uint8_t>(op)];
    const LaneOperation::Run run = operation.run[static_cast<std::size_t>(shape)];
    const LaneOperation::Flags flags = operation.flags[static_cast<std::size_t>(shape)];
    const std::uint32_t inexact = operation.may_raise & FpStatus::INEXACT;
    for (std::size_t done = 0; done < count; done += chunk_elements) {
        const std::size_t length = std::min(chunk_elements, count - done);
        std::uint32_t copy[chunk_elements];
        const std::uint32_t* x = left + done;
        const std::uint32_t* y = tensor ? right + done : right;
        const bool left_is_out = x == out + done;
        const bool right_is_out = tensor && y == out + done;
        if (left_is_out || right_is_out) {
            std::memcpy(copy, out + done, length * sizeof *copy);
            x = left_is_out ? copy : x;
            y = right_is_out ? copy : y;
        }
        const std::uint32_t* a = reversed ? y : x;
        const std::uint32_t* b = reversed ? x : y;
        const std::uint32_t suspect = run(a, b, out + done, length) | inexact;
        if (missing(suspect, status)) {
            raise(status, flags != nullptr
                              ? flags(a, b, out + done, length)
                              : defined_flags(op, shape, a, b, length, model, status, suspect));
        }
    }
}

template <AluOp op, bool reversed, bool tensor>
void bitvec_span(const std::uint32_t* left, const std::uint32_t* right, std::uint32_t* out,
                 std::size_t count, unsigned width, const NumberModel&) {
    constexpr LaneShape shape = tensor     ? LaneShape::TENSORS
                                : reversed ? LaneShape::LEFT_SCALAR
                                           : LaneShape::RIGHT_SCALAR;
    const LaneOperation::Bitvec run = kernel_table()
                                          .lanes->operations[static_cast<std::uint8_t>(op)]
                                          .bitvec[static_cast<std::size_t>(shape)];
    for (std::size_t done = 0; done < count; done += chunk_elements) {
        const std::size_t length = std::min(chunk_elements, count - done);
        std::uint32_t result[chunk_elements];
        const std::uint32_t* x = left + done;
        const std::uint32_t* y = tensor ? right + done : right;
        run(reversed ? y : x, reversed ? x : y, result, length, width);
        std::memcpy(out + done, result, length * sizeof *result);
    }
}

struct Tables {
    std::array<std::array<StageFunction, 4>, 256> stages{};
    std::array<std::array<BitvecStageFunction, 4>, 256> bitvec{};

    template <AluOp op>
    constexpr void add() {
        constexpr auto value = static_cast<std::size_t>(op);
        if constexpr (value < lane_operations) {
            stages[value] = {stage_span<op, false, false>, stage_span<op, false, true>,
                             stage_span<op, true, false>, stage_span<op, true, true>};
            bitvec[value] = {bitvec_span<op, false, false>, bitvec_span<op, false, true>,
                             bitvec_span<op, true, false>, bitvec_span<op, true, true>};
        }
    }

    constexpr Tables() {
#define DVE_ALU_OP(value, name, operands, classes, first, function) add<AluOp::name>();
#include "models/isa/alu_op.def"
#undef DVE_ALU_OP
    }
};

constexpr Tables tables;

template <std::size_t... formats>
constexpr std::array<ConvertInFunction, lane_formats> in_functions(
    std::index_sequence<formats...>) {
    return {convert_in_span<formats>...};
}

template <std::size_t... formats>
constexpr std::array<ConvertOutFunction, lane_formats> out_functions(
    std::index_sequence<formats...>) {
    return {convert_out_span<formats>...};
}

bool default_rounding(const NumberModel& model) {
    return model.rounding == Rounding::NEAREST_EVEN && !model.flush_subnormals;
}

/// Index: 2 * reversed + tensor. BYPASS passes the left operand whatever `reversed` says.
std::size_t variant(const StageSpec& spec) {
    const bool reversed = spec.reversed && spec.op != AluOp::BYPASS;
    return (reversed ? 2U : 0U) + (spec.operand == StageOperand::TENSOR ? 1U : 0U);
}

}  // namespace

int lane_format_of(Dtype dtype, const NumberModel& model) {
    const auto index = [](TileFormat format) { return static_cast<int>(format); };
    switch (dtype) {
        case Dtype::FP32: return index(TileFormat::FP32);
        case Dtype::BF16: return index(TileFormat::BF16);
        case Dtype::FP16: return index(TileFormat::FP16);
        case Dtype::FP8_EXP3: return index(TileFormat::FP8_EXP3);
        case Dtype::FP8_EXP4:
            return index(model.fp8_exp4_fn ? TileFormat::FP8_EXP4_FN : TileFormat::FP8_EXP4);
        case Dtype::FP8_EXP5: return index(TileFormat::FP8_EXP5);
        case Dtype::INT8: return index(TileFormat::INT8);
        case Dtype::UINT8: return index(TileFormat::UINT8);
        case Dtype::INT16: return index(TileFormat::INT16);
        case Dtype::UINT16: return index(TileFormat::UINT16);
        case Dtype::INT32: return index(TileFormat::INT32);
        case Dtype::UINT32: return index(TileFormat::UINT32);
        case Dtype::FP32R: return static_cast<int>(lane_format_fp32r);
        default: return -1;
    }
}

bool lane_form_applies(AluOp op, const NumberModel& model) {
    const auto value = static_cast<std::size_t>(op);
    if (!default_rounding(model) || value >= lane_operations ||
        kernel_table().lanes->operations[value].run[0] == nullptr) {
        return false;
    }
    switch (op) {
        case AluOp::MAX:
        case AluOp::MIN:
        case AluOp::ABS_MAX:
        case AluOp::ABS_MIN:
        case AluOp::RE_LU: return !model.minmax_propagates_nan;
        case AluOp::SYMMETRIC_CLAMP:
            return !model.minmax_propagates_nan && !model.symmetric_clamp_min;
        default: return true;
    }
}

ConvertInFunction exact_convert_in(Dtype dtype, const NumberModel& model) {
    static constexpr auto functions = in_functions(std::make_index_sequence<lane_formats>{});
    const int format = lane_format_of(dtype, model);
    return default_rounding(model) && format >= 0 ? functions[static_cast<std::size_t>(format)]
                                                  : nullptr;
}

ConvertOutFunction exact_convert_out(Dtype dtype, const NumberModel& model) {
    static constexpr auto functions = out_functions(std::make_index_sequence<lane_formats>{});
    const int format = lane_format_of(dtype, model);
    return default_rounding(model) && format >= 0 ? functions[static_cast<std::size_t>(format)]
                                                  : nullptr;
}

StageFunction exact_stage(const StageSpec& spec, const NumberModel& model) {
    return lane_form_applies(spec.op, model)
               ? tables.stages[static_cast<std::uint8_t>(spec.op)][variant(spec)]
               : nullptr;
}

BitvecStageFunction vector_bitvec_stage(const StageSpec& spec, const NumberModel& model) {
    const auto value = static_cast<std::size_t>(spec.op);
    if (value >= lane_operations || kernel_table().lanes->operations[value].bitvec[0] == nullptr) {
        return nullptr;
    }
    const AluOpRow& row = alu_op_row(spec.op);
    const bool is_shift = row.in(SHIFT_LEFT) || row.in(SHIFT_RIGHT);
    if ((is_shift && model.shift_modulo) ||
        (spec.op == AluOp::CRC32 && model.crc32_polynomial != NumberModel{}.crc32_polynomial)) {
        return nullptr;
    }
    return tables.bitvec[value][variant(spec)];
}

}  // namespace dve
