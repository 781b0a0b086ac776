// The pass behind every tile kernel: rows and columns of one instruction, one register at a time.
#pragma once

#include "models/alu/kernel_table.h"
#include "models/alu/tile_formats.h"

namespace dve::DVE_KERNEL_NAMESPACE {
namespace {

/// Rows with at least this many elements to go ask for memory ahead.
inline constexpr std::size_t long_row = 1024;
inline constexpr std::size_t prefetch_bytes = 1024;

template <typename Operation>
inline constexpr bool is_mult = false;
template <>
inline constexpr bool is_mult<TileMult> = true;

template <typename In, typename Out, typename Op0, typename Op1, TileShape shape, bool block>
struct Tile {
    static constexpr bool tensor0 = shape == TileShape::TENSOR_FIRST;
    static constexpr bool tensor1 = shape == TileShape::TENSOR_SECOND;
    static constexpr Nature nature0 = Op0::nature;
    static constexpr Nature nature1 = Op1::nature;
    /// Products that cannot be tiny, except with a tiny scalar.
    static constexpr bool narrow_mult = In::narrow_range && is_mult<Op0>;
    /// Products with scalars: one check of the factor against a window that the scalars allow
    /// stands for checks of the product and, with a scalar behind it, of the result.
    static constexpr bool window_mult = !tensor0 && !In::narrow_range && is_mult<Op0>;
    static constexpr bool window_covers_result =
        window_mult && !tensor1 && nature1 == Nature::ARITHMETIC && !is_mult<Op1>;

    TileScalar scalar0{};
    TileScalar scalar1{};
    Watch watch{};
    OutputRules rules;
    Words window_low{};
    Words window_high{};
    Words largest_result{};
    bool unusual = false;

    explicit Tile(const NumberModel& model, std::uint32_t nan_integer)
        : rules{splat(model.nan_to_int_max ? nan_integer : 0U), model.fp_to_int_nearest} {}

    template <typename Operation>
    static TileScalar tile_scalar(std::uint32_t value) {
        return {splat(value), splat((value & 0x7FFFFFFF) == 0 ? 0U : 0x00800001U)};
    }

    /// The factors whose products with all scalars of the tile are normal and below 2^126, so that
    /// adding a scalar below 2^126 stays finite. Exponents suffice.
    void open_window(const ElementwiseArguments& tile) {
        std::uint32_t least = 0xFFU << 23;
        std::uint32_t largest = 0;
        std::uint32_t addend = 0;
        const std::size_t scalars0 = tile.scalar0.stride == 0 ? 1 : tile.rows;
        for (std::size_t row = 0; row < scalars0; ++row) {
            const std::uint32_t size = tile.scalar0.values[row] & 0x7FFFFFFF;
            least = size != 0 && size < least ? size : least;
            largest = size > largest ? size : largest;
        }
        if constexpr (window_covers_result) {
            const std::size_t scalars1 = tile.scalar1.stride == 0 ? 1 : tile.rows;
            for (std::size_t row = 0; row < scalars1; ++row) {
                const std::uint32_t size = tile.scalar1.values[row] & 0x7FFFFFFF;
                addend = size > addend ? size : addend;
            }
        }
        const int least_exponent = static_cast<int>(least >> 23);
        const int largest_exponent = static_cast<int>(largest >> 23);
        const int low = least_exponent < 127 ? 128 - least_exponent : 1;
        const int high = largest_exponent > 125 ? 378 - largest_exponent : 253;
        unusual = unusual || least_exponent == 0 || largest_exponent == 255 || high < low ||
                  (addend >> 23) > 252;
        window_low = splat(static_cast<std::uint32_t>(low) << 23);
        window_high = splat((static_cast<std::uint32_t>(high + 1) << 23) - 1);
    }

    /// A sign bit in `wrong` once a factor that is not zero lies below the window or above it.
    void watch_window(Words x) {
        const Words size = magnitude(x);
        watch.wrong |= ((size - window_low) & ~(size - 1U)) | (window_high - size);
    }

    /// NaN and infinity: by the largest magnitude where the instruction set has an unsigned
    /// maximum.
    void watch_result(Words z) {
        if constexpr (vector_bytes > 16) {
            const Words size = magnitude(z);
            largest_result = size > largest_result ? size : largest_result;
        } else {
            watch.wrong |= not_finite_sign(z);
        }
    }

    void start_row(const ElementwiseArguments& tile, std::size_t row) {
        if (row != 0 && tile.scalar0.stride == 0 && tile.scalar1.stride == 0) {
            return;
        }
        if constexpr (!tensor0 && nature0 != Nature::PASSES) {
            const std::uint32_t value = tile.scalar0.values[row * tile.scalar0.stride];
            unusual = unusual || Op0::unusual(value) || (narrow_mult && scalar_is_tiny(value));
            scalar0 = tile_scalar<Op0>(value);
        }
        if constexpr (!tensor1 && nature1 != Nature::PASSES) {
            const std::uint32_t value = tile.scalar1.values[row * tile.scalar1.stride];
            unusual = unusual || Op1::unusual(value);
            scalar1 = tile_scalar<Op1>(value);
        }
    }

    Words first_scalar(Words x) {
        if constexpr (window_mult) {
            watch_window(x);
        }
        if constexpr (narrow_mult || window_mult) {
            return TileMult::unwatched_scalar(x, scalar0);
        } else {
            return Op0::scalar(x, scalar0, watch);
        }
    }

