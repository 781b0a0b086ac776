/* The header for drivers is C99 and needs nothing else. */
#include "dve/dve_registers.h"

static const unsigned offsets[] = {DVE_START_OFFSET, DVE_CYCLES_HI_OFFSET, DVE_EVENT_CLEAR_OFFSET};

unsigned dve_test_offset(unsigned index) { return offsets[index]; }
