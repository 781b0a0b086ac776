// Sweeps of the definition (convert.h) over all patterns, against the step and fixed-point oracles.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>

#include "models/alu/convert.h"
#include "models/alu/evaluate.h"
#include "tests/alu/exhaustive.h"
#include "tests/alu/fixed_point_oracle.h"
#include "tests/alu/step_oracle.h"

namespace dve::test {
namespace {

constexpr std::uint32_t slice_size = 0x80000000U / slices;

std::string fault_text(std::uint32_t source, unsigned long long have, unsigned have_flags,
                       unsigned long long want, unsigned want_flags) {
    char line[160];
    std::snprintf(line, sizeof line, "%08x gives %llx flags %02x, want %llx flags %02x", source,
                  have, have_flags, want, want_flags);
    return line;
}

/// Rounding modes times overflow rules; index 2 * mode + saturate.
constexpr unsigned variants = 8;

NumberModel variant_model(unsigned variant) {
    NumberModel model;
    model.rounding = static_cast<Rounding>(variant / 2);
    model.saturate_narrowing = variant % 2 != 0;
    return model;
}

struct Expected {
    std::uint32_t pattern[variants];
    std::uint8_t flags[variants];
};

Expected expect(const StepOracle& oracle, const StepOracle::Step& step, bool negative) {
    Expected result{};
    for (unsigned variant = 0; variant < variants; ++variant) {
        const NumberModel model = variant_model(variant);
        const Outcome outcome =
            oracle.outcome(step, model.rounding, negative, model.saturate_narrowing);
        const std::uint32_t sign = negative && !outcome.is_nan ? oracle.format().sign() : 0U;
        result.pattern[variant] = outcome.pattern | sign;
        result.flags[variant] = outcome.flags;
    }
    return result;
}

/// One pattern through all variants; the format and the model are constants to the compiler.
template <typename Layout, unsigned... all>
[[gnu::flatten]] std::uint32_t differences(std::uint32_t fp32, const Expected& want,
                                           std::integer_sequence<unsigned, all...>) {
    constexpr FloatFormat format = Layout::format;
    std::uint32_t different = 0;
    const auto compare = [&](unsigned variant, Rounding rounding, bool saturate) {
        NumberModel model;
        model.rounding = rounding;
        model.saturate_narrowing = saturate;
        FpStatus status;
        different |= fp32_to_float(fp32, format, model, status) ^ want.pattern[variant];
        different |= static_cast<std::uint32_t>(status.bits ^ want.flags[variant]);
    };
    (compare(all, static_cast<Rounding>(all / 2), all % 2 != 0), ...);
    return different;
}

/// The variants that are wrong for a pattern, one fault each.
template <typename Layout>
void report(std::uint32_t fp32, const Expected& want, Tally& tally) {
    for (unsigned variant = 0; variant < variants; ++variant) {
        FpStatus status;
        const std::uint32_t have =
            fp32_to_float(fp32, Layout::format, variant_model(variant), status);
        if (have != want.pattern[variant] || status.bits != want.flags[variant]) {
            tally.fault(
                "variant " + std::to_string(variant) + ": " +
                fault_text(fp32, have, status.bits, want.pattern[variant], want.flags[variant]));
        }
    }
}

template <typename Layout>
void narrow_slice(const StepOracle& oracle, std::uint32_t slice, Tally& tally) {
    constexpr auto all = std::make_integer_sequence<unsigned, variants>{};
    const std::uint32_t begin = slice * slice_size;
    const std::uint32_t end = begin + slice_size;
    for (const bool negative : {false, true}) {
        const std::uint32_t sign = negative ? 0x80000000U : 0U;
        for (std::size_t i = oracle.find(begin); i < oracle.steps().size(); ++i) {
            const StepOracle::Step& step = oracle.steps()[i];
            if (step.first >= end) {
                break;
            }
            const Expected want = expect(oracle, step, negative);
            const std::uint32_t first = std::max(step.first, begin);
            const std::uint32_t last = std::min(oracle.end_of(i), end);
            std::uint32_t different = 0;
            for (std::uint32_t magnitude = first; magnitude < last; ++magnitude) {
                different |= differences<Layout>(magnitude | sign, want, all);
            }
            tally.conversions += std::uint64_t{variants} * (last - first);
            for (std::uint32_t magnitude = first; different != 0 && magnitude < last; ++magnitude) {
                report<Layout>(magnitude | sign, want, tally);
            }
        }
    }
}

template <unsigned exponent, unsigned mantissa, int bias_value, Specials specials>
struct Layout {
    static constexpr FloatFormat format{exponent, mantissa, bias_value, specials, true};
};

template <typename Layout>
void add_narrowing(std::vector<Job>& jobs, const SweepFormat& format) {
    const auto oracle = std::make_shared<StepOracle>(format);
    jobs.push_back({"narrow",
                    std::string("fp32 to ") + format.name + ", 4 modes x 2 overflow rules", slices,
                    [oracle](std::uint32_t slice, Tally& tally) {
                        narrow_slice<Layout>(*oracle, slice, tally);
                    }});
}

struct IntegerLayout {
    unsigned bits;
    bool is_signed;
};

constexpr IntegerLayout integer_layouts[] = {{8, true},   {8, false}, {16, true},
                                             {16, false}, {32, true}, {32, false}};

template <unsigned bits, bool is_signed>
void compare_integer(std::uint32_t fp32, const FixedPoint& value, Tally& tally) {
    for (const bool nearest : {false, true}) {
        NumberModel model;
        model.fp_to_int_nearest = nearest;
        const bool nan_is_max = value.is_nan && (fp32 & 1U) != 0;
        model.nan_to_int_max = nan_is_max;
        FpStatus status;
        const std::uint64_t have = fp32_to_integer(fp32, bits, is_signed, model, status);
        const IntegerOutcome want = saturated(value, bits, is_signed, nearest, nan_is_max);
        if (__builtin_expect(have != want.raw || status.bits != want.flags, 0)) {
            tally.fault(fault_text(fp32, have, status.bits, want.raw, want.flags));
        }
    }
}

void to_integers(std::uint32_t slice, Tally& tally) {
    const std::uint32_t begin = slice * slice_size;
    for (const std::uint32_t sign : {0U, 0x80000000U}) {
        for (std::uint32_t i = 0; i < slice_size; ++i) {
            const std::uint32_t fp32 = (begin + i) | sign;
            const FixedPoint value = FixedPoint::of(fp32);
            compare_integer<8, true>(fp32, value, tally);
            compare_integer<8, false>(fp32, value, tally);
            compare_integer<16, true>(fp32, value, tally);
            compare_integer<16, false>(fp32, value, tally);
            compare_integer<32, true>(fp32, value, tally);
            compare_integer<32, false>(fp32, value, tally);
        }
    }
    tally.conversions += 2ULL * slice_size * 2 * std::size(integer_layouts);
}

template <unsigned bits, bool is_signed>
void compare_from_integer(std::uint32_t word, Tally& tally) {
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    const bool negative = is_signed && (word >> (bits - 1) & 1U) != 0;
    const std::uint64_t size = negative ? mask + 1 - (word & mask) : word & mask;
    for (const Rounding rounding :
         {Rounding::NEAREST_EVEN, Rounding::TO_ZERO, Rounding::UP, Rounding::DOWN}) {
        NumberModel model;
        model.rounding = rounding;
        FpStatus status;
        const std::uint32_t have = integer_to_fp32(word, bits, is_signed, model, status);
        const FloatOutcome want =
            size == 0 ? FloatOutcome{0, 0} : fp32_of_integer(negative, size, rounding);
        if (__builtin_expect(have != want.fp32 || status.bits != want.flags, 0)) {
            tally.fault(fault_text(word, have, status.bits, want.fp32, want.flags));
        }
    }
}

void from_words(std::uint32_t slice, Tally& tally) {
    constexpr std::uint32_t words = 0xFFFFFFFFU / slices + 1;
    for (std::uint32_t i = 0; i < words; ++i) {
        compare_from_integer<32, true>(slice * words + i, tally);
        compare_from_integer<32, false>(slice * words + i, tally);
    }
    tally.conversions += std::uint64_t{words} * 2 * 4;
}

/// All patterns of the 8- and 16-bit types: integers in every mode, floats by their layout.
void from_small(std::uint32_t, Tally& tally) {
    for (std::uint32_t word = 0; word < 0x10000; ++word) {
        compare_from_integer<16, true>(word, tally);
        compare_from_integer<16, false>(word, tally);
        if (word < 256) {
            compare_from_integer<8, true>(word, tally);
            compare_from_integer<8, false>(word, tally);
        }
    }
    tally.conversions += (0x10000 + 0x100) * 2 * 4;
    for (const SweepFormat& format : sweep_formats) {
        if (format.dtype == Dtype::FP32R) {
            continue;
        }
        NumberModel model;
        model.fp8_exp4_fn = format.fn;
        for (std::uint32_t raw = 0; raw < 2 * format.sign(); ++raw) {
            const std::uint32_t magnitude = raw & (format.sign() - 1);
            const std::uint32_t sign = raw >= format.sign() ? 0x80000000U : 0U;
            FpStatus status;
            const std::uint32_t have = to_fp32(format.dtype, raw, model, status);
            std::uint32_t want = have;
            if (magnitude <= format.largest) {
                const auto value = static_cast<float>(StepOracle::value(format, magnitude));
                std::memcpy(&want, &value, sizeof want);
                want |= sign;
            } else if (magnitude == format.overflow && !format.overflow_is_nan) {
                want = sign | 0x7F800000U;
            } else if ((have & 0x7FFFFFFFU) <= 0x7F800000U || (have & 0x80000000U) != sign) {
                want = sign | 0x7FC00000U;
            }
            if (have != want || status.bits != 0) {
                tally.fault(fault_text(raw, have, status.bits, want, 0));
            }
            ++tally.conversions;
        }
    }
}

}  // namespace

void add_definition_jobs(std::vector<Job>& jobs) {
    constexpr Specials ieee = Specials::INFINITY_AND_NAN;
    add_narrowing<Layout<5, 10, 15, ieee>>(jobs, sweep_formats[0]);
    add_narrowing<Layout<8, 7, 127, ieee>>(jobs, sweep_formats[1]);
    add_narrowing<Layout<3, 4, 3, ieee>>(jobs, sweep_formats[2]);
    add_narrowing<Layout<4, 3, 7, ieee>>(jobs, sweep_formats[3]);
    add_narrowing<Layout<4, 3, 7, Specials::ONE_NAN>>(jobs, sweep_formats[4]);
    add_narrowing<Layout<5, 2, 15, ieee>>(jobs, sweep_formats[5]);
    add_narrowing<Layout<8, 10, 127, ieee>>(jobs, sweep_formats[6]);
    add_narrowing<Layout<8, 13, 127, ieee>>(jobs, sweep_formats[7]);
    jobs.push_back({"integer", "fp32 to (u)int8/16/32, truncate and nearest", slices, to_integers});
    jobs.push_back({"widen", "all 8- and 16-bit patterns to fp32", 1, from_small});
    jobs.push_back({"widen", "(u)int32 to fp32, 4 modes", slices, from_words});
}

}  // namespace dve::test
