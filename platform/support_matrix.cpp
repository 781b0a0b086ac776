// A sample record for every cell, and what `check` says of it.
#include "platform/support_matrix.h"

#include "models/isa/alu_op.h"
#include "models/isa/enums.h"

namespace dve {
namespace {

/// Sets a field by name where the layout has it.
void set(Record& record, const Layout& fields, const char* name, std::uint64_t value) {
    if (const Field* field = fields.find(name)) {
        record.set(*field, value);
    }
}

/// A record that is legal but for what op and dtypes make of it.
Record sample(const OpcodeRow& opcode, AluOp op, Dtype source, Dtype result,
              const MemoryGeometry& sbuf) {
    Record record = make_record(opcode.opcode);
    const Layout& fields = layout(opcode.layout);
    const bool transposes = opcode.opcode == Opcode::TRANSPOSE_TENSOR_SCALAR_ARITH_OP;
    const std::uint16_t elements = transposes ? 32 : 4;
    std::uint32_t address = sbuf.base;
    for (const Field& field : fields.fields) {
        if (field.is_pattern()) {
            Pattern pattern;
            pattern.start.word = address;
            pattern.num_elem[0] = elements;
            record.set_pattern(field, pattern);
            address += 1024;
        } else if (field.kind == FieldKind::DTYPE) {
            record.set(field, static_cast<std::uint8_t>(source));
        } else if (field.kind == FieldKind::DTYPE_PAIR) {
            record.set(field, static_cast<unsigned>(source) * 0x11U);
        }
    }
    set(record, fields, "out_dtype", static_cast<std::uint8_t>(result));
    set(record, fields, "num_active_channels", 32);
    set(record, fields, "op", static_cast<std::uint8_t>(op));
    set(record, fields, "op0", static_cast<std::uint8_t>(op));
    set(record, fields, "op_dim", static_cast<std::uint8_t>(TensorSubdim::X));
    if (opcode.layout == StructId::S2S2D2_STT &&
        opcode.opcode != Opcode::SCALAR_TENSOR_TENSOR_BITVEC) {
        set(record, fields, "imm0_dtype", static_cast<std::uint8_t>(Dtype::FP32));
    }
    if (opcode.validator == ValidatorId::is_valid_tensor_scalar_cache_reduce ||
        opcode.validator == ValidatorId::is_valid_tensor_scalar_cache_cumulative) {
        set(record, fields, "op1", static_cast<std::uint8_t>(AluOp::ADD));
        set(record, fields, "accumulator_cmd",
            static_cast<std::uint8_t>(AccumCmd::ZERO_ACCUMULATE));
    }
    if (opcode.opcode == Opcode::SELECT_REDUCE) {
        set(record, fields, "op1", static_cast<std::uint8_t>(AluOp::MAX));
    }
    return record;
}

bool takes_alu_op(const OpcodeRow& opcode) {
    const Layout& fields = layout(opcode.layout);
    return opcode.validator != ValidatorId::none && !opcode.is_control() &&
           (fields.find("op") != nullptr || fields.find("op0") != nullptr);
}

SupportCell cell(const OpcodeRow& opcode, const AluOpRow& op, const DtypeRow& dtype,
                 const IsaConfiguration& configuration) {
    const auto refusal = [&](Dtype source) {
        return check(sample(opcode, op.op, source, dtype.dtype, configuration.sbuf), configuration);
    };
    SupportCell cell{&opcode, &op, &dtype, ""};
    if (const auto violation = refusal(dtype.dtype)) {
        cell.result_only = dtype.dtype == Dtype::FP32R && !refusal(Dtype::FP32);
        cell.refused_by = cell.result_only ? "" : violation->predicate;
    }
    return cell;
}

}  // namespace

std::vector<SupportCell> support_matrix(const IsaConfiguration& configuration,
                                        const OpcodeRow* only_opcode) {
    std::vector<SupportCell> cells;
    const Generation generation = configuration.generation;
    for (const OpcodeRow& opcode : opcode_rows()) {
        if (!takes_alu_op(opcode) || !opcode.exists_in(generation) ||
            (only_opcode != nullptr && only_opcode != &opcode)) {
            continue;
        }
        for (const AluOpRow& op : alu_op_rows()) {
            for (const DtypeRow& dtype : dtype_rows()) {
                if (!op.exists_in(generation) || !dtype.exists_in(generation) ||
                    dtype.bytes() == 0 || static_cast<unsigned>(dtype.dtype) > 0xF) {
                    continue;
                }
                cells.push_back(cell(opcode, op, dtype, configuration));
            }
        }
    }
    return cells;
}

}  // namespace dve
