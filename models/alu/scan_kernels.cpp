// Scan kernels: a register holds one column of as many rows, so every row runs its own chain.
//
// Compiled once per instruction set; DVE_KERNEL_NAMESPACE names the copy.
#include <utility>

#include "models/alu/scan_table.h"
#include "models/alu/tile_operations.h"

namespace dve::DVE_KERNEL_NAMESPACE {

extern const ScanTable scan_table;

namespace {

constexpr std::size_t lanes = vector_lanes;
constexpr std::size_t tile_columns = scan_tile_columns;

using Columns = Words[tile_columns];

struct TileAbsoluteDiff {
    static constexpr Nature nature = Nature::ARITHMETIC;
    static Words tensor(Words x, Words y, Watch&) { return magnitude(words(real(x) - real(y))); }
};

/// One exchange step of a transposition: lane i of both results, from lanes `distance` apart.
template <std::size_t distance, std::size_t... i>
void exchange(Words& a, Words& b, std::index_sequence<i...>) {
    const Words low = __builtin_shufflevector(
        a, b,
        ((i & distance) != 0 ? static_cast<int>(i - distance + lanes) : static_cast<int>(i))...);
    const Words high = __builtin_shufflevector(
        a, b,
        ((i & distance) != 0 ? static_cast<int>(i + lanes) : static_cast<int>(i + distance))...);
    a = low;
    b = high;
}

template <std::size_t distance>
void transpose_step(Words* square) {
    for (std::size_t i = 0; i < lanes; ++i) {
        if ((i & distance) == 0) {
            exchange<distance>(square[i], square[i + distance], std::make_index_sequence<lanes>{});
        }
    }
}

/// Rows to columns of a lanes x lanes square, or back.
void transpose(Words* square) {
    if constexpr (lanes >= 16) {
        transpose_step<8>(square);
    }
    if constexpr (lanes >= 8) {
        transpose_step<4>(square);
    }
    transpose_step<2>(square);
    transpose_step<1>(square);
}

/// A tile of `columns` <= 16 columns; rows that do not exist repeat the first one.
void load_tile(const ConstRows& from, std::size_t rows, std::size_t start, std::size_t columns,
               Columns& tile) {
    const std::uint8_t* base = from.data + 4 * start;
    if (columns == tile_columns) {
        for (std::size_t part = 0; part < tile_columns; part += lanes) {
            for (std::size_t row = 0; row < lanes; ++row) {
                const std::size_t from_row = row < rows ? row : 0;
                tile[part + row] = load_vector<Words>(
                    base + static_cast<std::ptrdiff_t>(from_row) * from.row_stride + 4 * part);
            }
            transpose(tile + part);
        }
        return;
    }
    for (std::size_t column = 0; column < columns; ++column) {
        for (std::size_t row = 0; row < lanes; ++row) {
            const std::size_t from_row = row < rows ? row : 0;
            std::uint32_t word;
            __builtin_memcpy(
                &word, base + static_cast<std::ptrdiff_t>(from_row) * from.row_stride + 4 * column,
                sizeof word);
            tile[column][row] = word;
        }
    }
}

void store_tile(Columns& tile, const Rows& to, std::size_t rows, std::size_t start,
                std::size_t columns) {
    std::uint8_t* base = to.data + 4 * start;
    if (columns == tile_columns) {
        for (std::size_t part = 0; part < tile_columns; part += lanes) {
            transpose(tile + part);
            for (std::size_t row = 0; row < rows; ++row) {
                store_vector(base + static_cast<std::ptrdiff_t>(row) * to.row_stride + 4 * part,
                             tile[part + row]);
            }
        }
        return;
    }
    for (std::size_t column = 0; column < columns; ++column) {
        for (std::size_t row = 0; row < rows; ++row) {
            const std::uint32_t word = tile[column][row];
            __builtin_memcpy(base + static_cast<std::ptrdiff_t>(row) * to.row_stride + 4 * column,
                             &word, sizeof word);
        }
    }
}

/// Watches what later operations would hide: NaN operands of MAX and MIN, and results that are not
/// finite on their way into MAX and MIN. Arithmetic keeps NaN and infinity visible to the end.
template <typename Operation>
Words apply(Words x, Words y, Watch& watch) {
    return Operation::tensor(x, y, watch);
}

template <typename Operation>
void watch_operand(Words x, Watch& watch) {
    if constexpr (Operation::nature == Nature::ORDER) {
        watch.wrong |= nan_sign(x);
    }
}

template <typename Operation>
void watch_result(Words x, Watch& watch) {
    if constexpr (Operation::nature == Nature::ARITHMETIC) {
        watch.wrong |= not_finite_sign(x);
    }
}

template <typename Operation>
struct PrefixNetwork {
    static constexpr bool second = false;
    template <std::size_t stride>
    static void pass(Columns& x, std::size_t columns, Watch& watch) {
        for (std::size_t i = columns; i-- > stride;) {
            x[i] = apply<Operation>(x[i - stride], x[i], watch);
        }
    }
    static void tile(Columns& x, const Columns&, Words& state, std::size_t columns, bool first,
                     Watch& watch) {
        watch_operand<Operation>(state, watch);
        for (std::size_t i = 0; i < columns; ++i) {
            watch_operand<Operation>(x[i], watch);
        }
        pass<1>(x, columns, watch);
        pass<2>(x, columns, watch);
        pass<4>(x, columns, watch);
        pass<8>(x, columns, watch);
        for (std::size_t i = 0; i < columns; ++i) {
            if (!first) {
                x[i] = apply<Operation>(state, x[i], watch);
            }
            watch_result<Operation>(x[i], watch);
        }
        state = x[columns - 1];
    }
};

template <typename Operation>
struct PrefixSequential {
    static constexpr bool second = false;
    static void tile(Columns& x, const Columns&, Words& state, std::size_t columns, bool first,
                     Watch& watch) {
        watch_operand<Operation>(state, watch);
        for (std::size_t i = 0; i < columns; ++i) {
            watch_operand<Operation>(x[i], watch);
            state = first && i == 0 ? x[i] : apply<Operation>(state, x[i], watch);
            watch_result<Operation>(state, watch);
            x[i] = state;
        }
    }
};

template <typename Operation>
struct Accumulate {
    static constexpr bool second = false;
    static void tile(Columns& x, const Columns&, Words& state, std::size_t columns, bool,
                     Watch& watch) {
        watch_operand<Operation>(state, watch);
        for (std::size_t i = 0; i < columns; ++i) {
            watch_operand<Operation>(x[i], watch);
            state = apply<Operation>(x[i], state, watch);
            watch_result<Operation>(state, watch);
            x[i] = state;
        }
    }
};

/// A stage on the way into another one.
template <typename Operation, typename Next>
Words apply_before(Words x, Words y, Watch& watch) {
    const Words result = apply<Operation>(x, y, watch);
    if constexpr (Operation::nature == Nature::ARITHMETIC && Next::nature == Nature::ORDER) {
        watch.wrong |= not_finite_sign(result);
    }
    return result;
}

template <typename Operation0, typename Operation1>
struct CarriedSequential {
    static constexpr bool second = true;
    static void tile(Columns& x, const Columns& t, Words& state, std::size_t columns, bool,
                     Watch& watch) {
        watch_operand<Operation0>(state, watch);
        for (std::size_t i = 0; i < columns; ++i) {
            watch_operand<Operation0>(x[i], watch);
            watch_operand<Operation1>(t[i], watch);
            const Words inner = apply_before<Operation0, Operation1>(x[i], state, watch);
            state = apply<Operation1>(inner, t[i], watch);
            watch_result<Operation1>(state, watch);
            x[i] = state;
        }
    }
};

// Maps of decisions 1: element, composition of an earlier (a1, b1) and a later (a2, b2) map, and
// application. What is not needed of a pair stays unused.

template <bool negated>
struct MapMultAdd {
    static void element(Words& a, Words& b, Watch&) {
        b = negated ? b ^ 0x80000000U : b;
        static_cast<void>(a);
    }
    static void compose(Words a1, Words b1, Words& a2, Words& b2, Watch& watch) {
        b2 = TileAdd::tensor(TileMult::tensor(a2, b1, watch), b2, watch);
        a2 = TileMult::tensor(a2, a1, watch);
    }
    static Words act(Words a, Words b, Words state, Watch& watch) {
        return TileAdd::tensor(TileMult::tensor(a, state, watch), b, watch);
    }
};

template <typename Operation>
struct MapSingle {
    static void element(Words& a, Words& b, Watch& watch) { b = Operation::tensor(a, b, watch); }
    static void compose(Words, Words b1, Words&, Words& b2, Watch& watch) {
        b2 = Operation::tensor(b1, b2, watch);
    }
    static Words act(Words, Words b, Words state, Watch& watch) {
        return Operation::tensor(state, b, watch);
    }
};

template <typename Inner, typename Bound>
struct MapBound {
    static void element(Words& a, Words& b, Watch& watch) {
        watch_operand<Inner>(a, watch);
        watch_operand<Bound>(b, watch);
    }
    static void compose(Words a1, Words b1, Words& a2, Words& b2, Watch& watch) {
        b2 = Bound::tensor(apply_before<Inner, Bound>(b1, a2, watch), b2, watch);
        a2 = apply_before<Inner, Bound>(a1, a2, watch);
    }
    static Words act(Words a, Words b, Words state, Watch& watch) {
        watch_operand<Inner>(state, watch);
        return Bound::tensor(apply_before<Inner, Bound>(state, a, watch), b, watch);
    }
};

template <typename Map>
struct CarriedNetwork {
    static constexpr bool second = true;
    template <std::size_t stride>
    static void pass(Columns& a, Columns& b, std::size_t columns, Watch& watch) {
        for (std::size_t i = columns; i-- > stride;) {
            Map::compose(a[i - stride], b[i - stride], a[i], b[i], watch);
        }
    }
    static void tile(Columns& a, const Columns& t, Words& state, std::size_t columns, bool,
                     Watch& watch) {
        Columns b;
        for (std::size_t i = 0; i < columns; ++i) {
            b[i] = t[i];
            Map::element(a[i], b[i], watch);
        }
        pass<1>(a, b, columns, watch);
        pass<2>(a, b, columns, watch);
        pass<4>(a, b, columns, watch);
        pass<8>(a, b, columns, watch);
        for (std::size_t i = 0; i < columns; ++i) {
            a[i] = Map::act(a[i], b[i], state, watch);
            watch.wrong |= not_finite_sign(a[i]);
        }
        state = a[columns - 1];
    }
};

bool unusual(const Watch& watch, const FpStatus& status) {
    const bool underflow_known = (status.bits & FpStatus::UNDERFLOW_) != 0;
    const Words all = underflow_known ? watch.wrong : watch.wrong | watch.underflow;
    std::uint32_t any = 0;
    for (std::size_t i = 0; i < lanes; ++i) {
        any |= all[i];
    }
    return any >> 31 != 0;
}

template <typename Body>
void run(const ScanGroup& group) {
    Words state = {};
    for (std::size_t row = 0; row < lanes; ++row) {
        state[row] = group.state[row < group.rows ? row : 0];
    }
    for (std::size_t start = 0; start < group.columns; start += tile_columns) {
        const std::size_t left = group.columns - start;
        const std::size_t columns = left < tile_columns ? left : tile_columns;
        Columns x;
        Columns t;
        load_tile(group.src0, group.rows, start, columns, x);
        if constexpr (Body::second) {
            load_tile(group.src1, group.rows, start, columns, t);
        }
        Watch watch;
        const Words before = state;
        if (columns == tile_columns) {
            Body::tile(x, t, state, tile_columns, start == 0, watch);
        } else {
            Body::tile(x, t, state, columns, start == 0, watch);
        }
        if ((group.status->bits & FpStatus::INEXACT) == 0 || unusual(watch, *group.status)) {
            load_tile(group.src0, group.rows, start, columns, x);
            std::uint32_t exact_state[lanes];
            __builtin_memcpy(exact_state, &before, sizeof exact_state);
            group.exact(group, reinterpret_cast<std::uint32_t*>(x),
                        reinterpret_cast<const std::uint32_t*>(t), exact_state, columns, lanes,
                        start == 0);
            __builtin_memcpy(&state, exact_state, sizeof exact_state);
        }
        if (group.out.data != nullptr) {
            store_tile(x, group.out, group.rows, start, columns);
        }
    }
    for (std::size_t row = 0; row < group.rows; ++row) {
        group.state[row] = state[row];
    }
}

template <template <typename> class Body>
constexpr void fill_ops(ScanFunction (&to)[scan_ops]) {
    to[0] = run<Body<TileAdd>>;
    to[1] = run<Body<TileSubtract>>;
    to[2] = run<Body<TileMult>>;
    to[3] = run<Body<TileMax>>;
    to[4] = run<Body<TileMin>>;
    to[5] = run<Body<TileAbsoluteDiff>>;
}

template <typename Operation0>
constexpr void fill_second(ScanFunction (&to)[scan_stage_ops]) {
    to[0] = run<CarriedSequential<Operation0, TileAdd>>;
    to[1] = run<CarriedSequential<Operation0, TileSubtract>>;
    to[2] = run<CarriedSequential<Operation0, TileFrom>>;
    to[3] = run<CarriedSequential<Operation0, TileMult>>;
    to[4] = run<CarriedSequential<Operation0, TileMax>>;
    to[5] = run<CarriedSequential<Operation0, TileMin>>;
}

constexpr ScanTable make_table() {
    ScanTable table{};
    table.lanes = lanes;
    fill_ops<PrefixNetwork>(table.prefix_network);
    fill_ops<PrefixSequential>(table.prefix_sequential);
    fill_ops<Accumulate>(table.accumulate);
    table.carried_network[0] = run<CarriedNetwork<MapMultAdd<false>>>;
    table.carried_network[1] = run<CarriedNetwork<MapMultAdd<true>>>;
    table.carried_network[2] = run<CarriedNetwork<MapSingle<TileAdd>>>;
    table.carried_network[3] = run<CarriedNetwork<MapSingle<TileMult>>>;
    table.carried_network[4] = run<CarriedNetwork<MapBound<TileAdd, TileMax>>>;
    table.carried_network[5] = run<CarriedNetwork<MapBound<TileAdd, TileMin>>>;
    table.carried_network[6] = run<CarriedNetwork<MapBound<TileMax, TileMin>>>;
    table.carried_network[7] = run<CarriedNetwork<MapBound<TileMin, TileMax>>>;
    fill_second<TileAdd>(table.carried_sequential[0]);
    fill_second<TileSubtract>(table.carried_sequential[1]);
    fill_second<TileFrom>(table.carried_sequential[2]);
    fill_second<TileMult>(table.carried_sequential[3]);
    fill_second<TileMax>(table.carried_sequential[4]);
    fill_second<TileMin>(table.carried_sequential[5]);
    return table;
}

}  // namespace

constexpr ScanTable scan_table = make_table();

}  // namespace dve::DVE_KERNEL_NAMESPACE
