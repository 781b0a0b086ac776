// The operation x data type table, one row for each run of operations with equal cells.
#include "models/isa/alu_op_dtype.h"

namespace dve {
namespace {

constexpr std::uint32_t bit(Dtype dtype) { return 1U << static_cast<unsigned>(dtype); }

constexpr std::uint32_t I8 = bit(Dtype::INT8) | bit(Dtype::UINT8);
constexpr std::uint32_t I16 = bit(Dtype::INT16) | bit(Dtype::UINT16);
constexpr std::uint32_t I32 = bit(Dtype::INT32) | bit(Dtype::UINT32);
constexpr std::uint32_t I64 = bit(Dtype::INT64) | bit(Dtype::UINT64);
constexpr std::uint32_t INTS = I8 | I16 | I32;
constexpr std::uint32_t FLOATS =
    bit(Dtype::FP16) | bit(Dtype::BF16) | bit(Dtype::FP32) | bit(Dtype::FP32R);
constexpr std::uint32_t FP8 = bit(Dtype::FP8_EXP3) | bit(Dtype::FP8_EXP4) | bit(Dtype::FP8_EXP5);
constexpr std::uint32_t SIGNED =
    bit(Dtype::INT8) | bit(Dtype::INT16) | bit(Dtype::INT32) | bit(Dtype::INT64);
constexpr std::uint32_t UNSIGNED = (INTS | I64) & ~SIGNED;
constexpr std::uint32_t EITHER = SIGNED | UNSIGNED;

struct Run {
    std::uint8_t first;
    std::uint8_t last;
    std::uint32_t dtypes;
};

// The page's cells for C5, C7, C8 (signed only) and 1B (no 64 bits) contradict the member lists of
// is_signed_alu_op, is_unsigned_alu_op and is_valid_int_aluop; D-23 follows the lists.
constexpr Run runs[] = {
    {0x00, 0x00, INTS | I64 | FLOATS | FP8},
    {0x01, 0x03, INTS | I64},
    {0x04, 0x06, INTS | FLOATS | FP8},
    {0x07, 0x07, FLOATS | FP8},
    {0x08, 0x09, INTS | FLOATS | FP8},
    {0x0A, 0x0C, INTS | I64},
    {0x0D, 0x0F, INTS | FLOATS | FP8},
    {0x10, 0x11, INTS | I64},
    {0x12, 0x19, INTS | FLOATS | FP8},
    {0x1A, 0x1A, FLOATS},
    {0x1B, 0x1B, INTS | I64},
    {0x1C, 0x1C, I16 | I32},
    {0x1D, 0x1D, FLOATS},
    {0x20, 0x24, INTS | FLOATS | FP8},
    {0xC4, 0xCA, EITHER},
    {0xCB, 0xCD, SIGNED},
    {0xCE, 0xCE, SIGNED & ~I64},  // 64 bits in the scalar evaluator only
    {0xCF, 0xD4, SIGNED},
    {0xD5, 0xDD, UNSIGNED},
    {0xDE, 0xDF, SIGNED},
    {0xE0, 0xE1, UNSIGNED},
};

constexpr std::array<std::uint32_t, 256> expand() {
    std::array<std::uint32_t, 256> cells{};
    for (const Run& run : runs) {
        for (unsigned op = run.first; op <= run.last; ++op) {
            cells[op] = run.dtypes;
        }
    }
    return cells;
}

constexpr std::array<std::uint32_t, 256> cells = expand();

}  // namespace

const std::array<std::uint32_t, 256> alu_op_dtypes = cells;

}  // namespace dve
