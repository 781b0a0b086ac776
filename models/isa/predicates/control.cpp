// Header and events of every record, and the sequencer's own opcodes
// (isa_wire_format 1.2, 1.3, 4.7).
#include <algorithm>

#include "models/isa/predicates/common.h"

namespace dve::predicates {
namespace {

namespace header = fields::HEADER;
namespace es = fields::CTRL_ES;
namespace mv = fields::CTRL_MV;

// Says since when an opcode exists, where it exists at all.
std::string legal_opcodes(const CheckContext& context) {
    std::string legal = std::string("an opcode of ") + context.generation.name;
    if (context.opcode != nullptr) {
        for (const GenerationRow& row : generation_rows()) {
            if (context.opcode->exists_in(row.generation)) {
                return legal + " (" + context.opcode->mnemonic + " came with " + row.name + ')';
            }
        }
    }
    return legal;
}

bool has_valid_neuron_header(const CheckContext& context, Violation* violation) {
    return (context.opcode != nullptr &&
            context.opcode->exists_in(context.configuration.generation)) ||
           (violation != nullptr && refuse(*violation, header::opcode.name, context.record.opcode(),
                                           legal_opcodes(context)));
}

bool has_valid_inst_len(const CheckContext& context, Violation* violation) {
    return field_equals(context, header::inst_word_len, record_word_count, "16", violation);
}

bool has_valid_neuron_events(const CheckContext& context, Violation* violation) {
    return event_mode_valid(context, header::wait_mode, header::semaphore_value, violation) &&
           event_mode_valid(context, header::update_mode, header::semaphore_value, violation);
}

// The record carries a wait and an update with operands of their own; the update of the header
// would be a second one (decisions 4).
bool event_semaphore_inline_update(const CheckContext& context, Violation* violation) {
    return field_equals(context, header::update_mode, 0, "none 0: the extended update replaces it",
                        violation);
}

bool event_semaphore_extended_events(const CheckContext& context, Violation* violation) {
    return event_mode_valid(context, es::extended_wait_mode, es::extended_wait_value, violation) &&
           event_mode_valid(context, es::extended_update_mode, es::extended_update_value,
                            violation);
}

bool move_num_mov(const CheckContext& context, Violation* violation) {
    const std::uint8_t count = context.get(mv::num_mov);
    return (count >= 1 && count <= mv::dst_registers.bytes) ||
           (violation != nullptr && refuse(*violation, mv::num_mov.name, count, "1..8"));
}

bool move_dtype(const CheckContext& context, Violation* violation) {
    return dtype_in(mv::dtype.name, context.get(mv::dtype), int32_types | set_of(Dtype::FP32),
                    violation);
}

bool move_data_src(const CheckContext& context, Violation* violation) {
    return field_in_enum(context, mv::data_src, violation);
}

bool registers_valid(const CheckContext& context, const Field& list, unsigned count,
                     Violation* violation) {
    for (unsigned i = 0; i < count; ++i) {
        const std::uint8_t number = context.record.bytes[list.offset + i];
        if (number >= num_address_registers) {
            return violation != nullptr &&
                   refuse(*violation, std::string(list.name) + '[' + std::to_string(i) + ']',
                          number, "register number 0..63");
        }
    }
    return true;
}

// Only the first num_mov entries have a meaning, and no source has one beside an immediate.
bool move_registers(const CheckContext& context, Violation* violation) {
    const unsigned count = std::min<unsigned>(context.get(mv::num_mov), mv::dst_registers.bytes);
    const bool reads = context.get(mv::data_src) == static_cast<std::uint8_t>(DataSrc::REGISTER);
    return registers_valid(context, mv::src_registers, reads ? count : 0, violation) &&
           registers_valid(context, mv::dst_registers, count, violation);
}

bool move_reserved_zero(const CheckContext& context, Violation* violation) {
    return reserved_zero(context, mv::reserved0, violation);
}

// The position of the tile index is not published; byte 2, bits 6:0 under bit 7 (D-01).
bool move_tile_index_zero(const CheckContext& context, Violation* violation) {
    const std::uint8_t flags = context.get(header::debug_cmd);
    return !context.configuration.tile_mode || (flags & 0x80U) == 0 || (flags & 0x7FU) == 0 ||
           (violation != nullptr &&
            refuse(*violation, header::debug_cmd.name, flags, "tile index 0"));
}

bool shape_registers_unpublished(const CheckContext& context, Violation* violation) {
    return context.code() != Opcode::MOVE_SHAPE ||
           (violation != nullptr &&
            refuse(*violation, header::opcode.name, context.record.opcode(),
                   "none: the contents of shape registers are not published"));
}

bool write_unpublished(const CheckContext& context, Violation* violation) {
    return context.code() != Opcode::WRITE ||
           (violation != nullptr && refuse(*violation, header::opcode.name, context.record.opcode(),
                                           "none: the contents of WRITE are not published"));
}

// Places of its fields are known; the codes of `op`, what the value is compared with and what is
// written back are not.
bool poll_sem_unpublished(const CheckContext& context, Violation* violation) {
    return context.code() != Opcode::POLL_SEM ||
           (violation != nullptr &&
            refuse(*violation, header::opcode.name, context.record.opcode(),
                   "none: what POLL_SEM compares and writes back is not published"));
}

constexpr Predicate common_list[] = {
    {"has_valid_neuron_header", every_generation, has_valid_neuron_header},
    {"has_valid_inst_len", every_generation, has_valid_inst_len},
    {"has_valid_neuron_events", every_generation, has_valid_neuron_events},
};

// Names of this project: the sheet describes the records, not their predicates.
constexpr Predicate event_semaphore_list[] = {
    {"event_semaphore_inline_update", every_generation, event_semaphore_inline_update},
    {"event_semaphore_extended_events", every_generation, event_semaphore_extended_events},
};

constexpr Predicate move_list[] = {
    {"move_num_mov", every_generation, move_num_mov},
    {"move_dtype", every_generation, move_dtype},
    {"move_data_src", every_generation, move_data_src},
    {"move_registers", every_generation, move_registers},
    {"move_reserved_zero", every_generation, move_reserved_zero},
    {"move_tile_index_zero", maverick, move_tile_index_zero},
};

constexpr Predicate control_list[] = {
    {"shape_registers_unpublished", every_generation, shape_registers_unpublished},
    {"write_unpublished", every_generation, write_unpublished},
    {"poll_sem_unpublished", every_generation, poll_sem_unpublished},
};

}  // namespace

PredicateList common_predicates() { return list_of(common_list); }
PredicateList event_semaphore() { return list_of(event_semaphore_list); }
PredicateList move() { return list_of(move_list); }
PredicateList control() { return list_of(control_list); }

PredicateList predicates_of(ValidatorId validator) {
    switch (validator) {
        case ValidatorId::none: return {};
        case ValidatorId::is_valid_tensor_scalar_op: return tensor_scalar_op();
        case ValidatorId::is_valid_tensor_scalar_ptr_op: return tensor_scalar_ptr_op();
        case ValidatorId::is_valid_tensor_scalar_cache_reduce:
        case ValidatorId::is_valid_tensor_scalar_cache_cumulative:
            return tensor_scalar_cache_reduce();
        case ValidatorId::is_valid_exponential: return exponential();
        case ValidatorId::is_valid_scalar_tensor_tensor: return scalar_tensor_tensor();
        case ValidatorId::is_valid_tensor_tensor_scan: return tensor_tensor_scan();
        case ValidatorId::is_valid_select_reduce: return select_reduce();
        case ValidatorId::is_valid_tensor_tensor: return tensor_tensor();
        case ValidatorId::is_valid_tensor_cumulative: return tensor_cumulative();
        case ValidatorId::is_valid_dve_read_accumulator: return dve_read_accumulator();
        case ValidatorId::is_valid_event_semaphore: return event_semaphore();
        case ValidatorId::is_valid_move: return move();
        case ValidatorId::is_valid_control: return control();
    }
    return {};
}

}  // namespace dve::predicates
