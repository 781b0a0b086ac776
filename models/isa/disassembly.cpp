// The disassembler. Every line is checked by assembling it again.
#include <algorithm>
#include <array>

#include "models/isa/assembly.h"
#include "models/isa/text_field.h"
#include "models/isa/text_immediate.h"
#include "models/isa/text_instruction.h"
#include "models/isa/text_number.h"

namespace dve {
namespace {

constexpr std::string_view indentation = "        ";

// Reading order of an instruction: operands, then what is done to them, then the rest by offset.
constexpr std::array<std::string_view, 10> leading_fields = {
    "dst_mem_pattern",
    "src_mem_pattern",
    "src0_mem_pattern",
    "src1_mem_pattern",
    "op0",
    "imm0",
    "op1",
    "imm1",
    "op",
    "reverse_operands",
};

std::vector<const Field*> reading_order(const Layout& own) {
    std::vector<const Field*> order;
    for (const Layout* part : {&own, &layout(StructId::HEADER)}) {
        for (const Field& field : part->fields) {
            order.push_back(&field);
        }
    }
    const auto rank = [](const Field* field) {
        return std::find(leading_fields.begin(), leading_fields.end(), field->name) -
               leading_fields.begin();
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](const Field* a, const Field* b) { return rank(a) < rank(b); });
    return order;
}

bool differs(const Record& a, const Record& b, const Field& field) {
    return !std::equal(a.bytes.begin() + field.offset, a.bytes.begin() + field.offset + field.bytes,
                       b.bytes.begin() + field.offset);
}

// Fields that are shown although they hold their default, because the line reads badly or does not
// assemble without them.
bool always_shown(const Field& field, const Layout& own) {
    switch (field.kind) {
        case FieldKind::DTYPE:
        case FieldKind::DTYPE_PAIR:
        case FieldKind::ALU_OP: return true;
        default:
            return field.is_pattern() ||
                   (field.name == std::string_view("num_active_channels") &&
                    std::any_of(own.fields.begin(), own.fields.end(),
                                [](const Field& other) { return other.is_pattern(); }));
    }
}

bool immediate_is_shown(const Record& record, const Record& defaults, const Field& field,
                        const Layout& own) {
    const Field* source = immediate_source(own, field);
    const Field* operation = immediate_operation(own, field);
    return differs(record, defaults, field) ||
           (source != nullptr && differs(record, defaults, *source)) ||
           (operation != nullptr && record.get8(*operation) != 0);
}

bool is_immediate_source(const Field& field, const Layout& own) {
    return std::any_of(own.fields.begin(), own.fields.end(), [&](const Field& other) {
        return other.kind == FieldKind::IMMEDIATE && immediate_source(own, other) == &field;
    });
}

// Fields that differ from `defaults`, which already hold what wait and update lines say.
std::string instruction_text(const Record& record, const Record& defaults, const OpcodeRow& row,
                             const MemoryMap& memory) {
    const Layout& own = layout(row.layout);
    std::string text = row.mnemonic;
    for (const Field* field : reading_order(own)) {
        if (field->kind == FieldKind::IMMEDIATE) {
            if (immediate_is_shown(record, defaults, *field, own)) {
                text += format_immediate(record, *field, memory);
            }
        } else if (!is_immediate_source(*field, own) && field->kind != FieldKind::OPCODE &&
                   (always_shown(*field, own) || differs(record, defaults, *field))) {
            text += ' ' + std::string(field_alias(field->name)) + '=' +
                    (field->is_pattern() ? format_operand(record, *field, memory)
                                         : format_field(record, *field));
        }
    }
    return text;
}

// Copies the header fields that a wait or update line sets.
void take_event(const Record& record, Record& defaults, const Field& mode, const Field& index,
                bool has_value) {
    defaults.set(mode, record.get(mode));
    defaults.set(index, record.get(index));
    if (has_value) {
        defaults.set(fields::HEADER::semaphore_value, record.get(fields::HEADER::semaphore_value));
    }
}

struct Lines {
    std::vector<std::string> events;
    std::string instruction;
};

Lines lines_of(const Record& record, const OpcodeRow& row, const MemoryMap& memory,
               bool with_event_lines) {
    using namespace fields::HEADER;
    Lines lines;
    Record defaults = default_record(row);
    const std::uint32_t value = record.get32(semaphore_value);
    if (with_event_lines) {
        if (auto text = format_wait(record.get8(wait_mode), record.get8(wait_idx), value)) {
            const bool has_value = parse_wait(text->substr(text->find(' ')))->value.has_value();
            take_event(record, defaults, wait_mode, wait_idx, has_value);
            lines.events.push_back(std::move(*text));
        }
        if (auto text = format_update(record.get8(update_mode), record.get8(update_idx), value)) {
            const bool has_value = parse_update(text->substr(text->find(' ')))->value.has_value();
            take_event(record, defaults, update_mode, update_idx, has_value);
            lines.events.push_back(std::move(*text));
        }
    }
    lines.instruction = instruction_text(record, defaults, row, memory);
    return lines;
}

std::string raw_text(const Record& record, const OpcodeRow* row) {
    return ".raw " + format_hex_bytes(record.bytes.data(), record_bytes) + "  ; " +
           (row != nullptr ? std::string(row->mnemonic)
                           : "no opcode " + format_hex(record.opcode(), 2));
}

// The text of a record, each line indented as given; `.raw` if it would not assemble to the record.
std::string record_text(const Record& record, Generation generation, const MemoryMap& memory,
                        bool with_event_lines, std::string_view indent) {
    const OpcodeRow* row = find_opcode(record.opcode());
    if (row != nullptr) {
        const Lines lines = lines_of(record, *row, memory, with_event_lines);
        std::string text;
        for (const std::string& event : lines.events) {
            text += std::string(indent) + event + '\n';
        }
        text += std::string(indent) + lines.instruction;
        AssemblyOptions options;
        options.generation = generation;
        options.memory = [&memory](Generation) { return memory; };
        const Assembly again = assemble(text, options);
        if (again.ok() && again.records.size() == 1 && again.records.front() == record) {
            return text;
        }
    }
    return std::string(indent) + raw_text(record, row);
}

}  // namespace

std::string disassemble(const std::vector<Record>& records, Generation generation,
                        const std::optional<MemoryMap>& memory) {
    const MemoryMap map = memory.value_or(MemoryMap::for_generation(generation));
    std::string text = std::string(".gen ") + generation_row(generation).name + '\n';
    for (const Record& record : records) {
        text += record_text(record, generation, map, true, indentation) + '\n';
    }
    return text;
}

std::string disassemble_record(const Record& record, Generation generation,
                               const std::optional<MemoryMap>& memory) {
    return record_text(record, generation, memory.value_or(MemoryMap::for_generation(generation)),
                       false, {});
}

}  // namespace dve
