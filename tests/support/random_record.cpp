// Fields by kind, then the predicates choose.
#include "tests/support/random_record.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "models/isa/alu_op.h"
#include "tests/isa/check_samples.h"
#include "tests/support/engine_bench.h"

namespace dve::test {
namespace {

constexpr unsigned operand_registers = 40;  // R[0..39]; control records use the others

const Dtype* dtype_of_pattern(const std::string& name, const Record& record, const Layout& layout,
                              Dtype& found) {
    const bool output = name.find("dst") != std::string::npos;
    for (const Field& field : layout.fields) {
        if (field.kind == FieldKind::DTYPE_PAIR && !output) {
            const unsigned pair = record.get8(field);
            found =
                static_cast<Dtype>(name.find("src1") != std::string::npos ? pair >> 4 : pair & 0xF);
            return &found;
        }
        const std::string dtype_name = field.name;
        if (field.kind == FieldKind::DTYPE &&
            (dtype_name == (output ? "out_dtype" : "in_dtype") || dtype_name == "dtype")) {
            found = static_cast<Dtype>(record.get8(field));
            return &found;
        }
    }
    return nullptr;
}

/// Both scalars of 0x44 and 0x54 are addresses, whatever imm_src says.
bool points_to_scalars(const Record& record) {
    return record.opcode() == 0x44 || record.opcode() == 0x54;
}

}  // namespace

RandomRecords::RandomRecords(unsigned seed, const IsaConfiguration& isa)
    : isa_(isa), engine_(seed) {
    for (const std::uint8_t value : sample_opcodes()) {
        const OpcodeRow* row = find_opcode(value);
        if (!row->is_control() && row->is_modelled() && contains(row->wired, isa.generation)) {
            opcodes_.push_back(row);
        }
    }
}

std::uint32_t RandomRecords::any_float() {
    std::uint32_t bits = engine_();
    if (!one_in(8)) {
        const auto value = static_cast<float>(static_cast<int>(bits % 4001) - 2000) / 64.0F;
        std::memcpy(&bits, &value, sizeof bits);
    }
    return bits;
}

/// Byte address in SBUF or, if the generation has it, PSUM.
std::uint32_t RandomRecords::address_word(std::uint32_t byte, unsigned partition) {
    const bool psum = isa_.psum.present && one_in(4);
    const MemoryGeometry& space = psum ? isa_.psum : isa_.sbuf;
    return space.base + partition * space.partition_stride + byte;
}

void RandomRecords::randomise(Record& record, const Field& field, const Layout& layout) {
    const std::string name = field.name;
    const auto any_of = [this](const EnumMembers& members) {
        return members.begin()[between(0, static_cast<std::uint32_t>(members.count - 1))].value;
    };
    const auto any_dtype = [this] {
        const auto& rows = dtype_rows();
        for (;;) {
            const DtypeRow& row = rows[engine_() % rows.size()];
            if (row.bytes() != 0 && row.exists_in(isa_.generation)) {
                return static_cast<unsigned>(row.dtype);
            }
        }
    };
    switch (field.kind) {
        case FieldKind::DTYPE:
            if (one_dtype_ != 0) {
                record.set(field, one_dtype_);
            } else if (one_in(2)) {
                record.set(field, any_dtype());
            }
            break;
        case FieldKind::DTYPE_PAIR:
            if (one_dtype_ != 0) {
                record.set(field, one_dtype_ | one_dtype_ << 4);
            } else if (one_in(2)) {
                record.set(field, (any_dtype() & 0xF) | (any_dtype() & 0xF) << 4);
            }
            break;
        case FieldKind::ALU_OP:
            if (!one_in(4)) {
                // Another operation of the same kind; the predicates know the finer rules.
                const AluOpRow* old = find_alu_op(record.get8(field));
                const auto& rows = alu_op_rows();
                const AluOpRow& row = rows[engine_() % rows.size()];
                if (old != nullptr && (row.classes & old->classes) != 0) {
                    record.set(field, static_cast<unsigned>(row.op));
                }
            }
            break;
        case FieldKind::REVERSE:
        case FieldKind::SUBDIM:
        case FieldKind::ACCUM_CMD: record.set(field, any_of(enum_members(field.kind))); break;
        case FieldKind::IMM_SRC:
            if (points_to_scalars(record)) {
                break;
            }
            record.set(field, one_in(2) ? 0 : between(0, 2));
            break;
        case FieldKind::IMMEDIATE: {
            const Field* source = layout.find(name + "_src");
            const unsigned kind = source != nullptr ? record.get8(*source) : 0;
            const std::uint32_t pointer =
                address_word(4 * between(0, random_area_bytes / 4 - 1), partition_);
            if (kind == 0 && !points_to_scalars(record)) {
                record.set(field, any_float());
            } else if (kind != 2) {
                record.set(field, pointer);
            } else {
                registers_[next_register_ % operand_registers] = pointer;
                record.set(field, next_register_++ % operand_registers);
            }
            break;
        }
        case FieldKind::UINT:
            if (name == "num_active_channels") {
                record.set(field, channels_);
            } else if (name == "negated") {
                record.set(field, between(0, 1));
            } else if (name == "dst_element_count") {
                record.set(field, 1);
            }
            break;
        default: break;
    }
}

/// Elements by number; now and then the list ends with one that does not exist.
void RandomRecords::place_indirect(Record& record, const Field& field, std::uint32_t elements,
                                   unsigned element_bytes) {
    constexpr std::uint32_t sharers = 16;
    const std::uint32_t words = (elements + sharers - 1) / sharers;
    const std::uint32_t room = index_list_bytes / 4 - words;
    const std::uint32_t first = one_in(30) ? room : between(0, room - 1);
    std::uint32_t data = between(0, random_area_bytes - listed_elements * element_bytes);
    data -= data % element_bytes;
    const MemoryGeometry& sbuf = isa_.sbuf;
    const std::uint32_t partition = sbuf.base + partition_ * sbuf.partition_stride;
    record.set_indirect(field, {{0x20000000U | (partition + index_lists_at + 4 * first)},
                                {address_word(data, partition_)},
                                static_cast<std::uint16_t>(elements)});
}

/// A walk of `elements` elements that stays inside the area. False if the numbers do not allow it.
bool RandomRecords::place(Record& record, const Field& field, std::uint32_t elements) {
    const Layout& layout = layout_of(record);
    Dtype dtype{};
    if (dtype_of_pattern(field.name, record, layout, dtype) == nullptr) {
        return false;
    }
    const DtypeRow* row = find_dtype(static_cast<std::uint8_t>(dtype));
    if (row == nullptr || row->bytes() == 0) {
        return false;
    }
    if (isa_.row().indirect_patterns && one_in(8)) {
        place_indirect(record, field, elements, row->bytes());
        return true;  // the predicates know which patterns may be indirect
    }
    Pattern pattern;
    pattern.dimensions = static_cast<std::uint8_t>(field.dimensions());
    std::uint32_t left = elements;
    std::int64_t dense = 1;
    std::int64_t low = 0;
    std::int64_t high = 0;
    for (unsigned d = 0; d < pattern.dimensions; ++d) {
        std::uint32_t count = left;
        if (d + 1U < pattern.dimensions && one_in(3)) {
            for (count = between(1, left); left % count != 0; --count) {
            }
        }
        left /= count;
        std::int64_t step = dense;
        if (one_in(5)) {
            step = static_cast<std::int64_t>(between(0, 6)) - 2;
        }
        pattern.num_elem[d] = static_cast<std::uint16_t>(count);
        pattern.step_elem[d] = static_cast<std::int16_t>(step);
        const std::int64_t reach = step * (count - 1) * row->bytes();
        low += std::min<std::int64_t>(reach, 0);
        high += std::max<std::int64_t>(reach, 0);
        dense = std::max<std::int64_t>(step * count, 1);
    }
    high += row->bytes();
    if (left != 1 || high - low > random_area_bytes) {
        return false;
    }
    // Small offsets most of the time, so that operands of neighbours overlap.
    const std::uint32_t room = random_area_bytes - static_cast<std::uint32_t>(high - low);
    std::uint32_t first = between(0, one_in(3) ? room : std::min<std::uint32_t>(room, 0x200));
    first -= first % row->bytes();
    unsigned partition = partition_;
    if (one_in(4) && channels_ <= 32) {
        partition = 32 * between(0, 3);
    }
    std::uint32_t word = address_word(first + static_cast<std::uint32_t>(-low), partition);
    if (one_in(8)) {
        registers_[next_register_ % operand_registers] = word;
        word = 0x80000000U | (next_register_++ % operand_registers);
    }
    pattern.start.word = word;
    record.set_pattern(field, pattern);
    return true;
}

std::optional<Record> RandomRecords::propose(const OpcodeRow& opcode) {
    static constexpr std::uint32_t counts[] = {1,  2,  3,  7,   15,  16,  17,  31,  32,  48,  63,
                                               64, 65, 96, 100, 128, 160, 255, 300, 512, 700, 1024};
    const std::uint32_t elements = counts[between(0, one_in(4) ? 21 : 16)];
    channels_ = one_in(3) ? between(1, 128) : 32 * between(1, 4);
    partition_ = channels_ <= 32 ? 32 * between(0, 3) : channels_ <= 64 ? 64 * between(0, 1) : 0;
    Record record = legal_record(opcode.value());
    static constexpr Dtype dtypes[] = {Dtype::FP32,   Dtype::BF16,     Dtype::FP16,    Dtype::INT32,
                                       Dtype::UINT8,  Dtype::INT8,     Dtype::UINT16,  Dtype::INT16,
                                       Dtype::UINT32, Dtype::FP8_EXP4, Dtype::FP8_EXP5};
    one_dtype_ = one_in(2) ? static_cast<unsigned>(dtypes[between(0, 10)]) : 0;
    const Layout& layout = layout_of(record);
    for (const Field& field : layout.fields) {
        randomise(record, field, layout);
    }
    for (const Field& field : layout.fields) {
        if (field.is_pattern() &&
            !place(record, field, opcode.layout == StructId::D1_RD ? 1 : elements)) {
            return std::nullopt;
        }
    }
    if (check(record, isa_)) {
        return std::nullopt;
    }
    return record;
}

Record RandomRecords::tensor_record() {
    const OpcodeRow& opcode = *opcodes_[engine_() % opcodes_.size()];
    for (;;) {
        const unsigned registers_before = next_register_;
        if (auto record = propose(opcode)) {
            return *record;
        }
        next_register_ = registers_before;
    }
}

/// Waits for something that an earlier record of the program promises.
void RandomRecords::add_synchronisation(std::vector<Record>& program) {
    static constexpr std::uint8_t updates[] = {0x03, 0x13, 0x05, 0x15, 0x01, 0x11};
    constexpr std::uint8_t first_semaphore = 20;
    std::vector<std::pair<std::uint8_t, std::uint8_t>> promised;  // (wait mode, index)
    for (std::size_t i = 0; i < program.size(); ++i) {
        Record& record = program[i];
        if (!promised.empty() && one_in(3)) {
            const auto [mode, index] = promised[engine_() % promised.size()];
            record = with_wait(record, mode, index, 1);
        }
        const bool free = record.get8(fields::HEADER::wait_mode) == 0;
        if (free && record.opcode() != 0xA0 && one_in(3)) {
            const std::uint8_t update = updates[between(0, 5)];
            const auto index = static_cast<std::uint8_t>(first_semaphore + i);
            record = with_update(record, update, index, 3);
            const bool event = (update & 0xF) == 1;
            promised.emplace_back(event ? 0x06 : 0x05, index);
        }
    }
}

void RandomRecords::add_control(std::vector<Record>& program) {
    switch (between(0, 5)) {
        case 0: program.push_back(nop()); break;
        case 1: program.push_back(drain()); break;
        case 2:
            program.push_back(
                move_immediate(static_cast<std::uint8_t>(between(40, 63)), engine_()));
            break;
        case 3: program.push_back(legal_record(0xA6)); break;
        case 4: program.push_back(make_record(Opcode::INSTRUCTION_FLUSH)); break;
        default: program.push_back(make_record(Opcode::ENGINE_NOP)); break;
    }
}

std::vector<Record> RandomRecords::program(unsigned tensor_records) {
    next_register_ = 0;
    std::vector<Record> program;
    for (unsigned i = 0; i < tensor_records; ++i) {
        if (one_in(4)) {
            add_control(program);
        }
        program.push_back(tensor_record());
        if (one_in(6)) {
            program.push_back(program.back());  // again, behind itself
        }
    }
    add_synchronisation(program);
    return program;
}

}  // namespace dve::test
