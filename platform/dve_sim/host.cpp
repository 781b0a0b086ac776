// Register accesses of the host thread.
#include "platform/dve_sim/host.h"

#include "platform/register_block.h"
#include "tlm/initiator_access.h"

namespace dve::sim {

Host::Host(sc_core::sc_module_name name)
    : sc_module(name), csr("csr"), memory("memory"), irq("irq") {
    DVE_HAS_PROCESS(Host);
    SC_THREAD(run);
}

void Host::write(std::uint32_t offset, std::uint32_t value) {
    prepare(transaction_, tlm::TLM_WRITE_COMMAND, offset, &value, sizeof value);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    csr->b_transport(transaction_, delay);
    if (!transaction_.is_response_ok() && access_error_.empty()) {
        access_error_ = "csr write at offset " + std::to_string(offset) + " answered " +
                        transaction_.get_response_string();
    }
}

void Host::run() {
    for (const auto& [number, value] : registers) {
        write(dve::csr::registers_window + 4 * number, value);
    }
    for (const auto& [index, value] : semaphores) {
        write(dve::csr::semaphore_set + 4 * index, value);
    }
    write(dve::csr::PROGRAM_BASE_LO, static_cast<std::uint32_t>(program_base));
    write(dve::csr::PROGRAM_BASE_HI, static_cast<std::uint32_t>(program_base >> 32));
    write(dve::csr::PROGRAM_BYTES, program_bytes);
    write(dve::csr::INTERRUPT_ENABLE, dve::csr::mask::INTERRUPT_RUN_ENDED);
    write(dve::csr::START, dve::csr::value::START_PROGRAM);
    while (!irq.read()) {
        wait(irq.posedge_event());
    }
    write(dve::csr::INTERRUPT,
          dve::csr::mask::INTERRUPT_RUN_ENDED | dve::csr::mask::INTERRUPT_FAULT);
    finished_ = true;
}

}  // namespace dve::sim
