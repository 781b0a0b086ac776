// Timelines from hand-made retire records, with causes and overlaps that a program hardly gives.
#include "traces/timeline.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "tests/traces/lane_stream.h"
#include "traces/kanata.h"

namespace dve {
namespace {

using Json = nlohmann::json;
using test::ScratchFile;

/// A pipeline whose lengths are drawn by lot; all of the order that docs/timing.md promises holds.
std::vector<RetireRecord> random_records(unsigned count, std::uint32_t seed) {
    static const Record tensor = make_record(Opcode::TENSOR_SCALAR_ARITH_OP);
    static const Record nop = make_record(Opcode::NOP);
    std::mt19937 random(seed);
    const auto below = [&random](unsigned limit) -> std::uint64_t { return random() % limit; };
    std::vector<RetireRecord> records;
    std::uint64_t fetch = 0;
    std::uint64_t now = 0;
    std::uint64_t read_free = 0;
    for (unsigned index = 0; index < count; ++index) {
        RetireRecord record;
        const bool control = below(4) == 0;
        record.index = index;
        record.record_index = index;
        record.record = control ? &nop : &tensor;
        record.opcode =
            control ? &opcode_row(Opcode::NOP) : &opcode_row(Opcode::TENSOR_SCALAR_ARITH_OP);
        fetch += 1 + below(3);
        record.fetch_cycle = fetch;
        record.decoded_cycle = fetch + 1 + below(9);
        const std::uint64_t asked = std::max(now, record.decoded_cycle);
        record.stalls[static_cast<std::size_t>(StallCause::FETCH)] =
            record.decoded_cycle > now ? record.decoded_cycle - now : 0;
        const std::uint64_t semaphore = below(2) * below(40);
        record.stalls[static_cast<std::size_t>(StallCause::SEMAPHORE)] = semaphore;
        record.issue_cycle = std::max(asked + semaphore, control ? 0 : read_free);
        if (control) {
            record.start_cycle = record.read_done_cycle = record.issue_cycle;
            record.end_cycle = record.issue_cycle + 1 + below(50);
            now = record.end_cycle;
        } else {
            const std::uint64_t hazard = below(2) * below(30);
            record.stalls[static_cast<std::size_t>(StallCause::HAZARD)] = hazard;
            record.start_cycle = std::max(record.issue_cycle + 1, read_free) + hazard;
            const std::uint64_t beats = 1 + below(60);
            record.stalls[static_cast<std::size_t>(StallCause::PORT)] = below(beats + 30);
            record.stalls[static_cast<std::size_t>(StallCause::BANK)] = below(beats + 1);
            record.read_done_cycle = record.start_cycle + beats;
            record.end_cycle = record.read_done_cycle + 30 + below(200);
            record.channels = 128;
            record.elements = beats;
            read_free = record.read_done_cycle;
            now = record.issue_cycle + 1;
        }
        records.push_back(record);
    }
    return records;
}

Json timeline_of(const std::vector<RetireRecord>& records, double clock) {
    ScratchFile file;
    Timeline timeline(file.path(), "mariana", clock);
    for (const RetireRecord& record : records) {
        timeline.retired(record);
    }
    EXPECT_TRUE(timeline.finish());
    EXPECT_TRUE(timeline.finish());
    const test::Bytes bytes = file.bytes();
    return Json::parse(bytes.begin(), bytes.end());
}

/// Perfetto counts in nanoseconds; older versions truncate, newer ones round.
using ToNanoseconds = std::int64_t (*)(double);
std::int64_t truncated(double microseconds) {
    return static_cast<std::int64_t>(microseconds * 1000.0);
}
std::int64_t rounded(double microseconds) { return std::llround(microseconds * 1000.0); }

void expect_no_partial_overlap(const Json& timeline, ToNanoseconds nanoseconds) {
    std::map<int, std::vector<std::pair<std::int64_t, std::int64_t>>> threads;
    for (const Json& event : timeline["traceEvents"]) {
        if (event["ph"] == "X") {
            const std::int64_t begin = nanoseconds(event["ts"].get<double>());
            threads[event["tid"].get<int>()].emplace_back(
                begin, begin + nanoseconds(event["dur"].get<double>()));
        }
    }
    ASSERT_GT(threads.size(), 10U);
    for (auto& [thread, slices] : threads) {
        std::sort(slices.begin(), slices.end());
        for (std::size_t i = 1; i < slices.size(); ++i) {
            ASSERT_GE(slices[i].first, slices[i - 1].second) << "thread " << thread;
        }
    }
}

TEST(Timeline, SlicesOfARowNeverOverlap) {
    for (const double clock : {1.0, 1.2, 0.96, 1.4, 0.001, 100.0}) {
        const Json timeline = timeline_of(random_records(600, 7), clock);
        expect_no_partial_overlap(timeline, truncated);
        expect_no_partial_overlap(timeline, rounded);
    }
}

TEST(Timeline, EveryPhaseAndStallOnce) {
    const auto records = random_records(300, 8);
    const Json timeline = timeline_of(records, 1.2);
    using Span = std::pair<std::uint64_t, std::uint64_t>;
    std::map<std::pair<std::string, std::uint64_t>, Span> found;
    for (const Json& event : timeline["traceEvents"]) {
        if (event["ph"] != "X") {
            continue;
        }
        const Json& arguments = event["args"];
        const auto cycle = arguments["cycle"].get<std::uint64_t>();
        const auto cycles = arguments["cycles"].get<std::uint64_t>();
        EXPECT_NEAR(event["ts"].get<double>(), static_cast<double>(cycle) / 1200, 0.0007);
        EXPECT_NEAR(event["dur"].get<double>(), static_cast<double>(cycles) / 1200, 0.0011);
        const auto key = std::make_pair(event["cat"].get<std::string>(),
                                        arguments["index"].get<std::uint64_t>());
        EXPECT_TRUE(found.emplace(key, Span{cycle, cycle + cycles}).second) << key.first;
    }
    std::size_t expected = 0;
    const auto expect = [&](const char* category, const RetireRecord& record, std::uint64_t begin,
                            std::uint64_t end) {
        if (begin != end) {
            ++expected;
            EXPECT_EQ((found[{category, record.index}]), (Span{begin, end})) << category;
        }
    };
    for (const RetireRecord& record : records) {
        expect("front end", record, record.fetch_cycle, record.decoded_cycle);
        expect("wait", record, record.decoded_cycle, record.issue_cycle);
        if (record.channels == 0) {
            expect("control", record, record.issue_cycle, record.end_cycle);
        } else {
            expect("setup", record, record.issue_cycle, record.start_cycle);
            expect("read", record, record.start_cycle, record.read_done_cycle);
            expect("drain", record, record.read_done_cycle, record.end_cycle);
        }
        const auto stall = [&](StallCause cause) {
            return record.stalls[static_cast<std::size_t>(cause)];
        };
        const auto before = [&](const char* category, StallCause cause, std::uint64_t end) {
            expect(category, record, end - stall(cause), end);
        };
        // More than the READ stage can have taken: some of it while the beats drained.
        const bool while_draining =
            stall(StallCause::PORT) > record.read_done_cycle - record.start_cycle;
        before("port", StallCause::PORT,
               while_draining ? record.end_cycle : record.read_done_cycle);
        before("bank", StallCause::BANK, record.read_done_cycle);
        before("hazard", StallCause::HAZARD, record.start_cycle);
        before("semaphore", StallCause::SEMAPHORE, record.issue_cycle);
        before("fetch", StallCause::FETCH, record.decoded_cycle);
    }
    EXPECT_EQ(found.size(), expected);
}

TEST(Timeline, WhatIsWrittenWhenTheRunEndsAbruptlyIsADocument) {
    ScratchFile file;
    {
        Timeline timeline(file.path(), "mariana", 1.2);
        timeline.retired(random_records(1, 1)[0]);
    }
    const test::Bytes bytes = file.bytes();
    EXPECT_TRUE(Json::accept(bytes.begin(), bytes.end()));
}

TEST(Timeline, SaysWhyAFileCannotBeWritten) {
    Timeline missing("/nowhere/at/all.json", "mariana", 1.2);
    ASSERT_FALSE(missing.status());
    Timeline full("/dev/full", "mariana", 1.2);
    EXPECT_EQ(full.finish().error(), "/dev/full: cannot be written: No space left on device");
}

TEST(KanataLog, CommandsStandInTheOrderOfTime) {
    const auto records = random_records(500, 9);
    ScratchFile file;
    {
        KanataLog log(file.path(), Generation::MARIANA,
                      MemoryMap::for_generation(Generation::MARIANA), 1);
        for (const RetireRecord& record : records) {
            log.retired(record);
        }
    }
    const test::Bytes bytes = file.bytes();
    std::istringstream lines(std::string(bytes.begin(), bytes.end()));
    std::string line;
    std::uint64_t now = 0;
    std::map<std::pair<std::uint64_t, std::string>, std::uint64_t> starts;
    std::map<std::uint64_t, std::uint64_t> ends;
    std::uint64_t next = 0;
    while (std::getline(lines, line)) {
        std::istringstream fields(line);
        std::string command;
        std::uint64_t id = 0;
        fields >> command >> id;
        if (command == "C") {
            EXPECT_GT(id, 0U);
            EXPECT_LT(id, 100000U);  // time does not run backwards
            now += id;
        } else if (command == "I") {
            EXPECT_EQ(id, next++);  // viewers want them numbered as they appear
        } else if (command == "S") {
            std::string lane;
            std::string stage;
            fields >> lane >> stage;
            ASSERT_LT(id, next);
            EXPECT_TRUE((starts.emplace(std::make_pair(id, stage), now).second));
        } else if (command == "R") {
            ends[id] = now;
        }
    }
    ASSERT_EQ(next, records.size());
    for (const RetireRecord& record : records) {
        EXPECT_EQ((starts[{record.index, "F"}]), record.fetch_cycle);
        EXPECT_EQ(ends[record.index], record.end_cycle);
        if (record.channels != 0) {
            EXPECT_EQ((starts[{record.index, "Is"}]), record.issue_cycle);
            EXPECT_EQ((starts[{record.index, "Rd"}]), record.start_cycle);
            EXPECT_EQ((starts[{record.index, "Ex"}]), record.read_done_cycle);
        }
    }
}

}  // namespace
}  // namespace dve
