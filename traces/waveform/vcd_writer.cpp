// Value change dump (IEEE 1364), the subset that every viewer reads.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "traces/waveform/bit_text.h"
#include "traces/waveform/wave_writer.h"

namespace dve {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 18;
constexpr std::size_t no_stamp = ~std::size_t{0};
constexpr unsigned registers_at_once = 1024;

/// What follows a value: its identifier and a line end, stored as a whole.
struct Suffix {
    char text[7];
    std::uint8_t length;
};
static_assert(sizeof(Suffix) == 8);

/// Short identifiers from the 94 printable characters.
std::string identifier(std::size_t variable) {
    std::string text;
    for (std::size_t rest = variable + 1; rest > 0; rest /= 94) {
        --rest;
        text += static_cast<char>('!' + rest % 94);
    }
    return text;
}

std::string not_writable(const std::string& path) {
    return path + ": cannot be written: " + std::strerror(errno);
}

class VcdWriter final : public WaveWriter {
public:
    VcdWriter(const std::string& path, int file)
        : path_(path), file_(file), buffer_(buffer_bytes) {}

    ~VcdWriter() override { close(); }
    VcdWriter(const VcdWriter&) = delete;
    VcdWriter& operator=(const VcdWriter&) = delete;

    void declare(const std::vector<WaveVariable>& variables) override;
    void time(std::uint64_t picoseconds) override;
    void begin_first_values() override { put("$dumpvars\n"); }
    void end_first_values() override { put("$end\n"); }
    void registers(std::size_t first_variable, const std::uint32_t* now, std::uint32_t* shadow,
                   unsigned count) override;
    void number(std::size_t variable, std::uint64_t value) override;
    void text(std::size_t variable, const char* value, unsigned length) override;
    void vector(std::size_t variable, const std::uint32_t* data,
                const std::uint32_t* control) override;
    void real(std::size_t variable, double value) override;
    void event(std::size_t variable) override;
    void comment(const std::string& text) override;
    void close() override;

private:
    char* reserve(std::size_t bytes) {
        if (used_ + bytes > buffer_.size()) {
            flush();
        }
        return buffer_.data() + used_;
    }
    void advance_to(const char* end) { used_ = static_cast<std::size_t>(end - buffer_.data()); }
    void put(const std::string& text);
    void fail();
    void flush();
    void cut_to_line(const char* end_of_written);
    char* put_suffix(char* to, std::size_t variable) const {
        const Suffix& suffix = suffixes_[variable];
        std::memcpy(to, &suffix, sizeof suffix);
        return to + suffix.length;
    }

    std::string path_;
    int file_;           ///< -1: closed
    off_t written_ = 0;  ///< bytes in the file
    std::vector<char> buffer_;
    std::size_t used_ = 0;
    std::size_t stamp_begin_ = no_stamp;  ///< of the last time, as long as nothing follows it
    std::size_t stamp_end_ = no_stamp;
    bool has_time_ = false;
    std::uint64_t time_ = 0;
    std::vector<Suffix> suffixes_;
    std::vector<unsigned> bits_;
};

void VcdWriter::fail() {
    if (error_.empty()) {
        error_ = not_writable(path_);
    }
}

void VcdWriter::flush() {
    const char* from = buffer_.data();
    while (used_ > 0 && error_.empty()) {
        const ssize_t written = write(file_, from, used_);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            fail();
            cut_to_line(from);
            break;
        }
        from += written;
        used_ -= static_cast<std::size_t>(written);
        written_ += written;
    }
    used_ = 0;
    stamp_begin_ = stamp_end_ = no_stamp;
}

/// A write that failed may have left half a value: ends the file with the last whole line.
void VcdWriter::cut_to_line(const char* end_of_written) {
    const char* end = end_of_written;
    while (end != buffer_.data() && end[-1] != '\n') {
        --end;
    }
    // Fails where there is nothing to cut, on devices and pipes.
    [[maybe_unused]] const int ignored = ftruncate(file_, written_ - (end_of_written - end));
}

void VcdWriter::put(const std::string& text) {
    for (std::size_t done = 0; done < text.size();) {
        const std::size_t part = std::min(text.size() - done, buffer_bytes);
        std::memcpy(reserve(part), text.data() + done, part);
        used_ += part;
        done += part;
    }
}

