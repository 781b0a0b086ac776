// The lane program: what the 128 lanes do for one instruction, free of the wire format.
//
// A worker builds it from an instruction; the loose executor and the cycle pipeline both run it.
#pragma once

#include <array>
#include <cstdint>

#include "models/alu/kernels.h"
#include "models/alu/scan.h"
#include "models/isa/enums.h"
#include "models/isa/opcode.h"

namespace dve {

/// One dimension of a walk, normalised: counts above one, innermost first.
struct WalkDimension {
    std::int64_t step;    ///< bytes
    std::uint32_t count;  ///< elements
};

/// The list by which an indirect operand takes its elements (isa_wire_format 3.2, D-10): UINT32
/// words, each the number of an element. `sharers` channels have one list that runs across their
/// partitions: word i lies in partition i % sharers of theirs, at word i / sharers.
struct IndexList {
    bool used = false;
    Space space = Space::SBUF;
    std::uint8_t sharers = 1;
    std::uint8_t partition = 0;   ///< of the first list's word 0
    std::uint8_t partitions = 0;  ///< of all lists; a group counts whole, with idle channels
    std::uint32_t low = 0;        ///< bytes of each partition: [low, high)
    std::uint32_t high = 0;
};

/// A tensor operand in one memory: the same walk in `channels` consecutive partitions, or elements
/// by number.
struct TensorOperand {
    bool used = false;
    bool from_register = false;  ///< its address, or its list's, came out of R[]
    Space space = Space::SBUF;
    std::uint8_t partition = 0;  ///< of channel 0
    std::uint32_t byte = 0;      ///< of element 0, inside the partition
    IndexList list;              ///< used: an indirect operand, without a walk
    Dtype dtype = Dtype::FP32;
    std::uint8_t element_bytes = 4;
    std::uint8_t dimensions = 0;  ///< of `walk`; 0: a single element
    std::array<WalkDimension, 4> walk{};
    /// Bytes touched in a partition: [low, high). Of an indirect operand all that it may touch.
    std::int64_t low = 0;
    std::int64_t high = 0;

    /// Elements follow each other without a gap.
    bool contiguous() const {
        return !list.used &&
               (dimensions == 0 || (dimensions == 1 && walk[0].step == element_bytes));
    }
    /// Inner step of one element: the timing's "contiguous" (timing, inner dimension).
    bool inner_contiguous() const {
        return !list.used && (dimensions == 0 || walk[0].step == element_bytes);
    }
    /// No byte is touched twice, as far as the steps alone can tell.
    bool injective() const;
    bool same_walk(const TensorOperand& other) const;
};

/// A scalar operand of a stage, or the initial value of a scan.
struct ScalarOperand {
    enum class Source : std::uint8_t { NONE, INLINE, POINTER };
    Source source = Source::NONE;
    bool from_register = false;  ///< its address came out of R[]
    std::uint32_t bits = 0;      ///< INLINE: FP32 bits, or raw bits for bitvec
    Space space = Space::SBUF;   ///< POINTER: one value per channel at the same byte
    std::uint8_t partition = 0;
    std::uint32_t byte = 0;
    Dtype dtype = Dtype::FP32;  ///< POINTER: type of the stored value
};

/// What the lanes compute in front of the tail.
enum class Front : std::uint8_t {
    STAGES,       ///< the two ALU stages
    SELECT,       ///< src0 (raw, not zero) ? src1 : scalar0
    EXPONENTIAL,  ///< exp(src0 - scalar0)
};

/// What happens behind the front.
enum class Tail : std::uint8_t {
    STORE,             ///< convert and write
    SCAN,              ///< prefix or recurrence over the row, then convert and write
    ACCUMULATE,        ///< fold into the lane's accumulator; `store` says whether dst is written
    READ_ACCUMULATOR,  ///< no source: write the accumulator
    CUMULATIVE,        ///< out[i] = out[i-1] stage0 in[i], restarting every `run_elements`
};

struct LaneProgram {
    const OpcodeRow* opcode = nullptr;
    unsigned channels = 0;
    std::uint32_t elements = 0;  ///< per partition

    TensorOperand src0;
    TensorOperand src1;
    TensorOperand dst;
    ScalarOperand scalar0;  ///< right operand of stage 0; initial value of a carried scan
    ScalarOperand scalar1;
    ElementwiseSpec elementwise;  ///< dtypes, the two stages, bitvec

    Front front = Front::STAGES;
    bool transposed = false;       ///< src0 goes through the 32 x 32 transpose of its quadrants
    bool select_inverted = false;  ///< SELECT: the predicate counts as its opposite
    Tail tail = Tail::STORE;
    bool store = true;  ///< dst is written

    // SCAN
    ScanRecurrence recurrence = ScanRecurrence::COMBINE_PREFIX;
    ScanOrder order = ScanOrder::ROTATE_COMBINE;
    AluOp combine = AluOp::ADD;

    // ACCUMULATE, READ_ACCUMULATOR
    AccumCmd accumulate = AccumCmd::IDLE;
    AluOp accumulate_op = AluOp::ADD;
    std::uint32_t identity = 0;  ///< FP32 bits that ZERO_ACCUMULATE starts from
    bool tap_after_conversion = false;
    bool emit = false;                 ///< dst takes the accumulator after each element
    bool forgets_accumulator = false;  ///< Idle on an accumulating opcode: no program may read it
    bool negated = false;

    // CUMULATIVE
    std::uint32_t run_elements = 0;

    /// Its elements are known when the lists in memory are.
    bool reads_lists() const { return src0.list.used || dst.list.used; }
    /// Good for one execution only: the next time R[] may hold other addresses.
    bool reads_registers() const {
        return src0.from_register || src1.from_register || dst.from_register ||
               scalar0.from_register || scalar1.from_register;
    }
};

}  // namespace dve
