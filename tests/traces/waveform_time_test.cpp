// When a waveform file samples: windows, clock, cycles run ahead of the kernel, closing.
#include <gtest/gtest.h>

#include "tests/support/counted_new.h"
#include "tests/traces/waveform_module.h"

namespace dve::test {
namespace {

class WaveformTime : public testing::Test {
protected:
    /// Runs `cycles` cycles; `count` is the number of the cycle.
    void count_cycles(unsigned cycles) {
        for (unsigned cycle = 0; cycle < cycles; ++cycle) {
            top.core.count = cycle;
            run_cycles(1);
        }
    }

    Top top{"top"};
};

TEST_F(WaveformTime, WindowStartsWithAllValues) {
    WaveformOptions options = vcd_options(scratch_path("window.vcd"));
    options.first_cycle = 5;
    options.end_cycle = 9;
    WaveformFile file(options);
    file.add_hierarchy();
    file.set_origin(2 * period);
    count_cycles(20);
    file.close();
    const Vcd vcd = read_vcd(options.path);
    ASSERT_EQ(vcd.problem, "");
    EXPECT_EQ(vcd.stamps, (std::vector<std::uint64_t>{7000, 8000, 9000, 10000}));
    for (const auto& [name, variable] : vcd.variables) {
        ASSERT_FALSE(variable.changes.empty()) << name;
        EXPECT_EQ(variable.changes.front().first, 7000U) << name;
    }
    EXPECT_EQ(vcd["top.core.count"].by_time(), (Changes{{7000, in_bits(7, 32)},
                                                        {8000, in_bits(8, 32)},
                                                        {9000, in_bits(9, 32)},
                                                        {10000, in_bits(10, 32)}}));
}

TEST_F(WaveformTime, WindowWaitsForTheOrigin) {
    WaveformOptions options = vcd_options(scratch_path("origin.vcd"));
    options.first_cycle = 1;
    WaveformFile file(options);
    file.add_hierarchy();
    count_cycles(5);
    file.set_origin(6 * period);
    count_cycles(5);
    file.close();
    EXPECT_EQ(read_vcd(options.path).stamps.front(), 7000U);
}

TEST_F(WaveformTime, WindowThatNeverOpensLeavesAValidFile) {
    WaveformOptions options = vcd_options(scratch_path("never.vcd"));
    options.first_cycle = 100;
    WaveformFile file(options);
    file.add_hierarchy();
    file.set_origin(0);
    count_cycles(5);
    file.close();
    const Vcd vcd = read_vcd(options.path);
    EXPECT_EQ(vcd.problem, "");
    EXPECT_EQ(vcd.variables.size(), 7 + 2 * core_lanes);
    EXPECT_TRUE(vcd.stamps.empty());
}

TEST_F(WaveformTime, EndOfTheNumbersIsNoOverflow) {
    WaveformOptions options = vcd_options(scratch_path("overflow.vcd"));
    options.first_cycle = ~std::uint64_t{0} - 1;
    WaveformFile file(options);
    file.add_hierarchy();
    file.set_origin(0);
    count_cycles(2);
    file.close();
    EXPECT_TRUE(read_vcd(options.path).stamps.empty());
}

TEST_F(WaveformTime, WindowWithoutPeriodIsRefused) {
    WaveformOptions options = vcd_options(scratch_path("period.vcd"));
    options.first_cycle = 5;
    options.clock_period = 0;
    WaveformFile file(options);
    EXPECT_NE(file.error().find("needs a clock period"), std::string::npos) << file.error();
    count_cycles(2);
}

TEST_F(WaveformTime, ClockHasBothEdges) {
    WaveformOptions options = vcd_options(scratch_path("clock.vcd"));
    options.clock_name = "top.clk";
    WaveformFile file(options);
    file.add_hierarchy();
    count_cycles(3);
    file.close();
    const Vcd vcd = read_vcd(options.path);
    EXPECT_EQ(vcd.problem, "");
    EXPECT_EQ(vcd["top.clk"].by_time(),
              (Changes{{0, "1"}, {500, "0"}, {1000, "1"}, {1500, "0"}, {2000, "1"}, {2500, "0"}}));
    EXPECT_EQ(vcd["top.core.count"].at(1000), in_bits(1, 32));
}

TEST_F(WaveformTime, ClockGoesThroughTimesWithoutSamples) {
    WaveformOptions options = vcd_options(scratch_path("gap.vcd"));
    options.clock_name = "clk";
    WaveformFile file(options);
    file.cycle_done(0, 0);
    file.cycle_done(3, 3000);
    file.close();
    EXPECT_EQ(read_vcd(options.path)["clk"].by_time(), (Changes{{0, "1"},
                                                                {500, "0"},
                                                                {1000, "1"},
                                                                {1500, "0"},
                                                                {2000, "1"},
                                                                {2500, "0"},
                                                                {3000, "1"},
                                                                {3500, "0"}}));
}

TEST_F(WaveformTime, ClockFollowsTheOrigin) {
    WaveformOptions options = vcd_options(scratch_path("phase.vcd"));
    options.clock_name = "clk";
    options.clock_period = 714;
    options.first_cycle = 1;
    options.end_cycle = 3;
    WaveformFile file(options);
    file.set_origin(100);
    for (unsigned cycle = 0; cycle < 5; ++cycle) {
        file.cycle_done(cycle, 100 + cycle * 714);
    }
    file.close();
    EXPECT_EQ(read_vcd(options.path)["clk"].by_time(),
              (Changes{{814, "1"}, {1171, "0"}, {1528, "1"}, {1885, "0"}}));
}

TEST_F(WaveformTime, CyclesOfOneActivation) {
    const WaveformOptions options = vcd_options(scratch_path("batch.vcd"));
    WaveformFile file(options);
    file.add_hierarchy();
    run_cycles(1);
    // At the kernel's 1000 ps the module runs five cycles, then shows what it has next.
    for (unsigned cycle = 0; cycle < 5; ++cycle) {
        top.core.count = 10 + cycle;
        file.cycle_done(cycle, 1000 + cycle * period);
    }
    top.core.count = 99;
    run_cycles(4);  // the kernel's 1000 to 4000 ps are over already
    run_cycles(1);  // 5000 ps: the time of the last cycle
    run_cycles(1);  // 6000 ps
    file.close();
    const Vcd vcd = read_vcd(options.path);
    EXPECT_EQ(vcd.problem, "");
    EXPECT_EQ(vcd["top.core.count"].by_time(), (Changes{{0, in_bits(0, 32)},
                                                        {1000, in_bits(10, 32)},
                                                        {2000, in_bits(11, 32)},
                                                        {3000, in_bits(12, 32)},
                                                        {4000, in_bits(13, 32)},
                                                        {5000, in_bits(14, 32)},
                                                        {6000, in_bits(99, 32)}}));
}

TEST_F(WaveformTime, TracedSignalsOfTheSameTimeAreMerged) {
    const WaveformOptions options = vcd_options(scratch_path("merge.vcd"));
    WaveformFile file(options);
    file.add_hierarchy();
    sc_core::sc_trace(&file, top.irq, "irq");
    run_cycles(1);
    top.core.count = 1;
    file.cycle_done(1, 1000);
    top.core.count = 2;
    top.irq = true;  // after the cycle, in the same time step
    run_cycles(1);
    file.close();
    const Vcd vcd = read_vcd(options.path);
    EXPECT_EQ(vcd.problem, "");
    EXPECT_EQ(vcd["irq"].by_time(), (Changes{{0, "0"}, {1000, "1"}}));
    EXPECT_EQ(vcd["top.core.count"].at(1999), in_bits(1, 32));
}

TEST_F(WaveformTime, SameCycleTwiceIsMerged) {
    const WaveformOptions options = vcd_options(scratch_path("same.vcd"));
    WaveformFile file(options);
    file.add_hierarchy();
    file.cycle_done(0, 0);
    for (const unsigned value : {1U, 2U, 3U}) {
        top.core.count = value;
        file.cycle_done(1, 1000);
    }
    top.core.count = 4;
    file.cycle_done(0, 500);
    file.close();
    const Vcd vcd = read_vcd(options.path);
    EXPECT_EQ(vcd.problem, "");
    EXPECT_EQ(vcd.stamps, (std::vector<std::uint64_t>{0, 1000}));
    EXPECT_EQ(vcd["top.core.count"].at(1000), in_bits(3, 32));
}

TEST_F(WaveformTime, QuietTimesLeaveNoMarkButTheLast) {
    const WaveformOptions options = vcd_options(scratch_path("quiet.vcd"));
    WaveformFile file(options);
    file.add_hierarchy();
    for (unsigned cycle = 0; cycle < 10; ++cycle) {
        top.core.busy = cycle >= 4;
        file.cycle_done(cycle, cycle * period);
    }
    file.close();
    EXPECT_EQ(read_vcd(options.path).stamps, (std::vector<std::uint64_t>{0, 4000, 9000}));
}

/// Changes a variable in a delta cycle of every nanosecond.
struct Pulse : sc_core::sc_module {
    DVE_HAS_PROCESS(Pulse);
    explicit Pulse(const sc_core::sc_module_name& name) : sc_module(name) { SC_METHOD(step); }
    void step() {
        level = !level;
        if (level) {
            next_trigger(sc_core::SC_ZERO_TIME);
        } else {
            next_trigger(period, sc_core::SC_PS);
        }
    }
    bool level = false;
};

TEST_F(WaveformTime, DeltaCyclesOnlyOnRequest) {
    const WaveformOptions plain_options = vcd_options(scratch_path("plain.vcd"));
    const WaveformOptions delta_options = vcd_options(scratch_path("delta.vcd"));
    Pulse pulse("pulse");
    WaveformFile plain(plain_options);
    WaveformFile with_deltas(delta_options);
    with_deltas.delta_cycles(true);
    sc_core::sc_trace(&plain, pulse.level, "level");
    sc_core::sc_trace(&with_deltas, pulse.level, "level");
    run_cycles(3);
    plain.close();
    with_deltas.close();
    EXPECT_EQ(read_vcd(plain_options.path)["level"].changes.size(), 1U);
    const Vcd vcd = read_vcd(delta_options.path);
    EXPECT_EQ(vcd.problem, "");
    EXPECT_GE(vcd["level"].changes.size(), 5U);
    EXPECT_EQ(vcd["level"].at(2999), "0");
}

TEST_F(WaveformTime, ClosedInTheMiddle) {
    const WaveformOptions options = vcd_options(scratch_path("middle.vcd"));
    WaveformFile file(options);
    file.add_hierarchy();
    count_cycles(3);
    file.close();
    const std::string text = read_text(options.path);
    count_cycles(3);
    file.cycle_done(9, 9000);
    file.close();
    EXPECT_EQ(read_text(options.path), text);
    EXPECT_EQ(parse_vcd(text).problem, "");
    EXPECT_EQ(parse_vcd(text)["top.core.count"].at(2000), in_bits(2, 32));
    EXPECT_EQ(file.error(), "");
}

TEST_F(WaveformTime, SamplesDoNotAllocate) {
    WaveformOptions options = vcd_options("/dev/null");
    options.clock_name = "clk";
    WaveformFile file(options);
    file.add_hierarchy();
    sc_dt::sc_lv<100> vector;
    double real = 0;
    sc_core::sc_trace(&file, vector, "vector");
    sc_core::sc_trace(&file, real, "real");
    file.cycle_done(0, 0);
    const std::size_t before = allocation_count();
    for (unsigned cycle = 1; cycle < 1000; ++cycle) {
        top.core.count = cycle;
        top.core.alu0.fill(cycle);
        top.core.mnemonic[0] = static_cast<char>(cycle);
        vector[5] = sc_dt::sc_logic(static_cast<int>(cycle % 4));
        real += 0.1;
        file.cycle_done(cycle, cycle * period);
    }
    EXPECT_EQ(allocation_count(), before);
}

TEST_F(WaveformTime, FullDiskIsReportedOnce) {
    WaveformOptions options = vcd_options("/dev/full");
    WaveformFile file(options);
    file.add_hierarchy();
    EXPECT_EQ(file.error(), "");
    for (unsigned cycle = 0; cycle < 1000; ++cycle) {
        top.core.alu0.fill(cycle);
        file.cycle_done(cycle, cycle * period);
    }
    EXPECT_EQ(file.error(), "/dev/full: cannot be written: No space left on device");
    file.close();
    EXPECT_EQ(file.error(), "/dev/full: cannot be written: No space left on device");
}

TEST_F(WaveformTime, FullDiskLeavesWholeLines) {
    const WaveformOptions options = vcd_options(scratch_path("full.vcd"));
    WaveformFile file(options);
    file.add_hierarchy();
    {
        const FileSizeLimit limit(1'600'003);
        for (unsigned cycle = 0; cycle < 1000; ++cycle) {
            top.core.alu0.fill(cycle);
            top.core.count = cycle;
            file.cycle_done(cycle, cycle * period);
        }
        file.close();
    }
    EXPECT_EQ(file.error(), options.path + ": cannot be written: File too large");
    const std::string text = read_text(options.path);
    EXPECT_EQ(text.back(), '\n');
    EXPECT_GT(text.size(), 1'600'003U - 100);
    const Vcd vcd = parse_vcd(text);
    EXPECT_EQ(vcd.problem, "");
    EXPECT_EQ(vcd["top.core.count"].at(100 * period), in_bits(100, 32));
}

TEST_F(WaveformTime, UnwritablePathIsReportedAtOnce) {
    WaveformFile file(vcd_options(scratch_path("") + "missing/x.vcd"));
    EXPECT_NE(file.error().find("missing/x.vcd: cannot be written: No such file"),
              std::string::npos)
        << file.error();
    file.add_hierarchy();
    count_cycles(2);
    file.write_comment("nobody reads this");
}

}  // namespace
}  // namespace dve::test
