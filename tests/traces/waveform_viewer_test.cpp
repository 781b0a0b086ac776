// Save and translate files for GTKWave: they fit the dump and the tables of the model.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "tests/traces/waveform_module.h"
#include "traces/waveform/viewer_files.h"

namespace dve::test {
namespace {

struct States : sc_core::sc_module, Traceable {
    explicit States(const sc_core::sc_module_name& name) : sc_module(name) {}
    void visit_signals(SignalVisitor& visitor) const override {
        visitor.number("state", state, 4, SignalKind::SEQUENCER_STATE);
        visitor.number("stall", stall, 3, SignalKind::STALL_CAUSE);
        visitor.number("dtype", dtype, 5, SignalKind::DTYPE);
        visitor.number("wide_op", wide_op, 32, SignalKind::ALU_OP);
    }
    std::uint8_t state = 0;
    std::uint8_t stall = 0;
    std::uint8_t dtype = 0;
    std::uint32_t wide_op = 0;
};

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        lines.push_back(line);
    }
    return lines;
}

/// Value and name of each row of a table in models/isa, names in lower case.
std::map<unsigned, std::string> table_rows(const std::string& file, const std::string& macro) {
    std::map<unsigned, std::string> rows;
    const std::string text = read_text(std::string(DVE_SOURCE_DIR) + "/models/isa/" + file);
    const std::regex row("\n" + macro + R"(\(0x([0-9A-Fa-f]+), *(\w+),)");
    for (std::sregex_iterator at(text.begin(), text.end(), row), end; at != end; ++at) {
        std::string name = (*at)[2];
        for (char& character : name) {
            character = static_cast<char>(std::tolower(character));
        }
        rows[std::stoul((*at)[1], nullptr, 16)] = name;
    }
    return rows;
}

class WaveformViewer : public testing::Test {
protected:
    WaveformViewer() {
        options = vcd_options(scratch_path("run.vcd"));
        options.clock_name = "top.clk";
        options.lanes = 0b101;
        WaveformFile waveform(options);
        waveform.add_hierarchy();
        sc_core::sc_trace(&waveform, real, "real");
        run_cycles(2);
        const Status written = write_viewer_files(waveform);
        EXPECT_TRUE(written.ok());
        waveform.close();
        save = lines_of(read_text(scratch_path("run.gtkw")));
    }

    std::map<unsigned, std::string> translation(const std::string& name, unsigned digits) {
        std::map<unsigned, std::string> names;
        for (const std::string& line : lines_of(read_text(scratch_path("run.filters/" + name)))) {
            const std::size_t space = line.find(' ');
            EXPECT_EQ(space, digits) << line;
            names[std::stoul(line, nullptr, 16)] = line.substr(space + 1);
        }
        return names;
    }

    /// The line before the signal, and before a translate line: its flags.
    std::string flags_of(const std::string& signal) {
        const auto at = std::find(save.begin(), save.end(), signal);
        if (at == save.end()) {
            return "no " + signal;
        }
        return (*(at - 1))[0] == '^' ? *(at - 2) + ' ' + (at - 1)->substr((at - 1)->find(' ') + 1)
                                     : *(at - 1);
    }

    Top top{"top"};
    States states{"states"};
    double real = 0;
    WaveformOptions options;
    std::vector<std::string> save;
};

TEST_F(WaveformViewer, ListsWhatTheDumpHas) {
    const Vcd vcd = read_vcd(options.path);
    std::set<std::string> in_dump;
    for (const auto& [name, variable] : vcd.variables) {
        in_dump.insert(variable.type == "wire" && variable.bits > 1
                           ? name + '[' + std::to_string(variable.bits - 1) + ":0]"
                           : name);
    }
    std::set<std::string> in_save;
    for (const std::string& line : save) {
        if (std::string("[@^-").find(line[0]) == std::string::npos) {
            const std::string name = line.substr(line[0] == '+' ? line.rfind(' ') + 1 : 0);
            EXPECT_EQ(in_dump.count(name), 1U) << name;
            in_save.insert(name);
        }
    }
    EXPECT_EQ(in_save, in_dump);
    EXPECT_EQ(save[0], "[dumpfile] \"run.vcd\"");
}

TEST_F(WaveformViewer, GroupsBeginAndEnd) {
    std::vector<std::string> groups;
    std::string open;
    for (std::size_t index = 1; index < save.size(); ++index) {
        if (save[index][0] == '-') {
            if (open.empty()) {
                open = save[index];
                groups.push_back(open.substr(1));
                EXPECT_EQ(save[index - 1], groups.size() == 1 ? "@800200" : "@c00200");
            } else {
                EXPECT_EQ(save[index], open);
                EXPECT_EQ(save[index - 1], groups.size() == 1 ? "@1000200" : "@1401200");
                open.clear();
            }
        }
    }
    EXPECT_EQ(open, "");
    EXPECT_EQ(groups, (std::vector<std::string>{"overview", "top", "top.core", "top.core.alu0",
                                                "states", "top.core.lane_0", "top.core.lane_2"}));
}

