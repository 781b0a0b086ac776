// The rows of platform/registers.def as constants and tables.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace dve::csr {

// Offsets, in bytes.
#define DVE_REGISTER(name, offset, access, reset, what) \
    inline constexpr std::uint32_t name = offset;
#define DVE_COUNTER(name, offset, what)                \
    inline constexpr std::uint32_t name##_LO = offset; \
    inline constexpr std::uint32_t name##_HI = (offset) + 4;
#define DVE_WINDOW(name, offset, words, access, what) inline constexpr std::uint32_t name = offset;
#include "platform/registers.def"

/// Bits of a field: REGISTER_FIELD.
namespace mask {
#define DVE_FIELD(in, name, first_bit, bits, what) \
    inline constexpr std::uint32_t in##_##name = ((1U << (bits)) - 1) << (first_bit);
#include "platform/registers.def"
}  // namespace mask

/// What a register or its first field can hold: REGISTER_VALUE.
namespace value {
#define DVE_VALUE(in, name, number, what) inline constexpr std::uint32_t in##_##name = number;
#include "platform/registers.def"
}  // namespace value

enum class Access : std::uint8_t { RO, WO, RW, W1C };

struct RegisterRow {
    std::uint32_t offset;
    Access access;
    std::uint32_t reset;
    std::uint32_t mask;  ///< bits that exist
};

struct WindowRow {
    std::uint32_t offset;
    std::uint32_t words;
    Access access;
};

/// Bits of all fields of a register; all bits where it has none.
constexpr std::uint32_t field_bits(std::uint32_t offset) {
    std::uint32_t bits = 0;
#define DVE_FIELD(in, name, first_bit, width, what) bits |= offset == (in) ? mask::in##_##name : 0U;
#include "platform/registers.def"
    return bits == 0 ? ~0U : bits;
}

inline constexpr RegisterRow registers[] = {
#define DVE_REGISTER(name, offset, access, reset, what) \
    {offset, Access::access, reset, field_bits(offset)},
#include "platform/registers.def"
};
inline constexpr std::size_t register_count = sizeof registers / sizeof registers[0];

inline constexpr WindowRow windows[] = {
#define DVE_WINDOW(name, offset, words, access, what) {offset, words, Access::access},
#include "platform/registers.def"
};

/// The 64-bit counters in the order of their rows.
enum class Counter : std::uint8_t {
#define DVE_COUNTER(name, offset, what) name,
#include "platform/registers.def"
};

inline constexpr std::uint32_t counters[] = {
#define DVE_COUNTER(name, offset, what) offset,
#include "platform/registers.def"
};
inline constexpr std::size_t counter_count = sizeof counters / sizeof counters[0];

/// Of the whole socket: the windows are its last rows.
inline constexpr std::uint32_t window_bytes =
    windows[sizeof windows / sizeof windows[0] - 1].offset +
    4 * windows[sizeof windows / sizeof windows[0] - 1].words;

/// What a word of the socket belongs to.
struct Word {
    enum class Kind : std::uint8_t { NONE, REGISTER, COUNTER_LOW, COUNTER_HIGH, WINDOW };
    Kind kind;
    Access access;
    std::uint8_t row;  ///< in `registers`, `counters` or `windows`
};

extern const std::array<Word, window_bytes / 4> words;

/// offset: a multiple of 4 below window_bytes.
inline Word word_at(std::uint32_t offset) { return words[offset / 4]; }

}  // namespace dve::csr
