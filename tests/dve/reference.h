// The instructions of the lanes by plain loops: an own encoding, an own walk, an own order. Only
// the arithmetic of single elements comes from the model (models/alu/evaluate.h).
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "models/alu/evaluate.h"
#include "models/isa/enums.h"
#include "models/isa/record.h"
#include "models/lane_program/semantics.h"
#include "tests/support/walk.h"

namespace dve::test {

struct Tensor {
    Space space = Space::SBUF;
    unsigned partition = 0;
    std::uint32_t byte = 0;
    Dtype dtype = Dtype::FP32;
    Shape shape;
    bool by_register = false;
};

struct Scalar {
    ImmSrc source = ImmSrc::INSTRUCTION;
    std::uint32_t bits = 0;  ///< inline
    Space space = Space::SBUF;
    unsigned partition = 0;
    std::uint32_t byte = 0;
    Dtype dtype = Dtype::FP32;
};

/// One instruction as the test means it.
struct Instruction {
    std::uint8_t opcode = 0x43;
    unsigned channels = 1;
    Tensor src0;
    Tensor src1;
    Tensor dst;
    Scalar scalar0;
    Scalar scalar1;
    AluOp op0 = AluOp::BYPASS;
    AluOp op1 = AluOp::BYPASS;
    unsigned reverse = 0;
    unsigned accumulate = 0;  ///< 0 idle, 2 accumulate, 3 zero and accumulate
    bool negated = false;

    bool bitvec() const { return opcode == 0x53 || opcode == 0x54 || opcode == 0x9E; }
    bool two_sources() const { return opcode == 0x9D || opcode == 0x9E || opcode == 0xE5; }
    bool pointers_only() const { return opcode == 0x44 || opcode == 0x54; }
    bool reads_accumulator() const { return opcode == 0x9B; }
};

/// The 64 bytes, by the offsets of isa_wire_format 4. Registers that it uses are set.
Record encode(const Instruction& instruction, Generation generation,
              std::array<std::uint32_t, 64>& registers);

/// Both memories, `row_bytes` of each partition.
struct Memories {
    static constexpr std::size_t row_bytes = 0x3000;
    std::array<std::vector<std::uint8_t>, 2> bytes;

    Memories() { bytes.fill(std::vector<std::uint8_t>(128 * row_bytes)); }
    std::uint8_t* at(Space space, unsigned partition, std::int64_t byte) {
        return bytes[static_cast<std::size_t>(space)].data() + partition * row_bytes + byte;
    }
    bool operator==(const Memories& other) const { return bytes == other.bytes; }

    /// Any bits in the first half, floats around one in the second.
    void fill(std::mt19937& engine);
};

class Reference {
public:
    Memories memories;
    std::array<std::uint32_t, 128> accumulators{};
    FpStatus status;

    void execute(const Instruction& instruction, const Semantics& semantics);

    /// Whether a carried scan runs in the network (decisions 1).
    static bool composes(const Instruction& instruction);

private:
    using Row = std::vector<std::uint32_t>;

    std::uint64_t load(Space space, unsigned partition, std::int64_t byte, Dtype dtype);
    Row load_row(const Tensor& tensor, unsigned channel, bool raw);
    std::uint32_t load_scalar(const Scalar& scalar, unsigned channel, bool pointer, bool raw);
    std::uint32_t stage(AluOp op, bool reversed, std::uint32_t data, std::uint32_t other,
                        const Instruction& instruction);
    void prefix(Row& row, const Semantics& semantics);

    NumberModel model_;
};

}  // namespace dve::test
