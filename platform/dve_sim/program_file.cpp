// Reading of .dvs and .bin files.
#include "platform/dve_sim/program_file.h"

#include <cstring>

#include "platform/whole_file.h"

namespace dve::sim {
namespace {

bool is_text(const std::string& path) {
    return path == "-" || (path.size() > 4 && path.compare(path.size() - 4, 4, ".dvs") == 0);
}

}  // namespace

std::string Program::where(std::size_t record) const {
    if (record < lines.size()) {
        return path + ":" + std::to_string(lines[record]);
    }
    return path + ": record " + std::to_string(record) + " at byte " +
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
    auto bytes = read_whole_file(path);
    if (!bytes) {
        return bytes.failure();
    }
    if (bytes->size() % record_bytes != 0) {
        const std::size_t whole = bytes->size() / record_bytes;
        return Error{path + ": " + std::to_string(bytes->size()) +
                     " bytes are not a whole number of records: record " + std::to_string(whole) +
                     " at byte " + std::to_string(whole * record_bytes) +
                     " is cut off; legal: a multiple of 64 bytes"};
    }
    std::vector<Record> records(bytes->size() / record_bytes);
    if (!records.empty()) {
        std::memcpy(records.data(), bytes->data(), bytes->size());
    }
    return records;
}

Result<Program> read_assembly(const std::string& path, const AssemblyOptions& options) {
    auto bytes = read_whole_file(path);
    if (!bytes) {
        return bytes.failure();
    }
    const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
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

Result<Program> read_program(const std::string& path, const AssemblyOptions& options) {
    if (is_text(path)) {
        return read_assembly(path, options);
    }
    auto records = read_records(path);
    if (!records) {
        return records.failure();
    }
    return Program{
        path, std::move(records.value()), {}, {}, options.generation.value_or(Generation::MARIANA)};
}

}  // namespace dve::sim
