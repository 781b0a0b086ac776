// Reading and writing of .npy files.
#include "platform/npy.h"

#include <array>
#include <cctype>
#include <charconv>
#include <cstring>
#include <string_view>

#include "platform/whole_file.h"

namespace dve {
namespace {

/// As NumPy itself.
constexpr std::size_t maximum_dimensions = 32;

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::string_view legal_types =
    "legal: <f4 <f2 |i1 |u1 <i2 <u2 <i4 <u4 <i8 <u8, <V2 for bf16, |V1 for fp8";

struct TypeRow {
    NpyType type;
    const char* descriptor;
    std::size_t bytes;
};
constexpr std::array<TypeRow, 12> type_rows = {{
    {NpyType::F2, "<f2", 2},
    {NpyType::F4, "<f4", 4},
    {NpyType::I1, "|i1", 1},
    {NpyType::U1, "|u1", 1},
    {NpyType::I2, "<i2", 2},
    {NpyType::U2, "<u2", 2},
    {NpyType::I4, "<i4", 4},
    {NpyType::U4, "<u4", 4},
    {NpyType::I8, "<i8", 8},
    {NpyType::U8, "<u8", 8},
    {NpyType::V1, "|V1", 1},
    {NpyType::V2, "<V2", 2},
}};

const TypeRow& row_of(NpyType type) { return type_rows[static_cast<std::size_t>(type)]; }

struct Header {
    std::string descriptor;
    bool fortran_order = false;
    std::vector<std::uint64_t> shape;
};

// Reads the header, a Python dict literal with exactly three keys.
class HeaderReader {
public:
    explicit HeaderReader(std::string_view text) : rest_(text) {}

    Result<Header> read() {
        Header header;
        bool seen[3] = {false, false, false};
        if (!take('{')) {
            return malformed("it is not a dict");
        }
        while (!take('}')) {
            const std::optional<std::string> key = string();
            if (!key || !take(':')) {
                return malformed("a key is missing");
            }
            const int index = *key == "descr"           ? 0
                              : *key == "fortran_order" ? 1
                              : *key == "shape"         ? 2
                                                        : -1;
            if (index < 0 || seen[index]) {
                return malformed("key '" + *key + "' is unknown or written twice");
            }
            seen[index] = true;
            const bool good = index == 0   ? descriptor(header)
                              : index == 1 ? order(header)
                                           : shape(header);
            if (!good) {
                return malformed("the value of '" + *key + "' is not " + expected[index]);
            }
            if (!take(',') && (skip_blanks(), rest_.empty() || rest_.front() != '}')) {
                return malformed("',' or '}' is missing");
            }
        }
        skip_blanks();
        if (!rest_.empty() || !seen[0] || !seen[1] || !seen[2]) {
            return malformed(rest_.empty() ? "a key is missing" : "text follows the dict");
        }
        return header;
    }

private:
    static constexpr const char* expected[] = {"a type string (structured types are refused)",
                                               "True or False", "a tuple of sizes below 2^64"};

    static Error malformed(const std::string& why) {
        return {"malformed header, " + why +
                "; legal: {'descr': '<f4', 'fortran_order': False, 'shape': (128, 512), }"};
    }
    void skip_blanks() {
        while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front())) != 0) {
            rest_.remove_prefix(1);
        }
    }
    bool take(char expected_character) {
        skip_blanks();
        const bool there = !rest_.empty() && rest_.front() == expected_character;
        rest_.remove_prefix(there ? 1 : 0);
        return there;
    }
    bool take_word(std::string_view word) {
        skip_blanks();
        const bool there = rest_.substr(0, word.size()) == word;
        rest_.remove_prefix(there ? word.size() : 0);
        return there;
    }
    std::optional<std::string> string() {
        skip_blanks();
        if (rest_.empty() || (rest_.front() != '\'' && rest_.front() != '"')) {
            return std::nullopt;
        }
        const std::size_t end = rest_.find(rest_.front(), 1);
        if (end == std::string_view::npos) {
            return std::nullopt;
        }
        std::string text(rest_.substr(1, end - 1));
        for (char& c : text) {
            c = std::isprint(static_cast<unsigned char>(c)) != 0 ? c
                                                                 : '?';  // it goes into messages
        }
        rest_.remove_prefix(end + 1);
        return text;
    }
    bool descriptor(Header& header) {
        std::optional<std::string> text = string();
        header.descriptor = text.value_or("");
        return text.has_value();
    }
    bool order(Header& header) {
        header.fortran_order = take_word("True");
        return header.fortran_order || take_word("False");
    }
    bool shape(Header& header) {
        if (!take('(')) {
            return false;
        }
        while (!take(')')) {
            skip_blanks();
            std::uint64_t size = 0;
            const auto [end, status] =
                std::from_chars(rest_.data(), rest_.data() + rest_.size(), size);
            if (status != std::errc()) {
                return false;
            }
            rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
            take('L');  // as Python 2 wrote long integers
            header.shape.push_back(size);
            if (header.shape.size() > maximum_dimensions) {
                return false;
            }
            if (!take(',') && (skip_blanks(), rest_.empty() || rest_.front() != ')')) {
                return false;
            }
        }
        return true;
    }

    std::string_view rest_;
};

