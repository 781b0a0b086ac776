// Vectors of 32-bit words as the compiler's own vector types: one register of the instruction set.
//
// A plain loop gives the same values, but the compiler does not keep a loop's accumulators in
// registers across the rows of a narrow tile, which is what the tile kernels live on.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dve::DVE_KERNEL_NAMESPACE {

#if defined(__AVX512F__)
inline constexpr std::size_t vector_bytes = 64;
#elif defined(__AVX2__)
inline constexpr std::size_t vector_bytes = 32;
#else
inline constexpr std::size_t vector_bytes = 16;
#endif
inline constexpr std::size_t vector_lanes = vector_bytes / 4;

typedef std::uint32_t Words __attribute__((vector_size(vector_bytes)));
typedef std::int32_t Integers __attribute__((vector_size(vector_bytes)));
typedef float Reals __attribute__((vector_size(vector_bytes)));
typedef std::uint8_t Bytes __attribute__((vector_size(vector_lanes)));
typedef std::int8_t SignedBytes __attribute__((vector_size(vector_lanes)));
typedef std::uint16_t Halves __attribute__((vector_size(2 * vector_lanes)));
typedef std::int16_t SignedHalves __attribute__((vector_size(2 * vector_lanes)));

inline Words splat(std::uint32_t value) { return value - Words{}; }
inline Reals real(Words words) { return reinterpret_cast<Reals>(words); }
inline Words words(Reals reals) { return reinterpret_cast<Words>(reals); }
inline Words words(Integers integers) { return reinterpret_cast<Words>(integers); }
inline Integers integers(Words words) { return reinterpret_cast<Integers>(words); }
inline Words magnitude(Words words) { return words & 0x7FFFFFFFU; }

template <typename Vector>
Vector load_vector(const std::uint8_t* from) {
    Vector vector;
    __builtin_memcpy(&vector, from, sizeof vector);
    return vector;
}

template <typename Vector>
void store_vector(std::uint8_t* to, Vector vector) {
    __builtin_memcpy(to, &vector, sizeof vector);
}

}  // namespace dve::DVE_KERNEL_NAMESPACE
