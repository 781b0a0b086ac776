// Plain sc_trace() on a waveform file: values by time for every type.
#ifndef SC_INCLUDE_FX
#define SC_INCLUDE_FX
#endif
#include <gtest/gtest.h>

#include <systemc>

#include "tests/traces/waveform_module.h"

namespace dve::test {
namespace {

/// Traces one object, sets it at 1 ns and again to the same at 2 ns; gives its changes.
template <typename Object, typename Next>
VcdVariable trace_one(Object& object, Next next) {
    const std::string path = scratch_path("one.vcd");
    {
        WaveformFile file(vcd_options(path));
        sc_core::sc_trace(&file, object, "top.object");
        sc_core::sc_start(1, sc_core::SC_NS);
        next();
        sc_core::sc_start(1, sc_core::SC_NS);
        next();
        sc_core::sc_start(1, sc_core::SC_NS);
        EXPECT_EQ(file.error(), "");
    }
    const Vcd vcd = read_vcd(path);
    EXPECT_EQ(vcd.problem, "");
    return vcd["top.object"];
}

class TracedType : public testing::Test {
protected:
    Top top{"top"};
};

TEST_F(TracedType, Bool) {
    bool value = false;
    const VcdVariable traced = trace_one(value, [&] { value = true; });
    EXPECT_EQ(traced.bits, 1U);
    EXPECT_EQ(traced.by_time(), (Changes{{0, "0"}, {1000, "1"}}));
}

TEST_F(TracedType, SignalOfBool) {
    sc_core::sc_signal<bool> value("value");
    const VcdVariable traced = trace_one(value, [&] { value = true; });
    EXPECT_EQ(traced.by_time(), (Changes{{0, "0"}, {1000, "1"}}));
}

TEST_F(TracedType, NativeIntegers) {
    unsigned char byte = 0xA5;
    EXPECT_EQ(trace_one(byte, [&] { byte = 1; }).by_time(),
              (Changes{{0, "10100101"}, {1000, "00000001"}}));
}

TEST_F(TracedType, NegativeShort) {
    short value = -2;
    EXPECT_EQ(trace_one(value, [&] { value = 3; }).by_time(),
              (Changes{{0, "1111111111111110"}, {1000, "0000000000000011"}}));
}

TEST_F(TracedType, Word) {
    unsigned value = 0x80000001;
    EXPECT_EQ(trace_one(value, [&] { value = 0x12345678; }).by_time(),
              (Changes{{0, "10000000000000000000000000000001"},
                       {1000, "00010010001101000101011001111000"}}));
}

TEST_F(TracedType, DoubleWord) {
    sc_dt::uint64 value = 0x8000000000000001;
    EXPECT_EQ(trace_one(value, [&] { value = ~sc_dt::uint64{0}; }).by_time(),
              (Changes{{0, in_bits(0x8000000000000001, 64)}, {1000, std::string(64, '1')}}));
}

TEST_F(TracedType, WidthOfAnInteger) {
    const std::string path = scratch_path("width.vcd");
    int value = 0x7D;
    {
        WaveformFile file(vcd_options(path));
        sc_core::sc_trace(&file, value, "value", 5);
        sc_core::sc_start(1, sc_core::SC_NS);
    }
    EXPECT_EQ(read_vcd(path)["value"].at(0), "11101");
}

TEST_F(TracedType, SystemCUnsignedOfOddWidth) {
    sc_dt::sc_uint<37> value = 0x1500000003;
    const VcdVariable traced = trace_one(value, [&] { value = 5; });
    EXPECT_EQ(traced.bits, 37U);
    EXPECT_EQ(traced.by_time(), (Changes{{0, in_bits(0x1500000003, 37)}, {1000, in_bits(5, 37)}}));
}

TEST_F(TracedType, SystemCSigned) {
    // Only positive values: sc_int itself shifts negative ones, which sanitizers report.
    sc_dt::sc_int<5> value = 5;
    EXPECT_EQ(trace_one(value, [&] { value = 7; }).by_time(),
              (Changes{{0, "00101"}, {1000, "00111"}}));
}

TEST_F(TracedType, BigIntegers) {
    sc_dt::sc_bigint<70> value = -1;
    EXPECT_EQ(trace_one(value, [&] { value = 2; }).by_time(),
              (Changes{{0, std::string(70, '1')}, {1000, std::string(68, '0') + "10"}}));
}

TEST_F(TracedType, BigUnsigned) {
    sc_dt::sc_biguint<66> value = 1;
    value <<= 65;
    EXPECT_EQ(trace_one(value, [&] { value = 1; }).by_time(),
              (Changes{{0, "1" + std::string(65, '0')}, {1000, std::string(65, '0') + "1"}}));
}

TEST_F(TracedType, BitVector) {
    sc_dt::sc_bv<40> value("1000000000000000000000000000000000000001");
    EXPECT_EQ(trace_one(value, [&] { value = 6; }).by_time(),
              (Changes{{0, "1000000000000000000000000000000000000001"},
                       {1000, std::string(37, '0') + "110"}}));
}

TEST_F(TracedType, LogicVector) {
    sc_dt::sc_lv<4> value("01ZX");
    EXPECT_EQ(trace_one(value, [&] { value = "X10Z"; }).by_time(),
              (Changes{{0, "01zx"}, {1000, "x10z"}}));
}

TEST_F(TracedType, Logic) {
    sc_dt::sc_logic value = sc_dt::SC_LOGIC_Z;
    EXPECT_EQ(trace_one(value, [&] { value = sc_dt::SC_LOGIC_X; }).by_time(),
              (Changes{{0, "z"}, {1000, "x"}}));
}

TEST_F(TracedType, DoubleIsExact) {
    double value = 0.1;
    const VcdVariable traced = trace_one(value, [&] { value = -2.5; });
    EXPECT_EQ(traced.type, "real");
    EXPECT_EQ(traced.by_time(), (Changes{{0, "0.1"}, {1000, "-2.5"}}));
}

TEST_F(TracedType, Float) {
    float value = 0.5F;
    EXPECT_EQ(trace_one(value, [&] { value = 3; }).by_time(), (Changes{{0, "0.5"}, {1000, "3"}}));
}

TEST_F(TracedType, FixedPoint) {
    sc_dt::sc_fixed<8, 4> value = -1.5;
    EXPECT_EQ(trace_one(value, [&] { value = 2.25; }).by_time(),
              (Changes{{0, "11101000"}, {1000, "00100100"}}));
}

TEST_F(TracedType, Time) {
    sc_core::sc_time value(3, sc_core::SC_NS);
    EXPECT_EQ(trace_one(value, [&] { value = sc_core::sc_time(5, sc_core::SC_PS); }).by_time(),
              (Changes{{0, in_bits(3000, 64)}, {1000, in_bits(5, 64)}}));
}

TEST_F(TracedType, Enumeration) {
    const std::string path = scratch_path("enumeration.vcd");
    unsigned state = 2;
    const char* names[] = {"IDLE", "BUSY", "DONE", nullptr};
    {
        WaveformFile file(vcd_options(path));
        file.trace(state, "state", names);
        sc_core::sc_start(1, sc_core::SC_NS);
        state = 1;
        sc_core::sc_start(1, sc_core::SC_NS);
    }
    EXPECT_EQ(read_vcd(path)["state"].by_time(),
              (Changes{{0, in_bits(2, 32)}, {1000, in_bits(1, 32)}}));
}

TEST_F(TracedType, Event) {
    sc_core::sc_event event("event");
    const std::string path = scratch_path("event.vcd");
    {
        WaveformFile file(vcd_options(path));
        sc_core::sc_trace(&file, event, "event");
        event.notify(1, sc_core::SC_NS);
        sc_core::sc_start(2, sc_core::SC_NS);
        event.notify(1, sc_core::SC_NS);
        sc_core::sc_start(3, sc_core::SC_NS);
    }
    const Vcd vcd = read_vcd(path);
    EXPECT_EQ(vcd.problem, "");
    EXPECT_EQ(vcd["event"].type, "event");
    EXPECT_EQ(vcd["event"].by_time(), (Changes{{1000, "1"}, {3000, "1"}}));
}

TEST_F(TracedType, NeighbouringWordsOneByOne) {
    const std::string path = scratch_path("words.vcd");
    unsigned words[200] = {};
    {
        WaveformFile file(vcd_options(path));
        for (unsigned index = 0; index < 200; ++index) {
            sc_core::sc_trace(&file, words[index], "words.w" + std::to_string(index));
        }
        sc_core::sc_start(1, sc_core::SC_NS);
        words[0] = 10;
        words[127] = 11;
        words[128] = 12;
        sc_core::sc_start(1, sc_core::SC_NS);
        words[199] = 13;
        sc_core::sc_start(1, sc_core::SC_NS);
    }
    const Vcd vcd = read_vcd(path);
    ASSERT_EQ(vcd.problem, "");
    const std::string zero = in_bits(0, 32);
    for (unsigned index = 0; index < 200; ++index) {
        Changes expected = {{0, zero}};
        switch (index) {
            case 0: expected[1000] = in_bits(10, 32); break;
            case 127: expected[1000] = in_bits(11, 32); break;
            case 128: expected[1000] = in_bits(12, 32); break;
            case 199: expected[2000] = in_bits(13, 32); break;
            default: break;
        }
        EXPECT_EQ(vcd["words.w" + std::to_string(index)].by_time(), expected) << index;
    }
}

TEST_F(TracedType, NamesAreClean) {
    const std::string path = scratch_path("names.vcd");
    bool value = true;
    {
        WaveformFile file(vcd_options(path));
        for (const char* name : {"a[3]", "same", "same", "same_2", "with space", "..x..y.", ""}) {
            sc_core::sc_trace(&file, value, name);
        }
        sc_core::sc_start(1, sc_core::SC_NS);
    }
    const Vcd vcd = read_vcd(path);
    EXPECT_EQ(vcd.problem, "");
    std::vector<std::string> names;
    for (const auto& [name, variable] : vcd.variables) {
        names.push_back(name);
    }
    EXPECT_EQ(names, (std::vector<std::string>{"a(3)", "same", "same_2", "same_2_2", "unnamed",
                                               "with_space", "x.y"}));
}

TEST_F(TracedType, TooLateIsAnError) {
    const std::string path = scratch_path("late.vcd");
    bool value = true;
    WaveformFile file(vcd_options(path));
    sc_core::sc_trace(&file, value, "early");
    sc_core::sc_start(1, sc_core::SC_NS);
    sc_core::sc_trace(&file, value, "late");
    EXPECT_NE(file.error().find("late cannot be added"), std::string::npos) << file.error();
    value = false;
    sc_core::sc_start(1, sc_core::SC_NS);
    file.close();
    EXPECT_EQ(read_vcd(path)["early"].at(1000), "0") << "the others go on";
}

TEST_F(TracedType, CommentCannotEndEarly) {
    const std::string path = scratch_path("comment.vcd");
    bool value = true;
    {
        WaveformFile file(vcd_options(path));
        sc_core::sc_trace(&file, value, "value");
        sc_core::sc_start(1, sc_core::SC_NS);
        sc_core::sc_write_comment(&file, "mark $end 0!");
    }
    const Vcd vcd = read_vcd(path);
    EXPECT_EQ(vcd.problem, "");
    EXPECT_EQ(vcd["value"].changes.size(), 1U);
}

}  // namespace
}  // namespace dve::test
