// Parsing and printing of numbers and byte strings.
#include "models/isa/text_number.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>

#include "models/isa/name_text.h"

namespace dve {
namespace {

constexpr std::uint32_t canonical_nan = 0x7FC00000U;
constexpr std::uint32_t sign_bit = 0x80000000U;

bool has_hex_prefix(std::string_view text) {
    return text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
}

std::optional<std::uint64_t> digits(std::string_view text, int base) {
    std::uint64_t value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (text.empty() || status != std::errc() || end != text.data() + text.size()) {
        return std::nullopt;
    }
    return value;
}

std::uint64_t mask_of(unsigned bits) {
    return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

}  // namespace

std::optional<Integer> parse_integer(std::string_view text) {
    Integer result;
    if (has_hex_prefix(text)) {
        result.hexadecimal = true;
        text.remove_prefix(2);
    } else if (!text.empty() && text.front() == '-') {
        result.negative = true;
        text.remove_prefix(1);
    }
    const std::optional<std::uint64_t> magnitude = digits(text, result.hexadecimal ? 16 : 10);
    if (!magnitude) {
        return std::nullopt;
    }
    result.magnitude = *magnitude;
    return result;
}

std::optional<std::uint64_t> parse_unsigned(std::string_view text, std::uint64_t maximum) {
    const std::optional<Integer> number = parse_integer(text);
    if (!number || number->negative || number->magnitude > maximum) {
        return std::nullopt;
    }
    return number->magnitude;
}

Result<std::uint64_t> parse_bits(std::string_view text, unsigned bits, bool allow_signed) {
    const std::uint64_t maximum = mask_of(bits);
    const std::uint64_t lowest = std::uint64_t{1} << (bits - 1);
    const std::string legal = (allow_signed ? "-" + std::to_string(lowest) : std::string("0")) +
                              ".." + std::to_string(maximum) + " or 0x0.." + format_hex(maximum);
    const std::optional<Integer> number = parse_integer(text);
    if (!number) {
        return Error{quoted(text) + " is not a number of up to 64 bits; legal: " + legal};
    }
    const bool fits = number->negative ? allow_signed && number->magnitude <= lowest
                                       : number->magnitude <= maximum;
    if (!fits) {
        return Error{quoted(text) + " does not fit " + std::to_string(bits) +
                     " bits; legal: " + legal};
    }
    return (number->negative ? 0 - number->magnitude : number->magnitude) & maximum;
}

std::optional<std::uint32_t> parse_fp32(std::string_view text) {
    if (has_hex_prefix(text)) {
        const std::optional<std::uint64_t> bits = parse_unsigned(text, 0xFFFFFFFFU);
        return bits ? std::optional<std::uint32_t>(static_cast<std::uint32_t>(*bits))
                    : std::nullopt;
    }
    std::uint32_t sign = 0;
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
        sign = text.front() == '-' ? sign_bit : 0;
        text.remove_prefix(1);
    }
    if (lower_case(text) == "nan") {
        return sign | canonical_nan;
    }
    // Otherwise from_chars would take a second sign, and nan with a payload that it then drops.
    if (text.empty() || text.front() == '-' || std::tolower(text.front()) == 'n') {
        return std::nullopt;
    }
    float value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc() || end != text.data() + text.size()) {
        return std::nullopt;
    }
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return sign | bits;
}

std::string format_fp32(std::uint32_t bits) {
    if ((bits & ~sign_bit) == canonical_nan) {
        return (bits & sign_bit) != 0 ? "-nan" : "nan";
    }
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (std::isnan(value)) {
        return format_hex(bits, 8);
    }
    std::array<char, 64> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    std::string text(buffer.data(), end);
    if (text.find_first_not_of("-0123456789") == std::string::npos) {
        text += ".0";
    }
    return text;
}

std::string format_hex(std::uint64_t value, unsigned digit_count) {
    std::array<char, 16> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, 16).ptr;
    const std::string text(buffer.data(), end);
    return "0x" + std::string(digit_count > text.size() ? digit_count - text.size() : 0, '0') +
           text;
}

std::string format_unsigned(std::uint64_t value) {
    return value <= 0xFFFF ? std::to_string(value) : format_hex(value);
}

std::optional<std::vector<std::uint8_t>> parse_hex_bytes(std::string_view text) {
    std::vector<std::uint8_t> bytes;
    unsigned pending = 1;  // the digits of an unfinished byte behind a leading 1
    for (const char c : text) {
        if (is_blank(c)) {
            continue;
        }
        const std::optional<std::uint64_t> digit = digits({&c, 1}, 16);
        if (!digit) {
            return std::nullopt;
        }
        pending = pending << 4 | static_cast<unsigned>(*digit);
        if (pending > 0xFF) {
            bytes.push_back(static_cast<std::uint8_t>(pending));
            pending = 1;
        }
    }
    if (pending != 1) {
        return std::nullopt;
    }
    return bytes;
}

std::string format_hex_bytes(const std::uint8_t* bytes, std::size_t count) {
    static constexpr std::string_view digit = "0123456789abcdef";
    std::string text;
    text.reserve(2 * count);
    for (std::size_t i = 0; i < count; ++i) {
        text += digit[bytes[i] >> 4];
        text += digit[bytes[i] & 0xF];
    }
    return text;
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view trim(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && is_blank(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t at = text.find(separator);
        parts.push_back(text.substr(0, at));
        if (at == std::string_view::npos) {
            return parts;
        }
        text.remove_prefix(at + 1);
    }
}

std::string quoted(std::string_view text) {
    constexpr std::size_t longest = 60;
    std::string shown(text.substr(0, longest));
    std::replace_if(
        shown.begin(), shown.end(),
        [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, '?');
    return "'" + shown + (text.size() > longest ? "...'" : "'");
}

}  // namespace dve
