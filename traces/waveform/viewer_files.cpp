// Save and translate files of GTKWave, from the tables of the model.
#include "traces/waveform/viewer_files.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>

#include "models/isa/alu_op.h"
#include "models/isa/dtype.h"
#include "models/isa/opcode.h"
#include "tlm/retire_record.h"
#include "tlm/sequencer_state.h"
#include "traces/output_file.h"

namespace dve {
namespace {

// Flags of a line in a save file, as GTKWave writes them.
constexpr unsigned hexadecimal = 0x22;
constexpr unsigned decimal = 0x24;
constexpr unsigned binary = 0x28;
constexpr unsigned characters = 0x820;
constexpr unsigned ieee_single = 0x40020;
constexpr unsigned translated = 0x2022;
constexpr unsigned open_group = 0x800200;
constexpr unsigned open_group_end = 0x1000200;
constexpr unsigned closed_group = 0xC00200;
constexpr unsigned closed_group_end = 0x1401200;

using Names = std::vector<std::pair<unsigned, std::string>>;

struct Translation {
    const char* file;
    Names names;
};

/// The names of a kind's values; no file name: it has none.
Translation translation_of(SignalKind kind) {
    Translation result{nullptr, {}};
    switch (kind) {
        case SignalKind::NUMBER:
        case SignalKind::COUNT:
        case SignalKind::FLOAT:
        case SignalKind::TEXT: break;
        case SignalKind::OPCODE:
            result.file = "opcode";
            for (const OpcodeRow& row : opcode_rows()) {
                result.names.emplace_back(row.value(), row.mnemonic);
            }
            break;
        case SignalKind::ALU_OP:
            result.file = "alu_op";
            for (const AluOpRow& row : alu_op_rows()) {
                result.names.emplace_back(static_cast<unsigned>(row.op), row.text);
            }
            break;
        case SignalKind::DTYPE:
            result.file = "dtype";
            for (const DtypeRow& row : dtype_rows()) {
                result.names.emplace_back(static_cast<unsigned>(row.dtype), row.text);
            }
            break;
        case SignalKind::SEQUENCER_STATE:
            result.file = "sequencer_state";
            for (const char* name : sequencer_state_names()) {
                result.names.emplace_back(result.names.size(), name);
            }
            break;
        case SignalKind::STALL_CAUSE:
            result.file = "stall_cause";
            result.names.emplace_back(0, "none");
            for (std::size_t cause = 0; cause < stall_cause_count; ++cause) {
                result.names.emplace_back(cause + 1, stall_cause_name(cause));
            }
            break;
    }
    return result;
}

/// GTKWave compares the displayed text: hexadecimal in the signal's full width.
std::string translation_text(const Names& names, unsigned bits) {
    std::string text;
    for (const auto& [value, name] : names) {
        if (bits >= 32 || value >> bits == 0) {
            char digits[32];
            std::snprintf(digits, sizeof digits, "%0*X", static_cast<int>((bits + 3) / 4), value);
            text += std::string(digits) + ' ' + name + '\n';
        }
    }
    return text;
}

/// The scope of a lane's variable up to lane_<l>, otherwise the whole scope.
std::string group_of(const WaveVariable& variable) {
    if (variable.lane < 0) {
        return variable.scope;
    }
    const std::string lane = ".lane_" + std::to_string(variable.lane);
    const std::size_t at = ('.' + variable.scope + '.').rfind(lane + '.');
    return variable.scope.substr(0, at + lane.size() - 1);
}

class SaveFile {
public:
    SaveFile(const std::vector<WaveVariable>& variables, bool has_clock,
             const std::filesystem::path& stem)
        : variables_(variables), has_clock_(has_clock), stem_(stem) {}

    std::vector<ViewerFile> files(const std::string& dump);

private:
    using Members = std::vector<std::size_t>;

    void add_group(const std::string& name, const Members& members, bool is_overview);
    /// With `with_scope` the innermost scope is part of the name shown.
    void add_variable(const WaveVariable& variable, bool with_scope);
    /// Number of the translate file for a kind and width, 0: none.
    unsigned translation(const WaveVariable& variable);
    std::vector<std::pair<std::string, Members>> groups(bool of_lanes) const;
    Members overview() const;

