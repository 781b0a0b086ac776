// The dtype table and its indexes.
#include "models/isa/dtype.h"

#include <array>
#include <deque>
#include <string>

#include "models/isa/name_text.h"

namespace dve {
namespace {

struct Table {
    std::vector<DtypeRow> rows;
    std::deque<std::string> texts;
    std::array<const DtypeRow*, 256> by_value{};

    Table() {
        const auto add = [this](int value, const char* name, int bits, DtypeKind kind, int exponent,
                                int mantissa, int bias, Generation first) {
            texts.push_back(lower_case(name));
            rows.push_back(
                {static_cast<Dtype>(value), name, texts.back().c_str(),
                 static_cast<std::uint8_t>(bits), kind, static_cast<std::uint8_t>(exponent),
                 static_cast<std::uint8_t>(mantissa), static_cast<std::int16_t>(bias), first});
        };
#define DVE_DTYPE(value, name, bits, kind, exponent, mantissa, bias, first) \
    add(value, #name, bits, DtypeKind::kind, exponent, mantissa, bias, Generation::first);
#include "models/isa/dtype.def"
#undef DVE_DTYPE
        for (const DtypeRow& row : rows) {
            by_value[static_cast<std::uint8_t>(row.dtype)] = &row;
        }
    }
};

const Table& table() {
    static const Table instance;
    return instance;
}

}  // namespace

const DtypeRow* find_dtype(std::uint8_t value) { return table().by_value[value]; }

const DtypeRow& dtype_row(Dtype dtype) {
    return *table().by_value[static_cast<std::uint8_t>(dtype)];
}

const DtypeRow* find_dtype(std::string_view name) {
    const std::string text = lower_case(name);
    for (const DtypeRow& row : table().rows) {
        if (text == row.text) {
            return &row;
        }
    }
    return nullptr;
}

const std::vector<DtypeRow>& dtype_rows() { return table().rows; }

}  // namespace dve
