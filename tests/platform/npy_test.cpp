// .npy files: written bytes, malformed files, atomic writing, and NumPy itself where it is there.
#include "platform/npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "platform/whole_file.h"

namespace dve {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using Bytes = std::vector<std::uint8_t>;

constexpr const char* plain_dict = "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }";

// A file put together by hand: magic, version, header length, dict, data.
Bytes npy_file(const std::string& dict, std::size_t data_bytes, unsigned version = 1) {
    std::string text = "\x93NUMPY";
    text += static_cast<char>(version);
    text += '\0';
    const std::string header = dict + "    \n";
    for (unsigned i = 0; i < (version == 1 ? 2U : 4U); ++i) {
        text += static_cast<char>(header.size() >> 8 * i & 0xFF);
    }
    text += header;
    Bytes bytes(text.begin(), text.end());
    for (std::size_t i = 0; i < data_bytes; ++i) {
        bytes.push_back(static_cast<std::uint8_t>(i + 1));
    }
    return bytes;
}

std::string dict_of(const std::string& descriptor, const std::string& shape,
                    const std::string& fortran = "False") {
    return "{'descr': " + descriptor + ", 'fortran_order': " + fortran + ", 'shape': " + shape +
           ", }";
}

std::string error_of(Bytes bytes) {
    const Result<NpyArray> array = parse_npy("in.npy", std::move(bytes));
    return array.ok() ? "no error" : array.error();
}

class Npy : public testing::Test {
protected:
    void SetUp() override {
        std::string pattern = (std::filesystem::temp_directory_path() / "npy_test_XXXXXX").string();
        ASSERT_NE(mkdtemp(pattern.data()), nullptr);
        folder_ = pattern;
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    std::size_t files() const {
        const std::filesystem::directory_iterator begin(folder_);
        return static_cast<std::size_t>(std::distance(begin, {}));
    }

    std::filesystem::path folder_;
};

TEST(NpyParse, EveryVersionOfTheFormat) {
    for (const unsigned version : {1U, 2U, 3U}) {
        const Result<NpyArray> array = parse_npy("in.npy", npy_file(plain_dict, 12, version));
        ASSERT_TRUE(array.ok()) << array.error();
        EXPECT_EQ(array->type, NpyType::I2);
        EXPECT_EQ(array->shape, (std::vector<std::uint64_t>{2, 3}));
        EXPECT_EQ(array->data, (Bytes{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
        EXPECT_EQ(array->elements(), 6U);
    }
}

TEST(NpyParse, FortranOrderIsTransposed) {
    const Result<NpyArray> array =
        parse_npy("in.npy", npy_file(dict_of("'|u1'", "(2, 3)", "True"), 6));
    ASSERT_TRUE(array.ok()) << array.error();
    EXPECT_EQ(array->data, (Bytes{1, 3, 5, 2, 4, 6}));
}

TEST(NpyParse, HeaderVariants) {
    const auto parse = [](const std::string& dict, std::size_t bytes) {
        return parse_npy("in.npy", npy_file(dict, bytes));
    };
    EXPECT_TRUE(parse("{ \"shape\" :(4,), 'fortran_order':False,'descr':'<f4'}", 16).ok());
    EXPECT_TRUE(parse(dict_of("'<f2'", "()"), 2).ok());
    EXPECT_TRUE(parse(dict_of("'<i8'", "(0, 18446744073709551615)"), 0).ok());
    EXPECT_TRUE(parse(dict_of("'<u8'", "(1L, 2L)"), 16).ok());
    EXPECT_EQ(parse(dict_of("'<V2'", "(2,)"), 4)->type, NpyType::V2);
    EXPECT_EQ(parse(dict_of("'|V2'", "(2,)"), 4)->type, NpyType::V2);
    EXPECT_EQ(parse(dict_of("'|V1'", "(2,)"), 2)->type, NpyType::V1);
    EXPECT_EQ(parse(dict_of("'|i1'", "(2,)"), 2)->type, NpyType::I1);
}

TEST(NpyParse, MalformedFilesSayWhatIsWrong) {
    const Bytes good = npy_file(plain_dict, 12);
    EXPECT_THAT(error_of({}), AllOf(HasSubstr("in.npy: this is no .npy file"), HasSubstr("legal")));
    EXPECT_THAT(error_of({'P', 'K', 3, 4}), HasSubstr("no .npy file"));
    for (std::size_t size = 6; size < good.size(); ++size) {
        EXPECT_THAT(error_of(Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size))),
                    HasSubstr("cut off"))
            << size;
    }
    Bytes longer = good;
    longer.push_back(0);
    EXPECT_THAT(error_of(longer), AllOf(HasSubstr("trailing bytes"), HasSubstr("legal: 12")));
    Bytes version = good;
    version[6] = 4;
    EXPECT_THAT(error_of(version), AllOf(HasSubstr("version 4.0"), HasSubstr("1.0, 2.0, 3.0")));
    EXPECT_THAT(error_of(npy_file(dict_of("'>f4'", "(1,)"), 4)),
                AllOf(HasSubstr("big-endian"), HasSubstr("<f4")));
    for (const char* type : {"'<f8'", "'|O'", "'|b1'", "'<U4'", "''", "'<V4'", "'f4'"}) {
        EXPECT_THAT(error_of(npy_file(dict_of(type, "(1,)"), 8)),
                    AllOf(HasSubstr("is not supported"), HasSubstr("|i1 |u1 <i2")))
            << type;
    }
    EXPECT_THAT(error_of(npy_file(dict_of("[('a', '<f4')]", "(1,)"), 4)),
                HasSubstr("structured types are refused"));
    EXPECT_THAT(error_of(npy_file(dict_of("'<f4'", "(1, -2)"), 4)), HasSubstr("tuple of sizes"));
    EXPECT_THAT(error_of(npy_file(dict_of("'<f4'", "(1 2)"), 8)), HasSubstr("tuple of sizes"));
    EXPECT_THAT(error_of(npy_file(dict_of("'<f4'", "[1]"), 4)), HasSubstr("tuple of sizes"));
    EXPECT_THAT(error_of(npy_file(dict_of("'<f4'", "(1,)", "Maybe"), 4)),
                HasSubstr("True or False"));
    EXPECT_THAT(error_of(npy_file(dict_of("'<f4'", "(4294967296, 4294967296)"), 4)),
                HasSubstr("more than 2^64"));
    EXPECT_THAT(error_of(npy_file(dict_of("'<f4'", "(99999999999999999999,)"), 4)),
                HasSubstr("tuple of sizes"));
    EXPECT_THAT(error_of(npy_file("{'descr': '<f4', 'shape': (1,), }", 4)),
                HasSubstr("a key is missing"));
    EXPECT_THAT(error_of(npy_file("{'descr': '<f4', 'descr': '<f4', }", 4)),
                HasSubstr("written twice"));
    EXPECT_THAT(error_of(npy_file("{'color': 1}", 4)), HasSubstr("'color' is unknown"));
    EXPECT_THAT(error_of(npy_file(std::string(plain_dict) + "x", 12)), HasSubstr("text follows"));
    EXPECT_THAT(error_of(npy_file("{'descr': '<f4'", 4)), HasSubstr("',' or '}' is missing"));
    EXPECT_THAT(error_of(npy_file("descr", 4)), HasSubstr("not a dict"));
}

TEST(NpyParse, AnyDamageIsAValueOrAnError) {
    const Bytes good = npy_file(plain_dict, 12);
    for (std::size_t at = 0; at < good.size(); ++at) {
        for (unsigned bit = 0; bit < 8; ++bit) {
            Bytes damaged = good;
            damaged[at] = static_cast<std::uint8_t>(damaged[at] ^ (1U << bit));
            const Result<NpyArray> array = parse_npy("in.npy", damaged);
            if (!array.ok()) {
                EXPECT_EQ(array.error().find('\n'), std::string::npos);
            }
        }
    }
}

TEST_F(Npy, WrittenBytes) {
    const NpyArray array{NpyType::U2, {3}, {1, 0, 2, 0, 3, 0}};
    ASSERT_TRUE(write_npy(path("a.npy"), array).ok());
    const Result<Bytes> bytes = read_whole_file(path("a.npy"));
    ASSERT_TRUE(bytes.ok());
    const std::string text(bytes->begin(), bytes->end());
    std::string expected("\x93NUMPY\x01\x00\x76\x00", 10);
    expected += "{'descr': '<u2', 'fortran_order': False, 'shape': (3,), }";
    expected += std::string(127 - expected.size(), ' ') + '\n';
    expected += std::string("\x01\x00\x02\x00\x03\x00", 6);
    EXPECT_EQ(text, expected);
    EXPECT_EQ(files(), 1U);
}

TEST_F(Npy, EveryTypeComesBack) {
    for (unsigned t = 0; t <= static_cast<unsigned>(NpyType::V2); ++t) {
        const auto type = static_cast<NpyType>(t);
        NpyArray array{type, {2, 1, 4}, Bytes(8 * npy_element_bytes(type))};
        for (std::size_t i = 0; i < array.data.size(); ++i) {
            array.data[i] = static_cast<std::uint8_t>(37 * i + t);
        }
        ASSERT_TRUE(write_npy(path("a.npy"), array).ok());
        const Result<NpyArray> again = read_npy(path("a.npy"));
        ASSERT_TRUE(again.ok()) << again.error();
        EXPECT_EQ(again->type, type) << npy_descriptor(type);
        EXPECT_EQ(again->shape, array.shape);
        EXPECT_EQ(again->data, array.data);
    }
}

TEST_F(Npy, AFailedWriteLeavesNothingBehind) {
    const NpyArray array{NpyType::U1, {1}, {7}};
    const Status missing = write_npy(path("no/such/folder/a.npy"), array);
    ASSERT_FALSE(missing.ok());
    EXPECT_THAT(missing.error(), AllOf(HasSubstr("no/such/folder/a.npy: cannot be written"),
                                       HasSubstr("No such file")));
    const Status folder = write_npy(folder_.string(), array);
    ASSERT_FALSE(folder.ok());
    EXPECT_THAT(folder.error(), HasSubstr("it is a folder"));
    EXPECT_EQ(files(), 0U);
    if (std::filesystem::exists("/dev/full")) {
        const Status full = write_npy("/dev/full", array);
        ASSERT_FALSE(full.ok());
        EXPECT_THAT(full.error(), HasSubstr("No space"));
    }
    EXPECT_TRUE(write_npy("/dev/null", array).ok());
}

TEST_F(Npy, ALinkStaysALink) {
    const NpyArray array{NpyType::U1, {1}, {7}};
    ASSERT_TRUE(write_npy(path("target.npy"), array).ok());
    std::filesystem::create_symlink("target.npy", path("link.npy"));
    ASSERT_TRUE(write_npy(path("link.npy"), NpyArray{NpyType::U1, {1}, {9}}).ok());
    EXPECT_TRUE(std::filesystem::is_symlink(path("link.npy")));
    EXPECT_EQ(read_npy(path("target.npy"))->data, Bytes{9});
}

TEST_F(Npy, UnreadableFiles) {
    const Result<NpyArray> missing = read_npy(path("none.npy"));
    ASSERT_FALSE(missing.ok());
    EXPECT_THAT(missing.error(),
                AllOf(HasSubstr("none.npy: cannot be read"), HasSubstr("No such")));
    EXPECT_FALSE(read_npy(folder_.string()).ok());
}

TEST(NpyTypes, MatchTheDtypesOfTheInterface) {
    EXPECT_TRUE(npy_matches(NpyType::F4, Dtype::FP32));
    EXPECT_TRUE(npy_matches(NpyType::F4, Dtype::FP32R));
    EXPECT_TRUE(npy_matches(NpyType::F2, Dtype::FP16));
    EXPECT_TRUE(npy_matches(NpyType::U2, Dtype::BF16));
    EXPECT_TRUE(npy_matches(NpyType::V2, Dtype::BF16));
    EXPECT_TRUE(npy_matches(NpyType::U1, Dtype::FP8_EXP4));
    EXPECT_TRUE(npy_matches(NpyType::V1, Dtype::FP8_EXP5));
    EXPECT_TRUE(npy_matches(NpyType::I1, Dtype::INT8));
    EXPECT_TRUE(npy_matches(NpyType::U8, Dtype::UINT64));
    EXPECT_FALSE(npy_matches(NpyType::F2, Dtype::BF16));
    EXPECT_FALSE(npy_matches(NpyType::V2, Dtype::FP16));
    EXPECT_FALSE(npy_matches(NpyType::V2, Dtype::UINT16));
    EXPECT_FALSE(npy_matches(NpyType::V1, Dtype::UINT8));
    EXPECT_FALSE(npy_matches(NpyType::I4, Dtype::UINT32));
    EXPECT_FALSE(npy_matches(NpyType::U1, Dtype::FP4_EXP2));
    EXPECT_EQ(npy_type_of(Dtype::BF16), NpyType::U2);
    EXPECT_EQ(npy_type_of(Dtype::FP8_EXP3), NpyType::U1);
    EXPECT_EQ(npy_type_of(Dtype::INT64), NpyType::I8);
    EXPECT_FALSE(npy_type_of(Dtype::INT4));
    EXPECT_FALSE(npy_type_of(Dtype::CPTC1));
    EXPECT_FALSE(npy_type_of(Dtype::INVALID));
}

constexpr const char* python = "/usr/bin/python3";

bool numpy_is_there() {
    return std::system((std::string(python) + " -c 'import numpy' 2>/dev/null").c_str()) == 0;
}

TEST_F(Npy, NumpyReadsWhatIsWritten) {
    ASSERT_TRUE(numpy_is_there()) << "no NumPy for " << python;
    NpyArray array{NpyType::F4, {2, 3}, Bytes(24)};
    const float values[6] = {0.5F, -1.0F, 3.25F, 1e30F, -0.0F, 7.0F};
    std::memcpy(array.data.data(), values, sizeof values);
    ASSERT_TRUE(write_npy(path("a.npy"), array).ok());
    ASSERT_TRUE(write_npy(path("b.npy"), NpyArray{NpyType::I8, {}, Bytes(8, 0xFF)}).ok());
    std::ofstream(path("check.py"))
        << "import numpy, sys\n"
           "a = numpy.load(sys.argv[1] + '/a.npy')\n"
           "assert a.dtype == numpy.float32 and a.shape == (2, 3)\n"
           "assert (a == numpy.array([[0.5, -1, 3.25], [1e30, 0, 7]], numpy.float32)).all()\n"
           "b = numpy.load(sys.argv[1] + '/b.npy')\n"
           "assert b.dtype == numpy.int64 and b.shape == () and b == -1\n";
    EXPECT_EQ(std::system(
                  (std::string(python) + ' ' + path("check.py") + ' ' + folder_.string()).c_str()),
              0);
}

TEST_F(Npy, NumpyWritesWhatIsRead) {
    ASSERT_TRUE(numpy_is_there()) << "no NumPy for " << python;
    std::ofstream(path("make.py"))
        << "import numpy, sys\n"
           "d = sys.argv[1]\n"
           "a = numpy.arange(24).reshape(2, 3, 4)\n"
           "for t in ['f4', 'f2', 'i1', 'u1', 'i2', 'u2', 'i4', 'u4', 'i8', 'u8']:\n"
           "    numpy.save(d + '/' + t + '.npy', a.astype(t))\n"
           "    numpy.save(d + '/fortran_' + t + '.npy', numpy.asfortranarray(a.astype(t)))\n"
           "numpy.save(d + '/V2.npy', a.astype('u2').view('V2'))\n"
           "numpy.save(d + '/big.npy', a.astype('>i4'))\n"
           "numpy.save(d + '/object.npy', numpy.array([1, None]))\n"
           "numpy.lib.format.write_array(open(d + '/v3.npy', 'wb'), a.astype('u1'), (3, 0))\n";
    ASSERT_EQ(
        std::system((std::string(python) + ' ' + path("make.py") + ' ' + folder_.string()).c_str()),
        0);
    for (const char* type : {"f4", "f2", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"}) {
        const Result<NpyArray> array = read_npy(path(std::string(type) + ".npy"));
        const Result<NpyArray> fortran = read_npy(path("fortran_" + std::string(type) + ".npy"));
        ASSERT_TRUE(array.ok()) << array.error();
        ASSERT_TRUE(fortran.ok()) << fortran.error();
        EXPECT_EQ(npy_descriptor(array->type) + 1, std::string(type));
        EXPECT_EQ(array->shape, (std::vector<std::uint64_t>{2, 3, 4}));
        EXPECT_EQ(fortran->data, array->data) << type;
        if (type[0] != 'f') {
            const std::size_t bytes = npy_element_bytes(array->type);
            for (std::size_t i = 0; i < 24; ++i) {
                EXPECT_EQ(array->data[i * bytes], i);
            }
        }
    }
    EXPECT_EQ(read_npy(path("V2.npy"))->type, NpyType::V2);
    EXPECT_EQ(read_npy(path("v3.npy"))->elements(), 24U);
    EXPECT_THAT(read_npy(path("big.npy")).error(), HasSubstr("big-endian"));
    EXPECT_THAT(read_npy(path("object.npy")).error(), HasSubstr("'|O' is not supported"));
}

}  // namespace
}  // namespace dve
