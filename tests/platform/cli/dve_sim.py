# Shared by the command-line tests: runs dve-sim in a folder of its own and judges its answers.
import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy

DVE_SIM = os.environ["DVE_SIM"]

DONE, FAULT, USAGE = 0, 1, 2
RECORD_BYTES = 64

# Two instructions over one partition; the tests load x and y and read z.
TWO_INSTRUCTIONS = """\
.gen mariana
.tensor x sbuf:0:0x000 1x4 fp32
.tensor y sbuf:0:0x100 1x4 fp32
.tensor z sbuf:0:0x200 1x4 fp32
        tensor_scalar_arith dst=y src=x op0=mult imm0=2.0 op1=add imm1=1.0
        scalar_tensor_tensor_arith dst=z src0=x imm0=3.0 op0=mult src1=y op1=add
"""

# The third record is refused: its `reverse` is no member of the enumeration.
FAULT_IN_THIRD = TWO_INSTRUCTIONS + """\
        tensor_scalar_arith dst=z src=x op0=mult imm0=4.0 op1=bypass reverse=9
        tensor_scalar_arith dst=x src=x op0=mult imm0=0.0 op1=bypass
"""


class CommandLineTest(unittest.TestCase):
    """Gives every test an empty current folder."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def path(self, name):
        return self.folder / name

    def write(self, name, content):
        if isinstance(content, str):
            content = content.encode()
        self.path(name).write_bytes(content)
        return name

    def save(self, name, array):
        numpy.save(self.path(name), array)
        return name

    def load(self, name):
        return numpy.load(self.path(name))

    def files(self):
        return {path.name: path.read_bytes() for path in self.folder.iterdir() if path.is_file()}

    def command(self, *arguments, stdin=b""):
        return subprocess.run(
            [DVE_SIM, *map(str, arguments)], input=stdin, cwd=self.folder, capture_output=True, timeout=30)

    def succeed(self, *arguments, stdin=b"", status=DONE):
        """Standard output of a command that says nothing on standard error."""
        result = self.command(*arguments, stdin=stdin)
        self.assertEqual(result.stderr.decode(), "", arguments)
        self.assertEqual(result.returncode, status, arguments)
        return result.stdout

    def text(self, *arguments, **options):
        return self.succeed(*arguments, **options).decode()

    def assemble(self, source, *options):
        """Records of a program as bytes."""
        return self.succeed("asm", "-", "-o", "-", *options, stdin=source.encode())

    def run_arrays(self, source, loads, dumps, *options):
        """Runs a program; `loads` maps a place to an array, the result has an array a dump."""
        arguments = ["run", self.write("program.dvs", source), "--quiet", *options]
        for number, (where, array) in enumerate(loads.items()):
            arguments += ["--load", f"{where}={self.save(f'load{number}.npy', array)}"]
        for number, where in enumerate(dumps):
            arguments += ["--dump", f"{where}=dump{number}.npy"]
        self.assertEqual(self.succeed(*arguments), b"")
        return [self.load(f"dump{number}.npy") for number in range(len(dumps))]

    def refuse(self, *arguments, says=(), status=USAGE, stdin=b"", lines=1, stdout=b""):
        """A command that fails with a clear line, prints nothing else and leaves all files alone.

        `says` are parts of the first line in their order; `lines` is how many lines are legal.
        """
        before = self.files()
        result = self.command(*arguments, stdin=stdin)
        message = result.stderr.decode(errors="replace")
        self.assertEqual(result.returncode, status, f"{arguments}: {message}")
        self.assertEqual(result.stdout, stdout, arguments)
        first = message.split("\n")[0]
        self.assertTrue(first.startswith("dve-sim: "), f"{arguments}: {message}")
        self.assertLessEqual(len(message.splitlines()), lines, message)
        self.assertTrue(message.endswith("\n"), message)
        self.assertTrue(all(c.isprintable() for c in first), repr(first))
        for trace in ("exception", "terminate", "what()", "In file:", "Error: (E"):
            self.assertNotIn(trace, message)
        at = 0
        for part in (says,) if isinstance(says, str) else says:
            found = first.find(part, at)
            self.assertGreaterEqual(found, 0, f"{part!r} is not in {first!r} after column {at}")
            at = found + len(part)
        self.assertEqual(self.files(), before, "files changed")
        return first


def main():
    unittest.main()
