# Bad command lines, and what the help texts say.
import subprocess

from dve_sim import DONE, DVE_SIM, USAGE, TWO_INSTRUCTIONS, CommandLineTest, main

COMMANDS = ("run", "asm", "disasm", "check", "assumptions", "matrix", "config")


class BadUsage(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.write("p.dvs", TWO_INSTRUCTIONS)

    def test_outputs_do_not_replace_inputs(self):
        self.write("program.dvs", TWO_INSTRUCTIONS)
        self.write("config.json", "{}")
        for arguments in (("--log", "program.dvs"), ("--stats", "./program.dvs"), ("--dump", "z=program.dvs"),
                          ("--config", "config.json", "--stats", "config.json")):
            self.refuse("run", "program.dvs", *arguments, says=("would replace an input", "legal"))

    def test_two_names_of_a_file_that_is_not_there_yet(self):
        self.write("program.dvs", TWO_INSTRUCTIONS)
        self.refuse("run", "program.dvs", "--dump", "y=new.npy", "--dump", "z=./new.npy", says=("same file", "legal"))

    def test_no_command(self):
        result = self.command()
        self.assertEqual((result.returncode, result.stdout), (USAGE, b""))
        self.assertTrue(result.stderr.startswith(b"usage: dve-sim COMMAND"))

    def test_unknown_command(self):
        for name in ("frob", "", "Run", "a\nb"):
            self.refuse(name, says=("unknown command '", "legal: " + COMMANDS[0], *COMMANDS[1:]))

    def test_unknown_option(self):
        for command in COMMANDS:
            self.refuse(command, "--jsn", says=("unknown option '--jsn'", "legal", "--gen"))
            self.refuse(command, "-z", says=("unknown option '-z'", "legal"))
        self.refuse("run", "p.dvs", "--dum", "y=y.npy", says=("'--dum'", "nearest is '--dump'", "legal"))
        for command, option in (("config", "-o"), ("assumptions", "--opcode"), ("check", "--json"), ("asm", "--json")):
            self.refuse(command, option, "x", says=("unknown option", option, "legal"))

    def test_missing_argument(self):
        for option in ("--load", "--dump", "--gen", "--set", "--stats", "--log", "--reg", "--sem", "--config"):
            self.refuse("run", "p.dvs", option, says=(option, "legal"))

    def test_empty_file_name(self):
        for option in ("--stats", "--log", "--config"):
            self.refuse("run", "p.dvs", option, "", says=(option, "empty", "legal"))
        self.refuse("asm", "p.dvs", "-o", "", says=("--output", "empty", "legal"))

    def test_number_of_files(self):
        self.refuse("run", says=("one PROGRAM", "not 0"))
        self.refuse("run", "p.dvs", "q.dvs", says=("one PROGRAM", "not 2"))
        for command in ("asm", "disasm", "check"):
            self.refuse(command, says=("one file", "not 0", f"usage: dve-sim {command} IN"))
            self.refuse(command, "p.dvs", "q.dvs", says=("one file", "not 2"))
        for command in ("assumptions", "matrix", "config"):
            self.refuse(command, "p.dvs", says=("no file", "not 1", f"usage: dve-sim {command}"))

    def test_output_of_asm(self):
        self.refuse("asm", "p.dvs", says=("-o", "missing", "legal"))
        for file in ("none/p.bin", "p.dvs/p.bin"):
            self.refuse("asm", "p.dvs", "-o", file, says=(file, "cannot be written"))
        self.path("sub").mkdir()
        self.refuse("asm", "p.dvs", "-o", "sub", says=("sub", "cannot be written", "folder"))

    def test_output_is_the_input(self):
        self.path("link.bin").symlink_to("p.dvs")
        for output in ("p.dvs", "./p.dvs", "link.bin"):
            self.refuse("asm", "p.dvs", "-o", output, says=("asm", output, "is read", "legal"))
            self.refuse("disasm", "p.dvs", "-o", output, says=("disasm", output, "is read", "legal"))

    def test_values(self):
        for option, value, *says in (
            ("--gen", "mariana2", "'mariana2'", "legal: sunda, cayman, mariana, mariana_plus, maverick"),
            ("--semantics", "other", "'other'", "legal: reference, published"),
            ("--timing", "fast", "'fast'", "legal: loose, approx, cycle"),
            ("--timing", "", "''", "legal: loose, approx, cycle"),
            ("--vcd", "x.vcd", "--vcd", "needs --timing cycle"),
            ("--trace-lanes", "1", "--trace-lanes", "needs a waveform", "legal"),
        ):
            self.refuse("run", "p.dvs", option, value, says=says)
        self.refuse("run", "p.dvs", "--gen", "sunda", "--gen", "cayman", says=("--gen", "more than once", "legal"))

    def test_presets(self):
        for option, last in (("--reg", 63), ("--sem", 255)):
            for index in (str(last + 1), "-1", "x", "1.0"):
                self.refuse("run", "p.dvs", option, f"{index}=1", says=(option, f"'{index}'", f"legal: 0..{last}"))
            for value in ("4294967296", "0x100000000", "-2147483649", "x", "", "--5", "1.5"):
                self.refuse("run", "p.dvs", option, f"1={value}", says=(option, f"'{value}'", "legal: -2147483648.."))
            for text in ("1", "=1"):
                self.refuse("run", "p.dvs", option, text, says=(option, f"'{text}'", "legal: NAME=VALUE"))
            for good in (f"{last}=0xFFFFFFFF", "0=-2147483648", "0x1f=4294967295"):
                self.succeed("run", "p.dvs", "-q", option, good)

    def test_opcode_of_the_matrix(self):
        self.refuse(
            "matrix", "--opcode", "tensor_scaler_arith", says=("unknown opcode", "tensor_scalar_arith", "legal"))
        for opcode in ("67", "0x", "0x100", "0xzz"):
            self.refuse("matrix", "--opcode", opcode, says=("unknown opcode", f"'{opcode}'", "legal"))
        self.refuse("matrix", "--opcode", "nop", says=("'nop'", "no ALU operation", "legal"))

    def test_standard_output_is_full(self):
        for arguments in (("config",), ("matrix", "--json"), ("run", "p.dvs", "--log", "-"), ("check", "p.dvs")):
            with open("/dev/full", "wb") as full:
                result = subprocess.run(
                    [DVE_SIM, *arguments], stdout=full, stderr=subprocess.PIPE, cwd=self.folder, check=False)
            self.assertEqual(result.returncode, USAGE, arguments)
            self.assertIn(b"standard output: cannot be written", result.stderr)


class Help(CommandLineTest):
    def test_overview(self):
        for argument in ("--help", "-h", "help"):
            text = self.text(argument)
            for command in COMMANDS:
                self.assertIn(f"\n  {command} ", text)
            self.assertTrue(all(len(line) <= 100 for line in text.splitlines()))

    def test_commands(self):
        options = {
            "run": ("--load", "--dump", "--reg", "--sem", "--stats", "--log", "--dump-on-fault", "Exit status"),
            "asm": ("--output",), "disasm": ("--output",), "matrix": ("--opcode", "--json"),
            "config": ("--json",), "assumptions": ("--json",), "check": (),
        }
        for command in COMMANDS:
            text = self.text(command, "--help", status=DONE)
            self.assertTrue(text.startswith(f"usage: dve-sim {command} "), text)
            for option in ("--gen", "--semantics", "--config", "--set", *options[command]):
                self.assertIn(option, text)


if __name__ == "__main__":
    main()
