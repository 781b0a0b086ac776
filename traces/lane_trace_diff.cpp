// Walks two lane traces side by side in execution order.
#include "traces/lane_trace_diff.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "models/isa/text_number.h"

namespace dve {
namespace {

std::string value_text(std::uint32_t word) {
    return format_hex(word, 8) + " (" + format_fp32(word) + ")";
}

auto order(const LaneTraceEntry& entry) { return std::make_tuple(entry.element, entry.stage); }

class Comparison {
public:
    Comparison(const NamedLaneTrace& a, const NamedLaneTrace& b, const LaneTraceChoice& choice,
               std::size_t maximum)
        : sides_{Side{a, {}}, Side{b, {}}}, choice_(choice), maximum_(maximum) {}

    LaneTraceComparison run() {
        headers();
        result_.header_differences = result_.differences.size();
        maximum_ += result_.header_differences;
        const auto& a = sides_[0].named.trace.instructions();
        const auto& b = sides_[1].named.trace.instructions();
        std::size_t i = 0;
        std::size_t k = 0;
        while ((i < a.size() || k < b.size()) && !full()) {
            if (k == b.size() || (i < a.size() && a[i].block.index < b[k].block.index)) {
                only_in(0, a[i++]);
            } else if (i == a.size() || b[k].block.index < a[i].block.index) {
                only_in(1, b[k++]);
            } else {
                ++result_.instructions;
                instruction(a[i++], b[k++]);
            }
        }
        return std::move(result_);
    }

private:
    struct Side {
        NamedLaneTrace named;
        bool ended = false;                      ///< said that it ends first
        std::bitset<lane_stage_count> absent{};  ///< said that it has none of the stage
    };

    bool full() const { return result_.differences.size() >= maximum_; }
    void add(const std::string& line) { result_.differences.push_back(line); }

    static std::string where(const LaneTraceInstruction& instruction) {
        return "instruction " + std::to_string(instruction.block.index) + " " + instruction.name();
    }
    static std::string where(const LaneTraceInstruction& instruction, const LaneTraceEntry& entry) {
        return where(instruction) + ", element " + std::to_string(entry.element) + ", " +
               lane_stage_name(entry.stage);
    }
    /// "WHERE: WHAT X in A, Y in B"
    void add_pair(const std::string& place, const std::string& what, const std::string& a,
                  const std::string& b) {
        if (!full()) {
            std::string line = place;
            line.append(": ").append(what).append(a).append(" in ").append(sides_[0].named.name);
            line.append(", ").append(b).append(" in ").append(sides_[1].named.name);
            add(line);
        }
    }

    void headers() {
        const LaneTraceHeader& other = sides_[1].named.trace.header();
        for (const auto& [name, value] : sides_[0].named.trace.header().entries) {
            const std::string* second = other.find(name);
            if (second != nullptr && *second != value) {
                add("header, " + name + ": " + value + " in " + sides_[0].named.name + ", " +
                    *second + " in " + sides_[1].named.name);
            }
        }
    }

    /// An instruction that the other side does not have.
    void only_in(unsigned side, const LaneTraceInstruction& instruction) {
        const Side& has = sides_[side];
        Side& other = sides_[1 - side];
        const auto& others = other.named.trace.instructions();
        if (!others.empty() && instruction.block.index < others.back().block.index) {
            add(where(instruction) + ": only in " + has.named.name);
        } else if (!other.ended) {
            other.ended = true;
            add(other.named.name +
                (others.empty() ? " ends first: it has no instruction"
                                : " ends first: its last is " + where(others.back())) +
                "; " + has.named.name + " goes on with " + where(instruction));
        }
    }

    void instruction(const LaneTraceInstruction& a, const LaneTraceInstruction& b) {
        const std::string place = where(a);
        const auto& first = a.block.record.bytes;
        const auto& second = b.block.record.bytes;
        const auto [x, y] = std::mismatch(first.begin(), first.end(), second.begin());
        if (x != first.end()) {
            add_pair(place, "byte " + std::to_string(x - first.begin()) + " of the record is ",
                     format_hex(*x, 2), format_hex(*y, 2));
        }
        numbers(place, "channels are ", a.block.channels, b.block.channels);
        numbers(place, "elements are ", a.block.elements, b.block.elements);
        if (choice_.cycles) {
            numbers(place, "issue cycle is ", a.block.issue_cycle, b.block.issue_cycle);
            numbers(place, "start cycle is ", a.block.start_cycle, b.block.start_cycle);
        }
        auto i = a.entries.begin();
        auto k = b.entries.begin();
        while ((i != a.entries.end() || k != b.entries.end()) && !full()) {
            if (k == b.entries.end() || (i != a.entries.end() && order(*i) < order(*k))) {
                only_in(0, a, *i++);
            } else if (i == a.entries.end() || order(*k) < order(*i)) {
                only_in(1, b, *k++);
            } else {
                entries(a, *i++, *k++);
            }
        }
    }

