// dve-sim: the command-line front end.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <systemc>

#include "models/isa/text_number.h"
#include "platform/dve_sim/commands.h"
#include "platform/version_line.h"

namespace dve::sim {
namespace {

struct Command {
    const char* name;
    const char* help;
    int (*run)(const Arguments&);
};

constexpr Command commands[] = {
    {"run", "PROGRAM [options]     run a program; see `dve-sim run --help`", run_command},
    {"asm", "IN.dvs -o OUT.bin     assembly text to records", asm_command},
    {"disasm", "IN.bin [-o OUT.dvs]   records to assembly text", disasm_command},
    {"check", "IN.bin [--gen G]      list every record that fails, and the predicates",
     check_command},
    {"assumptions", "[--gen G] [--json]    choices where sources are silent or disagree",
     assumptions_command},
    {"matrix", "[--gen G] [--json]    operation x dtype support, by opcode", matrix_command},
    {"config", "[--gen G] [--json]    all parameters; with --json a file for --config",
     config_command},
    {"diff", "A.trace B.trace       first divergence of two lane traces", diff_command},
};

void print_help(std::ostream& out) {
    out << "usage: dve-sim COMMAND ...\n";
    for (const Command& command : commands) {
        out << "  " << command.name << std::string(13 - std::string(command.name).size(), ' ')
            << command.help << '\n';
    }
    out << "`dve-sim COMMAND --help` lists the options of a command, `dve-sim --version` says "
           "which "
           "dve and\nwhich SystemC this is.\n";
}

/// What did not reach standard output makes a successful command fail.
int after_output(int status) {
    if (std::cout.flush() && std::fflush(stdout) == 0) {
        return status;
    }
    return usage_error("standard output: cannot be written: " + std::string(std::strerror(errno)));
}

}  // namespace

int usage_error(const std::string& message) {
    std::cerr << "dve-sim: " << message << '\n';
    return exit_usage;
}

}  // namespace dve::sim

/// The library brings a main of its own, which prints a banner first.
int main(int argc, char** argv) {
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
    return sc_core::sc_elab_and_sim(argc, argv);
}

int sc_main(int argc, char** argv) {
    using namespace dve::sim;
    const Arguments all(argv + 1, argv + argc);
    if (all.empty()) {
        print_help(std::cerr);
        return exit_usage;
    }
    if (all[0] == "--help" || all[0] == "-h" || all[0] == "help") {
        print_help(std::cout);
        return exit_done;
    }
    if (all[0] == "--version") {
        std::cout << dve::version_line("dve-sim") << '\n';
        return after_output(exit_done);
    }
    for (const Command& command : commands) {
        if (all[0] == command.name) {
            try {
                return after_output(command.run(Arguments(all.begin() + 1, all.end())));
            } catch (const std::exception& error) {
                // Out of memory, or a report of the simulation kernel.
                return usage_error(command.name + std::string(": ") + error.what());
            }
        }
    }
    std::string names;
    for (const Command& command : commands) {
        names += (names.empty() ? "" : ", ") + std::string(command.name);
    }
    return usage_error("unknown command " + dve::quoted(all[0]) + "; legal: " + names);
}
