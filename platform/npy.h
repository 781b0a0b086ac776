// NumPy .npy files, format versions 1 to 3, without any library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/isa/dtype.h"
#include "models/isa/text_result.h"

namespace dve {

/// Element types; V1 and V2 are opaque bytes, as other tools store FP8 and BF16.
enum class NpyType : std::uint8_t { F2, F4, I1, U1, I2, U2, I4, U4, I8, U8, V1, V2 };

/// Bytes of one element.
std::size_t npy_element_bytes(NpyType type);

/// Descriptor of the file format, e.g. `<f4`.
const char* npy_descriptor(NpyType type);

struct NpyArray {
    NpyType type = NpyType::F4;
    std::vector<std::uint64_t> shape;
    std::vector<std::uint8_t> data;  ///< little-endian elements in C order, product(shape) of them

    std::uint64_t elements() const { return data.size() / npy_element_bytes(type); }
};

/// Whether elements of the type hold the bit patterns of the dtype: FP32 and FP32R as f4, FP16 as
/// f2, integers exactly, BF16 as u2 or V2, one-byte floats as u1 or V1.
bool npy_matches(NpyType type, Dtype dtype);

/// The type that a dtype is written as; nothing for dtypes without whole bytes.
std::optional<NpyType> npy_type_of(Dtype dtype);

/// Reads a file, `-` is standard input. Fortran order is turned into C order. The error is one line
/// that names the file, what is wrong and what is legal: no .npy file, cut off, trailing bytes,
/// big-endian, an element type that is not supported, a malformed header.
Result<NpyArray> read_npy(const std::string& path);

/// The same from bytes in memory; `name` stands for the file in messages.
Result<NpyArray> parse_npy(const std::string& name, std::vector<std::uint8_t> bytes);

/// Writes format version 1 in C order, atomically (see write_whole_file). `-` is standard output.
Status write_npy(const std::string& path, const NpyArray& array);

}  // namespace dve
