// From a dispatched record to results and times.
#include "models/dve/dve_datapath.h"

#include <cstring>

namespace dve {
namespace {

constexpr std::size_t prepared_slots = 256;

Fault memory_response(const char* field, std::uint64_t byte) {
    return {ErrorType::MEMORY_ERROR,
            FaultSubtype::ASSERT,
            {"memory_response", field, byte, "a range that the memory answers"}};
}

}  // namespace

DveDatapath::DveDatapath(sc_core::sc_module_name name, const IsaConfiguration& isa,
                         const Semantics& semantics, const TimingParameters& timing,
                         TimingMode mode, sc_core::sc_time cycle, const WorkerDirectory& workers,
                         FirmwareLog& log)
    : sc_module(name),
      dispatch("dispatch"),
      sbuf("sbuf", isa.sbuf),
      psum("psum", isa.psum),
      isa_(isa),
      semantics_(semantics),
      timing_(timing),
      mode_(mode),
      cycle_(cycle),
      workers_(workers),
      log_(log),
      prepared_(prepared_slots),
      pipeline_(isa.generation, timing, isa.psum.bank_bytes()) {
    if (mode == TimingMode::CYCLE) {
        dispatch.register_nb_transport_fw(this, &DveDatapath::nb_transport_fw);
        DVE_HAS_PROCESS(DveDatapath);
        SC_METHOD(run_cycles);
        sensitive << wake_;
        dont_initialize();
    } else {
        dispatch.register_b_transport(this, &DveDatapath::b_transport);
    }
}

void DveDatapath::reset() {
    executor_.accumulators() = Accumulators();
    executor_.status() = FpStatus();
    schedule_.reset();
    pipeline_.clear();
    wake_.cancel();
    give_all_back();
    pipeline_.accumulators() = Accumulators();
    pipeline_.status() = FpStatus();
}

void DveDatapath::b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time&) {
    auto* extension = transaction.get_extension<DispatchExtension>();
    if (!transaction.is_write() || transaction.get_data_length() != record_bytes ||
        transaction.get_byte_enable_ptr() != nullptr || extension == nullptr) {
        transaction.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        return;
    }
    Record record;
    std::memcpy(record.bytes.data(), transaction.get_data_ptr(), record_bytes);
    extension->fault =
        run(record, static_cast<std::uint32_t>(transaction.get_address()), *extension);
    transaction.set_response_status(extension->fault ? tlm::TLM_GENERIC_ERROR_RESPONSE
                                                     : tlm::TLM_OK_RESPONSE);
}

void DveDatapath::set_rounding(Rounding rounding) {
    semantics_.numbers.rounding = rounding;
    prepared_.assign(prepared_slots, PreparedProgram());
}

/// Fills a slot from the record; on a fault the slot is left empty.
std::optional<Fault> DveDatapath::prepare(const Record& record, std::uint32_t worker_address,
                                          const DispatchExtension& extension,
                                          PreparedProgram& prepared) {
    prepared.worker = nullptr;
    prepared.program = LaneProgram();
    const Worker* worker = workers_.find(isa_.generation, worker_address);
    const OpcodeRow* opcode = find_opcode(record.opcode());
    if (worker == nullptr || opcode == nullptr) {
        return Fault{ErrorType::SEQUENCER_FATAL,
                     FaultSubtype::BAD_OPCODE,
                     {"worker_address", "worker_address", worker_address,
                      "the address of a registered worker"}};
    }
    const WorkerContext context{record, *opcode,    extension.registers,
                                isa_,   semantics_, extension.kernel_info_flags};
    if (auto fault = worker->build(context, prepared.program)) {
        return fault;
    }
    prepared.record = record;
    prepared.worker_address = worker_address;
    prepared.kernel_info_flags = extension.kernel_info_flags;
    prepared.worker = worker;
    prepared.plan = LooseExecutor::plan(prepared.program, semantics_.numbers);
    prepared.cost = instruction_cost(prepared.program, isa_.generation, timing_);
    return std::nullopt;
}

std::optional<Fault> DveDatapath::lookup(const Record& record, std::uint32_t worker_address,
                                         const DispatchExtension& extension,
                                         PreparedProgram*& prepared) {
    prepared = &prepared_[record_hash(record) % prepared_slots];
    const bool known = prepared->worker != nullptr && prepared->record == record &&
                       prepared->worker_address == worker_address &&
                       prepared->kernel_info_flags == extension.kernel_info_flags &&
                       !prepared->program.reads_registers();
    return known ? std::nullopt : prepare(record, worker_address, extension, *prepared);
}

