// What lies at each offset, spread out for look-up.
#include "platform/register_table.h"

namespace dve::csr {
namespace {

constexpr std::array<Word, window_bytes / 4> spread() {
    std::array<Word, window_bytes / 4> all{};
    for (std::uint8_t row = 0; row < register_count; ++row) {
        all[registers[row].offset / 4] = {Word::Kind::REGISTER, registers[row].access, row};
    }
    for (std::uint8_t row = 0; row < counter_count; ++row) {
        all[counters[row] / 4] = {Word::Kind::COUNTER_LOW, Access::RO, row};
        all[counters[row] / 4 + 1] = {Word::Kind::COUNTER_HIGH, Access::RO, row};
    }
    for (std::uint8_t row = 0; row < sizeof windows / sizeof windows[0]; ++row) {
        for (std::uint32_t word = 0; word < windows[row].words; ++word) {
            all[windows[row].offset / 4 + word] = {Word::Kind::WINDOW, windows[row].access, row};
        }
    }
    return all;
}

}  // namespace

constexpr std::array<Word, window_bytes / 4> words = spread();

}  // namespace dve::csr
