// A file that grows while a run goes on; errors are kept as a value.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include "models/isa/text_result.h"

namespace dve {

/// Written through a buffer of one mebibyte. After the first failure nothing more is written, and
/// status() and finish() say why.
class OutputFile {
public:
    /// `-` is standard output.
    explicit OutputFile(std::string path);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void write(const void* data, std::size_t bytes);
    void write(const std::string& text) { write(text.data(), text.size()); }

    Status status() const { return error_.empty() ? Status(Done{}) : Status(Error{error_}); }
    bool is_open() const { return file_ != nullptr; }
    /// Everything reaches the file, which is closed. Again: the same answer.
    Status finish();

private:
    void fail();

    std::string path_;
    std::vector<char> buffer_;  ///< of file_; standard output keeps its own
    std::FILE* file_;
    std::string error_;
};

}  // namespace dve
