// The stages, one element of all lanes at a time.
#include "models/dve/lane_stages.h"

#include <algorithm>
#include <cstring>

#include "models/alu/evaluate.h"
#include "models/alu/exponential.h"
#include "models/alu/integer.h"
#include "models/alu/integer_kernels.h"
#include "models/dve/loose_run.h"
#include "models/lane_program/timing.h"

namespace dve {
namespace {

/// Scalars arrive as one word per lane, so every stage sees a span.
StageSpec with_span(StageSpec spec) {
    spec.operand = StageOperand::TENSOR;
    return spec;
}

}  // namespace

void LaneStages::load_scalar(const ScalarOperand& scalar, Lanes& values, const MemoryRows& rows) {
    if (scalar.source != ScalarOperand::Source::POINTER) {
        values.fill(scalar.bits);
        return;
    }
    const unsigned size = element_bytes(scalar.dtype);
    const bool raw_bits = program_->elementwise.bitvec || program_->elementwise.integer;
    for (unsigned lane = 0; lane < lanes_; ++lane) {
        const std::uint64_t raw =
            load_raw(rows.partition(scalar.partition + lane) + scalar.byte, size);
        values[lane] = raw_bits ? static_cast<std::uint32_t>(raw)
                                : to_fp32(scalar.dtype, raw, *model_, *status_);
    }
}

void LaneStages::begin(const LaneProgram& program, const NumberModel& model, FpStatus& status,
                       const MemoryRows& sbuf, const MemoryRows& psum) {
    program_ = &program;
    model_ = &model;
    status_ = &status;
    lanes_ = program.channels;
    const auto rows = [&](const ScalarOperand& scalar) -> const MemoryRows& {
        return scalar.space == Space::SBUF ? sbuf : psum;
    };
    load_scalar(program.scalar0, scalar0_, rows(program.scalar0));
    load_scalar(program.scalar1, scalar1_, rows(program.scalar1));
    select_stages();
}

void LaneStages::select_stages() {
    const LaneProgram& program = *program_;
    const ElementwiseSpec& spec = program.elementwise;
    kind_ = is_integer_spec(spec) ? Kind::INTEGER : spec.bitvec ? Kind::BITVEC : Kind::FP32;
    first_ = program.front == Front::SELECT        ? First::SELECT
             : program.front == Front::EXPONENTIAL ? First::EXPONENTIAL
             : program.tail == Tail::CUMULATIVE    ? First::CUMULATIVE
                                                   : First::STAGES;
    if (program.tail == Tail::SCAN && program.recurrence == ScanRecurrence::CARRIED) {
        first_ = scans_in_network(program) ? First::CARRIED_MAP : First::CARRIED_SEQUENTIAL;
        carried_scan_operations(spec.stage0, spec.stage1, *model_, *status_, scan_);
        state_ = scalar0_;
    } else if (program.tail == Tail::SCAN) {
        scan_.op0 = ScanCombine({program.combine, false, StageOperand::TENSOR}, *model_, *status_);
    }
    const auto converts = [](Dtype dtype) { return dtype != Dtype::FP32; };
    in0_ = program.src0.used && converts(program.src0.dtype)
               ? dve::convert_in(program.src0.dtype, *model_)
               : nullptr;
    in1_ = program.src1.used && converts(program.src1.dtype)
               ? dve::convert_in(program.src1.dtype, *model_)
               : nullptr;
    out_ = dve::convert_out(program.dst.dtype, *model_);
    const bool tail_in_hub = program.tail == Tail::ACCUMULATE || program.tail == Tail::SCAN;
    hub_ =
        tail_in_hub && first_ == First::STAGES ? dve::convert_out(Dtype::FP32, *model_) : nullptr;
    back_ = program.tap_after_conversion ? dve::convert_in(program.dst.dtype, *model_) : nullptr;
    accumulate_ = program.tail == Tail::ACCUMULATE && program.accumulate != AccumCmd::IDLE
                      ? stage({program.accumulate_op, false, StageOperand::TENSOR}, *model_)
                      : nullptr;
    StageSpec stage0 = spec.stage0;
    if (first_ == First::EXPONENTIAL) {
        stage0 = {AluOp::SUBTRACT, false, StageOperand::SCALAR};
    }
    const StageSpec specs[2] = {stage0, spec.stage1};
    for (unsigned i = 0; i < 2; ++i) {
        const bool passes = specs[i].op == AluOp::BYPASS && first_ != First::CUMULATIVE;
        stages_[i] = nullptr;
        bitvec_stages_[i] = nullptr;
        if (!passes && kind_ == Kind::FP32) {
            stages_[i] = stage(with_span(specs[i]), *model_);
        } else if (!passes && kind_ == Kind::BITVEC) {
            bitvec_stages_[i] = bitvec_stage(with_span(specs[i]), *model_);
        }
    }
    if (kind_ != Kind::INTEGER || first_ == First::CUMULATIVE) {
        return;
    }
    // Two integer stages meet at 32 bits (decisions 3); a single one goes straight to dst.
    integer_two_ = spec.stage1.op != AluOp::BYPASS;
    ElementwiseSpec first = spec;
    first.stage1 = {};
    ElementwiseSpec second = spec;
    second.stage0 = spec.stage1;
    second.stage1 = {};
    if (integer_two_ && spec.stage0.op != AluOp::BYPASS) {
        first.out = IntegerType::of(spec.in0).is_signed ? Dtype::INT32 : Dtype::UINT32;
        second.in0 = first.out;
    }
    integer_stages_[0] = ElementwiseKernel::select(first, *model_);
    integer_stages_[1] = ElementwiseKernel::select(second, *model_);
}

/// Raw elements to zero-extended words, in place.
void LaneStages::widen(std::uint8_t* plane, unsigned bytes) {
    auto* words = reinterpret_cast<std::uint32_t*>(plane);
    if (bytes == 4) {
        return;
    }
    for (unsigned lane = lanes_; lane-- > 0;) {  // downwards: a word is no narrower than an element
        words[lane] = static_cast<std::uint32_t>(load_raw(plane + lane * bytes, bytes));
    }
}

void LaneStages::convert_in(const LaneElement& element) {
    if (kind_ == Kind::INTEGER) {
        return;
    }
    const LaneProgram& program = *program_;
    std::uint8_t raw[8 * dve_num_channels];
    const auto convert = [&](ConvertInFunction function, std::uint8_t* plane, unsigned bytes) {
        std::memcpy(raw, plane, std::size_t{bytes} * lanes_);
        function(raw, reinterpret_cast<std::uint32_t*>(plane), lanes_, *model_, *status_);
    };
    if (kind_ == Kind::BITVEC) {
        widen(element.a, program.src0.element_bytes);
        if (program.src1.used) {
            widen(element.b, program.src1.element_bytes);
        }
        return;
    }
    if (first_ == First::SELECT) {
        const unsigned bytes = program.src0.element_bytes;
        Lanes chosen;
        for (unsigned lane = 0; lane < lanes_; ++lane) {
            chosen[lane] =
                (load_raw(element.a + lane * bytes, bytes) != 0) != program.select_inverted;
        }
        std::memcpy(element.a, chosen.data(), lanes_ * sizeof chosen[0]);
    } else if (in0_ != nullptr) {
        convert(in0_, element.a, program.src0.element_bytes);
    }
    if (in1_ != nullptr) {
        convert(in1_, element.b, program.src1.element_bytes);
    }
}

void LaneStages::run_integer_stage(unsigned number, const LaneElement& element) {
    const ElementwiseKernel& kernel = integer_stages_[number];
    const unsigned in_bytes = element_bytes(kernel.spec.in0);
    const unsigned out_bytes = element_bytes(kernel.spec.out);
    std::uint8_t result[8 * dve_num_channels];
    ElementwiseArguments arguments;
    arguments.rows = lanes_;
    arguments.columns = 1;
    arguments.src0 = {element.a, static_cast<std::ptrdiff_t>(in_bytes)};
    if (program_->src1.used) {
        arguments.src1 = {element.b, static_cast<std::ptrdiff_t>(element_bytes(kernel.spec.in1))};
    }
    arguments.dst = {result, static_cast<std::ptrdiff_t>(out_bytes)};
    arguments.scalar0 = {number == 0 ? scalar0_.data() : scalar1_.data(), 1};
    kernel.run(arguments, *status_);
    std::memcpy(element.a, result, std::size_t{out_bytes} * lanes_);
}

unsigned LaneStages::value_bytes(unsigned number) const {
    if (kind_ != Kind::INTEGER) {
        return sizeof(std::uint32_t);
    }
    if (number == 1 || first_ == First::CUMULATIVE || !integer_two_) {
        return program_->dst.element_bytes;
    }
    return element_bytes(integer_stages_[1].spec.in0);
}

void LaneStages::run_stage(unsigned number, const LaneElement& element) {
    const StageSpec& spec =
        number == 0 ? program_->elementwise.stage0 : program_->elementwise.stage1;
    if (kind_ == Kind::INTEGER) {
        const bool bypassed = spec.op == AluOp::BYPASS;
        if (number == 0 ? !(integer_two_ && bypassed) : integer_two_) {
            run_integer_stage(number, element);
        }
        return;
    }
    const bool tensor = spec.operand == StageOperand::TENSOR && first_ != First::EXPONENTIAL;
    const std::uint32_t* right = tensor        ? element.words_b()
                                 : number == 0 ? scalar0_.data()
                                               : scalar1_.data();
    std::uint32_t* value = element.words_a();
    if (stages_[number] != nullptr) {
        stages_[number](value, right, value, lanes_, *model_, *status_);
    } else if (bitvec_stages_[number] != nullptr) {
        bitvec_stages_[number](value, right, value, lanes_, 8U * program_->src0.element_bytes,
                               *model_);
    }
}

void LaneStages::cumulative_integer(const LaneElement& element) {
    const IntegerType type = IntegerType::of(program_->src0.dtype);
    const unsigned in_bytes = program_->src0.element_bytes;
    const unsigned out_bytes = program_->dst.element_bytes;
    std::uint8_t result[8 * dve_num_channels];
    for (unsigned lane = 0; lane < lanes_; ++lane) {
        const std::uint64_t next = extend(load_raw(element.a + lane * in_bytes, in_bytes), type);
        std::uint64_t& state = state64_[lane];
        state = element.index % program_->run_elements == 0
                    ? next
                    : extend(*evaluate_integer(program_->elementwise.stage0.op, state, next, type,
                                               type, *status_),
                             type);
        const std::uint64_t stored = wrap(state, IntegerType::of(program_->dst.dtype));
        std::memcpy(result + lane * out_bytes, &stored, out_bytes);
    }
    std::memcpy(element.a, result, std::size_t{out_bytes} * lanes_);
}

void LaneStages::cumulative(const LaneElement& element) {
    if (kind_ == Kind::INTEGER) {
        return cumulative_integer(element);
    }
    std::uint32_t* value = element.words_a();
    if (element.index % program_->run_elements != 0) {
        if (kind_ == Kind::BITVEC) {
            bitvec_stages_[0](state_.data(), value, value, lanes_,
                              8U * program_->src0.element_bytes, *model_);
        } else {
            stages_[0](state_.data(), value, value, lanes_, *model_, *status_);
        }
    }
    std::memcpy(state_.data(), value, lanes_ * sizeof *value);
}

void LaneStages::alu0(const LaneElement& element) {
    std::uint32_t* a = element.words_a();
    std::uint32_t* b = element.words_b();
    switch (first_) {
        case First::STAGES:
        case First::EXPONENTIAL: run_stage(0, element); break;
        case First::SELECT:
            for (unsigned lane = 0; lane < lanes_; ++lane) {
                a[lane] = a[lane] != 0 ? b[lane] : scalar0_[lane];
            }
            break;
        case First::CUMULATIVE: cumulative(element); break;
        case First::CARRIED_MAP: MapAlgebra(scan_, lanes_).element(a, b); break;
        case First::CARRIED_SEQUENTIAL: {
            // The loop over both stages closes here; ALU1 shows what it gave.
            scan_.op0(a, state_.data(), a, lanes_);
            scan_.op1(a, b, state_.data(), lanes_);
            std::memcpy(b, state_.data(), lanes_ * sizeof *b);
            break;
        }
    }
}

void LaneStages::alu1(const LaneElement& element) {
    switch (first_) {
        case First::STAGES:
            run_stage(1, element);
            if (hub_ != nullptr) {
                Lanes words;
                std::memcpy(words.data(), element.a, lanes_ * sizeof words[0]);
                hub_(words.data(), element.a, lanes_, *model_, *status_);
            }
            break;
        case First::EXPONENTIAL: exponential(element.words_a(), lanes_, *model_, *status_); break;
        case First::CARRIED_SEQUENTIAL:
            std::memcpy(element.a, element.b, lanes_ * sizeof(std::uint32_t));
            break;
        default: break;
    }
}

bool LaneStages::pass(unsigned pass, const LaneElement& element) {
    const std::size_t place = element.index % scan_window;
    const std::size_t stride = std::size_t{1} << pass;
    const std::size_t bytes = lanes_ * sizeof(std::uint32_t);
    const bool maps = first_ == First::CARRIED_MAP;
    std::memcpy(history_a_[pass][place].data(), element.a, bytes);
    if (maps) {
        std::memcpy(history_b_[pass][place].data(), element.b, bytes);
    }
    if (place < stride) {
        return false;
    }
    const std::uint32_t* earlier = history_a_[pass][place - stride].data();
    std::uint32_t* a = element.words_a();
    if (maps) {
        MapAlgebra(scan_, lanes_)
            .compose(earlier, history_b_[pass][place - stride].data(), a, element.words_b());
    } else {
        scan_.op0(earlier, a, a, lanes_);
    }
    return true;
}

bool LaneStages::carry(const LaneElement& element) {
    std::uint32_t* a = element.words_a();
    const std::size_t bytes = lanes_ * sizeof *a;
    if (!scans_in_network(*program_)) {
        const bool combines = element.index != 0;
        if (combines) {
            scan_.op0(state_.data(), a, a, lanes_);
        }
        std::memcpy(state_.data(), a, bytes);
        return combines;
    }
    bool combines = true;
    if (first_ == First::CARRIED_MAP) {
        MapAlgebra(scan_, lanes_).apply(a, element.words_b(), state_.data(), a);
    } else if (element.index >= scan_window) {
        scan_.op0(state_.data(), a, a, lanes_);
    } else {
        combines = false;
    }
    if (element.index % scan_window == scan_window - 1) {
        std::memcpy(state_.data(), a, bytes);
    }
    return combines;
}

void LaneStages::accumulate(const LaneElement& element, Accumulators& accumulators) {
    if (accumulate_ == nullptr) {
        return;
    }
    std::uint32_t* bits = accumulators.bits.data();
    if (element.index == 0 && program_->accumulate == AccumCmd::ZERO_ACCUMULATE) {
        std::fill_n(bits, lanes_, program_->identity);
    } else if (element.index == 0 && program_->accumulate == AccumCmd::LOAD_ACCUMULATE) {
        std::copy_n(scalar1_.data(), lanes_, bits);
    }
    Lanes converted;
    const std::uint32_t* value = element.words_a();
    if (program_->tap_after_conversion && !program_->emit) {
        back_(element.a, converted.data(), lanes_, *model_, *status_);
        value = converted.data();
    }
    accumulate_(value, bits, bits, lanes_, *model_, *status_);
    if (program_->emit) {
        std::memcpy(element.a, bits, lanes_ * sizeof *bits);
    }
}

void LaneStages::read_accumulators(const LaneElement& element, const Accumulators& accumulators) {
    const std::uint32_t sign = program_->negated ? 0x80000000U : 0U;
    std::uint32_t* value = element.words_a();
    for (unsigned lane = 0; lane < lanes_; ++lane) {
        value[lane] = accumulators.bits[lane] ^ sign;
    }
}

void LaneStages::convert_out(const LaneElement& element) {
    if (kind_ == Kind::INTEGER) {
        return;
    }
    if (kind_ == Kind::BITVEC) {
        const unsigned bytes = program_->dst.element_bytes;
        const std::uint32_t* words = element.words_a();
        for (unsigned lane = 0; lane < lanes_ && bytes != 4; ++lane) {
            const std::uint32_t word = words[lane];
            std::memcpy(element.a + lane * bytes, &word, bytes);
        }
        return;
    }
    Lanes words;
    std::memcpy(words.data(), element.a, lanes_ * sizeof words[0]);
    out_(words.data(), element.a, lanes_, *model_, *status_);
}

}  // namespace dve