void VcdWriter::declare(const std::vector<WaveVariable>& variables) {
    unsigned widest = 0;
    for (std::size_t index = 0; index < variables.size(); ++index) {
        const bool is_scalar = variables[index].bits == 1;
        const std::string text = (is_scalar ? "" : " ") + identifier(index) + '\n';
        Suffix suffix{};
        std::memcpy(suffix.text, text.data(), text.size());
        suffix.length = static_cast<std::uint8_t>(text.size());
        suffixes_.push_back(suffix);
        bits_.push_back(variables[index].bits);
        widest = std::max(widest, variables[index].bits);
    }
    flush();
    buffer_.resize(std::max(buffer_bytes, std::size_t{2} * widest));

    // No $date: the same run gives the same bytes.
    put("$version dve $end\n$timescale 1 ps $end\n");
    ScopeWalk walk;
    walk.enter = [this](const std::string& name) { put("$scope module " + name + " $end\n"); };
    walk.leave = [this] { put("$upscope $end\n"); };
    walk.variable = [this, &variables](std::size_t index) {
        const WaveVariable& variable = variables[index];
        const char* type = variable.type == WaveType::REAL    ? "real"
                           : variable.type == WaveType::EVENT ? "event"
                                                              : "wire";
        const bool is_vector = variable.type == WaveType::BITS && variable.bits > 1;
        put(std::string("$var ") + type + ' ' + std::to_string(variable.bits) + ' ' +
            identifier(index) + ' ' + variable.name +
            (is_vector ? " [" + std::to_string(variable.bits - 1) + ":0]" : "") + " $end\n");
    };
    walk_scopes(variables, walk);
    put("$enddefinitions $end\n");
}

void VcdWriter::time(std::uint64_t picoseconds) {
    if (has_time_ && picoseconds == time_) {
        return;
    }
    if (used_ == stamp_end_) {
        used_ = stamp_begin_;
    }
    char* to = reserve(24);
    const std::size_t begin = used_;
    *to++ = '#';
    to = std::to_chars(to, to + 20, picoseconds).ptr;
    *to++ = '\n';
    advance_to(to);
    stamp_begin_ = begin;
    stamp_end_ = used_;
    has_time_ = true;
    time_ = picoseconds;
}

void VcdWriter::registers(std::size_t first_variable, const std::uint32_t* now,
                          std::uint32_t* shadow, unsigned count) {
    constexpr std::size_t most_bytes = 1 + 32 + sizeof(Suffix);
    while (count > 0) {
        const unsigned part = std::min(count, registers_at_once);
        char* to = reserve(part * most_bytes);
        for (unsigned index = 0; index < part; ++index) {
            const std::uint32_t value = now[index];
            if (value != shadow[index]) {
                shadow[index] = value;
                *to = 'b';
                put_word(to + 1, value);
                to = put_suffix(to + 33, first_variable + index);
            }
        }
        advance_to(to);
        first_variable += part;
        now += part;
        shadow += part;
        count -= part;
    }
}

void VcdWriter::number(std::size_t variable, std::uint64_t value) {
    char* to = reserve(1 + 64 + sizeof(Suffix));
    const unsigned bits = bits_[variable];
    if (bits == 1) {
        *to++ = static_cast<char>('0' + (value & 1U));
    } else {
        *to++ = 'b';
        put_number(to, value, bits);
        to += bits;
    }
    advance_to(put_suffix(to, variable));
}

void VcdWriter::text(std::size_t variable, const char* value, unsigned length) {
    char* to = reserve(1 + std::size_t{8} * length + sizeof(Suffix));
    *to++ = 'b';
    put_text(to, value, length);
    advance_to(put_suffix(to + std::size_t{8} * length, variable));
}

void VcdWriter::vector(std::size_t variable, const std::uint32_t* data,
                       const std::uint32_t* control) {
    const unsigned bits = bits_[variable];
    char* to = reserve(1 + bits + sizeof(Suffix));
    if (bits > 1) {
        *to++ = 'b';
    }
    put_vector(to, data, control, bits);
    advance_to(put_suffix(to + bits, variable));
}

void VcdWriter::real(std::size_t variable, double value) {
    char* to = reserve(1 + 32 + sizeof(Suffix));
    *to++ = 'r';
    to = std::to_chars(to, to + 32, value).ptr;
    advance_to(put_suffix(to, variable));
}

void VcdWriter::event(std::size_t variable) { number(variable, 1); }

void VcdWriter::comment(const std::string& text) {
    std::string harmless = text;
    std::replace(harmless.begin(), harmless.end(), '$', '_');
    put("$comment " + harmless + " $end\n");
}

void VcdWriter::close() {
    if (file_ < 0) {
        return;
    }
    flush();
    if (::close(file_) != 0) {
        fail();
    }
    file_ = -1;
}

}  // namespace

Result<std::unique_ptr<WaveWriter>> open_vcd(const std::string& path) {
    const int file = path == "-"
                         ? dup(STDOUT_FILENO)
                         : open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) {
        return Error{not_writable(path)};
    }
    return std::unique_ptr<WaveWriter>(std::make_unique<VcdWriter>(path, file));
}

}  // namespace dve
