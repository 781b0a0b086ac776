// Records that exactly one predicate rejects, and the form they are listed in.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tests/isa/check_samples.h"

namespace dve::test {

inline constexpr GenerationSet everywhere = from(Generation::SUNDA);
inline constexpr GenerationSet with_indirect = from(Generation::MARIANA);

/// A change to a legal record that one predicate alone refuses.
struct Case {
    std::vector<std::uint8_t> opcodes;  ///< samples it applies to
    const char* predicate;              ///< its name on MARIANA, see name_in
    GenerationSet generations;
    const char* field;  ///< field of the violation
    /// Makes the change and gives the value that the violation must report.
    std::function<std::uint64_t(Edit&, Generation)> change;
};

/// Sets one field to a value, which is also what the violation reports.
inline std::function<std::uint64_t(Edit&, Generation)> put(const char* field, std::uint64_t value) {
    return [=](Edit& edit, Generation) {
        edit.set(field, value);
        return value;
    };
}

std::vector<Case> tensor_scalar_cases();
std::vector<Case> two_source_cases();
std::vector<Case> other_cases();
std::vector<Case> all_cases();

/// Name of a predicate in a generation: patterns are bare TENSORs up to CAYMAN, and the channel
/// check knows tiles on MAVERICK (isa_wire_format 6.10).
std::string name_in(Generation generation, const std::string& predicate);

}  // namespace dve::test
