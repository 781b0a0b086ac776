// Kernels of every number model: one function per dtype and per operation, chosen from tables.
#include "models/alu/definition_kernels.h"

#include <array>
#include <cstring>

#include "models/alu/evaluate.h"

namespace dve {
namespace {

template <Dtype dtype>
void convert_in_elements(const std::uint8_t* from, std::uint32_t* fp32, std::size_t count,
                         const NumberModel& model, FpStatus& status) {
    const unsigned bytes = element_bytes(dtype);
    for (std::size_t i = 0; i < count; ++i) {
        std::uint64_t raw = 0;  // little-endian, as the memories of the engine
        std::memcpy(&raw, from + i * bytes, bytes);
        fp32[i] = to_fp32(dtype, raw, model, status);
    }
}

template <Dtype dtype>
void convert_out_elements(const std::uint32_t* fp32, std::uint8_t* to, std::size_t count,
                          const NumberModel& model, FpStatus& status) {
    const unsigned bytes = element_bytes(dtype);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t raw = from_fp32(dtype, fp32[i], model, status);
        std::memcpy(to + i * bytes, &raw, bytes);
    }
}

template <AluOp op, bool reversed, bool tensor>
void stage_elements(const std::uint32_t* left, const std::uint32_t* right, std::uint32_t* out,
                    std::size_t count, const NumberModel& model, FpStatus& status) {
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t operand = right[tensor ? i : 0];
        out[i] = reversed ? evaluate_fp32(op, operand, left[i], model, status)
                          : evaluate_fp32(op, left[i], operand, model, status);
    }
}

template <AluOp op, bool reversed, bool tensor>
void bitvec_elements(const std::uint32_t* left, const std::uint32_t* right, std::uint32_t* out,
                     std::size_t count, unsigned width, const NumberModel& model) {
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t operand = right[tensor ? i : 0];
        out[i] = reversed ? evaluate_bitvec(op, operand, left[i], width, model)
                          : evaluate_bitvec(op, left[i], operand, width, model);
    }
}

/// Index: 2 * reversed + tensor. BYPASS passes the left operand whatever `reversed` says.
std::size_t variant(const StageSpec& spec) {
    const bool reversed = spec.reversed && spec.op != AluOp::BYPASS;
    return (reversed ? 2U : 0U) + (spec.operand == StageOperand::TENSOR ? 1U : 0U);
}

struct Tables {
    std::array<ConvertInFunction, 256> in{};
    std::array<ConvertOutFunction, 256> out{};
    std::array<std::array<StageFunction, 4>, 256> stages{};
    std::array<std::array<BitvecStageFunction, 4>, 256> bitvec{};

    constexpr Tables() {
#define DVE_DTYPE(value, name, bits, kind, exponent, mantissa, bias, first) \
    in[value] = convert_in_elements<Dtype::name>;                       \
    out[value] = convert_out_elements<Dtype::name>;
#include "models/isa/dtype.def"
#undef DVE_DTYPE
#define DVE_ALU_OP(value, name, operands, classes, first, function)                                \
    stages[value] = {                                                                          \
        stage_elements<AluOp::name, false, false>, stage_elements<AluOp::name, false, true>,   \
        stage_elements<AluOp::name, true, false>, stage_elements<AluOp::name, true, true>};    \
    bitvec[value] = {                                                                          \
        bitvec_elements<AluOp::name, false, false>, bitvec_elements<AluOp::name, false, true>, \
        bitvec_elements<AluOp::name, true, false>, bitvec_elements<AluOp::name, true, true>};
#include "models/isa/alu_op.def"
#undef DVE_ALU_OP
    }
};

constexpr Tables tables;

}  // namespace

ConvertInFunction definition_convert_in(Dtype dtype) {
    return tables.in[static_cast<std::uint8_t>(dtype)];
}

ConvertOutFunction definition_convert_out(Dtype dtype) {
    return tables.out[static_cast<std::uint8_t>(dtype)];
}

StageFunction definition_stage(const StageSpec& spec) {
    return tables.stages[static_cast<std::uint8_t>(spec.op)][variant(spec)];
}

BitvecStageFunction definition_bitvec_stage(const StageSpec& spec) {
    return tables.bitvec[static_cast<std::uint8_t>(spec.op)][variant(spec)];
}

}  // namespace dve
