// Comparing watched values with what was last written.
#include "traces/waveform/sampled_values.h"

#include <algorithm>
#include <cstring>

namespace dve {
namespace {

constexpr unsigned block_part = 128;
constexpr unsigned small_block = 16;

/// Whether `count` words differ. A call of memcmp costs more than comparing a few lanes.
bool differs(const unsigned char* now, const std::uint32_t* before, unsigned count) {
    if (count > small_block) {
        return std::memcmp(now, before, 4UL * count) != 0;
    }
    std::uint32_t difference = 0;
    for (unsigned index = 0; index < count; ++index) {
        std::uint32_t word;
        std::memcpy(&word, now + 4UL * index, sizeof word);
        difference |= word ^ before[index];
    }
    return difference != 0;
}

}  // namespace

void SampledValues::add_number(std::size_t variable, const void* value, unsigned bytes,
                               unsigned bits) {
    if (bytes == 4 && bits == 32) {
        const auto* source = static_cast<const unsigned char*>(value);
        const bool continues = !blocks_.empty() &&
                               blocks_.back().source + 4UL * blocks_.back().count == source &&
                               blocks_.back().first_variable + blocks_.back().count == variable;
        if (continues) {
            ++blocks_.back().count;
        } else {
            blocks_.push_back({source, variable, block_shadow_.size(), 1});
        }
        block_shadow_.push_back(0);
        return;
    }
    const std::uint64_t mask = bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    const std::size_t size = bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
    numbers_[size].push_back({value, mask, 0, variable});
}

void SampledValues::add_text(std::size_t variable, const char* value, unsigned length) {
    texts_.push_back({value, variable, text_shadow_.size(), length});
    text_shadow_.resize(text_shadow_.size() + length);
}

void SampledValues::add_vector(std::size_t variable, const void* object, unsigned bits,
                               ReadVector read) {
    const std::size_t words = (bits + 31) / 32;
    vectors_.push_back({object, read, variable, vector_shadow_.size(), words});
    vector_shadow_.resize(vector_shadow_.size() + 2 * words);
    vector_now_.resize(std::max(vector_now_.size(), 2 * words));
}

void SampledValues::add_real(std::size_t variable, const void* object, ReadReal read) {
    reals_.push_back({object, read, 0, variable});
}

void SampledValues::add_event(std::size_t variable, const unsigned long long* stamp) {
    events_.push_back({stamp, 0, variable});
}

void SampledValues::sample(WaveWriter& writer, bool all) {
    sample_blocks(writer, all);
    sample_numbers<std::uint8_t>(numbers_[0], writer, all);
    sample_numbers<std::uint16_t>(numbers_[1], writer, all);
    sample_numbers<std::uint32_t>(numbers_[2], writer, all);
    sample_numbers<std::uint64_t>(numbers_[3], writer, all);
    sample_texts(writer, all);
    sample_vectors(writer, all);
    sample_reals(writer, all);
    sample_events(writer, all);
}

void SampledValues::sample_blocks(WaveWriter& writer, bool all) {
    for (const Block& block : blocks_) {
        std::uint32_t* const shadow = block_shadow_.data() + block.shadow;
        if (!all && !differs(block.source, shadow, block.count)) {
            continue;
        }
        for (unsigned done = 0; done < block.count;) {
            const unsigned part = std::min(block_part, block.count - done);
            std::uint32_t now[block_part];
            std::memcpy(now, block.source + 4UL * done, 4UL * part);
            if (all) {
                for (unsigned index = 0; index < part; ++index) {
                    shadow[done + index] = ~now[index];
                }
            }
            writer.registers(block.first_variable + done, now, shadow + done, part);
            done += part;
        }
    }
}

template <typename Value>
void SampledValues::sample_numbers(std::vector<Number>& numbers, WaveWriter& writer, bool all) {
    for (Number& number : numbers) {
        Value value;
        std::memcpy(&value, number.source, sizeof value);
        const std::uint64_t now = value & number.mask;
        if (now != number.last || all) {
            number.last = now;
            writer.number(number.variable, now);
        }
    }
}

void SampledValues::sample_texts(WaveWriter& writer, bool all) {
    for (const Text& text : texts_) {
        char* const shadow = text_shadow_.data() + text.shadow;
        if (all || std::memcmp(shadow, text.source, text.length) != 0) {
            std::memcpy(shadow, text.source, text.length);
            writer.text(text.variable, shadow, text.length);
        }
    }
}

void SampledValues::sample_vectors(WaveWriter& writer, bool all) {
    for (const Vector& vector : vectors_) {
        std::uint32_t* const now = vector_now_.data();
        std::uint32_t* const shadow = vector_shadow_.data() + vector.shadow;
        const std::size_t bytes = 2 * vector.words * sizeof *now;
        std::memset(now, 0, bytes);
        vector.read(vector.object, now, now + vector.words);
        if (all || std::memcmp(shadow, now, bytes) != 0) {
            std::memcpy(shadow, now, bytes);
            writer.vector(vector.variable, now, now + vector.words);
        }
    }
}

void SampledValues::sample_reals(WaveWriter& writer, bool all) {
    for (Real& real : reals_) {
        const double now = real.read(real.object);
        // By bits: a NaN stays the same, a zero may change its sign.
        if (all || std::memcmp(&now, &real.last, sizeof now) != 0) {
            real.last = now;
            writer.real(real.variable, now);
        }
    }
}

void SampledValues::sample_events(WaveWriter& writer, bool all) {
    for (Event& event : events_) {
        if (*event.stamp != event.last) {
            event.last = *event.stamp;
            if (!all) {
                writer.event(event.variable);
            }
        }
    }
}

}  // namespace dve