    void numbers(const std::string& place, const char* what, std::uint64_t a, std::uint64_t b) {
        if (a != b) {
            add_pair(place, what, std::to_string(a), std::to_string(b));
        }
    }

    /// A value that the other side does not have.
    void only_in(unsigned side, const LaneTraceInstruction& instruction,
                 const LaneTraceEntry& entry) {
        const auto stage = static_cast<std::size_t>(entry.stage);
        if (!choice_.stages[stage]) {
            return;
        }
        const Side& has = sides_[side];
        Side& other = sides_[1 - side];
        const auto& last = other.named.trace.last(entry.stage);
        if (!last) {
            if (!other.absent[stage]) {
                other.absent[stage] = true;
                add(other.named.name + " has no value of " + lane_stage_name(entry.stage) + "; " +
                    has.named.name + " has, first in " + where(instruction, entry) +
                    " (--stages compares a choice)");
            }
        } else if (std::tie(last->instruction, last->element) >
                   std::tie(instruction.block.index, entry.element)) {
            add(where(instruction, entry) + ": only in " + has.named.name);
        } else if (!other.ended) {
            other.ended = true;
            add(other.named.name + " ends first: its last value of " +
                lane_stage_name(entry.stage) + " is of instruction " +
                std::to_string(last->instruction) + ", element " + std::to_string(last->element) +
                "; " + has.named.name + " goes on with " + where(instruction, entry));
        }
    }

    void entries(const LaneTraceInstruction& instruction, const LaneTraceEntry& a,
                 const LaneTraceEntry& b) {
        if (!choice_.stages[static_cast<std::size_t>(a.stage)]) {
            return;
        }
        const LaneTrace& first = sides_[0].named.trace;
        const LaneTrace& second = sides_[1].named.trace;
        if (choice_.cycles && a.cycle != b.cycle) {
            numbers(where(instruction, a), "cycle is ", a.cycle, b.cycle);
        }
        const unsigned common = std::min(a.lanes, b.lanes);
        if (a.lanes == b.lanes && first.equal(a.values, second, b.values, common) &&
            first.equal(a.second, second, b.second, common)) {
            result_.values += (choice_.lanes << (dve_num_channels - common)).count();
            return;
        }
        for (unsigned lane = 0; lane < std::max(a.lanes, b.lanes) && !full(); ++lane) {
            if (!choice_.lanes[lane]) {
                continue;
            }
            if (lane >= common) {
                add_pair(where(instruction, a), "lanes are ", std::to_string(a.lanes),
                         std::to_string(b.lanes));
                return;
            }
            ++result_.values;
            const std::string place = "lane " + std::to_string(lane) + " is ";
            const std::uint32_t x = first.word(a.values, lane);
            const std::uint32_t y = second.word(b.values, lane);
            if (x != y) {
                add_pair(where(instruction, a), place, value_text(x), value_text(y));
            }
            second_words(instruction, a, b, lane);
        }
    }

    void second_words(const LaneTraceInstruction& instruction, const LaneTraceEntry& a,
                      const LaneTraceEntry& b, unsigned lane) {
        constexpr auto none = lane_trace::Encoding::NONE;
        const auto text = [lane](const LaneTrace& trace, const LaneTraceWords& words) {
            return words.encoding == none ? "missing" : value_text(trace.word(words, lane));
        };
        const std::string x = text(sides_[0].named.trace, a.second);
        const std::string y = text(sides_[1].named.trace, b.second);
        if (x != y) {
            add_pair(where(instruction, a), "lane " + std::to_string(lane) + " second word is ", x,
                     y);
        }
    }

    std::array<Side, 2> sides_;
    const LaneTraceChoice& choice_;
    std::size_t maximum_;
    LaneTraceComparison result_;
};

}  // namespace

LaneTraceComparison compare_lane_traces(const NamedLaneTrace& a, const NamedLaneTrace& b,
                                        const LaneTraceChoice& choice, std::size_t maximum) {
    return Comparison(a, b, choice, maximum).run();
}

}  // namespace dve
