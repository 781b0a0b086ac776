// The C library's exponential, rounded to FP32 by the number model.
#include "models/alu/exponential.h"

#include <cmath>
#include <cstring>

#include "models/alu/soft_float.h"

namespace dve {
namespace {

float to_float(std::uint32_t bits) {
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

/// Outside of these arguments the result is beyond the largest or below half the least number.
constexpr float largest_argument = 89.0F;
constexpr float least_argument = -104.5F;

/// Bits of a double below the last bit of a normal FP32 number.
constexpr unsigned extra_bits = 29;

}  // namespace

std::uint32_t evaluate_exponential(std::uint32_t fp32, const NumberModel& model, FpStatus& status) {
    fp32 = soft::operand(fp32, model);
    if (soft::is_nan(fp32)) {
        return soft::nan_of(fp32, fp32, status);
    }
    if (soft::is_infinity(fp32)) {
        return soft::negative(fp32) ? 0U : soft::infinity;
    }
    if (soft::is_zero(fp32)) {
        return soft::one;
    }
    const float x = to_float(fp32);
    if (x > largest_argument || x < least_argument) {
        return soft::rounded(false, 1, x > 0 ? 1000 : -1000, model, status);
    }
    // Every other result is irrational: strictly beside any number of finite length.
    const long double value = std::exp(static_cast<long double>(x));
    int exponent = 0;
    const long double fraction = std::frexp(value, &exponent);
    const auto significand = static_cast<std::uint64_t>(std::ldexp(fraction, 62));
    return soft::rounded(false, significand << 1 | 1U, exponent - 63, model, status);
}

void exponential(std::uint32_t* fp32, std::size_t count, const NumberModel& model,
                 FpStatus& status) {
    const bool fast = model.rounding == Rounding::NEAREST_EVEN && !model.flush_subnormals;
    for (std::size_t i = 0; i < count; ++i) {
        const float x = to_float(fp32[i]);
        if (fast && x > -87.0F && x < 88.0F && x != 0.0F) {
            const double value = std::exp(static_cast<double>(x));
            std::uint64_t bits = 0;
            std::memcpy(&bits, &value, sizeof bits);
            // The double is off by a few units of its last place: only next to a tie can that
            // matter.
            const std::uint64_t rest = bits & ((std::uint64_t{1} << extra_bits) - 1);
            const std::uint64_t tie = std::uint64_t{1} << (extra_bits - 1);
            if (rest + 8 < tie || rest > tie + 8) {
                const auto result = static_cast<float>(value);
                std::memcpy(&fp32[i], &result, sizeof result);
                status.raise(FpStatus::INEXACT);
                continue;
            }
        }
        fp32[i] = evaluate_exponential(fp32[i], model, status);
    }
}

}  // namespace dve
