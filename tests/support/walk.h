// The walk of a memory pattern by plain loops: what the resolved forms are held against.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <vector>

namespace dve::test {

/// Counts and steps of up to four dimensions, innermost first; steps in elements.
struct Shape {
    std::array<std::uint16_t, 4> count{1, 1, 1, 1};
    std::array<std::int16_t, 4> step{1, 1, 1, 1};

    std::uint64_t elements() const {
        return std::uint64_t{count[0]} * count[1] * count[2] * count[3];
    }
};

inline Shape row_of(std::uint16_t count, std::int16_t step = 1) {
    Shape shape;
    shape.count[0] = count;
    shape.step[0] = step;
    return shape;
}

/// Byte of every element relative to the first, in linear order.
inline std::vector<std::int64_t> walk_bytes(const Shape& shape, unsigned element_bytes) {
    std::vector<std::int64_t> bytes;
    for (unsigned w = 0; w < shape.count[3]; ++w) {
        for (unsigned z = 0; z < shape.count[2]; ++z) {
            for (unsigned y = 0; y < shape.count[1]; ++y) {
                for (unsigned x = 0; x < shape.count[0]; ++x) {
                    const std::int64_t element =
                        std::int64_t{x} * shape.step[0] + std::int64_t{y} * shape.step[1] +
                        std::int64_t{z} * shape.step[2] + std::int64_t{w} * shape.step[3];
                    bytes.push_back(element * element_bytes);
                }
            }
        }
    }
    return bytes;
}

/// Lowest and highest element byte of a walk.
inline std::pair<std::int64_t, std::int64_t> walk_reach(const std::vector<std::int64_t>& bytes) {
    const auto [low, high] = std::minmax_element(bytes.begin(), bytes.end());
    return {*low, *high};
}

template <typename Engine>
std::int64_t between(Engine& engine, std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(engine);
}

}  // namespace dve::test
