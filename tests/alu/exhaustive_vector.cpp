// Sweeps of the vector conversions of every instruction set over all patterns.
//
// Values are compared one by one; status as the union over spans of 256 patterns.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <memory>

#include "models/alu/exact_kernels.h"
#include "models/alu/kernel_table.h"
#include "tests/alu/exhaustive.h"
#include "tests/alu/fixed_point_oracle.h"
#include "tests/alu/step_oracle.h"

namespace dve::test {
namespace {

constexpr std::size_t span = 256;
constexpr std::size_t large_span = 4096;

struct InstructionSets {
    KernelTable tables[3];
    std::size_t count = available_kernel_tables(tables);
};

const InstructionSets& instruction_sets() {
    static const InstructionSets sets{};
    return sets;
}

std::string fault_text(const char* set, std::uint32_t source) {
    char line[96];
    std::snprintf(line, sizeof line, "%s: span from %08x", set, source);
    return line;
}

using Patterns = std::array<std::uint32_t, large_span>;

/// Runs the conversion of every instruction set on a span of consecutive patterns.
template <typename Word>
void compare_out(std::size_t lane, const NumberModel& model, const Patterns& from,
                 const std::array<Word, large_span>& want,
                 const std::array<std::uint8_t, large_span / span>& flags, Tally& tally) {
    const InstructionSets& sets = instruction_sets();
    std::array<Word, large_span> have;
    for (std::size_t set = 0; set < sets.count; ++set) {
        const LaneFormat& format = sets.tables[set].lanes->formats[lane];
        format.out(from.data(), reinterpret_cast<std::uint8_t*>(have.data()), large_span, model);
        bool wrong = std::memcmp(have.data(), want.data(), sizeof have) != 0;
        for (std::size_t i = 0; i < flags.size(); ++i) {
            wrong = wrong || format.out_flags(&from[i * span], span, model) != flags[i];
        }
        if (wrong) {
            tally.fault(fault_text(sets.tables[set].instruction_set, from[0]));
        }
        tally.conversions += large_span;
    }
}

template <typename Word>
void narrow_slice(const StepOracle& oracle, std::uint32_t slice, Tally& tally) {
    constexpr std::uint32_t slice_size = 0x80000000U / slices;
    const SweepFormat& format = oracle.format();
    NumberModel model;
    model.fp8_exp4_fn = format.fn;
    if (format.dtype == Dtype::FP32R) {
        model.fp32r_mantissa_bits = static_cast<std::uint8_t>(format.mantissa_bits);
    }
    const auto lane = static_cast<std::size_t>(lane_format_of(format.dtype, model));
    const unsigned shift = format.dtype == Dtype::FP32R ? 23 - format.mantissa_bits : 0;
    Patterns from;
    std::array<Word, large_span> want;
    for (const bool saturate : {false, true}) {
        model.saturate_narrowing = saturate;
        for (const bool negative : {false, true}) {
            std::size_t step = oracle.find(slice * slice_size);
            for (std::uint32_t done = 0; done < slice_size; done += large_span) {
                const std::uint32_t first = slice * slice_size + done;
                std::array<std::uint8_t, large_span / span> flags{};
                for (std::uint32_t i = 0; i < large_span;) {
                    while (oracle.end_of(step) <= first + i) {
                        ++step;
                    }
                    const Outcome outcome = oracle.outcome(
                        oracle.steps()[step], Rounding::NEAREST_EVEN, negative, saturate);
                    const std::uint32_t end =
                        std::min<std::uint32_t>(large_span, oracle.end_of(step) - first);
                    const std::uint32_t sign = negative && !outcome.is_nan ? format.sign() : 0U;
                    std::fill(want.begin() + i, want.begin() + end,
                              static_cast<Word>((outcome.pattern | sign) << shift));
                    for (std::size_t block = i / span; block <= (end - 1) / span; ++block) {
                        flags[block] = static_cast<std::uint8_t>(flags[block] | outcome.flags);
                    }
                    i = end;
                }
                for (std::uint32_t i = 0; i < large_span; ++i) {
                    from[i] = (first + i) | (negative ? 0x80000000U : 0U);
                }
                compare_out<Word>(lane, model, from, want, flags, tally);
            }
        }
    }
}

template <typename Word>
void add_narrowing(std::vector<Job>& jobs, const SweepFormat& format) {
    const auto oracle = std::make_shared<StepOracle>(format);
    jobs.push_back({"vector",
                    std::string("fp32 to ") + format.name + ", 2 overflow rules, every set", slices,
                    [oracle](std::uint32_t slice, Tally& tally) {
                        narrow_slice<Word>(*oracle, slice, tally);
                    }});
}

template <typename Word, bool is_signed>
void compare_integers(Dtype dtype, const Patterns& from,
                      const std::array<FixedPoint, large_span>& values, Tally& tally) {
    const auto lane = static_cast<std::size_t>(lane_format_of(dtype, {}));
    std::array<Word, large_span> want;
    for (const bool nearest : {false, true}) {
        NumberModel model;
        model.fp_to_int_nearest = nearest;
        std::array<std::uint8_t, large_span / span> flags{};
        for (std::uint32_t i = 0; i < large_span; ++i) {
            const IntegerOutcome outcome =
                saturated(values[i], 8 * sizeof(Word), is_signed, nearest, false);
            want[i] = static_cast<Word>(outcome.raw);
            flags[i / span] = static_cast<std::uint8_t>(flags[i / span] | outcome.flags);
        }
        compare_out<Word>(lane, model, from, want, flags, tally);
    }
}

void integer_slice(std::uint32_t slice, Tally& tally) {
    constexpr std::uint32_t words = 0xFFFFFFFFU / slices + 1;
    Patterns from;
    std::array<FixedPoint, large_span> values;
    for (std::uint32_t done = 0; done < words; done += large_span) {
        for (std::uint32_t i = 0; i < large_span; ++i) {
            from[i] = slice * words + done + i;
            values[i] = FixedPoint::of(from[i]);
        }
        compare_integers<std::uint8_t, true>(Dtype::INT8, from, values, tally);
        compare_integers<std::uint8_t, false>(Dtype::UINT8, from, values, tally);
        compare_integers<std::uint16_t, true>(Dtype::INT16, from, values, tally);
        compare_integers<std::uint16_t, false>(Dtype::UINT16, from, values, tally);
        compare_integers<std::uint32_t, true>(Dtype::INT32, from, values, tally);
        compare_integers<std::uint32_t, false>(Dtype::UINT32, from, values, tally);
    }
}

/// 32-bit integers to FP32 in every instruction set.
template <typename Integer>
void widen_slice(Dtype dtype, std::uint32_t slice, Tally& tally) {
    constexpr std::uint32_t words = 0xFFFFFFFFU / slices + 1;
    const InstructionSets& sets = instruction_sets();
    const auto lane = static_cast<std::size_t>(lane_format_of(dtype, {}));
    Patterns from;
    Patterns want;
    Patterns have;
    for (std::uint32_t done = 0; done < words; done += large_span) {
        std::uint32_t inexact = 0;
        for (std::uint32_t i = 0; i < large_span; ++i) {
            from[i] = slice * words + done + i;
            const auto value = static_cast<Integer>(from[i]);
            const bool negative = value < 0;
            const std::uint64_t size = negative ? 0x100000000ULL - from[i] : from[i];
            const FloatOutcome outcome =
                size == 0 ? FloatOutcome{0, 0}
                          : fp32_of_integer(negative, size, Rounding::NEAREST_EVEN);
            want[i] = outcome.fp32;
            inexact |= outcome.flags;
        }
        for (std::size_t set = 0; set < sets.count; ++set) {
            const LaneFormat& format = sets.tables[set].lanes->formats[lane];
            const auto* bytes = reinterpret_cast<const std::uint8_t*>(from.data());
            format.in(bytes, have.data(), large_span);
            if (have != want || format.in_flags(bytes, large_span) != inexact) {
                tally.fault(fault_text(sets.tables[set].instruction_set, from[0]));
            }
            tally.conversions += large_span;
        }
    }
}

}  // namespace

void add_vector_jobs(std::vector<Job>& jobs) {
    for (const SweepFormat& format : sweep_formats) {
        switch (element_bytes(format.dtype)) {
            case 1: add_narrowing<std::uint8_t>(jobs, format); break;
            case 2: add_narrowing<std::uint16_t>(jobs, format); break;
            default: add_narrowing<std::uint32_t>(jobs, format); break;
        }
    }
    jobs.push_back({"vector", "fp32 to (u)int8/16/32, 2 rules, every set", slices, integer_slice});
    jobs.push_back(
        {"vector", "int32 to fp32, every set", slices, [](std::uint32_t slice, Tally& tally) {
             widen_slice<std::int32_t>(Dtype::INT32, slice, tally);
         }});
    jobs.push_back(
        {"vector", "uint32 to fp32, every set", slices, [](std::uint32_t slice, Tally& tally) {
             widen_slice<std::uint32_t>(Dtype::UINT32, slice, tally);
         }});
}

}  // namespace dve::test
