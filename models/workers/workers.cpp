// The list of workers, one per row of models/isa/workers.def.
#include "models/workers/workers.h"

namespace dve {

const std::vector<Worker>& workers() {
    static const std::vector<Worker> list = {
#define DVE_WORKER(name, self_name, ...) {find_worker(WorkerId::name), build_##name},
#include "models/isa/workers.def"
#undef DVE_WORKER
    };
    return list;
}

const Worker* FirmwareWorkers::find(Generation generation, std::uint32_t address) const {
    for (const Worker& worker : workers()) {
        if (worker.row->address(generation) == address) {
            return &worker;
        }
    }
    return nullptr;
}

}  // namespace dve
