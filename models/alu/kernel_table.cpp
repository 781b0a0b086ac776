// Choice of the vector kernels' copy at run time.
#include "models/alu/kernel_table.h"

#include <cstdlib>
#include <cstring>

#include "models/alu/scan_table.h"
#if defined(DVE_HAS_X86_KERNELS)
#include <cpuid.h>
#endif

namespace dve {

namespace baseline {
extern const TileTable tile_table;
extern const NarrowTable narrow_table;
extern const LaneTable lane_table;
extern const ScanTable scan_table;
}  // namespace baseline
#if defined(DVE_HAS_X86_KERNELS)
namespace x86_64_v3 {
extern const TileTable tile_table;
extern const NarrowTable narrow_table;
extern const LaneTable lane_table;
extern const ScanTable scan_table;
}  // namespace x86_64_v3
namespace x86_64_v4 {
extern const TileTable tile_table;
extern const NarrowTable narrow_table;
extern const LaneTable lane_table;
extern const ScanTable scan_table;
}  // namespace x86_64_v4
#endif

namespace {

#if defined(DVE_HAS_X86_KERNELS)
/// Half-precision conversions; not every compiler knows their name.
bool machine_has_f16c() {
    unsigned eax = 0;
    unsigned ebx = 0;
    unsigned ecx = 0;
    unsigned edx = 0;
    return __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_F16C) != 0;
}

// By single features: the names of the levels are not known to every compiler.
bool machine_has_v3() {
    return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
           __builtin_cpu_supports("bmi2") != 0 && machine_has_f16c();
}

bool machine_has_v4() {
    return machine_has_v3() && __builtin_cpu_supports("avx512f") != 0 &&
           __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512cd") != 0 &&
           __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0;
}
#endif

KernelTable choose() {
    KernelTable tables[3];
    const std::size_t count = available_kernel_tables(tables);
    const char* wanted = std::getenv("DVE_KERNELS");
    for (std::size_t i = 0; wanted != nullptr && i < count; ++i) {
        if (std::strcmp(tables[i].instruction_set, wanted) == 0) {
            return tables[i];
        }
    }
    return tables[count - 1];
}

KernelTable& current() {
    static KernelTable table = choose();
    return table;
}

}  // namespace

const KernelTable& kernel_table() { return current(); }

void use_kernel_table(const KernelTable& table) { current() = table; }

std::size_t available_kernel_tables(KernelTable (&tables)[3]) {
    std::size_t count = 0;
    tables[count++] = {"baseline", &baseline::tile_table, &baseline::narrow_table,
                       &baseline::lane_table, &baseline::scan_table};
#if defined(DVE_HAS_X86_KERNELS)
    if (machine_has_v3()) {
        tables[count++] = {"x86-64-v3", &x86_64_v3::tile_table, &x86_64_v3::narrow_table,
                           &x86_64_v3::lane_table, &x86_64_v3::scan_table};
    }
    if (machine_has_v4()) {
        tables[count++] = {"x86-64-v4", &x86_64_v4::tile_table, &x86_64_v4::narrow_table,
                           &x86_64_v4::lane_table, &x86_64_v4::scan_table};
    }
#endif
    return count;
}

const char* kernel_instruction_set() { return kernel_table().instruction_set; }

}  // namespace dve