Result<NpyType> type_of(const std::string& descriptor) {
    const std::string code = descriptor.size() > 1 ? descriptor.substr(1) : std::string();
    const char order = descriptor.empty() ? '?' : descriptor.front();
    for (const TypeRow& row : type_rows) {
        if (code != row.descriptor + 1) {
            continue;
        }
        const bool plain_bytes = row.bytes == 1 || row.type == NpyType::V2;
        if (order == '<' || (plain_bytes && (order == '|' || order == '>'))) {
            return row.type;
        }
        if (order == '>') {
            return Error{"elements are big-endian (" + descriptor +
                         "); legal: little-endian, e.g. " + row.descriptor};
        }
    }
    return Error{"element type '" + descriptor.substr(0, 40) + "' is not supported; " +
                 std::string(legal_types)};
}

Result<std::uint64_t> data_bytes(const Header& header, std::size_t element_bytes) {
    std::uint64_t bytes = element_bytes;
    bool empty = false;
    for (const std::uint64_t size : header.shape) {
        empty = empty || size == 0;
    }
    for (const std::uint64_t size : header.shape) {
        if (!empty && __builtin_mul_overflow(bytes, size, &bytes)) {
            return Error{
                "the sizes of 'shape' multiply to more than 2^64 bytes; legal: sizes that "
                "the file holds"};
        }
    }
    return empty ? 0 : bytes;
}

// Fortran order counts the first index fastest.
std::vector<std::uint8_t> to_c_order(const std::vector<std::uint8_t>& data,
                                     const std::vector<std::uint64_t>& shape,
                                     std::size_t element_bytes) {
    std::vector<std::uint8_t> result(data.size());
    std::vector<std::uint64_t> index(shape.size(), 0);
    for (std::size_t to = 0; to < data.size(); to += element_bytes) {
        std::uint64_t from = 0;
        for (std::size_t d = shape.size(); d-- > 0;) {
            from = from * shape[d] + index[d];
        }
        std::memcpy(result.data() + to, data.data() + from * element_bytes, element_bytes);
        for (std::size_t d = shape.size(); d-- > 0 && ++index[d] == shape[d];) {
            index[d] = 0;
        }
    }
    return result;
}

