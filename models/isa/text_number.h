// Numbers and byte strings as they are written in assembly text and on the command line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/isa/text_result.h"

namespace dve {

/// `[-]digits` or `0x` and hexadecimal digits.
struct Integer {
    std::uint64_t magnitude = 0;
    bool negative = false;
    bool hexadecimal = false;
};

/// Nothing if the text is not such a number or has more than 64 bits.
std::optional<Integer> parse_integer(std::string_view text);

/// Unsigned form of parse_integer, at most `maximum`.
std::optional<std::uint64_t> parse_unsigned(std::string_view text, std::uint64_t maximum);

/// A value for `bits` bits (1 to 64). Negative decimals give two's complement where `allow_signed`;
/// hexadecimal is always the raw pattern. The error says what the number does not fit.
Result<std::uint64_t> parse_bits(std::string_view text, unsigned bits, bool allow_signed);

/// FP32 pattern of a decimal number, `inf` or `nan` with an optional sign, or of 0x raw bits.
/// Nothing if the text is no number or exceeds FP32.
std::optional<std::uint32_t> parse_fp32(std::string_view text);

/// Shortest text that parse_fp32 turns into the same 32 bits.
std::string format_fp32(std::uint32_t bits);

/// `0x` and at least `digits` hexadecimal digits.
std::string format_hex(std::uint64_t value, unsigned digits = 1);

/// Decimal up to 65535, hexadecimal beyond.
std::string format_unsigned(std::uint64_t value);

/// Two hexadecimal digits a byte, in memory order, blanks ignored; nothing if malformed.
std::optional<std::vector<std::uint8_t>> parse_hex_bytes(std::string_view text);
std::string format_hex_bytes(const std::uint8_t* bytes, std::size_t count);

bool is_blank(char c);
std::string_view trim(std::string_view text);

/// Parts between separators; one part, maybe empty, where there is none.
std::vector<std::string_view> split(std::string_view text, char separator);

/// 'text' in quotes, shortened to a readable length, control characters shown as '?'.
std::string quoted(std::string_view text);

}  // namespace dve
