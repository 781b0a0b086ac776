# Shared by the tests of the installed package: folders, commands and the environment of a consumer.
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
PREFIX = pathlib.Path(os.environ["DVE_PREFIX"])
BUILD = pathlib.Path(os.environ["DVE_BUILD"])
COMPILER = os.environ["DVE_CXX"]
SYSTEMC_DIR = os.environ.get("SystemCLanguage_DIR", "")


class InstallCase(unittest.TestCase):
    """Gives every test an empty folder outside of the source tree."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="dve_consumer_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def command(self, *arguments, **environment):
        return subprocess.run(
            [str(one) for one in arguments], cwd=self.folder, capture_output=True, text=True,
            timeout=300, env={**os.environ, **environment})

    def succeed(self, *arguments, **environment):
        done = self.command(*arguments, **environment)
        self.assertEqual(done.returncode, 0, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def copy(self, source):
        """A copy of a consumer, so that nothing of this tree is beside it."""
        target = self.folder / source.name
        shutil.copytree(source, target)
        return target

    def configure(self, source, *options):
        if SYSTEMC_DIR:
            options = (f"-DSystemCLanguage_DIR={SYSTEMC_DIR}", *options)
        return self.command(
            "cmake", "-G", "Ninja", "-S", source, "-B", self.folder / "build",
            f"-DCMAKE_PREFIX_PATH={PREFIX}", f"-DCMAKE_CXX_COMPILER={COMPILER}",
            "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror", *options)

    def build(self, source, *options):
        configured = self.configure(source, *options)
        self.assertEqual(configured.returncode, 0, configured.stdout + configured.stderr)
        self.succeed("cmake", "--build", self.folder / "build")
        return self.folder / "build"


main = unittest.main
