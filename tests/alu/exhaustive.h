// Frame of the exhaustive sweeps: jobs over all patterns, cut into slices for two threads.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace dve::test {

/// The 2^31 magnitudes (or the 2^32 words) of a job are cut into this many slices.
inline constexpr std::uint32_t slices = 256;

/// What one slice found.
struct Tally {
    std::uint64_t conversions = 0;
    std::uint64_t wrong = 0;
    std::string first_wrong;

    void fault(const std::string& text) {
        if (wrong == 0) {
            first_wrong = text;
        }
        ++wrong;
    }
};

struct Job {
    std::string group;
    std::string name;
    std::uint32_t slice_count = slices;
    std::function<void(std::uint32_t slice, Tally& tally)> run;
};

/// Definition: FP32 to narrow floats and to integers, small types and 32-bit integers to FP32.
void add_definition_jobs(std::vector<Job>& jobs);

/// Vector conversions of every instruction set, both directions.
void add_vector_jobs(std::vector<Job>& jobs);

}  // namespace dve::test
