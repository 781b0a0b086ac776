// Choice of the observers by the options of a run.
#include "platform/dve_sim/run_observers.h"

#include <unistd.h>

#include <filesystem>
#include <iostream>

#include "models/isa/text_number.h"
#include "platform/parameters.h"
#include "traces/waveform/viewer_files.h"

namespace dve::sim {
namespace {

/// What the values depend on: all choices but those that only shift cycles.
LaneTraceHeader lane_trace_header(const Configuration& configuration) {
    LaneTraceHeader header;
    header.entries.emplace_back("generation", configuration.isa.row().name);
    header.entries.emplace_back("semantics", profile_name(configuration.profile));
    const auto ends_with = [](const std::string& text, const std::string& end) {
        return text.size() >= end.size() &&
               text.compare(text.size() - end.size(), end.size(), end) == 0;
    };
    for (const Parameter& row : parameters()) {
        if (row.assumption && !ends_with(row.legal, " cycles") &&
            !ends_with(row.legal, " records")) {
            header.entries.emplace_back(row.name, row.get(configuration));
        }
    }
    return header;
}

}  // namespace

Progress::Progress() : terminal_(isatty(STDERR_FILENO) != 0) {}

void Progress::retired(const RetireRecord& record) {
    if (!terminal_ || record.index % 256 != 0) {
        return;
    }
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ > std::chrono::seconds(2)) {
        last_ = now;
        shown_ = true;
        std::cerr << "\r" << record.index << " instructions, " << record.end_cycle << " cycles"
                  << std::flush;
    }
}

void Progress::end() {
    if (shown_) {
        std::cerr << "\r\033[K";
    }
    shown_ = false;
}

RunObservers::RunObservers(const Configuration& configuration, const RunOptions& options)
    : statistics_(!options.stats.empty()) {
    stream_.add(statistics_);
    if (!options.trace.timeline.empty()) {
        timeline_ = std::make_unique<Timeline>(options.trace.timeline, configuration.isa.row().name,
                                               configuration.clock_ghz);
        stream_.add(*timeline_);
    }
    if (!options.trace.kanata.empty()) {
        kanata_ =
            std::make_unique<KanataLog>(options.trace.kanata, configuration.generation(),
                                        MemoryMap{configuration.isa.sbuf, configuration.isa.psum},
                                        configuration.sequencer.fetch);
        stream_.add(*kanata_);
    }
    if (!options.trace.lane_trace.empty()) {
        lane_trace_ = std::make_unique<LaneTraceWriter>(options.trace.lane_trace,
                                                        lane_trace_header(configuration));
    }
    for (const auto& [path, format] : {std::make_pair(&options.trace.vcd, WaveFormat::VCD),
                                       std::make_pair(&options.trace.fst, WaveFormat::FST)}) {
        if (!path->empty()) {
            open_waveform(configuration, options.trace, *path, format);
        }
    }
    stream_.add(interrupt_);
    stream_.add(progress_);
}

void RunObservers::open_waveform(const Configuration& configuration, const TraceOptions& options,
                                 const std::string& path, WaveFormat format) {
    WaveformOptions waveform;
    waveform.path = path;
    waveform.format = format;
    waveform.clock_period = picoseconds(cycle_time(configuration));
    waveform.clock_name = "engine.clk";
    waveform.first_cycle = options.first_cycle;
    waveform.end_cycle = options.end_cycle;
    waveform.scope = options.scope;
    waveform.lanes = options.lanes;
    waveforms_.push_back(std::make_unique<WaveformFile>(waveform));
    cycles_.add(*waveforms_.back());
}

Status RunObservers::listen_to(DveEngine& engine) {
    engine.sequencer().set_retire_observer(&stream_);
    engine.datapath().set_lane_observer(lane_trace_.get());
    if (waveforms_.empty()) {
        return Done{};
    }
    cycles_.add(interrupt_);
    engine.datapath().set_cycle_observer(&cycles_);
    for (const auto& waveform : waveforms_) {
        waveform->add_hierarchy();
        waveform->set_origin(0);                  // the host starts the run before time moves
        if (waveform->variables().size() <= 1) {  // the clock is always there
            waveform->close();
            std::error_code kept;  // a device or standard output stays
            if (std::filesystem::is_regular_file(waveform->options().path, kept)) {
                std::filesystem::remove(waveform->options().path, kept);
            }
            return Error{"--trace-scope: " + dve::quoted(waveform->options().scope) +
                         " matches no signal; legal: a glob of names such as engine.seq.state, "
                         "engine.dve.READ.valid, engine.dve.lane_0.ALU0"};
        }
    }
    return Done{};
}

Status RunObservers::status() const {
    const auto of = [](const auto& file) { return file ? file->status() : Status(Done{}); };
    for (const Status& status : {of(timeline_), of(kanata_), of(lane_trace_)}) {
        if (!status) {
            return status;
        }
    }
    for (const auto& waveform : waveforms_) {
        if (!waveform->error().empty()) {
            return Error{waveform->error()};
        }
    }
    return Done{};
}

Status RunObservers::finish() {
    const auto end = [](const auto& file) {
        if (file) {
            (void)file->finish();
        }
    };
    end(timeline_);
    end(kanata_);
    end(lane_trace_);
    for (const auto& waveform : waveforms_) {
        waveform->sample_now();
        waveform->close();
        if (auto written = write_viewer_files(*waveform); !written) {
            return written;
        }
    }
    return status();
}

}  // namespace dve::sim
