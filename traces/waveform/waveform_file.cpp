// Waveform file: which signals, when to sample them.
#include "traces/waveform/waveform_file.h"

#include <fnmatch.h>

#include <algorithm>
#include <cmath>

namespace dve {
namespace {

constexpr std::uint64_t never = ~std::uint64_t{0};

/// a + b x c, at most `never`.
std::uint64_t saturated(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    std::uint64_t product = 0;
    std::uint64_t sum = 0;
    return __builtin_mul_overflow(b, c, &product) || __builtin_add_overflow(a, product, &sum)
               ? never
               : sum;
}

}  // namespace

/// Adds what one module shows.
class WaveformFile::HierarchyVisitor final : public SignalVisitor {
public:
    HierarchyVisitor(WaveformFile& file, const std::string& module)
        : file_(file), prefix_(module + '.') {}

    void number(const char* name, const void* value, unsigned bytes, unsigned bits,
                SignalKind kind) override {
        if (file_.declare(prefix_ + name, WaveType::BITS, bits, kind)) {
            file_.modules_.add_number(file_.variables_.size() - 1, value, bytes, bits);
        }
    }

    void text(const char* name, const char* value, unsigned length) override {
        if (file_.declare(prefix_ + name, WaveType::BITS, 8 * length, SignalKind::TEXT)) {
            file_.modules_.add_text(file_.variables_.size() - 1, value, length);
        }
    }

    void lanes(const char* name, const std::uint32_t* values, unsigned lanes,
               SignalKind kind) override {
        for (unsigned lane = 0; lane < std::min(lanes, 128U); ++lane) {
            const std::string full = prefix_ + "lane_" + std::to_string(lane) + '.' + name;
            if (file_.options_.lanes[lane] &&
                file_.declare(full, WaveType::BITS, 32, kind, static_cast<int>(lane))) {
                file_.modules_.add_number(file_.variables_.size() - 1, values + lane, 4, 32);
                watched_[lane] = true;
            }
        }
    }

