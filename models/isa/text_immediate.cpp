// Parsing and printing of immediates.
#include "models/isa/text_immediate.h"

#include "models/isa/enums.h"
#include "models/isa/text_number.h"

namespace dve {
namespace {

constexpr std::uint8_t integer_band = 0xC0;  // ALU operations with both top bits set (5.2)

struct ValueType {
    bool integer = false;
    bool is_signed = false;
    unsigned bits = 32;
};

// The immediates of 0x44 and 0x54 are pointers although their source code says 0 (6.2).
bool holds_pointers(const OpcodeRow& row) {
    return row.validator == ValidatorId::is_valid_tensor_scalar_ptr_op;
}

std::uint8_t pointer_source(const OpcodeRow* row) {
    return static_cast<std::uint8_t>(row != nullptr && holds_pointers(*row) ? ImmSrc::INSTRUCTION
                                                                            : ImmSrc::POINTER);
}

ValueType value_type(const Record& record, const Field& immediate) {
    const Layout& own = layout_of(record);
    const OpcodeRow* row = find_opcode(record.opcode());
    const Field* own_dtype = own.find(std::string(immediate.name) + "_dtype");
    const Field* dtype_field = own_dtype != nullptr ? own_dtype : own.find("in_dtype");
    const DtypeRow* dtype =
        dtype_field != nullptr ? find_dtype(record.get8(*dtype_field)) : nullptr;
    const bool integer_dtype = dtype != nullptr && dtype->is_integer();
    const bool narrow = dtype != nullptr && (dtype->bits == 8 || dtype->bits == 16);
    ValueType type;
    if (row != nullptr && is_bitvec(*row)) {
        type = {true, integer_dtype && dtype->kind == DtypeKind::SIGNED,
                narrow ? dtype->bits : 32U};
    } else if (own_dtype != nullptr && integer_dtype) {
        type = {true, dtype->kind == DtypeKind::SIGNED, narrow ? dtype->bits : 32U};
    } else if (const Field* operation = immediate_operation(own, immediate);
               operation != nullptr && (record.get8(*operation) & integer_band) == integer_band) {
        type = {true, true, 32};
    }
    return type;
}

std::string format_value(const Record& record, const Field& immediate) {
    const std::uint32_t bits = record.get32(immediate);
    const ValueType type = value_type(record, immediate);
    if (!type.integer) {
        return format_fp32(bits);
    }
    if (type.bits < 32 && bits >> type.bits != 0) {
        return format_hex(bits, 8);
    }
    const bool negative = type.is_signed && (bits >> (type.bits - 1) & 1U) != 0;
    return negative ? '-' + std::to_string((std::uint64_t{1} << type.bits) - bits)
                    : format_unsigned(bits);
}

Result<std::uint32_t> parse_value(std::string_view text, const Field& immediate,
                                  const Record& record) {
    if (text.substr(0, 2) == "0x") {
        const Result<std::uint64_t> raw = parse_bits(text, 32, false);
        return raw ? Result<std::uint32_t>(static_cast<std::uint32_t>(*raw)) : raw.failure();
    }
    const ValueType type = value_type(record, immediate);
    if (type.integer) {
        const Result<std::uint64_t> value = parse_bits(text, type.bits, true);
        return value ? Result<std::uint32_t>(static_cast<std::uint32_t>(*value)) : value.failure();
    }
    const std::optional<std::uint32_t> bits = parse_fp32(text);
    if (!bits) {
        return Error{quoted(text) +
                     " is not an FP32 value; legal: a decimal number in its range, inf, nan, raw "
                     "bits 0x0..0xffffffff, @place or @R[n]"};
    }
    return *bits;
}

Result<std::uint32_t> parse_pointer(std::string_view text, const TextContext& context) {
    if (!looks_like_tensor(text)) {
        return parse_address_word(text, context);
    }
    const Result<TensorWalk> walk = parse_tensor_walk(text, context);
    return walk ? Result<std::uint32_t>(address_of(walk->start, context.memory)) : walk.failure();
}

}  // namespace

bool is_bitvec(const OpcodeRow& row) {
    return std::string_view(row.name).find("BITVEC") != std::string_view::npos;
}

const Field* immediate_source(const Layout& own, const Field& immediate) {
    return own.find(std::string(immediate.name) + "_src");
}

const Field* immediate_operation(const Layout& own, const Field& immediate) {
    return own.find("op" + std::string(immediate.name).substr(3));
}

Status parse_immediate(std::string_view text, const Field& field, bool source_is_written,
                       const TextContext& context, Record& record) {
    if (text.front() != '@') {
        const Result<std::uint32_t> value = parse_value(text, field, record);
        if (!value) {
            return value.failure();
        }
        record.set(field, *value);
        return Done{};
    }
    text.remove_prefix(1);
    Result<std::uint32_t> word = parse_pointer(text, context);
    if (!word) {
        return Error{"pointer: " + word.error()};
    }
    const bool from_register = text.substr(0, 2) == "R[";
    if (from_register) {
        // IMM_REG is a bare register number, without the marker of an ADDR4 word (2.1).
        word = std::uint32_t{AddressWord{*word}.register_number()};
    }
    record.set(field, *word);
    if (const Field* source = immediate_source(layout_of(record), field);
        source != nullptr && !source_is_written) {
        record.set(*source, from_register ? static_cast<std::uint8_t>(ImmSrc::REG_PTR)
                                          : pointer_source(find_opcode(record.opcode())));
    }
    return Done{};
}

std::string format_immediate(const Record& record, const Field& field, const MemoryMap& memory) {
    const OpcodeRow* row = find_opcode(record.opcode());
    const Field* source = immediate_source(layout_of(record), field);
    const std::uint8_t code = source != nullptr ? record.get8(*source) : 0;
    const std::uint32_t bits = record.get32(field);
    const std::string name = ' ' + std::string(field.name) + '=';
    const std::uint8_t pointer_code = pointer_source(row);
    if (source != nullptr && code == pointer_code) {
        const std::optional<Place> place = place_of(bits, memory);
        return name + '@' + (place ? format_place(*place) : "word:" + format_hex(bits, 8));
    }
    if (code == static_cast<std::uint8_t>(ImmSrc::REG_PTR) && bits <= 0xFF) {
        return name + "@R[" + std::to_string(bits) + ']';
    }
    if (code == static_cast<std::uint8_t>(ImmSrc::INSTRUCTION)) {
        return name + format_value(record, field);
    }
    const EnumMembers members = enum_members(FieldKind::IMM_SRC);
    const char* text = members.text(code);
    return ' ' + std::string(source->name) + '=' + (text != nullptr ? text : format_hex(code, 2)) +
           name + format_hex(bits, 8);
}

}  // namespace dve
