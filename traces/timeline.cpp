// Slices of a record and the rows they go to.
#include "traces/timeline.h"

#include <cinttypes>
#include <cmath>
#include <cstdarg>
#include <cstdio>

namespace dve {
namespace {

enum Process : unsigned { SEQ = 1, DVE = 2, STALL = 3 };

struct TrackName {
    Process process;
    const char* name;
};

constexpr TrackName track_names[] = {
    {SEQ, "front end"}, {SEQ, "wait"},        {SEQ, "control"}, {DVE, "setup"},
    {DVE, "read"},      {DVE, "drain"},       {STALL, "port"},  {STALL, "bank"},
    {STALL, "hazard"},  {STALL, "semaphore"}, {STALL, "fetch"},
};

/// printf into a text; every use here stays below the limit.
[[gnu::format(printf, 1, 2)]] std::string format(const char* form, ...) {
    char text[768];
    std::va_list values;
    va_start(values, form);
    std::vsnprintf(text, sizeof text, form, values);
    va_end(values);
    return text;
}

}  // namespace

Timeline::Timeline(const std::string& path, const std::string& generation, double clock_ghz)
    : file_(path), clock_ghz_(clock_ghz) {
    static_assert(sizeof track_names / sizeof *track_names == TRACKS);
    file_.write(
        format("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"generation\":\"%s\","
               "\"clock_ghz\":%.15g},\"traceEvents\":[\n",
               generation.c_str(), clock_ghz));
    name_process(SEQ, "SEQ");
    name_process(DVE, "DVE");
    name_process(STALL, "stalls");
}

Timeline::~Timeline() { (void)finish(); }

Status Timeline::finish() {
    if (file_.is_open()) {
        file_.write("\n]}\n");
    }
    return file_.finish();
}

void Timeline::retired(const RetireRecord& record) {
    arguments_ = format(
        "{\"index\":%" PRIu64 ",\"record\":%" PRIu64
        ",\"opcode\":\"0x%02x\",\"channels\":%u,\"elements\":%" PRIu64 ",\"fetch_cycle\":%" PRIu64
        ",\"decoded_cycle\":%" PRIu64 ",\"issue_cycle\":%" PRIu64 ",\"start_cycle\":%" PRIu64
        ",\"read_done_cycle\":%" PRIu64 ",\"end_cycle\":%" PRIu64 ",\"stalls\":{",
        record.index, record.record_index, record.opcode->value(), record.channels, record.elements,
        record.fetch_cycle, record.decoded_cycle, record.issue_cycle, record.start_cycle,
        record.read_done_cycle, record.end_cycle);
    for (std::size_t cause = 0; cause < stall_cause_count; ++cause) {
        arguments_ += format("%s\"%s\":%" PRIu64, cause == 0 ? "" : ",", stall_cause_name(cause),
                             record.stalls[cause]);
    }
    arguments_ += "}";

    const char* name = record.opcode->mnemonic;
    slice(FRONT_END, name, record.fetch_cycle, record.decoded_cycle);
    slice(WAIT, name, record.decoded_cycle, record.issue_cycle);
    if (record.opcode->is_control()) {
        slice(CONTROL, name, record.issue_cycle, record.end_cycle);
    } else {
        slice(SETUP, name, record.issue_cycle, record.start_cycle);
        slice(READ, name, record.start_cycle, record.read_done_cycle);
        slice(DRAIN, name, record.read_done_cycle, record.end_cycle);
    }
    // Ports and banks hold up beats: in the READ stage, or also those that drain.
    const auto beats_delayed = [&record](StallCause cause) {
        return record.stalls[static_cast<std::size_t>(cause)] <=
                       record.read_done_cycle - record.start_cycle
                   ? record.read_done_cycle
                   : record.end_cycle;
    };
    // Where the slices end, by StallCause.
    const std::uint64_t delayed[stall_cause_count] = {
        beats_delayed(StallCause::PORT), beats_delayed(StallCause::BANK), record.start_cycle,
        record.issue_cycle, record.decoded_cycle};
    for (std::size_t cause = 0; cause < stall_cause_count; ++cause) {
        slice(static_cast<unsigned>(STALLS + cause), name, delayed[cause] - record.stalls[cause],
              delayed[cause]);
    }
}

void Timeline::slice(unsigned track, const char* name, std::uint64_t begin, std::uint64_t end) {
    if (begin == end) {
        return;
    }
    const unsigned thread = row(track, begin, end);
    const std::uint64_t from = nanoseconds(begin);
    const std::uint64_t length = nanoseconds(end) - from;
    // Perfetto turns ts into whole nanoseconds, some versions by truncation: a tenth on top keeps
    // the binary fraction above the nanosecond that is meant.
    event(format("{\"name\":\"%s\",\"cat\":\"%s\",\"ph\":\"X\",\"ts\":%" PRIu64 ".%03u1"
                 ",\"dur\":%" PRIu64 ".%03u,\"pid\":%u,\"tid\":%u,\"args\":",
                 name, track_names[track].name, from / 1000, static_cast<unsigned>(from % 1000),
                 length / 1000, static_cast<unsigned>(length % 1000),
                 static_cast<unsigned>(track_names[track].process), thread));
    file_.write(arguments_);
    file_.write(format(",\"cycle\":%" PRIu64 ",\"cycles\":%" PRIu64 "}}", begin, end - begin));
}

/// First row of the track that is free at `begin`; a new one is named.
unsigned Timeline::row(unsigned track, std::uint64_t begin, std::uint64_t end) {
    for (Row& candidate : rows_[track]) {
        if (candidate.end <= begin) {
            candidate.end = end;
            return candidate.thread;
        }
    }
    const auto number = static_cast<unsigned>(rows_[track].size());
    const unsigned thread = ++threads_;
    rows_[track].push_back({end, thread});
    const auto process = static_cast<unsigned>(track_names[track].process);
    event(
        format("{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"args\":{\"name\":"
               "\"%s %u\"}}",
               process, thread, track_names[track].name, number));
    constexpr unsigned most_rows = 65536;
    event(
        format("{\"name\":\"thread_sort_index\",\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"args\":{"
               "\"sort_index\":%u}}",
               process, thread, track * most_rows + number));
    return thread;
}

void Timeline::name_process(unsigned process, const char* name) {
    event(format("{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%u,\"args\":{\"name\":\"%s\"}}",
                 process, name));
    event(
        format("{\"name\":\"process_sort_index\",\"ph\":\"M\",\"pid\":%u,\"args\":{"
               "\"sort_index\":%u}}",
               process, process));
}

void Timeline::event(const std::string& text) {
    file_.write(first_event_ ? "" : ",\n");
    first_event_ = false;
    file_.write(text);
}

/// Both ends of a slice are rounded, so that slices that touch in cycles touch in the viewer too.
std::uint64_t Timeline::nanoseconds(std::uint64_t cycle) const {
    return static_cast<std::uint64_t>(std::llround(static_cast<double>(cycle) / clock_ghz_));
}

}  // namespace dve