TEST_F(WaveformViewer, OverviewComesFirst) {
    std::vector<std::string> overview;
    const auto end = std::find(save.begin(), save.end(), "@1000200");
    ASSERT_NE(end, save.end());
    for (auto line = save.begin(); line != end; ++line) {
        if (std::string("[@^-").find((*line)[0]) == std::string::npos) {
            overview.push_back(*line);
        }
    }
    EXPECT_EQ(overview,
              (std::vector<std::string>{
                  "+{top clk} top.clk", "real", "+{states state} states.state[3:0]",
                  "+{core opcode} top.core.opcode[7:0]", "+{core mnemonic} top.core.mnemonic[47:0]",
                  "+{alu0 op} top.core.alu0.op[7:0]", "+{states wide_op} states.wide_op[31:0]",
                  "+{states stall} states.stall[2:0]"}));
}

TEST_F(WaveformViewer, FormatsFitTheKinds) {
    EXPECT_EQ(flags_of("top.core.busy"), "@28");
    EXPECT_EQ(flags_of("top.core.count[31:0]"), "@22");
    EXPECT_EQ(flags_of("top.core.mnemonic[47:0]"), "@820");
    EXPECT_EQ(flags_of("top.core.lane_2.alu0[31:0]"), "@40020");
    EXPECT_EQ(flags_of("top.core.lane_2.alu1[31:0]"), "@22");
    EXPECT_EQ(flags_of("real"), "@22");
    EXPECT_EQ(flags_of("top.core.opcode[7:0]"), "@2022 run.filters/opcode_8.txt");
    EXPECT_EQ(flags_of("states.state[3:0]"), "@2022 run.filters/sequencer_state_4.txt");
    EXPECT_EQ(flags_of("states.wide_op[31:0]"), "@2022 run.filters/alu_op_32.txt");
}

TEST_F(WaveformViewer, OpcodesOfTheTable) {
    std::map<unsigned, std::string> rows = table_rows("opcode.def", "DVE_OPCODE");
    ASSERT_GT(rows.size(), 100U);
    for (auto& [value, name] : rows) {
        // ALU_OP is a name of its own.
        if (name != "alu_op" && name.size() > 3 && name.substr(name.size() - 3) == "_op") {
            name.resize(name.size() - 3);
        }
    }
    EXPECT_EQ(translation("opcode_8.txt", 2), rows);
    EXPECT_EQ(rows[0x43], "tensor_scalar_arith");
}

TEST_F(WaveformViewer, OperationsOfTheTableInEachWidth) {
    const std::map<unsigned, std::string> rows = table_rows("alu_op.def", "DVE_ALU_OP");
    ASSERT_EQ(rows.size(), 65U);
    EXPECT_EQ(translation("alu_op_8.txt", 2), rows);
    EXPECT_EQ(translation("alu_op_32.txt", 8), rows);
}

TEST_F(WaveformViewer, DtypesThatFitTheWidth) {
    std::map<unsigned, std::string> rows = table_rows("dtype.def", "DVE_DTYPE");
    ASSERT_GT(rows.size(), 20U);
    rows.erase(rows.lower_bound(32), rows.end());
    EXPECT_EQ(translation("dtype_5.txt", 2), rows);
}

TEST_F(WaveformViewer, StatesAndStalls) {
    EXPECT_EQ(translation("sequencer_state_4.txt", 1),
              (std::map<unsigned, std::string>{{0, "IDLE"},
                                               {1, "FETCH"},
                                               {2, "DECODE"},
                                               {3, "WAIT"},
                                               {4, "DISPATCH"},
                                               {5, "CONTROL"},
                                               {6, "DRAIN"},
                                               {7, "HALTED"},
                                               {8, "FAULTED"}}));
    EXPECT_EQ(
        translation("stall_cause_3.txt", 1),
        (std::map<unsigned, std::string>{
            {0, "none"}, {1, "port"}, {2, "bank"}, {3, "hazard"}, {4, "semaphore"}, {5, "fetch"}}));
}

TEST_F(WaveformViewer, NothingForStandardOutput) {
    WaveformOptions standard_output = options;
    standard_output.path = "-";
    standard_output.scope = "nothing";
    testing::internal::CaptureStdout();
    {
        const WaveformFile waveform(standard_output);
        EXPECT_TRUE(viewer_files(waveform).empty());
        EXPECT_EQ(waveform.error(), "");
    }
    const Vcd vcd = parse_vcd(testing::internal::GetCapturedStdout());
    EXPECT_EQ(vcd.problem, "");
    EXPECT_EQ(vcd.variables.size(), 1U) << "the clock";
}

TEST_F(WaveformViewer, NothingBesideADevice) {
    WaveformOptions device = options;
    device.path = "/dev/null";
    const WaveformFile waveform(device);
    EXPECT_TRUE(viewer_files(waveform).empty());
    EXPECT_EQ(waveform.error(), "");
}

TEST_F(WaveformViewer, UnwritableFolderIsReported) {
    WaveformOptions elsewhere = options;
    elsewhere.path = scratch_path("other.vcd");
    { std::ofstream(scratch_path("other.filters")) << "no folder"; }
    WaveformFile waveform(elsewhere);
    waveform.add_hierarchy();
    const Status written = write_viewer_files(waveform);
    ASSERT_FALSE(written.ok());
    EXPECT_NE(written.error().find("other.filters/"), std::string::npos) << written.error();
}

}  // namespace
}  // namespace dve::test
