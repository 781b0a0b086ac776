# Firmware on the RISC-V platform: what it prints, and the tensor that it leaves, against numpy.
import importlib.util
import os
import pathlib
import re
import sys
import unittest

import numpy

from program_case import ProgramCase

KERNELS = pathlib.Path(os.environ["DVE_KERNELS"])


def softmax_golden():
    """The numpy golden of the kernel and its rounding analysis."""
    sys.path.insert(0, str(KERNELS))
    specification = importlib.util.spec_from_file_location(
        "softmax_golden", KERNELS / "softmax/golden.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def firmware_input(softmax):
    """What the firmware fills x with: multiples of 1/64 in [-8, 8) from a multiplicative hash, other ones for
    each softmax."""
    element = numpy.arange(128 * 1024, dtype=numpy.uint64).reshape(128, 1024) + softmax * 128 * 1024
    hashed = element * 2654435761 % 2**32
    return ((hashed // 2**16 % 1024).astype(numpy.float64) / 64 - 8).astype(numpy.float32)


class RiscV(ProgramCase):
    def test_softmax(self):
        lines = self.lines(os.environ["DVE_RISCV"], os.environ["DVE_FIRMWARE"], "y.npy")
        console = [re.fullmatch(r"softmax: (.*) (\d+)", line) for line in lines[:-1]]
        values = [(found[1], int(found[2])) for found in console]
        busy = values[2][1]
        # Three passes over 1024 columns at one column a cycle, and what is between them.
        self.assertTrue(3 * 1024 < busy < 4 * 1024, busy)
        # Cause 4: the ring is empty. It has 10 records, a softmax 7, so the second one wraps around.
        self.assertEqual(values, [
            ("interrupt causes", 4), ("ring tail", 7 * 64), ("busy cycles", busy), ("wrong elements", 0),
            ("interrupt causes", 4), ("ring tail", 4 * 64), ("busy cycles", 2 * busy), ("wrong elements", 0)])

        # SBUF is direct memory for the hart: beside its instructions there are some device accesses and
        # two sleeps, not the time of 262144 writes to the engine's port.
        instructions, time = map(int, re.fullmatch(r"(\d+) instructions of the hart in (\d+) ps",
                                                   lines[-1]).groups())
        self.assertTrue(5_000_000 < time - 1000 * instructions < 20_000_000, lines[-1])

        golden = softmax_golden()
        tensors = {"x": firmware_input(1)}
        expected = golden.golden(tensors, None)
        result = numpy.load(self.path("y.npy")).astype(numpy.float64)
        self.assertEqual(result.shape, (128, 1024))
        allowed = golden.allowed_error(tensors, expected)
        self.assertLessEqual((numpy.abs(result - expected["y"]) / allowed).max(), 1)

    def test_bad_usage(self):
        riscv = os.environ["DVE_RISCV"]
        self.assertEqual(self.program(riscv).returncode, 2)
        done = self.program(riscv, "absent.bin")
        self.assertEqual((done.returncode, done.stderr.decode()),
                         (2, "dve-riscv: absent.bin: cannot be read: No such file or directory\n"))

    def test_firmware_that_does_not_run(self):
        # An all-zero word is no instruction, and nothing takes its trap.
        self.path("zero.bin").write_bytes(bytes(64))
        done = self.program(os.environ["DVE_RISCV"], "zero.bin")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr.decode(), "^cpu: .* at 0x0\n$")

    def test_access_that_no_target_answers(self):
        # lui t0, 0x70000; sw zero, 0(t0)
        self.path("stray.bin").write_bytes(bytes.fromhex("b702007023a00200"))
        done = self.program(os.environ["DVE_RISCV"], "stray.bin")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.decode().splitlines()[0],
                         "cpu: 4 bytes at 0x70000000: TLM_ADDRESS_ERROR_RESPONSE")


if __name__ == "__main__":
    unittest.main()
