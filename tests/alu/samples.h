// Operand sets and random numbers shared by the arithmetic tests.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "models/alu/number_model.h"

namespace dve::test {

inline std::uint32_t bits_of(float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

inline float float_of(std::uint32_t bits) {
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

/// Deterministic 64-bit generator (splitmix64).
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next() {
        state_ += 0x9E3779B97F4A7C15;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        return z ^ (z >> 31);
    }
    std::uint32_t word() { return static_cast<std::uint32_t>(next()); }
    std::size_t below(std::size_t limit) { return static_cast<std::size_t>(next() % limit); }

private:
    std::uint64_t state_;
};

/// FP32 patterns at the edges of every range, both signs.
inline std::vector<std::uint32_t> edge_patterns() {
    std::vector<std::uint32_t> result;
    for (const std::uint32_t pattern :
         {0x00000000U, 0x00000001U, 0x00000002U, 0x00000003U, 0x00400000U, 0x007FFFFEU, 0x007FFFFFU,
          0x00800000U, 0x00800001U, 0x00FFFFFFU, 0x01000000U, 0x0C000000U, 0x1F800000U, 0x20000000U,
          0x33800000U, 0x34000000U, 0x3EFFFFFFU, 0x3F000000U, 0x3F000001U, 0x3F7FFFFFU, 0x3F800000U,
          0x3F800001U, 0x3FC00000U, 0x40000000U, 0x40490FDBU, 0x42FE0000U, 0x42FF0000U, 0x43000000U,
          0x437F8000U, 0x477FE000U, 0x477FF000U, 0x47800000U, 0x4B000000U, 0x4B7FFFFFU, 0x4B800000U,
          0x4EFFFFFFU, 0x4F000000U, 0x4F7FFFFFU, 0x4F800000U, 0x5F000000U, 0x7E800000U, 0x7F000000U,
          0x7F7FFFFEU, 0x7F7FFFFFU, 0x7F800000U, 0x7F800001U, 0x7FBFFFFFU, 0x7FC00000U, 0x7FC12345U,
          0x7FFFFFFFU}) {
        result.push_back(pattern);
        result.push_back(pattern | 0x80000000U);
    }
    return result;
}

/// Any pattern, with ordinary magnitudes, edges and near-equal values over-represented.
inline std::uint32_t any_pattern(Random& random) {
    static const std::vector<std::uint32_t> edges = edge_patterns();
    switch (random.below(6)) {
        case 0: return edges[random.below(edges.size())];
        case 1: return random.word();
        case 2: return (random.word() & 0x807FFFFFU) | 0x3F800000U;
        case 3: return (random.word() & 0x80000007U) | 0x3F800000U;
        case 4: return bits_of(static_cast<float>(static_cast<int>(random.below(601)) - 300) / 2);
        default: return (random.word() & 0x83FFFFFFU) + 0x3C000000U;
    }
}

inline constexpr Rounding all_roundings[] = {Rounding::NEAREST_EVEN, Rounding::TO_ZERO,
                                             Rounding::UP, Rounding::DOWN};

}  // namespace dve::test
