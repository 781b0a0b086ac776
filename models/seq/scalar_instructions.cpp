// ALU_OP and COMPARE_BRANCH: the scalar evaluator on R[] (isa_wire_format 4.7, op_semantics 1.5).
#include "models/alu/integer.h"
#include "models/seq/sequencer.h"

namespace dve {
namespace {

Fault assertion(const char* predicate, const char* field, std::uint64_t value, const char* legal) {
    return {ErrorType::SEQUENCER_FATAL, FaultSubtype::ASSERT, {predicate, field, value, legal}};
}

bool is_64_bit(Dtype dtype) { return dtype == Dtype::INT64 || dtype == Dtype::UINT64; }

constexpr const char* register_legal = "a register number below 64";
constexpr const char* dtype_legal = "int32, uint32, int64, uint64";

/// What the evaluator's own assertions say (alu_op_matrix 8.4), as a fault.
std::optional<Fault> outcome_fault(const ScalarResult& result, AluOp op, Dtype dtype,
                                   FirmwareLog& log) {
    switch (result.outcome) {
        case ScalarOutcome::OK: return std::nullopt;
        case ScalarOutcome::NOT_SUPPORTED_OP:
            return assertion("not_supported_op", "op", static_cast<std::uint8_t>(op),
                             "an operation with an integer meaning");
        case ScalarOutcome::NOT_SUPPORTED_DTYPE:
            return assertion("not_supported_dtype", "dtype", static_cast<std::uint8_t>(dtype),
                             dtype_legal);
        case ScalarOutcome::DIVIDE_BY_ZERO:
            if (log.enabled()) {
                log.line("S: ErrorHandler : Int Div Zero Error");
            }
            return Fault{ErrorType::SEQUENCER_FATAL,
                         FaultSubtype::INT_DIVIDE_BY_ZERO,
                         {"int_divide_by_zero", "op", static_cast<std::uint8_t>(op),
                          "a divisor that is not zero"}};
    }
    return std::nullopt;
}

/// A condition of COMPARE_BRANCH by its position in both groups of cmp_op.
constexpr AluOp conditions[] = {AluOp::IS_LT, AluOp::IS_LE, AluOp::IS_EQ,
                                AluOp::IS_NE, AluOp::IS_GE, AluOp::IS_GT};

}  // namespace

/// Reads a 32-bit register, or a pair with the low word in `low`.
std::optional<Fault> Sequencer::read_scalar(const Field& low, const Field& high, Dtype dtype,
                                            const Record& record, std::uint64_t& value) const {
    const unsigned lo = record.get8(low);
    if (lo >= num_address_registers) {
        return assertion("scalar_register", low.name, lo, register_legal);
    }
    value = registers_[lo];
    if (is_64_bit(dtype)) {
        const unsigned hi = record.get8(high);
        if (hi >= num_address_registers) {
            return assertion("scalar_register", high.name, hi, register_legal);
        }
        value |= std::uint64_t{registers_[hi]} << 32;
    }
    return std::nullopt;
}

std::optional<Fault> Sequencer::alu_op(const Record& record) {
    using namespace fields::CTRL_AL;
    if (find_alu_op(record.get8(op)) == nullptr ||
        !find_alu_op(record.get8(op))->exists_in(isa_.generation)) {
        return assertion("is_valid_aluop", "op", record.get8(op),
                         "an ALU operation of the generation");
    }
    const auto operation = static_cast<AluOp>(record.get8(op));
    const auto type = static_cast<Dtype>(record.get8(dtype));
    const auto result_type = static_cast<Dtype>(record.get8(dst_dtype));
    if (find_dtype(record.get8(dtype)) == nullptr) {
        return assertion("not_supported_dtype", dtype.name, record.get8(dtype), dtype_legal);
    }
    if (result_type != Dtype::INT32 && result_type != Dtype::UINT32 && !is_64_bit(result_type)) {
        return assertion("not_supported_dtype", dst_dtype.name, record.get8(dst_dtype),
                         dtype_legal);
    }
    const std::uint8_t kind = record.get8(data_src);
    if (!enum_members(FieldKind::DATA_SRC).contains(kind)) {
        return assertion("scalar_source", data_src.name, kind, "register, immediate");
    }
    const bool immediate_form = static_cast<DataSrc>(kind) == DataSrc::IMMEDIATE;
    std::uint64_t left = 0;
    std::uint64_t right = record.get(immediate);
    if (auto fault = read_scalar(src0_lo, src0_hi, type, record, left)) {
        return fault;
    }
    if (!immediate_form) {
        if (auto fault = read_scalar(src1_lo, src1_hi, type, record, right)) {
            return fault;
        }
    }
    const unsigned low = record.get8(dst_lo);
    const unsigned high = record.get8(dst_hi);
    if (low >= num_address_registers) {
        return assertion("scalar_register", dst_lo.name, low, register_legal);
    }
    if (is_64_bit(result_type) && high >= num_address_registers) {
        return assertion("scalar_register", dst_hi.name, high, register_legal);
    }
    const ScalarResult result = evaluate_scalar(operation, left, right, type, numbers_);
    if (auto fault = outcome_fault(result, operation, type, log_)) {
        return fault;
    }
    // A 64-bit destination of a 32-bit operation takes the value by its signedness.
    const std::uint64_t value = extend(result.value, IntegerType::of(type));
    registers_[low] = static_cast<std::uint32_t>(value);
    if (is_64_bit(result_type)) {
        registers_[high] = static_cast<std::uint32_t>(value >> 32);
    }
    if (log_.enabled()) {
        log_alu_op(record, operation, type, result_type, left, right, value);
    }
    return std::nullopt;
}

void Sequencer::log_alu_op(const Record& record, AluOp operation, Dtype type, Dtype result_type,
                           std::uint64_t left, std::uint64_t right, std::uint64_t value) {
    using namespace fields::CTRL_AL;
    const auto code = static_cast<unsigned>(operation);
    log_.line("S: AluOp");
    if (static_cast<DataSrc>(record.get8(data_src)) == DataSrc::IMMEDIATE) {
        log_.line("S: OP=%x R[%d] = OP(R[%d], imm)", code, record.get8(dst_lo),
                  record.get8(src0_lo));
    } else {
        log_.line("S: OP=%x R[%d] = OP(R[%d], R[%d])", code, record.get8(dst_lo),
                  record.get8(src0_lo), record.get8(src1_lo));
    }
    if (!is_64_bit(type)) {
        log_.line("S: OP(%x, %x) = %x", static_cast<unsigned>(left), static_cast<unsigned>(right),
                  static_cast<unsigned>(value));
        return;
    }
    const auto wide = [](std::uint64_t word) { return static_cast<unsigned long long>(word); };
    if (type == result_type) {
        log_.line("S: 64-bit: src0=%016llx src1=%016llx dst=%016llx dtype=%d", wide(left),
                  wide(right), wide(value), static_cast<int>(type));
    } else {
        log_.line("S: 64-bit: src0=%016llx src1=%016llx dst=%016llx src_dtype=%d dst_dtype=%d",
                  wide(left), wide(right), wide(value), static_cast<int>(type),
                  static_cast<int>(result_type));
    }
}

/// Whether the branch is taken.
std::optional<Fault> Sequencer::compare(const Record& record, bool& taken) {
    using namespace fields::CTRL_BR;
    const unsigned code = record.get8(cmp_op);
    const bool by_register = code >= 9 && code <= 14;
    if (code == 0) {
        taken = true;
        return std::nullopt;
    }
    if (!by_register && (code < 1 || code > 6)) {
        return assertion("compare_condition", cmp_op.name, code, "0, 1..6, 9..14");
    }
    const auto type = static_cast<Dtype>(record.get8(dtype));
    if (find_dtype(record.get8(dtype)) == nullptr) {
        return assertion("not_supported_dtype", dtype.name, record.get8(dtype), dtype_legal);
    }
    // A 64-bit operand is an even/odd pair, low word in the even one (op_semantics 1.5).
    const auto operand = [&](const Field& field, std::uint64_t& value) -> std::optional<Fault> {
        const unsigned number = record.get8(field);
        const unsigned words = is_64_bit(type) ? 2 : 1;
        if (number + words > num_address_registers || number % words != 0) {
            return assertion("scalar_register", field.name, number,
                             words == 2 ? "an even register number below 64" : register_legal);
        }
        value = registers_[number];
        if (words == 2) {
            value |= std::uint64_t{registers_[number + 1]} << 32;
        }
        return std::nullopt;
    };
    std::uint64_t left = 0;
    std::uint64_t right = 0;
    if (auto fault = operand(cmp_reg0, left)) {
        return fault;
    }
    if (by_register) {
        if (auto fault = operand(cmp_reg1, right)) {
            return fault;
        }
    } else {
        const bool is_signed = find_dtype(record.get8(dtype))->kind == DtypeKind::SIGNED;
        right = extend(record.get(cmp_immediate), {32, is_signed});
    }
    const AluOp condition = conditions[by_register ? code - 9 : code - 1];
    const ScalarResult result = evaluate_scalar(condition, left, right, type, numbers_);
    if (auto fault = outcome_fault(result, condition, type, log_)) {
        return fault;
    }
    taken = result.value != 0;
    if (log_.enabled()) {
        log_.line("S: BRCMP: CMPOP=%x OP(%x, %x)=%x", code, static_cast<unsigned>(left),
                  static_cast<unsigned>(right), static_cast<unsigned>(result.value));
    }
    return std::nullopt;
}

/// The byte offset in the stream that a taken branch goes to.
std::optional<Fault> Sequencer::branch_target(const Record& record, std::uint64_t& target) {
    using namespace fields::CTRL_BR;
    constexpr unsigned absolute = 1;
    constexpr unsigned relative_immediate = 3;
    constexpr unsigned relative_register = 4;
    const unsigned mode = record.get8(target_mode);
    std::uint64_t value = record.get(br_immediate);
    if (mode == absolute || mode == relative_register) {
        if (auto fault = read_scalar(target_reg_lo, target_reg_hi, Dtype::UINT64, record, value)) {
            return fault;
        }
    } else if (mode != relative_immediate) {
        return assertion("branch_target_mode", target_mode.name, mode,
                         "1 (register, absolute), 3 (immediate, relative), 4 (register, relative)");
    }
    // Wrapping arithmetic: whatever leaves the stream is refused below.
    target = mode == absolute ? value - base_ : program_counter_ + value * record_bytes;
    bool outside = false;
    if (runs_ring_) {
        if (mode == absolute) {
            outside = target >= ring_.bytes();
            target = program_counter_ +
                     (target + ring_.bytes() - stream_offset(program_counter_)) % ring_.bytes();
        }
        // What lies before the branch in a ring is the host's again.
        outside |= target <= program_counter_;
    }
    if (runs_ring_ && target > stream_end()) {
        advance_time(now_);  // the doorbell may come until then
    }
    const bool unaligned = target % record_bytes != 0;
    const bool overflows = mode != absolute && static_cast<std::int64_t>(value) !=
                                                   static_cast<std::int64_t>(value * record_bytes) /
                                                       static_cast<std::int64_t>(record_bytes);
    if (unaligned || overflows || outside || target > stream_end()) {
        return assertion("branch_target",
                         mode == relative_immediate ? br_immediate.name : target_reg_lo.name, value,
                         runs_ring_ ? "a later record of the ring, up to its tail"
                                    : "a record of the stream, or its end");
    }
    return std::nullopt;
}

std::optional<Fault> Sequencer::compare_branch(const Record& record, Flow& flow) {
    if (log_.enabled()) {
        log_.line("S: BRANCH");
    }
    bool taken = false;
    if (auto fault = compare(record, taken)) {
        return fault;
    }
    if (taken) {
        if (auto fault = branch_target(record, branch_target_)) {
            return fault;
        }
        flow = Flow::BRANCH;
    }
    if (log_.enabled()) {
        log_.line("S: BRTAKEN: %d", taken ? 1 : 0);
    }
    return std::nullopt;
}

}  // namespace dve
