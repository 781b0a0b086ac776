// Two engines as a pipeline: the first doubles, a DMA engine carries tiles over, the second adds
// one.
#include <dve/models/isa/assembly.h>
#include <dve/platform/dve_engine.h>
#include <dve/platform/system_memory.h>
#include <dve/tlm/router.h>

#include <string>

#include "dma.h"
#include "join.h"

namespace {

// Addresses on the bus. Each engine has its registers and its SBUF.
constexpr std::uint64_t memory_bytes = 0x00100000;
constexpr std::uint64_t csr_base[] = {0x10000000, 0x11000000};
constexpr std::uint64_t local_base[] = {0x20000000, 0x30000000};
constexpr std::uint64_t local_bytes = 0x10000000;
constexpr std::uint64_t partition_stride = 0x40000;

// A row is `tiles` tiles; between the engines there are two buffers on each side.
constexpr unsigned rows = 128;
constexpr unsigned tiles = 6;
constexpr unsigned tile_columns = 64;
constexpr unsigned tile_bytes = 4 * tile_columns;
constexpr unsigned buffer_offset = 0x8000;
constexpr unsigned full = 0;   // semaphore: tiles that were written to buffers
constexpr unsigned freed = 1;  // semaphore: tiles that were taken from buffers

std::uint64_t buffer_of(unsigned tile) { return buffer_offset + tile % 2 * tile_bytes; }
std::uint32_t taken_before(unsigned tile) { return tile < 2 ? 0 : tile - 1; }

std::string tensor(const std::string& name, std::uint64_t byte) {
    return ".tensor " + name + " sbuf:0:" + std::to_string(byte) + " " + std::to_string(rows) +
           "x" + std::to_string(tile_columns) + " fp32\n";
}

/// x to the buffers, doubled, each as soon as its buffer is free.
std::string first_program() {
    std::string declarations;
    std::string lines;
    for (unsigned t = 0; t < tiles; ++t) {
        const std::string n = std::to_string(t);
        declarations += tensor("x" + n, t * tile_bytes) + tensor("b" + n, buffer_of(t));
        lines += "wait sem[1] >= " + std::to_string(taken_before(t)) + "\nupdate sem[0]++\n" +
                 "tensor_scalar_arith dst=b" + n + " src=x" + n + " op0=mult imm0=2.0 op1=bypass\n";
    }
    return declarations + lines;
}

/// The buffers plus one to z, each as soon as it is there.
std::string second_program() {
    std::string declarations;
    std::string lines;
    for (unsigned t = 0; t < tiles; ++t) {
        const std::string n = std::to_string(t);
        declarations += tensor("z" + n, t * tile_bytes) + tensor("b" + n, buffer_of(t));
        lines += "wait sem[0] >= " + std::to_string(t + 1) + "\nupdate sem[1]++\n" +
                 "tensor_scalar_arith dst=z" + n + " src=b" + n + " op0=add imm0=1.0 op1=bypass\n";
    }
    return declarations + lines;
}

std::vector<Descriptor> dma_work() {
    const auto semaphore = [](unsigned engine, std::uint32_t window, unsigned index) {
        return csr_base[engine] + window + 4 * index;
    };
    std::vector<Descriptor> work;
    for (unsigned t = 0; t < tiles; ++t) {
        work.push_back({{{semaphore(0, dve::csr::semaphore_read, full), t + 1},
                         {semaphore(1, dve::csr::semaphore_read, freed), taken_before(t)}},
                        local_base[0] + buffer_of(t),
                        local_base[1] + buffer_of(t),
                        rows,
                        tile_bytes,
                        partition_stride,
                        {semaphore(0, dve::csr::semaphore_increment, freed),
                         semaphore(1, dve::csr::semaphore_increment, full)}});
    }
    return work;
}

float input(unsigned row, unsigned column) { return 0.25F * column - static_cast<float>(row); }

class Host : public Initiator {
public:
    sc_core::sc_in<bool> second_irq{"second_irq"};
    unsigned wrong = rows * tiles * tile_columns;

    explicit Host(sc_core::sc_module_name name) : Initiator(name) {
        DVE_HAS_PROCESS(Host);
        SC_THREAD(run);
    }

private:
    void run() {
        float row[tiles * tile_columns];
        for (unsigned r = 0; r < rows; ++r) {
            for (unsigned i = 0; i < tiles * tile_columns; ++i) {
                row[i] = input(r, i);
            }
            write(local_base[0] + r * partition_stride, row, sizeof row);
        }
        // The second engine first: it has to wait for tiles.
        start(1, second_program());
        start(0, first_program());
        if (!second_irq.read()) {
            wait(second_irq.posedge_event());
        }
        for (unsigned r = 0; r < rows; ++r) {
            read(local_base[1] + r * partition_stride, row, sizeof row);
            for (unsigned i = 0; i < tiles * tile_columns; ++i) {
                wrong -= row[i] == 2 * input(r, i) + 1 ? 1 : 0;
            }
        }
        std::printf("%u of %u elements wrong at %s\n", wrong, rows * tiles * tile_columns,
                    sc_core::sc_time_stamp().to_string().c_str());
        sc_core::sc_stop();
    }

    /// Puts the program of an engine into memory and starts it.
    void start(unsigned engine, const std::string& text) {
        const dve::Assembly program = dve::assemble(text);
        const auto bytes = static_cast<std::uint32_t>(program.records.size() * dve::record_bytes);
        const std::uint32_t place = engine * 0x10000;
        write(place, program.records.data(), bytes);
        write_word(csr_base[engine] + dve::csr::PROGRAM_BASE_LO, place);
        write_word(csr_base[engine] + dve::csr::PROGRAM_BYTES, bytes);
        write_word(csr_base[engine] + dve::csr::INTERRUPT_ENABLE,
                   dve::csr::mask::INTERRUPT_RUN_ENDED);
        write_word(csr_base[engine] + dve::csr::START, dve::csr::value::START_PROGRAM);
    }
};

}  // namespace

int sc_main(int, char**) {
    using namespace dve;
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    const auto configuration =
        Configuration::defaults(Generation::MARIANA, SemanticsProfile::REFERENCE);
    SilentLog log;
    DveEngine first("first", configuration, log);
    DveEngine second("second", configuration, log);
    SystemMemory memory("memory", memory_bytes);
    Router router("router");
    Join join("join");
    Dma dma("dma", dma_work());
    Host host("host");
    sc_core::sc_signal<bool> first_irq("first_irq");
    sc_core::sc_signal<bool> second_irq("second_irq");
    host.bus.bind(join.target);
    dma.bus.bind(join.target);
    join.initiator.bind(router.target);
    router.map(0, memory_bytes);
    router.initiator.bind(memory.socket);
    DveEngine* engines[] = {&first, &second};
    for (unsigned i = 0; i < 2; ++i) {
        router.map(csr_base[i], csr::window_bytes);
        router.initiator.bind(engines[i]->csr);
        router.map(local_base[i], local_bytes);
        router.initiator.bind(engines[i]->memory);
        engines[i]->fetch.bind(memory.socket);
    }
    first.irq.bind(first_irq);
    second.irq.bind(second_irq);
    host.second_irq.bind(second_irq);
    sc_core::sc_start();
    return host.wrong == 0 && !host.failed() && !dma.failed() ? 0 : 1;
}
