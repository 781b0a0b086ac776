# The Debian package: its name, what it depends on, and that its files are those of the prefix.
import re

from install_case import BUILD, PREFIX, InstallCase, main


class DebianPackage(InstallCase):
    def test_package(self):
        self.succeed("cpack", "--config", BUILD / "CPackConfig.cmake", "-G", "DEB",
                     "-B", self.folder)
        packages = list(self.folder.glob("dve_0.1.0_*.deb"))
        self.assertEqual(len(packages), 1, list(self.folder.iterdir()))
        depends = self.succeed("dpkg-deb", "--field", packages[0], "Depends")
        for name in ("libsystemc-dev", "libc6", "libstdc++6", "libboost-program-options"):
            self.assertIn(name, depends)
        self.succeed("dpkg-deb", "--extract", packages[0], self.folder / "root")
        usr = self.folder / "root/usr"

        def names(folder):
            return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
        self.assertEqual(names(usr), names(PREFIX))

        self.assertRegex(self.succeed("dpkg-deb", "--field", packages[0], "Maintainer"), r"^[^<]+ <[^@>]+@[^@>]+>$")
        # A line for lists, and at least a further one.
        description = self.succeed("dpkg-deb", "--field", packages[0], "Description").splitlines()
        self.assertGreater(len(description), 1)
        self.assertTrue(all(line.startswith(" ") for line in description[1:]), description)
        # Debian's form: paragraphs of fields, separated by one empty line; texts are indented.
        copyright_file = (usr / "share/doc/dve/copyright").read_text()
        self.assertTrue(copyright_file.startswith(
            "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"))
        header, ours, *others = copyright_file.strip().split("\n\n")
        self.assertIn("\nUpstream-Name: dve", header)
        for paragraph in (ours, *others):
            fields = re.findall(r"^([\w-]+): \S", paragraph, re.M)
            self.assertEqual(fields[:3], ["Files", "Copyright", "License"])
            self.assertEqual(re.findall(r"^(?![\w-]+: | \S|  +\S).*$", paragraph, re.M), [])
        self.assertIn("License: Apache-2.0\n", ours)
        self.assertIn("/usr/share/common-licenses/Apache-2.0", ours)
        # The FST writer is others' work, with conditions of its own.
        if (usr / "lib/libdve_fst_writer.a").exists():
            self.assertEqual(len(others), 3)
            self.assertEqual([re.search("License: (.*)", other)[1] for other in others],
                             ["MIT", "BSD-2-Clause", "MIT"])
        # Who owns what, and modes that Debian expects.
        for line in self.succeed("dpkg-deb", "--contents", packages[0]).splitlines():
            mode, owner, *_, name = line.split()
            self.assertEqual(owner, "root/root")
            program = "/bin/" in name and not name.endswith("/")
            self.assertIn(mode, ("drwxr-xr-x", "-rwxr-xr-x" if program else "-rw-r--r--"), line)
        for program in ("dve-sim", "dve-script"):
            self.assertNotIn(".symtab", self.succeed("readelf", "-SW", usr / "bin" / program))


if __name__ == "__main__":
    main()
