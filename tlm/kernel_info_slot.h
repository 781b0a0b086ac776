// The 16-byte slot that kernel_info and the sequencer exchange.
#pragma once

#include <cstdint>

namespace dve {

/// Four words (D-19: only the worker's place is published).
struct KernelInfoSlot {
    std::uint32_t opcode = 0;
    std::uint32_t struct_id = 0;
    std::uint32_t flags = 0;           ///< 0xE5: bits 7:0 name the operator of the prefix
    std::uint32_t worker_address = 0;  ///< at byte 12
};
static_assert(sizeof(KernelInfoSlot) == 16);

}  // namespace dve
