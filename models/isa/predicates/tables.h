// The ISA tables as constants, indexed by code: a predicate costs a load, not a search.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "models/isa/alu_op.h"
#include "models/isa/dtype.h"
#include "models/isa/generation.h"

namespace dve::predicates {

/// A set of data types, one bit for each code.
using DtypeSet = std::uint32_t;
constexpr DtypeSet set_of(Dtype dtype) { return 1U << static_cast<unsigned>(dtype); }
constexpr bool contains_dtype(DtypeSet set, std::uint8_t code) {
    return code < 32 && (set >> code & 1U) != 0;
}

namespace tables {

struct AluOpFacts {
    std::uint16_t classes;
    Generation first;
    bool known;
};

constexpr std::array<AluOpFacts, 256> build_alu_ops() {
    std::array<AluOpFacts, 256> facts{};
#define DVE_ALU_OP(value, name, operands, classes, first, function) \
    facts[value] = {static_cast<std::uint16_t>(classes), Generation::first, true};
#include "models/isa/alu_op.def"
#undef DVE_ALU_OP
    return facts;
}

constexpr std::array<std::uint8_t, 256> build_dtype_bytes() {
    std::array<std::uint8_t, 256> bytes{};
#define DVE_DTYPE(value, name, bits, kind, exponent, mantissa, bias, first) \
    bytes[value] = (bits) % 8 == 0 ? (bits) / 8 : 0;
#include "models/isa/dtype.def"
#undef DVE_DTYPE
    return bytes;
}

// FP4 has a predicate of its own (is_valid_dtype_inc_fp4), so is_valid_dtype leaves it out (D-15).
constexpr std::array<DtypeSet, generation_count> build_valid_dtypes() {
    std::array<DtypeSet, generation_count> sets{};
    for (std::size_t generation = 0; generation < generation_count; ++generation) {
#define DVE_DTYPE(value, name, bits, kind, exponent, mantissa, bias, first) \
    if (static_cast<Generation>(generation) >= Generation::first) {     \
        sets[generation] |= set_of(Dtype::name);                        \
    }
#include "models/isa/dtype.def"
#undef DVE_DTYPE
        sets[generation] &= ~(set_of(Dtype::INVALID) | set_of(Dtype::FP4_EXP2));
    }
    return sets;
}

inline constexpr std::array<AluOpFacts, 256> alu_ops = build_alu_ops();
inline constexpr std::array<std::uint8_t, 256> dtype_bytes = build_dtype_bytes();
inline constexpr std::array<DtypeSet, generation_count> valid_dtypes = build_valid_dtypes();

}  // namespace tables
}  // namespace dve::predicates
