// The vector kernels against the element-wise definition: bits and status, for every operation,
// type, operand shape, size, placement and instruction set of this machine.
#include "models/alu/kernels.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "models/alu/evaluate.h"
#include "models/alu/kernel_table.h"
#include "tests/alu/samples.h"

namespace dve {
namespace {

using test::any_pattern;
using test::Random;

const Dtype input_types[] = {Dtype::FP32,     Dtype::BF16,     Dtype::FP16,  Dtype::FP8_EXP3,
                             Dtype::FP8_EXP4, Dtype::FP8_EXP5, Dtype::INT8,  Dtype::UINT8,
                             Dtype::INT16,    Dtype::UINT16,   Dtype::INT32, Dtype::UINT32};

std::vector<AluOp> arithmetic_operations() {
    std::vector<AluOp> result;
    for (const AluOpRow& row : alu_op_rows()) {
        if (static_cast<unsigned>(row.op) < 0xC4 &&
            (row.in(ARITH) || row.in(GENERAL_ARITH) || row.in(UNDECIDED_ARITH))) {
            result.push_back(row.op);
        }
    }
    return result;
}

bool reads_tensor(const StageSpec& spec) {
    return spec.operand == StageOperand::TENSOR && spec.op != AluOp::BYPASS;
}

/// Ordinary: values whose results are ordinary too. Mixed: everything.
enum class Data { ORDINARY, MIXED };

/// One instruction on random data, in memory with odd strides, beside its definition.
class Case {
public:
    Case(const ElementwiseSpec& spec, const NumberModel& model, std::size_t rows,
         std::size_t columns, Data data, Random& random)
        : spec_(spec), model_(model), rows_(rows), columns_(columns) {
        bytes0_ = element_bytes(spec.in0);
        bytes1_ = element_bytes(spec.in1);
        bytes_out_ = element_bytes(spec.out);
        stride0_ = columns * bytes0_ + 4 * random.below(3) * 4;
        stride1_ = columns * bytes1_ + 4 * random.below(3) * 4;
        stride_out_ = columns * bytes_out_ + 4 * random.below(3) * 4;
        src0_.resize(rows * stride0_ + 64);
        src1_.resize(rows * stride1_ + 64);
        dst_.assign(rows * stride_out_ + 64, 0xA5);
        fill(src0_, spec.in0, stride0_, data, random);
        fill(src1_, spec.in1, stride1_, data, random);
        for (std::size_t r = 0; r < rows; ++r) {
            scalar0_.push_back(value(data, random));
            scalar1_.push_back(value(data, random));
        }
    }

    void define() {
        expected_ = dst_;
        for (std::size_t r = 0; r < rows_; ++r) {
            for (std::size_t c = 0; c < columns_; ++c) {
                const std::uint64_t result = element(r, c);
                std::memcpy(expected_.data() + r * stride_out_ + c * bytes_out_, &result,
                            bytes_out_);
            }
        }
    }

    void run(FpStatus& status) {
        const ElementwiseKernel kernel = ElementwiseKernel::select(spec_, model_);
        kernel.run(arguments(src0_.data(), src1_.data(), dst_.data()), status);
    }

    /// dst is src0 (or src1): its stride and bytes are those of the source.
    void check_in_place(bool second, FpStatus& status) {
        std::vector<std::uint8_t>& buffer = second ? src1_ : src0_;
        const std::size_t stride = second ? stride1_ : stride0_;
        const ElementwiseKernel kernel = ElementwiseKernel::select(spec_, model_);
        ElementwiseArguments in_place = arguments(src0_.data(), src1_.data(), buffer.data());
        in_place.dst.row_stride = static_cast<std::ptrdiff_t>(stride);
        kernel.run(in_place, status);
        for (std::size_t r = 0; r < rows_; ++r) {
            ASSERT_EQ(0, std::memcmp(buffer.data() + r * stride, expected_.data() + r * stride_out_,
                                     columns_ * bytes_out_))
                << "in place, row " << r;
        }
    }

    ::testing::AssertionResult matches() const {
        for (std::size_t i = 0; i < dst_.size(); ++i) {
            if (dst_[i] != expected_[i]) {
                const std::size_t row = i / stride_out_;
                const std::size_t column = i % stride_out_ / bytes_out_;
                std::uint64_t have = 0;
                std::uint64_t want = 0;
                std::memcpy(&have, &dst_[row * stride_out_ + column * bytes_out_], bytes_out_);
                std::memcpy(&want, &expected_[row * stride_out_ + column * bytes_out_], bytes_out_);
                return ::testing::AssertionFailure()
                       << "row " << row << " column " << column << std::hex << " have " << have
                       << " want " << want << " scalars " << scalar0_[row] << " " << scalar1_[row]
                       << " in " << fp32(src0_, spec_.in0, row * stride0_ + column * bytes0_)
                       << " and " << fp32(src1_, spec_.in1, row * stride1_ + column * bytes1_);
            }
        }
        return ::testing::AssertionSuccess();
    }

