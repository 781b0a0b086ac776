// `config`, `assumptions` and `matrix`: what the model assumes and supports.
#include <algorithm>
#include <charconv>
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>

#include "models/isa/text_name.h"
#include "models/isa/text_number.h"
#include "platform/dve_sim/commands.h"
#include "platform/dve_sim/run_options.h"
#include "platform/parameters.h"
#include "platform/support_matrix.h"

namespace dve::sim {
namespace {

using Json = nlohmann::ordered_json;

/// The two commands that list parameters differ only in which rows they show and how much of them.
int list_parameters(const Arguments& arguments, bool assumptions) {
    auto options = parse_common_options(arguments, {assumptions ? "assumptions" : "config",
                                                    "[--gen G] [--semantics S] [--json]", 0, JSON});
    if (!options) {
        return usage_error(options.error());
    }
    if (options->help) {
        return exit_done;
    }
    const Generation generation = options->engine.generation.value_or(Generation::MARIANA);
    auto configuration = options->engine.configuration(generation);
    if (!configuration) {
        return usage_error(configuration.error());
    }
    const Configuration reference =
        Configuration::defaults(generation, SemanticsProfile::REFERENCE);
    const Configuration published =
        Configuration::defaults(generation, SemanticsProfile::PUBLISHED);
    Json json = Json::object();
    if (!assumptions) {
        json["generation"] = configuration->isa.row().name;
        json["semantics"] = profile_name(configuration->profile);
    }
    for (const Parameter& row : parameters()) {
        if (assumptions && !row.assumption) {
            continue;
        }
        if (options->json && !assumptions) {
            json[row.name] = row.get(*configuration);
            continue;
        }
        if (options->json) {
            json[row.name] = {{"value", row.get(*configuration)}, {"legal", row.legal},
                              {"reference", row.get(reference)},  {"published", row.get(published)},
                              {"evidence", row.evidence},         {"effect", row.effect}};
            continue;
        }
        if (!assumptions) {
            std::cout << std::left << std::setw(28) << row.name << std::setw(18)
                      << row.get(*configuration) << row.legal << '\n';
            continue;
        }
        std::cout << row.name << " = " << row.get(*configuration) << "   (" << row.legal
                  << "; reference " << row.get(reference) << ", published " << row.get(published)
                  << ")\n    " << row.effect << "\n    evidence: " << row.evidence << '\n';
    }
    if (options->json) {
        std::cout << json.dump(2) << '\n';
    }
    return exit_done;
}

Result<const OpcodeRow*> parse_opcode(const std::string& text) {
    if (text.empty()) {
        return nullptr;
    }
    const OpcodeRow* row = find_opcode(std::string_view(text));
    if (row == nullptr && text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        unsigned value = 0;
        const auto [end, error] =
            std::from_chars(text.data() + 2, text.data() + text.size(), value, 16);
        if (error == std::errc() && end == text.data() + text.size() && value <= 0xFF) {
            row = find_opcode(static_cast<std::uint8_t>(value));
        }
    }
    if (row == nullptr) {
        std::vector<std::string_view> names;
        for (const OpcodeRow& candidate : opcode_rows()) {
            names.emplace_back(candidate.mnemonic);
        }
        return unknown_name("opcode", text, names, "or 0x and the code");
    }
    return row;
}

/// One table an opcode: operations down, dtypes across; Y legal, out legal as a result only, else a
/// letter for the predicate that refuses.
void print_matrix(const std::vector<SupportCell>& cells) {
    std::size_t at = 0;
    while (at < cells.size()) {
        const OpcodeRow* opcode = cells[at].opcode;
        std::vector<std::string> predicates;  // a, b, ...
        std::cout << "0x" << std::hex << std::uppercase << int{opcode->value()} << std::dec
                  << std::nouppercase << ' ' << opcode->mnemonic
                  << (opcode->is_modelled() ? "" : "   (legality only: not executed yet)") << '\n';
        std::cout << std::left << std::setw(24) << "";
        for (std::size_t i = at;
             i < cells.size() && cells[i].op == cells[at].op && cells[i].opcode == opcode; ++i) {
            std::cout << std::setw(9) << cells[i].dtype->text;
        }
        std::cout << '\n';
        while (at < cells.size() && cells[at].opcode == opcode) {
            const AluOpRow* op = cells[at].op;
            std::cout << "  " << std::left << std::setw(22) << op->text;
            for (; at < cells.size() && cells[at].opcode == opcode && cells[at].op == op; ++at) {
                if (cells[at].refused_by.empty()) {
                    std::cout << std::setw(9) << (cells[at].result_only ? "out" : "Y");
                    continue;
                }
                const auto known =
                    std::find(predicates.begin(), predicates.end(), cells[at].refused_by);
                const auto letter = static_cast<char>('a' + (known - predicates.begin()));
                if (known == predicates.end()) {
                    predicates.push_back(cells[at].refused_by);
                }
                std::cout << std::setw(9) << letter;
            }
            std::cout << '\n';
        }
        for (std::size_t i = 0; i < predicates.size(); ++i) {
            std::cout << "  " << static_cast<char>('a' + i) << ": " << predicates[i] << '\n';
        }
        std::cout << '\n';
    }
    std::cout
        << "Y legal, out legal as a result only, a letter: refused by the predicate it names\n";
}

}  // namespace

int config_command(const Arguments& arguments) { return list_parameters(arguments, false); }

int assumptions_command(const Arguments& arguments) { return list_parameters(arguments, true); }

int matrix_command(const Arguments& arguments) {
    auto options = parse_common_options(
        arguments, {"matrix", "[--gen G] [--opcode X] [--json]", 0, OPCODE | JSON});
    if (!options) {
        return usage_error(options.error());
    }
    if (options->help) {
        return exit_done;
    }
    auto configuration =
        options->engine.configuration(options->engine.generation.value_or(Generation::MARIANA));
    if (!configuration) {
        return usage_error(configuration.error());
    }
    auto opcode = parse_opcode(options->opcode);
    if (!opcode) {
        return usage_error(opcode.error());
    }
    const std::vector<SupportCell> cells = support_matrix(configuration->isa, *opcode);
    if (cells.empty()) {
        return usage_error("opcode " + dve::quoted(options->opcode) +
                           " takes no ALU operation on " + configuration->isa.row().name +
                           "; legal: an opcode that dve-sim matrix " + "lists");
    }
    if (!options->json) {
        print_matrix(cells);
        return exit_done;
    }
    Json json = Json::object();
    for (const SupportCell& cell : cells) {
        json[cell.opcode->mnemonic][cell.op->text][cell.dtype->text] =
            cell.result_only          ? "legal as result"
            : cell.refused_by.empty() ? "legal"
                                      : cell.refused_by;
    }
    std::cout << json.dump(2) << '\n';
    return exit_done;
}

}  // namespace dve::sim
