// Hashes of a fixed workload, one line per group, to compare builds and instruction sets.
//
// DVE_KERNELS chooses the vector kernels; the name of the set goes to the error stream.
#include <cstdio>
#include <cstring>
#include <vector>

#include "models/alu/evaluate.h"
#include "models/alu/integer.h"
#include "models/alu/kernels.h"
#include "models/alu/scan.h"
#include "tests/alu/samples.h"

namespace dve {
namespace {

using test::any_pattern;
using test::Random;
using Words = std::vector<std::uint32_t>;

class Hash {
public:
    void add(std::uint64_t value) {
        for (int i = 0; i < 8; ++i) {
            state_ = (state_ ^ (value >> (8 * i) & 0xFF)) * 0x100000001B3;
        }
    }
    void add(const std::vector<std::uint8_t>& bytes) {
        for (const std::uint8_t byte : bytes) {
            state_ = (state_ ^ byte) * 0x100000001B3;
        }
    }
    void print(const char* group) const {
        std::printf("%-12s %016llx\n", group, static_cast<unsigned long long>(state_));
    }

private:
    std::uint64_t state_ = 0xCBF29CE484222325;
};

NumberModel any_model(Random& random, bool vector_only) {
    NumberModel model;
    if (!vector_only) {
        model.rounding = test::all_roundings[random.below(4)];
        model.flush_subnormals = random.below(2) == 0;
        model.minmax_propagates_nan = random.below(2) == 0;
        model.symmetric_clamp_min = random.below(2) == 0;
        model.shift_modulo = random.below(2) == 0;
    }
    model.saturate_narrowing = random.below(3) == 0;
    model.fp_to_int_nearest = random.below(2) == 0;
    model.nan_to_int_max = random.below(3) == 0;
    model.fp8_exp4_fn = random.below(3) == 0;
    model.fp32r_mantissa_bits = static_cast<std::uint8_t>(10 + random.below(13));
    return model;
}

bool is_fp32_operation(const AluOpRow& row) {
    return static_cast<unsigned>(row.op) < 0xC4 &&
           (row.in(ARITH) || row.in(GENERAL_ARITH) || row.in(UNDECIDED_ARITH));
}

bool is_number(const DtypeRow& row) {
    return row.is_integer() || row.is_float() || row.kind == DtypeKind::SCALE;
}

void hash_conversions() {
    Random random(1);
    Hash hash;
    for (const DtypeRow& row : dtype_rows()) {
        for (int i = 0; is_number(row) && i < 20000; ++i) {
            const NumberModel model = any_model(random, i % 2 == 0);
            FpStatus status;
            hash.add(to_fp32(row.dtype, random.next() >> random.below(64), model, status));
            hash.add(from_fp32(row.dtype, any_pattern(random), model, status));
            hash.add(status.bits);
        }
    }
    hash.print("conversions");
}

void hash_operations() {
    Random random(2);
    Hash hash;
    for (const AluOpRow& row : alu_op_rows()) {
        for (int i = 0; i < 10000; ++i) {
            const NumberModel model = any_model(random, i % 2 == 0);
            FpStatus status;
            // Drawn one by one: the order of evaluation of arguments is the compiler's.
            const std::uint32_t a = any_pattern(random);
            const std::uint32_t b = any_pattern(random);
            const std::uint64_t left = random.next() >> random.below(64);
            const std::uint64_t right = random.next() >> random.below(64);
            if (is_fp32_operation(row)) {
                hash.add(evaluate_fp32(row.op, a, b, model, status));
            }
            if (row.in(BITVEC)) {
                const auto low_left = static_cast<std::uint32_t>(left);
                const auto low_right = static_cast<std::uint32_t>(right);
                hash.add(
                    evaluate_bitvec(row.op, low_left, low_right, 8U << random.below(3), model));
                hash.add(evaluate_bitvec64(row.op, left, right, model).value_or(0));
            }
            const IntegerType type{static_cast<std::uint8_t>(8U << random.below(4)),
                                   random.below(2) == 0};
            hash.add(evaluate_integer(row.op, extend(left, type), extend(right, type), type, type,
                                      status)
                         .value_or(0));
            const Dtype scalars[] = {Dtype::INT32, Dtype::UINT32, Dtype::INT64, Dtype::UINT64};
            hash.add(evaluate_scalar(row.op, left, right, scalars[random.below(4)], model).value);
            hash.add(status.bits);
        }
    }
    hash.print("operations");
}

/// One instruction on random rows; the result and the status go into the hash.
void hash_instruction(const ElementwiseSpec& spec, const NumberModel& model, Random& random,
                      Hash& hash) {
    static constexpr std::size_t sizes[] = {1, 7, 16, 37, 160};
    const std::size_t rows = 1 + random.below(3);
    const std::size_t columns = sizes[random.below(5)];
    const bool ordinary = random.below(2) == 0;
    const auto fill = [&](Dtype dtype) {
        const unsigned bytes = element_bytes(dtype);
        std::vector<std::uint8_t> result(rows * columns * bytes);
        FpStatus ignored;
        for (std::size_t i = 0; i < rows * columns; ++i) {
            std::uint64_t raw = dtype == Dtype::FP32 ? any_pattern(random) : random.next();
            if (ordinary && !spec.bitvec && !spec.integer) {
                raw = from_fp32(dtype, 0x3F000000U | (random.word() & 0x80FFFFFFU), {}, ignored);
            }
            std::memcpy(&result[i * bytes], &raw, bytes);
        }
        return result;
    };
    const std::vector<std::uint8_t> src0 = fill(spec.in0);
    const std::vector<std::uint8_t> src1 = fill(spec.in1);
    std::vector<std::uint8_t> dst(rows * columns * element_bytes(spec.out));
    Words scalar0;
    Words scalar1;
    const std::uint32_t mask =
        spec.bitvec && element_bytes(spec.in0) < 4 ? (1U << 8 * element_bytes(spec.in0)) - 1 : ~0U;
    for (std::size_t r = 0; r < rows; ++r) {
        scalar0.push_back((ordinary ? 0x3FC00000U : any_pattern(random)) & mask);
        scalar1.push_back((ordinary ? 0x3F400000U : any_pattern(random)) & mask);
    }
    const auto stride = [&](Dtype dtype) {
        return static_cast<std::ptrdiff_t>(columns * element_bytes(dtype));
    };
    ElementwiseArguments arguments;
    arguments.rows = rows;
    arguments.columns = columns;
    arguments.src0 = {src0.data(), stride(spec.in0)};
    arguments.src1 = {src1.data(), stride(spec.in1)};
    arguments.dst = {dst.data(), stride(spec.out)};
    arguments.scalar0 = {scalar0.data(), 1};
    arguments.scalar1 = {scalar1.data(), 1};
    FpStatus status;
    status.raise(random.below(2) == 0 ? FpStatus::INEXACT : std::uint8_t{0});
    ElementwiseKernel::select(spec, model).run(arguments, status);
    hash.add(dst);
    hash.add(status.bits);
}

void set_tensor(ElementwiseSpec& spec, std::size_t choice) {
    spec.stage0.operand = choice == 1 ? StageOperand::TENSOR : StageOperand::SCALAR;
    spec.stage1.operand = choice == 2 ? StageOperand::TENSOR : StageOperand::SCALAR;
}

/// Every operation in both stages and operand orders, on every pair of types.
void hash_arithmetic_kernels() {
    std::vector<AluOp> operations;
    for (const AluOpRow& row : alu_op_rows()) {
        if (is_fp32_operation(row)) {
            operations.push_back(row.op);
        }
    }
    std::vector<Dtype> types;
    for (const DtypeRow& row : dtype_rows()) {
        if ((row.is_integer() || row.is_float()) && row.bytes() != 0) {
            types.push_back(row.dtype);
        }
    }
    Random random(3);
    Hash hash;
    for (const AluOp op : operations) {
        for (const Dtype in0 : types) {
            for (const Dtype out : types) {
                for (const bool reversed : {false, true}) {
                    ElementwiseSpec spec;
                    spec.in0 = in0;
                    spec.in1 = types[random.below(types.size())];
                    spec.out = out;
                    const bool first = random.below(2) == 0;
                    const AluOp other = operations[random.below(operations.size())];
                    spec.stage0 = {first ? op : other, reversed, StageOperand::SCALAR};
                    spec.stage1 = {first ? other : op, reversed, StageOperand::SCALAR};
                    set_tensor(spec, random.below(3));
                    hash_instruction(spec, any_model(random, random.below(4) != 0), random, hash);
                }
            }
        }
    }
    hash.print("arithmetic");
}

void hash_bit_and_integer_kernels() {
    Random random(4);
    Hash hash;
    for (const AluOpRow& row : alu_op_rows()) {
        for (const DtypeRow& type : dtype_rows()) {
            for (int i = 0; type.is_integer() && type.bytes() != 0 && i < 12; ++i) {
                const bool is_signed = type.kind == DtypeKind::SIGNED;
                ElementwiseSpec spec;
                spec.in0 = spec.in1 = spec.out = type.dtype;
                spec.stage0 = {row.op, i % 2 != 0, StageOperand::TENSOR};
                spec.bitvec = row.in(BITVEC) && !(row.op == AluOp::CRC32 && type.bits == 64);
                spec.integer = !spec.bitvec && row.in(is_signed ? INT_SIGNED : INT_UNSIGNED);
                if (spec.bitvec || spec.integer) {
                    set_tensor(spec, type.bits == 64 ? 1 : static_cast<std::size_t>(i) % 2);
                    hash_instruction(spec, any_model(random, i % 3 != 0), random, hash);
                }
            }
        }
    }
    hash.print("integers");
}

void hash_scans() {
    Random random(5);
    Hash hash;
    const AluOp operations[] = {AluOp::ADD, AluOp::SUBTRACT, AluOp::MULT,
                                AluOp::MAX, AluOp::MIN,      AluOp::ABSOLUTE_DIFF};
    for (int i = 0; i < 1500; ++i) {
        const std::size_t rows = 1 + random.below(40);
        const std::size_t columns = 1 + random.below(70);
        const auto stride = static_cast<std::ptrdiff_t>(columns * 4);
        const bool ordinary = random.below(3) != 0;
        Words first;
        Words second;
        for (std::size_t k = 0; k < rows * columns; ++k) {
            first.push_back(ordinary ? 0x3F000000U | (random.word() & 0x80FFFFFFU)
                                     : any_pattern(random));
            second.push_back(ordinary ? 0x3F000000U | (random.word() & 0x80FFFFFFU)
                                      : any_pattern(random));
        }
        Words state(rows, 0x3FC00000U);
        Words out(rows * columns);
        const auto bytes = [](const Words& words) {
            return reinterpret_cast<const std::uint8_t*>(words.data());
        };
        const Rows target{reinterpret_cast<std::uint8_t*>(out.data()), stride};
        const NumberModel model = any_model(random, random.below(4) != 0);
        const ScanOrder order =
            random.below(2) == 0 ? ScanOrder::ROTATE_COMBINE : ScanOrder::SEQUENTIAL;
        FpStatus status;
        const AluOp op0 = operations[random.below(5)];
        const AluOp op1 = operations[random.below(5)];
        switch (i % 3) {
            case 0: {
                out = first;
                constexpr AluOp combines[] = {AluOp::ADD, AluOp::MULT, AluOp::MAX, AluOp::MIN,
                                              AluOp::ABSOLUTE_DIFF};
                prefix_scan(combines[random.below(5)], order, target, rows, columns, model, status);
                break;
            }
            case 1: {
                const StageSpec stage0{op0, random.below(2) == 0, StageOperand::TENSOR};
                const StageSpec stage1{op1, random.below(2) == 0, StageOperand::TENSOR};
                const bool composed = carried_scan(stage0, stage1, order, {bytes(first), stride},
                                                   {bytes(second), stride}, target, rows, columns,
                                                   {state.data(), 1}, model, status);
                hash.add(composed ? 1 : 0);
                break;
            }
            default:
                accumulate(op0, {bytes(first), stride}, rows, columns, state.data(),
                           random.below(2) == 0 ? &target : nullptr, model, status);
        }
        for (const Words* words : {&out, &state}) {
            for (const std::uint32_t word : *words) {
                hash.add(word);
            }
        }
        hash.add(status.bits);
    }
    hash.print("scans");
}

}  // namespace
}  // namespace dve

int main() {
    std::fprintf(stderr, "kernels: %s\n", dve::kernel_instruction_set());
    dve::hash_conversions();
    dve::hash_operations();
    dve::hash_arithmetic_kernels();
    dve::hash_bit_and_integer_kernels();
    dve::hash_scans();
    return 0;
}
