// Files read and written as a whole; a written file is complete or not there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/isa/text_result.h"

namespace dve {

/// Larger inputs are refused: no memory of an engine holds more, and a device never ends.
inline constexpr std::size_t maximum_file_bytes = std::size_t{256} << 20;

/// All bytes of a file; `-` is standard input. The error names the file and the reason.
Result<std::vector<std::uint8_t>> read_whole_file(const std::string& path);

/// Parts of a file, written one after the other.
struct FilePart {
    const void* data = nullptr;
    std::size_t bytes = 0;
};

/// Writes to a temporary file in the same folder and renames it, so that readers see the old file
/// or the new one and a failure leaves nothing behind. Devices and pipes are written directly; `-`
/// is standard output. The error names the file and the reason.
Status write_whole_file(const std::string& path, const std::vector<FilePart>& parts);

}  // namespace dve
