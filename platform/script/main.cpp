// dve-script: plays a register script on the smallest platform: memory, router and one engine.
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "models/isa/text_number.h"
#include "platform/dve_engine.h"
#include "platform/script/player.h"
#include "platform/system_memory.h"
#include "platform/version_line.h"
#include "platform/whole_file.h"

namespace dve::script {
namespace {

// The map of platform/examples/smallest.
constexpr std::uint64_t memory_base = 0x00000000;
constexpr std::uint64_t memory_bytes = 0x01000000;
constexpr std::uint64_t csr_base = 0x10000000;
constexpr std::uint64_t local_base = 0x20000000;
constexpr std::uint64_t local_bytes = 0x10000000;

constexpr const char* usage =
    "usage: dve-script FILE [--gen G] [--timing T]\n"
    "Plays a register script, `-` is standard input. Numbers are decimal or 0x; # starts a "
    "comment;\n"
    "files lie beside the script.\n"
    "  load_mem ADDRESS BYTES FILE    raw bytes of a file\n"
    "  dump_mem ADDRESS BYTES FILE    raw bytes to a file\n"
    "  write_reg ADDRESS VALUE\n"
    "  read_reg ADDRESS MASK EXPECTED\n"
    "  poll_reg ADDRESS MASK EXPECTED [NANOSECONDS]    until equal\n"
    "  wait_irq [high | low] [NANOSECONDS]    until the interrupt line is, high if not given\n"
    "  wait NANOSECONDS\n"
    "Addresses: memory 0x00000000, 16 MiB; registers 0x10000000; SBUF and PSUM 0x20000000.\n"
    "--gen: sunda, cayman, mariana (default), mariana_plus, maverick. --timing: loose (default), "
    "approx, cycle.\n"
    "--version: of this program and of SystemC.\n"
    "Exit status: 0 done; 1 a difference or an error response; 2 usage, malformed script, files.\n";

int usage_error(const std::string& message) {
    std::cerr << "dve-script: " << message << '\n';
    return static_cast<int>(Outcome::FILE);
}

struct Options {
    std::string file;
    Generation generation = Generation::MARIANA;
    TimingMode timing = TimingMode::LOOSE;
};

Result<Options> parse_arguments(const std::vector<std::string>& arguments) {
    Options options;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& argument = arguments[i];
        const std::string next = i + 1 < arguments.size() ? arguments[i + 1] : "";
        if (argument == "--timing") {
            const auto timing = timing_mode_from_name(next);
            if (!timing) {
                return Error{"--timing " + dve::quoted(next) + "; legal: loose, approx, cycle"};
            }
            options.timing = *timing;
            ++i;
        } else if (argument == "--gen") {
            const auto generation = generation_from_name(next);
            if (!generation) {
                return Error{"--gen " + dve::quoted(next) +
                             "; legal: " + std::string(generation_names())};
            }
            options.generation = *generation;
            ++i;
        } else if (argument.size() > 1 && argument[0] == '-') {
            return Error{"unknown option " + dve::quoted(argument) +
                         "; legal: --gen, --timing, --help, --version"};
        } else if (!options.file.empty()) {
            return Error{"two scripts, " + dve::quoted(options.file) + " and " +
                         dve::quoted(argument) + "; legal: one"};
        } else {
            options.file = argument;
        }
    }
    return options.file.empty() ? Result<Options>(Error{"no script; legal: dve-script FILE"})
                                : options;
}

int play(const Options& options, std::vector<Command> commands) {
    const auto folder = std::filesystem::path(options.file).parent_path().string();
    SilentLog log;
    Configuration configuration =
        Configuration::defaults(options.generation, SemanticsProfile::REFERENCE);
    configuration.mode = options.timing;
    DveEngine engine("engine", configuration, log);
    SystemMemory memory("memory", memory_bytes, sc_core::SC_ZERO_TIME,
                        non_blocking_style(configuration));
    Router router("router");
    Player player("player", std::move(commands), folder);
    sc_core::sc_signal<bool> irq("irq");
    player.bus.bind(router.target);
    router.map(memory_base, memory_bytes);
    router.initiator.bind(memory.socket);
    router.map(csr_base, csr::window_bytes);
    router.initiator.bind(engine.csr);
    router.map(local_base, local_bytes);
    router.initiator.bind(engine.memory);
    engine.fetch.bind(memory.socket);
    engine.irq.bind(irq);
    player.irq.bind(irq);
    sc_core::sc_start();
    if (player.outcome() != Outcome::DONE) {
        std::cerr << options.file << ':' << player.line() << ": " << player.message() << '\n';
    }
    return static_cast<int>(player.outcome());
}

}  // namespace
}  // namespace dve::script

/// The library brings a main of its own, which prints a banner first.
int main(int argc, char** argv) {
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
    return sc_core::sc_elab_and_sim(argc, argv);
}

int sc_main(int argc, char** argv) {
    using namespace dve::script;
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments.size() == 1 && (arguments[0] == "--help" || arguments[0] == "-h")) {
        std::cout << usage;
        return 0;
    }
    if (arguments.size() == 1 && arguments[0] == "--version") {
        std::cout << dve::version_line("dve-script") << '\n';
        return 0;
    }
    const auto options = parse_arguments(arguments);
    if (!options) {
        return usage_error(options.error());
    }
    const auto text = dve::read_whole_file(options->file);
    if (!text) {
        return usage_error(text.error());
    }
    auto commands =
        parse_script(options->file, {reinterpret_cast<const char*>(text->data()), text->size()});
    if (!commands) {
        std::cerr << commands.error() << '\n';
        return static_cast<int>(Outcome::FILE);
    }
    return play(*options, std::move(commands.value()));
}
