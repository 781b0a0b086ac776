// Reading of the configuration file, event by event, so that neither depth nor size matters.
#include "platform/dve_sim/configuration_file.h"

#include <nlohmann/json.hpp>
#include <set>

#include "models/isa/text_number.h"
#include "platform/whole_file.h"

namespace dve::sim {
namespace {

using Json = nlohmann::json;

class SettingsReader final : public nlohmann::json_sax<Json> {
public:
    explicit SettingsReader(const std::string& file) : file_(file) {}

    Result<std::vector<Setting>> result() && {
        return error_.empty() ? Result<std::vector<Setting>>(std::move(settings_))
                              : Error{file_ + ": " + error_};
    }

    bool null() override { return refuse_type("null"); }
    bool binary(Json::binary_t&) override { return refuse_type("binary"); }
    bool start_array(std::size_t) override { return refuse_type("a list"); }
    bool end_array() override { return true; }
    bool boolean(bool value) override { return take(value ? "true" : "false"); }
    bool number_integer(std::int64_t value) override { return take(std::to_string(value)); }
    bool number_unsigned(std::uint64_t value) override { return take(std::to_string(value)); }
    bool number_float(double, const std::string& text) override { return take(text); }
    bool string(std::string& value) override { return take(value); }

    bool start_object(std::size_t) override {
        constexpr std::size_t deepest = 8;  // no parameter has so many parts
        if (prefixes_.size() == deepest) {
            return refuse(dve::quoted(name_) + " is nested too deeply; legal: up to 8 objects");
        }
        prefixes_.push_back(name_);
        return true;
    }
    bool key(std::string& value) override {
        name_ = prefixes_.back().empty() ? value : prefixes_.back() + "." + value;
        return names_.insert(name_).second ||
               refuse(dve::quoted(name_) + " stands twice; legal: each parameter once");
    }
    bool end_object() override {
        prefixes_.pop_back();
        return true;
    }
    bool parse_error(std::size_t, const std::string&,
                     const nlohmann::detail::exception& error) override {
        // "[json.exception.parse_error.101] parse error at line 2, column 5: ..."
        const std::string text = error.what();
        const std::size_t start = text.find("] ");
        return refuse(start == std::string::npos ? text : text.substr(start + 2));
    }

private:
    bool refuse(const std::string& message) {
        error_ = message;
        return false;
    }
    bool refuse_type(const char* type) {
        return refuse(
            (prefixes_.empty() ? std::string("the file") : dve::quoted(name_)) + " is " + type +
            "; legal: " +
            (prefixes_.empty() ? "a JSON object of parameters" : "text, a number, true or false"));
    }
    bool take(const std::string& value) {
        if (prefixes_.empty()) {
            return refuse_type("a single value");
        }
        settings_.push_back({name_, value, file_});
        return true;
    }

    const std::string& file_;
    std::vector<Setting> settings_;
    std::vector<std::string> prefixes_;  ///< dotted names of the open objects
    std::set<std::string> names_;        ///< every key so far
    std::string name_;                   ///< dotted name of the value that comes
    std::string error_;
};

}  // namespace

Result<std::vector<Setting>> read_configuration_file(const std::string& file) {
    auto bytes = read_whole_file(file);
    if (!bytes) {
        return bytes.failure();
    }
    SettingsReader reader(file);
    Json::sax_parse(bytes->begin(), bytes->end(), &reader, Json::input_format_t::json, true, true);
    return std::move(reader).result();
}

}  // namespace dve::sim
