// Field tables built from layouts.def, and pattern access.
#include "models/isa/record.h"

namespace dve {
namespace {

std::vector<Layout> build_layouts() {
    std::vector<Layout> layouts;
#define DVE_LAYOUT(name) layouts.push_back({StructId::name, #name, {}});
#define DVE_FIELD(name, offset, bytes, kind) \
    layouts.back().fields.push_back({#name, offset, bytes, FieldKind::kind});
#include "models/isa/layouts.def"
#undef DVE_FIELD
#undef DVE_LAYOUT
    return layouts;
}

// Record bytes are little-endian, as is every host this model runs on.
template <typename T>
T load(const std::uint8_t* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

template <typename T>
void store(std::uint8_t* to, T value) {
    std::memcpy(to, &value, sizeof value);
}

}  // namespace

const Field* Layout::find(std::string_view field_name) const {
    for (const Field& field : fields) {
        if (field_name == field.name) {
            return &field;
        }
    }
    return nullptr;
}

const Layout& layout(StructId id) {
    static const std::vector<Layout> layouts = build_layouts();
    return layouts[static_cast<std::size_t>(id)];
}

Pattern Record::get_pattern(const Field& field) const {
    const std::uint8_t* from = bytes.data() + field.offset;
    Pattern pattern;
    pattern.start.word = load<std::uint32_t>(from);
    pattern.dimensions = static_cast<std::uint8_t>(field.dimensions());
    for (unsigned d = 0; d < pattern.dimensions; ++d) {
        pattern.step_elem[d] = load<std::int16_t>(from + 4 + 2 * d);
        pattern.num_elem[d] = load<std::uint16_t>(from + 4 + 2 * (pattern.dimensions + d));
    }
    return pattern;
}

void Record::set_pattern(const Field& field, const Pattern& pattern) {
    std::uint8_t* to = bytes.data() + field.offset;
    store(to, pattern.start.word);
    const unsigned dimensions = field.dimensions();
    for (unsigned d = 0; d < dimensions; ++d) {
        store(to + 4 + 2 * d, pattern.step_elem[d]);
        store(to + 4 + 2 * (dimensions + d), pattern.num_elem[d]);
    }
}

IndirectPattern Record::get_indirect(const Field& field) const {
    const std::uint8_t* from = bytes.data() + field.offset;
    return {{load<std::uint32_t>(from)},
            {load<std::uint32_t>(from + 4)},
            load<std::uint16_t>(from + 8)};
}

void Record::set_indirect(const Field& field, const IndirectPattern& pattern) {
    std::uint8_t* to = bytes.data() + field.offset;
    store(to, pattern.index.word);
    store(to + 4, pattern.data.word);
    store(to + 8, pattern.num_indices);
}

const Layout& layout_of(const Record& record) {
    const OpcodeRow* row = find_opcode(record.opcode());
    return layout(row != nullptr ? row->layout : StructId::RAW);
}

Record make_record(Opcode opcode) {
    Record record;
    record.set(fields::HEADER::opcode, static_cast<std::uint8_t>(opcode));
    record.set(fields::HEADER::inst_word_len, record_word_count);
    return record;
}

}  // namespace dve
