// Tile kernels of the common narrow formats: both stages in one pass, same format in and out.
//
// Compiled once per instruction set; DVE_KERNEL_NAMESPACE names the copy.
#include "models/alu/tile_pass.h"

namespace dve::DVE_KERNEL_NAMESPACE {

extern const NarrowTable narrow_table;

namespace {

template <typename Format, TileFormat format, typename Operation0>
constexpr void fill_second(TileFunction (&to)[tile_ops]) {
    constexpr TileShape shape = TileShape::SCALARS;
    to[0] = run<Format, Format, Operation0, TileBypass, shape, false, format>;
    to[1] = run<Format, Format, Operation0, TileAdd, shape, false, format>;
    to[2] = run<Format, Format, Operation0, TileSubtract, shape, false, format>;
    to[3] = run<Format, Format, Operation0, TileFrom, shape, false, format>;
    to[4] = run<Format, Format, Operation0, TileMult, shape, false, format>;
    to[5] = run<Format, Format, Operation0, TileMax, shape, false, format>;
    to[6] = run<Format, Format, Operation0, TileMin, shape, false, format>;
}

template <typename Format, TileFormat format>
constexpr void fill_format(NarrowTable& table) {
    TileFunction(&to)[tile_ops][tile_ops] = table.fused[static_cast<std::size_t>(format)];
    fill_second<Format, format, TileBypass>(to[0]);
    fill_second<Format, format, TileAdd>(to[1]);
    fill_second<Format, format, TileSubtract>(to[2]);
    fill_second<Format, format, TileFrom>(to[3]);
    fill_second<Format, format, TileMult>(to[4]);
    fill_second<Format, format, TileMax>(to[5]);
    fill_second<Format, format, TileMin>(to[6]);
}

constexpr NarrowTable make_table() {
    NarrowTable table{};
    fill_format<FormatBf16, TileFormat::BF16>(table);
    fill_format<FormatFp16, TileFormat::FP16>(table);
    fill_format<FormatFp8Exp4, TileFormat::FP8_EXP4>(table);
    fill_format<FormatInt8, TileFormat::INT8>(table);
    return table;
}

}  // namespace

constexpr NarrowTable narrow_table = make_table();

}  // namespace dve::DVE_KERNEL_NAMESPACE
