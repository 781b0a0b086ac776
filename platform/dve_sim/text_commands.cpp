// `asm`, `disasm` and `check`: programs without an engine.
#include <filesystem>
#include <iostream>

#include "models/isa/check.h"
#include "models/isa/text_number.h"
#include "platform/dve_sim/commands.h"
#include "platform/dve_sim/program_file.h"
#include "platform/dve_sim/run_options.h"
#include "platform/whole_file.h"

namespace dve::sim {
namespace {

/// The memories as parameters leave them, for the assembler.
AssemblyOptions assembly_options(const EngineOptions& engine) {
    AssemblyOptions options;
    options.generation = engine.generation;
    options.memory = [engine](Generation generation) {
        auto configuration = engine.configuration(generation);
        return configuration ? MemoryMap{configuration->isa.sbuf, configuration->isa.psum}
                             : MemoryMap::for_generation(generation);
    };
    return options;
}

/// Parameters are checked here once; assembly_options then cannot fail on them.
Status check_parameters(const EngineOptions& engine) {
    auto configuration = engine.configuration(engine.generation.value_or(Generation::MARIANA));
    return configuration ? Status(Done{}) : Status(configuration.failure());
}

/// A source is not replaced by its own translation.
Status check_not_input(const CommonOptions& options, const char* command) {
    std::error_code error;
    if (!std::filesystem::equivalent(options.files[0], options.output, error)) {
        return Done{};
    }
    return Error{std::string(command) + ": -o " + options.output +
                 " is the file that is read; legal: another file"};
}

}  // namespace

int asm_command(const Arguments& arguments) {
    auto options = parse_common_options(arguments, {"asm", "IN.dvs -o OUT.bin", 1, OUTPUT});
    if (!options) {
        return usage_error(options.error());
    }
    if (options->help) {
        return exit_done;
    }
    if (options->output.empty()) {
        return usage_error("asm: -o is missing; legal: -o OUT.bin, -o - for standard output");
    }
    if (auto status = check_parameters(options->engine); !status) {
        return usage_error(status.error());
    }
    if (auto status = check_not_input(*options, "asm"); !status) {
        return usage_error(status.error());
    }
    auto program = read_assembly(options->files[0], assembly_options(options->engine));
    if (!program) {
        return usage_error(program.error());
    }
    const auto written = write_whole_file(
        options->output, {{program->records.data(), program->records.size() * record_bytes}});
    return written ? exit_done : usage_error(written.error());
}

int disasm_command(const Arguments& arguments) {
    auto options = parse_common_options(arguments, {"disasm", "IN.bin [-o OUT.dvs]", 1, OUTPUT});
    if (!options) {
        return usage_error(options.error());
    }
    if (options->help) {
        return exit_done;
    }
    if (auto status = check_parameters(options->engine); !status) {
        return usage_error(status.error());
    }
    if (auto status = check_not_input(*options, "disasm"); !status) {
        return usage_error(status.error());
    }
    auto records = read_records(options->files[0]);
    if (!records) {
        return usage_error(records.error());
    }
    const Generation generation = options->engine.generation.value_or(Generation::MARIANA);
    const std::string text =
        disassemble(*records, generation, assembly_options(options->engine).memory(generation));
    const auto written = write_whole_file(options->output.empty() ? "-" : options->output,
                                          {{text.data(), text.size()}});
    return written ? exit_done : usage_error(written.error());
}

int check_command(const Arguments& arguments) {
    auto options = parse_common_options(arguments, {"check", "IN.bin [--gen G]", 1, 0});
    if (!options) {
        return usage_error(options.error());
    }
    if (options->help) {
        return exit_done;
    }
    if (auto status = check_parameters(options->engine); !status) {
        return usage_error(status.error());
    }
    auto program = read_program(options->files[0], assembly_options(options->engine));
    if (!program) {
        return usage_error(program.error());
    }
    auto configuration = options->engine.configuration(program->generation);
    if (!configuration) {
        return usage_error(configuration.error());
    }
    std::size_t bad = 0;
    for (std::size_t i = 0; i < program->records.size(); ++i) {
        const Record& record = program->records[i];
        const std::vector<Violation> violations = check_all(record, configuration->isa);
        bad += violations.empty() ? 0 : 1;
        const OpcodeRow* row = find_opcode(record.opcode());
        for (const Violation& violation : violations) {
            std::cout << program->where(i) << ": opcode " << format_hex(record.opcode()) << ' '
                      << (row != nullptr ? row->mnemonic : "(unknown)") << ": "
                      << violation.message() << '\n';
        }
    }
    std::cout << program->records.size() << " records, " << bad << " bad, on "
              << configuration->isa.row().name << '\n';
    return bad == 0 ? exit_done : exit_fault;
}

}  // namespace dve::sim
