// A trace file as the kernel sees it; the one place where SystemC 2.3.x and 3.0 differ about it.
#pragma once

#include "tlm/systemc_compat.h"

namespace dve {

#if defined(IEEE_1666_SYSTEMC) && IEEE_1666_SYSTEMC >= 202301L

/// Calls cycle() of its subclass between attach() and detach().
class KernelTraceFile : public sc_core::sc_trace_file, private sc_core::sc_stage_callback_if {
public:
    void delta_cycles(bool flag) override {
        if (flag != with_deltas_) {
            with_deltas_ = flag;
            flag ? sc_core::sc_register_stage_callback(*this, sc_core::SC_POST_UPDATE)
                 : sc_core::sc_unregister_stage_callback(*this, sc_core::SC_POST_UPDATE);
        }
    }

protected:
    void attach() { sc_core::sc_register_stage_callback(*this, sc_core::SC_PRE_TIMESTEP); }
    void detach() {
        delta_cycles(false);
        sc_core::sc_unregister_stage_callback(*this, sc_core::SC_PRE_TIMESTEP);
    }
    bool with_deltas() const { return with_deltas_; }

private:
    void stage_callback(const sc_core::sc_stage& stage) override {
        cycle(stage == sc_core::SC_POST_UPDATE);
    }

    bool with_deltas_ = false;
};

#else

/// Calls cycle() of its subclass between attach() and detach().
class KernelTraceFile : public sc_core::sc_trace_file {
public:
    void delta_cycles(bool flag) override { with_deltas_ = flag; }

protected:
    void attach() { sc_core::sc_get_curr_simcontext()->add_trace_file(this); }
    void detach() { sc_core::sc_get_curr_simcontext()->remove_trace_file(this); }
    bool with_deltas() const { return with_deltas_; }

private:
    bool with_deltas_ = false;
};

#endif

}  // namespace dve