std::optional<Fault> DveDatapath::run(const Record& record, std::uint32_t worker_address,
                                      DispatchExtension& extension) {
    if (extension.begins_run) {
        schedule_.reset();
    }
    PreparedProgram* found = nullptr;
    if (auto fault = lookup(record, worker_address, extension, found)) {
        return fault;
    }
    const PreparedProgram& prepared = *found;
    const LaneProgram& program = prepared.program;
    if (auto fault = open_memories(program)) {
        return fault;
    }
    if (log_.enabled()) {
        log_operation(*prepared.worker, program);
    }
    executor_.set_memories(sbuf.rows(), psum.rows());
    const ExecutionNotes notes = executor_.execute(program, prepared.plan, semantics_.numbers);
    if (notes.fault) {
        return notes.fault;  // nothing has been written
    }
    if (auto fault = close_memories(program)) {
        return fault;
    }
    if (log_.enabled()) {
        log_notes(notes);
    }
    const InstructionTimes times =
        schedule_.place(program, prepared.cost, extension.ready_cycle, timing_);
    extension.start_cycle = times.start_cycle;
    extension.read_done_cycle = times.read_done_cycle;
    extension.end_cycle = times.end_cycle;
    extension.stalls = {};
    extension.stalls[static_cast<std::size_t>(StallCause::HAZARD)] = times.hazard_stall;
    extension.channels = program.channels;
    extension.elements = program.elements;
    extension.reads_lists = program.reads_lists();
    return std::nullopt;
}

std::optional<Fault> DveDatapath::open_memories(const LaneProgram& program) {
    // Not a short-circuit: both ports settle how they are reached.
    if (sbuf.direct() & psum.direct()) {
        return std::nullopt;
    }
    // dst is opened too: a shadow is written back as a whole range.
    const std::pair<const TensorOperand*, const char*> tensors[] = {
        {&program.src0, "src0"}, {&program.src1, "src1"}, {&program.dst, "dst"}};
    for (const auto& [operand, name] : tensors) {
        if (operand->used &&
            !port(operand->space)
                 .open(operand->partition, program.channels, operand->low, operand->high)) {
            return memory_response(name, static_cast<std::uint64_t>(operand->low));
        }
        const IndexList& list = operand->list;
        if (list.used &&
            !port(list.space).open(list.partition, list.partitions, list.low, list.high)) {
            return memory_response(name, list.low);
        }
    }
    const std::pair<const ScalarOperand*, const char*> scalars[] = {{&program.scalar0, "imm0"},
                                                                    {&program.scalar1, "imm1"}};
    for (const auto& [scalar, name] : scalars) {
        if (scalar->source == ScalarOperand::Source::POINTER &&
            !port(scalar->space)
                 .open(scalar->partition, program.channels, scalar->byte,
                       std::int64_t{scalar->byte} + element_bytes(scalar->dtype))) {
            return memory_response(name, scalar->byte);
        }
    }
    return std::nullopt;
}

std::optional<Fault> DveDatapath::close_memories(const LaneProgram& program) {
    const TensorOperand& dst = program.dst;
    if (program.store &&
        !port(dst.space).close(dst.partition, program.channels, dst.low, dst.high)) {
        return memory_response("dst", static_cast<std::uint64_t>(dst.low));
    }
    return std::nullopt;
}

/// The worker's self-name, then a line a stage in the ALU's own formats: a stage with a scalar
/// shows as (R, imm), one with a second tensor as (R, R). R[0] stands for the lane's value,
/// R[1] for the element of the second tensor.
void DveDatapath::log_operation(const Worker& worker, const LaneProgram& program) {
    log_.line("S: %s", worker.row->self_name);
    if (program.tail == Tail::READ_ACCUMULATOR || program.front != Front::STAGES) {
        return;
    }
    for (const StageSpec* stage : {&program.elementwise.stage0, &program.elementwise.stage1}) {
        if (stage == &program.elementwise.stage1 && stage->op == AluOp::BYPASS) {
            continue;
        }
        const auto op = static_cast<unsigned>(stage->op);
        if (stage->operand == StageOperand::TENSOR) {
            log_.line("S: OP=%x R[%d] = OP(R[%d], R[%d])", op, 0, stage->reversed ? 1 : 0,
                      stage->reversed ? 0 : 1);
        } else {
            log_.line("S: OP=%x R[%d] = OP(R[%d], imm)", op, 0, 0);
        }
    }
}

void DveDatapath::log_notes(const ExecutionNotes& notes) {
    if (notes.scan_ran_sequentially) {
        log_.line("W: no composition for this op0/op1 pair: the scan ran sequentially");
    }
    if (notes.partial_overlap) {
        log_.line("W: a source overlaps dst other than exactly in place; sources were read first");
    }
    if (notes.accumulator_undefined) {
        log_.line("W: the accumulator was read before the program set it");
    }
}

}  // namespace dve
