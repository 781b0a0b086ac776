// Places of --load and --dump.
#include "platform/place.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dve {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const MemoryMap mariana = MemoryMap::for_generation(Generation::MARIANA);

TEST(LoadPlace, DecimalAndHexadecimal) {
    EXPECT_EQ(*parse_load_place("sbuf:0:0x400", mariana), (Place{Space::SBUF, 0, 0x400}));
    EXPECT_EQ(*parse_load_place("psum:0x7F:16383", mariana), (Place{Space::PSUM, 127, 16383}));
}

TEST(LoadPlace, AddressesOfTheByteMap) {
    // isa_wire_format 2.2: SBUF partition x 256 KiB, PSUM 0x2000000 + partition x 32 KiB.
    EXPECT_EQ(address_of({Space::SBUF, 3, 0x10}, mariana), 0xC0010U);
    EXPECT_EQ(address_of({Space::PSUM, 2, 0x20}, mariana), 0x2010020U);
    EXPECT_EQ(place_of(0x2010020, mariana), (Place{Space::PSUM, 2, 0x20}));
    EXPECT_FALSE(place_of(0x2004000, mariana));  // between 16 KiB and the stride
    EXPECT_FALSE(place_of(0x2400000, mariana));
    const MemoryMap maverick = MemoryMap::for_generation(Generation::MAVERICK);
    EXPECT_EQ(address_of({Space::SBUF, 1, 0}, maverick), 0x100000U);
}

TEST(LoadPlace, Errors) {
    const auto error = [](const char* text) { return parse_load_place(text, mariana).error(); };
    EXPECT_THAT(error("sbuf:0"), AllOf(HasSubstr("'sbuf:0'"), HasSubstr("space:partition:byte")));
    EXPECT_THAT(error(""), HasSubstr("space:partition:byte"));
    EXPECT_THAT(error("dram:0:0"), AllOf(HasSubstr("unknown memory 'dram'"), HasSubstr("psum")));
    EXPECT_THAT(error("sbuf:128:0"), AllOf(HasSubstr("partition '128'"), HasSubstr("0..127")));
    EXPECT_THAT(error("sbuf:-1:0"), HasSubstr("partition '-1'"));
    EXPECT_THAT(error("psum:0:0x4000"), AllOf(HasSubstr("byte '0x4000'"), HasSubstr("0x3fff")));
    EXPECT_THAT(error("sbuf:0:x"), HasSubstr("byte 'x'"));
    const MemoryMap sunda = MemoryMap::for_generation(Generation::SUNDA);
    EXPECT_TRUE(parse_load_place("sbuf:0:0x2ffff", sunda).ok());
    EXPECT_FALSE(parse_load_place("sbuf:0:0x30000", sunda).ok());
    EXPECT_THAT(
        parse_load_place("psum:0:0", MemoryMap::for_generation(Generation::MAVERICK)).error(),
        HasSubstr("no psum"));
}

TEST(DumpPlace, ShapeAndDtype) {
    const Result<DumpPlace> dump = parse_dump_place("sbuf:0:0x400:128x2x256:bf16", mariana);
    ASSERT_TRUE(dump.ok()) << dump.error();
    EXPECT_EQ(dump->place, (Place{Space::SBUF, 0, 0x400}));
    EXPECT_EQ(dump->shape, (std::vector<std::uint32_t>{128, 2, 256}));
    EXPECT_EQ(dump->dtype, Dtype::BF16);
    EXPECT_EQ(dump->elements_per_partition(), 512U);
    EXPECT_EQ(dump->bytes_per_partition(), 1024U);
    EXPECT_TRUE(parse_dump_place("sbuf:127:0:1:int8", mariana).ok());
    EXPECT_TRUE(parse_dump_place("psum:0:0:128x4096:fp32", mariana).ok());
}

TEST(DumpPlace, Errors) {
    const auto error = [](const char* text) { return parse_dump_place(text, mariana).error(); };
    EXPECT_THAT(error("sbuf:0:0:128x4"), HasSubstr("SHAPE:DTYPE"));
    EXPECT_THAT(error("sbuf:0:0:128x0:fp32"), HasSubstr("shape '128x0'"));
    EXPECT_THAT(error("sbuf:0:0::fp32"), HasSubstr("shape ''"));
    EXPECT_THAT(error("sbuf:0:0:128x4:fp31"), HasSubstr("unknown dtype 'fp31'"));
    EXPECT_THAT(error("sbuf:0:0:128x4:fp4_exp2"), HasSubstr("unknown dtype 'fp4_exp2'"));
    EXPECT_THAT(error("sbuf:1:0:128x4:fp32"),
                AllOf(HasSubstr("128 partitions"), HasSubstr("up to 127")));
    EXPECT_THAT(error("psum:0:4:128x4096:fp32"),
                AllOf(HasSubstr("16384 bytes"), HasSubstr("up to 16380")));
    EXPECT_THAT(error("sbuf:0:0:1x16777216x16777216x16777216x16777216:fp32"), HasSubstr("bytes"));
}

}  // namespace
}  // namespace dve