    FpStatus expected_status;

private:
    static std::uint32_t value(Data data, Random& random) {
        if (data == Data::MIXED) {
            return any_pattern(random);
        }
        return (random.word() & 0x807FFFFFU) | 0x3F000000U;
    }

    void fill(std::vector<std::uint8_t>& to, Dtype dtype, std::size_t stride, Data data,
              Random& random) const {
        FpStatus ignored;
        for (std::size_t r = 0; r < rows_; ++r) {
            for (std::size_t c = 0; c < columns_; ++c) {
                std::uint64_t raw = random.next();
                if (dtype == Dtype::FP32 || data == Data::ORDINARY) {
                    raw = from_fp32(dtype, value(data, random), {}, ignored);
                    if (dtype == Dtype::FP32 && data == Data::MIXED) {
                        raw = any_pattern(random);
                    }
                }
                std::memcpy(to.data() + r * stride + c * element_bytes(dtype), &raw,
                            element_bytes(dtype));
            }
        }
    }

    std::uint32_t fp32(const std::vector<std::uint8_t>& from, Dtype dtype,
                       std::size_t offset) const {
        FpStatus ignored;
        return converted(from, dtype, offset, ignored);
    }

    std::uint32_t converted(const std::vector<std::uint8_t>& from, Dtype dtype, std::size_t offset,
                            FpStatus& status) const {
        std::uint64_t raw = 0;
        std::memcpy(&raw, from.data() + offset, element_bytes(dtype));
        return to_fp32(dtype, raw, model_, status);
    }

    std::uint32_t stage(const StageSpec& spec, std::uint32_t data, std::uint32_t operand) {
        if (spec.op == AluOp::BYPASS) {
            return data;
        }
        return spec.reversed ? evaluate_fp32(spec.op, operand, data, model_, expected_status)
                             : evaluate_fp32(spec.op, data, operand, model_, expected_status);
    }

    std::uint64_t element(std::size_t r, std::size_t c) {
        const bool tensor0 = reads_tensor(spec_.stage0);
        const bool tensor1 = reads_tensor(spec_.stage1);
        const std::uint32_t x =
            converted(src0_, spec_.in0, r * stride0_ + c * bytes0_, expected_status);
        std::uint32_t t = 0;
        if (tensor0 || tensor1) {
            t = converted(src1_, spec_.in1, r * stride1_ + c * bytes1_, expected_status);
        }
        const std::uint32_t y = stage(spec_.stage0, x, tensor0 ? t : scalar0_[r]);
        const std::uint32_t z = stage(spec_.stage1, y, tensor1 ? t : scalar1_[r]);
        return from_fp32(spec_.out, z, model_, expected_status);
    }

    ElementwiseArguments arguments(std::uint8_t* src0, std::uint8_t* src1,
                                   std::uint8_t* dst) const {
        ElementwiseArguments result;
        result.rows = rows_;
        result.columns = columns_;
        result.src0 = {src0, static_cast<std::ptrdiff_t>(stride0_)};
        result.src1 = {src1, static_cast<std::ptrdiff_t>(stride1_)};
        result.dst = {dst, static_cast<std::ptrdiff_t>(stride_out_)};
        result.scalar0 = {scalar0_.data(), 1};
        result.scalar1 = {scalar1_.data(), 1};
        return result;
    }

