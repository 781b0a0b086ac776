// A flag set by the signal, polled by the run.
#include "platform/dve_sim/interrupt.h"

#include <csignal>
#include <cstdlib>
#include <systemc>

namespace dve::sim {
namespace {

volatile std::sig_atomic_t received = 0;

extern "C" void remember(int signal) { received = signal; }

}  // namespace

Interrupt::Interrupt() {
    std::signal(SIGINT, remember);
    std::signal(SIGTERM, remember);
    std::signal(SIGHUP, remember);
    // A reader that leaves and a limit of file size are write errors like others.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    // The kernel would say on standard output that it was stopped.
    sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_INFO,
                                            sc_core::SC_DO_NOTHING);
}

Interrupt::~Interrupt() {
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    std::signal(SIGHUP, SIG_DFL);
}

int Interrupt::signal_number() { return received; }

void Interrupt::poll() {
    if (received != 0 && !stopping_) {
        stopping_ = true;
        sc_core::sc_stop();
    }
}

void Interrupt::end_process() {
    const int signal = received;
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    std::abort();  // not reached: the default action ends the process
}

}  // namespace dve::sim
