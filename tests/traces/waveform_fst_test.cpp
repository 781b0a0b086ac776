// FST: read back by its authors' reader, it says the same as the VCD of the same run.
#include <fstapi.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "tests/traces/waveform_module.h"

namespace dve::test {
namespace {

/// The FST file as VCD text, as fst2vcd prints it.
std::string fst_as_vcd(const std::string& path) {
    void* const reader = fstReaderOpen(path.c_str());
    if (reader == nullptr) {
        return "";
    }
    const std::string converted = path + ".vcd";
    std::FILE* const file = std::fopen(converted.c_str(), "wb");
    fstReaderProcessHier(reader, file);
    fstReaderSetFacProcessMaskAll(reader);
    fstReaderIterBlocks(reader, nullptr, nullptr, file);
    fstReaderClose(reader);
    std::fclose(file);
    // Date and version may be empty lines, which the strict reader does not know.
    const std::string text = read_text(converted);
    return text.substr(std::min(text.find("$scope"), text.size()));
}

WaveformOptions fst_options(const std::string& path) {
    WaveformOptions options = vcd_options(path);
    options.format = WaveFormat::FST;
    return options;
}

class WaveformFst : public testing::Test {
protected:
    Top top{"top"};
};

TEST_F(WaveformFst, SaysTheSameAsVcd) {
    WaveformOptions vcd = vcd_options(scratch_path("run.vcd"));
    WaveformOptions fst = fst_options(scratch_path("run.fst"));
    sc_dt::sc_lv<5> logic("01zx1");
    double real = 0.1;
    bool scalar = false;
    for (WaveformOptions* options : {&vcd, &fst}) {
        options->clock_name = "top.clk";
        options->first_cycle = 3;
        options->end_cycle = 200;
        options->lanes = 0x8001;
    }
    {
        WaveformFile one(vcd);
        WaveformFile other(fst);
        for (WaveformFile* file : {&one, &other}) {
            file->add_hierarchy();
            file->set_origin(period);
            sc_core::sc_trace(file, logic, "top.logic");
            sc_core::sc_trace(file, real, "top.real");
            sc_core::sc_trace(file, scalar, "top.scalar");
        }
        for (unsigned cycle = 0; cycle < 300; ++cycle) {
            run_cycles(1);
            top.core.set_text(cycle % 3 == 0 ? "add" : "divide");
            top.core.half = static_cast<std::uint16_t>(cycle);
            top.core.address = std::uint64_t{cycle} << 30;
            top.core.alu0[0] = cycle * 0x01010101;
            top.core.alu1[15] = cycle / 7;
            logic[2] = sc_dt::sc_logic(static_cast<int>(cycle % 4));
            real += 0.25;
            scalar = cycle % 5 == 0;
        }
        one.close();
        other.close();
        ASSERT_EQ(one.error(), "");
        ASSERT_EQ(other.error(), "");
    }
    const Vcd expected = read_vcd(vcd.path);
    const Vcd found = parse_vcd(fst_as_vcd(fst.path));
    ASSERT_EQ(expected.problem, "");
    ASSERT_EQ(found.problem, "");
    EXPECT_EQ(found.stamps.front(), 4000U);
    ASSERT_EQ(found.variables.size(), expected.variables.size());
    for (const auto& [name, variable] : expected.variables) {
        const VcdVariable& read = found[name];
        EXPECT_EQ(read.type, variable.type) << name;
        EXPECT_EQ(read.bits, variable.bits) << name;
        EXPECT_GT(variable.changes.size(), 0U) << name;
        if (variable.type == "real") {
            ASSERT_EQ(read.by_time().size(), variable.by_time().size());
            for (const auto& [time, value] : variable.by_time()) {
                EXPECT_EQ(std::stod(read.at(time)), std::stod(value)) << time;
            }
        } else {
            EXPECT_EQ(read.by_time(), variable.by_time()) << name;
        }
    }
}

TEST_F(WaveformFst, SameRunSameBytes) {
    const WaveformOptions first = fst_options(scratch_path("first.fst"));
    const WaveformOptions second = fst_options(scratch_path("second.fst"));
    for (const WaveformOptions& options : {first, second}) {
        WaveformFile file(options);
        file.add_hierarchy();
        for (unsigned cycle = 0; cycle < 10; ++cycle) {
            top.core.count = cycle;
            file.cycle_done(cycle, cycle * period);
        }
    }
    EXPECT_EQ(read_text(first.path), read_text(second.path));
    EXPECT_FALSE(read_text(first.path).empty());
}

TEST_F(WaveformFst, ClosedBeforeTheWindow) {
    WaveformOptions options = fst_options(scratch_path("never.fst"));
    options.first_cycle = 10;
    WaveformFile file(options);
    file.add_hierarchy();
    file.close();
    EXPECT_EQ(parse_vcd(fst_as_vcd(options.path)).variables.size(), 7 + 2 * core_lanes);
}

TEST_F(WaveformFst, DevicesAndFoldersAreRefused) {
    const std::string pipe = scratch_path("pipe");
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    for (const std::string& path : {std::string("/dev/full"), std::string("/dev/null"), pipe,
                                    std::filesystem::path(pipe).parent_path().string()}) {
        const WaveformFile file(fst_options(path));
        EXPECT_EQ(file.error(), path + ": cannot take FST; legal: a regular file, or VCD");
        EXPECT_FALSE(std::filesystem::is_regular_file(path)) << path;
        EXPECT_TRUE(std::filesystem::exists(path)) << path;
    }
    EXPECT_NE(WaveformFile(fst_options("-")).error().find("standard output"), std::string::npos);
}

TEST_F(WaveformFst, UnwritablePathIsReportedAtOnce) {
    const WaveformFile file(fst_options(scratch_path("") + "missing/x.fst"));
    EXPECT_NE(file.error().find("x.fst: cannot be written: No such file"), std::string::npos)
        << file.error();
}

TEST_F(WaveformFst, LinkKeepsPointing) {
    const std::string target = scratch_path("target.fst");
    const std::string link = scratch_path("link.fst");
    std::filesystem::create_symlink(target, link);
    { WaveformFile file(fst_options(link)); }
    EXPECT_TRUE(std::filesystem::is_symlink(link));
    EXPECT_TRUE(std::filesystem::is_regular_file(target));
}

TEST_F(WaveformFst, FullDiskIsReported) {
    const std::string path = scratch_path("full.fst");
    WaveformFile file(fst_options(path));
    file.add_hierarchy();
    {
        const FileSizeLimit limit(100'000);
        std::uint32_t state = 1;
        for (unsigned cycle = 0; cycle < 1000; ++cycle) {
            for (std::uint32_t& value : top.core.alu0) {
                value = state = state * 1664525 + 1013904223;
            }
            file.cycle_done(cycle, cycle * period);
        }
        file.close();
    }
    EXPECT_EQ(file.error(), path + ": is incomplete; is the disk full?");
}

TEST_F(WaveformFst, CutFileIsReported) {
    const std::string path = scratch_path("cut.fst");
    WaveformFile file(fst_options(path));
    file.add_hierarchy();
    run_cycles(1);
    std::filesystem::remove(path);
    file.close();
    EXPECT_EQ(file.error(), path + ": is incomplete; is the disk full?");
}

}  // namespace
}  // namespace dve::test
