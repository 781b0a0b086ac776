# docs/generate_registers.py on broken tables: it has to stop, not to write nonsense.
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["DVE_SOURCE"])
INPUTS = ("platform/registers.def", "models/seq/notification.def", "models/seq/notification_ring.h",
          "models/isa/enums.h", "models/isa/fault.h", "models/isa/generation.cpp", "models/isa/generation.h",
          "models/isa/record.h")


class Generator(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name in INPUTS:
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(SOURCE / name, self.folder / name)
        shutil.copytree(SOURCE / "docs", self.folder / "docs")
        shutil.copytree(SOURCE / "include", self.folder / "include")

    def generate(self, *arguments):
        return subprocess.run([sys.executable, "-B", str(self.folder / "docs/generate_registers.py"), *arguments],
                              capture_output=True, text=True)

    def replace(self, name, old, new):
        path = self.folder / name
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new, 1))

    def test_check(self):
        self.assertEqual(self.generate("--check").returncode, 0)
        self.replace("docs/registers.md", "# Registers", "# Words")
        done = self.generate("--check")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, "docs/registers.md is not what the tables say; run docs/generate_registers.py\n")
        self.assertEqual(self.generate().returncode, 0)
        self.assertEqual(self.generate("--check").returncode, 0)

    def test_sources_change_the_header(self):
        self.replace("models/isa/enums.h", "PSUM_COLLISION = 8", "PSUM_COLLISION = 0x18")
        self.replace("models/isa/generation.cpp", "sbuf(256, 192)", "sbuf(512, 320)")
        self.assertEqual(self.generate().returncode, 0)
        header = (self.folder / "include/dve/dve_registers.h").read_text()
        self.assertIn("#define DVE_ERROR_TYPE_PSUM_COLLISION 24u\n", header)
        self.assertIn("#define DVE_SUNDA_SBUF_STRIDE 0x80000u\n", header)
        self.assertIn("#define DVE_SUNDA_SBUF_PARTITION_BYTES 0x50000u\n", header)

    def test_broken_tables(self):
        for name, old, new, message in (
                ("platform/registers.def", "RUN_STATE, 0x0008", "RUN_STATE, 0x0004", "rows overlap"),
                ("platform/registers.def", "INTERRUPT, FAULT, 1", "INTERRUPT, FAULT, 0", "fields overlap"),
                ("models/seq/notification.def", "BLOCK_ID, 32, 4", "BLOCK_ID, 62, 4", "BLOCK_ID"),
                ("models/seq/notification.def", "TPB_ERROR, OPCODE", "TPB_FAULT, OPCODE", "no type TPB_FAULT"),
                ("models/isa/enums.h", "enum class ErrorType", "enum class Errors", "0 matches"),
                ("models/isa/generation.cpp", "psum(true, 0x2000000)", "psum(0x2000000)", "")):
            kept = (self.folder / name).read_text()
            self.replace(name, old, new)
            done = self.generate()
            self.assertNotEqual(done.returncode, 0, new)
            self.assertIn(message, done.stderr)
            (self.folder / name).write_text(kept)


if __name__ == "__main__":
    unittest.main()
