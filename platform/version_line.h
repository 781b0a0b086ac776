// What `--version` prints.
#pragma once

#include <string>
#include <systemc>

namespace dve {

/// "dve-sim 0.1.0 (SystemC 2.3.4-Accellera)"; DVE_VERSION comes from the build.
inline std::string version_line(const std::string& program) {
    return program + " " DVE_VERSION " (SystemC " + sc_core::sc_release() + ")";
}

}  // namespace dve
