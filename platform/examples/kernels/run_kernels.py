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

import comparison
from kernel import all_kernels, declared_tensors, runs_of

KERNELS_FOLDER = pathlib.Path(__file__).resolve().parent
COLUMNS = ("kernel", "runs", "instructions", "elements", "cycles", "largest error", "of allowed",
           "host ms", "result")
FAILURES_SHOWN = 5
TIMINGS = ("loose", "approx", "cycle")


class KernelFailed(Exception):
    """The kernel gave no result to compare."""


@dataclasses.dataclass
class Outcome:
    """What the runs of one kernel gave."""

    runs: int = 0
    # Of the first run: the kernel as its program stands, in the first timing.
    statistics: dict = dataclasses.field(default_factory=dict)
    seconds: float = 0.0
    comparisons: list = dataclasses.field(default_factory=list)
    failures: list = dataclasses.field(default_factory=list)

    def cells(self):
        """The row of the table, between the name and the result."""
        instructions = self.statistics.get("instructions", [])
        elements = sum(one["channels"] * one["elements_per_partition"] for one in instructions)
        allowed = "bit-exact"
        if any(one.allowed > 0 for one in self.comparisons):
            allowed = f"{max(one.share for one in self.comparisons):.0%}"
        error = max((one.error for one in self.comparisons), default=0.0)
        return [self.runs, len(instructions), elements, self.statistics.get("total_cycles", "-"),
                f"{error:.2g}", allowed, f"{self.seconds * 1000:.1f}"]


def simulate(dve_sim, program, run, timing, folder, loads, dumps):
    """Runs the program; gives its statistics and the wall time in seconds."""
    statistics_file = folder / "statistics.json"
    command = [str(dve_sim), "run", str(program), "--quiet"]
    command += ["--gen", run.generation, "--semantics", run.semantics, "--timing", timing]
    command += ["--stats", str(statistics_file)]
    for number, value in run.variant.registers.items():
        command += ["--reg", f"{number}={value}"]
    for tensor, file in loads.items():
        command += ["--load", f"{tensor}={file}"]
    for tensor, file in dumps.items():
        command += ["--dump", f"{tensor}={file}"]
    for file in (statistics_file, *dumps.values()):
        file.unlink(missing_ok=True)
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    seconds = time.perf_counter() - start
    if done.returncode != 0:
        message = done.stderr.strip() or "no message"
        raise KernelFailed(f"dve-sim ended with status {done.returncode}: {message}")
    return json.loads(statistics_file.read_text(encoding="utf-8")), seconds


def perform(dve_sim, kernel, module, run, timings, folder, outcome):
    """One run in every timing: the first against the golden, the others against the first."""
    folder.mkdir(parents=True, exist_ok=True)
    expectation = module.EXPECTATION
    text = kernel.program_text(run.variant)
    program = folder / f"{kernel.name}.dvs"
    program.write_text(text, encoding="utf-8")
    tensors = declared_tensors(text)

    # The seed depends on the name alone, so that a kernel has the same inputs in every run.
    inputs = module.inputs(numpy.random.default_rng(zlib.crc32(kernel.name.encode())), tensors)
    goldens = module.golden(inputs, run)
    if set(goldens) != set(expectation.allowed_error):
        raise KernelFailed("golden() and allowed_error name different tensors")
    loads = {name: folder / f"{name}.npy" for name in inputs}
    for name, array in inputs.items():
        numpy.save(loads[name], array)
    for name, array in goldens.items():
        numpy.save(folder / f"{name}.golden.npy", array)

    first = None
    for timing in timings:
        dumps = {name: folder / f"{name}.{timing}.npy" for name in goldens}
        statistics, seconds = simulate(dve_sim, program, run, timing, folder, loads, dumps)
        results = {name: numpy.load(file) for name, file in dumps.items()}
        outcome.runs += 1
        outcome.seconds += seconds
        outcome.statistics = outcome.statistics or statistics
        if first is None:
            first = results
            for name, golden in goldens.items():
                allowed = expectation.allowed_error[name]
                if callable(allowed):
                    allowed = allowed(inputs, goldens)
                outcome.comparisons.append(comparison.compare(
                    name, results[name], golden, tensors[name].dtype, allowed))
                if outcome.comparisons[-1].failure:
                    outcome.failures.append(f"{run.name()}: {outcome.comparisons[-1].failure}")
            continue
        for name in goldens:
            if results[name].tobytes() != first[name].tobytes():
                outcome.failures.append(f"{run.name()}: {name} has other bits with --timing "
                                        f"{timing} than with --timing {timings[0]}")


def run_kernel(dve_sim, kernel, timings, work):
    """All runs of a kernel."""
    outcome = Outcome()
    module = kernel.load_golden()
    for run in runs_of(module.EXPECTATION):
        folder = work / kernel.name / run.name().replace(",", "").replace(" ", "_")
        try:
            perform(dve_sim, kernel, module, run, timings, folder, outcome)
        except KernelFailed as problem:
            outcome.failures.append(f"{run.name()}: {problem}")
    if any(one.failure for one in outcome.comparisons):
        outcome.failures.insert(0, f"why this much is allowed: {module.EXPECTATION.reason}")
    return outcome


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
    parser.add_argument("--timing", default="loose,cycle", metavar="T,T",
                        help="timings to run with; all have to give the bits of the first "
                             "(default: loose,cycle: the same bits from both)")
    arguments = parser.parse_args()
    if not arguments.dve_sim.is_file():
        parser.error(f"--dve-sim {arguments.dve_sim}: no such file")
    arguments.timing = arguments.timing.split(",")
    for timing in arguments.timing:
        if timing not in TIMINGS or arguments.timing.count(timing) > 1:
            parser.error(f"--timing {timing!r}; legal: {', '.join(TIMINGS)}, each at most once")
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
            outcome = run_kernel(arguments.dve_sim.resolve(), kernel, arguments.timing,
                                 arguments.work)
        except Exception as problem:  # A kernel that breaks does not keep the others from running.
            outcome = Outcome(failures=[repr(problem)])
        result = "FAILED" if outcome.failures else "passed"
        rows.append([kernel.name, *outcome.cells(), result])
        if outcome.failures:
            failures[kernel.name] = outcome.failures
    print_table(rows)
    sys.stdout.flush()
    for name, lines in failures.items():
        for line in lines[:FAILURES_SHOWN]:
            print(f"{name}: {line}", file=sys.stderr)
        if len(lines) > FAILURES_SHOWN:
            print(f"{name}: {len(lines) - FAILURES_SHOWN} failures more", file=sys.stderr)
    sys.stderr.flush()
    print(f"{len(rows) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
