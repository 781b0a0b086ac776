// The semantics that the sources leave open, one strategy per item (decisions 1 and 3).
//
// Each member is a row of the assumption registry (platform/parameters), with its evidence.
#pragma once

#include "models/alu/number_model.h"
#include "models/alu/scan.h"
#include "models/isa/alu_op.h"
#include "models/isa/check.h"

namespace dve {

/// 0x9D with Accumulate or ZeroAccumulate.
enum class SttAccumulate : std::uint8_t {
    REPLACES_STORE,  ///< the result goes to the accumulator, dst is not written
    ADDS_TO_STORE,   ///< dst is written, and the accumulator takes the result as well
};

/// Where an accumulator taps the result.
enum class AccumulatorTap : std::uint8_t { BEFORE_CONVERSION, AFTER_CONVERSION };

/// Who has a list of indices of its own (D-10).
enum class IndirectList : std::uint8_t {
    GROUP,      ///< 16 partitions together; the list runs across them
    PARTITION,  ///< every partition
};

struct Semantics {
    ScanRecurrence scan_recurrence = ScanRecurrence::COMBINE_PREFIX;
    ScanOrder scan_order = ScanOrder::ROTATE_COMBINE;
    AluOp scan_combine = AluOp::ADD;  ///< registered in kernel_info at boot
    SttAccumulate stt_accumulate = SttAccumulate::REPLACES_STORE;
    AccumulatorTap accumulator_tap = AccumulatorTap::BEFORE_CONVERSION;
    IndirectList indirect_list = IndirectList::GROUP;
    NumberModel numbers;
};

}  // namespace dve
