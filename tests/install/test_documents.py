# The installed pages: their program compiles and runs, their script plays, what they name is there.
import re
import struct

from install_case import PREFIX, InstallCase, main

DOCUMENTS = PREFIX / "share/doc/dve"
PLATFORMS = (DOCUMENTS / "docs/platforms.md").read_text()


def blocks(text, language=""):
    fenced = re.findall(r"^```(\S*)\n(.*?)^```$", text, re.M | re.S)
    return [block for name, block in fenced if name == language]


class Documents(InstallCase):
    def test_program(self):
        program, = (block for block in blocks(PLATFORMS, "c++") if "sc_main" in block)
        source = self.folder / "source"
        source.mkdir()
        (source / "main.cpp").write_text(program)
        (source / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(page CXX)\n"
            "find_package(dve CONFIG REQUIRED COMPONENTS engine)\n"
            "add_executable(page main.cpp)\ntarget_link_libraries(page PRIVATE dve::engine)\n")
        lines = self.succeed(self.build(source) / "page").splitlines()
        self.assertRegex(lines[-1], r"^y = 3 5 7 9, 1 instruction, \d+ cycles, 0 violations in 3 calls$")
        self.assertTrue(any(line.startswith("S: ") for line in lines))

    def test_script(self):
        script, = (block for block in blocks(PLATFORMS) if "load_mem " in block)
        (self.folder / "program.dvs").write_text(
            ".tensor x sbuf:0:0x000 1x16 fp32\n.tensor y sbuf:0:0x100 1x16 fp32\n"
            "tensor_scalar_arith dst=y src=x op0=mult imm0=0.5 op1=add imm1=3.0\n")
        self.succeed(PREFIX / "bin/dve-sim", "asm", "program.dvs", "-o", "program.bin")
        (self.folder / "x.bin").write_bytes(struct.pack("<16f", *range(16)))
        (self.folder / "script").write_text(script)
        self.succeed(PREFIX / "bin/dve-script", "script")
        self.assertEqual(struct.unpack("<16f", (self.folder / "y.bin").read_bytes()),
                         tuple(0.5 * i + 3 for i in range(16)))

    def test_headers(self):
        names = {name for page in (DOCUMENTS / "README.md", *DOCUMENTS.glob("docs/*.md"))
                 for name in re.findall(r"<(dve/[\w/.]+)>", page.read_text())}
        self.assertGreater(len(names), 12)
        for name in names:
            self.assertTrue((PREFIX / "include" / name).is_file(), name)

    def test_parameters_that_pages_name(self):
        """`csr.access` and the like are parameters of the installed program."""
        known = set(re.findall(r"^([\w.]+) ", self.succeed(PREFIX / "bin/dve-sim", "config"), re.M))
        groups = {name.split(".")[0] for name in known}
        for page in (DOCUMENTS / "README.md", *DOCUMENTS.glob("docs/*.md")):
            for name in re.findall(r"`([a-z]+\.[a-z_]+)`", page.read_text()):
                if name.split(".")[0] in groups and not name.endswith(".h"):
                    self.assertIn(name, known, page)


if __name__ == "__main__":
    main()
