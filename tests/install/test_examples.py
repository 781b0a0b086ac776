# The example platforms, built and run from the installed package alone.
from install_case import PREFIX, InstallCase, main

EXAMPLES = PREFIX / "share/doc/dve/platform/examples"


class Examples(InstallCase):
    def test_smallest(self):
        build = self.build(EXAMPLES / "smallest")
        self.assertIn("0 of 1024 elements wrong", self.succeed(build / "dve-smallest"))

    def test_two_engines(self):
        build = self.build(EXAMPLES / "two_engines")
        self.assertIn("0 of 49152 elements wrong", self.succeed(build / "dve-two-engines"))

    def test_riscv(self):
        build = self.build(EXAMPLES / "riscv")
        if not (build / "dve-riscv").is_file():
            self.skipTest("libunicorn-dev or gcc-riscv64-unknown-elf is missing")
        self.assertIn("softmax: wrong elements 0\n",
                      self.succeed(build / "dve-riscv", build / "firmware.bin"))


if __name__ == "__main__":
    main()
