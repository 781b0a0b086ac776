// Trace-event JSON (Perfetto, chrome://tracing) from the retire stream.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tlm/retire_record.h"
#include "traces/output_file.h"

namespace dve {

/// Writes while the run goes on and keeps nothing but the end of each row. docs/timelines.md
/// describes the file.
class Timeline final : public RetireObserver {
public:
    /// `path`: `-` is standard output.
    Timeline(const std::string& path, const std::string& generation, double clock_ghz);
    ~Timeline() override;

    void retired(const RetireRecord& record) override;

    Status status() const { return file_.status(); }
    /// Ends the document; the file is valid JSON wherever the run stopped.
    Status finish();

private:
    /// Slices of one kind. Where they overlap they go to rows of their own, because viewers drop
    /// slices that overlap without being nested.
    enum Track : std::uint8_t {
        FRONT_END,
        WAIT,
        CONTROL,
        SETUP,
        READ,
        DRAIN,
        STALLS,  ///< one track for each StallCause from here on
        TRACKS = STALLS + stall_cause_count,
    };
    struct Row {
        std::uint64_t end;  ///< cycle
        unsigned thread;
    };

    void slice(unsigned track, const char* name, std::uint64_t begin, std::uint64_t end);
    unsigned row(unsigned track, std::uint64_t begin, std::uint64_t end);
    void name_process(unsigned process, const char* name);
    void event(const std::string& text);
    std::uint64_t nanoseconds(std::uint64_t cycle) const;

    OutputFile file_;
    double clock_ghz_;
    bool first_event_ = true;
    unsigned threads_ = 0;  ///< rows so far, all tracks together
    std::array<std::vector<Row>, TRACKS> rows_;
    std::string arguments_;  ///< of the record's slices, without the closing brace
};

}  // namespace dve
