// The variables of a waveform: clean names, the tree of scopes.
#include "traces/waveform/wave_variable.h"

#include <map>

namespace dve {
namespace {

struct Scope {
    std::string name;
    std::vector<std::size_t> variables;
    std::vector<std::size_t> inner;
};

void walk(const std::vector<Scope>& scopes, std::size_t index, const ScopeWalk& visit) {
    for (const std::size_t variable : scopes[index].variables) {
        visit.variable(variable);
    }
    for (const std::size_t inner : scopes[index].inner) {
        visit.enter(scopes[inner].name);
        walk(scopes, inner, visit);
        visit.leave();
    }
}

}  // namespace

std::string wave_name(const std::string& name) {
    std::string clean;
    for (const char character : name) {
        switch (character) {
            case '.':
                if (!clean.empty() && clean.back() != '.') {
                    clean += '.';
                }
                break;
            case '[': clean += '('; break;
            case ']': clean += ')'; break;
            default: clean += character > ' ' && character < '\x7f' ? character : '_'; break;
        }
    }
    if (!clean.empty() && clean.back() == '.') {
        clean.pop_back();
    }
    return clean.empty() ? "unnamed" : clean;
}

void walk_scopes(const std::vector<WaveVariable>& variables, const ScopeWalk& visit) {
    std::vector<Scope> scopes(1);  // 0: the root
    std::map<std::string, std::size_t> by_path{{"", 0}};
    for (std::size_t index = 0; index < variables.size(); ++index) {
        const std::string& path = variables[index].scope;
        std::size_t scope = 0;
        for (std::size_t end = 0; end < path.size();) {
            const std::size_t begin = end == 0 ? 0 : end + 1;
            end = std::min(path.find('.', begin), path.size());
            const auto [found, is_new] = by_path.emplace(path.substr(0, end), scopes.size());
            if (is_new) {
                scopes[scope].inner.push_back(found->second);
                scopes.push_back({path.substr(begin, end - begin), {}, {}});
            }
            scope = found->second;
        }
        scopes[scope].variables.push_back(index);
    }
    walk(scopes, 0, visit);
}

}  // namespace dve
