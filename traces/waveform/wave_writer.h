// The format-dependent half of a waveform file: takes changes, in order of time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/isa/text_result.h"
#include "traces/waveform/wave_variable.h"

namespace dve {

/// Call declare() once, then time() and the changes of that time. Variables are named by their
/// index in the declared list. After an error every call does nothing.
class WaveWriter {
public:
    virtual ~WaveWriter() = default;

    virtual void declare(const std::vector<WaveVariable>& variables) = 0;
    /// The time of the changes that follow, in picoseconds; not before an earlier one. A time
    /// without changes leaves no mark unless it is the last.
    virtual void time(std::uint64_t picoseconds) = 0;
    /// Around the first values of all variables.
    virtual void begin_first_values() = 0;
    virtual void end_first_values() = 0;

    /// Consecutive 32-bit variables: writes those that differ and copies them to `shadow`.
    virtual void registers(std::size_t first_variable, const std::uint32_t* now,
                           std::uint32_t* shadow, unsigned count) = 0;
    /// The low bits of `value`, at most 64.
    virtual void number(std::size_t variable, std::uint64_t value) = 0;
    /// Characters, the first in the highest bits.
    virtual void text(std::size_t variable, const char* value, unsigned length) = 0;
    /// Words of 32 bits, lowest first. A set control bit makes 0 a Z and 1 an X.
    virtual void vector(std::size_t variable, const std::uint32_t* data,
                        const std::uint32_t* control) = 0;
    virtual void real(std::size_t variable, double value) = 0;
    virtual void event(std::size_t variable) = 0;
    virtual void comment(const std::string& text) = 0;

    /// Leaves a valid file; may be called again.
    virtual void close() = 0;

    /// Empty, or one line: the first thing that went wrong.
    const std::string& error() const { return error_; }

protected:
    std::string error_;
};

/// `-` is standard output.
Result<std::unique_ptr<WaveWriter>> open_vcd(const std::string& path);
/// Only regular files: the library behind it removes what is there before it writes.
Result<std::unique_ptr<WaveWriter>> open_fst(const std::string& path);

}  // namespace dve
