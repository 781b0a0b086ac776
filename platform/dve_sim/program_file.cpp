// Reading of .dvs and .bin files.
#include "platform/dve_sim/program_file.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "platform/whole_file.h"

namespace dve::sim {
namespace {

using Bytes = std::vector<std::uint8_t>;

bool ends_with(const std::string& text, std::string_view end) {
    return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Names other than .dvs and .bin, and standard input, are judged by what they hold: a record has
/// bytes that are zero, text has none.
bool is_text(const std::string& path, const Bytes& bytes) {
    return ends_with(path, ".dvs") ||
           (!ends_with(path, ".bin") && std::find(bytes.begin(), bytes.end(), 0) == bytes.end());
}

/// The engine counts the bytes of a stream in 32 bits.
constexpr std::uint64_t longest_stream = 0xFFFFFFFFU / record_bytes * record_bytes;

Status check_length(const std::string& path, std::uint64_t bytes) {
    if (bytes <= longest_stream) {
        return Done{};
    }
    return Error{path + ": " + std::to_string(bytes) + " bytes are too many; legal: up to " +
                 std::to_string(longest_stream / record_bytes) + " records of 64 bytes"};
}

/// Refuses what is too long without reading it.
Result<Bytes> read_bytes(const std::string& path) {
    std::error_code no_size;
    const std::uint64_t size = std::filesystem::file_size(path, no_size);
    if (!no_size) {
        if (auto status = check_length(path, size); !status) {
            return status.failure();
        }
    }
    return read_whole_file(path);
}

Result<std::vector<Record>> records_of(const std::string& path, const Bytes& bytes) {
    if (bytes.size() % record_bytes != 0) {
        const std::size_t whole = bytes.size() / record_bytes;
        return Error{path + ": " + std::to_string(bytes.size()) +
                     " bytes are not a whole number of records: record " + std::to_string(whole) +
                     " at byte " + std::to_string(whole * record_bytes) +
                     " is cut off; legal: a multiple of 64 bytes"};
    }
    if (auto status = check_length(path, bytes.size()); !status) {
        return status.failure();
    }
    std::vector<Record> records(bytes.size() / record_bytes);
    if (!records.empty()) {
        std::memcpy(records.data(), bytes.data(), bytes.size());
    }
    return records;
}

Result<Program> assembly_of(const std::string& path, const Bytes& bytes,
                            const AssemblyOptions& options) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    Assembly assembly = assemble(text, options);
    if (!assembly.ok()) {
        std::string lines;
        for (const AssemblyError& error : assembly.errors) {
            lines += (lines.empty() ? "" : "\n") + path + ":" + std::to_string(error.line) + ": " +
                     error.message;
        }
        return Error{lines};
    }
    return Program{path, std::move(assembly.records), std::move(assembly.lines),
                   std::move(assembly.tensors), assembly.generation};
}

}  // namespace

std::string Program::source(std::size_t record) const {
    return record < lines.size() ? path + ":" + std::to_string(lines[record]) : path;
}

std::string Program::where(std::size_t record) const {
    return source(record) + ": record " + std::to_string(record) + " at byte " +
           std::to_string(record * record_bytes);
}

const TensorDeclaration* Program::find_tensor(std::string_view name) const {
    for (const TensorDeclaration& tensor : tensors) {
        if (name == tensor.name) {
            return &tensor;
        }
    }
    return nullptr;
}

Result<std::vector<Record>> read_records(const std::string& path) {
    auto bytes = read_bytes(path);
    return bytes ? records_of(path, *bytes) : bytes.failure();
}

Result<Program> read_assembly(const std::string& path, const AssemblyOptions& options) {
    auto bytes = read_bytes(path);
    return bytes ? assembly_of(path, *bytes, options) : bytes.failure();
}

Result<Program> read_program(const std::string& path, const AssemblyOptions& options) {
    auto bytes = read_bytes(path);
    if (!bytes) {
        return bytes.failure();
    }
    if (is_text(path, *bytes)) {
        return assembly_of(path, *bytes, options);
    }
    auto records = records_of(path, *bytes);
    if (!records) {
        return records.failure();
    }
    return Program{
        path, std::move(records.value()), {}, {}, options.generation.value_or(Generation::MARIANA)};
}

}  // namespace dve::sim
