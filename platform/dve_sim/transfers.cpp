// Parsing, checking and moving of arrays.
#include "platform/dve_sim/transfers.h"

#include <unistd.h>

#include <cstring>
#include <filesystem>

#include "models/isa/text_name.h"
#include "models/isa/text_number.h"
#include "platform/dve_engine.h"

namespace dve::sim {
namespace {

MemoryMap memory_map(const Configuration& configuration) {
    return {configuration.isa.sbuf, configuration.isa.psum};
}

/// WHERE holds no '='; a file name may.
Result<std::pair<std::string, std::string>> where_and_file(const char* option,
                                                           const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
        return Error{std::string(option) + ": " + dve::quoted(text) +
                     " is malformed; legal: WHERE=FILE.npy"};
    }
    return std::make_pair(text.substr(0, equals), text.substr(equals + 1));
}

Error in_option(const char* option, const std::string& text, const std::string& message) {
    return Error{std::string(option) + " " + text + ": " + message};
}

constexpr std::string_view place_form = "or a place, e.g. sbuf:0:0x400";
constexpr std::string_view region_form = "or a region, e.g. sbuf:0:0x400:128x512:fp32";

Error unknown_tensor(const std::string& name, const Program& program, std::string_view also) {
    std::vector<std::string_view> names;
    for (const TensorDeclaration& tensor : program.tensors) {
        names.emplace_back(tensor.name);
    }
    return unknown_name("tensor", name, names, also);
}

bool overlap(const Load& a, const Load& b) {
    return a.place.space == b.place.space && a.place.partition < b.place.partition + b.partitions &&
           b.place.partition < a.place.partition + a.partitions &&
           a.place.byte < b.place.byte + b.row_bytes && b.place.byte < a.place.byte + a.row_bytes;
}

std::string shape_text(const std::vector<std::uint64_t>& shape) {
    std::string text;
    for (const std::uint64_t count : shape) {
        text += (text.empty() ? "" : "x") + std::to_string(count);
    }
    return text.empty() ? "()" : text;
}

/// A named tensor takes exactly its own shape and dtype.
Status check_tensor(const TensorDeclaration& tensor, const NpyArray& array) {
    const std::vector<std::uint64_t> shape(tensor.shape.begin(), tensor.shape.end());
    if (array.shape != shape) {
        return Error{"shape " + shape_text(array.shape) + " does not fit tensor " + tensor.name +
                     "; legal: " + shape_text(shape)};
    }
    if (!npy_matches(array.type, tensor.dtype)) {
        const auto wanted = npy_type_of(tensor.dtype);
        return Error{"element type " + std::string(npy_descriptor(array.type)) +
                     " does not fit tensor " + tensor.name + " of " + dtype_row(tensor.dtype).text +
                     "; legal: " + (wanted ? npy_descriptor(*wanted) : "none")};
    }
    if (!tensor.step.empty()) {
        std::int64_t expected = 1;
        for (std::size_t d = tensor.shape.size(); d-- > 1;) {
            if (tensor.shape[d] > 1 && tensor.step[d - 1] != expected) {
                return Error{"tensor " + tensor.name +
                             " has steps of its own; legal: a row-major tensor, or a place"};
            }
            expected *= tensor.shape[d];
        }
    }
    return Done{};
}

Status check_writable(const std::string& path) {
    namespace fs = std::filesystem;
    if (path == "-") {
        return Done{};
    }
    std::error_code error;
    if (fs::is_directory(path, error)) {
        return Error{path + ": cannot be written: is a folder"};
    }
    fs::path folder = fs::path(path).parent_path();
    if (folder.empty()) {
        folder = ".";
    }
    if (!fs::is_directory(folder, error)) {
        return Error{path + ": cannot be written: no folder " + folder.string()};
    }
    const bool exists = fs::exists(path, error);
    if ((exists && access(path.c_str(), W_OK) != 0) ||
        (!exists && access(folder.c_str(), W_OK) != 0)) {
        return Error{path + ": cannot be written: " + std::strerror(errno)};
    }
    return Done{};
}

/// However the names are spelled. Devices take everything, and arrays may follow each other on
/// standard output.
bool collide(const Output& a, const Output& b) {
    namespace fs = std::filesystem;
    if (a.file == "-" || b.file == "-") {
        return a.file == b.file && !(a.is_array && b.is_array);
    }
    std::error_code error;
    const fs::file_type type = fs::status(a.file, error).type();
    if (type != fs::file_type::regular && type != fs::file_type::not_found) {
        return false;
    }
    // A relative name is only resolved where it exists.
    return fs::weakly_canonical(fs::absolute(a.file, error), error) ==
           fs::weakly_canonical(fs::absolute(b.file, error), error);
}

}  // namespace

