// A count of the allocations of the process.
#pragma once

#include <cstddef>

namespace dve::test {

/// Calls of operator new since the start.
std::size_t allocation_count();

}  // namespace dve::test
