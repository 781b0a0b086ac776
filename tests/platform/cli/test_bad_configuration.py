# Bad configuration files and parameters.
from dve_sim import TWO_INSTRUCTIONS, CommandLineTest, main


class BadConfiguration(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.write("p.dvs", TWO_INSTRUCTIONS)
        self.write("y.npy", "old bytes")

    def config_fails(self, content, *says):
        self.write("c.json", content)
        for command in (("run", "p.dvs", "--dump", "y=y.npy"), ("config",)):
            self.refuse(*command, "--config", "c.json", says=("c.json: ", *says))

    def test_every_command_refuses(self):
        self.write("c.json", '{"scan.order": "random"}')
        for command in (("check", "p.dvs"), ("assumptions",), ("matrix",), ("asm", "p.dvs", "-o", "y.npy"),
                        ("disasm", "p.dvs")):
            self.refuse(
                *command, "--config", "c.json",
                says=("c.json: scan.order", "'random'", "legal: rotate_combine | sequential"))

    def test_typing_errors(self):
        for content, place in (
            ('{"scan.order": "sequential",}', "line 1, column 29"),
            ('{\n "scan.order": "sequential"\n "x": 1\n}', "line 3, column 4"),
            ('{"scan.order": sequential}', "line 1, column 16"),
            ('{"scan.order": "sequential"', "line 1, column 28"), ("", "line 1, column 1"),
            ("{} {}", "line 1, column 4"),
        ):
            self.config_fails(content, f"parse error at {place}: ")

    def test_invalid_text(self):
        self.config_fails(b'{"scan.order": "\xff"}', "parse error", "UTF-8")
        self.config_fails('{"scan.order": "a\\nb\\u001b"}', "scan.order", "'a?b?'", "legal")
        self.config_fails('{"scan\\n.order": 1}', "unknown parameter 'scan?.order'", "scan.order")

    def test_wrong_type(self):
        for value, name in (("null", "null"), ('["sequential"]', "a list")):
            self.config_fails(
                f'{{"scan.order": {value}}}', "'scan.order'", name, "legal: text, a number, true or false")
        self.config_fails('{"scan": {"order": null}}', "'scan.order'", "null", "legal")
        for content in ("[1]", "1", '"a"', "null", "true"):
            self.config_fails(content, "legal: a JSON object of parameters")
        self.config_fails('{"psum.enable": 1}', "psum.enable", "'1'", "legal: false | true")
        self.config_fails('{"clock.ghz": true}', "clock.ghz", "'true'", "no number", "legal")
        self.config_fails('{"seq.fetch": 2.5}', "seq.fetch", "'2.5'", "no whole number", "legal")
        self.config_fails('{"scan.order": 1}', "scan.order", "'1'", "legal: rotate_combine | sequential")

    def test_duplicate_key(self):
        self.config_fails(
            '{"scan.order": "sequential", "scan.order": "rotate_combine"}', "'scan.order' stands twice", "legal")
        self.config_fails(
            '{"scan": {"order": "sequential"}, "scan.order": "rotate_combine"}', "'scan.order' stands twice", "legal")
        self.config_fails('{"scan": {}, "scan": {}}', "'scan' stands twice", "legal")

    def test_deep_nesting(self):
        self.config_fails('{"a":' * 100000 + "1" + "}" * 100000, "nested too deeply", "legal")

    def test_unknown_parameter(self):
        self.config_fails('{"scan.ordr": "sequential"}', "unknown parameter 'scan.ordr'", "scan.order", "legal")
        self.config_fails('{"scan": {"combin": "add"}}', "unknown parameter 'scan.combin'", "scan.combine", "legal")

    def test_number_out_of_range(self):
        for name, value in (
            ("fp32r.mantissa_bits", "9"), ("fp32r.mantissa_bits", "23"), ("seq.queue_depth", "0"),
            ("seq.fetch", "-1"), ("clock.ghz", "0"), ("clock.ghz", "100.5"), ("crc32.polynomial", "4294967296"),
        ):
            self.config_fails(f'{{"{name}": {value}}}', name, f"'{value}'", "out of range", "legal")
        self.config_fails('{"clock.ghz": 1e999}', "1e999")

    def test_generation_and_semantics(self):
        self.config_fails('{"generation": "sundae"}', "unknown generation 'sundae'", "legal: sunda, cayman")
        self.config_fails('{"semantics": "published!"}', "unknown semantics", "legal: reference, published")

    def test_missing_and_folder(self):
        self.refuse("run", "p.dvs", "--config", "none.json", says=("none.json", "cannot be read", "No such file"))
        self.path("sub").mkdir()
        self.refuse("run", "p.dvs", "--config", "sub", says=("sub", "cannot be read", "directory"))

    def test_set(self):
        for text, *says in (
            ("scan.order", "'scan.order'", "legal: NAME=VALUE"), ("=1", "'=1'", "legal: NAME=VALUE"),
            ("scan.order=", "scan.order", "''", "legal: rotate_combine | sequential"),
            ("scan.ordr=1", "unknown parameter 'scan.ordr'", "scan.order", "legal"),
            ("clock.ghz=nan", "clock.ghz", "'nan'", "legal: 0.001..100 GHz"),
            ("clock.ghz=1.2GHz", "clock.ghz", "'1.2GHz'", "no number", "legal"),
            ("crc32.polynomial=0x1FFFFFFFF", "out of range", "legal: 0x1..0xFFFFFFFF"),
            ("seq.fetch=abc", "seq.fetch", "'abc'", "no whole number", "legal: 0..100000 cycles"),
        ):
            for command in (("run", "p.dvs"), ("config",)):
                self.refuse(*command, "--set", text, says=("--set: ", *says))

    def test_variant_of_a_later_generation(self):
        for generation in ("sunda", "cayman"):
            self.refuse(
                "config", "--gen", generation, "--set", "fp8_exp4.variant=fn",
                says=("fp8_exp4.variant", "'fn'", "mariana", f"legal on {generation}: ieee"))
        self.succeed("config", "--gen", "maverick", "--set", "fp8_exp4.variant=fn")

    def test_command_line_wins_over_the_file(self):
        self.write("c.json", '{"generation": "sunda", "semantics": "published", "seq": {"fetch": 7}}')
        lines = dict(line.split()[:2] for line in self.text("config", "--config", "c.json").splitlines())
        self.assertEqual((lines["clock.ghz"], lines["scan.order"], lines["seq.fetch"]), ("1.12", "sequential", "7"))
        lines = dict(
            line.split()[:2] for line in self.text(
                "config", "--config", "c.json", "--gen", "cayman", "--semantics", "reference", "--set", "seq.fetch=8",
                "--set", "seq.fetch=9").splitlines())
        self.assertEqual((lines["clock.ghz"], lines["scan.order"], lines["seq.fetch"]), ("0.96", "rotate_combine", "9"))


if __name__ == "__main__":
    main()
