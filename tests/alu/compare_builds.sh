#!/usr/bin/env bash
# Builds alu_hash with g++ and clang++ at -O0 and -O3 and compares the hashes of all builds and of
# every instruction set.
#
#   compare_builds.sh SOURCE_FOLDER SCRATCH_FOLDER
#
# A compiler that is missing is skipped with a notice; so is an instruction set that the machine
# does not have. Exit status 1 if any hash differs.
set -euo pipefail
source_folder=$1
scratch=$2
mkdir -p "$scratch"
reference=""
failed=0
compared=0

compare() {  # compare NAME FILE
  if [ -z "$reference" ]; then
    reference=$2
    echo "$1: reference"
    cat "$2"
  elif diff "$reference" "$2" >"$scratch/difference"; then
    echo "$1: equal"
  else
    echo "$1: DIFFERENT"
    cat "$scratch/difference"
    failed=1
  fi
  compared=$((compared + 1))
}

for compiler in g++ clang++; do
  if ! command -v "$compiler" >/dev/null; then
    echo "notice: no $compiler, skipped"
    continue
  fi
  for level in -O0 -O3; do
    build="$scratch/$compiler$level"
    # The build type adds nothing: all flags are the ones given here and the project's own.
    cmake -S "$source_folder" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=None \
      -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_FLAGS="$level" \
      -DDVE_KERNEL_OPTIMISATION="$level" -DDVE_BUILD_BENCHMARKS=OFF >"$build.log" 2>&1 ||
      { cat "$build.log"; exit 2; }
    cmake --build "$build" -j2 --target alu_hash >>"$build.log" 2>&1 ||
      { tail -40 "$build.log"; exit 2; }
    for set in baseline x86-64-v3 x86-64-v4; do
      output="$build.$set"
      DVE_KERNELS=$set "$build/tests/alu/alu_hash" >"$output" 2>"$output.used"
      if grep -qx "kernels: $set" "$output.used"; then
        compare "$compiler $level $set" "$output"
      else
        echo "notice: no $set kernels here, skipped"
      fi
    done
  done
done
echo "$compared runs compared"
exit "$failed"
