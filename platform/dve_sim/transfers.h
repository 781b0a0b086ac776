// --load and --dump: arrays into and out of the partitions.
#pragma once

#include <string>
#include <vector>

#include "models/isa/text_result.h"
#include "platform/configuration.h"
#include "platform/dve_sim/program_file.h"
#include "platform/npy.h"
#include "platform/place.h"

namespace dve {
class DveEngine;
}

namespace dve::sim {

/// One --load, read and checked: row p of the array goes to partition + p.
struct Load {
    std::string option;  ///< as written, for messages
    Place place;
    std::size_t partitions = 0;
    std::size_t row_bytes = 0;
    NpyArray array;
};

/// One --dump, checked.
struct Dump {
    std::string option;
    DumpPlace place;
    std::string file;
};

/// Reads every file. Errors: form, place, a file that is not an array, an array that leaves its
/// partitions or does not fit the named tensor, two loads that overlap.
Result<std::vector<Load>> read_loads(const std::vector<std::string>& options,
                                     const Program& program, const Configuration& configuration);

/// Errors: form, place, a region that leaves the partitions. The files are not looked at.
Result<std::vector<Dump>> read_dumps(const std::vector<std::string>& options,
                                     const Program& program, const Configuration& configuration);

/// Backdoor transfers; ranges were checked before.
void apply(const Load& load, DveEngine& engine);
Status write(const Dump& dump, DveEngine& engine);

/// One file that a run writes, `-` for standard output.
struct Output {
    std::string option;  ///< as written, for messages
    std::string file;
    bool is_array = false;
};

/// Before a long run: whether each file can be created, and no two outputs go to one file.
Status check_outputs(const std::vector<Output>& outputs);

}  // namespace dve::sim
