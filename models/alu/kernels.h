// Vector kernels: whole rows of elements at a time, compiled per instruction set, chosen once.
//
// Every kernel gives the bits of evaluate.h for model.rounding = NEAREST_EVEN without flushing; for
// any other number model the selectors return slower kernels built on evaluate.h itself, so a
// caller never has to care. Nothing here allocates after selection.
#pragma once

#include <cstddef>
#include <cstdint>

#include "models/alu/number_model.h"
#include "models/isa/alu_op.h"
#include "models/isa/dtype.h"

namespace dve {

/// A block of rows x columns elements. Columns are contiguous in memory; row r starts at
/// data + r * row_stride. A stride of 0 repeats one row.
struct ConstRows {
    const std::uint8_t* data = nullptr;
    std::ptrdiff_t row_stride = 0;  ///< bytes
};
struct Rows {
    std::uint8_t* data = nullptr;
    std::ptrdiff_t row_stride = 0;  ///< bytes
};

/// One scalar for each row: FP32 bits for arithmetic, zero-extended raw bits for bitvec.
/// stride 0: the same scalar for all rows; stride 1: values[r] for row r.
struct RowScalars {
    const std::uint32_t* values = nullptr;
    std::size_t stride = 0;  ///< in words
};

/// Right operand of a stage.
enum class StageOperand : std::uint8_t { SCALAR, TENSOR };

/// One ALU stage of an elementwise instruction.
struct StageSpec {
    AluOp op = AluOp::BYPASS;
    bool reversed = false;  ///< operands swapped; BYPASS ignores it (decisions 3)
    StageOperand operand = StageOperand::SCALAR;
};

/// An elementwise instruction: dst = stage1(stage0(src0, operand0), operand1).
/// At most one stage takes the second tensor.
struct ElementwiseSpec {
    Dtype in0 = Dtype::FP32;
    Dtype in1 = Dtype::FP32;  ///< type of the second tensor, if any stage uses one
    Dtype out = Dtype::FP32;
    StageSpec stage0;
    StageSpec stage1;
    bool bitvec = false;   ///< raw bits, no conversion
    bool integer = false;  ///< exact integers of the types' own widths: the integer band
};

struct ElementwiseArguments {
    std::size_t rows = 0;
    std::size_t columns = 0;
    ConstRows src0;
    ConstRows src1;
    Rows dst;
    RowScalars scalar0;
    RowScalars scalar1;
};

/// Conversion of contiguous elements, whole spans.
using ConvertInFunction = void (*)(const std::uint8_t* from, std::uint32_t* fp32, std::size_t count,
                                   const NumberModel& model, FpStatus& status);
using ConvertOutFunction = void (*)(const std::uint32_t* fp32, std::uint8_t* to, std::size_t count,
                                    const NumberModel& model, FpStatus& status);
ConvertInFunction convert_in(Dtype dtype, const NumberModel& model);
ConvertOutFunction convert_out(Dtype dtype, const NumberModel& model);

/// FP32 stage over contiguous spans. `right` is a span, or one value if spec.operand is SCALAR.
/// out may be left or right.
using StageFunction = void (*)(const std::uint32_t* left, const std::uint32_t* right,
                               std::uint32_t* out, std::size_t count, const NumberModel& model,
                               FpStatus& status);
StageFunction stage(const StageSpec& spec, const NumberModel& model);

/// A bitvec stage over words that hold zero-extended elements of `width` bits; operands as above.
using BitvecStageFunction = void (*)(const std::uint32_t* left, const std::uint32_t* right,
                                     std::uint32_t* out, std::size_t count, unsigned width,
                                     const NumberModel& model);
BitvecStageFunction bitvec_stage(const StageSpec& spec, const NumberModel& model);

/// The vector passes over one tile, in order; see tiles.h. Null: the pass is not needed.
struct TilePlan {
    using Tile = std::uint32_t (*)(const ElementwiseArguments& tile, const NumberModel& model);
    Tile single = nullptr;  ///< everything in one pass
    Tile in0 = nullptr;
    Tile in1 = nullptr;
    const struct LaneOperation* lane0 = nullptr;
    const struct LaneOperation* lane1 = nullptr;
    Tile out = nullptr;
    std::uint8_t inexact = 0;  ///< FpStatus::INEXACT if the instruction can be inexact
};

/// A chosen elementwise kernel. Copyable value, no ownership.
class ElementwiseKernel {
public:
    ElementwiseKernel() = default;

    /// Never fails for operations that evaluate.h knows. O(1), no allocation.
    static ElementwiseKernel select(const ElementwiseSpec& spec, const NumberModel& model);

    /// dst may be exactly src0 or src1 (same data, stride and element size); any other overlap is
    /// the caller's to avoid.
    void run(const ElementwiseArguments& arguments, FpStatus& status) const {
        function_(*this, arguments, status);
    }

    using Function = void (*)(const ElementwiseKernel&, const ElementwiseArguments&, FpStatus&);

    // Set by select(); read by the functions it chooses. Null: the step passes its input.
    ElementwiseSpec spec{};
    NumberModel model{};
    ConvertInFunction in0 = nullptr;
    ConvertInFunction in1 = nullptr;
    StageFunction stage0 = nullptr;
    StageFunction stage1 = nullptr;
    ConvertOutFunction out = nullptr;
    BitvecStageFunction bitvec0 = nullptr;
    BitvecStageFunction bitvec1 = nullptr;
    TilePlan tiles{};

private:
    Function function_ = nullptr;
    friend struct ElementwiseSelector;
};

/// Strided elements to and from a contiguous block; element sizes 1, 2, 4, 8 bytes.
/// `step` in bytes between elements, any sign, 0 repeats. Scatter writes in order.
void gather(const std::uint8_t* from, std::ptrdiff_t step, std::uint8_t* to, std::size_t count,
            unsigned element_bytes);
void scatter(const std::uint8_t* from, std::uint8_t* to, std::ptrdiff_t step, std::size_t count,
             unsigned element_bytes);

/// Running accumulation in element order: acc = element op acc (element on the left, decisions 2),
/// one accumulator per row. With `emit`, out[r][i] is the accumulator after element i (0xE6).
/// fp32 rows are contiguous, row_stride in bytes.
void accumulate(AluOp op, const ConstRows& fp32, std::size_t rows, std::size_t columns,
                std::uint32_t* accumulators, const Rows* emit, const NumberModel& model,
                FpStatus& status);

/// Name of the instruction set in use: "baseline", "x86-64-v3", "x86-64-v4". The environment
/// variable DVE_KERNELS names another one that the machine has, read at first use.
const char* kernel_instruction_set();

}  // namespace dve
