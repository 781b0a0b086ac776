// Encoding and execution by plain loops.
#include "tests/dve/reference.h"

#include <cstring>

namespace dve::test {
namespace {

std::uint32_t address_of(Generation generation, Space space, unsigned partition,
                         std::uint32_t byte) {
    const std::uint32_t stride = generation == Generation::MAVERICK ? 0x100000 : 0x40000;
    return space == Space::PSUM ? 0x2000000 + partition * 0x8000 + byte : partition * stride + byte;
}

template <typename T>
void put(Record& record, unsigned offset, T value) {
    std::memcpy(record.bytes.data() + offset, &value, sizeof value);
}

class Encoder {
public:
    Encoder(Generation generation, std::array<std::uint32_t, 64>& registers)
        : generation_(generation), registers_(registers) {}

    void tensor(unsigned offset, unsigned dimensions, const Tensor& tensor) {
        std::uint32_t word = address_of(generation_, tensor.space, tensor.partition, tensor.byte);
        if (tensor.by_register) {
            word = 0x80000000U | in_register(word);
        }
        put(record, offset, word);
        for (unsigned d = 0; d < dimensions; ++d) {
            put(record, offset + 4 + 2 * d, tensor.shape.step[d]);
            put(record, offset + 4 + 2 * (dimensions + d), tensor.shape.count[d]);
        }
    }

    void scalar(unsigned offset, unsigned source_offset, const Scalar& scalar, bool pointer) {
        const std::uint32_t address =
            address_of(generation_, scalar.space, scalar.partition, scalar.byte);
        if (pointer || scalar.source == ImmSrc::POINTER) {
            put(record, offset, address);
        } else {
            put(record, offset,
                scalar.source == ImmSrc::REG_PTR ? in_register(address) : scalar.bits);
        }
        record.bytes[source_offset] = pointer ? 0 : static_cast<std::uint8_t>(scalar.source);
    }

    Record record;

private:
    std::uint32_t in_register(std::uint32_t value) {
        registers_[next_] = value;
        return next_++;
    }

