// What the stages of the cycle pipeline do to one element of all lanes. No SystemC, no timing.
#pragma once

#include <array>
#include <cstdint>

#include "models/alu/kernels.h"
#include "models/alu/scan_exact.h"
#include "models/dve/loose_executor.h"
#include "models/lane_program/lane_program.h"

namespace dve {

/// One element of all lanes on its way through the pipeline. `a` and `b` hold what the last stage
/// left of the first and the second source: raw elements one behind the other after READ, 32-bit
/// words from CVT_IN on (integer programs: raw elements throughout), raw elements again after
/// CVT_OUT. 128 x 8 bytes each.
struct LaneElement {
    std::uint8_t* a = nullptr;
    std::uint8_t* b = nullptr;
    std::uint32_t index = 0;  ///< in linear order

    std::uint32_t* words_a() const { return reinterpret_cast<std::uint32_t*>(a); }
    std::uint32_t* words_b() const { return reinterpret_cast<std::uint32_t*>(b); }
};

/// The stages of one instruction, with the state that they keep between elements. Elements must
/// pass each stage in order. Values and status are those of evaluate.h.
class LaneStages {
public:
    /// Scalars are read here: pointers must be resolved and the memories current.
    /// All references must outlive the instruction.
    void begin(const LaneProgram& program, const NumberModel& model, FpStatus& status,
               const MemoryRows& sbuf, const MemoryRows& psum);

    void convert_in(const LaneElement& element);
    void alu0(const LaneElement& element);
    void alu1(const LaneElement& element);
    /// Rotate-combine pass 0..3, stride 1 << pass. False if the lane keeps its value: the element
    /// is one of the first `stride` of its window.
    bool pass(unsigned pass, const LaneElement& element);
    /// Carry combine, or the step of a sequential prefix. False if nothing was combined.
    bool carry(const LaneElement& element);
    /// Folds the element into the accumulators; with `emit` it takes their new value.
    void accumulate(const LaneElement& element, Accumulators& accumulators);
    /// 0x9B: the element takes the accumulators.
    void read_accumulators(const LaneElement& element, const Accumulators& accumulators);
    void convert_out(const LaneElement& element);

    const std::uint32_t* scalar0() const { return scalar0_.data(); }
    const std::uint32_t* scalar1() const { return scalar1_.data(); }
    /// Bytes of an element behind ALU stage `number`.
    unsigned value_bytes(unsigned number) const;
    /// Whether CVT_IN changes the words of source 0 or 1.
    bool converts(unsigned source) const {
        return kind_ == Kind::BITVEC || first_ == First::SELECT ||
               (source == 0 ? in0_ : in1_) != nullptr;
    }
    /// Elements stay raw all the way.
    bool integer() const { return kind_ == Kind::INTEGER; }

private:
    enum class Kind : std::uint8_t { FP32, BITVEC, INTEGER };
    /// What stands in front of the tail.
    enum class First : std::uint8_t {
        STAGES,
        SELECT,
        EXPONENTIAL,
        CUMULATIVE,
        CARRIED_MAP,
        CARRIED_SEQUENTIAL,
    };
    using Lanes = std::array<std::uint32_t, dve_num_channels>;

    void select_stages();
    void load_scalar(const ScalarOperand& scalar, Lanes& values, const MemoryRows& rows);
    void run_stage(unsigned number, const LaneElement& element);
    void run_integer_stage(unsigned number, const LaneElement& element);
    void cumulative(const LaneElement& element);
    void cumulative_integer(const LaneElement& element);
    void widen(std::uint8_t* plane, unsigned bytes);

    const LaneProgram* program_ = nullptr;
    const NumberModel* model_ = nullptr;
    FpStatus* status_ = nullptr;
    unsigned lanes_ = 0;
    Kind kind_ = Kind::FP32;
    First first_ = First::STAGES;

    ConvertInFunction in0_ = nullptr;  ///< null: already FP32 words
    ConvertInFunction in1_ = nullptr;
    StageFunction stages_[2] = {};
    BitvecStageFunction bitvec_stages_[2] = {};
    ElementwiseKernel integer_stages_[2];
    bool integer_two_ = false;
    StageFunction accumulate_ = nullptr;
    ConvertOutFunction out_ = nullptr;
    ConvertOutFunction hub_ = nullptr;  ///< what a tail sees behind the stages: canonical NaNs
    ConvertInFunction back_ = nullptr;  ///< what the accumulator sees behind the conversion
    ScanOperations scan_;

    alignas(64) Lanes scalar0_{};
    alignas(64) Lanes scalar1_{};
    /// Of a scan or cumulative: the carry or state; 64-bit states use both.
    alignas(64) std::array<std::uint64_t, dve_num_channels> state64_{};
    alignas(64) Lanes state_{};
    /// Inputs of the passes, one window back: [pass][element of the window].
    alignas(64) std::array<std::array<Lanes, scan_window>, scan_passes> history_a_;
    alignas(64) std::array<std::array<Lanes, scan_window>, scan_passes> history_b_;
};

}  // namespace dve
