// Engines around one host whose time runs ahead of SystemC time by up to the global quantum.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/engine/quantum_bench.h"
#include "tlm/initiator_access.h"

namespace dve::test {

/// Its accesses carry its local time.
class DecoupledHost : public sc_core::sc_module {
public:
    using Socket = tlm_utils::simple_initiator_socket<DecoupledHost>;

    /// Whether it catches up before each access to registers, as before each wait.
    bool catches_up = true;

    DecoupledHost(sc_core::sc_module_name name, std::function<void()> body)
        : sc_module(name), body_(std::move(body)) {
        DVE_HAS_PROCESS(DecoupledHost);
        SC_THREAD(run);
    }

    void work(const sc_core::sc_time& time) { advance(keeper_.get_local_time() + time); }
    /// A new quantum, from now on.
    void restart(const sc_core::sc_time& quantum) {
        keeper_.sync();
        set_quantum(quantum);
        keeper_.reset();
    }
    void write_register(Socket& csr, std::uint32_t offset, std::uint32_t value) {
        if (catches_up) {
            keeper_.sync();
        }
        access(csr, tlm::TLM_WRITE_COMMAND, offset, &value, sizeof value);
    }
    std::uint32_t read_register(Socket& csr, std::uint32_t offset) {
        if (catches_up) {
            keeper_.sync();
        }
        std::uint32_t value = 0;
        access(csr, tlm::TLM_READ_COMMAND, offset, &value, sizeof value);
        return value;
    }
    void access(Socket& socket, tlm::tlm_command command, std::uint64_t address, void* data,
                unsigned bytes) {
        tlm::tlm_generic_payload transaction;
        prepare(transaction, command, address, data, bytes);
        sc_core::sc_time delay = keeper_.get_local_time();
        socket->b_transport(transaction, delay);
        EXPECT_TRUE(transaction.is_response_ok()) << transaction.get_response_string();
        advance(delay);
    }
    void wait_for(const sc_core::sc_signal<bool>& irq) {
        keeper_.sync();
        if (!irq.read()) {
            sc_core::wait(irq.posedge_event());
        }
        keeper_.reset();
    }
    /// Until the register reaches a value.
    void poll(Socket& csr, std::uint32_t offset, std::uint32_t value) {
        while (read_register(csr, offset) < value) {
            work(sc_core::sc_time(40, sc_core::SC_NS));
        }
    }
    sc_core::sc_time now() const { return keeper_.get_current_time(); }

private:
    void run() { body_(); }
    void advance(const sc_core::sc_time& local) {
        keeper_.set(local);
        if (keeper_.need_sync()) {
            keeper_.sync();
        }
    }

    std::function<void()> body_;
    tlm_utils::tlm_quantumkeeper keeper_;
};

/// An engine with its memory and the sockets that the host has for it.
class DecoupledEngine : public sc_core::sc_module, private RetireObserver {
public:
    static constexpr std::uint32_t ring_at = 0x1000;
    static constexpr std::uint32_t ring_records = 8;
    static constexpr std::uint32_t notifications_at = 0x3000;
    static constexpr unsigned entries = 64;

    DecoupledEngine(sc_core::sc_module_name name, const Configuration& configuration)
        : sc_module(name),
          engine("engine", configuration, log_),
          system("system", 0x4000, sc_core::SC_ZERO_TIME, non_blocking_style(configuration)),
          csr("csr"),
          memory("memory"),
          irq("irq") {
        csr.bind(engine.csr);
        memory.bind(engine.memory);
        engine.fetch.bind(system.socket);
        engine.irq.bind(irq);
        engine.sequencer().set_retire_observer(this);
    }

    /// Reset, with empty rings.
    void prepare_run(DecoupledHost& host) {
        host.write_register(csr, csr::RESET, 1);
        figures.clear();
        tail_ = 0;
        std::fill(system.bytes().begin(), system.bytes().end(), 0);
        host.write_register(csr, csr::NOTIFICATION_BASE_LO, notifications_at);
        host.write_register(csr, csr::NOTIFICATION_ENTRIES, entries);
        host.write_register(csr, csr::RING_BASE_LO, ring_at);
        host.write_register(csr, csr::RING_BYTES, record_bytes * ring_records);
    }
    void start_program(DecoupledHost& host, const std::vector<Record>& program) {
        std::memcpy(system.bytes().data(), program.data(), record_bytes * program.size());
        host.write_register(csr, csr::PROGRAM_BYTES,
                            static_cast<std::uint32_t>(record_bytes * program.size()));
        start(host, csr::value::START_PROGRAM);
    }
    void start(DecoupledHost& host, std::uint32_t what) {
        started_ = host.now();
        host.write_register(csr, csr::START, what);
    }
    void push(DecoupledHost& host, const std::vector<Record>& records) {
        for (const Record& record : records) {
            std::memcpy(system.bytes().data() + ring_at + record_bytes * tail_, record.bytes.data(),
                        record_bytes);
            tail_ = (tail_ + 1) % ring_records;
        }
        host.write_register(csr, csr::RING_TAIL, record_bytes * tail_);
    }
    std::vector<std::uint64_t> notifications() {
        const std::uint64_t start_cycle =
            started_.value() / cycle_time(engine.configuration()).value();
        return notification_words(system.bytes().data() + notifications_at, entries, start_cycle);
    }
    sc_core::sc_time started() const { return started_; }

private:
    SilentLog log_;

public:
    DveEngine engine;
    SystemMemory system;
    DecoupledHost::Socket csr;
    DecoupledHost::Socket memory;
    sc_core::sc_signal<bool> irq;
    std::vector<RetireFigures> figures;

private:
    void retired(const RetireRecord& record) override { figures.push_back(figures_of(record)); }

    std::uint32_t tail_ = 0;
    sc_core::sc_time started_;
};

}  // namespace dve::test
