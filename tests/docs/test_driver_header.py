# The header for drivers and the C of registers.md, under every standard that drivers are written in.
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["DVE_SOURCE"])
HEADER = SOURCE / "include/dve/dve_registers.h"
WARNINGS = ("-Wall", "-Wextra", "-pedantic", "-Wconversion", "-Wsign-conversion", "-Wundef", "-Werror")
EXAMPLES = re.findall(r"^```c\n(.*?)^```", (SOURCE / "docs/registers.md").read_text(), re.M | re.S)


def reader():
    """Includes the header twice and has a function for the value of every macro."""
    names = re.findall(r"^#define (\w+) \S+$", HEADER.read_text(), re.M)
    lines = ["#include <dve/dve_registers.h>"] * 2
    lines += [f"unsigned read_{name}(void);\nunsigned read_{name}(void) {{ return (unsigned){name}; }}"
              for name in names]
    return "\n".join(lines) + "\n"


class Languages(unittest.TestCase):
    def compiles(self, compiler, suffix, standard, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / f"user{suffix}"
            path.write_text(text)
            done = subprocess.run(
                [compiler, f"-std={standard}", *WARNINGS, "-Wno-unused-function", "-fsyntax-only",
                 "-I", str(SOURCE / "include"), str(path)], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""), standard)

    def test_c(self):
        self.assertGreater(reader().count("\n"), 400)
        self.assertEqual(len(EXAMPLES), 2)
        for standard in ("c89", "c99", "c11", "c17", "c2x"):
            self.compiles(os.environ["DVE_CC"], ".c", standard, reader() + "".join(EXAMPLES))

    def test_cxx(self):
        for standard in ("c++98", "c++11", "c++14", "c++17", "c++20"):
            self.compiles(os.environ["DVE_CXX"], ".cpp", standard, reader() + "".join(EXAMPLES))

    def test_macros_alone(self):
        """Assembly sources and linker scripts that are preprocessed can include it."""
        done = subprocess.run([os.environ["DVE_CC"], "-E", "-P", "-x", "assembler-with-cpp", str(HEADER)],
                              capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout.strip(), "")


if __name__ == "__main__":
    unittest.main()
