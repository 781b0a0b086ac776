// Data types: identifiers, widths, layouts (isa_wire_format 5.3, op_semantics 2.1).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "models/isa/generation.h"

namespace dve {

enum class Dtype : std::uint8_t {
#define DVE_DTYPE(value, name, bits, kind, exponent, mantissa, bias, first) name = value,
#include "models/isa/dtype.def"
#undef DVE_DTYPE
};

enum class DtypeKind : std::uint8_t { NONE, SIGNED, UNSIGNED, FLOAT, SCALE, TRANSPORT };

struct DtypeRow {
    Dtype dtype;
    const char* name;   ///< ISA identifier, upper case
    const char* text;   ///< lower case, as in the assembly
    std::uint8_t bits;  ///< element width in memory
    DtypeKind kind;
    std::uint8_t exponent_bits;
    std::uint8_t mantissa_bits;
    std::int16_t bias;
    Generation first;

    /// Bytes of one element; 0 where an element is not a whole number of bytes.
    unsigned bytes() const { return bits % 8 == 0 ? bits / 8U : 0U; }
    bool is_integer() const { return kind == DtypeKind::SIGNED || kind == DtypeKind::UNSIGNED; }
    bool is_float() const { return kind == DtypeKind::FLOAT; }
    bool exists_in(Generation generation) const { return generation >= first; }
};

/// The row of a code, or null where no generation defines it. O(1).
const DtypeRow* find_dtype(std::uint8_t value);
const DtypeRow& dtype_row(Dtype dtype);

/// Lower- or upper-case name; null if unknown.
const DtypeRow* find_dtype(std::string_view name);
const std::vector<DtypeRow>& dtype_rows();

/// Bytes of one element of a byte-sized type.
inline unsigned element_bytes(Dtype dtype) { return dtype_row(dtype).bytes(); }

}  // namespace dve