    Generation generation_;
    std::array<std::uint32_t, 64>& registers_;
    std::uint32_t next_ = 7;
};

bool is_pair(const Instruction& instruction, AluOp op0, AluOp op1) {
    return instruction.op0 == op0 && instruction.op1 == op1;
}

}  // namespace

Record encode(const Instruction& instruction, Generation generation,
              std::array<std::uint32_t, 64>& registers) {
    Encoder encoder(generation, registers);
    std::uint8_t* bytes = encoder.record.bytes.data();
    bytes[0] = instruction.opcode;
    bytes[1] = 16;
    const auto channels = static_cast<std::uint8_t>(instruction.channels);
    const auto code = [](auto value) { return static_cast<std::uint8_t>(value); };
    if (instruction.reads_accumulator()) {
        bytes[28] = 1;
        bytes[32] = code(instruction.dst.dtype);
        bytes[33] = instruction.negated ? 1 : 0;
        bytes[34] = channels;
        encoder.tensor(44, 1, instruction.dst);
        return encoder.record;
    }
    bytes[36] = code(instruction.op0);
    bytes[37] = code(instruction.op1);
    bytes[38] = code(instruction.reverse);
    if (instruction.two_sources()) {
        encoder.tensor(12, 2, instruction.src0);
        encoder.tensor(24, 2, instruction.src1);
        encoder.tensor(48, 2, instruction.dst);
        bytes[40] = code(code(instruction.src0.dtype) | code(instruction.src1.dtype) << 4);
        bytes[41] = code(instruction.dst.dtype);
        bytes[42] = channels;
        bytes[43] = code(instruction.scalar0.dtype);
        bytes[44] = code(instruction.accumulate);
        encoder.scalar(60, 39, instruction.scalar0, false);
    } else {
        encoder.tensor(16, 3, instruction.src0);
        encoder.tensor(48, 3, instruction.dst);
        bytes[32] = code(instruction.src0.dtype);
        bytes[33] = code(instruction.dst.dtype);
        bytes[34] = channels;
        encoder.scalar(40, 35, instruction.scalar0, instruction.pointers_only());
        encoder.scalar(44, 39, instruction.scalar1, instruction.pointers_only());
    }
    return encoder.record;
}

void Memories::fill(std::mt19937& engine) {
    for (auto& memory : bytes) {
        for (std::size_t i = 0; i < memory.size(); i += 4) {
            std::uint32_t word = engine();
            if (i % row_bytes >= row_bytes / 2) {
                word = (word & 0x807FFFFFU) | (120 + word % 16) << 23;
            }
            std::memcpy(memory.data() + i, &word, 4);
        }
    }
}

bool Reference::composes(const Instruction& instruction) {
    const bool second_reversed = (instruction.reverse & 2U) != 0;
    return is_pair(instruction, AluOp::MULT, AluOp::ADD) ||
           (is_pair(instruction, AluOp::MULT, AluOp::SUBTRACT) && !second_reversed) ||
           is_pair(instruction, AluOp::ADD, AluOp::ADD) ||
           is_pair(instruction, AluOp::MULT, AluOp::MULT) ||
           is_pair(instruction, AluOp::ADD, AluOp::MAX) ||
           is_pair(instruction, AluOp::ADD, AluOp::MIN) ||
           is_pair(instruction, AluOp::MAX, AluOp::MIN) ||
           is_pair(instruction, AluOp::MIN, AluOp::MAX);
}

std::uint64_t Reference::load(Space space, unsigned partition, std::int64_t byte, Dtype dtype) {
    std::uint64_t raw = 0;
    std::memcpy(&raw, memories.at(space, partition, byte), element_bytes(dtype));
    return raw;
}

Reference::Row Reference::load_row(const Tensor& tensor, unsigned channel, bool raw) {
    Row row;
    for (const std::int64_t offset : walk_bytes(tensor.shape, element_bytes(tensor.dtype))) {
        const std::uint64_t bits =
            load(tensor.space, tensor.partition + channel, tensor.byte + offset, tensor.dtype);
        row.push_back(raw ? static_cast<std::uint32_t>(bits)
                          : to_fp32(tensor.dtype, bits, model_, status));
    }
    return row;
}

std::uint32_t Reference::load_scalar(const Scalar& scalar, unsigned channel, bool pointer,
                                     bool raw) {
    if (!pointer && scalar.source == ImmSrc::INSTRUCTION) {
        return scalar.bits;
    }
    const std::uint64_t bits =
        load(scalar.space, scalar.partition + channel, scalar.byte, scalar.dtype);
    return raw ? static_cast<std::uint32_t>(bits) : to_fp32(scalar.dtype, bits, model_, status);
}

std::uint32_t Reference::stage(AluOp op, bool reversed, std::uint32_t data, std::uint32_t other,
                               const Instruction& instruction) {
    if (op == AluOp::BYPASS) {
        return data;
    }
    const std::uint32_t left = reversed ? other : data;
    const std::uint32_t right = reversed ? data : other;
    return instruction.bitvec()
               ? evaluate_bitvec(op, left, right, 8 * element_bytes(instruction.dst.dtype), model_)
               : evaluate_fp32(op, left, right, model_, status);
}

void Reference::prefix(Row& row, const Semantics& semantics) {
    const auto combine = [&](std::uint32_t earlier, std::uint32_t later) {
        return evaluate_fp32(semantics.scan_combine, earlier, later, model_, status);
    };
    if (semantics.scan_order == ScanOrder::SEQUENTIAL) {
        for (std::size_t i = 1; i < row.size(); ++i) {
            row[i] = combine(row[i - 1], row[i]);
        }
        return;
    }
    for (std::size_t first = 0; first < row.size(); first += 16) {
        const std::size_t last = std::min(first + 16, row.size());
        for (std::size_t stride = 1; stride < 16; stride *= 2) {
            const Row before = row;
            for (std::size_t i = first + stride; i < last; ++i) {
                row[i] = combine(before[i - stride], before[i]);
            }
        }
        for (std::size_t i = first; first > 0 && i < last; ++i) {
            row[i] = combine(row[first - 1], row[i]);
        }
    }
}

void Reference::execute(const Instruction& instruction, const Semantics& semantics) {
    model_ = semantics.numbers;
    const bool raw = instruction.bitvec();
    const bool scan = instruction.opcode == 0xE5;
    const bool carried = scan && semantics.scan_recurrence == ScanRecurrence::CARRIED;
    const bool first_reversed = (instruction.reverse & 1U) != 0;
    const bool second_reversed = (instruction.reverse & 2U) != 0;
    const bool accumulates = instruction.accumulate != 0;

    std::vector<Row> results;
    for (unsigned c = 0; c < instruction.channels; ++c) {
        if (instruction.reads_accumulator()) {
            results.push_back({accumulators[c] ^ (instruction.negated ? 0x80000000U : 0U)});
            continue;
        }
        const std::uint32_t scalar0 =
            load_scalar(instruction.scalar0, c, instruction.pointers_only(), raw);
        Row row = load_row(instruction.src0, c, raw);
        Row second(row.size());
        if (instruction.two_sources()) {
            second = load_row(instruction.src1, c, raw);
        } else {
            second.assign(row.size(),
                          load_scalar(instruction.scalar1, c, instruction.pointers_only(), raw));
        }
        std::uint32_t state = scalar0;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::uint32_t first =
                stage(instruction.op0, first_reversed, row[i], state, instruction);
            row[i] = stage(instruction.op1, second_reversed, first, second[i], instruction);
            state = carried ? row[i] : state;
        }
        if (scan && !carried) {
            prefix(row, semantics);
        }
        results.push_back(row);
    }

    const Tensor& dst = instruction.dst;
    const bool stored = !accumulates || semantics.stt_accumulate == SttAccumulate::ADDS_TO_STORE;
    const bool tap_after = semantics.accumulator_tap == AccumulatorTap::AFTER_CONVERSION;
    const std::vector<std::int64_t> places = walk_bytes(dst.shape, element_bytes(dst.dtype));
    for (unsigned c = 0; c < instruction.channels; ++c) {
        if (instruction.accumulate == 3) {
            accumulators[c] = 0;
        }
        for (std::size_t i = 0; i < places.size(); ++i) {
            std::uint32_t value = results[c][i];
            std::uint64_t bits = value;
            if (!raw && (stored || tap_after)) {
                bits = from_fp32(dst.dtype, value, model_, status);
                value = tap_after ? to_fp32(dst.dtype, bits, model_, status) : value;
            }
            if (accumulates) {
                accumulators[c] = evaluate_fp32(AluOp::ADD, value, accumulators[c], model_, status);
            }
            if (stored) {
                std::memcpy(memories.at(dst.space, dst.partition + c, dst.byte + places[i]), &bits,
                            element_bytes(dst.dtype));
            }
        }
    }
}

}  // namespace dve::test
