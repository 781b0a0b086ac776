# Shared by the tests of the example platforms: runs a program in an empty folder.
import pathlib
import subprocess
import tempfile
import unittest


class ProgramCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def path(self, name):
        return self.folder / name

    def program(self, *arguments, stdin=b""):
        return subprocess.run([str(one) for one in arguments], input=stdin, cwd=self.folder,
                              capture_output=True, timeout=120)

    def lines(self, *arguments):
        """Standard output of a program that succeeds, by lines."""
        done = self.program(*arguments)
        self.assertEqual((done.returncode, done.stderr), (0, b""), done.stdout)
        return done.stdout.decode().splitlines()
