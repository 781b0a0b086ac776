// The 64-byte instruction record and its field tables (isa_wire_format 1 and 4).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "models/isa/opcode.h"

namespace dve {

inline constexpr std::size_t record_bytes = 64;        ///< TPB_INST_NBYTES
inline constexpr std::uint8_t record_word_count = 16;  ///< inst_word_len of every record
inline constexpr unsigned num_address_registers = 64;  ///< NUM_ADDR_REGISTERS

/// What a field holds; decides its text form and its messages.
enum class FieldKind : std::uint8_t {
    OPCODE,
    UINT,    ///< unsigned, 1 to 8 bytes
    SIGNED,  ///< two's complement, 1 to 8 bytes
    DTYPE,
    DTYPE_PAIR,  ///< low nibble first operand, high nibble second
    ALU_OP,
    IMM_SRC,
    IMMEDIATE,  ///< 4 bytes; FP32, integer, pointer or register number (isa_wire_format 4.5)
    ACCUM_CMD,
    REVERSE,  ///< TENS_SCALAR_REV_OPS
    SUBDIM,   ///< TENSOR_SUBDIM
    DATA_SRC,
    WAIT_MODE,
    UPDATE_MODE,
    PATTERN1D,  ///< TENSOR1D .. TENSOR4D, or the INDIRECT arm of the same size
    PATTERN2D,
    PATTERN3D,
    PATTERN4D,
    BYTE_LIST,  ///< bytes, one value each
    WORD_LIST,  ///< 32-bit words, one value each
    RESERVED,   ///< zero by predicate
    UNUSED,     ///< no published meaning, free
};

struct Field {
    const char* name;     ///< record name of the ISA
    std::uint8_t offset;  ///< byte offset in the record
    std::uint8_t bytes;
    FieldKind kind;

    constexpr bool is_pattern() const {
        return kind >= FieldKind::PATTERN1D && kind <= FieldKind::PATTERN4D;
    }
    /// Free dimensions of a pattern field, 1 to 4.
    constexpr unsigned dimensions() const {
        return static_cast<unsigned>(kind) - static_cast<unsigned>(FieldKind::PATTERN1D) + 1U;
    }
};

struct Layout {
    StructId id;
    const char* name;
    std::vector<Field> fields;  ///< by offset; without the header

    const Field* find(std::string_view field_name) const;
};

/// A layout's own fields; StructId::HEADER gives those common to all records.
const Layout& layout(StructId id);

/// Fields as constants, `fields::S3D3_TS::op0` and so on, for direct access without a search.
namespace fields {
#define DVE_LAYOUT(name) \
    }                \
    namespace fields::name {
#define DVE_FIELD(name, offset, bytes, kind) \
    inline constexpr Field name{#name, offset, bytes, FieldKind::kind};
#include "models/isa/layouts.def"
#undef DVE_FIELD
#undef DVE_LAYOUT
}  // namespace fields

/// The ADDR4 word in front of a pattern and its marker bits (isa_wire_format 2.1).
struct AddressWord {
    std::uint32_t word = 0;

    constexpr std::uint32_t offset() const { return word & 0x1FFFFFFFU; }  ///< PARTITION_OFFSET
    constexpr bool indirect() const { return (word >> 29 & 1U) != 0; }
    constexpr bool shape_from_register() const { return (word >> 30 & 1U) != 0; }
    constexpr bool from_register() const { return (word >> 31) != 0; }
    constexpr unsigned register_number() const { return word & 0xFFU; }
    /// Bits 8..28, which a register form must leave zero.
    constexpr std::uint32_t register_reserved() const { return word & 0x1FFFFF00U; }
};

/// A memory pattern as decoded; dimension 0 is the innermost (isa_wire_format 3.1).
struct Pattern {
    AddressWord start;
    std::uint8_t dimensions = 1;
    std::array<std::int16_t, 4> step_elem{1, 1, 1, 1};  ///< in elements of the operand's dtype
    std::array<std::uint16_t, 4> num_elem{1, 1, 1, 1};  ///< unused dimensions: 1

    constexpr std::uint64_t elements() const {
        return std::uint64_t{num_elem[0]} * num_elem[1] * num_elem[2] * num_elem[3];
    }
};

/// The INDIRECT arm of the same bytes (isa_wire_format 3.2).
struct IndirectPattern {
    AddressWord index;
    AddressWord data;
    std::uint16_t num_indices = 0;
};

/// One record. Plain bytes; every access goes through a field.
struct Record {
    std::array<std::uint8_t, record_bytes> bytes{};

    /// Value of a field of at most 8 bytes, zero-extended.
    constexpr std::uint64_t get(const Field& field) const {
        std::uint64_t value = 0;
        for (unsigned i = 0; i < field.bytes; ++i) {
            value |= std::uint64_t{bytes[field.offset + i]} << (8 * i);
        }
        return value;
    }
    constexpr std::uint8_t get8(const Field& field) const { return bytes[field.offset]; }
    std::uint32_t get32(const Field& field) const {
        std::uint32_t value = 0;
        std::memcpy(&value, bytes.data() + field.offset, sizeof value);
        return value;
    }
    constexpr void set(const Field& field, std::uint64_t value) {
        for (unsigned i = 0; i < field.bytes; ++i) {
            bytes[field.offset + i] = static_cast<std::uint8_t>(value >> (8 * i));
        }
    }

    Pattern get_pattern(const Field& field) const;
    void set_pattern(const Field& field, const Pattern& pattern);
    IndirectPattern get_indirect(const Field& field) const;
    void set_indirect(const Field& field, const IndirectPattern& pattern);

    std::uint8_t opcode() const { return bytes[0]; }
    bool operator==(const Record& other) const { return bytes == other.bytes; }
    bool operator!=(const Record& other) const { return bytes != other.bytes; }
};
static_assert(sizeof(Record) == record_bytes);

/// A mix of all bytes, for tables keyed by record.
inline std::size_t record_hash(const Record& record) {
    std::uint64_t hash = 0;
    for (std::size_t at = 0; at < record_bytes; at += sizeof hash) {
        std::uint64_t word = 0;
        std::memcpy(&word, record.bytes.data() + at, sizeof word);
        hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
        hash ^= hash >> 29;
    }
    return static_cast<std::size_t>(hash);
}

/// Layout of a record by its opcode byte; RAW where no generation defines the opcode.
const Layout& layout_of(const Record& record);

/// A record of an opcode with inst_word_len set and everything else zero.
Record make_record(Opcode opcode);

}  // namespace dve
