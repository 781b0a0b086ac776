// When instructions start and end, and what holds the beats up.
#include "models/dve/cycle_pipeline.h"

#include <algorithm>

#include "models/dve/flight.h"
#include "models/dve/overlap.h"

namespace dve {
CyclePipeline::CyclePipeline(Generation generation, const TimingParameters& timing,
                             std::uint32_t psum_bank_bytes)
    : generation_(generation), timing_(timing), psum_bank_bytes_(psum_bank_bytes) {}

CyclePipeline::~CyclePipeline() = default;

void CyclePipeline::clear() {
    for (auto& flight : flights_) {
        free_.push_back(std::move(flight));
    }
    flights_.clear();
    if (waiting_ != nullptr) {
        free_.push_back(std::move(waiting_));
    }
    any_started_ = due_ = false;
    pipe_time_ = last_start_ = 0;
    next_candidate_ = no_cycle;
    signals_ = {};
}

std::unique_ptr<CyclePipeline::Flight> CyclePipeline::take_flight() {
    if (free_.empty()) {
        return std::make_unique<Flight>();
    }
    auto flight = std::move(free_.back());
    free_.pop_back();
    return flight;
}

void CyclePipeline::accept(const LaneProgram& program, const ExecutionPlan& plan,
                           const InstructionCost& cost, const NumberModel& model, std::uint64_t tag,
                           std::uint64_t ready_cycle, const RetireRecord& retire) {
    waiting_ = take_flight();
    Flight& flight = *waiting_;
    flight.program = program;
    flight.plan = plan;
    flight.model = model;
    flight.tag = tag;
    flight.ready_cycle = ready_cycle;
    flight.shown = retire;
    flight.cost = cost;
    flight.at = stage_offsets(program, timing_);
    flight.candidate_cycle = no_cycle;
    flight.stalls = {};
    next_candidate_ = ready_cycle;
}

/// Sets next_candidate_ if the answer is no.
bool CyclePipeline::may_start(std::uint64_t cycle) {
    Flight& flight = *waiting_;
    const std::uint64_t earliest =
        any_started_ ? std::max(flight.ready_cycle, last_start_ + timing_.initiation_interval)
                     : flight.ready_cycle;
    if (cycle < earliest) {
        next_candidate_ = earliest;
        return false;
    }
    next_candidate_ = no_cycle;  // until the instruction in the way says something
    if (!flights_.empty() && !flights_.back()->all_read()) {
        return false;
    }
    if (flight.candidate_cycle == no_cycle) {
        flight.candidate_cycle = cycle;
    }
    const ReadRegions reads(flight.program);
    const MemoryRegion own = MemoryRegion::of(flight.program.dst, flight.lanes());
    std::uint64_t wait = 0;
    for (const auto& earlier : flights_) {
        // Cycles from now until an event of the earlier one, at `offset` behind its last READ.
        const auto distance = [&](std::uint64_t offset) {
            return earlier->last_read_time + 1 + offset - pipe_time_;
        };
        if (earlier->program.store) {
            const MemoryRegion written = MemoryRegion::of(earlier->program.dst, earlier->lanes());
            if (std::any_of(reads.begin(), reads.end(),
                            [&](const MemoryRegion& read) { return read.overlaps(written); })) {
                return false;
            }
            const std::uint64_t drained = distance(earlier->at.visible);
            if (flight.program.store && own.overlaps(written) &&
                drained > flight.cost.first_write) {
                wait = std::max(wait, drained - flight.cost.first_write);
            }
        }
        if (flight.cost.uses_accumulator && earlier->program.tail == Tail::ACCUMULATE) {
            const std::uint64_t ready =
                earlier->last_read_time + 1 + earlier->cost.accumulator_last;
            const std::uint64_t first = pipe_time_ + flight.cost.accumulator_first;
            wait = std::max(wait, ready > first ? ready - first : 0);
        }
    }
    if (wait != 0) {
        next_candidate_ = cycle + wait;
    }
    return wait == 0;
}

void CyclePipeline::begin_accumulation(const LaneProgram& program, ExecutionNotes& notes) {
    const bool reads =
        program.tail == Tail::READ_ACCUMULATOR ||
        (program.tail == Tail::ACCUMULATE && program.accumulate == AccumCmd::ACCUMULATE);
    for (unsigned channel = 0; channel < program.channels; ++channel) {
        notes.accumulator_undefined |= reads && !accumulators_.defined[channel];
        if (program.tail == Tail::ACCUMULATE && program.accumulate != AccumCmd::IDLE) {
            accumulators_.defined[channel] = true;
        }
        if (program.forgets_accumulator) {
            accumulators_.defined[channel] = false;
        }
    }
}

/// Reads the lists of indirect operands; they may name bytes outside of the partition.
std::optional<Fault> CyclePipeline::read_lists(Flight& flight) {
    const LaneProgram& program = flight.program;
    flight.overwrites_list = false;
    if (!program.reads_lists()) {
        return std::nullopt;
    }
    if (auto fault = flight.source_lists.read(program.src0, flight.lanes(), program.elements,
                                              rows(program.src0.list.space), "src_mem_pattern")) {
        return fault;
    }
    if (auto fault = flight.dst_lists.read(program.dst, flight.lanes(), program.elements,
                                           rows(program.dst.list.space), "dst_mem_pattern")) {
        return fault;
    }
    flight.plan.staged = results_wait(program, flight.source_lists, flight.dst_lists);
    flight.overwrites_list = overwrites_list(program, flight.dst_lists);
    return std::nullopt;
}

void CyclePipeline::start(std::uint64_t cycle, PipelineListener& listener) {
    if (auto fault = read_lists(*waiting_)) {
        const std::uint64_t tag = waiting_->tag;
        free_.push_back(std::move(waiting_));
        listener.failed(tag, *fault);
        return;
    }
    flights_.push_back(std::move(waiting_));
    Flight& flight = *flights_.back();
    const LaneProgram& program = flight.program;
    flight.start_time = pipe_time_;
    flight.stalls[static_cast<std::size_t>(StallCause::HAZARD)] = cycle - flight.candidate_cycle;
    flight.read_reported = false;
    flight.issued = 0;
    flight.done = {};
    flight.limit_count = 0;
    for (const ResourceDemand& demand : resource_demands(program, generation_, timing_)) {
        if (demand.need != 0) {
            flight.limits[flight.limit_count++] = {demand.need, demand.capacity, 0};
        }
    }
    flight.stages.begin(program, flight.model, status_, sbuf_, psum_);
    flight.begin_ring();
    flight.dst.begin(program.dst, &flight.dst_lists);
    flight.dst_write.begin(program.dst, &flight.dst_lists);
    for (auto [reader, operand] :
         {std::pair{&flight.source0, &program.src0}, std::pair{&flight.source1, &program.src1}}) {
        reader->walk.begin(*operand, &flight.source_lists);
        reader->copied = false;
        if (operand->used && flight.plan.staged) {
            reader->take_copy(rows(operand->space), program.elements, flight.lanes());
        }
    }
    ExecutionNotes notes;
    notes.partial_overlap = flight.plan.staged || flight.overwrites_list;
    notes.scan_ran_sequentially = program.tail == Tail::SCAN &&
                                  program.order == ScanOrder::ROTATE_COMBINE &&
                                  !scans_in_network(program);
    begin_accumulation(program, notes);
    any_started_ = true;
    last_start_ = cycle;
    flight.shown.start_cycle = cycle;
    if (observer_ != nullptr) {
        observer_->begins(flight.shown);
    }
    listener.started(flight.tag, notes);
}

void CyclePipeline::begin_cycle(std::uint64_t cycle, PipelineListener& listener) {
    due_ = false;
    for (std::size_t i = 0; i < flights_.size();) {
        Flight& flight = *flights_[i];
        if (flight.all_read() && !flight.read_reported) {
            flight.read_reported = true;
            listener.read_done(flight.tag);
        }
        if (!flight.all_visible()) {
            ++i;
            continue;
        }
        listener.completed(flight.tag, flight.stalls);
        free_.push_back(std::move(flights_[i]));
        flights_.erase(flights_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (waiting_ != nullptr && may_start(cycle)) {
        start(cycle, listener);
    }
}

/// What a hold keeps away: the next READ or a WRITE that is due.
PortConflict CyclePipeline::held(const Flight& flight, std::uint64_t time) const {
    const auto ask = [&](const TensorOperand& operand, std::int64_t offset, bool write) {
        const PortHolds* holds = operand.space == Space::SBUF ? sbuf_holds_ : psum_holds_;
        if (holds == nullptr || holds->empty()) {
            return PortConflict::NONE;
        }
        const unsigned bank = static_cast<unsigned>(offset / psum_bank_bytes_);
        return holds->conflict(
            {write, operand.partition, operand.partition + flight.lanes() - 1, bank, bank}, time);
    };
    PortConflict found = PortConflict::NONE;
    const auto keep = [&found](PortConflict conflict) {
        found = found == PortConflict::NONE ? conflict : found;
    };
    if (!flight.all_read()) {
        for (const SourceReader* source : {&flight.source0, &flight.source1}) {
            if (source->walk.operand().used) {
                keep(ask(source->walk.operand(), source->walk.offset(), false));
            }
        }
    }
    const std::uint64_t k = pipe_time_ - flight.start_time;
    if (flight.program.store && flight.at.write != 0 &&
        flight.due(k, flight.at.write) > flight.done.write) {
        keep(ask(flight.program.dst, flight.dst_write.offset(), true));
    }
    return found;
}

/// A stall stops all lanes (timing).
bool CyclePipeline::blocked(std::uint64_t cycle) {
    const bool nobody = (sbuf_holds_ == nullptr || sbuf_holds_->empty()) &&
                        (psum_holds_ == nullptr || psum_holds_->empty());
    if (shows_signals()) {
        const bool hazard = waiting_ != nullptr && waiting_->candidate_cycle <= cycle;
        signals_.stall = hazard ? static_cast<std::uint8_t>(StallCause::HAZARD) + 1 : 0;
    }
    if (nobody) {
        return false;
    }
    const std::uint64_t time = origin_ + cycle * period_;
    for (const auto& flight : flights_) {
        const PortConflict conflict = held(*flight, time);
        if (conflict != PortConflict::NONE) {
            const StallCause cause =
                conflict == PortConflict::BANK ? StallCause::BANK : StallCause::PORT;
            ++flight->stalls[static_cast<std::size_t>(cause)];
            signals_.stall = static_cast<std::uint8_t>(static_cast<unsigned>(cause) + 1);
            return true;
        }
    }
    return false;
}

void CyclePipeline::run_cycle(std::uint64_t cycle) {
    if (shows_signals()) {
        for (SlotSignals& slot : signals_.slots) {
            slot.valid = 0;
        }
        signals_.sbuf_read = signals_.sbuf_write = 0;
        signals_.psum_read = signals_.psum_write = 0;
        signals_.psum_banks = 0;
        signals_.active = flights_.empty() ? 0 : 1;
        signals_.cycle = static_cast<std::uint32_t>(cycle);
    }
    if (flights_.empty() || blocked(cycle)) {
        return;
    }
    for (const auto& flight : flights_) {
        advance(*flight, cycle);
    }
    ++pipe_time_;
}

}  // namespace dve
