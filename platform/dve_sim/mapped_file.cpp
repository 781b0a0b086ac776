// Mapping of files.
#include "platform/dve_sim/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "platform/whole_file.h"

namespace dve::sim {

Result<MappedFile> MappedFile::open(const std::string& path) {
    MappedFile file;
    const int descriptor = path == "-" ? -1 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor >= 0) {
        struct stat status {};
        if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
            const auto bytes = static_cast<std::size_t>(status.st_size);
            void* memory = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, descriptor, 0);
            if (memory != MAP_FAILED) {
                file.mapped_ = static_cast<std::uint8_t*>(memory);
                file.mapped_bytes_ = bytes;
            }
        }
        close(descriptor);
    }
    if (file.mapped_ == nullptr) {
        auto bytes = read_whole_file(path);
        if (!bytes) {
            return bytes.failure();
        }
        file.read_ = std::move(bytes.value());
    }
    return file;
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : mapped_(std::exchange(other.mapped_, nullptr)),
      mapped_bytes_(other.mapped_bytes_),
      read_(std::move(other.read_)) {}

MappedFile::~MappedFile() {
    if (mapped_ != nullptr) {
        munmap(mapped_, mapped_bytes_);
    }
}

}  // namespace dve::sim
