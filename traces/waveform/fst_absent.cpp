// In place of fst_writer.cpp where its library was not found.
#include "traces/waveform/wave_writer.h"

namespace dve {

Result<std::unique_ptr<WaveWriter>> open_fst(const std::string& path) {
    return Error{path + ": built without FST (packages verilator and zlib1g-dev); legal: --vcd"};
}

}  // namespace dve