Result<std::vector<Load>> read_loads(const std::vector<std::string>& options,
                                     const Program& program, const Configuration& configuration) {
    const MemoryMap memory = memory_map(configuration);
    std::vector<Load> loads;
    for (const std::string& text : options) {
        auto parts = where_and_file("--load", text);
        if (!parts) {
            return parts.failure();
        }
        const auto& [where, file] = *parts;
        Load load;
        load.option = text;
        const TensorDeclaration* tensor = program.find_tensor(where);
        if (tensor != nullptr) {
            load.place = tensor->place;
        } else if (is_identifier(where)) {
            return in_option("--load", text, unknown_tensor(where, program, place_form).message);
        } else {
            auto place = parse_load_place(where, memory);
            if (!place) {
                return in_option("--load", text, place.error());
            }
            load.place = *place;
        }
        auto array = read_npy(file);
        if (!array) {
            return in_option("--load", text, array.error());
        }
        load.array = std::move(array.value());
        if (load.array.shape.empty() || load.array.elements() == 0) {
            return in_option(
                "--load", text,
                "shape " + shape_text(load.array.shape) + " has no rows; legal: [partitions, ...]");
        }
        if (tensor != nullptr) {
            if (auto status = check_tensor(*tensor, load.array); !status) {
                return in_option("--load", text, status.error());
            }
        }
        load.partitions = load.array.shape[0];
        load.row_bytes = load.array.data.size() / load.partitions;
        if (auto status = check_extent(load.place, load.partitions, load.row_bytes, memory);
            !status) {
            return in_option("--load", text, status.error());
        }
        for (const Load& earlier : loads) {
            if (overlap(earlier, load)) {
                return in_option("--load", text, "overlaps --load " + earlier.option);
            }
        }
        loads.push_back(std::move(load));
    }
    return loads;
}

Result<std::vector<Dump>> read_dumps(const std::vector<std::string>& options,
                                     const Program& program, const Configuration& configuration) {
    std::vector<Dump> dumps;
    for (const std::string& text : options) {
        auto parts = where_and_file("--dump", text);
        if (!parts) {
            return parts.failure();
        }
        const auto& [where, file] = *parts;
        Dump dump;
        dump.option = text;
        dump.file = file;
        if (const TensorDeclaration* tensor = program.find_tensor(where)) {
            NpyArray shaped;
            shaped.shape.assign(tensor->shape.begin(), tensor->shape.end());
            shaped.type = npy_type_of(tensor->dtype).value_or(NpyType::U1);
            if (auto status = check_tensor(*tensor, shaped); !status) {
                return in_option("--dump", text, status.error());
            }
            dump.place = {tensor->place, tensor->shape, tensor->dtype};
        } else if (is_identifier(where)) {
            return in_option("--dump", text, unknown_tensor(where, program, region_form).message);
        } else {
            auto place = parse_dump_place(where, memory_map(configuration));
            if (!place) {
                return in_option("--dump", text, place.error());
            }
            dump.place = *place;
        }
        dumps.push_back(std::move(dump));
    }
    return dumps;
}

void apply(const Load& load, DveEngine& engine) {
    PartitionedMemory& memory = engine.memory_of(load.place.space);
    for (std::size_t p = 0; p < load.partitions; ++p) {
        std::uint8_t* row = memory.bytes(load.place.partition + static_cast<unsigned>(p),
                                         load.place.byte, load.row_bytes);
        std::memcpy(row, load.array.data.data() + p * load.row_bytes, load.row_bytes);
    }
}

Status write(const Dump& dump, DveEngine& engine) {
    PartitionedMemory& memory = engine.memory_of(dump.place.place.space);
    NpyArray array;
    array.type = *npy_type_of(dump.place.dtype);
    array.shape.assign(dump.place.shape.begin(), dump.place.shape.end());
    const std::size_t row_bytes = dump.place.bytes_per_partition();
    array.data.resize(row_bytes * dump.place.shape[0]);
    for (std::size_t p = 0; p < dump.place.shape[0]; ++p) {
        const std::uint8_t* row =
            memory.bytes(dump.place.place.partition + static_cast<unsigned>(p),
                         dump.place.place.byte, row_bytes);
        std::memcpy(array.data.data() + p * row_bytes, row, row_bytes);
    }
    return write_npy(dump.file, array);
}

Status check_outputs(const std::vector<Output>& outputs) {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const Output& output = outputs[i];
        if (auto status = check_writable(output.file); !status) {
            return Error{output.option + ": " + status.error()};
        }
        for (std::size_t earlier = 0; earlier < i; ++earlier) {
            if (collide(outputs[earlier], output)) {
                return Error{output.option + ": goes to the same file as " +
                             outputs[earlier].option + "; legal: a file for each output"};
            }
        }
    }
    return Done{};
}

}  // namespace dve::sim
