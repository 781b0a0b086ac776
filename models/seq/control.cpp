// Control instructions that the sequencer executes itself (isa_wire_format 4.7, decisions 4).
#include <algorithm>

#include "models/seq/sequencer.h"

namespace dve {
namespace {

Fault refused(const char* field, std::uint64_t value, const char* legal) {
    return {
        ErrorType::SEQUENCER_FATAL, FaultSubtype::ASSERT, {"not_modelled", field, value, legal}};
}

}  // namespace

std::optional<Fault> Sequencer::execute_control(const Record& record, Flow& flow,
                                                RetireRecord& retire) {
    retire.issue_cycle = retire.start_cycle = retire.read_done_cycle = now_;
    release_queue_slot();
    std::optional<Fault> fault;
    const bool log = log_.enabled();
    show(SequencerState::CONTROL);
    switch (retire.opcode->opcode) {
        case Opcode::NOP:
            if (log) log_.line("S: NOP");
            break;
        case Opcode::ENGINE_NOP:
            if (log) log_.line("S: EngineNop");
            break;
        case Opcode::HALT:
            if (log) log_.line("S: Halt");
            flow = Flow::HALT;
            break;
        case Opcode::DRAIN:
            // Every earlier write is visible before the next record is issued.
            wait_until_drained();
            break;
        case Opcode::INSTRUCTION_FLUSH:
            if (log) log_.line("S: INS_FL");
            flow = Flow::REFETCH;
            break;
        case Opcode::NOTIFY:
            if (log) log_.line("S: NOTIFY");
            notify();
            break;
        case Opcode::SET_ORDERING_MODE:
            if (log) log_.line("S: SET_OM");
            break;
        case Opcode::BRANCH_PREFETCH_HINT:
            if (log) log_.line("S: BranchPrefetchHint");
            break;
        case Opcode::MOVE: fault = move(record); break;
        case Opcode::EVENT_SEMAPHORE: fault = event_semaphore(record, retire); break;
        case Opcode::ALU_OP: fault = alu_op(record); break;
        case Opcode::COMPARE_BRANCH: fault = compare_branch(record, flow); break;
        case Opcode::EVENT_SEMAPHORE_RANGE_CLEAR: fault = range_clear(record); break;
        default:
            fault = refused("opcode", record.opcode(),
                            "a control instruction that this project models");
            break;
    }
    if (fault) {
        return fault;
    }
    now_ += timing_.control;
    retire.end_cycle = now_;
    return schedule_update(static_cast<UpdateMode>(record.get8(fields::HEADER::update_mode)),
                           "semaphore_value", record.get8(fields::HEADER::update_idx),
                           record.get32(fields::HEADER::semaphore_value), now_, now_);
}

std::optional<Fault> Sequencer::move(const Record& record) {
    using namespace fields::CTRL_MV;
    const bool log = log_.enabled();
    if (log) {
        log_.line("S: MOVE");
    }
    const bool immediate = static_cast<DataSrc>(record.get8(data_src)) == DataSrc::IMMEDIATE;
    const unsigned count = record.get8(num_mov);
    // All sources are read before the first destination is written.
    std::array<std::uint32_t, 8> values{};
    for (unsigned i = 0; i < count; ++i) {
        const Field word{immediates.name, static_cast<std::uint8_t>(immediates.offset + 4 * i), 4,
                         FieldKind::UINT};
        values[i] =
            immediate ? record.get32(word) : registers_[record.bytes[src_registers.offset + i]];
    }
    for (unsigned i = 0; i < count; ++i) {
        const unsigned to = record.bytes[dst_registers.offset + i];
        registers_[to] = values[i];
        if (!log) {
            continue;
        }
        if (immediate) {
            log_.line("S: R[%d] = imm = 0x%x", to, values[i]);
        } else {
            log_.line("S: R[%d] = R[%d] = 0x%x", to, record.bytes[src_registers.offset + i],
                      values[i]);
        }
    }
    return std::nullopt;
}

std::optional<Fault> Sequencer::event_semaphore(const Record& record, RetireRecord& retire) {
    using namespace fields::CTRL_ES;
    if (log_.enabled()) {
        log_.line("S: Event_Semaphore");
    }
    const auto mode = static_cast<WaitMode>(record.get8(extended_wait_mode));
    if (mode != WaitMode::NONE && mode != WaitMode::UNORDERED) {
        WaitCondition condition{mode, record.get8(extended_wait_idx), 0};
        if (auto fault = operand(takes_register(mode), extended_wait_value.name,
                                 record.get32(extended_wait_value), condition.value)) {
            return fault;
        }
        if (auto fault = wait_for(condition, retire)) {
            return fault;
        }
    }
    const std::uint64_t done = now_ + timing_.control;
    return schedule_update(static_cast<UpdateMode>(record.get8(extended_update_mode)),
                           extended_update_value.name, record.get8(extended_update_idx),
                           record.get32(extended_update_value), done, done);
}

std::optional<Fault> Sequencer::range_clear(const Record& record) {
    using namespace fields::CTRL_ER;
    if (log_.enabled()) {
        log_.line("S: Event_Semaphore Rng Clr");
    }
    advance_time(now_);
    apply_updates(now_);
    const unsigned kind = record.get8(mode);
    if (kind != 1 && kind != 2) {
        return refused(mode.name, kind, "1 (range), 2 (bitmap)");
    }
    if (kind == 1 && record.get8(first) > record.get8(last)) {
        return refused(first.name, record.get8(first), "at most `last`");
    }
    for (unsigned i = 0; i < Synchronisation::count; ++i) {
        const bool chosen = kind == 1 ? i >= record.get8(first) && i <= record.get8(last)
                                      : (record.bytes[bitmap.offset + i / 8] >> (i % 8) & 1U) != 0;
        if (chosen) {
            synchronisation_.set_semaphore(i, 0);
            synchronisation_.set_event(i, false);
        }
    }
    return std::nullopt;
}

}  // namespace dve
