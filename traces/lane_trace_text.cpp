// Text view of a lane trace.
#include "models/isa/assembly.h"
#include "models/isa/text_number.h"
#include "traces/lane_trace_diff.h"

namespace dve {
namespace {

void print_words(const LaneTrace& trace, const LaneTraceEntry& entry, const LaneTraceWords& words,
                 const LaneTraceChoice& choice, std::ostream& out) {
    for (unsigned lane = 0; lane < entry.lanes; ++lane) {
        if (choice.lanes[lane]) {
            out << ' ' << format_hex(trace.word(words, lane), 8);
        }
    }
}

}  // namespace

void print_lane_trace(const LaneTrace& trace, const LaneTraceChoice& choice, std::ostream& out) {
    for (const auto& [name, value] : trace.header().entries) {
        out << name << ' ' << value << '\n';
    }
    for (const LaneTraceInstruction& instruction : trace.instructions()) {
        const lane_trace::InstructionBlock& block = instruction.block;
        out << "instruction " << block.index << ", record " << block.record_index << ": "
            << disassemble_record(block.record, trace.generation()) << "\n  channels "
            << block.channels << ", elements " << block.elements << ", issue " << block.issue_cycle
            << ", start " << block.start_cycle << '\n';
        for (const LaneTraceEntry& entry : instruction.entries) {
            if (!choice.stages[static_cast<std::size_t>(entry.stage)]) {
                continue;
            }
            out << "  element " << entry.element << ' ' << lane_stage_name(entry.stage);
            if (choice.cycles) {
                out << " cycle " << entry.cycle;
            }
            out << ':';
            print_words(trace, entry, entry.values, choice, out);
            if (entry.second.encoding != lane_trace::Encoding::NONE) {
                out << " second";
                print_words(trace, entry, entry.second, choice, out);
            }
            out << '\n';
        }
    }
}

}  // namespace dve
