// Beats through the stages.
#include <cstring>

#include "models/dve/flight.h"

namespace dve {
namespace {

constexpr std::size_t plane_alignment = 64;

std::size_t power_of_two(std::uint64_t least) {
    std::size_t size = 1;
    while (size < least) {
        size *= 2;
    }
    return size;
}

template <typename Element>
void gather_elements(const std::uint8_t* from, std::ptrdiff_t stride, std::uint8_t* to,
                     unsigned lanes) {
    for (unsigned lane = 0; lane < lanes; ++lane) {
        std::memcpy(to + lane * sizeof(Element), from, sizeof(Element));
        from += stride;
    }
}

template <typename Element>
void scatter_elements(const std::uint8_t* from, std::uint8_t* to, std::ptrdiff_t stride,
                      unsigned lanes) {
    for (unsigned lane = 0; lane < lanes; ++lane) {
        std::memcpy(to, from + lane * sizeof(Element), sizeof(Element));
        to += stride;
    }
}

PipelineSlot after(PipelineSlot slot, unsigned steps) {
    return static_cast<PipelineSlot>(static_cast<unsigned>(slot) + steps);
}

LaneStage after(LaneStage stage, unsigned steps) {
    return static_cast<LaneStage>(static_cast<unsigned>(stage) + steps);
}

}  // namespace

void LaneWalk::gather(const MemoryRows& rows, std::uint8_t* to, unsigned lanes) {
    const unsigned bytes = operand_->element_bytes;
    if (lists_ != nullptr) {
        for (unsigned lane = 0; lane < lanes; ++lane) {
            std::memcpy(
                to + lane * bytes,
                rows.partition(operand_->partition + lane) + lists_->of_channel(lane)[element_],
                bytes);
        }
        return;
    }
    const std::uint8_t* from = rows.partition(operand_->partition) + walk_.offset();
    switch (bytes) {
        case 1: return gather_elements<std::uint8_t>(from, rows.stride, to, lanes);
        case 2: return gather_elements<std::uint16_t>(from, rows.stride, to, lanes);
        case 4: return gather_elements<std::uint32_t>(from, rows.stride, to, lanes);
        default: return gather_elements<std::uint64_t>(from, rows.stride, to, lanes);
    }
}

void LaneWalk::scatter(const MemoryRows& rows, const std::uint8_t* from, unsigned lanes) {
    const unsigned bytes = operand_->element_bytes;
    if (lists_ != nullptr) {
        for (unsigned lane = 0; lane < lanes; ++lane) {
            std::memcpy(
                rows.partition(operand_->partition + lane) + lists_->of_channel(lane)[element_],
                from + lane * bytes, bytes);
        }
        return;
    }
    std::uint8_t* to = rows.partition(operand_->partition) + walk_.offset();
    switch (bytes) {
        case 1: return scatter_elements<std::uint8_t>(from, to, rows.stride, lanes);
        case 2: return scatter_elements<std::uint16_t>(from, to, rows.stride, lanes);
        case 4: return scatter_elements<std::uint32_t>(from, to, rows.stride, lanes);
        default: return scatter_elements<std::uint64_t>(from, to, rows.stride, lanes);
    }
}

void CyclePipeline::Flight::begin_ring() {
    const std::uint64_t outstanding = (at.visible + 2ULL) * (program.elements / cost.beats + 2);
    const std::size_t slots = power_of_two(std::min<std::uint64_t>(outstanding, program.elements));
    unsigned widest = sizeof(std::uint32_t);
    for (const TensorOperand* operand : {&program.src0, &program.src1, &program.dst}) {
        widest = std::max<unsigned>(widest, operand->used ? operand->element_bytes : 0U);
    }
    plane_bytes = widest * std::size_t{dve_num_channels};
    grown(storage, slots * 2 * plane_bytes + plane_alignment);
    const auto address = reinterpret_cast<std::uintptr_t>(storage.data());
    planes = storage.data() + (plane_alignment - address % plane_alignment) % plane_alignment;
    slot_mask = slots - 1;
    history.assign(power_of_two(at.visible + 2ULL), 0);
}

std::uint32_t CyclePipeline::Flight::elements_to_read() {
    for (unsigned i = 0; i < limit_count; ++i) {
        limits[i].credit += limits[i].capacity;
    }
    std::uint32_t until = issued;
    while (until < program.elements) {
        for (unsigned i = 0; i < limit_count; ++i) {
            if (limits[i].credit < limits[i].need) {
                return until;
            }
        }
        for (unsigned i = 0; i < limit_count; ++i) {
            limits[i].credit -= limits[i].need;
        }
        ++until;
    }
    return until;
}

void CyclePipeline::read_block(Flight& flight) {
    const TensorOperand& operand = flight.program.src0;
    const std::size_t row = std::size_t{flight.lanes()} * operand.element_bytes;
    std::uint8_t* block = grown(flight.block, quadrant_channels * row);
    for (unsigned i = 0; i < quadrant_channels; ++i) {
        flight.source0.read(rows(operand.space), flight.issued + i, block + i * row,
                            flight.lanes());
    }
}

void CyclePipeline::read(Flight& flight, std::uint64_t cycle, std::uint32_t until) {
    const LaneProgram& program = flight.program;
    const unsigned lanes = flight.lanes();
    for (std::uint32_t beat = 0; flight.issued < until; ++flight.issued, ++beat) {
        const LaneElement element = flight.element(flight.issued);
        if (shows_signals()) {
            show(flight, PipelineSlot::READ, 0, element.index);
        }
        if (program.src0.used) {
            const unsigned bytes = program.src0.element_bytes;
            if (shows_signals()) {
                show_port(program.src0, flight.source0.walk.offset(), false);
            }
            if (program.transposed) {
                const unsigned column = element.index % quadrant_channels;
                if (column == 0) {
                    read_block(flight);
                }
                for (unsigned lane = 0; lane < lanes; ++lane) {
                    const unsigned from = lane - lane % quadrant_channels + column;
                    std::memcpy(
                        element.a + lane * bytes,
                        flight.block.data() + ((lane % quadrant_channels) * lanes + from) * bytes,
                        bytes);
                }
            } else {
                flight.source0.read(rows(program.src0.space), element.index, element.a, lanes);
            }
            if (shows_values()) {
                show_raw(flight, cycle, LaneStage::READ0, element.index, beat, element.a, bytes);
            }
        }
        if (program.src1.used) {
            if (shows_signals()) {
                show_port(program.src1, flight.source1.walk.offset(), false);
            }
            flight.source1.read(rows(program.src1.space), element.index, element.b, lanes);
            if (shows_values()) {
                show_raw(flight, cycle, LaneStage::READ1, element.index, beat, element.b,
                         program.src1.element_bytes);
            }
        }
    }
}

/// What of a stage's result is shown: words, or raw elements of an integer program.
void CyclePipeline::show_alu(Flight& flight, std::uint64_t cycle, unsigned number,
                             const LaneElement& element, std::uint32_t beat) {
    const LaneProgram& program = flight.program;
    const StageSpec& spec = number == 0 ? program.elementwise.stage0 : program.elementwise.stage1;
    const bool front_scalar = program.front != Front::STAGES && number == 0;
    const bool carried =
        program.tail == Tail::SCAN && program.recurrence == ScanRecurrence::CARRIED;
    const bool splats =
        front_scalar || (spec.operand == StageOperand::SCALAR && !carried &&
                         program.tail != Tail::CUMULATIVE && spec.op != AluOp::BYPASS);
    if (shows_signals()) {
        if (splats) {
            show(flight, after(PipelineSlot::SPLAT0, 2 * number), 0, element.index);
        }
        show(flight, after(PipelineSlot::ALU0, 2 * number), static_cast<std::uint8_t>(spec.op),
             element.index);
    }
    if (!shows_values()) {
        return;
    }
    if (splats) {
        show_words(flight, cycle, after(LaneStage::SPLAT0, 2 * number), element.index, beat,
                   number == 0 ? flight.stages.scalar0() : flight.stages.scalar1());
    }
    const LaneStage stage = after(LaneStage::ALU0, 2 * number);
    if (flight.carries_maps()) {
        show_words(flight, cycle, stage, element.index, beat, element.words_a(), element.words_b());
    } else {
        show_raw(flight, cycle, stage, element.index, beat, element.a,
                 flight.stages.value_bytes(number));
    }
}

void CyclePipeline::show_converted(Flight& flight, std::uint64_t cycle, const LaneElement& element,
                                   std::uint32_t beat) {
    const LaneProgram& program = flight.program;
    if (shows_signals()) {
        show(flight, PipelineSlot::CVT_IN, static_cast<std::uint8_t>(program.src0.dtype),
             element.index,
             static_cast<std::uint8_t>(program.src1.used ? program.src1.dtype : Dtype{}));
    }
    if (!shows_values()) {
        return;
    }
    const bool integer = flight.stages.integer();
    const unsigned word = sizeof(std::uint32_t);
    show_raw(flight, cycle, LaneStage::CVT0, element.index, beat, element.a,
             integer ? program.src0.element_bytes : word);
    if (program.src1.used) {
        show_raw(flight, cycle, LaneStage::CVT1, element.index, beat, element.b,
                 integer ? program.src1.element_bytes : word);
    }
}

void CyclePipeline::accumulate(Flight& flight, std::uint64_t cycle, const LaneElement& element,
                               std::uint32_t beat) {
    flight.stages.accumulate(element, accumulators_);
    if (shows_values() && flight.program.accumulate != AccumCmd::IDLE) {
        show_words(flight, cycle, LaneStage::ACCUMULATOR, element.index, beat,
                   accumulators_.bits.data());
    }
}

void CyclePipeline::advance_front(Flight& flight, std::uint64_t cycle, std::uint64_t k) {
    LaneStages& stages = flight.stages;
    flight.each(flight.done.convert_in, k, flight.at.convert_in,
                [&](const LaneElement& element, std::uint32_t beat) {
                    stages.convert_in(element);
                    if (watched()) {
                        show_converted(flight, cycle, element, beat);
                    }
                });
    flight.each(flight.done.alu0, k, flight.at.alu0,
                [&](const LaneElement& element, std::uint32_t beat) {
                    stages.alu0(element);
                    if (watched()) {
                        show_alu(flight, cycle, 0, element, beat);
                    }
                });
    const bool accumulates = flight.accumulates_early();
    flight.each(flight.done.alu1, k, flight.at.alu1,
                [&](const LaneElement& element, std::uint32_t beat) {
                    stages.alu1(element);
                    if (watched()) {
                        show_alu(flight, cycle, 1, element, beat);
                    }
                    if (accumulates) {
                        accumulate(flight, cycle, element, beat);
                    }
                });
}

void CyclePipeline::advance_scan(Flight& flight, std::uint64_t cycle, std::uint64_t k) {
    const LaneProgram& program = flight.program;
    LaneStages& stages = flight.stages;
    const bool maps = flight.carries_maps();
    const auto operation =
        static_cast<std::uint8_t>(maps ? program.elementwise.stage0.op : program.combine);
    const bool network = scans_in_network(program);
    for (unsigned pass = 0; network && pass < scan_passes; ++pass) {
        flight.each(
            flight.done.passes[pass], k, flight.at.scan + std::uint64_t{pass} * timing_.scan_pass,
            [&](const LaneElement& element, std::uint32_t beat) {
                const bool combined = stages.pass(pass, element);
                if (shows_signals() && combined) {
                    show(flight, after(PipelineSlot::ROTATE1, 2 * pass), 0, element.index);
                    show(flight, after(PipelineSlot::COMBINE1, 2 * pass), operation, element.index);
                }
                if (shows_values()) {
                    show_words(flight, cycle, after(LaneStage::PASS1, pass), element.index, beat,
                               element.words_a(), maps ? element.words_b() : nullptr);
                }
            });
    }
    if (!network && program.recurrence == ScanRecurrence::CARRIED) {
        return;  // the loop through ALU0 and ALU1 was all of it
    }
    flight.each(
        flight.done.carry, k, flight.at.carry, [&](const LaneElement& element, std::uint32_t beat) {
            const bool combined = stages.carry(element);
            if (shows_signals() && combined) {
                show(flight, PipelineSlot::CARRY, operation, element.index);
            }
            if (shows_values()) {
                show_words(flight, cycle, LaneStage::CARRY, element.index, beat, element.words_a());
            }
        });
}

void CyclePipeline::advance(Flight& flight, std::uint64_t cycle) {
    const LaneProgram& program = flight.program;
    const std::uint64_t k = pipe_time_ - flight.start_time;
    if (!flight.all_read()) {
        read(flight, cycle, flight.elements_to_read());
        if (flight.all_read()) {
            flight.last_read_time = pipe_time_;
            due_ = true;
        }
    }
    flight.history[k & (flight.history.size() - 1)] = flight.issued;
    const bool read_out = program.tail == Tail::READ_ACCUMULATOR;
    if (!read_out) {
        advance_front(flight, cycle, k);
    }
    if (program.tail == Tail::SCAN) {
        advance_scan(flight, cycle, k);
    }
    const bool late = flight.accumulates_late();
    flight.each(flight.done.convert_out, k, flight.at.convert_out,
                [&](const LaneElement& element, std::uint32_t beat) {
                    if (read_out) {
                        flight.stages.read_accumulators(element, accumulators_);
                    }
                    if (program.store || late) {
                        flight.stages.convert_out(element);
                        if (shows_signals()) {
                            show(flight, PipelineSlot::CVT_OUT,
                                 static_cast<std::uint8_t>(program.dst.dtype), element.index);
                        }
                        if (shows_values()) {
                            show_raw(flight, cycle, LaneStage::CVT_OUT, element.index, beat,
                                     element.a, program.dst.element_bytes);
                        }
                    }
                    if (late) {
                        accumulate(flight, cycle, element, beat);
                    }
                });
    flight.each(flight.done.write, k, flight.at.write,
                [&](const LaneElement& element, std::uint32_t) {
                    if (!program.store) {
                        return;
                    }
                    if (shows_signals()) {
                        show(flight, PipelineSlot::WRITE, 0, element.index);
                        show_port(program.dst, flight.dst_write.offset(), true);
                    }
                    flight.dst_write.advance();
                });
    flight.each(flight.done.visible, k, flight.at.visible,
                [&](const LaneElement& element, std::uint32_t) {
                    if (!program.store) {
                        return;
                    }
                    flight.dst.scatter(rows(program.dst.space), element.a, flight.lanes());
                    flight.dst.advance();
                });
    due_ |= flight.all_visible();
}

}  // namespace dve
