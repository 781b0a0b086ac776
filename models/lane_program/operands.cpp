// Resolution of tensor and scalar operands against registers and partitions.
#include "models/lane_program/operands.h"

#include <cstdlib>
#include <string>

namespace dve {
namespace {

/// Partitions that share a list under IndirectList::GROUP (isa_wire_format 3.2).
constexpr std::uint8_t index_group = 16;

const MemoryGeometry& geometry(const IsaConfiguration& isa, Space space) {
    return space == Space::SBUF ? isa.sbuf : isa.psum;
}

Fault memory_error(const char* predicate, const std::string& field, std::uint64_t value,
                   std::string legal) {
    return {
        ErrorType::MEMORY_ERROR, FaultSubtype::ASSERT, {predicate, field, value, std::move(legal)}};
}

/// Element of a pattern or immediate field, for messages.
std::string element_name(const Field& field, const char* element) {
    return std::string(field.name) + element;
}

/// The address an ADDR4 word stands for; a register form is checked here, at dispatch, with the
/// rules that an immediate one passed in `check` (decisions 4). `element` is what the word is of
/// the field.
std::optional<Fault> resolve_address(const WorkerContext& context, const Field& field,
                                     const char* element, AddressWord word, Dtype dtype,
                                     unsigned channels, bool write, std::uint32_t& address) {
    if (!word.from_register()) {
        address = word.offset();
        return std::nullopt;
    }
    const unsigned number = word.register_number();
    const AddressWord value{context.registers[number]};
    const auto name = [&] {
        return element_name(field, element) + " R[" + std::to_string(number) + "]";
    };
    if (value.from_register() || value.indirect() || value.shape_from_register()) {
        return memory_error("register_address", name(), value.word,
                            "an ADDR4 word of the immediate kind");
    }
    Violation violation;
    if (!start_address_valid(value.offset(), static_cast<std::uint8_t>(dtype), write, context.isa,
                             &violation) ||
        !start_addr_active_channels(value.offset(), channels, context.isa, &violation)) {
        return memory_error(violation.predicate, name(), value.word, violation.legal);
    }
    address = value.offset();
    return std::nullopt;
}

void place(const IsaConfiguration& isa, std::uint32_t address, Space& space,
           std::uint8_t& partition, std::uint32_t& byte) {
    space = isa.psum.holds(address) ? Space::PSUM : Space::SBUF;
    const MemoryGeometry& memory = geometry(isa, space);
    partition = static_cast<std::uint8_t>(memory.partition(address));
    byte = memory.byte_offset(address);
}

std::string bytes_of_partition(const IsaConfiguration& isa, Space space) {
    return "bytes 0.." + std::to_string(geometry(isa, space).partition_bytes - 1) +
           " of a partition of " + space_name(space);
}

/// The INDIRECT arm: list and data.
std::optional<Fault> resolve_indirect(const WorkerContext& context, const Field& field, Dtype dtype,
                                      unsigned channels, bool write, TensorOperand& operand) {
    const IndirectPattern pattern = context.record.get_indirect(field);
    std::uint32_t address = 0;
    if (auto fault = resolve_address(context, field, ".index_addr", pattern.index, Dtype::UINT32,
                                     channels, false, address)) {
        return fault;
    }
    IndexList& list = operand.list;
    list.used = true;
    place(context.isa, address, list.space, list.partition, list.low);
    list.sharers = context.semantics.indirect_list == IndirectList::GROUP ? index_group : 1;
    list.partitions =
        static_cast<std::uint8_t>((channels + list.sharers - 1) / list.sharers * list.sharers);
    const std::uint32_t words = (pattern.num_indices + list.sharers - 1U) / list.sharers;
    list.high = list.low + words * element_bytes(Dtype::UINT32);
    if (list.high > geometry(context.isa, list.space).partition_bytes) {
        return memory_error("walk_inside_partition", element_name(field, ".index_addr"),
                            list.high - 1, bytes_of_partition(context.isa, list.space));
    }

    place(context.isa, pattern.data.offset(), operand.space, operand.partition, operand.byte);
    // A list in the record has passed this as a predicate.
    if (!write && operand.space == Space::SBUF &&
        (list.space != Space::SBUF || list.partition != operand.partition)) {
        return memory_error("indirect_quadrant_check_src3d", element_name(field, ".index_addr"),
                            address, "an SBUF address in the partition where the data starts");
    }
    operand.low = operand.byte;
    operand.high = geometry(context.isa, operand.space).partition_bytes;
    if (operand.byte + element_bytes(dtype) > operand.high) {
        return memory_error("walk_inside_partition", element_name(field, ".data_addr"),
                            operand.byte, bytes_of_partition(context.isa, operand.space));
    }
    return std::nullopt;
}

/// Drops dimensions of one element and merges those that continue each other.
void normalise(const Pattern& pattern, TensorOperand& operand) {
    const std::int64_t size = operand.element_bytes;
    operand.dimensions = 0;
    for (unsigned d = 0; d < pattern.dimensions; ++d) {
        const std::uint32_t count = pattern.num_elem[d];
        const std::int64_t step = pattern.step_elem[d] * size;
        if (count == 1) {
            continue;
        }
        if (operand.dimensions > 0) {
            WalkDimension& inner = operand.walk[operand.dimensions - 1U];
            if (step == inner.step * inner.count) {
                inner.count *= count;
                continue;
            }
        }
        operand.walk[operand.dimensions++] = {step, count};
    }
}

}  // namespace

bool TensorOperand::injective() const {
    if (list.used) {
        return false;
    }
    // Each dimension's step must clear the extent of all inner ones, in whatever order of size.
    std::array<WalkDimension, 4> sorted{};
    for (unsigned d = 0; d < dimensions; ++d) {
        unsigned place = d;
        for (; place > 0 && std::abs(sorted[place - 1].step) > std::abs(walk[d].step); --place) {
            sorted[place] = sorted[place - 1];
        }
        sorted[place] = walk[d];
    }
    std::int64_t extent = element_bytes;
    for (unsigned d = 0; d < dimensions; ++d) {
        const std::int64_t step = std::abs(sorted[d].step);
        if (step < extent) {
            return false;
        }
        extent += step * (sorted[d].count - 1);
    }
    return true;
}

bool TensorOperand::same_walk(const TensorOperand& other) const {
    if (list.used || other.list.used || space != other.space || partition != other.partition ||
        byte != other.byte || element_bytes != other.element_bytes ||
        dimensions != other.dimensions) {
        return false;
    }
    for (unsigned d = 0; d < dimensions; ++d) {
        if (walk[d].step != other.walk[d].step || walk[d].count != other.walk[d].count) {
            return false;
        }
    }
    return true;
}

Fault not_modelled(const char* field, std::uint64_t value, const char* legal) {
    return {
        ErrorType::SEQUENCER_FATAL, FaultSubtype::ASSERT, {"not_modelled", field, value, legal}};
}

std::uint32_t pattern_elements(const WorkerContext& context, const Field& field) {
    const Pattern pattern = context.record.get_pattern(field);
    return pattern.start.indirect() ? context.record.get_indirect(field).num_indices
                                    : static_cast<std::uint32_t>(pattern.elements());
}

std::optional<Fault> indirect_destination_fault(const TensorOperand& source,
                                                const TensorOperand& destination,
                                                const Field& destination_field) {
    const IndexList& list = destination.list;
    if (!list.used || list.space != Space::SBUF) {
        return std::nullopt;
    }
    const bool by_list = source.space == Space::PSUM && source.list.used;
    const Space space = by_list ? source.list.space : source.space;
    const unsigned partition = by_list ? source.list.partition : source.partition;
    if (space != Space::SBUF || partition == list.partition) {
        return std::nullopt;
    }
    return memory_error("indirect_quadrant_check_src3d_dst3d",
                        element_name(destination_field, ".index_addr partition"), list.partition,
                        "partition " + std::to_string(partition) + ", where the source starts");
}

std::optional<Fault> resolve_tensor(const WorkerContext& context, const Field& field, Dtype dtype,
                                    unsigned channels, bool write, TensorOperand& operand) {
    const Pattern pattern = context.record.get_pattern(field);
    operand.used = true;
    operand.from_register = pattern.start.from_register();
    operand.dtype = dtype;
    operand.element_bytes = static_cast<std::uint8_t>(element_bytes(dtype));
    if (pattern.start.indirect()) {
        return resolve_indirect(context, field, dtype, channels, write, operand);
    }
    std::uint32_t address = 0;
    if (auto fault = resolve_address(context, field, ".start_addr", pattern.start, dtype, channels,
                                     write, address)) {
        return fault;
    }
    place(context.isa, address, operand.space, operand.partition, operand.byte);

    // A product of four 16-bit counts fits 64 bits.
    if (pattern.elements() > max_elements) {
        return Fault{ErrorType::SEQUENCER_FATAL,
                     FaultSubtype::ASSERT,
                     {"max_elements", std::string(field.name) + ".num_elem", pattern.elements(),
                      "at most " + std::to_string(max_elements) + " elements per partition"}};
    }
    normalise(pattern, operand);
    operand.low = operand.high = operand.byte;
    for (unsigned d = 0; d < operand.dimensions; ++d) {
        const std::int64_t reach =
            operand.walk[d].step * (static_cast<std::int64_t>(operand.walk[d].count) - 1);
        (reach < 0 ? operand.low : operand.high) += reach;
    }
    operand.high += operand.element_bytes;
    const std::int64_t limit = geometry(context.isa, operand.space).partition_bytes;
    if (operand.low < 0 || operand.high > limit) {
        const std::int64_t wrong = operand.low < 0 ? operand.low : operand.high - 1;
        return memory_error("walk_inside_partition", field.name, static_cast<std::uint64_t>(wrong),
                            bytes_of_partition(context.isa, operand.space));
    }
    return std::nullopt;
}

std::optional<Fault> resolve_scalar(const WorkerContext& context, const Field& field, ImmSrc source,
                                    Dtype dtype, unsigned channels, ScalarOperand& operand) {
    const std::uint32_t bits = context.record.get32(field);
    operand.dtype = dtype;
    if (source == ImmSrc::INSTRUCTION) {
        operand.source = ScalarOperand::Source::INLINE;
        operand.bits = bits;
        return std::nullopt;
    }
    operand.source = ScalarOperand::Source::POINTER;
    const AddressWord word{source == ImmSrc::REG_PTR ? 0x80000000U | (bits & 0xFFU) : bits};
    operand.from_register = word.from_register();
    std::uint32_t address = 0;
    if (auto fault = resolve_address(context, field, "", word, dtype, channels, false, address)) {
        return fault;
    }
    place(context.isa, address, operand.space, operand.partition, operand.byte);
    const std::uint32_t limit = geometry(context.isa, operand.space).partition_bytes;
    if (operand.byte + element_bytes(dtype) > limit) {
        return memory_error("walk_inside_partition", field.name, operand.byte,
                            bytes_of_partition(context.isa, operand.space));
    }
    return std::nullopt;
}

}  // namespace dve
