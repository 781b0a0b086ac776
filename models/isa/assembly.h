// Programs as text: assembler and disassembler. The grammar is in docs/assembly.md.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/isa/record.h"
#include "models/isa/text_place.h"
#include "models/isa/text_tensor.h"

namespace dve {

struct AssemblyOptions {
    /// Generation demanded from outside; a `.gen` that differs is an error. Without both: MARIANA.
    std::optional<Generation> generation;
    /// Memories of the generation that applies; replace it where parameters change the geometry.
    std::function<MemoryMap(Generation)> memory = MemoryMap::for_generation;
};

struct AssemblyError {
    unsigned line;        ///< from 1
    std::string message;  ///< one line: what, where in the line, what is legal
};

/// At most this many errors are reported.
inline constexpr std::size_t maximum_assembly_errors = 20;

struct Assembly {
    std::vector<Record> records;                  ///< complete only if there are no errors
    std::vector<unsigned> lines;                  ///< source line of each record, from 1
    Generation generation = Generation::MARIANA;  ///< the one that applied
    std::vector<TensorDeclaration> tensors;
    std::vector<AssemblyError> errors;  ///< by ascending line, except for unresolved labels

    bool ok() const { return errors.empty(); }
};

/// Assembles a program. Never throws for any text; every fault is an entry of `errors`.
Assembly assemble(std::string_view text, const AssemblyOptions& options = {});

/// A program that assembles to exactly these records, whatever their bytes: `.gen`, then for each
/// record its wait and update lines and its instruction. Only bytes that no instruction line can
/// express, such as an unknown opcode, become `.raw`.
std::string disassemble(const std::vector<Record>& records, Generation generation,
                        const std::optional<MemoryMap>& memory = std::nullopt);

/// One line for a log, waits and updates as fields; assembles to the same bytes.
std::string disassemble_record(const Record& record, Generation generation,
                               const std::optional<MemoryMap>& memory = std::nullopt);

}  // namespace dve
