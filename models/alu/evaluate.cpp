// Conversions and stages, one element at a time; the operations come from the rows of alu_op.def.
#include "models/alu/evaluate.h"

#define DVE_KERNEL_NAMESPACE definition
#include "models/alu/arithmetic_operations.h"
#include "models/alu/bitvec_operations.h"
#include "models/alu/float_format.h"
#include "models/alu/soft_float.h"

namespace dve {
namespace {

constexpr std::uint64_t low_bits(unsigned count) {
    return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1U;
}

std::uint32_t integer_to_fp32(std::uint64_t raw, const DtypeRow& row, const NumberModel& model,
                              FpStatus& status) {
    std::uint64_t value = raw & low_bits(row.bits);
    const bool negative = row.kind == DtypeKind::SIGNED && ((value >> (row.bits - 1U)) & 1U) != 0;
    if (negative) {
        value = (~value + 1U) & low_bits(row.bits);
    }
    return value == 0 ? 0U : soft::rounded(negative, value, 0, model, status);
}

std::uint32_t float_to_fp32(std::uint32_t raw, const FloatFormat& format) {
    const std::uint32_t sign = ((raw >> format.sign_shift()) & 1U) << 31;
    const std::uint32_t magnitude = raw & format.all_ones();
    if (format.is_nan(magnitude)) {
        const std::uint32_t mantissa = magnitude & ((1U << format.mantissa_bits) - 1U);
        return sign | soft::infinity | (mantissa << (23 - format.mantissa_bits));
    }
    if (format.is_infinity(magnitude)) {
        return sign | soft::infinity;
    }
    const std::uint32_t field = magnitude >> format.mantissa_bits;
    const std::uint32_t mantissa = magnitude & ((1U << format.mantissa_bits) - 1U);
    const std::uint32_t significand =
        field == 0 ? mantissa : mantissa | (1U << format.mantissa_bits);
    if (significand == 0) {
        return sign;
    }
    const int exponent = static_cast<int>(field == 0 ? 1 : field) - format.bias -
                         static_cast<int>(format.mantissa_bits);
    FpStatus exact;
    return sign | round_to_format(fp32_format, sign != 0, significand, exponent, {}, exact);
}

std::uint64_t fp32_to_integer(std::uint32_t fp32, const DtypeRow& row, const NumberModel& model,
                              FpStatus& status) {
    const bool is_signed = row.kind == DtypeKind::SIGNED;
    const std::uint64_t largest = low_bits(is_signed ? row.bits - 1U : row.bits);
    if (soft::is_nan(fp32)) {
        status.raise(FpStatus::INVALID);
        return model.nan_to_int_max ? largest : 0U;
    }
    const bool negative = soft::negative(fp32);
    // The magnitude of the most negative value; an unsigned type has none.
    const std::uint64_t limit = negative ? (is_signed ? largest + 1U : 0U) : largest;
    std::uint64_t value = ~std::uint64_t{0};
    bool inexact = false;
    bool fits = false;
    if (!soft::is_infinity(fp32)) {
        const soft::Value exact = soft::value_of(fp32);
        if (exact.exponent <= 0) {
            value = shift_rounded(
                exact.significand, static_cast<unsigned>(-exact.exponent), negative,
                model.fp_to_int_nearest ? Rounding::NEAREST_EVEN : Rounding::TO_ZERO, inexact);
            fits = true;
        } else if (exact.exponent <= 40) {
            value = exact.significand << exact.exponent;
            fits = true;
        }
    }
    if (!fits || value > limit) {
        status.raise(FpStatus::INVALID);
        value = limit;
    } else if (inexact) {
        status.raise(FpStatus::INEXACT);
    }
    return (negative ? ~value + 1U : value) & low_bits(row.bits);
}

std::uint32_t fp32_to_float(std::uint32_t fp32, const FloatFormat& format, const NumberModel& model,
                            FpStatus& status) {
    if (soft::is_nan(fp32)) {
        return format.canonical_nan();
    }
    const bool negative = soft::negative(fp32);
    const std::uint32_t sign = negative ? 1U << format.sign_shift() : 0U;
    std::uint32_t magnitude = 0;
    if (soft::is_infinity(fp32)) {
        if (model.saturate_narrowing) {
            status.raise(FpStatus::OVERFLOW_ | FpStatus::INEXACT);
            magnitude = format.largest();
        } else if (format.finite) {
            status.raise(FpStatus::OVERFLOW_ | FpStatus::INEXACT);
            magnitude = format.infinity_or_nan();
        } else {
            magnitude = format.top_exponent();
        }
    } else if (!soft::is_zero(fp32)) {
        const soft::Value value = soft::value_of(fp32);
        const RoundingRules rules{model.rounding, model.saturate_narrowing, false};
        magnitude =
            round_to_format(format, negative, value.significand, value.exponent, rules, status);
    }
    return format.is_nan(magnitude) ? format.canonical_nan() : sign | magnitude;
}

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
        return integer_to_fp32(raw, row, model, status);
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
        return fp32_to_integer(fp32, row, model, status);
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
#define ALU_OP(value, name, operands, classes, first, function)                                  \
    case AluOp::name:                                                                            \
        return fp32_or_nan<definition::function, definition::is_fp32_operation(value, classes)>( \
            left, right, model, status);
#include "models/isa/alu_op.def"
#undef ALU_OP
    }
    return canonical_nan_fp32;
}

std::uint32_t evaluate_bitvec(AluOp op, std::uint32_t left, std::uint32_t right, unsigned bits,
                              const NumberModel& model) {
    left &= definition::width_mask(bits);
    right &= definition::width_mask(bits);
    switch (op) {
#define ALU_OP(value, name, operands, classes, first, function)                                \
    case AluOp::name:                                                                          \
        return bitvec_or_zero<definition::function, definition::is_bitvec_operation(classes)>( \
            left, right, bits, model);
#include "models/isa/alu_op.def"
#undef ALU_OP
    }
    return 0;
}

}  // namespace dve
