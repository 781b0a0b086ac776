// Modules found by walking the hierarchy: their signals, lanes and scopes.
#include <gtest/gtest.h>

#include "tests/traces/waveform_module.h"

namespace dve::test {
namespace {

class WaveformHierarchy : public testing::Test {
protected:
    Vcd record(const WaveformOptions& options) {
        WaveformFile file(options);
        file.add_hierarchy();
        run_cycles(1);
        top.core.busy = true;
        top.core.opcode = 0x43;
        top.core.half = 0xF123;
        top.core.count = 0xDEADBEEF;
        top.core.address = 0xFF12345678;
        top.core.op = 6;
        top.core.set_text("mult");
        for (unsigned lane = 0; lane < core_lanes; ++lane) {
            top.core.alu0[lane] = 0x3F800000 + lane;
        }
        top.core.alu1[5] = 7;
        run_cycles(1);
        file.close();
        EXPECT_EQ(file.error(), "");
        const Vcd vcd = read_vcd(options.path);
        EXPECT_EQ(vcd.problem, "");
        return vcd;
    }

    std::vector<std::string> names(const Vcd& vcd) {
        std::vector<std::string> all;
        for (const auto& [name, variable] : vcd.variables) {
            all.push_back(name);
        }
        return all;
    }

    Top top{"top"};
};

TEST_F(WaveformHierarchy, NumbersAndText) {
    const Vcd vcd = record(vcd_options(scratch_path("all.vcd")));
    EXPECT_EQ(vcd["top.core.busy"].by_time(), (Changes{{0, "0"}, {1000, "1"}}));
    EXPECT_EQ(vcd["top.core.opcode"].by_time(), (Changes{{0, "00000000"}, {1000, "01000011"}}));
    EXPECT_EQ(vcd["top.core.half"].by_time(),
              (Changes{{0, "000000000000"}, {1000, "000100100011"}}));
    EXPECT_EQ(vcd["top.core.count"].by_time(),
              (Changes{{0, in_bits(0, 32)}, {1000, in_bits(0xDEADBEEF, 32)}}));
    EXPECT_EQ(vcd["top.core.address"].by_time(),
              (Changes{{0, in_bits(0, 40)}, {1000, in_bits(0xFF12345678, 40)}}));
    EXPECT_EQ(vcd["top.core.alu0.op"].at(1000), "00000110");
    EXPECT_EQ(vcd["top.core.mnemonic"].by_time(),
              (Changes{{0, text_bits("", 6)}, {1000, text_bits("mult", 6)}}));
}

TEST_F(WaveformHierarchy, EveryLane) {
    const Vcd vcd = record(vcd_options(scratch_path("lanes.vcd")));
    for (unsigned lane = 0; lane < core_lanes; ++lane) {
        const std::string scope = "top.core.lane_" + std::to_string(lane);
        EXPECT_EQ(vcd[scope + ".alu0"].by_time(),
                  (Changes{{0, in_bits(0, 32)}, {1000, in_bits(0x3F800000 + lane, 32)}}));
        Changes second = {{0, in_bits(0, 32)}};
        if (lane == 5) {
            second[1000] = in_bits(7, 32);
        }
        EXPECT_EQ(vcd[scope + ".alu1"].by_time(), second) << lane;
    }
    EXPECT_EQ(vcd.variables.size(), 7 + 2 * core_lanes);
}

TEST_F(WaveformHierarchy, ChosenLanes) {
    WaveformOptions options = vcd_options(scratch_path("chosen.vcd"));
    options.lanes.reset();
    options.lanes[0] = options.lanes[1] = options.lanes[127] = true;
    const Vcd vcd = record(options);
    EXPECT_EQ(vcd.variables.size(), 7 + 2 * 3U);
    for (const unsigned lane : {0U, 1U, 127U}) {
        EXPECT_EQ(vcd["top.core.lane_" + std::to_string(lane) + ".alu0"].at(1000),
                  in_bits(0x3F800000 + lane, 32));
    }
    EXPECT_EQ(top.core.watch_calls, 1U);
    for (unsigned lane = 0; lane < core_lanes; ++lane) {
        EXPECT_EQ(top.core.watched[lane], options.lanes[lane]) << lane;
    }
}

TEST_F(WaveformHierarchy, ScopeOfASignal) {
    WaveformOptions options = vcd_options(scratch_path("scope.vcd"));
    options.scope = "*.lane_[12]?.alu0";
    options.clock_name = "clk";
    const Vcd vcd = record(options);
    std::vector<std::string> expected = {"clk"};
    for (unsigned lane = 10; lane < 30; ++lane) {
        expected.push_back("top.core.lane_" + std::to_string(lane) + ".alu0");
    }
    EXPECT_EQ(names(vcd), expected);
    EXPECT_FALSE(top.core.watched[9]) << "lanes out of scope are not watched";
    EXPECT_TRUE(top.core.watched[10]);
    EXPECT_TRUE(top.core.watched[29]);
    EXPECT_FALSE(top.core.watched[30]);
}

TEST_F(WaveformHierarchy, ScopeNamesAWholeSubtree) {
    WaveformOptions options = vcd_options(scratch_path("subtree.vcd"));
    options.scope = "top.core.alu?";
    EXPECT_EQ(names(record(options)), std::vector<std::string>{"top.core.alu0.op"});
}

TEST_F(WaveformHierarchy, ScopeWithoutSignalsLeavesAnEmptyFile) {
    WaveformOptions options = vcd_options(scratch_path("empty.vcd"));
    options.scope = "nothing";
    EXPECT_TRUE(record(options).variables.empty());
}

TEST_F(WaveformHierarchy, TracedSignalsObeyTheScope) {
    WaveformOptions options = vcd_options(scratch_path("traced.vcd"));
    options.scope = "top.irq";
    WaveformFile file(options);
    file.add_hierarchy();
    sc_core::sc_trace(&file, top.irq, top.irq.name());
    sc_core::sc_trace(&file, top.core.count, "top.count");
    run_cycles(1);
    file.close();
    EXPECT_EQ(names(read_vcd(options.path)), std::vector<std::string>{"top.irq"});
}

TEST_F(WaveformHierarchy, TwiceIsOnce) {
    const WaveformOptions options = vcd_options(scratch_path("twice.vcd"));
    WaveformFile file(options);
    file.add_hierarchy();
    file.add_hierarchy();
    EXPECT_EQ(file.variables().size(), 7 + 2 * core_lanes);
}

TEST_F(WaveformHierarchy, SameRunSameBytes) {
    const WaveformOptions first = vcd_options(scratch_path("first.vcd"));
    const WaveformOptions second = vcd_options(scratch_path("second.vcd"));
    WaveformFile one(first);
    WaveformFile other(second);
    one.add_hierarchy();
    other.add_hierarchy();
    run_cycles(3);
    one.close();
    other.close();
    EXPECT_EQ(read_text(first.path), read_text(second.path));
    EXPECT_EQ(read_text(first.path).find("$date"), std::string::npos);
}

}  // namespace
}  // namespace dve::test
