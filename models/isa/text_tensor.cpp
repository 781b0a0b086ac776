// Tensor declarations, slices, and their patterns.
#include "models/isa/text_tensor.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "models/isa/text_name.h"
#include "models/isa/text_number.h"

namespace dve {
namespace {

constexpr std::size_t maximum_free_dimensions = 4;  // TENSOR4D (isa_wire_format 3.1)

// Words that begin a literal operand, so that no operand can be read in two ways.
bool is_reserved(std::string_view name) {
    return name == "sbuf" || name == "psum" || name == "R" || name == "word" || name == "indirect";
}

std::optional<std::int64_t> parse_signed(std::string_view text, std::int64_t lowest,
                                         std::int64_t highest) {
    const std::optional<Integer> number = parse_integer(text);
    if (!number || number->magnitude > static_cast<std::uint64_t>(highest) + 1) {
        return std::nullopt;
    }
    const auto magnitude = static_cast<std::int64_t>(number->magnitude);
    const std::int64_t value = number->negative ? -magnitude : magnitude;
    return value < lowest || value > highest ? std::nullopt : std::optional(value);
}

std::vector<std::int32_t> row_major(const std::vector<std::uint32_t>& shape) {
    std::vector<std::int32_t> step(shape.size() - 1);
    std::uint64_t elements = 1;
    for (std::size_t d = step.size(); d-- > 0;) {
        step[d] = static_cast<std::int32_t>(
            std::min<std::uint64_t>(elements, std::numeric_limits<std::int32_t>::max()));
        elements = std::min<std::uint64_t>(elements * shape[d + 1], 1ULL << 32);
    }
    return step;
}

Error bad_slice(std::string_view slice, std::uint64_t count) {
    return {"slice " + quoted(slice) + " is empty, malformed or leaves its dimension of " +
            std::to_string(count) + "; legal: INDEX, START:STOP or START:STOP:STEP inside 0.." +
            std::to_string(count - 1)};
}

// Replaces a dimension by a slice of it; returns the index of its first element.
Result<std::int64_t> apply_slice(std::string_view slice, TensorWalk::Dimension& dimension) {
    const auto count = static_cast<std::int64_t>(dimension.count);
    const std::vector<std::string_view> parts = split(slice, ':');
    std::array<std::optional<std::int64_t>, 3> bounds;
    if (parts.size() > bounds.size()) {
        return bad_slice(slice, dimension.count);
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::string_view part = trim(parts[i]);
        if (part.empty()) {
            continue;
        }
        bounds[i] = parse_signed(part, -count, std::max<std::int64_t>(count, 0x7FFFFFFF));
        if (!bounds[i]) {
            return bad_slice(slice, dimension.count);
        }
        if (i < 2 && *bounds[i] < 0) {
            *bounds[i] += count;
        }
    }
    std::int64_t step = bounds[2].value_or(1);
    std::int64_t first = bounds[0].value_or(step < 0 ? count - 1 : 0);
    std::int64_t stop = bounds[1].value_or(step < 0 ? -1 : count);
    if (parts.size() == 1) {
        if (!bounds[0]) {
            return bad_slice(slice, dimension.count);
        }
        stop = first + 1;
    }
    if (step == 0 || first < 0 || first >= count || stop < -1 || stop > count ||
        (step > 0 ? stop <= first : stop >= first)) {
        return bad_slice(slice, dimension.count);
    }
    const std::int64_t span = step > 0 ? stop - first : first - stop;
    const std::int64_t stride = step > 0 ? step : -step;
    dimension.count = static_cast<std::uint64_t>((span + stride - 1) / stride);
    const std::int64_t origin = first * dimension.step;
    dimension.step *= step;
    return origin;
}

void merge_contiguous(std::vector<TensorWalk::Dimension>& dimensions, std::size_t wanted) {
    dimensions.erase(std::remove_if(dimensions.begin(), dimensions.end(),
                                    [](const auto& dimension) { return dimension.count == 1; }),
                     dimensions.end());
    for (std::size_t d = dimensions.size(); d-- > 1 && dimensions.size() > wanted;) {
        TensorWalk::Dimension& outer = dimensions[d - 1];
        const TensorWalk::Dimension& inner = dimensions[d];
        if (outer.step == inner.step * static_cast<std::int64_t>(inner.count)) {
            outer = {inner.step, outer.count * inner.count};
            dimensions.erase(dimensions.begin() + static_cast<std::ptrdiff_t>(d));
        }
    }
}

}  // namespace

const TensorDeclaration* TextContext::find(std::string_view name) const {
    const auto found =
        std::find_if(tensors->begin(), tensors->end(),
                     [name](const TensorDeclaration& tensor) { return name == tensor.name; });
    return found == tensors->end() ? nullptr : &*found;
}

Result<TensorDeclaration> parse_tensor(const std::vector<std::string_view>& words,
                                       const TextContext& context) {
    static constexpr std::string_view step_key = "step=";
    const bool has_step = words.size() == 5 && words[4].substr(0, step_key.size()) == step_key;
    if (words.size() != 4 && !has_step) {
        return Error{
            ".tensor is malformed; legal: .tensor NAME space:partition:byte SHAPE DTYPE "
            "[step=S,S]"};
    }
    TensorDeclaration tensor;
    tensor.name = words[0];
    if (!is_identifier(words[0]) || is_reserved(words[0])) {
        return Error{"tensor name " + quoted(words[0]) +
                     " is not usable; legal: letters, digits, '_' and '.', not sbuf, psum, R, word "
                     "or indirect"};
    }
    if (context.find(words[0]) != nullptr) {
        return Error{"tensor " + quoted(words[0]) +
                     " is declared twice; legal: a name of its own for each tensor"};
    }
    const Result<Place> place = parse_place(words[1], context.memory);
    if (!place) {
        return place.failure();
    }
    tensor.place = *place;
    Result<std::vector<std::uint32_t>> shape = parse_shape(words[2], 1 + maximum_free_dimensions);
    if (!shape) {
        return shape.failure();
    }
    tensor.shape = shape.value();
    if (tensor.partitions() > dve_num_channels) {
        return Error{"shape " + quoted(words[2]) + " has " + std::to_string(tensor.partitions()) +
                     " partitions; legal: 1..128"};
    }
    const DtypeRow* dtype = find_dtype(words[3]);
    if (dtype == nullptr) {
        std::vector<std::string_view> names;
        for (const DtypeRow& row : dtype_rows()) {
            names.emplace_back(row.text);
        }
        return unknown_name("dtype", words[3], names);
    }
    tensor.dtype = dtype->dtype;
    tensor.step = row_major(tensor.shape);
    if (has_step) {
        const std::vector<std::string_view> steps = split(words[4].substr(step_key.size()), ',');
        bool good = steps.size() == tensor.step.size();
        for (std::size_t d = 0; good && d < steps.size(); ++d) {
            const auto step = parse_signed(steps[d], -32768, 32767);
            good = step.has_value();
            tensor.step[d] = static_cast<std::int32_t>(step.value_or(0));
        }
        if (!good) {
            return Error{"step of tensor " + quoted(tensor.name) + " is " +
                         quoted(words[4].substr(step_key.size())) +
                         "; legal: " + std::to_string(tensor.step.size()) +
                         " values of -32768..32767, one a free "
                         "dimension, outermost first"};
        }
    }
    return tensor;
}

bool looks_like_tensor(std::string_view text) {
    const std::string_view name = text.substr(0, text.find('['));
    return is_identifier(name) && !is_reserved(name);
}

Result<TensorWalk> parse_tensor_walk(std::string_view text, const TextContext& context) {
    const std::size_t bracket = text.find('[');
    const std::string_view name = text.substr(0, bracket);
    TensorWalk walk;
    walk.tensor = context.find(name);
    if (walk.tensor == nullptr) {
        if (context.tensors->empty()) {
            return Error{"unknown tensor " + quoted(name) +
                         "; legal: a name declared with .tensor above, or a literal such as "
                         "sbuf:0:0x400:512:fp32"};
        }
        std::vector<std::string_view> names;
        for (const TensorDeclaration& tensor : *context.tensors) {
            names.emplace_back(tensor.name);
        }
        return unknown_name("tensor", name, names);
    }
    walk.start = walk.tensor->place;
    for (std::size_t d = 0; d < walk.tensor->step.size(); ++d) {
        walk.dimensions.push_back({walk.tensor->step[d], walk.tensor->shape[d + 1]});
    }
    if (bracket == std::string_view::npos) {
        return walk;
    }
    if (text.back() != ']') {
        return Error{"operand " + quoted(text) + " does not end in ']'; legal: NAME[0:256]"};
    }
    const std::vector<std::string_view> slices =
        split(text.substr(bracket + 1, text.size() - bracket - 2), ',');
    if (walk.dimensions.empty() ||
        (slices.size() != 1 && slices.size() != walk.dimensions.size())) {
        return Error{"operand " + quoted(text) + " has " + std::to_string(slices.size()) +
                     " slices; legal: one for the innermost, or one for each of the " +
                     std::to_string(walk.dimensions.size()) + " free dimensions"};
    }
    std::int64_t origin = 0;
    const std::size_t skipped = walk.dimensions.size() - slices.size();
    for (std::size_t i = 0; i < slices.size(); ++i) {
        const Result<std::int64_t> first =
            apply_slice(trim(slices[i]), walk.dimensions[skipped + i]);
        if (!first) {
            return Error{"operand " + quoted(text) + ": " + first.error()};
        }
        origin += *first;
    }
    const std::int64_t element = element_bytes(walk.tensor->dtype);
    const std::int64_t byte = walk.start.byte + origin * element;
    const std::int64_t limit = context.memory.of(walk.start.space).partition_bytes;
    if ((element == 0 && origin != 0) || byte < 0 || byte >= limit) {
        return Error{"operand " + quoted(text) + " starts at byte " + std::to_string(byte) +
                     " of its partition; legal: 0.." + std::to_string(limit - 1) +
                     ", elements of whole bytes"};
    }
    walk.start.byte = static_cast<std::uint32_t>(byte);
    return walk;
}

Result<Pattern> pattern_of(const TensorWalk& walk, unsigned dimensions, const MemoryMap& memory) {
    std::vector<TensorWalk::Dimension> free = walk.dimensions;
    if (free.size() > dimensions) {
        merge_contiguous(free, dimensions);
    }
    if (free.size() > dimensions) {
        return Error{"tensor " + quoted(walk.tensor->name) + " needs " +
                     std::to_string(free.size()) + " free dimensions; legal here: up to " +
                     std::to_string(dimensions)};
    }
    Pattern pattern;
    pattern.dimensions = static_cast<std::uint8_t>(dimensions);
    pattern.start.word = address_of(walk.start, memory);
    for (std::size_t d = 0; d < free.size(); ++d) {
        const TensorWalk::Dimension& dimension = free[free.size() - 1 - d];
        const std::int64_t step = dimension.count == 1 ? 1 : dimension.step;
        if (dimension.count > 0xFFFF || step < -32768 || step > 32767) {
            return Error{"tensor " + quoted(walk.tensor->name) + " has a dimension of " +
                         std::to_string(dimension.count) + " elements at step " +
                         std::to_string(step) +
                         "; legal in a pattern: counts up to 65535, steps -32768..32767"};
        }
        pattern.step_elem[d] = static_cast<std::int16_t>(step);
        pattern.num_elem[d] = static_cast<std::uint16_t>(dimension.count);
    }
    return pattern;
}

}  // namespace dve
