// Blocking accesses of a thread: what the host and the DMA engine have in common.
#pragma once

#include <dve/tlm/initiator_access.h>
#include <dve/tlm/systemc_compat.h>
#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>

class Initiator : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<Initiator> bus;

    bool failed() const { return failed_; }

protected:
    explicit Initiator(sc_core::sc_module_name name) : sc_module(name), bus("bus") {}

    void read(std::uint64_t address, void* data, unsigned bytes) {
        access(tlm::TLM_READ_COMMAND, address, data, bytes);
    }
    void write(std::uint64_t address, const void* data, unsigned bytes) {
        access(tlm::TLM_WRITE_COMMAND, address, const_cast<void*>(data), bytes);
    }
    std::uint32_t read_word(std::uint64_t address) {
        std::uint32_t value = 0;
        read(address, &value, sizeof value);
        return value;
    }
    void write_word(std::uint64_t address, std::uint32_t value) {
        write(address, &value, sizeof value);
    }

private:
    /// An error response ends the simulation.
    void access(tlm::tlm_command command, std::uint64_t address, void* data, unsigned bytes) {
        tlm::tlm_generic_payload transaction;
        dve::prepare(transaction, command, address, data, bytes);
        sc_core::sc_time delay;
        bus->b_transport(transaction, delay);
        wait(delay);
        if (!transaction.is_response_ok()) {
            std::fprintf(stderr, "%s: %u bytes at 0x%" PRIx64 ": %s\n", name(), bytes, address,
                         transaction.get_response_string().c_str());
            failed_ = true;
            sc_core::sc_stop();
            wait();
        }
    }

    bool failed_ = false;
};
