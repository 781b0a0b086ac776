// Helpers of the assembly tests: text to records, and records to hexadecimal.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "models/isa/assembly.h"
#include "models/isa/text_number.h"

namespace dve {

inline std::string messages(const Assembly& assembly) {
    std::string text;
    for (const AssemblyError& error : assembly.errors) {
        text += std::to_string(error.line) + ": " + error.message + '\n';
    }
    return text;
}

/// The only record of a program that must assemble.
inline Record assemble_one(std::string_view text) {
    const Assembly assembly = assemble(text);
    EXPECT_TRUE(assembly.ok()) << messages(assembly);
    EXPECT_EQ(assembly.records.size(), 1U);
    return assembly.records.size() == 1 ? assembly.records.front() : Record{};
}

inline std::string hex(const Record& record) {
    return format_hex_bytes(record.bytes.data(), record_bytes);
}

/// Hexadecimal text written in groups for the reader.
inline std::string without_blanks(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c != ' ') {
            result += c;
        }
    }
    return result;
}

}  // namespace dve
