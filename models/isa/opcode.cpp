// The opcode table and its indexes.
#include "models/isa/opcode.h"

#include <array>
#include <deque>
#include <string>

#include "models/isa/name_text.h"

namespace dve {
namespace {

// The column values of opcode.def.
constexpr GenerationSet NOWHERE = 0;
constexpr GenerationSet ALL = from(Generation::SUNDA);
constexpr GenerationSet SEQ = ALL;  // the sequencer handles it itself, everywhere
constexpr GenerationSet FROM_CA = from(Generation::CAYMAN);
constexpr GenerationSet FROM_MA = from(Generation::MARIANA);
constexpr GenerationSet ONLY_MV = from(Generation::MAVERICK);

std::string mnemonic_of(std::string_view name) {
    std::string text = lower_case(name);
    // ALU_OP (0xA8) is a name of its own, not a suffix.
    if (text.size() > 3 && text != "alu_op" && text.compare(text.size() - 3, 3, "_op") == 0) {
        text.resize(text.size() - 3);
    }
    return text;
}

struct Table {
    std::vector<OpcodeRow> rows;
    std::deque<std::string> mnemonics;
    std::array<const OpcodeRow*, 256> by_value{};

    Table() {
        const auto add = [this](int value, const char* name, StructId layout,
                                GenerationSet generations, GenerationSet wired,
                                Maintained maintained, ValidatorId validator, WorkerId worker) {
            mnemonics.push_back(mnemonic_of(name));
            rows.push_back({static_cast<Opcode>(value), name, mnemonics.back().c_str(), layout,
                            generations, wired, maintained, validator, worker});
        };
#define DVE_OPCODE(value, name, layout, generations, wired, maintained, validator, worker) \
    add(value, #name, StructId::layout, generations, wired, Maintained::maintained,    \
        ValidatorId::validator, WorkerId::worker);
#include "models/isa/opcode.def"
#undef DVE_OPCODE
        for (const OpcodeRow& row : rows) {
            by_value[row.value()] = &row;
        }
    }
};

const Table& table() {
    static const Table instance;
    return instance;
}

}  // namespace

const OpcodeRow* find_opcode(std::uint8_t value) { return table().by_value[value]; }

const OpcodeRow& opcode_row(Opcode opcode) {
    return *table().by_value[static_cast<std::uint8_t>(opcode)];
}

const OpcodeRow* find_opcode(std::string_view mnemonic) {
    const std::string text = mnemonic_of(mnemonic);
    for (const OpcodeRow& row : table().rows) {
        if (text == row.mnemonic) {
            return &row;
        }
    }
    return nullptr;
}

const std::vector<OpcodeRow>& opcode_rows() { return table().rows; }

}  // namespace dve
