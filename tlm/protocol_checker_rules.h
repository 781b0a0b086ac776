// The rules of the TLM-2.0 base protocol that the checker holds an arrow to, and their names.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace dve {

/// From tlm/protocol_checker_rules.def.
enum class ProtocolRule : std::uint8_t {
#define DVE_PROTOCOL_RULE(name, clause, text) name,
#include "tlm/protocol_checker_rules.def"
#undef DVE_PROTOCOL_RULE
};

struct ProtocolRuleRow {
    ProtocolRule rule;
    const char* name;
    const char* clause;  ///< of IEEE 1666-2011, or "project"
    const char* text;    ///< what must hold
};

inline constexpr ProtocolRuleRow protocol_rules[] = {
#define DVE_PROTOCOL_RULE(name, clause, text) {ProtocolRule::name, #name, clause, text},
#include "tlm/protocol_checker_rules.def"
#undef DVE_PROTOCOL_RULE
};
inline constexpr std::size_t protocol_rule_count = sizeof protocol_rules / sizeof protocol_rules[0];

inline const ProtocolRuleRow& row_of(ProtocolRule rule) {
    return protocol_rules[static_cast<std::size_t>(rule)];
}

}  // namespace dve
