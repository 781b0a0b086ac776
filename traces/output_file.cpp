// Buffered writing with the C library.
#include "traces/output_file.h"

#include <cerrno>
#include <cstring>
#include <utility>

namespace dve {

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
    if (path_ == "-") {
        path_ = "standard output";
        file_ = stdout;
        return;
    }
    file_ = std::fopen(path_.c_str(), "wb");
    if (file_ == nullptr) {
        fail();
        return;
    }
    buffer_.resize(std::size_t{1} << 20);
    std::setvbuf(file_, buffer_.data(), _IOFBF, buffer_.size());
}

OutputFile::~OutputFile() { (void)finish(); }

void OutputFile::write(const void* data, std::size_t bytes) {
    if (file_ != nullptr && error_.empty() && std::fwrite(data, 1, bytes, file_) != bytes) {
        fail();
    }
}

Status OutputFile::finish() {
    if (file_ != nullptr) {
        std::FILE* file = std::exchange(file_, nullptr);
        if ((file == stdout ? std::fflush(file) : std::fclose(file)) != 0 && error_.empty()) {
            fail();
        }
    }
    return status();
}

void OutputFile::fail() { error_ = path_ + ": cannot be written: " + std::strerror(errno); }

}  // namespace dve
