// What a module shows to a waveform: plain state under a name, found by walking the hierarchy.
//
// Nothing here costs a model anything until a waveform asks for it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dve {

/// How a viewer should read the values of a signal; those behind TEXT have a table of names
/// (traces/waveform).
enum class SignalKind : std::uint8_t {
    NUMBER,  ///< read as bits: hexadecimal
    COUNT,   ///< decimal
    FLOAT,   ///< FP32 bits
    TEXT,
    OPCODE,
    ALU_OP,
    DTYPE,
    SEQUENCER_STATE,
    STALL_CAUSE,  ///< StallCause + 1; 0: none
};

/// Takes the signals of one module. Addresses must stay valid as long as the module lives; names
/// may contain dots, each opening a scope below the module's.
class SignalVisitor {
public:
    virtual ~SignalVisitor() = default;

    /// An unsigned variable of `bytes` (1, 2, 4 or 8) bytes, of which the low `bits` are shown.
    virtual void number(const char* name, const void* value, unsigned bytes, unsigned bits,
                        SignalKind kind) = 0;
    /// `length` characters, unused ones zero.
    virtual void text(const char* name, const char* value, unsigned length) = 0;
    /// One 32-bit variable for each lane, lane l at values[l]; shown as <module>.lane_<l>.<name>.
    virtual void lanes(const char* name, const std::uint32_t* values, unsigned lanes,
                       SignalKind kind) = 0;

    template <typename Value>
    void number(const char* name, const Value& value, unsigned bits = 8 * sizeof(Value),
                SignalKind kind = SignalKind::NUMBER) {
        static_assert(sizeof(Value) <= 8, "a number of at most 64 bits");
        number(name, &value, sizeof value, bits, kind);
    }
};

/// A module with signals to show.
class Traceable {
public:
    virtual ~Traceable() = default;
    virtual void visit_signals(SignalVisitor& visitor) const = 0;
    /// The lanes whose values somebody watches, one flag a lane: the others need not be kept.
    virtual void watch_lanes(const bool (&)[128]) {}
};

/// Called by a module that runs several cycles in one activation, once for each cycle in which
/// nobody else does anything, when all of its state is as it stays for that cycle. The kernel's own
/// calls of trace files cover the other times.
class CycleObserver {
public:
    virtual ~CycleObserver() = default;
    /// `picoseconds`: SystemC time of the cycle's first edge.
    virtual void cycle_done(std::uint64_t cycle, std::uint64_t picoseconds) = 0;
};

}  // namespace dve
