# `dve-sim --version`: one line with the version of the project and that of the SystemC in use.
import os
import pathlib
import re

from dve_sim import DONE, CommandLineTest, main


class Version(CommandLineTest):
    def test_line(self):
        text = self.text("--version", status=DONE)
        project = re.search(r"project\(dve VERSION ([\d.]+)",
                            (pathlib.Path(os.environ["DVE_SOURCE"]) / "CMakeLists.txt").read_text())[1]
        self.assertRegex(text, rf"\Adve-sim {re.escape(project)} \(SystemC \d+\.\d+\.\d+.*\)\n\Z")


if __name__ == "__main__":
    main()
