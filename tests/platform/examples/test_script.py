# dve-script: good scripts against numpy, bad scripts against their one line and exit status.
import os
import subprocess
import unittest

import numpy

from program_case import ProgramCase

SCRIPT = os.environ["DVE_SCRIPT"]
STRIDE = 0x40000
PROGRAM = """\
.tensor x sbuf:0:0x000 128x16 fp32
.tensor y sbuf:0:0x100 128x16 fp32
        tensor_scalar_arith dst=y src=x op0=mult imm0=0.5 op1=add imm1=3.0
"""
START = """\
load_mem  0x1000 64 program.bin
write_reg 0x10000100 0x1000      # PROGRAM_BASE_LO
write_reg 0x10000108 64          # PROGRAM_BYTES
read_reg  0x10000008 0xffffffff 0
write_reg 0x10000020 1           # interrupt when the run ends
write_reg 0x10000004 1
"""
END = """\
wait_irq
read_reg  0x1000001c 0x3 0x1
write_reg 0x1000001c 0x3
read_reg  0x1000001c 0x3 0x0
"""


class Scripts(ProgramCase):
    def setUp(self):
        super().setUp()
        self.path("program.bin").write_bytes(subprocess.run(
            [os.environ["DVE_SIM"], "asm", "-", "-o", "-"], input=PROGRAM.encode(),
            capture_output=True, check=True).stdout)
        self.x = numpy.random.default_rng(3).integers(-99, 99, (128, 16)).astype("<f4")
        self.loads, self.dumps = "", ""
        for p, row in enumerate(self.x):
            self.path(f"x{p}").write_bytes(row.tobytes())
            self.loads += f"load_mem {0x20000000 + p * STRIDE} 64 x{p}\n"
            self.dumps += f"dump_mem {0x20000100 + p * STRIDE:#x} 64 y{p}\n"

    def play(self, text, *options):
        self.path("s.txt").write_text(text)
        return self.program(SCRIPT, "s.txt", *options)

    def passes(self, text, *options):
        done = self.play(text, *options)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))

    def fails(self, status, line, text, *options):
        done = self.play(text, *options)
        self.assertEqual((done.returncode, done.stderr.decode()), (status, line + "\n"), text)

    def result(self):
        return numpy.stack([numpy.fromfile(self.path(f"y{p}"), "<f4") for p in range(128)])

    def test_program_with_interrupt(self):
        self.passes(self.loads + START + END + self.dumps)
        numpy.testing.assert_array_equal(self.result(), self.x * 0.5 + 3)

    def test_program_with_polling(self):
        poll = "poll_reg 0x10000008 0x7 3 100000 # halted\n"
        self.passes(self.loads + START + poll + self.dumps)
        numpy.testing.assert_array_equal(self.result(), self.x * 0.5 + 3)

    def test_interrupt_line_both_ways(self):
        # High until it is acknowledged.
        self.passes("wait_irq low 1\n" + self.loads + START + "wait_irq high 100000\nwait_irq 1\n"
                    "write_reg 0x1000001c 3\nwait_irq low 1\nwait_irq low\n")
        self.fails(1, "s.txt:8: wait_irq low: the interrupt stays for 70 ns",
                   START + "wait_irq\nwait_irq low 70")

    def test_wait(self):
        # A run that waits for an event counts its cycles: 1.2 a nanosecond, and some for the accesses.
        self.path("stuck.bin").write_bytes(subprocess.run(
            [os.environ["DVE_SIM"], "asm", "-", "-o", "-"], input=b"wait event[5] set\nnop\n",
            capture_output=True, check=True).stdout)
        for timing in ("loose", "approx", "cycle"):
            self.passes(START.replace("program", "stuck") +
                        "wait 1000\nread_reg 0x10000200 0xfffffff0 0x4b0      # 1200 and a few\n"
                        "wait 5000\nread_reg 0x10000200 0xffffffe0 0x1c20     # 7200\n", "--timing", timing)

    def test_timing(self):
        # Loosely timed the engine has run ahead when the host looks right behind the start.
        look = "read_reg 0x10000208 0xffffffff"  # instructions retired
        for timing, at_once in (("loose", f"{look} 1\n"), ("approx", ""), ("cycle", f"{look} 0\n")):
            self.passes(self.loads + START + at_once + END + self.dumps, "--timing", timing)
            numpy.testing.assert_array_equal(self.result(), self.x * 0.5 + 3)

    def test_version(self):
        self.assertRegex(self.lines(SCRIPT, "--version")[0], r"^dve-script \d+\.\d+\.\d+ \(SystemC \d+\.\d+\.\d+.*\)$")

    def test_memory_alone(self):
        data = numpy.random.default_rng(4).bytes(100_000)
        self.path("in").write_bytes(data)
        self.passes("\n# nothing\n  load_mem 0x12345 100000 in # a comment\r\n"
                    "dump_mem 0x12345 100000 out\n")
        self.assertEqual(self.path("out").read_bytes(), data)

    def test_partitions_one_behind_the_other(self):
        # From any byte on: mariana's partitions have no gaps between them.
        data = numpy.random.default_rng(5).bytes(300_000)
        self.path("in").write_bytes(data)
        self.passes("load_mem 0x2003fffd 300000 in\ndump_mem 0x2003fffd 300000 out\ndump_mem 0x20040000 8 part\n")
        self.assertEqual(self.path("out").read_bytes(), data)
        self.assertEqual(self.path("part").read_bytes(), data[3:11])

    def test_script_elsewhere_and_standard_input(self):
        self.path("below").mkdir()
        self.path("below/s").write_text("dump_mem 0 4 here\n")
        self.assertEqual(self.program(SCRIPT, "below/s").returncode, 0)
        self.assertEqual(self.path("below/here").read_bytes(), bytes(4))
        self.assertEqual(self.program(SCRIPT, "-", stdin=b"dump_mem 0 4 there").returncode, 0)
        self.assertEqual(self.path("there").read_bytes(), bytes(4))

    def test_generation(self):
        # Maverick has partitions of 512 KiB, mariana of 256 KiB with this stride.
        self.passes("dump_mem 0x20040000 4 y", "--gen", "maverick")
        self.passes("dump_mem 0x2003fffc 4 y")
        self.fails(1, "s.txt:1: read of 4 bytes at 0x20030000 answered TLM_ADDRESS_ERROR_RESPONSE",
                   "dump_mem 0x20030000 4 y", "--gen", "sunda")

    def test_differences(self):
        self.fails(1, "s.txt:2: read_reg 0x10000108: is 0x40, expected 0x80 under mask 0xf0",
                   "write_reg 0x10000108 0x40\nread_reg 0x10000108 0xf0 0x80\nread_reg 1 2 2\n")
        self.fails(1, "s.txt:1: poll_reg 0x10000008: is 0x0 after 500 ns, expected 0x3 under mask 0x7",
                   "poll_reg 0x10000008 7 3 500")
        for level in ("", "high "):
            self.fails(1, "s.txt:1: wait_irq: no interrupt within 20 ns", f"wait_irq {level}20")
        self.fails(1, "s.txt:1: write of 4 bytes at 0xf0000000 answered TLM_ADDRESS_ERROR_RESPONSE",
                   "write_reg 0xf0000000 1")
        # Registers are not read wider than 32 bits.
        self.fails(1, "s.txt:1: read of 8 bytes at 0x10000100 answered TLM_BURST_ERROR_RESPONSE",
                   "dump_mem 0x10000100 8 y")

    def test_malformed(self):
        size = "legal: 1 to 0x10000000"
        for text, message in (
                ("wait_irq\nload 1 2 3", "2: unknown command 'load'; legal: load_mem, dump_mem, "
                 "write_reg, read_reg, poll_reg, wait_irq, wait"),
                ("write_reg 1", "1: write_reg with 1 operands; legal: write_reg ADDRESS VALUE"),
                ("read_reg 1 2 3 4", "1: read_reg with 4 operands; legal: read_reg ADDRESS MASK EXPECTED"),
                ("write_reg x 1", "1: write_reg: address 'x'; legal: 0 to 0xffffffffffffffff"),
                ("write_reg 0 0x100000000", "1: write_reg: value '0x100000000'; legal: 0 to 0xffffffff"),
                ("write_reg 0 -1", "1: write_reg: value '-1'; legal: 0 to 0xffffffff"),
                ("load_mem 0 0 f", f"1: load_mem: size '0'; {size}"),
                ("dump_mem 0 999999999999 f", f"1: dump_mem: size '999999999999'; {size}"),
                ("wait_irq 0", "1: wait_irq: time '0'; legal: 1 to 0xffffffff"),
                ("wait_irq up", "1: wait_irq: time 'up'; legal: 1 to 0xffffffff"),
                ("wait_irq 5 6", "1: wait_irq with 2 operands; legal: wait_irq [high | low] [NANOSECONDS]"),
                ("wait_irq low 6 7", "1: wait_irq with 3 operands; legal: wait_irq [high | low] [NANOSECONDS]"),
                ("wait", "1: wait with 0 operands; legal: wait NANOSECONDS"),
                ("wait low", "1: wait: time 'low'; legal: 1 to 0xffffffff"),
                ("read_reg 0 0xf 0x10", "1: read_reg: expected 0x10 has bits outside mask 0xf and is never read")):
            self.fails(2, "s.txt:" + message, text)

    def test_files(self):
        self.fails(2, "s.txt:2: absent: cannot be read: No such file or directory",
                   "write_reg 0x10000108 64\nload_mem 0 4 absent")
        self.fails(2, "s.txt:1: program.bin: has 64 bytes, the script says 65",
                   "load_mem 0 65 program.bin")
        done = self.play("dump_mem 0 4 absent/y")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr.decode(), "^s.txt:1: absent/y: cannot be written: .*\n$")

    def test_usage(self):
        for arguments, message in (
                ((), "no script; legal: dve-script FILE"),
                (("a", "b"), "two scripts, 'a' and 'b'; legal: one"),
                (("--lanes", "a"), "unknown option '--lanes'; legal: --gen, --timing, --help, --version"),
                (("a", "--timing"), "--timing ''; legal: loose, approx, cycle"),
                (("--timing", "fast", "a"), "--timing 'fast'; legal: loose, approx, cycle"),
                (("a", "--gen"), "--gen ''; legal: sunda, cayman, mariana, mariana_plus, maverick"),
                (("absent",), "absent: cannot be read: No such file or directory")):
            done = self.program(SCRIPT, *arguments)
            self.assertEqual((done.returncode, done.stderr.decode()),
                             (2, f"dve-script: {message}\n"))


if __name__ == "__main__":
    unittest.main()
