// An instruction between dispatch and retirement, cycle by cycle.
#pragma once

#include "models/seq/sequencer.h"

namespace dve {

/// The payload of a dispatched record, what its update will do, what is known of its retirement.
struct Sequencer::Dispatched : tlm::tlm_mm_interface {
    tlm::tlm_generic_payload transaction{this};
    DispatchExtension extension;
    Record record;
    RetireRecord retire;
    PendingUpdate update{};
    bool complete = false;

    Dispatched() { transaction.set_extension(&extension); }
    ~Dispatched() override {
        // The extension is a member; the payload must not free it.
        transaction.clear_extension(&extension);
    }
    /// Last user gone: the sequencer recycles it when it retires.
    void free(tlm::tlm_generic_payload*) override {}
};

}  // namespace dve
