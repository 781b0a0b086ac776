// Rules for start addresses and memory patterns (isa_wire_format 2 and 3).
#pragma once

#include <cstdint>
#include <string>

#include "models/isa/predicates/predicate.h"

namespace dve::predicates {

/// A pattern field with what its rules depend on.
struct Operand {
    const Field& pattern;
    const char* dtype_field;  ///< for messages
    std::uint8_t dtype;
    bool write;
};

/// addr_aligned_dtype as bytes; 0 for a type it refuses.
unsigned dtype_alignment(const GenerationRow& generation, std::uint8_t dtype);

/// The ADDR4 word in front of a pattern.
inline AddressWord start_word(const Record& record, const Field& pattern) {
    return {record.get32(pattern)};
}

/// Whether the bytes of a pattern are an INDIRECT arm: marker bits 30:29 are 01, and the patterns
/// of this record are unions in this generation (isa_wire_format 3.2, 6.10).
inline bool is_indirect(const CheckContext& context, const Field& pattern) {
    const AddressWord word = start_word(context.record, pattern);
    return word.indirect() && !word.shape_from_register() && context.generation.indirect_patterns &&
           (context.opcode->layout == StructId::S3D3_TS ||
            context.opcode->layout == StructId::S4D4_TR);
}

/// tensor1d_valid .. tensor4d_valid: start address and counts of a bare TENSOR.
bool tensor_valid(const CheckContext& context, const Operand& operand, Violation* violation);

/// mem3d_valid, mem4d_valid: as tensor_valid, or the INDIRECT arm where the generation has it.
bool mem_valid(const CheckContext& context, const Operand& operand, Violation* violation);

/// start_addr_active_channels of a bare TENSOR.
bool tensor_channels(const CheckContext& context, const Field& pattern, unsigned channels,
                     Violation* violation);

/// check_m3d_active_channels, check_m4d_active_channels: on the INDIRECT arm, index and data.
bool mem_channels(const CheckContext& context, const Field& pattern, unsigned channels,
                  Violation* violation);

/// Elements per partition: the product of the counts, or the number of indices.
std::uint64_t element_count(const CheckContext& context, const Field& pattern);

/// Both patterns have the same number of elements; not judged where a shape register counts.
bool same_element_count(const CheckContext& context, const Field& one, const Field& other,
                        Violation* violation);

/// No pattern takes its shape from a register: what such a register holds is not published (D-05).
bool shape_in_record(const CheckContext& context, const Field& pattern, Violation* violation);

/// tt_valid_partitions (isa_wire_format 2.5).
bool tt_valid_partitions(const CheckContext& context, const Field& one, const Field& other,
                         Violation* violation);

/// Start quadrant of an immediate SBUF address, or -1 for any other.
int sbuf_quadrant(const CheckContext& context, AddressWord word);

/// indirect_quadrant_check_src3d, indirect_quadrant_check_src4d.
bool indirect_source_quadrant(const CheckContext& context, const Field& source,
                              Violation* violation);

/// indirect_quadrant_check_src3d_dst3d: the index of an indirect destination starts where the
/// source starts, or where the source's index starts if that is indirect in PSUM (D-10).
bool indirect_destination_quadrant(const CheckContext& context, const Field& source,
                                   const Field& destination, Violation* violation);

/// indirect_dst_size_limit_m3d: the index of an indirect destination starts on a quadrant (D-10).
bool indirect_destination_index(const CheckContext& context, const Field& destination,
                                Violation* violation);

}  // namespace dve::predicates