    const std::vector<WaveVariable>& variables_;
    bool has_clock_;  ///< it is the first variable
    std::filesystem::path stem_;
    std::string text_;
    std::vector<ViewerFile> translations_;
    std::map<std::pair<SignalKind, unsigned>, unsigned> numbers_;
};

unsigned SaveFile::translation(const WaveVariable& variable) {
    const auto [found, is_new] = numbers_.emplace(std::make_pair(variable.kind, variable.bits), 0);
    if (is_new) {
        const Translation translation = translation_of(variable.kind);
        if (translation.file != nullptr) {
            const std::string name =
                translation.file + ('_' + std::to_string(variable.bits)) + ".txt";
            translations_.push_back({stem_.string() + ".filters/" + name,
                                     translation_text(translation.names, variable.bits)});
            found->second = static_cast<unsigned>(translations_.size());
        }
    }
    return found->second;
}

void SaveFile::add_variable(const WaveVariable& variable, bool with_scope) {
    const unsigned number = translation(variable);
    const bool is_vector = variable.type == WaveType::BITS && variable.bits > 1;
    const unsigned flags = number != 0                                     ? translated
                           : variable.kind == SignalKind::TEXT             ? characters
                           : !is_vector && variable.type != WaveType::REAL ? binary
                           : variable.kind == SignalKind::FLOAT            ? ieee_single
                           : variable.kind == SignalKind::COUNT            ? decimal
                                                                           : hexadecimal;
    char flag_text[16];
    std::snprintf(flag_text, sizeof flag_text, "@%x\n", flags);
    text_ += flag_text;
    if (number != 0) {
        // GTKWave finds it beside the save file.
        const std::filesystem::path path = translations_[number - 1].path;
        text_ += '^' + std::to_string(number) + ' ' +
                 (path.parent_path().filename() / path.filename()).string() + '\n';
    }
    if (with_scope && !variable.scope.empty()) {
        text_ += "+{" + variable.scope.substr(variable.scope.rfind('.') + 1) + ' ' + variable.name +
                 "} ";
    }
    text_ += variable.full_name();
    text_ += is_vector ? '[' + std::to_string(variable.bits - 1) + ":0]\n" : "\n";
}

void SaveFile::add_group(const std::string& name, const Members& members, bool is_overview) {
    if (members.empty()) {
        return;
    }
    char flags[2][16];
    std::snprintf(flags[0], sizeof flags[0], "@%x\n", is_overview ? open_group : closed_group);
    std::snprintf(flags[1], sizeof flags[1], "@%x\n",
                  is_overview ? open_group_end : closed_group_end);
    text_ += flags[0] + ('-' + name) + '\n';
    for (const std::size_t index : members) {
        add_variable(variables_[index], is_overview);
    }
    text_ += flags[1] + ('-' + name) + '\n';
}

/// What the engine is doing: signals without a module, such as the clock, the sequencer, the slots
/// of the pipeline, stalls.
SaveFile::Members SaveFile::overview() const {
    Members members;
    for (std::size_t index = 0; index < variables_.size(); ++index) {
        if (variables_[index].scope.empty() || (has_clock_ && index == 0)) {
            members.push_back(index);
        }
    }
    const auto add = [&](auto wanted) {
        for (std::size_t index = 0; index < variables_.size(); ++index) {
            if (variables_[index].lane < 0 && wanted(variables_[index])) {
                members.push_back(index);
            }
        }
    };
    for (const SignalKind kind :
         {SignalKind::SEQUENCER_STATE, SignalKind::OPCODE, SignalKind::TEXT}) {
        add([kind](const WaveVariable& variable) { return variable.kind == kind; });
    }
    add([](const WaveVariable& variable) {  // the slots, each with its operation
        return variable.kind == SignalKind::ALU_OP || variable.name == "valid";
    });
    add([](const WaveVariable& variable) { return variable.kind == SignalKind::STALL_CAUSE; });
    return members;
}

std::vector<std::pair<std::string, SaveFile::Members>> SaveFile::groups(bool of_lanes) const {
    std::vector<std::pair<std::string, Members>> all;
    std::map<std::string, std::size_t> by_name;
    for (std::size_t index = 0; index < variables_.size(); ++index) {
        const WaveVariable& variable = variables_[index];
        if ((variable.lane >= 0) == of_lanes && !variable.scope.empty()) {
            const auto [found, is_new] = by_name.emplace(group_of(variable), all.size());
            if (is_new) {
                all.emplace_back(found->first, Members{});
            }
            all[found->second].second.push_back(index);
        }
    }
    return all;
}

std::vector<ViewerFile> SaveFile::files(const std::string& dump) {
    const std::string name = stem_.filename().string() + ".gtkw";
    // Bare names: the files may move together.
    text_ = "[dumpfile] \"" + dump + "\"\n[savefile] \"" + name +
            "\"\n[size] 1600 900\n[sst_expanded] 0\n[signals_width] 300\n";
    add_group("overview", overview(), true);
    for (const bool of_lanes : {false, true}) {
        for (const auto& [group, members] : groups(of_lanes)) {
            add_group(group, members, false);
        }
    }
    std::vector<ViewerFile> all = {{stem_.string() + ".gtkw", text_}};
    all.insert(all.end(), translations_.begin(), translations_.end());
    return all;
}

std::filesystem::path stem_of(const std::filesystem::path& waveform) {
    std::filesystem::path stem = waveform;
    if (stem.extension() == ".vcd" || stem.extension() == ".fst") {
        stem.replace_extension();
    }
    return stem;
}

}  // namespace

std::string viewer_file_beside(const std::string& waveform) {
    return stem_of(waveform).string() + ".gtkw";
}

std::vector<ViewerFile> viewer_files(const WaveformFile& waveform) {
    const std::filesystem::path path = waveform.options().path;
    std::error_code unknown;
    if (!std::filesystem::is_regular_file(path, unknown)) {
        return {};
    }
    const std::filesystem::path stem = stem_of(path);
    return SaveFile(waveform.variables(), !waveform.options().clock_name.empty(), stem)
        .files(path.filename().string());
}

Status write_viewer_files(const WaveformFile& waveform) {
    for (const ViewerFile& file : viewer_files(waveform)) {
        const std::filesystem::path folder = std::filesystem::path(file.path).parent_path();
        std::error_code failure;
        if (!folder.empty() && !std::filesystem::exists(folder)) {
            std::filesystem::create_directory(folder, failure);
        }
        if (failure) {
            return Error{folder.string() + ": cannot be made: " + failure.message()};
        }
        OutputFile output(file.path);
        output.write(file.text);
        if (const Status done = output.finish(); !done) {
            return done;
        }
    }
    return Done{};
}

}  // namespace dve
