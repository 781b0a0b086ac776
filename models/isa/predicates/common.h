// Rules shared by the families: data types, operations, channels, immediates, and their messages.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

#include "models/isa/alu_op.h"
#include "models/isa/alu_op_dtype.h"
#include "models/isa/dtype.h"
#include "models/isa/enums.h"
#include "models/isa/predicates/predicate.h"
#include "models/isa/predicates/tables.h"

namespace dve::predicates {

/// Fills a violation and gives false, so that `return violation != nullptr && refuse(...)` builds
/// text only when somebody asked for it.
bool refuse(Violation& violation, std::string field, std::uint64_t value, std::string legal);

bool is_one_of(std::uint8_t value, std::initializer_list<std::uint8_t> members);

/// "none 0, first 1, ...": the members of a field's enumeration.
std::string member_names(FieldKind kind);

/// Membership of a field in the enumeration of its kind.
bool field_in_enum(const CheckContext& context, const Field& field, Violation* violation);

/// A field that must hold one value; `legal` says which and why.
bool field_equals(const CheckContext& context, const Field& field, std::uint64_t wanted,
                  const char* legal, Violation* violation);

/// Every byte of a reserved field is zero.
bool reserved_zero(const CheckContext& context, const Field& field, Violation* violation);

// Data types (isa_wire_format 5.3).
inline constexpr DtypeSet fp_datapath = set_of(Dtype::BF16) | set_of(Dtype::FP16) |
                                        set_of(Dtype::FP32) | set_of(Dtype::FP8_EXP3) |
                                        set_of(Dtype::FP8_EXP4) | set_of(Dtype::FP8_EXP5);
inline constexpr DtypeSet int32_types = set_of(Dtype::INT32) | set_of(Dtype::UINT32);
inline constexpr DtypeSet int64_types = set_of(Dtype::INT64) | set_of(Dtype::UINT64);
inline constexpr DtypeSet int_datapath = set_of(Dtype::INT8) | set_of(Dtype::UINT8) |
                                         set_of(Dtype::INT16) | set_of(Dtype::UINT16) | int32_types;
inline constexpr DtypeSet signed_types =
    set_of(Dtype::INT8) | set_of(Dtype::INT16) | set_of(Dtype::INT32) | set_of(Dtype::INT64);
inline constexpr DtypeSet unsigned_types = (int_datapath | int64_types) & ~signed_types;

/// Types that some start-address rule accepts; the others are enumerated but no DVE operand.
inline constexpr DtypeSet addressable_types = 0xFFFEU;

/// Names of a set's members, "bf16, fp16, ...".
std::string dtype_names(DtypeSet set);

/// Types that is_valid_dtype, or with `allow_64` is_valid_dtype_64, admits in a generation.
inline DtypeSet valid_dtypes(const CheckContext& context, bool allow_fp32r, bool allow_64 = false) {
    const DtypeSet set =
        tables::valid_dtypes[static_cast<std::size_t>(context.configuration.generation)];
    return set & ~((allow_fp32r ? 0 : set_of(Dtype::FP32R)) | (allow_64 ? 0 : int64_types));
}

/// A type field against a set.
bool dtype_in(const char* field, std::uint8_t dtype, DtypeSet set, Violation* violation);

/// The two operands of a DTYPE_PAIR byte.
constexpr std::uint8_t low_nibble(std::uint8_t pair) { return pair & 0xFU; }
constexpr std::uint8_t high_nibble(std::uint8_t pair) {
    return static_cast<std::uint8_t>(pair >> 4);
}

/// Bytes of an element, 0 where there is no such type or it is not byte-sized.
inline unsigned dtype_bytes(std::uint8_t code) { return tables::dtype_bytes[code]; }

// Classes of operations (isa_wire_format 5.2), limited to the members of the generation.
using OpClass = bool (*)(const CheckContext&, std::uint8_t op);

inline bool is_alu_op(const CheckContext& context, std::uint8_t op) {
    return tables::alu_ops[op].known &&
           context.configuration.generation >= tables::alu_ops[op].first;
}

inline bool op_in(const CheckContext& context, std::uint8_t op, unsigned classes) {
    return (tables::alu_ops[op].classes & classes) != 0 && is_alu_op(context, op);
}

inline bool is_bitvec_op(const CheckContext& context, std::uint8_t op) {
    return op_in(context, op, BITVEC);
}

inline bool is_general_bitvec_op(const CheckContext& context, std::uint8_t op) {
    return op_in(context, op, GENERAL_BITVEC);
}

/// SYMMETRIC_CLAMP is arithmetic by its header comment and in no published set (D-14).
inline unsigned undecided_arith(const CheckContext& context) {
    return context.configuration.symmetric_clamp_is_arith ? UNDECIDED_ARITH : NO_CLASS;
}

inline bool is_arith_op(const CheckContext& context, std::uint8_t op) {
    return op_in(context, op, ARITH | undecided_arith(context));
}

inline bool is_general_arith_op(const CheckContext& context, std::uint8_t op) {
    return op_in(context, op, GENERAL_ARITH | undecided_arith(context));
}

inline bool is_valid_int_aluop(const CheckContext& context, std::uint8_t op) {
    return op_in(context, op, INT);
}

inline bool is_valid_int_aluop_dve(const CheckContext& context, std::uint8_t op) {
    return context.generation.tensor_scalar_integer_band && op_in(context, op, INT_DVE);
}

inline bool is_valid_cache_reduce_op(const CheckContext& context, std::uint8_t op) {
    return op_in(context, op, CACHE_REDUCE);
}

constexpr bool is_op(std::uint8_t value, AluOp op) {
    return value == static_cast<std::uint8_t>(op);
}

/// Names of the operations of a class in this generation.
std::string op_names(const CheckContext& context, OpClass op_class);

/// An operation field against a class.
bool op_in_class(const CheckContext& context, const Field& field, OpClass op_class,
                 Violation* violation);

// Messages of the two rules below.
bool refuse_dtype_of_op(const Field& op, std::uint8_t code, const char* dtype_field,
                        std::uint8_t dtype, DtypeSet judged, Violation& violation);
bool refuse_signedness(const Field& out_dtype, std::uint8_t in_dtype, std::uint8_t dtype,
                       Violation& violation);

/// One operation against the type of one tensor operand, table 5.3. Types that the opcode's own
/// predicates refuse (not in `judged`) and operations outside the enumeration are theirs to name.
inline bool op_takes_dtype(const CheckContext& context, const Field& op, const char* dtype_field,
                           std::uint8_t dtype, DtypeSet judged, Violation* violation) {
    const std::uint8_t code = context.get(op);
    return contains_dtype(alu_op_dtypes[code], dtype) ||
           !contains_dtype(judged & addressable_types, dtype) || !is_alu_op(context, code) ||
           (violation != nullptr &&
            refuse_dtype_of_op(op, code, dtype_field, dtype, judged, *violation));
}

/// An operation of the integer band reads and writes types of one signedness (table 5.3).
inline bool op_signedness_agrees(const CheckContext& context, const Field& op,
                                 std::uint8_t in_dtype, const Field& out_dtype,
                                 Violation* violation) {
    const std::uint8_t out = context.get(out_dtype);
    return contains_dtype(signed_types, in_dtype) == contains_dtype(signed_types, out) ||
           !is_valid_int_aluop(context, context.get(op)) ||
           (violation != nullptr && refuse_signedness(out_dtype, in_dtype, out, *violation));
}

// Channels (isa_wire_format 2.4).
bool channels_in_range(const CheckContext& context, const Field& field, Violation* violation);
bool channels_in_tile(const CheckContext& context, const Field& field, Violation* violation);

/// A register number of the general file.
bool register_number_valid(const char* field, std::uint64_t number, Violation* violation);

/// is_valid_imm_reg: a register number and three zero bytes.
bool imm_reg_valid(const CheckContext& context, const Field& immediate, Violation* violation);

/// A pointer immediate: tpb_addr_active_channels and a byte alignment.
bool pointer_valid(const CheckContext& context, const Field& immediate, unsigned channels,
                   unsigned alignment, Violation* violation);

/// One pair of event modes and the registers that their _REG forms name.
bool event_mode_valid(const CheckContext& context, const Field& mode, const Field& value,
                      Violation* violation);

}  // namespace dve::predicates
