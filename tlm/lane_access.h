// Marks a transaction of the lanes themselves: their port use is known beat by beat, so a memory
// grants them DMI even where others must be seen at its ports. An ignorable extension.
#pragma once

#include <tlm.h>

namespace dve {

struct LaneAccess : tlm::tlm_extension<LaneAccess> {
    tlm_extension_base* clone() const override { return new LaneAccess(*this); }
    void copy_from(const tlm_extension_base&) override {}
};

}  // namespace dve
