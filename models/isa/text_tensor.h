// Named tensors of assembly text and slices of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/isa/dtype.h"
#include "models/isa/record.h"
#include "models/isa/text_place.h"

namespace dve {

/// `.tensor NAME place shape dtype [step=...]`.
struct TensorDeclaration {
    std::string name;
    Place place;                       ///< first byte, in the first partition
    std::vector<std::uint32_t> shape;  ///< partitions first, then free dimensions outermost first
    std::vector<std::int32_t> step;    ///< elements, one per free dimension; row-major by default
    Dtype dtype = Dtype::INVALID;

    std::uint32_t partitions() const { return shape.front(); }
};

/// What names in operands refer to.
struct TextContext {
    Generation generation = Generation::MARIANA;
    MemoryMap memory{};
    const std::vector<TensorDeclaration>* tensors = nullptr;

    const TensorDeclaration* find(std::string_view name) const;
};

/// Parses what follows `.tensor`. Errors: a name that is taken or reserved, a bad place, shape,
/// dtype or step.
Result<TensorDeclaration> parse_tensor(const std::vector<std::string_view>& words,
                                       const TextContext& context);

/// A tensor or a slice of it as a walk over one partition.
struct TensorWalk {
    struct Dimension {
        std::int64_t step = 1;  ///< elements
        std::uint64_t count = 1;
    };
    const TensorDeclaration* tensor = nullptr;
    Place start;
    std::vector<Dimension> dimensions;  ///< outermost first
};

/// `NAME` or `NAME[slice,...]`: one slice for the innermost free dimension, or one for each.
/// A slice is an index, `start:stop` or `start:stop:step` as in Python; it must not be empty or
/// leave the dimension.
Result<TensorWalk> parse_tensor_walk(std::string_view text, const TextContext& context);

/// Whether text names a tensor rather than a literal place.
bool looks_like_tensor(std::string_view text);

/// The walk as a pattern of `dimensions` free dimensions. Dimensions of one element get step 1;
/// where there are too many, adjacent contiguous ones are merged. Error if it cannot be expressed.
Result<Pattern> pattern_of(const TensorWalk& walk, unsigned dimensions, const MemoryMap& memory);

}  // namespace dve