    void step(const std::uint8_t* src0, const std::uint8_t* src1, std::uint8_t* dst) {
        const Words x = In::load(src0);
        if constexpr (In::quiets) {
            watch.wrong |= nan_sign(x);
        }
        constexpr bool plain_copy = nature0 == Nature::PASSES && nature1 == Nature::PASSES;
        if constexpr (nature0 == Nature::ORDER ||
                      (nature0 == Nature::PASSES && nature1 == Nature::ORDER) ||
                      (plain_copy && !block && Out::copies_nan)) {
            watch.wrong |= nan_sign(x);
        }
        Words second{};
        if constexpr (tensor0 || tensor1) {
            second = load_vector<Words>(src1);
            if constexpr ((tensor0 ? nature0 : nature1) == Nature::ORDER) {
                watch.wrong |= nan_sign(second);
            }
        }
        Words y{};
        if constexpr (tensor0) {
            y = Op0::tensor(x, second, watch);
        } else {
            y = first_scalar(x);
        }
        if constexpr (!window_mult && nature0 == Nature::ARITHMETIC &&
                      nature1 != Nature::ARITHMETIC &&
                      !(nature1 == Nature::PASSES && Out::checks)) {
            watch.wrong |= not_finite_sign(y);
        }
        Words z{};
        if constexpr (tensor1) {
            z = Op1::tensor(y, second, watch);
        } else {
            z = Op1::scalar(y, scalar1, watch);
        }
        if constexpr (nature1 == Nature::ARITHMETIC && !Out::checks && !window_covers_result) {
            watch_result(z);
        }
        Out::store(dst, z, watch, rules);
    }

    /// All columns of a row of at least one register. The last register may overlap the one before:
    /// sources are unchanged, so it writes the same values again.
    void row(const std::uint8_t* src0, const std::uint8_t* src1, std::uint8_t* dst,
             std::size_t columns) {
        std::size_t i = 0;
        // Long rows come from outer caches; asking ahead costs short ones more than it gives.
        for (; i + long_row <= columns; i += vector_lanes) {
            __builtin_prefetch(src0 + i * In::bytes + prefetch_bytes);
            __builtin_prefetch(dst + i * Out::bytes + prefetch_bytes, 1);
            step(src0 + i * In::bytes, src1 + i * 4, dst + i * Out::bytes);
        }
        for (; i + vector_lanes <= columns; i += vector_lanes) {
            step(src0 + i * In::bytes, src1 + i * 4, dst + i * Out::bytes);
        }
        if (i < columns) {
            const std::size_t last = columns - vector_lanes;
            step(src0 + last * In::bytes, src1 + last * 4, dst + last * Out::bytes);
        }
    }

    /// Rows with fewer columns than lanes: padded copies whose padding repeats the first element.
    /// By value, so that the address of the long rows' state is never taken.
    static std::uint32_t short_rows(Tile state, const ElementwiseArguments& tile) {
        std::uint8_t in0[vector_lanes * In::bytes];
        std::uint8_t in1[vector_bytes];
        std::uint8_t result[vector_lanes * Out::bytes];
        for (std::size_t row = 0; row < tile.rows; ++row) {
            state.start_row(tile, row);
            const auto signed_row = static_cast<std::ptrdiff_t>(row);
            for (std::size_t i = 0; i < vector_lanes; ++i) {
                const std::size_t from = i < tile.columns ? i : 0;
                __builtin_memcpy(
                    in0 + i * In::bytes,
                    tile.src0.data + signed_row * tile.src0.row_stride + from * In::bytes,
                    In::bytes);
                if constexpr (tensor0 || tensor1) {
                    __builtin_memcpy(in1 + i * 4,
                                     tile.src1.data + signed_row * tile.src1.row_stride + from * 4,
                                     4);
                }
            }
            state.step(in0, in1, result);
            __builtin_memcpy(tile.dst.data + signed_row * tile.dst.row_stride, result,
                             tile.columns * Out::bytes);
        }
        return state.outcome();
    }

    std::uint32_t outcome() const {
        std::uint32_t wrong = unusual ? 0x80000000U : 0U;
        std::uint32_t underflow = 0;
        std::uint32_t invalid = 0;
        for (std::size_t i = 0; i < vector_lanes; ++i) {
            wrong |= watch.wrong[i] | (largest_result[i] >= 0x7F800000U ? 0x80000000U : 0U);
            underflow |= watch.underflow[i];
            invalid |= watch.invalid[i];
        }
        return (wrong >> 31) * TILE_WRONG + (underflow >> 31) * TILE_UNDERFLOW +
               (invalid >> 31) * TILE_INVALID;
    }
};

constexpr std::uint32_t largest_integer(TileFormat format) {
    switch (format) {
        case TileFormat::INT8: return 127;
        case TileFormat::UINT8: return 255;
        case TileFormat::INT16: return 32767;
        case TileFormat::UINT16: return 65535;
        case TileFormat::INT32: return 0x7FFFFFFF;
        default: return 0xFFFFFFFF;
    }
}

template <typename In, typename Out, typename Op0, typename Op1, TileShape shape, bool block,
          TileFormat out>
std::uint32_t run(const ElementwiseArguments& tile, const NumberModel& model) {
    using State = Tile<In, Out, Op0, Op1, shape, block>;
    State state(model, largest_integer(out));
    if constexpr (State::window_mult) {
        state.open_window(tile);
    }
    const std::uint8_t* src0 = tile.src0.data;
    const std::uint8_t* src1 = tile.src1.data;
    std::uint8_t* dst = tile.dst.data;
    if (tile.columns < vector_lanes) {
        return state.short_rows(state, tile);
    }
    for (std::size_t row = 0; row < tile.rows; ++row) {
        state.start_row(tile, row);
        state.row(src0, src1, dst, tile.columns);
        src0 += tile.src0.row_stride;
        src1 += tile.src1.row_stride;
        dst += tile.dst.row_stride;
    }
    return state.outcome();
}

}  // namespace
}  // namespace dve::DVE_KERNEL_NAMESPACE
