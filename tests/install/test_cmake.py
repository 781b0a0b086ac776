# Consumers that find the installed package by CMake, and what they read when something does not fit.
from install_case import HERE, PREFIX, InstallCase, main

NO_SYSTEMC = ("-DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON",
              "-DCMAKE_DISABLE_FIND_PACKAGE_SystemCLanguage=ON")


class CMakeConsumers(InstallCase):
    def test_engine(self):
        build = self.build(self.copy(HERE / "engine_consumer"))
        self.assertIn("7 of 7 checks passed", self.succeed(build / "consumer"))
        self.assertIn("$enddefinitions", (build / "consumer.vcd").read_text())

    def test_arithmetic_without_systemc(self):
        build = self.build(self.copy(HERE / "core_consumer"), *NO_SYSTEMC)
        self.succeed(build / "consumer")
        self.assertNotIn("systemc", self.succeed("ldd", build / "consumer"))


class Refusals(InstallCase):
    def refused(self, components, *options, standard=""):
        """The lines that CMake prints about dve."""
        source = self.folder / "source"
        source.mkdir()
        (source / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(refused CXX)\n"
            f"{standard}\nfind_package(dve CONFIG REQUIRED {components})\n")
        configured = self.configure(source, *options)
        self.assertNotEqual(configured.returncode, 0, configured.stdout)
        return " ".join(configured.stderr.split())

    def test_no_systemc(self):
        self.assertIn("SystemC not found: install libsystemc-dev, or set SystemCLanguage_DIR",
                      self.refused("COMPONENTS engine", *NO_SYSTEMC))

    def test_other_standard(self):
        text = self.refused("", standard="set(CMAKE_CXX_STANDARD 20)")
        self.assertIn("does not link with C++20: its ABI tag names another standard", text)

    def test_unknown_component(self):
        self.assertIn("no component lanes; legal: isa, alu, files, engine, waveform",
                      self.refused("COMPONENTS lanes isa"))

    def test_other_version_of_systemc(self):
        package = self.folder / "SystemCLanguage"
        package.mkdir()
        (package / "SystemCLanguageConfig.cmake").write_text(
            "find_library(systemc systemc)\nadd_library(SystemC::systemc INTERFACE IMPORTED)\n"
            "target_link_libraries(SystemC::systemc INTERFACE ${systemc})\n")
        (package / "SystemCLanguageConfigVersion.cmake").write_text(
            'set(PACKAGE_VERSION "9.8.7")\nset(PACKAGE_VERSION_COMPATIBLE ON)\n')
        text = self.refused("", f"-DSystemCLanguage_DIR={package}")
        self.assertRegex(text, "this dve was built with SystemC [0-9.]+ and finds CMake package "
                         ".*, version 9.8.7: point SystemCLanguage_DIR to the former")

    def test_newer_standard_with_the_definition_of_systemc(self):
        source = self.copy(HERE / "engine_consumer")
        text = (source / "CMakeLists.txt").read_text().replace(
            "find_package", "set(CMAKE_CXX_STANDARD 20)\n"
            "add_compile_definitions(SC_CPLUSPLUS=201703L)\nfind_package")
        (source / "CMakeLists.txt").write_text(text)
        configured = self.configure(source)
        self.assertEqual(configured.returncode, 0, configured.stderr)


class Files(InstallCase):
    def test_no_absolute_path(self):
        first = str(PREFIX) + ".first"
        for folder in ("lib/cmake/dve", "lib/pkgconfig", "include"):
            for path in (PREFIX / folder).rglob("*"):
                if path.is_file():
                    self.assertNotIn(first, path.read_text(), path)

    def test_every_include_is_installed(self):
        headers = [path for path in (PREFIX / "include").rglob("*") if path.is_file()]
        self.assertGreater(len(headers), 50)
        for header in headers:
            for line in header.read_text().splitlines():
                words = line.replace("# ", "#").split()
                if len(words) > 1 and words[0] == "#include" and words[1][0] == '"':
                    self.assertTrue((PREFIX / "include" / words[1].strip('"')).is_file(),
                                    f"{header}: {line}")

    def test_programs_and_documents(self):
        self.assertIn("0x43", self.succeed(PREFIX / "bin/dve-sim", "matrix"))
        for program in ("dve-sim", "dve-script"):
            self.assertIn("usage", self.succeed(PREFIX / "bin" / program, "--help"))
            self.assertRegex(self.succeed(PREFIX / "bin" / program, "--version"), rf"^{program} 0\.1\.0 \(SystemC ")
        for name in ("LICENSE", "README.md", "copyright", "docs/platforms.md", "docs/registers.rdl",
                     "docs/waveform_scan.png", "platform/examples/smallest/smallest.cpp"):
            self.assertTrue((PREFIX / "share/doc/dve" / name).is_file(), name)


if __name__ == "__main__":
    main()
