// The commands of dve-sim. Each returns the exit status of the process.
#pragma once

#include <string>
#include <vector>

namespace dve::sim {

inline constexpr int exit_done = 0;
inline constexpr int exit_fault = 1;  ///< a record was rejected, the engine faulted, a difference
inline constexpr int exit_usage = 2;  ///< usage, unreadable or malformed input, unwritable output

using Arguments = std::vector<std::string>;

int run_command(const Arguments& arguments);
int asm_command(const Arguments& arguments);
int disasm_command(const Arguments& arguments);
int check_command(const Arguments& arguments);
int assumptions_command(const Arguments& arguments);
int config_command(const Arguments& arguments);
int matrix_command(const Arguments& arguments);
int diff_command(const Arguments& arguments);

/// Prints "dve-sim: MESSAGE" on standard error and returns exit_usage.
int usage_error(const std::string& message);

}  // namespace dve::sim
