// Conversions and stages, one element at a time; the operations come from the rows of alu_op.def.
#include "models/alu/evaluate.h"

#define DVE_KERNEL_NAMESPACE definition
#include "models/alu/arithmetic_operations.h"
#include "models/alu/bitvec_operations.h"
#include "models/alu/convert.h"
#include "models/alu/float_format.h"
#include "models/alu/soft_float.h"

namespace dve {
namespace {

template <typename Operation, bool has_fp32>
std::uint32_t fp32_or_nan(std::uint32_t left, std::uint32_t right, const NumberModel& model,
                          FpStatus& status) {
    if constexpr (has_fp32) {
        return Operation::fp32(left, right, model, status);
    } else {
        return canonical_nan_fp32;
    }
}

template <typename Operation, bool has_bitvec>
std::uint32_t bitvec_or_zero(std::uint32_t left, std::uint32_t right, unsigned width,
                             const NumberModel& model) {
    if constexpr (has_bitvec) {
        return Operation::bitvec(left, right, width, model) & definition::width_mask(width);
    } else {
        return 0;
    }
}

}  // namespace

std::uint32_t to_fp32(Dtype dtype, std::uint64_t raw, const NumberModel& model, FpStatus& status) {
    const DtypeRow& row = dtype_row(dtype);
    if (row.is_integer()) {
        return integer_to_fp32(raw, row.bits, row.kind == DtypeKind::SIGNED, model, status);
    }
    const auto word = static_cast<std::uint32_t>(raw);
    if (dtype == Dtype::FP32 || dtype == Dtype::FP32R) {
        return word;
    }
    return float_to_fp32(word, float_format(dtype, model));
}

std::uint64_t from_fp32(Dtype dtype, std::uint32_t fp32, const NumberModel& model,
                        FpStatus& status) {
    const DtypeRow& row = dtype_row(dtype);
    if (row.is_integer()) {
        return fp32_to_integer(fp32, row.bits, row.kind == DtypeKind::SIGNED, model, status);
    }
    if (dtype == Dtype::FP32) {
        return soft::is_nan(fp32) ? canonical_nan_fp32 : fp32;
    }
    const FloatFormat format = float_format(dtype, model);
    const std::uint32_t pattern = fp32_to_float(fp32, format, model, status);
    return dtype == Dtype::FP32R ? pattern << (23 - format.mantissa_bits) : pattern;
}

std::uint32_t evaluate_fp32(AluOp op, std::uint32_t left, std::uint32_t right,
                            const NumberModel& model, FpStatus& status) {
    switch (op) {
#define DVE_ALU_OP(value, name, operands, classes, first, function)                                  \
    case AluOp::name:                                                                            \
        return fp32_or_nan<definition::function, definition::is_fp32_operation(value, classes)>( \
            left, right, model, status);
#include "models/isa/alu_op.def"
#undef DVE_ALU_OP
    }
    return canonical_nan_fp32;
}

std::uint32_t evaluate_bitvec(AluOp op, std::uint32_t left, std::uint32_t right, unsigned bits,
                              const NumberModel& model) {
    left &= definition::width_mask(bits);
    right &= definition::width_mask(bits);
    switch (op) {
#define DVE_ALU_OP(value, name, operands, classes, first, function)                                \
    case AluOp::name:                                                                          \
        return bitvec_or_zero<definition::function, definition::is_bitvec_operation(classes)>( \
            left, right, bits, model);
#include "models/isa/alu_op.def"
#undef DVE_ALU_OP
    }
    return 0;
}

}  // namespace dve
