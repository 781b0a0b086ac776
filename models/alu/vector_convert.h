// Widening and narrowing between vectors of words and packed bytes or half-words in memory.
//
// The compiler's generic conversion takes bytes apart one by one, so x86 uses its instructions by
// name; other processors take the generic form.
#pragma once

#include "models/alu/vector_words.h"
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace dve::DVE_KERNEL_NAMESPACE {

template <typename To, typename From>
To convert(From from) {
    return __builtin_convertvector(from, To);
}

#if defined(__AVX512F__)

inline Words widen(const std::uint8_t* from, Bytes) {
    return reinterpret_cast<Words>(_mm512_maskz_cvtepu8_epi32(0xFFFF, load_vector<__m128i>(from)));
}
inline Words widen(const std::uint8_t* from, SignedBytes) {
    return reinterpret_cast<Words>(_mm512_maskz_cvtepi8_epi32(0xFFFF, load_vector<__m128i>(from)));
}
inline Words widen(const std::uint8_t* from, Halves) {
    return reinterpret_cast<Words>(_mm512_maskz_cvtepu16_epi32(0xFFFF, load_vector<__m256i>(from)));
}
inline Words widen(const std::uint8_t* from, SignedHalves) {
    return reinterpret_cast<Words>(_mm512_maskz_cvtepi16_epi32(0xFFFF, load_vector<__m256i>(from)));
}
/// The low bytes of the words.
inline void store_bytes(std::uint8_t* to, Words words) {
    store_vector(to, _mm512_maskz_cvtepi32_epi8(0xFFFF, reinterpret_cast<__m512i>(words)));
}
/// The low halves of the words.
inline void store_halves(std::uint8_t* to, Words words) {
    store_vector(to, _mm512_maskz_cvtepi32_epi16(0xFFFF, reinterpret_cast<__m512i>(words)));
}

#elif defined(__AVX2__)

inline Words widen(const std::uint8_t* from, Bytes) {
    return reinterpret_cast<Words>(
        _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from))));
}
inline Words widen(const std::uint8_t* from, SignedBytes) {
    return reinterpret_cast<Words>(
        _mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from))));
}
inline Words widen(const std::uint8_t* from, Halves) {
    return reinterpret_cast<Words>(_mm256_cvtepu16_epi32(load_vector<__m128i>(from)));
}
inline Words widen(const std::uint8_t* from, SignedHalves) {
    return reinterpret_cast<Words>(_mm256_cvtepi16_epi32(load_vector<__m128i>(from)));
}
inline __m128i packed_halves(Words words) {
    const __m256i low = reinterpret_cast<__m256i>(words & 0xFFFFU);
    return _mm_packus_epi32(_mm256_castsi256_si128(low), _mm256_extracti128_si256(low, 1));
}
inline void store_bytes(std::uint8_t* to, Words words) {
    const __m128i halves = packed_halves(words & 0xFFU);
    _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_packus_epi16(halves, halves));
}
inline void store_halves(std::uint8_t* to, Words words) { store_vector(to, packed_halves(words)); }

#elif defined(__x86_64__)

inline __m128i load_four_bytes(const std::uint8_t* from) {
    int word;
    __builtin_memcpy(&word, from, sizeof word);
    return _mm_cvtsi32_si128(word);
}
inline Words widen(const std::uint8_t* from, Bytes) {
    const __m128i zero = _mm_setzero_si128();
    return reinterpret_cast<Words>(
        _mm_unpacklo_epi16(_mm_unpacklo_epi8(load_four_bytes(from), zero), zero));
}
inline Words widen(const std::uint8_t* from, SignedBytes) {
    const __m128i bytes = load_four_bytes(from);
    const __m128i halves = _mm_unpacklo_epi8(bytes, bytes);
    return reinterpret_cast<Words>(_mm_srai_epi32(_mm_unpacklo_epi16(halves, halves), 24));
}
inline Words widen(const std::uint8_t* from, Halves) {
    const __m128i halves = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
    return reinterpret_cast<Words>(_mm_unpacklo_epi16(halves, _mm_setzero_si128()));
}
inline Words widen(const std::uint8_t* from, SignedHalves) {
    const __m128i halves = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
    return reinterpret_cast<Words>(_mm_srai_epi32(_mm_unpacklo_epi16(halves, halves), 16));
}
/// Sign-extended halves survive the signed saturation of the pack.
inline __m128i packed_halves(Words words) {
    const __m128i extended =
        _mm_srai_epi32(_mm_slli_epi32(reinterpret_cast<__m128i>(words), 16), 16);
    return _mm_packs_epi32(extended, extended);
}
inline void store_bytes(std::uint8_t* to, Words words) {
    const __m128i halves = packed_halves(words & 0xFFU);
    const int bytes = _mm_cvtsi128_si32(_mm_packus_epi16(halves, halves));
    __builtin_memcpy(to, &bytes, sizeof bytes);
}
inline void store_halves(std::uint8_t* to, Words words) {
    _mm_storel_epi64(reinterpret_cast<__m128i*>(to), packed_halves(words));
}

#else

template <typename Storage>
Words widen(const std::uint8_t* from, Storage) {
    return convert<Words>(load_vector<Storage>(from));
}
inline void store_bytes(std::uint8_t* to, Words words) { store_vector(to, convert<Bytes>(words)); }
inline void store_halves(std::uint8_t* to, Words words) {
    store_vector(to, convert<Halves>(words));
}

#endif

template <unsigned bytes>
void store_low(std::uint8_t* to, Words words) {
    if constexpr (bytes == 1) {
        store_bytes(to, words);
    } else {
        store_halves(to, words);
    }
}

}  // namespace dve::DVE_KERNEL_NAMESPACE
