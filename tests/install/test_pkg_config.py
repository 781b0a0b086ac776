# Consumers that know the installed package by pkg-config only.
import os

from install_case import COMPILER, HERE, PREFIX, InstallCase, main


class PkgConfigConsumers(InstallCase):
    def flags(self, *arguments):
        found = os.environ.get("PKG_CONFIG_PATH", "")
        return self.succeed("pkg-config", *arguments,
                            PKG_CONFIG_PATH=f"{PREFIX}/lib/pkgconfig:{found}").split()

    def compile(self, source, package, *options):
        self.succeed(COMPILER, "-Wall", "-Werror", *options, *self.flags("--cflags", package),
                     self.copy(source) / "main.cpp", "-o", "consumer",
                     *self.flags("--libs", "--static", package))
        return self.folder / "consumer"

    def test_engine(self):
        own = HERE / "engine_consumer/own"
        program = self.compile(HERE / "engine_consumer", "dve-waveform", f"-I{own}")
        self.assertIn("7 of 7 checks passed", self.succeed(program))

    def test_arithmetic_without_systemc(self):
        program = self.compile(HERE / "core_consumer", "dve-alu")
        self.succeed(program)
        self.assertNotIn("systemc", self.succeed("ldd", program))

    def test_driver_in_c(self):
        flags = self.flags("--cflags", "dve-registers")
        self.assertEqual([flag for flag in flags if not flag.startswith("-I")], [])
        self.assertEqual(self.flags("--libs", "dve-registers"), [])
        (self.folder / "driver.c").write_text(
            "#include <dve/dve_registers.h>\n"
            "int main(void) { return DVE_ERROR_TYPE_SEQUENCER_FATAL == 10u && DVE_START_OFFSET == 4u ? 0 : 1; }\n")
        self.succeed("gcc", "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", *flags, "driver.c", "-o", "driver")
        self.succeed(self.folder / "driver")

    def test_engine_needs_the_systemc_it_was_built_with(self):
        self.assertIn("systemc = ", self.succeed(
            "pkg-config", "--print-requires", "dve",
            PKG_CONFIG_PATH=f"{PREFIX}/lib/pkgconfig:{os.environ.get('PKG_CONFIG_PATH', '')}"))


if __name__ == "__main__":
    main()
