// The ALU operation table and its indexes.
#include "models/isa/alu_op.h"

#include <array>
#include <deque>
#include <string>

#include "models/isa/name_text.h"

namespace dve {
namespace {

struct Table {
    std::vector<AluOpRow> rows;
    std::deque<std::string> texts;  // stable addresses for AluOpRow::text
    std::array<const AluOpRow*, 256> by_value{};

    Table() {
        const auto add = [this](std::uint8_t value, const char* name, std::uint8_t operands,
                                int classes, Generation first) {
            texts.push_back(lower_case(name));
            rows.push_back({static_cast<AluOp>(value), name, texts.back().c_str(), operands,
                            static_cast<std::uint16_t>(classes), first});
        };
#define DVE_ALU_OP(value, name, operands, classes, first, function) \
    add(value, #name, operands, classes, Generation::first);
#include "models/isa/alu_op.def"
#undef DVE_ALU_OP
        for (const AluOpRow& row : rows) {
            by_value[static_cast<std::uint8_t>(row.op)] = &row;
        }
    }
};

const Table& table() {
    static const Table instance;
    return instance;
}

}  // namespace

const AluOpRow* find_alu_op(std::uint8_t value) { return table().by_value[value]; }

const AluOpRow& alu_op_row(AluOp op) { return *table().by_value[static_cast<std::uint8_t>(op)]; }

const AluOpRow* find_alu_op(std::string_view name) {
    const std::string text = lower_case(name);
    for (const AluOpRow& row : table().rows) {
        if (text == row.text) {
            return &row;
        }
    }
    return nullptr;
}

const std::vector<AluOpRow>& alu_op_rows() { return table().rows; }

}  // namespace dve
