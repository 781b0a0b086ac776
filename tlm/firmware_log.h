// The firmware-style log: `S: ...` lines as the debug images print them (op_semantics 5).
#pragma once

#include <cstdarg>
#include <cstdio>
#include <string>

namespace dve {

/// A line sink. Callers ask `enabled()` first, so that no text is formatted that nobody prints.
class FirmwareLog {
public:
    virtual ~FirmwareLog() = default;

    bool enabled() const { return enabled_; }

    /// printf-like; a newline is added.
    [[gnu::format(printf, 2, 3)]] void line(const char* format, ...) {
        char text[512];
        std::va_list arguments;
        va_start(arguments, format);
        std::vsnprintf(text, sizeof text, format, arguments);
        va_end(arguments);
        write(text);
    }

    /// A text of any length as one line.
    virtual void write(const std::string& text) = 0;

protected:
    explicit FirmwareLog(bool enabled) : enabled_(enabled) {}

private:
    bool enabled_;
};

/// Prints nothing.
class SilentLog final : public FirmwareLog {
public:
    SilentLog() : FirmwareLog(false) {}
    void write(const std::string&) override {}
};

}  // namespace dve
