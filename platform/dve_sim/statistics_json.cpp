// Statistics as JSON: configuration, totals, one entry an instruction.
#include "platform/dve_sim/statistics_json.h"

#include <nlohmann/json.hpp>

#include "platform/parameters.h"
#include "platform/whole_file.h"

namespace dve::sim {
namespace {

using Json = nlohmann::ordered_json;

Json stalls_json(const StallCycles& stalls) {
    Json json = Json::object();
    for (std::size_t cause = 0; cause < stall_cause_count; ++cause) {
        json[stall_cause_name(cause)] = stalls[cause];
    }
    return json;
}

Json instruction_json(const RetireRecord& record) {
    Json json;
    json["index"] = record.index;
    json["opcode"] = record.opcode->value();
    json["mnemonic"] = record.opcode->mnemonic;
    json["issue_cycle"] = record.issue_cycle;
    json["start_cycle"] = record.start_cycle;
    json["end_cycle"] = record.end_cycle;
    json["channels"] = record.channels;
    json["elements_per_partition"] = record.elements;
    json["stalls"] = stalls_json(record.stalls);
    return json;
}

}  // namespace

Status write_statistics(const std::string& path, const Configuration& configuration,
                        const RunStatistics& statistics, const RunSummary& summary) {
    Json json;
    json["generation"] = configuration.isa.row().name;
    json["semantics"] = profile_name(configuration.profile);
    json["timing"] = timing_mode_name(configuration.mode);
    json["clock_ghz"] = configuration.clock_ghz;
    json["parameters"] = Json::object();
    json["assumptions"] = Json::object();
    for (const Parameter& row : parameters()) {
        json[row.assumption ? "assumptions" : "parameters"][row.name] = row.get(configuration);
    }
    json["total_cycles"] = summary.total_cycles;
    json["simulated_ns"] = summary.simulated_ns;
    json["instructions"] = Json::array();
    for (const RetireRecord& record : statistics.instructions()) {
        json["instructions"].push_back(instruction_json(record));
    }
    const RunCounters& counters = statistics.counters();
    json["counters"] = {{"instructions", counters.instructions},
                        {"datapath_instructions", counters.datapath_instructions},
                        {"control_instructions", counters.control_instructions},
                        {"elements", counters.elements},
                        {"stalls", stalls_json(counters.stalls)},
                        {"semaphore_errors", summary.semaphore_errors},
                        {"fp_status", summary.fp_status}};
    if (!summary.fault.empty()) {
        json["fault"] = summary.fault;
    }
    // A file name in the fault need not be UTF-8.
    const std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    return write_whole_file(path, {{text.data(), text.size()}});
}

}  // namespace dve::sim
