// The one place that knows differences between SystemC 2.3.x and 3.0.
#pragma once

#include <systemc>

// 2.3.x needs the declaration wherever a module has processes; 3.0 deprecates it.
#if defined(IEEE_1666_SYSTEMC) && IEEE_1666_SYSTEMC >= 202301L
#define DVE_HAS_PROCESS(module) static_assert(true, "")
#else
#define DVE_HAS_PROCESS(module) SC_HAS_PROCESS(module)
#endif
