// Everything that a run of the engine depends on besides program and data, as plain values.
#pragma once

#include "models/isa/check.h"
#include "models/lane_program/semantics.h"
#include "models/lane_program/timing.h"
#include "models/seq/sequencer_timing.h"
#include "tlm/timing_mode.h"

namespace dve {

/// The two readings of the sources (decisions 1).
enum class SemanticsProfile : std::uint8_t { REFERENCE, PUBLISHED };

struct Configuration {
    SemanticsProfile profile = SemanticsProfile::REFERENCE;
    IsaConfiguration isa;
    Semantics semantics;
    TimingParameters timing;
    SequencerTiming sequencer;
    TimingMode mode = TimingMode::LOOSE;
    /// Approximate view: requests that csr and each memory hold at once.
    std::uint32_t approx_outstanding = 4;
    /// Cycles that an access to csr takes.
    std::uint32_t csr_access = 1;
    double clock_ghz = 1.2;

    /// Defaults of a generation and a profile; single parameters may be set afterwards.
    static Configuration defaults(Generation generation, SemanticsProfile profile);
    Generation generation() const { return isa.generation; }
};

}  // namespace dve
