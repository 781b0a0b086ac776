// Parsing and printing of memory patterns.
#include "models/isa/text_pattern.h"

#include <algorithm>
#include <array>
#include <limits>

#include "models/isa/text_name.h"
#include "models/isa/text_number.h"

namespace dve {
namespace {

constexpr std::uint32_t register_marker = 0x80000000U;
constexpr std::uint32_t indirect_marker = 0x20000000U;
constexpr std::uint32_t maximum_word = 0xFFFFFFFFU;
constexpr std::string_view indirect_prefix = "indirect(";
constexpr unsigned indirect_bytes = 10;  // index, data, count; the rest is ignored (3.2)

bool has_indirect_arm(const Field& field) { return field.dimensions() >= 3; }

Error malformed(std::string_view text) {
    return {"operand " + quoted(text) +
            " is malformed; legal: NAME, NAME[0:256], sbuf:0:0x400:4x512/1024,1, R[n]:512, "
            "word:0x80000003:512"};
}

// How many colon-separated parts the address of a literal takes.
std::size_t address_parts(std::string_view first) {
    if (first.substr(0, 2) == "R[") {
        return 1;
    }
    return first == "word" ? 2 : 3;
}

struct Dimensions {
    std::vector<std::uint16_t> counts;  // outermost first
    std::vector<std::int16_t> steps;
};

Result<Dimensions> parse_dimensions(std::string_view text, unsigned maximum) {
    const std::size_t slash = text.find('/');
    Dimensions result;
    const Error refused{"pattern " + quoted(text) + " is malformed; legal: 1.." +
                        std::to_string(maximum) +
                        " counts of 0..65535 joined by x, then optionally / and as many steps of "
                        "-32768..32767 joined by commas, outermost first"};
    for (const std::string_view part : split(text.substr(0, slash), 'x')) {
        const std::optional<std::uint64_t> count = parse_unsigned(part, 0xFFFF);
        if (!count) {
            return refused;
        }
        result.counts.push_back(static_cast<std::uint16_t>(*count));
    }
    if (result.counts.size() > maximum) {
        return refused;
    }
    if (slash != std::string_view::npos) {
        const std::vector<std::string_view> parts = split(text.substr(slash + 1), ',');
        if (parts.size() != result.counts.size()) {
            return refused;
        }
        for (const std::string_view part : parts) {
            const Result<std::uint64_t> step = parse_bits(part, 16, true);
            // As a step, 65535 would silently be -1.
            if (!step || (part.front() != '-' && *step > 0x7FFF)) {
                return refused;
            }
            result.steps.push_back(static_cast<std::int16_t>(*step));
        }
        return result;
    }
    result.steps.resize(result.counts.size());
    std::uint64_t step = 1;
    for (std::size_t d = result.counts.size(); d-- > 0;) {
        if (step > static_cast<std::uint64_t>(std::numeric_limits<std::int16_t>::max())) {
            return Error{"pattern " + quoted(text) + " would need a step of " +
                         std::to_string(step) + "; legal: up to 32767, or steps written after /"};
        }
        result.steps[d] = static_cast<std::int16_t>(step);
        step *= result.counts[d];
    }
    return result;
}

Result<OperandFacts> parse_literal(std::string_view text, const Field& field,
                                   const TextContext& context, Record& record) {
    const std::vector<std::string_view> parts = split(text, ':');
    const std::size_t start_parts = address_parts(parts.front());
    if (parts.size() < start_parts || parts.size() > start_parts + 2) {
        return malformed(text);
    }
    const std::size_t start_length =
        static_cast<std::size_t>(parts[start_parts - 1].data() - text.data()) +
        parts[start_parts - 1].size();
    const Result<std::uint32_t> word = parse_address_word(text.substr(0, start_length), context);
    if (!word) {
        return word.failure();
    }
    OperandFacts facts;
    Pattern pattern;
    pattern.start.word = *word;
    for (std::size_t i = start_parts; i < parts.size(); ++i) {
        if (const DtypeRow* dtype = find_dtype(parts[i]); dtype != nullptr) {
            facts.dtype = dtype->dtype;
            continue;
        }
        const Result<Dimensions> dimensions = parse_dimensions(parts[i], field.dimensions());
        if (!dimensions) {
            return dimensions.failure();
        }
        for (std::size_t d = 0; d < dimensions->counts.size(); ++d) {
            pattern.num_elem[d] = dimensions->counts[dimensions->counts.size() - 1 - d];
            pattern.step_elem[d] = dimensions->steps[dimensions->steps.size() - 1 - d];
        }
    }
    record.set_pattern(field, pattern);
    return facts;
}

Result<OperandFacts> parse_indirect(std::string_view text, const Field& field,
                                    const TextContext& context, Record& record) {
    const Error refused{"operand " + quoted(text) +
                        " is malformed; legal: indirect(INDEX,DATA,COUNT) or with up to " +
                        std::to_string(field.bytes - indirect_bytes) +
                        " further bytes as hex digits, in patterns of 3 or 4 dimensions"};
    if (!has_indirect_arm(field) || text.back() != ')') {
        return refused;
    }
    text.remove_prefix(indirect_prefix.size());
    text.remove_suffix(1);
    const std::vector<std::string_view> parts = split(text, ',');
    if (parts.size() < 3 || parts.size() > 4) {
        return refused;
    }
    const Result<std::uint32_t> index = parse_address_word(trim(parts[0]), context);
    const Result<std::uint32_t> data = parse_address_word(trim(parts[1]), context);
    if (!index || !data) {
        return index ? data.failure() : index.failure();
    }
    const std::optional<std::uint64_t> count = parse_unsigned(trim(parts[2]), 0xFFFF);
    std::vector<std::uint8_t> tail;
    if (parts.size() == 4) {
        auto bytes = parse_hex_bytes(parts[3]);
        if (!bytes || bytes->size() > field.bytes - indirect_bytes) {
            return refused;
        }
        tail = std::move(*bytes);
    }
    if (!count) {
        return refused;
    }
    IndirectPattern pattern;
    pattern.index.word = *index | indirect_marker;
    pattern.data.word = *data;
    pattern.num_indices = static_cast<std::uint16_t>(*count);
    const auto first = record.bytes.begin() + field.offset;
    std::fill(first, first + field.bytes, std::uint8_t{0});
    record.set_indirect(field, pattern);
    std::copy(tail.begin(), tail.end(), first + indirect_bytes);
    return OperandFacts{};
}

std::string format_dimensions(const Pattern& pattern) {
    unsigned used = pattern.dimensions;
    while (used > 1 && pattern.num_elem[used - 1] == 1 && pattern.step_elem[used - 1] == 1) {
        --used;
    }
    std::string counts;
    std::string steps;
    bool contiguous = true;
    std::int64_t expected = 1;  // no step beyond 32767 can equal it, so it need not be exact
    for (unsigned d = 0; d < used; ++d) {
        counts = std::to_string(pattern.num_elem[d]) + (d == 0 ? "" : "x") + counts;
        steps = std::to_string(pattern.step_elem[d]) + (d == 0 ? "" : ",") + steps;
        contiguous = contiguous && pattern.step_elem[d] == expected;
        expected = std::min<std::int64_t>(expected * pattern.num_elem[d], 0x10000);
    }
    return contiguous ? counts : counts + '/' + steps;
}

}  // namespace

Result<std::uint32_t> parse_address_word(std::string_view text, const TextContext& context) {
    if (text.substr(0, 2) == "R[") {
        const std::optional<std::uint64_t> number =
            text.back() == ']' ? parse_unsigned(text.substr(2, text.size() - 3), 0xFF)
                               : std::nullopt;
        if (!number) {
            return Error{"register " + quoted(text) + " is malformed; legal: R[0]..R[63]"};
        }
        return register_marker | static_cast<std::uint32_t>(*number);
    }
    if (text.substr(0, 5) == "word:") {
        const std::optional<std::uint64_t> word = parse_unsigned(text.substr(5), maximum_word);
        if (!word) {
            return Error{"address " + quoted(text) + " is malformed; legal: word:0x0..0xffffffff"};
        }
        return static_cast<std::uint32_t>(*word);
    }
    const Result<Place> place = parse_place(text, context.memory);
    return place ? Result<std::uint32_t>(address_of(*place, context.memory)) : place.failure();
}

std::string format_address_word(std::uint32_t word, const MemoryMap& memory) {
    const AddressWord address{word};
    if (address.from_register() && !address.indirect() && !address.shape_from_register() &&
        address.register_reserved() == 0) {
        return "R[" + std::to_string(address.register_number()) + ']';
    }
    if (address.offset() == word) {
        if (const std::optional<Place> place = place_of(word, memory)) {
            return format_place(*place);
        }
    }
    return "word:" + format_hex(word, 8);
}

Result<OperandFacts> parse_operand(std::string_view text, const Field& field,
                                   const TextContext& context, Record& record) {
    if (text.substr(0, indirect_prefix.size()) == indirect_prefix) {
        return parse_indirect(text, field, context, record);
    }
    if (!looks_like_tensor(text)) {
        return text.find(':') == std::string_view::npos && text.substr(0, 2) != "R["
                   ? Result<OperandFacts>(malformed(text))
                   : parse_literal(text, field, context, record);
    }
    const Result<TensorWalk> walk = parse_tensor_walk(text, context);
    if (!walk) {
        return walk.failure();
    }
    const Result<Pattern> pattern = pattern_of(*walk, field.dimensions(), context.memory);
    if (!pattern) {
        return pattern.failure();
    }
    record.set_pattern(field, *pattern);
    return OperandFacts{walk->tensor->dtype, walk->tensor->partitions()};
}

std::string format_operand(const Record& record, const Field& field, const MemoryMap& memory) {
    const Pattern pattern = record.get_pattern(field);
    if (!pattern.start.indirect() || !has_indirect_arm(field)) {
        return format_address_word(pattern.start.word, memory) + ':' + format_dimensions(pattern);
    }
    const IndirectPattern indirect = record.get_indirect(field);
    const std::uint8_t* tail = record.bytes.data() + field.offset + indirect_bytes;
    unsigned tail_bytes = field.bytes - indirect_bytes;
    while (tail_bytes > 0 && tail[tail_bytes - 1] == 0) {
        --tail_bytes;
    }
    return std::string(indirect_prefix) +
           format_address_word(indirect.index.word & ~indirect_marker, memory) + ',' +
           format_address_word(indirect.data.word, memory) + ',' +
           std::to_string(indirect.num_indices) +
           (tail_bytes > 0 ? ',' + format_hex_bytes(tail, tail_bytes) : std::string()) + ')';
}

}  // namespace dve
