// SIGINT, SIGTERM and SIGHUP end a run like a fault does: files are completed first.
#pragma once

#include "tlm/retire_record.h"
#include "tlm/traceable.h"

namespace dve::sim {

/// While it lives, a signal stops the simulation at the next retirement or traced cycle.
class Interrupt final : public RetireObserver, public CycleObserver {
public:
    Interrupt();
    ~Interrupt() override;
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    void retired(const RetireRecord&) override { poll(); }
    void cycle_done(std::uint64_t, std::uint64_t) override { poll(); }

    /// The signal that came; 0: none.
    static int signal_number();
    /// Ends the process the way the signal would have. To be called when all files are complete.
    [[noreturn]] static void end_process();

private:
    void poll();

    bool stopping_ = false;
};

}  // namespace dve::sim