Result<NpyArray> parse(std::vector<std::uint8_t> bytes) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    constexpr std::size_t version_end = 8;
    if (text.substr(0, magic.size()) != magic) {
        return Error{"this is no .npy file; legal: it begins with the bytes 93 4e 55 4d 50 59"};
    }
    if (text.size() < version_end) {
        return Error{"cut off inside the header; legal: a complete file"};
    }
    const unsigned version = bytes[6];
    if (version < 1 || version > 3 || bytes[7] != 0) {
        return Error{"format version " + std::to_string(version) + '.' + std::to_string(bytes[7]) +
                     " is not supported; legal: 1.0, 2.0, 3.0"};
    }
    const std::size_t length_bytes = version == 1 ? 2 : 4;
    const std::size_t header_begin = version_end + length_bytes;
    std::size_t header_length = 0;
    for (std::size_t i = 0; i < length_bytes && version_end + i < bytes.size(); ++i) {
        header_length |= std::size_t{bytes[version_end + i]} << 8 * i;
    }
    if (bytes.size() < header_begin || bytes.size() - header_begin < header_length) {
        return Error{"cut off inside the header; legal: a complete file"};
    }
    const Result<Header> header = HeaderReader(text.substr(header_begin, header_length)).read();
    if (!header) {
        return header.failure();
    }
    const Result<NpyType> type = type_of(header->descriptor);
    if (!type) {
        return type.failure();
    }
    const std::size_t element_bytes = npy_element_bytes(*type);
    const Result<std::uint64_t> expected = data_bytes(*header, element_bytes);
    if (!expected) {
        return expected.failure();
    }
    const std::size_t data_begin = header_begin + header_length;
    const std::uint64_t present = bytes.size() - data_begin;
    if (present != *expected) {
        return Error{std::string(present < *expected ? "cut off" : "trailing bytes") +
                     ", the data have " + std::to_string(present) + " bytes; legal: " +
                     std::to_string(*expected) + " for its shape and element type"};
    }
    bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(data_begin));
    if (header->fortran_order && header->shape.size() > 1) {
        bytes = to_c_order(bytes, header->shape, element_bytes);
    }
    return NpyArray{*type, header->shape, std::move(bytes)};
}

}  // namespace

std::size_t npy_element_bytes(NpyType type) { return row_of(type).bytes; }

const char* npy_descriptor(NpyType type) { return row_of(type).descriptor; }

std::optional<NpyType> npy_type_of(Dtype dtype) {
    const DtypeRow& row = dtype_row(dtype);
    if (row.is_integer()) {
        for (const TypeRow& type : type_rows) {
            const char kind = row.kind == DtypeKind::SIGNED ? 'i' : 'u';
            if (type.descriptor[1] == kind && type.bytes * 8 == row.bits) {
                return type.type;
            }
        }
        return std::nullopt;
    }
    switch (row.bits) {
        case 8: return NpyType::U1;
        case 16: return dtype == Dtype::BF16 ? NpyType::U2 : NpyType::F2;
        case 32: return NpyType::F4;
        default: return std::nullopt;
    }
}

bool npy_matches(NpyType type, Dtype dtype) {
    const bool opaque = type == NpyType::V1 || type == NpyType::V2;
    if (opaque && dtype_row(dtype).is_integer()) {
        return false;
    }
    const std::optional<NpyType> written = npy_type_of(dtype);
    return written && (type == *written || (type == NpyType::V1 && *written == NpyType::U1) ||
                       (type == NpyType::V2 && *written == NpyType::U2));
}

Result<NpyArray> parse_npy(const std::string& name, std::vector<std::uint8_t> bytes) {
    Result<NpyArray> array = parse(std::move(bytes));
    return array ? std::move(array) : Error{name + ": " + array.error()};
}

Result<NpyArray> read_npy(const std::string& path) {
    Result<std::vector<std::uint8_t>> bytes = read_whole_file(path);
    return bytes ? parse_npy(path, std::move(bytes).value()) : bytes.failure();
}

Status write_npy(const std::string& path, const NpyArray& array) {
    std::string dict = std::string("{'descr': '") + npy_descriptor(array.type) +
                       "', 'fortran_order': False, 'shape': (";
    for (const std::uint64_t size : array.shape) {
        dict += std::to_string(size) + (array.shape.size() == 1 ? "," : ", ");
    }
    dict += "), }";
    constexpr std::size_t prefix = 10;
    constexpr std::size_t alignment = 64;  // the data begin at a multiple of this
    dict.append(alignment - 1 - (prefix + dict.size()) % alignment, ' ');
    dict += '\n';
    if (dict.size() > 0xFFFF) {
        return Error{path + ": the shape has too many dimensions; legal: a header below 64 KiB"};
    }
    std::string header(magic);
    header += {'\x01', '\x00', static_cast<char>(dict.size() & 0xFF),
               static_cast<char>(dict.size() >> 8)};
    header += dict;
    return write_whole_file(
        path, {{header.data(), header.size()}, {array.data.data(), array.data.size()}});
}

}  // namespace dve
