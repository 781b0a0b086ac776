// Exhaustive proof of the conversions: every pattern of every type, in two threads.
//
//   alu_exhaustive [--part N] [GROUP ...]
//
// Groups: narrow, integer, widen (the definition), vector (the kernels). Without a group all run.
// --part N takes every N-th slice of each job, for a quick look. Exit status 1 if anything differs.
#include "tests/alu/exhaustive.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

namespace {

using dve::test::Job;
using dve::test::Tally;

Tally run(const Job& job, std::uint32_t part) {
    std::atomic<std::uint32_t> next{0};
    std::mutex mutex;
    Tally total;
    const auto work = [&] {
        Tally mine;
        for (std::uint32_t slice = next.fetch_add(part); slice < job.slice_count;
             slice = next.fetch_add(part)) {
            job.run(slice, mine);
        }
        const std::lock_guard<std::mutex> lock(mutex);
        total.conversions += mine.conversions;
        total.wrong += mine.wrong;
        total.first_wrong = total.first_wrong.empty() ? mine.first_wrong : total.first_wrong;
    };
    std::thread second(work);
    work();
    second.join();
    return total;
}

}  // namespace

int main(int argc, char** argv) {
    std::uint32_t part = 1;
    std::vector<std::string> groups;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--part") == 0 && i + 1 < argc) {
            part = static_cast<std::uint32_t>(std::max(1, std::atoi(argv[++i])));
        } else {
            groups.emplace_back(argv[i]);
        }
    }
    std::vector<Job> jobs;
    dve::test::add_definition_jobs(jobs);
    dve::test::add_vector_jobs(jobs);
    std::uint64_t conversions = 0;
    std::uint64_t wrong = 0;
    for (const Job& job : jobs) {
        if (!groups.empty() && std::find(groups.begin(), groups.end(), job.group) == groups.end()) {
            continue;
        }
        const auto start = std::chrono::steady_clock::now();
        const Tally tally = run(job, part);
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
        std::printf("%-8s %-48s %14" PRIu64 " conversions %8" PRIu64 " wrong %7.1f s\n",
                    job.group.c_str(), job.name.c_str(), tally.conversions, tally.wrong,
                    time.count());
        if (tally.wrong != 0) {
            std::printf("         first: %s\n", tally.first_wrong.c_str());
        }
        std::fflush(stdout);
        conversions += tally.conversions;
        wrong += tally.wrong;
    }
    std::printf("all      %" PRIu64 " conversions, %" PRIu64 " wrong\n", conversions, wrong);
    return wrong == 0 && conversions != 0 ? 0 : 1;
}
