// Rules for start addresses and memory patterns.
#include "models/isa/predicates/patterns.h"

#include <cstring>

#include "models/isa/predicates/common.h"

namespace dve::predicates {
namespace {

constexpr std::uint32_t marker_bits = 0xE0000000U;
constexpr unsigned data_word_offset = 4;    // of the INDIRECT arm
constexpr unsigned index_count_offset = 8;  // likewise

template <typename T>
T load(const Record& record, unsigned offset) {
    T value;
    std::memcpy(&value, record.bytes.data() + offset, sizeof value);
    return value;
}

std::uint16_t num_elem(const Record& record, const Field& pattern, unsigned dimension) {
    return load<std::uint16_t>(record,
                               pattern.offset + 4U + 2U * (pattern.dimensions() + dimension));
}

AddressWord data_word(const Record& record, const Field& pattern) {
    return {load<std::uint32_t>(record, pattern.offset + data_word_offset)};
}

std::string element_name(const Field& pattern, const char* element) {
    return std::string(pattern.name) + '.' + element;
}

// addresses_in_same_sbuf_quadrant: both lie in the first partition of one quadrant.
bool same_sbuf_quadrant(const MemoryGeometry& sbuf, std::uint32_t a, std::uint32_t b) {
    return sbuf.partition(a) == sbuf.partition(b) && sbuf.partition(a) % quadrant_channels == 0 &&
           sbuf.byte_offset(a) < sbuf.partition_bytes && sbuf.byte_offset(b) < sbuf.partition_bytes;
}

// tensor_start_addr_valid for a word of either kind; `element` names it in the message. The caller
// has dealt with the INDIRECT marker where its pattern may carry one.
bool word_valid(const CheckContext& context, const Operand& operand, const char* element,
                AddressWord word, std::uint8_t dtype, Violation* violation) {
    if (word.from_register()) {
        if (word.register_reserved() == 0 && word.register_number() < num_address_registers) {
            return true;
        }
        return violation != nullptr &&
               refuse(*violation, element_name(operand.pattern, element), word.word,
                      "register number 0..63 in bits 7:0, bits 28:8 zero");
    }
    if (dtype_alignment(context.generation, dtype) == 0) {
        return violation != nullptr &&
               refuse(*violation, operand.dtype_field, dtype,
                      dtype_names(valid_dtypes(context, operand.write) & addressable_types));
    }
    if (start_address_valid(word.offset(), dtype, operand.write, context.configuration,
                            violation)) {
        return true;
    }
    if (violation != nullptr) {
        violation->field = element_name(operand.pattern, element);
        violation->value = word.word;
    }
    return false;
}

bool word_channels(const CheckContext& context, const Field& pattern, const char* element,
                   AddressWord word, unsigned channels, Violation* violation) {
    if (word.from_register() ||
        start_addr_active_channels(word.offset(), channels, context.configuration, violation)) {
        return true;
    }
    if (violation != nullptr) {
        violation->field = element_name(pattern, element);
        violation->value = word.word;
    }
    return false;
}

// Whether a pattern is indirect with an index address that the record itself holds.
bool is_indirect_immediate(const CheckContext& context, const Field& pattern) {
    return is_indirect(context, pattern) && !start_word(context.record, pattern).from_register();
}

}  // namespace

unsigned dtype_alignment(const GenerationRow& generation, std::uint8_t dtype) {
    if (dtype >= 0x01 && dtype <= 0x0F) {
        return dtype_bytes(dtype);
    }
    return dtype == static_cast<std::uint8_t>(Dtype::FP4_EXP2) &&
                   generation.generation >= Generation::MARIANA
               ? 1
               : 0;
}

bool tensor_valid(const CheckContext& context, const Operand& operand, Violation* violation) {
    const AddressWord word = start_word(context.record, operand.pattern);
    if (word.indirect()) {
        return violation != nullptr &&
               refuse(*violation, element_name(operand.pattern, "start_addr"), word.word,
                      "marker bit 29 clear: this pattern has no indirect form here");
    }
    if (!word_valid(context, operand, "start_addr", word, operand.dtype, violation)) {
        return false;
    }
    if (word.shape_from_register()) {
        return true;
    }
    for (unsigned d = 0; d < operand.pattern.dimensions(); ++d) {
        if (num_elem(context.record, operand.pattern, d) == 0) {
            return violation != nullptr &&
                   refuse(*violation,
                          element_name(operand.pattern, "num_elem[") + std::to_string(d) + ']', 0,
                          "1..65535");
        }
    }
    return true;
}

bool mem_valid(const CheckContext& context, const Operand& operand, Violation* violation) {
    if (!is_indirect(context, operand.pattern)) {
        return tensor_valid(context, operand, violation);
    }
    // The list is read as UINT32 words whatever the operand is, also for a destination.
    const Operand index{operand.pattern, operand.dtype_field, operand.dtype, false};
    if (!word_valid(context, index, "index_addr", start_word(context.record, operand.pattern),
                    static_cast<std::uint8_t>(Dtype::UINT32), violation)) {
        return false;
    }
    const AddressWord data = data_word(context.record, operand.pattern);
    if ((data.word & marker_bits) != 0) {
        return violation != nullptr &&
               refuse(*violation, element_name(operand.pattern, "data_addr"), data.word,
                      "marker bits 31:29 zero");
    }
    if (!word_valid(context, operand, "data_addr", data, operand.dtype, violation)) {
        return false;
    }
    return element_count(context, operand.pattern) != 0 ||
           (violation != nullptr &&
            refuse(*violation, element_name(operand.pattern, "num_indices"), 0, "1..65535"));
}

bool tensor_channels(const CheckContext& context, const Field& pattern, unsigned channels,
                     Violation* violation) {
    return word_channels(context, pattern, "start_addr", start_word(context.record, pattern),
                         channels, violation);
}

bool mem_channels(const CheckContext& context, const Field& pattern, unsigned channels,
                  Violation* violation) {
    if (!is_indirect(context, pattern)) {
        return tensor_channels(context, pattern, channels, violation);
    }
    return word_channels(context, pattern, "index_addr", start_word(context.record, pattern),
                         channels, violation) &&
           word_channels(context, pattern, "data_addr", data_word(context.record, pattern),
                         channels, violation);
}

std::uint64_t element_count(const CheckContext& context, const Field& pattern) {
    if (is_indirect(context, pattern)) {
        return load<std::uint16_t>(context.record, pattern.offset + index_count_offset);
    }
    std::uint64_t count = 1;
    for (unsigned d = 0; d < pattern.dimensions(); ++d) {
        count *= num_elem(context.record, pattern, d);
    }
    return count;
}

bool same_element_count(const CheckContext& context, const Field& one, const Field& other,
                        Violation* violation) {
    if (start_word(context.record, one).shape_from_register() ||
        start_word(context.record, other).shape_from_register()) {
        return true;
    }
    const std::uint64_t wanted = element_count(context, one);
    const std::uint64_t count = element_count(context, other);
    return count == wanted ||
           (violation != nullptr &&
            refuse(*violation,
                   element_name(other, is_indirect(context, other) ? "num_indices" : "num_elem"),
                   count,
                   std::to_string(wanted) + " elements in all, as in " + std::string(one.name)));
}

bool shape_in_record(const CheckContext& context, const Field& pattern, Violation* violation) {
    const AddressWord word = start_word(context.record, pattern);
    return !word.shape_from_register() ||
           (violation != nullptr &&
            refuse(*violation, element_name(pattern, "start_addr"), word.word,
                   "marker bit 30 clear: the contents of shape registers are not published"));
}

bool tt_valid_partitions(const CheckContext& context, const Field& one, const Field& other,
                         Violation* violation) {
    const AddressWord a = start_word(context.record, one);
    const AddressWord b = start_word(context.record, other);
    if (a.from_register() || b.from_register()) {
        return true;
    }
    const MemoryGeometry& sbuf = context.configuration.sbuf;
    const MemoryGeometry& psum = context.configuration.psum;
    if (psum.holds(a.offset()) && psum.holds(b.offset())) {
        return violation != nullptr && refuse(*violation, element_name(other, "start_addr"), b.word,
                                              "SBUF: at most one of two sources in PSUM");
    }
    if (!sbuf.holds(a.offset()) || !sbuf.holds(b.offset()) ||
        same_sbuf_quadrant(sbuf, a.offset(), b.offset())) {
        return true;  // an address in no memory at all is the pattern check's to name
    }
    return violation != nullptr &&
           refuse(*violation, element_name(other, "start_addr"), b.word,
                  std::string("first partition of the SBUF quadrant where ") + one.name +
                      " starts, or PSUM");
}

int sbuf_quadrant(const CheckContext& context, AddressWord word) {
    const MemoryGeometry& sbuf = context.configuration.sbuf;
    if (word.from_register() || !sbuf.holds(word.offset())) {
        return -1;
    }
    return static_cast<int>(sbuf.partition(word.offset()) / quadrant_channels);
}

bool indirect_source_quadrant(const CheckContext& context, const Field& source,
                              Violation* violation) {
    if (!is_indirect_immediate(context, source)) {
        return true;
    }
    const MemoryGeometry& sbuf = context.configuration.sbuf;
    const AddressWord index = start_word(context.record, source);
    const AddressWord data = data_word(context.record, source);
    if (context.configuration.psum.holds(data.offset())) {
        return true;
    }
    const bool both_in_sbuf = sbuf.holds(index.offset()) && sbuf.holds(data.offset());
    return (both_in_sbuf && same_sbuf_quadrant(sbuf, index.offset(), data.offset())) ||
           (violation != nullptr &&
            refuse(*violation, element_name(source, "data_addr"), data.word,
                   "PSUM, or the first partition of the SBUF quadrant where the index starts"));
}

bool indirect_destination_quadrant(const CheckContext& context, const Field& source,
                                   const Field& destination, Violation* violation) {
    if (!is_indirect_immediate(context, destination)) {
        return true;
    }
    const MemoryGeometry& sbuf = context.configuration.sbuf;
    AddressWord reference = start_word(context.record, source);
    if (is_indirect(context, source) && sbuf.holds(data_word(context.record, source).offset())) {
        reference = data_word(context.record, source);
    }
    const AddressWord index = start_word(context.record, destination);
    if (reference.from_register() || !sbuf.holds(reference.offset()) ||
        !sbuf.holds(index.offset()) ||
        sbuf.partition(index.offset()) == sbuf.partition(reference.offset())) {
        return true;  // no rule for a source that starts in PSUM
    }
    return violation != nullptr &&
           refuse(*violation, element_name(destination, "index_addr"), index.word,
                  "start partition " + std::to_string(sbuf.partition(reference.offset())) +
                      ", where " + source.name + " starts");
}

bool indirect_destination_index(const CheckContext& context, const Field& destination,
                                Violation* violation) {
    const MemoryGeometry& sbuf = context.configuration.sbuf;
    const AddressWord index = start_word(context.record, destination);
    if (!is_indirect_immediate(context, destination) || !sbuf.holds(index.offset()) ||
        sbuf.partition(index.offset()) % quadrant_channels == 0) {
        return true;
    }
    return violation != nullptr && refuse(*violation, element_name(destination, "index_addr"),
                                          index.word, "start partition 0, 32, 64 or 96");
}

}  // namespace dve::predicates
