// A small reader of value change dumps.
#include "tests/traces/waveform_vcd.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace dve::test {
namespace {

/// Reads declarations up to $enddefinitions; gives names by identifier.
std::map<std::string, std::string> parse_header(std::istream& in, Vcd& vcd) {
    std::map<std::string, std::string> names;
    std::vector<std::string> scopes;
    std::set<std::string> paths;
    for (std::string word; in >> word;) {
        std::vector<std::string> body;
        for (std::string part; in >> part && part != "$end";) {
            body.push_back(part);
        }
        if (word == "$enddefinitions") {
            vcd.problem += scopes.empty() ? "" : "open scope; ";
            return names;
        }
        if (word == "$scope") {
            vcd.problem += body.size() == 2 && body[0] == "module" ? "" : "bad $scope; ";
            scopes.push_back(body.back());
            std::string path;
            for (const std::string& scope : scopes) {
                path += scope + '.';
            }
            vcd.problem += paths.insert(path).second ? "" : "scope twice: " + path + "; ";
        } else if (word == "$upscope") {
            scopes.pop_back();
        } else if (word == "$var") {
            std::string name;
            for (const std::string& scope : scopes) {
                name += scope + '.';
            }
            name += body.at(3);
            vcd.problem += body[3].find('.') == std::string::npos ? "" : "dot in " + body[3] + "; ";
            const bool has_range = body.size() == 5;
            const unsigned bits = std::stoul(body[1]);
            const bool wants_range = body[0] == "wire" && bits > 1;
            vcd.problem += has_range == wants_range ? "" : "range of " + name + "; ";
            if (has_range && body[4] != "[" + std::to_string(bits - 1) + ":0]") {
                vcd.problem += "bad range of " + name + "; ";
            }
            vcd.problem += names.emplace(body[2], name).second ? "" : "identifier twice; ";
            vcd.problem += vcd.variables.count(name) == 0 ? "" : "name twice: " + name + "; ";
            vcd.variables[name] = {body[0], bits, {}};
        } else if (word != "$version" && word != "$timescale") {
            vcd.problem += "unknown " + word + "; ";
        }
    }
    vcd.problem += "no $enddefinitions; ";
    return names;
}

}  // namespace

std::map<std::uint64_t, std::string> VcdVariable::by_time() const {
    std::map<std::uint64_t, std::string> values;
    for (const auto& [time, value] : changes) {
        values[time] = value;
    }
    return values;
}

std::string VcdVariable::at(std::uint64_t time) const {
    std::string value;
    for (const auto& change : changes) {
        if (change.first <= time) {
            value = change.second;
        }
    }
    return value;
}

const VcdVariable& Vcd::operator[](const std::string& name) const {
    static const VcdVariable none;
    const auto found = variables.find(name);
    EXPECT_NE(found, variables.end()) << name << " is not in the dump";
    return found == variables.end() ? none : found->second;
}

std::string read_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

Vcd parse_vcd(const std::string& text) {
    Vcd vcd;
    std::istringstream in(text);
    const std::map<std::string, std::string> names = parse_header(in, vcd);
    bool in_dump = false;
    for (std::string word; in >> word;) {
        if (word[0] == '#') {
            const std::uint64_t time = std::stoull(word.substr(1));
            vcd.problem += vcd.stamps.empty() || time > vcd.stamps.back() ? "" : "time goes back; ";
            vcd.stamps.push_back(time);
            continue;
        }
        if (word == "$comment") {
            while (in >> word && word != "$end") {
            }
            continue;
        }
        if (word == "$dumpvars" || (word == "$end" && in_dump)) {
            in_dump = !in_dump;
            continue;
        }
        if (vcd.stamps.empty()) {
            vcd.problem += "value before the first time; ";
            return vcd;
        }
        std::string value = word;
        std::string identifier;
        if (word[0] == 'b' || word[0] == 'r') {
            value = word.substr(1);
            in >> identifier;
        } else {
            value = word.substr(0, 1);
            identifier = word.substr(1);
        }
        const auto name = names.find(identifier);
        if (name == names.end() || in.fail()) {
            vcd.problem += "unknown identifier " + identifier + "; ";
            return vcd;
        }
        VcdVariable& variable = vcd.variables[name->second];
        if (word[0] != 'r' && value.size() != variable.bits) {
            vcd.problem += "width of " + name->second + "; ";
        }
        variable.changes.emplace_back(vcd.stamps.back(), value);
    }
    vcd.problem += in_dump ? "open $dumpvars; " : "";
    return vcd;
}

std::string in_bits(std::uint64_t value, unsigned bits) {
    std::string text;
    for (unsigned bit = bits; bit-- > 0;) {
        text += (value >> bit & 1) != 0 ? '1' : '0';
    }
    return text;
}

std::string text_bits(const std::string& text, unsigned length) {
    std::string bits;
    for (unsigned index = 0; index < length; ++index) {
        bits += in_bits(index < text.size() ? static_cast<unsigned char>(text[index]) : 0U, 8);
    }
    return bits;
}

std::string scratch_path(const std::string& name) {
    // Each test is a process of its own.
    static const struct Folder {
        Folder()
            : path(std::filesystem::temp_directory_path() /
                   ("dve_waveform_test." + std::to_string(getpid()))) {
            std::filesystem::create_directories(path);
        }
        ~Folder() { std::filesystem::remove_all(path); }
        std::filesystem::path path;
    } folder;
    return folder.path / name;
}

}  // namespace dve::test
