// The variables of a waveform, as a viewer sees them: names, scopes, widths.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tlm/traceable.h"

namespace dve {

enum class WaveType : std::uint8_t { BITS, REAL, EVENT };

struct WaveVariable {
    std::string scope;  ///< names joined by dots; may be empty
    std::string name;
    unsigned bits = 1;
    WaveType type = WaveType::BITS;
    SignalKind kind = SignalKind::NUMBER;
    int lane = -1;  ///< -1: not a lane's

    std::string full_name() const { return scope.empty() ? name : scope + '.' + name; }
};

/// A name that every viewer reads: no white space, no brackets (they would be a bit range), no
/// empty parts between dots.
std::string wave_name(const std::string& name);

/// What happens on a walk through the scopes; each scope is entered once.
struct ScopeWalk {
    std::function<void(const std::string& name)> enter;
    std::function<void()> leave;
    std::function<void(std::size_t variable)> variable;
};

/// Visits the variables scope by scope, both in the order of their first appearance, a scope's own
/// variables before its inner scopes.
void walk_scopes(const std::vector<WaveVariable>& variables, const ScopeWalk& walk);

}  // namespace dve
