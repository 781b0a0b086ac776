// The values a waveform watches, with what was last written of each.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "traces/waveform/wave_writer.h"

namespace dve {

/// Copies an object's bits to words of 32, lowest first; see WaveWriter::vector. Both are zero
/// before; bits above the object's width do not matter.
using ReadVector = void (*)(const void* object, std::uint32_t* data, std::uint32_t* control);
using ReadReal = double (*)(const void* object);

class SampledValues {
public:
    /// An unsigned variable of 1, 2, 4 or 8 bytes, shown by its low `bits`. Neighbours in memory
    /// of 32 bits, added one after the other, are compared as one block.
    void add_number(std::size_t variable, const void* value, unsigned bytes, unsigned bits);
    void add_text(std::size_t variable, const char* value, unsigned length);
    void add_vector(std::size_t variable, const void* object, unsigned bits, ReadVector read);
    void add_real(std::size_t variable, const void* object, ReadReal read);
    /// Happens whenever `stamp` changes.
    void add_event(std::size_t variable, const unsigned long long* stamp);

    /// Hands what has changed to the writer, `all` values the first time. No allocation.
    void sample(WaveWriter& writer, bool all);

private:
    /// 32-bit variables side by side, with consecutive numbers.
    struct Block {
        const unsigned char* source;
        std::size_t first_variable;
        std::size_t shadow;  ///< index of the first one
        unsigned count;
    };
    struct Number {
        const void* source;
        std::uint64_t mask;
        std::uint64_t last;
        std::size_t variable;
    };
    struct Text {
        const char* source;
        std::size_t variable;
        std::size_t shadow;
        unsigned length;
    };
    struct Vector {
        const void* object;
        ReadVector read;
        std::size_t variable;
        std::size_t shadow;  ///< data words, then as many control words
        std::size_t words;
    };
    struct Real {
        const void* object;
        ReadReal read;
        double last;
        std::size_t variable;
    };
    struct Event {
        const unsigned long long* stamp;  ///< sc_dt::uint64
        unsigned long long last;
        std::size_t variable;
    };

    template <typename Value>
    void sample_numbers(std::vector<Number>& numbers, WaveWriter& writer, bool all);
    void sample_blocks(WaveWriter& writer, bool all);
    void sample_texts(WaveWriter& writer, bool all);
    void sample_vectors(WaveWriter& writer, bool all);
    void sample_reals(WaveWriter& writer, bool all);
    void sample_events(WaveWriter& writer, bool all);

    std::vector<Block> blocks_;
    std::vector<std::uint32_t> block_shadow_;
    std::array<std::vector<Number>, 4> numbers_;  ///< of 1, 2, 4 and 8 bytes
    std::vector<Text> texts_;
    std::vector<char> text_shadow_;
    std::vector<Vector> vectors_;
    std::vector<std::uint32_t> vector_shadow_;
    std::vector<std::uint32_t> vector_now_;
    std::vector<Real> reals_;
    std::vector<Event> events_;
};

}  // namespace dve
