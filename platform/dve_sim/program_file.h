// A program from a file: assembly text or binary records.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/isa/assembly.h"
#include "models/isa/text_result.h"

namespace dve::sim {

struct Program {
    std::string path;
    std::vector<Record> records;
    std::vector<unsigned> lines;             ///< .dvs only: source line of each record
    std::vector<TensorDeclaration> tensors;  ///< .dvs only
    Generation generation = Generation::MARIANA;

    /// "file.dvs:12" or "file.bin".
    std::string source(std::size_t record) const;
    /// The same with ": record 3 at byte 192".
    std::string where(std::size_t record) const;
    const TensorDeclaration* find_tensor(std::string_view name) const;
};

/// `.dvs` is text, `.bin` records; other names and standard input are records if they hold a zero
/// byte. The error holds one line for each fault of the text.
Result<Program> read_program(const std::string& path, const AssemblyOptions& options);

/// Assembles a file; `.bin` is not accepted.
Result<Program> read_assembly(const std::string& path, const AssemblyOptions& options);

/// Reads 64-byte records; the error says where a cut-off record starts.
Result<std::vector<Record>> read_records(const std::string& path);

}  // namespace dve::sim
