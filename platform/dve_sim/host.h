// The host of a stand-alone run: presets, start, and waiting for the end, all over the csr socket.
#pragma once

#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tlm/systemc_compat.h"

namespace dve::sim {

class Host : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<Host> csr;
    tlm_utils::simple_initiator_socket<Host> memory;  ///< bound, not driven: arrays go by backdoor
    sc_core::sc_in<bool> irq;

    explicit Host(sc_core::sc_module_name name);

    /// What to do once simulation starts.
    std::vector<std::pair<unsigned, std::uint32_t>> registers;
    std::vector<std::pair<unsigned, std::uint32_t>> semaphores;
    std::uint64_t program_base = 0;
    std::uint32_t program_bytes = 0;

    bool finished() const { return finished_; }
    /// First register access that did not answer OK; empty if all did.
    const std::string& access_error() const { return access_error_; }

private:
    void run();
    void write(std::uint32_t offset, std::uint32_t value);

    bool finished_ = false;
    std::string access_error_;
    tlm::tlm_generic_payload transaction_;
};

}  // namespace dve::sim
