// Reading and atomic writing of whole files.
#include "platform/whole_file.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

namespace dve {
namespace {

struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using OpenFile = std::unique_ptr<std::FILE, Closer>;

Error failed(const std::string& path, const char* doing, const std::string& reason) {
    return {path + ": cannot be " + doing + ": " + reason};
}

Error failed(const std::string& path, const char* doing) {
    return failed(path, doing, std::strerror(errno));
}

bool write_parts(std::FILE* file, const std::vector<FilePart>& parts) {
    for (const FilePart& part : parts) {
        if (part.bytes != 0 && std::fwrite(part.data, 1, part.bytes, file) != part.bytes) {
            return false;
        }
    }
    return std::fflush(file) == 0;
}

Status write_directly(const std::string& path, const std::vector<FilePart>& parts) {
    OpenFile file(std::fopen(path.c_str(), "wb"));
    if (!file || !write_parts(file.get(), parts)) {
        return failed(path, "written");
    }
    return Done{};
}

// A new file beside `target`; `name` gets its name.
OpenFile create_beside(const std::filesystem::path& target, std::string& name) {
    for (unsigned attempt = 0; attempt < 100; ++attempt) {
        name = target.string() + ".tmp" + std::to_string(getpid()) + '.' + std::to_string(attempt);
        OpenFile file(std::fopen(name.c_str(), "wbx"));
        if (file || errno != EEXIST) {
            return file;
        }
    }
    return nullptr;
}

}  // namespace

Result<std::vector<std::uint8_t>> read_whole_file(const std::string& path) {
    OpenFile opened;
    std::FILE* file = stdin;
    if (path != "-") {
        opened.reset(std::fopen(path.c_str(), "rb"));
        if (!opened) {
            return failed(path, "read");
        }
        file = opened.get();
    }
    std::vector<std::uint8_t> bytes;
    std::error_code unknown_size;
    if (const auto size = std::filesystem::file_size(path, unknown_size); !unknown_size) {
        if (size > maximum_file_bytes) {
            return failed(path, "read", "it is too large; legal: at most 256 MiB");
        }
        bytes.reserve(size);
    }
    std::array<std::uint8_t, 65536> chunk{};
    while (const std::size_t count = std::fread(chunk.data(), 1, chunk.size(), file)) {
        bytes.insert(bytes.end(), chunk.begin(), chunk.begin() + count);
        if (bytes.size() > maximum_file_bytes) {
            return failed(path, "read", "it is too large; legal: at most 256 MiB");
        }
    }
    if (std::ferror(file) != 0) {
        return failed(path, "read");
    }
    return bytes;
}

Status write_whole_file(const std::string& path, const std::vector<FilePart>& parts) {
    if (path == "-") {
        return write_parts(stdout, parts) ? Status(Done{}) : failed("standard output", "written");
    }
    std::error_code status;
    const std::filesystem::file_type type = std::filesystem::status(path, status).type();
    if (type == std::filesystem::file_type::directory) {
        return failed(path, "written", "it is a folder");
    }
    if (type != std::filesystem::file_type::not_found &&
        type != std::filesystem::file_type::regular) {
        return write_directly(path, parts);
    }
    // A rename would replace a file that must not be written.
    if (type == std::filesystem::file_type::regular && access(path.c_str(), W_OK) != 0) {
        return failed(path, "written");
    }
    // The rename must replace what a link points to, not the link.
    std::filesystem::path target = std::filesystem::weakly_canonical(path, status);
    if (status) {
        target = path;
    }
    std::string temporary;
    OpenFile file = create_beside(target, temporary);
    if (!file) {
        return failed(path, "written");
    }
    const bool written = write_parts(file.get(), parts);
    const int write_error = errno;
    const bool closed = std::fclose(file.release()) == 0;
    if (written && closed && std::rename(temporary.c_str(), target.c_str()) == 0) {
        return Done{};
    }
    const std::string reason = std::strerror(written ? errno : write_error);
    std::remove(temporary.c_str());
    return failed(path, "written", reason);
}

}  // namespace dve
