// A RISC-V platform: hart, console, memory, router and one engine. It boots a flat firmware image.
#include <dve/platform/dve_engine.h>
#include <dve/platform/npy.h>
#include <dve/platform/system_memory.h>
#include <dve/platform/whole_file.h>
#include <dve/tlm/router.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "console.h"
#include "cpu.h"
#include "firmware/memory_map.h"

namespace {

/// The result that the firmware left in SBUF.
int write_result(dve::DveEngine& engine, const std::string& path) {
    dve::NpyArray result{dve::NpyType::F4, {ROWS, COLUMNS}, {}};
    for (unsigned p = 0; p < ROWS; ++p) {
        const std::uint8_t* row =
            engine.memory_of(dve::Space::SBUF).bytes(p, RESULT_OFFSET, 4 * COLUMNS);
        result.data.insert(result.data.end(), row, row + 4 * COLUMNS);
    }
    if (const auto written = dve::write_npy(path, result); !written) {
        std::fprintf(stderr, "dve-riscv: %s\n", written.error().c_str());
        return 2;
    }
    return 0;
}

}  // namespace

/// The library brings a main of its own, which prints a banner first.
int main(int argc, char** argv) {
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
    return sc_core::sc_elab_and_sim(argc, argv);
}

int sc_main(int argc, char** argv) {
    using namespace dve;
    if (argc < 2 || argc > 3) {
        std::fprintf(stderr, "usage: dve-riscv FIRMWARE.bin [RESULT.npy]\n");
        return 2;
    }
    const auto image = read_whole_file(argv[1]);
    if (!image || image->size() > MEMORY_BYTES) {
        std::fprintf(stderr, "dve-riscv: %s\n",
                     image ? "the image is larger than memory" : image.error().c_str());
        return 2;
    }

    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    tlm::tlm_global_quantum::instance().set(sc_core::sc_time(10, sc_core::SC_US));
    SilentLog log;
    DveEngine engine(
        "engine", Configuration::defaults(Generation::MARIANA, SemanticsProfile::REFERENCE), log);
    SystemMemory memory("memory", MEMORY_BYTES);
    Console console("console");
    Router router("router");
    Cpu cpu("cpu", MEMORY_BASE, sc_core::sc_time(1, sc_core::SC_NS));
    sc_core::sc_signal<bool> irq("irq");
    cpu.bus.bind(router.target);
    router.map(MEMORY_BASE, MEMORY_BYTES);
    router.initiator.bind(memory.socket);
    router.map(CSR_BASE, csr::window_bytes);
    router.initiator.bind(engine.csr);
    router.map(LOCAL_BASE, LOCAL_BYTES);
    router.initiator.bind(engine.memory);
    router.map(CONSOLE_BASE, 8);
    router.initiator.bind(console.socket);
    engine.fetch.bind(memory.socket);
    engine.irq.bind(irq);
    cpu.irq.bind(irq);

    std::copy(image->begin(), image->end(), memory.bytes().begin());
    sc_core::sc_start();
    std::printf("%llu instructions of the hart in %s\n",
                static_cast<unsigned long long>(cpu.instructions()),
                sc_core::sc_time_stamp().to_string().c_str());
    if (argc == 3 && console.status() == 0) {
        return write_result(engine, argv[2]);
    }
    return console.status();
}
