// The smallest platform: a host thread, a memory, a router and one engine. It runs y = 2 x + 1.
#include <dve/models/isa/assembly.h>
#include <dve/platform/dve_engine.h>
#include <dve/platform/system_memory.h>
#include <dve/tlm/initiator_access.h>
#include <dve/tlm/router.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdio>

namespace {

// Addresses on the bus.
constexpr std::uint64_t memory_base = 0x00000000, memory_bytes = 0x01000000;
constexpr std::uint64_t csr_base = 0x10000000;
constexpr std::uint64_t local_base = 0x20000000, local_bytes = 0x10000000;  // SBUF and PSUM
constexpr unsigned partitions = 128, columns = 8;
constexpr std::uint64_t partition_stride = 0x40000;  // bytes, on mariana

constexpr const char* program = R"(
.gen mariana
.tensor x sbuf:0:0x000 128x8 fp32
.tensor y sbuf:0:0x100 128x8 fp32
        tensor_scalar_arith dst=y src=x op0=mult imm0=2.0 op1=add imm1=1.0
)";

struct Host : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<Host> bus{"bus"};
    sc_core::sc_in<bool> irq{"irq"};
    unsigned wrong = partitions * columns;

    SC_CTOR(Host) { SC_THREAD(run); }

    void access(tlm::tlm_command command, std::uint64_t address, void* data, unsigned bytes) {
        tlm::tlm_generic_payload transaction;
        dve::prepare(transaction, command, address, data, bytes);
        sc_core::sc_time delay;
        bus->b_transport(transaction, delay);
        wait(delay);
        if (!transaction.is_response_ok()) {
            std::printf("0x%08x: %s\n", unsigned(address),
                        transaction.get_response_string().c_str());
            sc_core::sc_stop();
        }
    }
    void write_register(std::uint32_t offset, std::uint32_t value) {
        access(tlm::TLM_WRITE_COMMAND, csr_base + offset, &value, sizeof value);
    }

    void run() {
        dve::Assembly assembly = dve::assemble(program);
        const auto bytes = static_cast<unsigned>(assembly.records.size() * dve::record_bytes);
        access(tlm::TLM_WRITE_COMMAND, memory_base, assembly.records.data(), bytes);
        float row[columns] = {0.5F, 1, -2, 3.25F, 0, 7, -8, 9};
        for (unsigned p = 0; p < partitions; ++p, row[0] += 1) {
            access(tlm::TLM_WRITE_COMMAND, local_base + p * partition_stride, row, sizeof row);
        }
        write_register(dve::csr::PROGRAM_BASE_LO, memory_base);
        write_register(dve::csr::PROGRAM_BYTES, bytes);
        write_register(dve::csr::INTERRUPT_ENABLE, dve::csr::mask::INTERRUPT_RUN_ENDED);
        write_register(dve::csr::START, dve::csr::value::START_PROGRAM);
        wait(irq.posedge_event());
        for (unsigned p = 0; p < partitions; ++p) {
            const std::uint64_t address = local_base + p * partition_stride;
            float y[columns];
            access(tlm::TLM_READ_COMMAND, address, row, sizeof row);
            access(tlm::TLM_READ_COMMAND, address + 0x100, y, sizeof y);
            for (unsigned i = 0; i < columns; ++i) wrong -= y[i] == 2 * row[i] + 1 ? 1 : 0;
        }
    }
};

}  // namespace

int sc_main(int, char**) {
    using namespace dve;
    SilentLog log;
    DveEngine engine(
        "engine", Configuration::defaults(Generation::MARIANA, SemanticsProfile::REFERENCE), log);
    SystemMemory memory("memory", memory_bytes);
    Router router("router");
    Host host("host");
    sc_core::sc_signal<bool> irq("irq");
    host.bus.bind(router.target);
    router.map(memory_base, memory_bytes);
    router.initiator.bind(memory.socket);
    router.map(csr_base, csr::window_bytes);
    router.initiator.bind(engine.csr);
    router.map(local_base, local_bytes);
    router.initiator.bind(engine.memory);
    engine.fetch.bind(memory.socket);
    engine.irq.bind(irq);
    host.irq.bind(irq);
    sc_core::sc_start();
    std::printf("%u of %u elements wrong at %s\n", host.wrong, partitions * columns,
                sc_core::sc_time_stamp().to_string().c_str());
    return host.wrong == 0 ? 0 : 1;
}
