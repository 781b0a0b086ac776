# The Debian package: its name, what it depends on, and that its files are those of the prefix.
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


if __name__ == "__main__":
    main()
