// The common operations of the tile kernels: right for all but the values they watch for.
//
// Watched conditions collect in sign bits. `wrong` stands for operands or results whose bits or
// status need the exact kernels; the others for a status that may be missing.
#pragma once

#include "models/alu/vector_words.h"

namespace dve::DVE_KERNEL_NAMESPACE {

struct Watch {
    Words wrong = {};
    Words underflow = {};
    Words invalid = {};
};

/// Sign bit set for NaN.
inline Words nan_sign(Words words) { return magnitude(words) + 0x007FFFFFU; }
/// Sign bit set for NaN and infinity.
inline Words not_finite_sign(Words words) { return magnitude(words) + 0x00800000U; }

inline bool scalar_is_nan(std::uint32_t bits) { return (bits & 0x7FFFFFFF) > 0x7F800000; }

/// Right operand of a stage: the word, and per row what its operation wants to know about it.
struct TileScalar {
    Words value;
    Words tiny_limit;
};

/// What an operation can do with NaN and infinity.
enum class Nature { PASSES, ARITHMETIC, ORDER };

/// Scalars whose product with a number of a narrow format could be tiny.
inline bool scalar_is_tiny(std::uint32_t bits) {
    const std::uint32_t size = bits & 0x7FFFFFFF;
    return size != 0 && size < 0x20000000;  // 2^-63
}

struct TileBypass {
    static constexpr Nature nature = Nature::PASSES;
    static bool unusual(std::uint32_t) { return false; }
    static Words scalar(Words x, const TileScalar&, Watch&) { return x; }
    static Words tensor(Words x, Words, Watch&) { return x; }
};

struct TileAdd {
    static constexpr Nature nature = Nature::ARITHMETIC;
    static bool unusual(std::uint32_t) { return false; }
    static Words tensor(Words x, Words y, Watch&) { return words(real(x) + real(y)); }
    static Words scalar(Words x, const TileScalar& s, Watch& watch) {
        return tensor(x, s.value, watch);
    }
};

struct TileSubtract {
    static constexpr Nature nature = Nature::ARITHMETIC;
    static bool unusual(std::uint32_t) { return false; }
    static Words tensor(Words x, Words y, Watch&) { return words(real(x) - real(y)); }
    static Words scalar(Words x, const TileScalar& s, Watch& watch) {
        return tensor(x, s.value, watch);
    }
};

struct TileFrom {
    static constexpr Nature nature = Nature::ARITHMETIC;
    static bool unusual(std::uint32_t) { return false; }
    static Words tensor(Words x, Words y, Watch&) { return words(real(y) - real(x)); }
    static Words scalar(Words x, const TileScalar& s, Watch& watch) {
        return tensor(x, s.value, watch);
    }
};

/// A result up to 2^-126 of operands that are not zero may be an underflow.
struct TileMult {
    static constexpr Nature nature = Nature::ARITHMETIC;
    static bool unusual(std::uint32_t) { return false; }
    static Words tensor(Words x, Words y, Watch& watch) {
        const Words product = words(real(x) * real(y));
        watch.underflow |= (magnitude(product) - 0x00800001U) & words(real(x) != Reals{}) &
                           words(real(y) != Reals{});
        return product;
    }
    static Words scalar(Words x, const TileScalar& s, Watch& watch) {
        const Words product = words(real(x) * real(s.value));
        watch.underflow |= (magnitude(product) - s.tiny_limit) & words(real(x) != Reals{});
        return product;
    }
    static Words unwatched_scalar(Words x, const TileScalar& s) {
        return words(real(x) * real(s.value));
    }
};

/// Equal operands differ only as zeros. A comparison that returns its second operand then is right
/// for every scalar but -0.
struct TileMax {
    static constexpr Nature nature = Nature::ORDER;
    static bool unusual(std::uint32_t s) { return s == 0x80000000 || scalar_is_nan(s); }
    static Words scalar(Words x, const TileScalar& s, Watch&) {
        return real(x) > real(s.value) ? x : s.value;
    }
    static Words tensor(Words x, Words y, Watch&) {
        const Words larger = real(x) > real(y) ? x : y;
        return real(x) == real(y) ? x & y : larger;
    }
};

struct TileMin {
    static constexpr Nature nature = Nature::ORDER;
    static bool unusual(std::uint32_t s) { return s == 0x80000000 || scalar_is_nan(s); }
    static Words scalar(Words x, const TileScalar& s, Watch&) {
        return real(s.value) < real(x) ? s.value : x;
    }
    static Words tensor(Words x, Words y, Watch&) {
        const Words smaller = real(x) < real(y) ? x : y;
        return real(x) == real(y) ? x | y : smaller;
    }
};

}  // namespace dve::DVE_KERNEL_NAMESPACE
