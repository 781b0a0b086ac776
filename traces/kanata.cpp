// Commands of a record, and their order.
#include "traces/kanata.h"

#include <algorithm>

#include "models/isa/assembly.h"
#include "models/isa/text_number.h"

namespace dve {
namespace {

std::string details(const RetireRecord& record) {
    std::string text =
        "opcode " + format_hex(record.opcode->value(), 2) + ", channels " +
        std::to_string(record.channels) + ", elements " + std::to_string(record.elements) +
        "\\nissue " + std::to_string(record.issue_cycle) + ", start " +
        std::to_string(record.start_cycle) + ", end " + std::to_string(record.end_cycle);
    for (std::size_t cause = 0; cause < stall_cause_count; ++cause) {
        if (record.stalls[cause] != 0) {
            text += std::string("\\nstall ") + stall_cause_name(cause) + " " +
                    std::to_string(record.stalls[cause]);
        }
    }
    return text;
}

}  // namespace

KanataLog::KanataLog(const std::string& path, Generation generation, const MemoryMap& memory,
                     std::uint64_t fetch_cycles)
    : file_(path), generation_(generation), memory_(memory), fetch_cycles_(fetch_cycles) {
    file_.write("Kanata\t0004\nC=\t0\n");
}

KanataLog::~KanataLog() { (void)finish(); }

Status KanataLog::finish() {
    write_before(~std::uint64_t{0});
    return file_.finish();
}

void KanataLog::retired(const RetireRecord& record) {
    write_before(record.fetch_cycle);
    const std::string id = std::to_string(record.index);
    held_back_[record.fetch_cycle] += "I\t" + id + "\t" + id + "\t0\nL\t" + id + "\t0\t" +
                                      std::to_string(record.record_index) + ": " +
                                      disassemble_record(*record.record, generation_, memory_) +
                                      "\nL\t" + id + "\t1\t" + details(record) + "\n";
    const std::uint64_t fetched =
        std::min(record.fetch_cycle + fetch_cycles_, record.decoded_cycle);
    stage(record.index, "F", record.fetch_cycle, fetched);
    stage(record.index, "D", fetched, record.decoded_cycle);
    stage(record.index, "W", record.decoded_cycle, record.issue_cycle);
    if (record.opcode->is_control()) {
        stage(record.index, "Ct", record.issue_cycle, record.end_cycle);
    } else {
        stage(record.index, "Is", record.issue_cycle, record.start_cycle);
        stage(record.index, "Rd", record.start_cycle, record.read_done_cycle);
        stage(record.index, "Ex", record.read_done_cycle, record.end_cycle);
    }
    held_back_[record.end_cycle] += "R\t" + id + "\t" + id + "\t0\n";
}

void KanataLog::stage(std::uint64_t id, const char* name, std::uint64_t begin, std::uint64_t end) {
    if (begin == end) {
        return;
    }
    const std::string rest = "\t" + std::to_string(id) + "\t0\t" + name + "\n";
    held_back_[begin] += "S" + rest;
    held_back_[end] += "E" + rest;
}

void KanataLog::write_before(std::uint64_t cycle) {
    while (!held_back_.empty() && held_back_.begin()->first < cycle) {
        const auto& [at, commands] = *held_back_.begin();
        if (at != now_) {
            file_.write("C\t" + std::to_string(at - now_) + "\n");
            now_ = at;
        }
        file_.write(commands);
        held_back_.erase(held_back_.begin());
    }
}

}  // namespace dve
