// What a waveform or a lane trace gets to see of a cycle.
#include "models/dve/pipeline_signals.h"

#include <cstring>

#include "models/dve/flight.h"

namespace dve {

const char* pipeline_slot_name(PipelineSlot slot) {
    static constexpr const char* names[pipeline_slot_count] = {
        "READ",    "CVT_IN",   "SPLAT0",  "ALU0",     "SPLAT1",  "ALU1",
        "ROTATE1", "COMBINE1", "ROTATE2", "COMBINE2", "ROTATE4", "COMBINE4",
        "ROTATE8", "COMBINE8", "CARRY",   "CVT_OUT",  "WRITE"};
    return names[static_cast<std::size_t>(slot)];
}

bool slot_has_operation(PipelineSlot slot) {
    switch (slot) {
        case PipelineSlot::ALU0:
        case PipelineSlot::ALU1:
        case PipelineSlot::COMBINE1:
        case PipelineSlot::COMBINE2:
        case PipelineSlot::COMBINE4:
        case PipelineSlot::COMBINE8:
        case PipelineSlot::CARRY: return true;
        default: return false;
    }
}

bool slot_converts(PipelineSlot slot) {
    return slot == PipelineSlot::CVT_IN || slot == PipelineSlot::CVT_OUT;
}

void CyclePipeline::watch_lanes(const bool (&lanes)[dve_num_channels]) {
    watched_lanes_.clear();
    for (unsigned lane = 0; lane < dve_num_channels; ++lane) {
        if (lanes[lane]) {
            watched_lanes_.push_back(static_cast<std::uint8_t>(lane));
        }
    }
    values_wanted_ = observer_ != nullptr || !watched_lanes_.empty();
}

void CyclePipeline::set_observer(LaneObserver* observer) {
    observer_ = observer;
    values_wanted_ = observer_ != nullptr || !watched_lanes_.empty();
}

void CyclePipeline::show(const Flight& flight, PipelineSlot slot, std::uint8_t operation,
                         std::uint32_t element, std::uint8_t second) {
    signals_.slots[static_cast<std::size_t>(slot)] = {
        1, operation, second, static_cast<std::uint32_t>(flight.shown.index), element};
}

void CyclePipeline::show_port(const TensorOperand& operand, std::int64_t offset, bool write) {
    if (operand.space == Space::SBUF) {
        (write ? signals_.sbuf_write : signals_.sbuf_read) = 1;
        return;
    }
    (write ? signals_.psum_write : signals_.psum_read) = 1;
    signals_.psum_banks |= 1U << (static_cast<std::uint64_t>(offset) / psum_bank_bytes_);
}

void CyclePipeline::show_words(const Flight& flight, std::uint64_t cycle, LaneStage stage,
                               std::uint32_t element, std::uint32_t beat,
                               const std::uint32_t* values, const std::uint32_t* second) {
    // What passes CVT_IN as it was read is shown once.
    const bool repeats = (stage == LaneStage::CVT0 && !flight.stages.converts(0)) ||
                         (stage == LaneStage::CVT1 && !flight.stages.converts(1));
    if (beat < shown_elements_of(stage) && !repeats) {
        std::uint32_t* shown = signals_.values[static_cast<std::size_t>(stage)][beat].data();
        if (watched_lanes_.size() == dve_num_channels) {
            std::memcpy(shown, values, flight.lanes() * sizeof *values);
        } else {
            for (const std::uint8_t lane : watched_lanes_) {
                if (lane < flight.lanes()) {
                    shown[lane] = values[lane];
                }
            }
        }
    }
    if (observer_ != nullptr) {
        observer_->values(
            {flight.shown.index, cycle, stage, element, flight.lanes(), values, second});
    }
}

/// Raw elements of up to 64 bits as words.
void CyclePipeline::show_raw(const Flight& flight, std::uint64_t cycle, LaneStage stage,
                             std::uint32_t element, std::uint32_t beat, const std::uint8_t* plane,
                             unsigned bytes) {
    if (bytes == sizeof(std::uint32_t)) {
        return show_words(flight, cycle, stage, element, beat,
                          reinterpret_cast<const std::uint32_t*>(plane));
    }
    std::uint32_t low[dve_num_channels];
    std::uint32_t high[dve_num_channels];
    for (unsigned lane = 0; lane < flight.lanes(); ++lane) {
        const std::uint64_t raw = load_raw(plane + lane * bytes, bytes);
        low[lane] = static_cast<std::uint32_t>(raw);
        high[lane] = static_cast<std::uint32_t>(raw >> 32);
    }
    show_words(flight, cycle, stage, element, beat, low, bytes == 8 ? high : nullptr);
}

}  // namespace dve