    const bool (&watched() const)[128] { return watched_; }

private:
    WaveformFile& file_;
    std::string prefix_;
    bool watched_[128] = {};
};

WaveformFile::WaveformFile(const WaveformOptions& options) : options_(options) {
    auto writer =
        options.format == WaveFormat::VCD ? open_vcd(options.path) : open_fst(options.path);
    if (writer) {
        writer_ = std::move(writer.value());
    } else {
        error_ = writer.error();
    }
    const bool needs_period =
        options.first_cycle != 0 || options.end_cycle != never || !options.clock_name.empty();
    if (needs_period && options.clock_period < 2) {
        error_ = options.path + ": a window or clock needs a clock period; legal: 2 ps and more";
        close();
    } else if (!options.clock_name.empty()) {
        clock_.emplace(options.clock_period);
        add_variable(wave_name(options.clock_name), WaveType::BITS, 1, SignalKind::NUMBER, -1);
    }
    update_window();
    attach();
}

WaveformFile::~WaveformFile() {
    close();
    detach();
}

const std::string& WaveformFile::error() const {
    return error_.empty() && writer_ ? writer_->error() : error_;
}

void WaveformFile::add_hierarchy() {
    if (has_hierarchy_) {
        return;
    }
    has_hierarchy_ = true;
    std::vector<sc_core::sc_object*> objects = sc_core::sc_get_top_level_objects();
    std::reverse(objects.begin(), objects.end());
    while (!objects.empty()) {
        sc_core::sc_object* const object = objects.back();
        objects.pop_back();
        if (auto* const traceable = dynamic_cast<Traceable*>(object)) {
            HierarchyVisitor visitor(*this, object->name());
            traceable->visit_signals(visitor);
            traceable->watch_lanes(visitor.watched());
        }
        const std::vector<sc_core::sc_object*>& inner = object->get_child_objects();
        objects.insert(objects.end(), inner.rbegin(), inner.rend());
    }
}

void WaveformFile::set_origin(std::uint64_t picoseconds) {
    origin_ = picoseconds;
    has_origin_ = true;
    update_window();
    if (is_started_ && clock_) {
        clock_->start(origin_, last_);
    }
}

void WaveformFile::update_window() {
    if (!writer_ || is_closed_) {
        begin_ = never;
    } else if (options_.first_cycle == 0 && options_.end_cycle == never) {
        begin_ = 0;
    } else if (!has_origin_) {
        begin_ = never;
    } else {
        begin_ = saturated(origin_, options_.first_cycle, options_.clock_period);
        end_ = saturated(origin_, options_.end_cycle, options_.clock_period);
    }
}

void WaveformFile::close() {
    if (!writer_ || is_closed_) {
        return;
    }
    if (!is_started_) {
        writer_->declare(variables_);
    } else if (clock_ && clock_->level() && clock_->next_edge() < end_) {
        writer_->time(clock_->next_edge());
        writer_->number(0, 0);
    }
    writer_->close();
    is_closed_ = true;
    begin_ = never;
}

void WaveformFile::cycle_done(std::uint64_t, std::uint64_t picoseconds) {
    if (picoseconds < begin_ || picoseconds < last_) {
        return;
    }
    sample(picoseconds, true);
    last_is_of_module_ = true;
}

void WaveformFile::cycle(bool delta_cycle) {
    if (begin_ == never || (delta_cycle && !with_deltas())) {
        return;
    }
    const std::uint64_t picoseconds = kernel_picoseconds();
    if (picoseconds < begin_ || picoseconds < last_) {
        return;
    }
    // Modules have shown the state of this time already and may be further on by now.
    const bool modules_done = last_is_of_module_ && picoseconds == last_;
    sample(picoseconds, !modules_done);
    last_is_of_module_ = modules_done;
}

std::uint64_t WaveformFile::kernel_picoseconds() {
    if (picoseconds_per_tick_ == 0) {
        const double picoseconds = sc_core::sc_get_time_resolution().to_seconds() * 1e12;
        picoseconds_per_tick_ = picoseconds < 1 ? 1 : std::llround(picoseconds);
        ticks_per_picosecond_ = picoseconds < 1 ? std::llround(1 / picoseconds) : 1;
    }
    return sc_core::sc_time_stamp().value() / ticks_per_picosecond_ * picoseconds_per_tick_;
}

void WaveformFile::start(std::uint64_t picoseconds) {
    is_started_ = true;
    writer_->declare(variables_);
    writer_->time(picoseconds);
    writer_->begin_first_values();
    if (clock_) {
        clock_->start(origin_, picoseconds);
        writer_->number(0, clock_->level() ? 1 : 0);
    }
    modules_.sample(*writer_, true);
    objects_.sample(*writer_, true);
    writer_->end_first_values();
}

void WaveformFile::sample(std::uint64_t picoseconds, bool modules) {
    if (picoseconds >= end_) {
        close();
        return;
    }
    last_ = picoseconds;
    if (!is_started_) {
        start(picoseconds);
    } else {
        while (clock_ && clock_->next_edge() <= picoseconds) {
            writer_->time(clock_->next_edge());
            clock_->step();
            writer_->number(0, clock_->level() ? 1 : 0);
        }
        writer_->time(picoseconds);
        if (modules) {
            modules_.sample(*writer_, false);
        }
        objects_.sample(*writer_, false);
    }
    if (!writer_->error().empty()) {
        close();
    }
}

bool WaveformFile::is_in_scope(const std::string& full_name) const {
    if (options_.scope.empty() || fnmatch(options_.scope.c_str(), full_name.c_str(), 0) == 0) {
        return true;
    }
    for (std::size_t dot = full_name.find('.'); dot != std::string::npos;
         dot = full_name.find('.', dot + 1)) {
        if (fnmatch(options_.scope.c_str(), full_name.substr(0, dot).c_str(), 0) == 0) {
            return true;
        }
    }
    return false;
}

bool WaveformFile::declare(const std::string& full_name, WaveType type, unsigned bits,
                           SignalKind kind, int lane) {
    const std::string name = wave_name(full_name);
    if (bits == 0 || !is_in_scope(name)) {
        return false;
    }
    if (is_started_ || is_closed_) {
        if (error_.empty()) {
            error_ = options_.path + ": " + name +
                     " cannot be added; legal: signals added before the first sample";
        }
        return false;
    }
    add_variable(name, type, bits, kind, lane);
    return true;
}

void WaveformFile::add_variable(std::string name, WaveType type, unsigned bits, SignalKind kind,
                                int lane) {
    const std::string wanted = name;
    for (unsigned number = 2; !names_.insert(name).second; ++number) {
        name = wanted + '_' + std::to_string(number);
    }
    const std::size_t dot = name.rfind('.');
    WaveVariable variable;
    variable.scope = dot == std::string::npos ? "" : name.substr(0, dot);
    variable.name = dot == std::string::npos ? name : name.substr(dot + 1);
    variable.bits = bits;
    variable.type = type;
    variable.kind = kind;
    variable.lane = lane;
    variables_.push_back(variable);
}

}  // namespace dve
