// Bits as the characters 0 and 1, highest first.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

namespace dve {

namespace detail {

constexpr std::array<std::array<char, 8>, 256> make_byte_texts() {
    std::array<std::array<char, 8>, 256> texts{};
    for (unsigned value = 0; value < 256; ++value) {
        for (unsigned bit = 0; bit < 8; ++bit) {
            texts[value][bit] = static_cast<char>('0' + ((value >> (7 - bit)) & 1U));
        }
    }
    return texts;
}

inline constexpr std::array<std::array<char, 8>, 256> byte_texts = make_byte_texts();

}  // namespace detail

/// 8 characters.
inline void put_byte(char* to, std::uint8_t value) {
    std::memcpy(to, detail::byte_texts[value].data(), 8);
}

/// 32 characters.
inline void put_word(char* to, std::uint32_t value) {
    put_byte(to, static_cast<std::uint8_t>(value >> 24));
    put_byte(to + 8, static_cast<std::uint8_t>(value >> 16));
    put_byte(to + 16, static_cast<std::uint8_t>(value >> 8));
    put_byte(to + 24, static_cast<std::uint8_t>(value));
}

/// The low `bits` of a number of at most 64 bits: `bits` characters.
inline void put_number(char* to, std::uint64_t value, unsigned bits) {
    char all[64];
    put_word(all, static_cast<std::uint32_t>(value >> 32));
    put_word(all + 32, static_cast<std::uint32_t>(value));
    std::memcpy(to, all + (64 - bits), bits);
}

/// `length` characters of text: 8 x `length` characters.
inline void put_text(char* to, const char* value, unsigned length) {
    for (unsigned index = 0; index < length; ++index) {
        put_byte(to + std::size_t{8} * index, static_cast<std::uint8_t>(value[index]));
    }
}

/// The low `bits` of words, lowest first, with Z and X where `control` is set: `bits` characters.
inline void put_vector(char* to, const std::uint32_t* data, const std::uint32_t* control,
                       unsigned bits) {
    for (unsigned bit = bits; bit-- > 0; ++to) {
        const unsigned value = (data[bit / 32] >> (bit % 32)) & 1U;
        const unsigned unknown = (control[bit / 32] >> (bit % 32)) & 1U;
        *to = "01zx"[2 * unknown + value];
    }
}

}  // namespace dve
