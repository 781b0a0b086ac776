// Selection of kernels for a number model, and the strided moves.
#include "models/alu/kernels.h"

#include <cstring>

#include "models/alu/definition_kernels.h"
#include "models/alu/elementwise.h"
#include "models/alu/exact_kernels.h"
#include "models/alu/integer_kernels.h"
#include "models/alu/tiles.h"

namespace dve {
namespace {

template <typename Element>
void gather_elements(const std::uint8_t* from, std::ptrdiff_t step, std::uint8_t* to,
                     std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        std::memcpy(to + i * sizeof(Element), from + static_cast<std::ptrdiff_t>(i) * step,
                    sizeof(Element));
    }
}

template <typename Element>
void scatter_elements(const std::uint8_t* from, std::uint8_t* to, std::ptrdiff_t step,
                      std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        std::memcpy(to + static_cast<std::ptrdiff_t>(i) * step, from + i * sizeof(Element),
                    sizeof(Element));
    }
}

}  // namespace

struct ElementwiseSelector {
    static ElementwiseKernel select(const ElementwiseSpec& spec, const NumberModel& model) {
        ElementwiseKernel kernel;
        kernel.spec = spec;
        kernel.model = model;
        if (is_integer_spec(spec)) {
            kernel.function_ = run_integer_blocks;
            return kernel;
        }
        const bool passes0 = spec.stage0.op == AluOp::BYPASS;
        const bool passes1 = spec.stage1.op == AluOp::BYPASS;
        if (spec.bitvec) {
            kernel.bitvec0 = passes0 ? nullptr : bitvec_stage(spec.stage0, model);
            kernel.bitvec1 = passes1 ? nullptr : bitvec_stage(spec.stage1, model);
            kernel.function_ = run_bitvec_blocks;
            return kernel;
        }
        kernel.in0 = convert_in(spec.in0, model);
        kernel.in1 = convert_in(spec.in1, model);
        kernel.stage0 = passes0 ? nullptr : stage(spec.stage0, model);
        kernel.stage1 = passes1 ? nullptr : stage(spec.stage1, model);
        kernel.out = convert_out(spec.out, model);
        const bool tiles = plan_tiles(spec, model, kernel.tiles);
        kernel.function_ = tiles ? run_tiles : run_arithmetic_blocks;
        return kernel;
    }
};

ElementwiseKernel ElementwiseKernel::select(const ElementwiseSpec& spec, const NumberModel& model) {
    return ElementwiseSelector::select(spec, model);
}

ConvertInFunction convert_in(Dtype dtype, const NumberModel& model) {
    const ConvertInFunction vector = exact_convert_in(dtype, model);
    return vector != nullptr ? vector : definition_convert_in(dtype);
}

ConvertOutFunction convert_out(Dtype dtype, const NumberModel& model) {
    const ConvertOutFunction vector = exact_convert_out(dtype, model);
    return vector != nullptr ? vector : definition_convert_out(dtype);
}

StageFunction stage(const StageSpec& spec, const NumberModel& model) {
    const StageFunction vector = exact_stage(spec, model);
    return vector != nullptr ? vector : definition_stage(spec);
}

BitvecStageFunction bitvec_stage(const StageSpec& spec, const NumberModel& model) {
    const BitvecStageFunction vector = vector_bitvec_stage(spec, model);
    return vector != nullptr ? vector : definition_bitvec_stage(spec);
}

void gather(const std::uint8_t* from, std::ptrdiff_t step, std::uint8_t* to, std::size_t count,
            unsigned element_bytes) {
    if (step == static_cast<std::ptrdiff_t>(element_bytes)) {
        std::memcpy(to, from, count * element_bytes);
        return;
    }
    switch (element_bytes) {
        case 1: return gather_elements<std::uint8_t>(from, step, to, count);
        case 2: return gather_elements<std::uint16_t>(from, step, to, count);
        case 4: return gather_elements<std::uint32_t>(from, step, to, count);
        default: return gather_elements<std::uint64_t>(from, step, to, count);
    }
}

void scatter(const std::uint8_t* from, std::uint8_t* to, std::ptrdiff_t step, std::size_t count,
             unsigned element_bytes) {
    if (step == static_cast<std::ptrdiff_t>(element_bytes)) {
        std::memcpy(to, from, count * element_bytes);
        return;
    }
    switch (element_bytes) {
        case 1: return scatter_elements<std::uint8_t>(from, to, step, count);
        case 2: return scatter_elements<std::uint16_t>(from, to, step, count);
        case 4: return scatter_elements<std::uint32_t>(from, to, step, count);
        default: return scatter_elements<std::uint64_t>(from, to, step, count);
    }
}

}  // namespace dve
