// Parsing and printing of field values by their kind.
#include "models/isa/text_field.h"

#include <algorithm>
#include <array>

#include "models/isa/alu_op.h"
#include "models/isa/dtype.h"
#include "models/isa/enums.h"
#include "models/isa/name_text.h"
#include "models/isa/text_name.h"
#include "models/isa/text_number.h"

namespace dve {
namespace {

struct NamedValue {
    std::string_view name;
    std::uint8_t value;
};

// The enumeration behind a field kind, whichever table it is in; empty for numbers.
std::vector<NamedValue> read_names(FieldKind kind) {
    std::vector<NamedValue> names;
    switch (kind) {
        case FieldKind::OPCODE:
            for (const OpcodeRow& row : opcode_rows()) {
                names.push_back({row.mnemonic, row.value()});
            }
            break;
        case FieldKind::ALU_OP:
            for (const AluOpRow& row : alu_op_rows()) {
                names.push_back({row.text, static_cast<std::uint8_t>(row.op)});
            }
            break;
        case FieldKind::DTYPE:
        case FieldKind::DTYPE_PAIR:
            for (const DtypeRow& row : dtype_rows()) {
                names.push_back({row.text, static_cast<std::uint8_t>(row.dtype)});
            }
            break;
        default:
            for (const EnumMember& member : enum_members(kind)) {
                names.push_back({member.text, member.value});
            }
    }
    return names;
}

const std::vector<NamedValue>& names_of(FieldKind kind) {
    constexpr auto kinds = static_cast<std::size_t>(FieldKind::UNUSED) + 1;
    static const std::array<std::vector<NamedValue>, kinds> table = [] {
        std::array<std::vector<NamedValue>, kinds> lists;
        for (std::size_t k = 0; k < kinds; ++k) {
            lists[k] = read_names(static_cast<FieldKind>(k));
        }
        return lists;
    }();
    return table[static_cast<std::size_t>(kind)];
}

// Name or number of an enumeration that fills `bits` bits.
Result<std::uint64_t> parse_member(std::string_view text, FieldKind kind, unsigned bits) {
    const std::vector<NamedValue>& members = names_of(kind);
    const std::string lower = lower_case(text);
    const auto found = std::find_if(members.begin(), members.end(),
                                    [&](const NamedValue& member) { return member.name == lower; });
    const std::uint64_t maximum = (std::uint64_t{1} << bits) - 1;
    if (found != members.end()) {
        if (found->value > maximum) {
            return Error{quoted(text) + " is number " + std::to_string(found->value) +
                         ", which does not fit " + std::to_string(bits) +
                         " bits; legal: up to number " + std::to_string(maximum)};
        }
        return std::uint64_t{found->value};
    }
    if (parse_integer(text)) {
        return parse_bits(text, bits, false);
    }
    std::vector<std::string_view> names;
    names.reserve(members.size());
    for (const NamedValue& member : members) {
        names.push_back(member.name);
    }
    return unknown_name("value", text, names, "or a number 0.." + std::to_string(maximum));
}

std::string format_member(std::uint8_t value, FieldKind kind) {
    for (const NamedValue& member : names_of(kind)) {
        if (member.value == value) {
            return std::string(member.name);
        }
    }
    return format_hex(value, 2);
}

Status parse_pair(std::string_view text, const Field& field, Record& record) {
    const std::vector<std::string_view> parts = split(text, ',');
    if (parts.size() == 1 && parse_integer(text)) {
        const Result<std::uint64_t> both = parse_bits(text, 8, false);
        if (!both) {
            return both.failure();
        }
        record.set(field, *both);
        return Done{};
    }
    if (parts.size() != 2) {
        return Error{quoted(text) +
                     " is not a pair; legal: two dtypes of numbers up to 15, first operand first, "
                     "e.g. fp32,bf16, or the byte as a number"};
    }
    const Result<std::uint64_t> first = parse_member(parts[0], FieldKind::DTYPE_PAIR, 4);
    const Result<std::uint64_t> second = parse_member(parts[1], FieldKind::DTYPE_PAIR, 4);
    if (!first || !second) {
        return first ? second.failure() : first.failure();
    }
    record.set(field, *first | *second << 4);
    return Done{};
}

// Values of `width` bytes; the rest of the field becomes zero.
Status parse_list(std::string_view text, const Field& field, unsigned width, Record& record) {
    const std::vector<std::string_view> parts = split(text, ',');
    if (parts.size() > field.bytes / width) {
        return Error{std::to_string(parts.size()) + " values do not fit; legal: up to " +
                     std::to_string(field.bytes / width) + " values joined by commas"};
    }
    std::fill_n(record.bytes.begin() + field.offset, field.bytes, std::uint8_t{0});
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const bool word = width == 4;
        Result<std::uint64_t> value = parse_bits(parts[i], 8 * width, word);
        if (!value && word && !parse_integer(parts[i])) {
            // MOVE immediates may be FP32 (isa_wire_format 4.7).
            if (const std::optional<std::uint32_t> bits = parse_fp32(parts[i])) {
                value = std::uint64_t{*bits};
            }
        }
        if (!value) {
            return value.failure();
        }
        for (unsigned b = 0; b < width; ++b) {
            record.bytes[field.offset + i * width + b] = static_cast<std::uint8_t>(*value >> 8 * b);
        }
    }
    return Done{};
}

std::string format_list(const Record& record, const Field& field, unsigned width) {
    std::vector<std::string> values;
    std::size_t used = 0;
    for (unsigned at = 0; at < field.bytes; at += width) {
        std::uint64_t value = 0;
        for (unsigned b = 0; b < width; ++b) {
            value |= std::uint64_t{record.bytes[field.offset + at + b]} << 8 * b;
        }
        values.push_back(format_unsigned(value));
        used = value != 0 ? values.size() : used;
    }
    std::string text = values.front();
    for (std::size_t i = 1; i < used; ++i) {
        text += ',' + values[i];
    }
    return text;
}

// Bytes without meaning: a 0x or one-digit number, or hexadecimal digits in memory order.
Status parse_bytes(std::string_view text, const Field& field, Record& record) {
    std::fill_n(record.bytes.begin() + field.offset, field.bytes, std::uint8_t{0});
    if (text.size() == 1 || text.substr(0, 2) == "0x") {
        const Field low{field.name, field.offset, std::min<std::uint8_t>(field.bytes, 8),
                        field.kind};
        const Result<std::uint64_t> value = parse_bits(text, 8U * low.bytes, false);
        if (!value) {
            return value.failure();
        }
        record.set(low, *value);
        return Done{};
    }
    const auto bytes = parse_hex_bytes(text);
    if (!bytes || bytes->size() > field.bytes) {
        return Error{quoted(text) + " is not a byte string; legal: up to " +
                     std::to_string(2 * field.bytes) +
                     " hexadecimal digits, two a byte, in memory order"};
    }
    std::copy(bytes->begin(), bytes->end(), record.bytes.begin() + field.offset);
    return Done{};
}

std::string format_bytes(const Record& record, const Field& field) {
    const std::uint8_t* bytes = record.bytes.data() + field.offset;
    unsigned used = field.bytes;
    while (used > 1 && bytes[used - 1] == 0) {
        --used;
    }
    return format_hex_bytes(bytes, used);
}

std::string format_signed(std::uint64_t value, unsigned bits) {
    const bool negative = (value >> (bits - 1) & 1U) != 0;
    const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    return negative ? '-' + std::to_string((0 - value) & mask) : std::to_string(value);
}

constexpr std::array<std::array<std::string_view, 2>, 5> aliases = {{
    {"dst_mem_pattern", "dst"},
    {"src_mem_pattern", "src"},
    {"src0_mem_pattern", "src0"},
    {"src1_mem_pattern", "src1"},
    {"reverse_operands", "reverse"},
}};

}  // namespace

