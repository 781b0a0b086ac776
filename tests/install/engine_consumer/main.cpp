// An engine of an installed dve in a program of somebody else, with his own warnings, a waveform,
// and a folder tlm/ of his own before every other include folder.
#include <tlm.h>
#include <tlm/router.h>  // his, not that of dve

#include <dve/models/isa/assembly.h>
#include <dve/platform/dve_engine.h>
#include <dve/platform/system_memory.h>
#include <dve/tlm/initiator_access.h>
#include <dve/traces/waveform/waveform_file.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdio>
#include <cstring>

struct Driver : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<Driver> csr{"csr"};
    tlm_utils::simple_initiator_socket<Driver> memory{"memory"};
    sc_core::sc_in<bool> irq{"irq"};
    unsigned right = 0;
    std::uint32_t program_bytes = 0;

    SC_CTOR(Driver) { SC_THREAD(run); }

    template <typename Socket>
    bool access(Socket& socket, tlm::tlm_command command, std::uint64_t address, void* data,
                unsigned bytes) {
        tlm::tlm_generic_payload transaction;
        dve::prepare(transaction, command, address, data, bytes);
        sc_core::sc_time delay;
        socket->b_transport(transaction, delay);
        wait(delay);
        return transaction.is_response_ok();
    }
    void write_register(std::uint32_t offset, std::uint32_t value) {
        access(csr, tlm::TLM_WRITE_COMMAND, offset, &value, sizeof value);
    }

    void run() {
        float x[] = {0, 1, -2, 0.5F, 1e20F, 3};
        access(memory, tlm::TLM_WRITE_COMMAND, 5 * 0x40000, x, sizeof x);
        write_register(dve::csr::PROGRAM_BASE_LO, 0);
        write_register(dve::csr::PROGRAM_BYTES, program_bytes);
        write_register(dve::csr::INTERRUPT_ENABLE, dve::csr::mask::INTERRUPT_RUN_ENDED);
        write_register(dve::csr::START, dve::csr::value::START_PROGRAM);
        wait(irq.posedge_event());
        // max(x, -0.5) + 1 by hand; 1 is lost in 1e20.
        const float expected[] = {1, 2, 0.5F, 1.5F, 1e20F, 4};
        float y[6] = {};
        access(memory, tlm::TLM_READ_COMMAND, 5 * 0x40000 + 0x100, y, sizeof y);
        for (unsigned i = 0; i < 6; ++i) {
            right += y[i] == expected[i] ? 1 : 0;
        }
        // Between the bytes of two partitions of PSUM there is nothing.
        right += access(memory, tlm::TLM_READ_COMMAND, 0x2000000 + 0x4000, y, 4) ? 0 : 1;
    }
};

int sc_main(int, char** arguments) {
    using namespace dve;
    SilentLog log;
    DveEngine engine("engine",
                     Configuration::defaults(Generation::CAYMAN, SemanticsProfile::REFERENCE), log);
    SystemMemory memory("system_memory", 0x1000);
    Driver driver("driver");
    sc_core::sc_signal<bool> irq("irq");
    driver.csr.bind(engine.csr);
    driver.memory.bind(engine.memory);
    driver.irq.bind(irq);
    engine.irq.bind(irq);
    engine.fetch.bind(memory.socket);

    const Assembly program = assemble(
        ".gen cayman\n"
        ".tensor x sbuf:0:0x000 128x6 fp32\n"
        ".tensor y sbuf:0:0x100 128x6 fp32\n"
        "tensor_scalar_arith dst=y src=x op0=max imm0=-0.5 op1=add imm1=1.0\n");
    driver.program_bytes = static_cast<std::uint32_t>(64 * program.records.size());
    std::memcpy(memory.bytes().data(), program.records.data(), driver.program_bytes);

    WaveformOptions options;
    options.path = std::string(arguments[0]) + ".vcd";
    WaveformFile file(options);
    sc_trace(&file, irq, "irq");
    sc_core::sc_start();
    file.close();
    std::printf("%u of 7 checks passed %s\n", driver.right, file.error().c_str());
    return driver.right == 7 && file.error().empty() && router_of_consumer == 1 ? 0 : 1;
}
