// Blocking calls and DMI accesses a second at csr and memory, against a bare memory target.
//
// The bare target checks the range, copies, adds its latency and sets the status, and nothing
// else. Prints the fastest repetition of each, and the median, over the repetitions, of its time
// over that of the bare target (goal: at most 1.5 for calls, 1.05 for DMI). `memory` is the
// engine's router and then SBUF or PSUM: besides the one call of the bare target it is held against
// two, through a router. Calls come without delay, but for the row of a decoupled initiator, whom
// csr lets wait for its time.
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <systemc>
#include <vector>

#include "platform/dve_engine.h"
#include "platform/system_memory.h"
#include "tlm/initiator_access.h"

namespace dve::bench {
namespace {

constexpr unsigned repetitions = 200;
constexpr unsigned accesses = 20'000;
constexpr std::uint64_t area = 0x8000;  // stays in the cache

class BareMemory : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<BareMemory> socket;

    explicit BareMemory(const sc_core::sc_module_name& name)
        : sc_module(name), socket("socket"), bytes_(area), latency_(1, sc_core::SC_NS) {
        socket.register_b_transport(this, &BareMemory::b_transport);
        socket.register_get_direct_mem_ptr(this, &BareMemory::get_direct_mem_ptr);
    }

private:
    void b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) {
        const std::uint64_t address = transaction.get_address();
        const unsigned length = transaction.get_data_length();
        if (address >= bytes_.size() || length > bytes_.size() - address) {
            transaction.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
            return;
        }
        if (transaction.is_read()) {
            std::memcpy(transaction.get_data_ptr(), bytes_.data() + address, length);
        } else if (transaction.is_write()) {
            std::memcpy(bytes_.data() + address, transaction.get_data_ptr(), length);
        }
        delay += latency_;
        transaction.set_dmi_allowed(true);
        transaction.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
        dmi.set_dmi_ptr(bytes_.data());
        dmi.set_start_address(0);
        dmi.set_end_address(bytes_.size() - 1);
        dmi.allow_read_write();
        return true;
    }

    std::vector<std::uint8_t> bytes_;
    sc_core::sc_time latency_;
};

struct Host : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<Host> bare;
    tlm_utils::simple_initiator_socket<Host> routed;
    tlm_utils::simple_initiator_socket<Host> csr;
    tlm_utils::simple_initiator_socket<Host> memory;
    tlm_utils::simple_initiator_socket<Host> sbuf;
    explicit Host(const sc_core::sc_module_name& name)
        : sc_module(name),
          bare("bare"),
          routed("routed"),
          csr("csr"),
          memory("memory"),
          sbuf("sbuf") {}
};

using Socket = tlm_utils::simple_initiator_socket<Host>;

struct Form {
    const char* name;
    Socket& socket;
    std::uint64_t first;
    std::uint64_t bytes;
    unsigned length;
    enum class Way { CALL, DECOUPLED_CALL, DIRECT } way;
    unsigned against;  ///< form that its ratio is to
};

