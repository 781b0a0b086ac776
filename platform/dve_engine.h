// The assembled engine: sequencer, kernel_info, datapath, SBUF and PSUM behind TLM sockets.
#pragma once

#include <tlm.h>

#include <memory>

#include "models/dve/dve_datapath.h"
#include "models/kernel_info/kernel_info_table.h"
#include "models/memory/partitioned_memory.h"
#include "models/seq/sequencer.h"
#include "models/workers/workers.h"
#include "platform/configuration.h"
#include "platform/register_block.h"
#include "tlm/router.h"
#include "tlm/systemc_compat.h"

namespace dve {

/// Period of the engine clock.
sc_core::sc_time cycle_time(const Configuration& configuration);

/// How targets around the engine answer nb_transport in its timing view: four phases in the
/// approximate one.
NonBlockingStyle non_blocking_style(const Configuration& configuration);

/// One DVE. Bind `csr` and `memory` from the host side, `fetch` to system memory, `irq` to a
/// signal. `clk` and `reset_n` may be left unbound.
///
/// clk:    the engine times itself by clock.ghz (cycle_time), bound or not; an sc_clock of another
///         period is an error at the end of elaboration
/// reset_n: its falling edge resets the engine; while it is low, writes to csr answer an error
/// csr:    32-bit registers, see platform/registers.def
/// memory: the engine-local byte map: SBUF by partition stride, PSUM at its base
/// fetch:  reads of the instruction stream, writes of notifications
/// irq:    level, high while an enabled cause is set
class DveEngine : public sc_core::sc_module {
public:
    tlm::tlm_target_socket<> csr;
    tlm::tlm_target_socket<> memory;
    tlm::tlm_initiator_socket<> fetch;
    sc_core::sc_out<bool> irq;
    sc_core::sc_in<bool> clk;
    sc_core::sc_in<bool> reset_n;

    /// `log` must outlive the engine.
    DveEngine(sc_core::sc_module_name name, const Configuration& configuration, FirmwareLog& log);

    const Configuration& configuration() const { return configuration_; }

    /// The parts, for statistics and backdoor loads; a platform needs none of them.
    Sequencer& sequencer() { return sequencer_; }
    DveDatapath& datapath() { return datapath_; }
    PartitionedMemory& memory_of(Space space) { return space == Space::SBUF ? sbuf_ : psum_; }

    /// Registers, semaphores, accumulators, kernel_info as after power-on; memories keep their
    /// bytes, and direct access to them has to be asked for again. At any moment: a run ends where
    /// it is. A fetch on its way comes back when the memory lets it, and the next run waits for it.
    void reset();

private:
    void before_end_of_elaboration() override;
    void end_of_elaboration() override;

    Configuration configuration_;
    FirmwareWorkers workers_;
    Sequencer sequencer_;
    KernelInfoTable kernel_info_;
    DveDatapath datapath_;
    PartitionedMemory sbuf_;
    PartitionedMemory psum_;
    PortHolds sbuf_holds_;
    PortHolds psum_holds_;
    RegisterBlock registers_;
    Router map_;
    std::unique_ptr<sc_core::sc_signal<bool>> idle_clock_;
    std::unique_ptr<sc_core::sc_signal<bool>> idle_reset_;
};

}  // namespace dve
