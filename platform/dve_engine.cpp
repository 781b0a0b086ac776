// Construction and binding of the engine's parts.
#include "platform/dve_engine.h"

#include <sstream>

namespace dve {

sc_core::sc_time cycle_time(const Configuration& configuration) {
    return sc_core::sc_time(1.0 / configuration.clock_ghz, sc_core::SC_NS);
}

NonBlockingStyle non_blocking_style(const Configuration& configuration) {
    return configuration.mode == TimingMode::APPROX
               ? NonBlockingStyle::four_phases(configuration.approx_outstanding)
               : NonBlockingStyle::early_completion();
}

DveEngine::DveEngine(sc_core::sc_module_name name, const Configuration& configuration,
                     FirmwareLog& log)
    : sc_module(name),
      csr("csr"),
      memory("memory"),
      fetch("fetch"),
      irq("irq"),
      clk("clk"),
      reset_n("reset_n"),
      configuration_(configuration),
      sequencer_("seq", configuration.isa, configuration.sequencer, cycle_time(configuration), log,
                 configuration.semantics.numbers, configuration.mode),
      kernel_info_("kernel_info", configuration.generation(), configuration.semantics.scan_combine,
                   log),
      datapath_("dve", configuration.isa, configuration.semantics, configuration.timing,
                configuration.mode, cycle_time(configuration), workers_, log),
      sbuf_("sbuf", configuration.isa.sbuf,
            {configuration.timing.sbuf_read_bytes, configuration.timing.sbuf_write_bytes},
            cycle_time(configuration), non_blocking_style(configuration)),
      psum_("psum", configuration.isa.psum,
            {configuration.timing.psum_read_bytes, configuration.timing.psum_write_bytes},
            cycle_time(configuration), non_blocking_style(configuration)),
      sbuf_holds_(PortRule::SHARED_PORT),
      psum_holds_(configuration.timing.psum_parallel_banks ? PortRule::BANKS
                                                           : PortRule::BANKS_AND_PORT),
      registers_(
          "csr_block", sequencer_, datapath_, [this] { reset(); },
          cycle_time(configuration) * configuration.csr_access, non_blocking_style(configuration)),
      map_("map") {
    if (cycle_time(configuration) == sc_core::SC_ZERO_TIME) {
        std::ostringstream text;
        text << "clock.ghz = " << configuration.clock_ghz
             << " has a period of 0 at a time resolution of " << sc_core::sc_get_time_resolution()
             << "; legal: a period of one unit at least";
        SC_REPORT_ERROR("dve/clk", text.str().c_str());
    }
    csr.bind(registers_.socket);
    registers_.irq.bind(irq);
    registers_.reset_n.bind(reset_n);
    memory.bind(map_.target);
    map_.map(configuration.isa.sbuf.base, configuration.isa.sbuf.window_bytes());
    map_.initiator.bind(sbuf_.socket);
    if (configuration.isa.psum.present) {
        map_.map(configuration.isa.psum.base, configuration.isa.psum.window_bytes());
        map_.initiator.bind(psum_.socket);
    }
    sequencer_.fetch.bind(fetch);
    sequencer_.kernel_info.bind(kernel_info_.socket);
    sequencer_.dispatch.bind(datapath_.dispatch);
    datapath_.sbuf.socket.bind(sbuf_.lanes);
    datapath_.psum.socket.bind(psum_.lanes);

    if (configuration.mode != TimingMode::LOOSE) {
        sbuf_.share_ports(sbuf_holds_);
        psum_.share_ports(psum_holds_);
    }
    if (configuration.mode == TimingMode::CYCLE) {
        datapath_.set_holds(sbuf_holds_, psum_holds_);
    }

    DVE_HAS_PROCESS(DveEngine);
    SC_METHOD(reset);
    sensitive << reset_n.neg();
    dont_initialize();
}

void DveEngine::before_end_of_elaboration() {
    if (clk.bind_count() == 0) {
        idle_clock_ = std::make_unique<sc_core::sc_signal<bool>>("idle_clock");
        clk.bind(*idle_clock_);
    }
    if (reset_n.bind_count() == 0) {
        idle_reset_ = std::make_unique<sc_core::sc_signal<bool>>("idle_reset", true);
        reset_n.bind(*idle_reset_);
    }
}

void DveEngine::end_of_elaboration() {
    const auto* clock = dynamic_cast<const sc_core::sc_clock*>(clk[0]);
    const sc_core::sc_time period = cycle_time(configuration_);
    if (clock == nullptr || clock->period() == period) {
        return;
    }
    std::ostringstream text;
    text << clk.name() << " has a period of " << clock->period() << "; legal: " << period
         << ", which is clock.ghz = " << configuration_.clock_ghz;
    SC_REPORT_ERROR("dve/clk", text.str().c_str());
}

void DveEngine::reset() {
    datapath_.reset();  // gives back what the sequencer has dispatched
    sequencer_.reset();
    datapath_.set_rounding(configuration_.semantics.numbers.rounding);
    kernel_info_.boot();
    registers_.reset();
    sbuf_.withdraw_direct_access();
    psum_.withdraw_direct_access();
}

}  // namespace dve
