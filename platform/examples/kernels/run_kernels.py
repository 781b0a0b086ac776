"""Runs the example kernels in dve-sim and compares their results with the goldens."""
import argparse
import dataclasses
import json
import pathlib
import subprocess
import sys
import time
import zlib

sys.dont_write_bytecode = True

try:
    import numpy
except ModuleNotFoundError:
    print(f"run_kernels.py: {sys.executable} has no numpy; legal: a Python 3 with numpy "
          "(Debian: /usr/bin/python3 with python3-numpy)", file=sys.stderr)
    sys.exit(2)

import number_formats
from kernel import all_kernels

KERNELS_FOLDER = pathlib.Path(__file__).resolve().parent
COLUMNS = ("kernel", "instructions", "elements", "cycles", "largest error", "allowed", "host ms",
           "result")


@dataclasses.dataclass
class Comparison:
    """How far one output tensor is from its golden."""

    error: float
    allowed: float
    failure: str = ""


class KernelFailed(Exception):
    """The kernel gave no result to compare."""


def largest_error(result, golden):
    """Largest absolute difference; equal infinities and two NaNs do not differ."""
    same = (result == golden) | (numpy.isnan(result) & numpy.isnan(golden))
    with numpy.errstate(invalid="ignore"):
        difference = numpy.where(same, 0.0, numpy.abs(result - golden))
    difference[numpy.isnan(difference)] = numpy.inf
    return float(numpy.max(difference, initial=0.0))


def compare(name, result, golden, dtype, allowed):
    """Compares values, and bits as well where no error is allowed."""
    if result.shape != golden.shape:
        failure = f"{name} has shape {result.shape}, its golden {golden.shape}"
        return Comparison(numpy.inf, allowed, failure)
    error = largest_error(number_formats.to_float64(result, dtype),
                          number_formats.to_float64(golden, dtype))
    failure = ""
    if error > allowed:
        failure = f"{name} is off by {error:.3g}, allowed {allowed:.3g}"
    if allowed == 0:
        if result.dtype != golden.dtype:
            failure = f"{name} is of {result.dtype}, its golden of {golden.dtype}"
        else:
            bits = numpy.dtype(f"u{result.dtype.itemsize}")
            different = numpy.argwhere(result.view(bits) != golden.view(bits))
            if different.size:
                first = tuple(int(index) for index in different[0])
                failure = (f"{name} differs in {len(different)} of {result.size} elements, first "
                           f"at {first}: {result[first]}, golden {golden[first]}")
    return Comparison(error, allowed, failure)


def simulate(dve_sim, kernel, expectation, folder, loads, dumps):
    """Runs the program; gives its statistics and the wall time in seconds."""
    statistics_file = folder / "statistics.json"
    command = [str(dve_sim), "run", str(kernel.program), "--quiet"]
    command += ["--gen", expectation.generation, "--semantics", expectation.semantics]
    command += ["--stats", str(statistics_file)]
    for tensor, file in loads.items():
        command += ["--load", f"{tensor}={file}"]
    for tensor, file in dumps.items():
        command += ["--dump", f"{tensor}={file}"]
    for file in (statistics_file, *dumps.values()):
        file.unlink(missing_ok=True)
    start = time.perf_counter()
    run = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    seconds = time.perf_counter() - start
    if run.returncode != 0:
        message = run.stderr.strip() or "no message"
        raise KernelFailed(f"dve-sim ended with status {run.returncode}: {message}")
    return json.loads(statistics_file.read_text(encoding="utf-8")), seconds


def run_kernel(dve_sim, kernel, work):
    """Runs and compares one kernel; gives the cells of its row and the failures."""
    module = kernel.load_golden()
    expectation = module.EXPECTATION
    folder = work / kernel.name
    folder.mkdir(parents=True, exist_ok=True)

    # The seed depends on the name alone, so that a kernel has the same inputs in every run.
    inputs = module.inputs(numpy.random.default_rng(zlib.crc32(kernel.name.encode())))
    goldens = module.golden(inputs)
    if set(goldens) != set(expectation.allowed_error):
        raise KernelFailed("golden() and allowed_error name different tensors")
    loads = {name: folder / f"{name}.npy" for name in inputs}
    dumps = {name: folder / f"{name}.result.npy" for name in goldens}
    for name, array in inputs.items():
        numpy.save(loads[name], array)
    for name, array in goldens.items():
        numpy.save(folder / f"{name}.golden.npy", array)

    statistics, seconds = simulate(dve_sim, kernel, expectation, folder, loads, dumps)
    dtypes = kernel.tensor_dtypes()
    comparisons = [
        compare(name, numpy.load(dumps[name]), goldens[name], dtypes[name],
                expectation.allowed_error[name])
        for name in goldens
    ]
    worst = max(comparisons, key=lambda one: (one.failure != "", one.error))
    elements = sum(one["channels"] * one["elements_per_partition"]
                   for one in statistics["instructions"])
    failures = [one.failure for one in comparisons if one.failure]
    if failures:
        failures.append(f"why this much is allowed: {expectation.reason}")
    cells = [len(statistics["instructions"]), elements, statistics["total_cycles"],
             f"{worst.error:.2g}", "bit-exact" if worst.allowed == 0 else f"{worst.allowed:.2g}",
             f"{seconds * 1000:.1f}"]
    return cells, failures


def print_table(rows):
    """Left-aligns the first and the last column, right-aligns the numbers."""
    rows = [[str(cell) for cell in row] for row in (COLUMNS, *rows)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(COLUMNS))]
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:-1], widths[1:-1])]
        print("  ".join(cells + [row[-1]]).rstrip())


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dve-sim", required=True, type=pathlib.Path, metavar="PATH")
    parser.add_argument("--work", required=True, type=pathlib.Path, metavar="DIR",
                        help="folder for inputs, results, goldens and statistics")
    parser.add_argument("--only", metavar="NAME", help="run this kernel alone")
    arguments = parser.parse_args()
    if not arguments.dve_sim.is_file():
        parser.error(f"--dve-sim {arguments.dve_sim}: no such file")
    return parser, arguments


def main():
    parser, arguments = parse_arguments()
    kernels = all_kernels(KERNELS_FOLDER)
    if arguments.only is not None:
        names = ", ".join(one.name for one in kernels)
        kernels = [one for one in kernels if one.name == arguments.only]
        if not kernels:
            parser.error(f"--only {arguments.only}: no such kernel; legal: {names}")

    rows, failures = [], {}
    for kernel in kernels:
        try:
            cells, failed = run_kernel(arguments.dve_sim.resolve(), kernel, arguments.work)
        except Exception as problem:  # A kernel that breaks does not keep the others from running.
            cells = ["-"] * (len(COLUMNS) - 2)
            failed = [str(problem) if isinstance(problem, KernelFailed) else repr(problem)]
        rows.append([kernel.name, *cells, "FAILED" if failed else "passed"])
        if failed:
            failures[kernel.name] = failed
    print_table(rows)
    sys.stdout.flush()
    for name, lines in failures.items():
        for line in lines:
            print(f"{name}: {line}", file=sys.stderr)
    sys.stderr.flush()
    print(f"{len(rows) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
