// The form of a validity predicate, and the list of them behind each validator.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "models/isa/check.h"
#include "models/isa/opcode.h"
#include "models/isa/record.h"

namespace dve::predicates {

/// What a predicate looks at. `opcode` is null for a byte that no generation defines.
struct CheckContext {
    const Record& record;
    const OpcodeRow* opcode;
    const IsaConfiguration& configuration;
    const GenerationRow& generation;

    Opcode code() const { return static_cast<Opcode>(record.opcode()); }
    std::uint8_t get(const Field& field) const { return record.get8(field); }
};

/// True if the rule holds. On failure fills field, value and legal of the violation; a null
/// violation asks for the answer only, and nothing may be allocated for it.
using Holds = bool (*)(const CheckContext&, Violation*);

struct Predicate {
    const char* name;           ///< of the ISA where the sheet gives one
    GenerationSet generations;  ///< whose headers have it under this name
    Holds holds;                ///< null: nothing but the conjunction of others in the same list
};

struct PredicateList {
    const Predicate* first = nullptr;
    std::size_t count = 0;

    const Predicate* begin() const { return first; }
    const Predicate* end() const { return first + count; }
};

template <std::size_t N>
constexpr PredicateList list_of(const Predicate (&list)[N]) {
    return {list, N};
}

template <std::size_t N>
constexpr PredicateList list_of(const std::array<Predicate, N>& list) {
    return {list.data(), N};
}

/// Lists one after the other.
template <std::size_t... N>
constexpr std::array<Predicate, (N + ...)> joined(const Predicate (&... parts)[N]) {
    std::array<Predicate, (N + ...)> all{};
    std::size_t next = 0;
    const auto append = [&](const auto& part) {
        for (const Predicate& predicate : part) {
            all[next++] = predicate;
        }
    };
    (append(parts), ...);
    return all;
}

inline constexpr GenerationSet every_generation = from(Generation::SUNDA);
/// Patterns are bare TENSORs up to CAYMAN and unions with INDIRECT from MARIANA on
/// (isa_wire_format 6.10), so their predicates change name there.
inline constexpr GenerationSet from_mariana = from(Generation::MARIANA);
inline constexpr GenerationSet until_cayman = every_generation & ~from_mariana;
inline constexpr GenerationSet maverick = only(Generation::MAVERICK);
inline constexpr GenerationSet before_maverick = every_generation & ~maverick;

/// Header and events: every record, modelled or not.
PredicateList common_predicates();

/// The rest of a validator's list, in the order of the sheet.
PredicateList predicates_of(ValidatorId validator);

// One list for each validator, by family.
PredicateList tensor_scalar_op();
PredicateList tensor_scalar_ptr_op();
PredicateList tensor_scalar_cache_reduce();
PredicateList exponential();
PredicateList scalar_tensor_tensor();
PredicateList tensor_tensor_scan();
PredicateList select_reduce();
PredicateList tensor_tensor();
PredicateList tensor_cumulative();
PredicateList dve_read_accumulator();
PredicateList event_semaphore();
PredicateList move();
PredicateList control();

}  // namespace dve::predicates
