// The bytes of an input file of any size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/isa/text_result.h"

namespace dve::sim {

/// A regular file is mapped, so that only what is looked at takes memory. Other inputs and `-`,
/// standard input, are read.
class MappedFile {
public:
    static Result<MappedFile> open(const std::string& path);

    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&&) = delete;
    ~MappedFile();

    const std::uint8_t* bytes() const { return mapped_ != nullptr ? mapped_ : read_.data(); }
    std::size_t size() const { return mapped_ != nullptr ? mapped_bytes_ : read_.size(); }

private:
    MappedFile() = default;

    std::uint8_t* mapped_ = nullptr;
    std::size_t mapped_bytes_ = 0;
    std::vector<std::uint8_t> read_;
};

}  // namespace dve::sim
