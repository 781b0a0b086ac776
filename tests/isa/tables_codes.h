// Lists of codes as the fact sheet writes them: single values and ranges.
#pragma once

#include <vector>

namespace dve::test {

using Codes = std::vector<unsigned>;

inline Codes span(unsigned first, unsigned last) {
    Codes codes;
    for (unsigned code = first; code <= last; ++code) {
        codes.push_back(code);
    }
    return codes;
}

inline Codes operator+(Codes left, const Codes& right) {
    left.insert(left.end(), right.begin(), right.end());
    return left;
}

}  // namespace dve::test
