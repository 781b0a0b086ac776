// Legal sample records.
#include "tests/isa/check_samples.h"

#include <cstring>
#include <stdexcept>

namespace dve::test {
namespace {

constexpr std::uint8_t int32 = 0x8;
constexpr std::uint8_t fp32 = 0xA;
constexpr std::uint8_t add = 0x04;
constexpr std::uint8_t mult = 0x06;
constexpr std::uint8_t max = 0x08;
constexpr std::uint8_t bitwise_and = 0x0A;
constexpr std::uint8_t bitwise_or = 0x0B;

template <typename T>
void store(Record& record, unsigned offset, T value) {
    std::memcpy(record.bytes.data() + offset, &value, sizeof value);
}

// 64 elements in the innermost dimension.
void pattern(Edit& edit, const std::string& name, std::uint32_t start, unsigned dimensions) {
    edit.start(name, start);
    for (unsigned d = 0; d < dimensions; ++d) {
        edit.step(name, d, 1).count(name, d, d == 0 ? 64 : 1);
    }
}

void tensor_scalar(Edit& edit, std::uint8_t op0, std::uint8_t op1, std::uint8_t dtype) {
    pattern(edit, "src_mem_pattern", 0, 3);
    pattern(edit, "dst_mem_pattern", 0x2000, 3);
    edit.set("in_dtype", dtype).set("out_dtype", dtype).set("num_active_channels", 32);
    edit.set("op0", op0).set("op1", op1);
}

void scalar_tensor_tensor(Edit& edit, std::uint8_t op0, std::uint8_t op1, std::uint8_t dtype) {
    pattern(edit, "src0_mem_pattern", 0, 2);
    pattern(edit, "src1_mem_pattern", 0x1000, 2);
    pattern(edit, "dst_mem_pattern", 0x2000, 2);
    edit.set("in0_in1_dtype", dtype * 0x11U).set("out_dtype", dtype).set("imm0_dtype", dtype);
    edit.set("num_active_channels", 32).set("op0", op0).set("op1", op1);
}

void tensor_tensor(Edit& edit, std::uint8_t op, std::uint8_t dtype) {
    pattern(edit, "src0_mem_pattern", 0, 3);
    pattern(edit, "src1_mem_pattern", 0x1000, 3);
    pattern(edit, "dst_mem_pattern", 0x2000, 3);
    edit.set("in0_in1_dtype", dtype * 0x11U).set("out_dtype", dtype);
    edit.set("num_active_channels", 32).set("op", op);
}

void tensor_cumulative(Edit& edit, std::uint8_t op, std::uint8_t dtype) {
    pattern(edit, "src_mem_pattern", 0, 4);
    pattern(edit, "dst_mem_pattern", 0x2000, 4);
    edit.set("in_dtype", dtype).set("out_dtype", dtype).set("num_active_channels", 32);
    edit.set("op", op).set("op_dim", 2);
}

}  // namespace

const Field& Edit::find(const std::string& field) const {
    for (const Layout* candidate : {&layout(StructId::HEADER), &layout_of(record_)}) {
        if (const Field* found = candidate->find(field)) {
            return *found;
        }
    }
    throw std::logic_error("no field " + field);
}

Edit& Edit::set(const std::string& field, std::uint64_t value) {
    record_.set(find(field), value);
    return *this;
}

Edit& Edit::byte(unsigned offset, std::uint8_t value) {
    record_.bytes[offset] = value;
    return *this;
}

Edit& Edit::start(const std::string& name, std::uint32_t word) {
    store(record_, find(name).offset, word);
    return *this;
}

Edit& Edit::step(const std::string& name, unsigned dimension, std::int16_t step) {
    store(record_, find(name).offset + 4U + 2U * dimension, step);
    return *this;
}

Edit& Edit::count(const std::string& name, unsigned dimension, std::uint16_t elements) {
    const Field& field = find(name);
    store(record_, field.offset + 4U + 2U * ((field.bytes - 4U) / 4U + dimension), elements);
    return *this;
}

Edit& Edit::indirect(const std::string& name, std::uint32_t index, std::uint32_t data,
                     std::uint16_t indices) {
    const Field& field = find(name);
    store(record_, field.offset, index | 0x20000000U);
    store(record_, field.offset + 4U, data);
    store(record_, field.offset + 8U, indices);
    return *this;
}

std::uint32_t sbuf(Generation generation, unsigned partition, std::uint32_t byte) {
    return partition * (generation == Generation::MAVERICK ? 1024 * kib : 256 * kib) + byte;
}

std::uint32_t psum(unsigned partition, std::uint32_t byte) {
    return 0x2000000 + partition * 32 * kib + byte;
}

Record legal_record(std::uint8_t opcode) {
    Record record;
    record.bytes[0] = opcode;
    record.bytes[1] = 16;
    Edit edit(record);
    switch (opcode) {
        case 0x43:
        case 0x93: tensor_scalar(edit, mult, add, fp32); break;
        case 0x53: tensor_scalar(edit, bitwise_and, bitwise_or, int32); break;
        case 0x44:
            tensor_scalar(edit, mult, add, fp32);
            edit.set("imm0", 0x3000).set("imm1", 0x3100);
            break;
        case 0x54:
            tensor_scalar(edit, bitwise_and, bitwise_or, int32);
            edit.set("imm0", 0x3000).set("imm1", 0x3100);
            break;
        case 0x9A:
        case 0xE6:
            tensor_scalar(edit, mult, add, fp32);
            edit.set("accumulator_cmd", 3);
            break;
        case 0x30: tensor_scalar(edit, 0, 0, fp32); break;
        case 0x9D:
        case 0xE5: scalar_tensor_tensor(edit, mult, add, fp32); break;
        case 0x9E: scalar_tensor_tensor(edit, bitwise_and, bitwise_or, int32); break;
        case 0xEA:
            scalar_tensor_tensor(edit, 0, max, fp32);
            edit.set("in0_in1_dtype", 0xA8);
            break;
        case 0x41: tensor_tensor(edit, add, fp32); break;
        case 0x51: tensor_tensor(edit, bitwise_and, int32); break;
        case 0x4E: tensor_cumulative(edit, add, fp32); break;
        case 0x5E: tensor_cumulative(edit, bitwise_or, int32); break;
        case 0x9B:
            pattern(edit, "dst_mem_pattern", 0x2000, 1);
            edit.count("dst_mem_pattern", 0, 1).set("dst_element_count", 1);
            edit.set("dtype", fp32).set("num_active_channels", 32);
            break;
        case 0xA7: edit.set("num_mov", 8).set("dtype", 0x9).set("data_src", 1); break;
        default: break;
    }
    return record;
}

const std::vector<std::uint8_t>& sample_opcodes() {
    static const std::vector<std::uint8_t> opcodes = {
        0x30, 0x41, 0x43, 0x44, 0x4E, 0x51, 0x53, 0x54, 0x5E, 0x93, 0x9A, 0x9B, 0x9D, 0x9E,
        0x9F, 0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA6, 0xA7, 0xA8, 0xA9, 0xE5, 0xE6, 0xEA};
    return opcodes;
}

std::vector<std::string> names_of(const std::vector<Violation>& violations) {
    std::vector<std::string> names;
    for (const Violation& violation : violations) {
        names.emplace_back(violation.predicate);
    }
    return names;
}

std::vector<Generation> members(GenerationSet set) {
    std::vector<Generation> generations;
    for (const GenerationRow& row : generation_rows()) {
        if (contains(set, row.generation)) {
            generations.push_back(row.generation);
        }
    }
    return generations;
}

}  // namespace dve::test