std::string_view field_alias(std::string_view record_name) {
    for (const auto& [name, alias] : aliases) {
        if (name == record_name) {
            return alias;
        }
    }
    return record_name;
}

const Field* find_field(const Layout& own, std::string_view name) {
    for (const auto& [record_name, alias] : aliases) {
        if (name == alias) {
            return own.find(record_name);
        }
    }
    const Field* field = own.find(name);
    return field != nullptr ? field : layout(StructId::HEADER).find(name);
}

std::vector<std::string_view> field_names(const Layout& own) {
    std::vector<std::string_view> names;
    for (const Layout* part : {&own, &layout(StructId::HEADER)}) {
        for (const Field& field : part->fields) {
            names.push_back(field_alias(field.name));
        }
    }
    return names;
}

Status parse_field(std::string_view text, const Field& field, Record& record) {
    Result<std::uint64_t> value = std::uint64_t{0};
    switch (field.kind) {
        case FieldKind::UINT: value = parse_bits(text, 8U * field.bytes, false); break;
        case FieldKind::SIGNED: value = parse_bits(text, 8U * field.bytes, true); break;
        case FieldKind::DTYPE_PAIR: return parse_pair(text, field, record);
        case FieldKind::BYTE_LIST: return parse_list(text, field, 1, record);
        case FieldKind::WORD_LIST: return parse_list(text, field, 4, record);
        case FieldKind::RESERVED:
        case FieldKind::UNUSED: return parse_bytes(text, field, record);
        default: value = parse_member(text, field.kind, 8U * field.bytes);
    }
    if (!value) {
        return value.failure();
    }
    record.set(field, *value);
    return Done{};
}

std::string format_field(const Record& record, const Field& field) {
    switch (field.kind) {
        case FieldKind::UINT: return format_unsigned(record.get(field));
        case FieldKind::SIGNED: return format_signed(record.get(field), 8U * field.bytes);
        case FieldKind::DTYPE_PAIR:
            return format_member(record.get8(field) & 0xF, FieldKind::DTYPE) + ',' +
                   format_member(record.get8(field) >> 4, FieldKind::DTYPE);
        case FieldKind::BYTE_LIST: return format_list(record, field, 1);
        case FieldKind::WORD_LIST: return format_list(record, field, 4);
        case FieldKind::RESERVED:
        case FieldKind::UNUSED: return format_bytes(record, field);
        default: return format_member(record.get8(field), field.kind);
    }
}

}  // namespace dve
