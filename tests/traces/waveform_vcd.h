// A small reader of value change dumps, strict about the subset that all viewers share.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace dve::test {

struct VcdVariable {
    std::string type;
    unsigned bits = 0;
    /// Time and value as written (`1`, `0101`, `2.5`), changes at the same time in order.
    std::vector<std::pair<std::uint64_t, std::string>> changes;

    /// Values by time, the last one of each time.
    std::map<std::uint64_t, std::string> by_time() const;
    std::string at(std::uint64_t time) const;  ///< the value that holds; empty: none yet
};

struct Vcd {
    std::map<std::string, VcdVariable> variables;  ///< by name with scopes, without ranges
    std::vector<std::uint64_t> stamps;
    std::string problem;  ///< first thing that is not well-formed

    const VcdVariable& operator[](const std::string& name) const;
};

std::string read_text(const std::string& path);
Vcd parse_vcd(const std::string& text);
inline Vcd read_vcd(const std::string& path) { return parse_vcd(read_text(path)); }

/// The value as `bits` characters.
std::string in_bits(std::uint64_t value, unsigned bits);
/// Characters as 8 bits each, filled with zeros to `length` characters.
std::string text_bits(const std::string& text, unsigned length);

/// A path in a folder of this process, which goes away with it.
std::string scratch_path(const std::string& name);

}  // namespace dve::test
