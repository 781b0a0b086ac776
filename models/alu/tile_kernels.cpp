// Tile kernels: FP32 instructions in one pass, other formats as halves around an FP32 block.
//
// Compiled once per instruction set; DVE_KERNEL_NAMESPACE names the copy.
#include "models/alu/tile_pass.h"

namespace dve::DVE_KERNEL_NAMESPACE {

extern const TileTable tile_table;

namespace {

template <typename Operation0, typename Operation1>
constexpr void fill_shapes(TileFunction (&to)[tile_shapes]) {
    to[0] = run<FormatFp32, FormatFp32, Operation0, Operation1, TileShape::SCALARS, false,
                TileFormat::FP32>;
    to[1] = run<FormatFp32, FormatFp32, Operation0, Operation1, TileShape::TENSOR_FIRST, false,
                TileFormat::FP32>;
    to[2] = run<FormatFp32, FormatFp32, Operation0, Operation1, TileShape::TENSOR_SECOND, false,
                TileFormat::FP32>;
}

template <typename Operation0>
constexpr void fill_second(TileFunction (&to)[tile_ops][tile_shapes]) {
    fill_shapes<Operation0, TileBypass>(to[0]);
    fill_shapes<Operation0, TileAdd>(to[1]);
    fill_shapes<Operation0, TileSubtract>(to[2]);
    fill_shapes<Operation0, TileFrom>(to[3]);
    fill_shapes<Operation0, TileMult>(to[4]);
    fill_shapes<Operation0, TileMax>(to[5]);
    fill_shapes<Operation0, TileMin>(to[6]);
}

template <typename Format, TileFormat format, typename Operation>
constexpr void fill_halves(TileFunction (&in)[2], TileFunction (&out)[2]) {
    in[0] =
        run<Format, FormatFp32, Operation, TileBypass, TileShape::SCALARS, true, TileFormat::FP32>;
    in[1] = run<Format, FormatFp32, Operation, TileBypass, TileShape::TENSOR_FIRST, true,
                TileFormat::FP32>;
    out[0] = run<FormatFp32, Format, TileBypass, Operation, TileShape::SCALARS, false, format>;
    out[1] =
        run<FormatFp32, Format, TileBypass, Operation, TileShape::TENSOR_SECOND, false, format>;
}

template <typename Format, TileFormat format, bool all_operations>
constexpr void fill_format(TileTable& table) {
    constexpr auto index = static_cast<std::size_t>(format);
    TileFunction(&in)[tile_ops][2] = table.in[index];
    TileFunction(&out)[tile_ops][2] = table.out[index];
    fill_halves<Format, format, TileBypass>(in[0], out[0]);
    if constexpr (all_operations) {
        fill_halves<Format, format, TileAdd>(in[1], out[1]);
        fill_halves<Format, format, TileSubtract>(in[2], out[2]);
        fill_halves<Format, format, TileFrom>(in[3], out[3]);
        fill_halves<Format, format, TileMult>(in[4], out[4]);
        fill_halves<Format, format, TileMax>(in[5], out[5]);
        fill_halves<Format, format, TileMin>(in[6], out[6]);
    }
    table.widen[index] = run<Format, FormatFp32, TileBypass, TileBypass, TileShape::SCALARS, false,
                             TileFormat::FP32>;
}

constexpr TileTable make_table() {
    TileTable table{};
    fill_second<TileBypass>(table.fused[0]);
    fill_second<TileAdd>(table.fused[1]);
    fill_second<TileSubtract>(table.fused[2]);
    fill_second<TileFrom>(table.fused[3]);
    fill_second<TileMult>(table.fused[4]);
    fill_second<TileMax>(table.fused[5]);
    fill_second<TileMin>(table.fused[6]);
    fill_format<FormatFp32, TileFormat::FP32, true>(table);
    fill_format<FormatBf16, TileFormat::BF16, true>(table);
    fill_format<FormatFp16, TileFormat::FP16, true>(table);
    fill_format<FormatFp8Exp3, TileFormat::FP8_EXP3, false>(table);
    fill_format<FormatFp8Exp4, TileFormat::FP8_EXP4, true>(table);
    fill_format<FormatFp8Exp4Fn, TileFormat::FP8_EXP4_FN, false>(table);
    fill_format<FormatFp8Exp5, TileFormat::FP8_EXP5, true>(table);
    fill_format<FormatInt8, TileFormat::INT8, true>(table);
    fill_format<FormatUint8, TileFormat::UINT8, true>(table);
    fill_format<FormatInt16, TileFormat::INT16, false>(table);
    fill_format<FormatUint16, TileFormat::UINT16, false>(table);
    fill_format<FormatInt32, TileFormat::INT32, false>(table);
    fill_format<FormatUint32, TileFormat::UINT32, false>(table);
    return table;
}

}  // namespace

constexpr TileTable tile_table = make_table();

}  // namespace dve::DVE_KERNEL_NAMESPACE