/// Nanoseconds an access; half of them writes.
double measure(const Form& form) {
    alignas(64) static std::uint8_t data[64];
    tlm::tlm_generic_payload transaction;
    prepare(transaction, tlm::TLM_READ_COMMAND, form.first, data, form.length);
    tlm::tlm_dmi dmi;
    if (form.way == Form::Way::DIRECT && !form.socket->get_direct_mem_ptr(transaction, dmi)) {
        std::printf("%s: no DMI\n", form.name);
        return 0;
    }
    sc_core::sc_time delay;
    bool failed = false;
    const auto start = std::chrono::steady_clock::now();
    for (unsigned i = 0; i < accesses; ++i) {
        const std::uint64_t address = form.first + i * std::uint64_t{68} % form.bytes;
        if (form.way == Form::Way::DIRECT) {
            std::uint8_t* bytes = dmi.get_dmi_ptr() + (address - dmi.get_start_address());
            i % 2 != 0 ? std::memcpy(bytes, data, form.length)
                       : std::memcpy(data, bytes, form.length);
            continue;
        }
        transaction.set_command(i % 2 != 0 ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        transaction.set_address(address);
        transaction.set_dmi_allowed(false);
        transaction.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        if (form.way != Form::Way::DECOUPLED_CALL) {
            delay = sc_core::SC_ZERO_TIME;
        }
        form.socket->b_transport(transaction, delay);
        failed |= !transaction.is_response_ok();
    }
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    if (failed) {
        std::printf("%s: an access failed\n", form.name);
    }
    return time.count() / accesses;
}

void run() {
    SilentLog log;
    DveEngine engine(
        "engine", Configuration::defaults(Generation::MARIANA, SemanticsProfile::REFERENCE), log);
    SystemMemory program("program", 64);
    BareMemory bare("bare");
    BareMemory behind("behind");
    Router router("router");
    Host host("host");
    sc_core::sc_signal<bool> irq("irq");
    engine.fetch.bind(program.socket);
    engine.irq.bind(irq);
    host.bare.bind(bare.socket);
    host.routed.bind(router.target);
    router.map(0, area);
    router.initiator.bind(behind.socket);
    host.csr.bind(engine.csr);
    host.memory.bind(engine.memory);
    host.sbuf.bind(engine.memory_of(Space::SBUF).socket);
    constexpr auto call = Form::Way::CALL;
    constexpr auto direct = Form::Way::DIRECT;
    const std::uint64_t wide = area - 64;
    const std::vector<Form> forms = {
        {"bare, 4 bytes", host.bare, 0, wide, 4, call, 0},
        {"csr R[], 4 bytes", host.csr, csr::registers_window, 160, 4, call, 0},
        {"sbuf alone, 4 bytes", host.sbuf, 0, wide, 4, call, 0},
        {"memory, 4 bytes", host.memory, 0, wide, 4, call, 0},
        {"bare behind a router, 4 bytes", host.routed, 0, wide, 4, call, 4},
        {"memory against that", host.memory, 0, wide, 4, call, 4},
        {"bare, 64 bytes", host.bare, 0, wide, 64, call, 6},
        {"sbuf alone, 64 bytes", host.sbuf, 0, wide, 64, call, 6},
        {"memory, 64 bytes", host.memory, 0, wide, 64, call, 6},
        {"bare behind a router, 64 bytes", host.routed, 0, wide, 64, call, 9},
        {"memory against that", host.memory, 0, wide, 64, call, 9},
        {"bare, DMI, 64 bytes", host.bare, 0, wide, 64, direct, 11},
        {"memory, DMI, 64 bytes", host.memory, 0, wide, 64, direct, 11},
        {"csr R[], decoupled", host.csr, csr::registers_window, 160, 4, Form::Way::DECOUPLED_CALL,
         0},
    };
    // One after the other in each repetition, so that a slow moment is everybody's.
    std::vector<std::vector<double>> times(forms.size());
    sc_core::sc_spawn([&] {
        for (unsigned repetition = 0; repetition < repetitions; ++repetition) {
            for (std::size_t i = 0; i < forms.size(); ++i) {
                times[i].push_back(measure(forms[i]));
            }
        }
    });
    sc_core::sc_start();
    std::printf("%-30s %8s %10s %6s\n", "access", "ns", "M/s", "ratio");
    for (std::size_t i = 0; i < forms.size(); ++i) {
        const double fastest = *std::min_element(times[i].begin(), times[i].end());
        std::vector<double> ratios;
        for (unsigned repetition = 0; repetition < repetitions; ++repetition) {
            ratios.push_back(times[i][repetition] / times[forms[i].against][repetition]);
        }
        std::nth_element(ratios.begin(), ratios.begin() + repetitions / 2, ratios.end());
        std::printf("%-30s %8.2f %10.1f %6.2f\n", forms[i].name, fastest, 1e3 / fastest,
                    ratios[repetitions / 2]);
    }
}

}  // namespace
}  // namespace dve::bench

int sc_main(int, char**) {
    dve::bench::run();
    return 0;
}