    ElementwiseSpec spec_;
    NumberModel model_;
    std::size_t rows_;
    std::size_t columns_;
    std::size_t bytes0_ = 0;
    std::size_t bytes1_ = 0;
    std::size_t bytes_out_ = 0;
    std::size_t stride0_ = 0;
    std::size_t stride1_ = 0;
    std::size_t stride_out_ = 0;
    std::vector<std::uint8_t> src0_;
    std::vector<std::uint8_t> src1_;
    std::vector<std::uint8_t> dst_;
    std::vector<std::uint8_t> expected_;
    std::vector<std::uint32_t> scalar0_;
    std::vector<std::uint32_t> scalar1_;
};

std::string text(const ElementwiseSpec& spec) {
    std::string result = dtype_row(spec.in0).text;
    for (const StageSpec* stage : {&spec.stage0, &spec.stage1}) {
        result += std::string(" ") + alu_op_row(stage->op).text + (stage->reversed ? " rev" : "") +
                  (stage->operand == StageOperand::TENSOR
                       ? std::string(" tensor ") + dtype_row(spec.in1).text
                       : " scalar");
    }
    return result + " -> " + dtype_row(spec.out).text;
}

void check(const ElementwiseSpec& spec, const NumberModel& model, Random& random,
           std::size_t columns, Data data) {
    Case instruction(spec, model, 4, columns, data, random);
    instruction.define();
    // Flags raised before decide which passes run, never the result.
    const std::uint8_t presets[] = {0, FpStatus::INEXACT, 0x0F, 0x1F};
    FpStatus status;
    status.raise(presets[random.below(4)]);
    instruction.expected_status.raise(status.bits);
    instruction.run(status);
    const std::string where =
        text(spec) + " x " + std::to_string(columns) + " on " + kernel_instruction_set();
    ASSERT_TRUE(instruction.matches()) << where;
    ASSERT_EQ(status.bits, instruction.expected_status.bits) << where;
    const bool tensor = reads_tensor(spec.stage0) || reads_tensor(spec.stage1);
    if (tensor && element_bytes(spec.in1) == element_bytes(spec.out) && random.below(2) == 0) {
        instruction.check_in_place(true, status);
    } else if (element_bytes(spec.in0) == element_bytes(spec.out)) {
        instruction.check_in_place(false, status);
    }
}

/// Runs the body with every copy of the kernels that this machine can execute.
template <typename Body>
void for_each_instruction_set(const Body& body) {
    KernelTable tables[3];
    const std::size_t count = available_kernel_tables(tables);
    const KernelTable before = kernel_table();
    for (std::size_t i = 0; i < count; ++i) {
        use_kernel_table(tables[i]);
        body();
    }
    use_kernel_table(before);
}

const std::size_t sizes[] = {1, 15, 16, 17, 300};

void set_shape(ElementwiseSpec& spec, std::size_t shape) {
    spec.stage0.operand = shape == 1 ? StageOperand::TENSOR : StageOperand::SCALAR;
    spec.stage1.operand = shape == 2 ? StageOperand::TENSOR : StageOperand::SCALAR;
}

TEST(Kernels, EveryPairOfOperationsInFp32) {
    for_each_instruction_set([] {
        Random random(1);
        const std::vector<AluOp> operations = arithmetic_operations();
        for (const AluOp op0 : operations) {
            for (const AluOp op1 : operations) {
                for (std::size_t variant = 0; variant < 36; ++variant) {
                    ElementwiseSpec spec;
                    spec.stage0 = {op0, (variant & 1) != 0, StageOperand::SCALAR};
                    spec.stage1 = {op1, (variant & 2) != 0, StageOperand::SCALAR};
                    set_shape(spec, variant / 4 % 3);
                    const Data data = random.below(2) == 0 ? Data::ORDINARY : Data::MIXED;
                    check(spec, {}, random, sizes[random.below(4)], data);
                    if (HasFatalFailure()) {
                        return;
                    }
                }
            }
        }
    });
}

TEST(Kernels, EveryPairOfTypesWithEveryOperation) {
    for_each_instruction_set([] {
        Random random(2);
        const std::vector<AluOp> operations = arithmetic_operations();
        std::vector<Dtype> outputs(std::begin(input_types), std::end(input_types));
        outputs.push_back(Dtype::FP32R);
        for (const Dtype in : input_types) {
            for (const Dtype out : outputs) {
                for (std::size_t i = 0; i < 10 * operations.size(); ++i) {
                    const AluOp op = operations[i % operations.size()];
                    ElementwiseSpec spec;
                    spec.in0 = in;
                    spec.in1 = input_types[random.below(12)];
                    spec.out = out;
                    const AluOp other = operations[random.below(8)];
                    const bool first = random.below(2) == 0;
                    spec.stage0 = {first ? op : other, random.below(2) == 0};
                    spec.stage1 = {first ? other : op, random.below(2) == 0};
                    set_shape(spec, random.below(3));
                    NumberModel model;
                    model.fp8_exp4_fn = random.below(3) == 0;
                    model.saturate_narrowing = random.below(3) == 0;
                    model.fp_to_int_nearest = random.below(2) == 0;
                    model.nan_to_int_max = random.below(3) == 0;
                    model.fp32r_mantissa_bits = static_cast<std::uint8_t>(10 + random.below(13));
                    const Data data = random.below(2) == 0 ? Data::ORDINARY : Data::MIXED;
                    check(spec, model, random, sizes[random.below(4)], data);
                    if (HasFatalFailure()) {
                        return;
                    }
                }
            }
        }
    });
}

TEST(Kernels, LongRowsAndOtherModels) {
    for_each_instruction_set([] {
        Random random(3);
        const std::vector<AluOp> operations = arithmetic_operations();
        for (int i = 0; i < 6000; ++i) {
            ElementwiseSpec spec;
            spec.in0 = input_types[random.below(12)];
            spec.in1 = input_types[random.below(12)];
            spec.out = input_types[random.below(12)];
            spec.stage0 = {operations[random.below(operations.size())], random.below(2) == 0};
            spec.stage1 = {operations[random.below(operations.size())], random.below(2) == 0};
            set_shape(spec, random.below(3));
            NumberModel model;
            if (i % 2 != 0) {
                model.rounding = static_cast<Rounding>(random.below(4));
                model.flush_subnormals = random.below(2) == 0;
                model.minmax_propagates_nan = random.below(2) == 0;
                model.symmetric_clamp_min = random.below(2) == 0;
            }
            check(spec, model, random, sizes[random.below(5)],
                  random.below(2) == 0 ? Data::ORDINARY : Data::MIXED);
            if (HasFatalFailure()) {
                return;
            }
        }
        ElementwiseSpec wide;
        wide.stage0.op = AluOp::MULT;
        wide.stage1.op = AluOp::ADD;
        check(wide, {}, random, 5000, Data::ORDINARY);
        check(wide, {}, random, 5000, Data::MIXED);
    });
}

}  // namespace
}  // namespace dve
