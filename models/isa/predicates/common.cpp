// Rules shared by the families.
#include "models/isa/predicates/common.h"

#include <utility>

namespace dve::predicates {
namespace {

void append(std::string& list, const char* name) {
    if (!list.empty()) {
        list += ", ";
    }
    list += name;
}

}  // namespace

bool refuse(Violation& violation, std::string field, std::uint64_t value, std::string legal) {
    violation.field = std::move(field);
    violation.value = value;
    violation.legal = std::move(legal);
    return false;
}

bool is_one_of(std::uint8_t value, std::initializer_list<std::uint8_t> members) {
    for (const std::uint8_t member : members) {
        if (value == member) {
            return true;
        }
    }
    return false;
}

std::string member_names(FieldKind kind) {
    std::string names;
    for (const EnumMember& member : enum_members(kind)) {
        append(names, member.text);
        names += ' ' + std::to_string(member.value);
    }
    return names;
}

bool field_in_enum(const CheckContext& context, const Field& field, Violation* violation) {
    const std::uint8_t value = context.get(field);
    return value == 0 || enum_members(field.kind).contains(value) ||  // every one of them has a 0
           (violation != nullptr &&
            refuse(*violation, field.name, value, member_names(field.kind)));
}

bool field_equals(const CheckContext& context, const Field& field, std::uint64_t wanted,
                  const char* legal, Violation* violation) {
    const std::uint64_t value =
        field.bytes == 1 ? context.record.get8(field) : context.record.get(field);
    return value == wanted ||
           (violation != nullptr && refuse(*violation, field.name, value, legal));
}

bool reserved_zero(const CheckContext& context, const Field& field, Violation* violation) {
    for (unsigned i = 0; i < field.bytes; ++i) {
        const std::uint8_t value = context.record.bytes[field.offset + i];
        if (value != 0) {
            return violation != nullptr && refuse(*violation,
                                                  field.bytes == 1 ? std::string(field.name)
                                                                   : std::string(field.name) + '[' +
                                                                         std::to_string(i) + ']',
                                                  value, "0");
        }
    }
    return true;
}

std::string dtype_names(DtypeSet set) {
    std::string names;
    for (const DtypeRow& row : dtype_rows()) {
        if (contains_dtype(set, static_cast<std::uint8_t>(row.dtype))) {
            append(names, row.text);
        }
    }
    return names;
}

bool dtype_in(const char* field, std::uint8_t dtype, DtypeSet set, Violation* violation) {
    return contains_dtype(set, dtype) ||
           (violation != nullptr &&
            refuse(*violation, field, dtype, dtype_names(set & addressable_types)));
}

std::string op_names(const CheckContext& context, OpClass op_class) {
    std::string names;
    for (const AluOpRow& row : alu_op_rows()) {
        if (op_class(context, static_cast<std::uint8_t>(row.op))) {
            append(names, row.text);
        }
    }
    return names;
}

bool op_in_class(const CheckContext& context, const Field& field, OpClass op_class,
                 Violation* violation) {
    const std::uint8_t op = context.get(field);
    return op_class(context, op) || (violation != nullptr && refuse(*violation, field.name, op,
                                                                    op_names(context, op_class)));
}

bool refuse_dtype_of_op(const Field& op, std::uint8_t code, const char* dtype_field,
                        std::uint8_t dtype, DtypeSet judged, Violation& violation) {
    return refuse(violation, dtype_field, dtype,
                  std::string("with ") + op.name + " = " +
                      alu_op_row(static_cast<AluOp>(code)).text + ": " +
                      dtype_names(alu_op_dtypes[code] & judged));
}

bool refuse_signedness(const Field& out_dtype, std::uint8_t in_dtype, std::uint8_t dtype,
                       Violation& violation) {
    const DtypeSet wanted = contains_dtype(signed_types, in_dtype) ? signed_types : unsigned_types;
    return refuse(violation, out_dtype.name, dtype,
                  "the signedness of the source: " + dtype_names(wanted & int_datapath));
}

bool channels_in_range(const CheckContext& context, const Field& field, Violation* violation) {
    const std::uint8_t channels = context.get(field);
    return (channels >= 1 && channels <= dve_num_channels) ||
           (violation != nullptr && refuse(*violation, field.name, channels, "1..128"));
}

// The body of the ISA is not published. Under D-01, bit 7 of byte 2 says that bits 6:0 hold a tile
// index; a tile is taken as the channels from 32 x index on.
bool channels_in_tile(const CheckContext& context, const Field& field, Violation* violation) {
    const std::uint8_t flags = context.get(fields::HEADER::debug_cmd);
    if (!context.configuration.tile_mode || (flags & 0x80U) == 0) {
        return channels_in_range(context, field, violation);
    }
    const unsigned tile = flags & 0x7FU;
    if (tile >= dve_num_channels / quadrant_channels) {
        return violation != nullptr &&
               refuse(*violation, fields::HEADER::debug_cmd.name, flags, "tile index 0..3");
    }
    const unsigned room = dve_num_channels - tile * quadrant_channels;
    const std::uint8_t channels = context.get(field);
    return (channels >= 1 && channels <= room) ||
           (violation != nullptr &&
            refuse(*violation, field.name, channels,
                   "1.." + std::to_string(room) + " in tile " + std::to_string(tile)));
}

bool register_number_valid(const char* field, std::uint64_t number, Violation* violation) {
    return number < num_address_registers ||
           (violation != nullptr && refuse(*violation, field, number, "register number 0..63"));
}

bool imm_reg_valid(const CheckContext& context, const Field& immediate, Violation* violation) {
    return register_number_valid(immediate.name, context.record.get32(immediate), violation);
}

bool pointer_valid(const CheckContext& context, const Field& immediate, unsigned channels,
                   unsigned alignment, Violation* violation) {
    const std::uint32_t pointer = context.record.get32(immediate);
    const IsaConfiguration& configuration = context.configuration;
    if (!configuration.sbuf.holds(pointer) && !configuration.psum.holds(pointer)) {
        return violation != nullptr &&
               refuse(*violation, immediate.name, pointer, "a pointer into SBUF or PSUM");
    }
    if (!start_addr_active_channels(pointer, channels, configuration, violation)) {
        if (violation != nullptr) {
            violation->field = immediate.name;
        }
        return false;
    }
    return alignment == 0 || pointer % alignment == 0 ||
           (violation != nullptr &&
            refuse(*violation, immediate.name, pointer,
                   "a pointer that is a multiple of " + std::to_string(alignment)));
}

// The consistency rule of has_valid_neuron_events has no published body; wait and update share one
// value (D-04). A _REG form reads it as the number of a register.
bool event_mode_valid(const CheckContext& context, const Field& mode, const Field& value,
                      Violation* violation) {
    if (!field_in_enum(context, mode, violation)) {
        return false;
    }
    const std::uint8_t code = context.get(mode);
    const bool names_register =
        (code & 0x80U) != 0 && code != static_cast<int>(WaitMode::UNORDERED);
    return !names_register ||
           register_number_valid(value.name, context.record.get32(value), violation);
}

}  // namespace dve::predicates
