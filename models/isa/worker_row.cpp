// The worker table.
#include "models/isa/worker_row.h"

namespace dve {
namespace {

constexpr ImageAddress O(std::uint32_t value) { return {value, true}; }
constexpr ImageAddress P(std::uint32_t value) { return {value, false}; }

}  // namespace

const std::vector<WorkerRow>& worker_rows() {
    // MARIANA_PLUS is read as MARIANA (isa_wire_format 7.4).
    static const std::vector<WorkerRow> rows = {
#define DVE_WORKER(name, self_name, su_stub, ca_stub, ma_stub, mv_stub, su, ca, ma, mv) \
    {WorkerId::name,                                                                \
     #name,                                                                         \
     self_name,                                                                     \
     {su_stub, ca_stub, ma_stub, ma_stub, mv_stub},                                 \
     {su, ca, ma, ma, mv}},
#include "models/isa/workers.def"
#undef DVE_WORKER
    };
    return rows;
}

const WorkerRow* find_worker(WorkerId id) {
    for (const WorkerRow& row : worker_rows()) {
        if (row.id == id) {
            return &row;
        }
    }
    return nullptr;
}

}  // namespace dve
