// Look-up by offset.
#include "platform/register_table.h"

namespace dve::csr {
const RegisterRow* find_register(std::uint32_t offset) {
    for (const RegisterRow& row : registers) {
        if (row.offset == offset) {
            return &row;
        }
    }
    return nullptr;
}

const WindowRow* find_window(std::uint32_t offset) {
    for (const WindowRow& row : windows) {
        if (offset >= row.offset && offset < row.offset + 4 * row.words) {
            return &row;
        }
    }
    return nullptr;
}

std::size_t find_counter(std::uint32_t offset) {
    std::size_t counter = 0;
    while (counter < counter_count &&
           (offset < counters[counter] || offset >= counters[counter] + 8)) {
        ++counter;
    }
    return counter;
}

}  // namespace dve::csr
