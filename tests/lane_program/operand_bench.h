// A worker's view of one pattern or immediate, for resolution by itself.
#pragma once

#include <array>
#include <cstring>

#include "models/lane_program/operands.h"
#include "tests/support/walk.h"

namespace dve::test {

constexpr std::uint32_t register_marker = 0x80000000;

/// Partition bytes, SBUF stride and the PSUM window by generation (isa_wire_format 2.2).
struct SpecGeometry {
    std::uint32_t sbuf_bytes;
    std::uint32_t sbuf_stride;
    bool psum;
};
constexpr SpecGeometry spec_geometry(Generation generation) {
    switch (generation) {
        case Generation::SUNDA: return {0x30000, 0x40000, true};
        case Generation::CAYMAN: return {0x38000, 0x40000, true};
        case Generation::MAVERICK: return {0x80000, 0x100000, false};
        default: return {0x40000, 0x40000, true};
    }
}
constexpr std::uint32_t spec_psum_base = 0x2000000;
constexpr std::uint32_t spec_psum_stride = 0x8000;
constexpr std::uint32_t spec_psum_bytes = 0x4000;

class OperandBench {
public:
    explicit OperandBench(Generation generation) {
        isa = IsaConfiguration::for_generation(generation);
        record = make_record(Opcode::TENSOR_CUMULATIVE_ARITH_OP);
    }

    /// Writes a 4-dimensional pattern, byte by byte as isa_wire_format 3.1 lays it out.
    void put(std::uint32_t start_word, const Shape& shape) {
        std::uint8_t* at = record.bytes.data() + pattern.offset;
        std::memcpy(at, &start_word, 4);
        std::memcpy(at + 4, shape.step.data(), 8);
        std::memcpy(at + 12, shape.count.data(), 8);
    }

    std::optional<Fault> resolve(Dtype dtype, unsigned channels, bool write) {
        operand = TensorOperand();
        return resolve_tensor(context(), pattern, dtype, channels, write, operand);
    }

    std::optional<Fault> resolve_immediate(ImmSrc source, std::uint32_t word, Dtype dtype,
                                           unsigned channels) {
        scalar = ScalarOperand();
        record.set(immediate, word);
        return resolve_scalar(context(), immediate, source, dtype, channels, scalar);
    }

    IsaConfiguration isa;
    Record record;
    std::array<std::uint32_t, 64> registers{};
    TensorOperand operand;
    ScalarOperand scalar;

private:
    static constexpr Field pattern{"src_mem_pattern", 12, 20, FieldKind::PATTERN4D};
    static constexpr Field immediate{"imm0", 40, 4, FieldKind::IMMEDIATE};

    WorkerContext context() const {
        return {record,           opcode_row(Opcode::TENSOR_CUMULATIVE_ARITH_OP),
                registers.data(), isa,
                semantics,        0};
    }

    Semantics semantics;
};

}  // namespace dve::test
