// FST, GTKWave's compressed format, through the writer of its authors.
#include <fstapi.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "traces/waveform/bit_text.h"
#include "traces/waveform/wave_writer.h"

namespace dve {
namespace {

constexpr int picosecond_exponent = -12;

class FstWriter final : public WaveWriter {
public:
    FstWriter(const std::string& path, void* file) : path_(path), file_(file) {}
    ~FstWriter() override { close(); }
    FstWriter(const FstWriter&) = delete;
    FstWriter& operator=(const FstWriter&) = delete;

    void declare(const std::vector<WaveVariable>& variables) override;
    void time(std::uint64_t picoseconds) override {
        time_ = picoseconds;
        has_time_ = true;
    }
    void begin_first_values() override {}
    void end_first_values() override {}
    void registers(std::size_t first_variable, const std::uint32_t* now, std::uint32_t* shadow,
                   unsigned count) override;
    void number(std::size_t variable, std::uint64_t value) override;
    void text(std::size_t variable, const char* value, unsigned length) override;
    void vector(std::size_t variable, const std::uint32_t* data,
                const std::uint32_t* control) override;
    void real(std::size_t variable, double value) override;
    void event(std::size_t variable) override { number(variable, 1); }
    void comment(const std::string& text) override {
        if (file_ != nullptr) {
            fstWriterSetComment(file_, text.c_str());
        }
    }
    void close() override;

private:
    void put_time() {
        if (has_time_ && (!has_written_time_ || written_time_ != time_)) {
            fstWriterEmitTimeChange(file_, time_);
            written_time_ = time_;
            has_written_time_ = true;
        }
    }
    void put(std::size_t variable, const void* value) {
        put_time();
        fstWriterEmitValueChange(file_, handles_[variable], value);
    }
    void check();

    std::string path_;
    void* file_;  ///< null: closed
    std::vector<fstHandle> handles_;
    std::vector<unsigned> bits_;
    std::vector<char> characters_;  ///< as many as the widest variable has bits
    std::uint64_t time_ = 0;
    std::uint64_t written_time_ = 0;
    bool has_time_ = false;
    bool has_written_time_ = false;
};

void FstWriter::declare(const std::vector<WaveVariable>& variables) {
    // Fixed texts: the same run gives the same bytes.
    fstWriterSetDate(file_, "");
    fstWriterSetVersion(file_, "dve");
    fstWriterSetTimescale(file_, picosecond_exponent);
    fstWriterSetPackType(file_, FST_WR_PT_LZ4);
    handles_.resize(variables.size());
    for (const WaveVariable& variable : variables) {
        bits_.push_back(variable.bits);
        if (characters_.size() < variable.bits) {
            characters_.resize(variable.bits);
        }
    }
    ScopeWalk walk;
    walk.enter = [this](const std::string& name) {
        fstWriterSetScope(file_, FST_ST_VCD_MODULE, name.c_str(), nullptr);
    };
    walk.leave = [this] { fstWriterSetUpscope(file_); };
    walk.variable = [this, &variables](std::size_t index) {
        const WaveVariable& variable = variables[index];
        const bool is_vector = variable.type == WaveType::BITS && variable.bits > 1;
        const std::string name =
            variable.name +
            (is_vector ? " [" + std::to_string(variable.bits - 1) + ":0]" : std::string());
        const fstVarType type = variable.type == WaveType::REAL    ? FST_VT_VCD_REAL
                                : variable.type == WaveType::EVENT ? FST_VT_VCD_EVENT
                                                                   : FST_VT_VCD_WIRE;
        handles_[index] =
            fstWriterCreateVar(file_, type, FST_VD_IMPLICIT, variable.bits, name.c_str(), 0);
    };
    walk_scopes(variables, walk);
}

void FstWriter::registers(std::size_t first_variable, const std::uint32_t* now,
                          std::uint32_t* shadow, unsigned count) {
    for (unsigned index = 0; index < count; ++index) {
        if (now[index] != shadow[index]) {
            shadow[index] = now[index];
            char characters[32];
            put_word(characters, now[index]);
            put(first_variable + index, characters);
        }
    }
}

void FstWriter::number(std::size_t variable, std::uint64_t value) {
    char characters[64];
    put_number(characters, value, bits_[variable]);
    put(variable, characters);
}

void FstWriter::text(std::size_t variable, const char* value, unsigned length) {
    put_text(characters_.data(), value, length);
    put(variable, characters_.data());
}

void FstWriter::vector(std::size_t variable, const std::uint32_t* data,
                       const std::uint32_t* control) {
    put_vector(characters_.data(), data, control, bits_[variable]);
    put(variable, characters_.data());
}

void FstWriter::real(std::size_t variable, double value) { put(variable, &value); }

void FstWriter::close() {
    if (file_ == nullptr) {
        return;
    }
    put_time();
    fstWriterClose(file_);
    file_ = nullptr;
    check();
}

/// The library does not report failed writes: follows the chain of blocks, each a type byte and
/// the length of the rest in 8 bytes, highest first, to the end of the file.
void FstWriter::check() {
    std::FILE* const file = std::fopen(path_.c_str(), "rb");
    bool is_complete = false;
    if (file != nullptr) {
        std::error_code status;
        const std::uint64_t bytes = std::filesystem::file_size(path_, status);
        std::uint64_t at = 0;
        unsigned char head[9];
        while (!status && at < bytes && std::fseek(file, static_cast<long>(at), SEEK_SET) == 0 &&
               std::fread(head, 1, sizeof head, file) == sizeof head) {
            std::uint64_t length = 0;
            for (unsigned index = 1; index < sizeof head; ++index) {
                length = length << 8 | head[index];
            }
            if (length < 8 || length > bytes) {
                break;
            }
            at += 1 + length;
            is_complete = at == bytes;
        }
        std::fclose(file);
    }
    if (!is_complete && error_.empty()) {
        error_ = path_ + ": is incomplete; is the disk full?";
    }
}

}  // namespace

Result<std::unique_ptr<WaveWriter>> open_fst(const std::string& path) {
    if (path == "-") {
        return Error{"standard output cannot take FST; legal: a file, or VCD"};
    }
    std::error_code status;
    const std::filesystem::file_status found = std::filesystem::status(path, status);
    if (std::filesystem::exists(found) && !std::filesystem::is_regular_file(found)) {
        return Error{path + ": cannot take FST; legal: a regular file, or VCD"};
    }
    // The library replaces a link instead of what it points to, and a file that may not be written.
    std::FILE* const writable = std::fopen(path.c_str(), "ab");
    std::filesystem::path target = path;
    void* file = nullptr;
    if (writable != nullptr) {
        std::fclose(writable);
        target = std::filesystem::canonical(path, status);
        file = status ? nullptr : fstWriterCreate(target.c_str(), 1);
    }
    if (file == nullptr) {
        return Error{path + ": cannot be written: " + std::strerror(errno)};
    }
    return std::unique_ptr<WaveWriter>(std::make_unique<FstWriter>(target.string(), file));
}

}  // namespace dve
