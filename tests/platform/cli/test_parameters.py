# config and assumptions: rows, values, profiles and the way back through --config.
import json

from dve_sim import TWO_INSTRUCTIONS, CommandLineTest, main

GENERATIONS = ("sunda", "cayman", "mariana", "mariana_plus", "maverick")

# Every parameter that the decisions name, with its values; the default stands first.
ASSUMPTIONS = {
    "scan.recurrence": "combine_prefix carried",
    "scan.combine": "add mult max min absolute_diff",
    "scan.order": "rotate_combine sequential",
    "stt.accumulate": "replaces_store adds_to_store",
    "cast.fp_to_int": "truncate nearest_even",
    "fp.subnormals": "keep flush",
    "fp.rounding": "nearest_even to_zero up down",
    "cast.overflow": "infinity saturate",
    "cast.nan_to_int": "zero max",
    "minmax.nan": "number propagate",
    "fp8_exp4.variant": "ieee fn",
    "shift.overflow": "complete modulo",
    "symmetric_clamp": "max min",
    "accumulator.tap": "before after",
}
RANGES = {"fp32r.mantissa_bits": ("10", "10..22 bits"), "crc32.polynomial": ("0xEDB88320", "0x1..0xFFFFFFFF")}

# What the second profile changes.
PUBLISHED = {
    "scan.recurrence": "carried", "scan.order": "sequential", "stt.accumulate": "adds_to_store",
    "cast.fp_to_int": "nearest_even",
}


class Parameters(CommandLineTest):
    def json(self, *arguments):
        return json.loads(self.text(*arguments, "--json"))

    def listing(self, *options):
        return dict(line.split()[:2] for line in self.text("config", *options).splitlines())

    def test_assumptions_of_the_decisions(self):
        rows = self.json("assumptions")
        for name, values in ASSUMPTIONS.items():
            self.assertEqual(rows[name]["value"], values.split()[0], name)
            self.assertEqual(rows[name]["legal"], values.replace(" ", " | "), name)
            for value in values.split():
                self.assertEqual(self.json("assumptions", "--set", f"{name}={value}")[name]["value"], value)
        for name, (value, legal) in RANGES.items():
            self.assertEqual((rows[name]["value"], rows[name]["legal"]), (value, legal))
        for bits in (10, 22):
            self.assertEqual(self.listing("--set", f"fp32r.mantissa_bits={bits}")["fp32r.mantissa_bits"], str(bits))
        self.assertEqual(self.listing("--set", "crc32.polynomial=1")["crc32.polynomial"], "0x1")

    def test_every_assumption_has_evidence(self):
        for name, row in self.json("assumptions").items():
            self.assertEqual(set(row), {"value", "legal", "reference", "published", "evidence", "effect"}, name)
            self.assertTrue(row["evidence"] and row["effect"], name)

    def test_profiles_differ_in_exactly_these(self):
        for generation in GENERATIONS:
            reference = self.json("config", "--gen", generation)
            published = self.json("config", "--gen", generation, "--semantics", "published")
            changed = {name: value for name, value in published.items() if value != reference[name]}
            self.assertEqual(changed, {"semantics": "published", **PUBLISHED})
        columns = {
            name: row["published"] for name, row in self.json("assumptions").items()
            if row["published"] != row["reference"]}
        self.assertEqual(columns, PUBLISHED)

    def test_clock_and_psum_of_the_generations(self):
        clocks = dict(zip(GENERATIONS, ("1.12", "0.96", "1.2", "1.2", "1.2")))
        for generation in GENERATIONS:
            values = self.listing("--gen", generation)
            self.assertEqual(values["clock.ghz"], clocks[generation])
            self.assertEqual(values["psum.enable"], "false" if generation == "maverick" else "true")

    def test_listing_and_json_agree(self):
        for options in ((), ("--gen", "maverick", "--semantics", "published", "--set", "seq.fetch=9")):
            values = self.json("config", *options)
            generation, semantics = values.pop("generation"), values.pop("semantics")
            self.assertEqual(values, self.listing(*options))
            self.assertEqual(
                (generation, semantics), ("maverick", "published") if options else ("mariana", "reference"))

    def test_text_of_assumptions(self):
        text = self.text("assumptions", "--set", "cast.overflow=saturate")
        self.assertIn(
            "cast.overflow = saturate   (infinity | saturate; reference infinity, published infinity)\n", text)
        self.assertEqual(text.count("\n    evidence: "), len(self.json("assumptions")))

    def test_assumptions_are_part_of_the_configuration(self):
        self.assertLessEqual(set(self.json("assumptions")), set(self.json("config")))

    def test_configuration_comes_back(self):
        options = (
            "--gen", "maverick", "--semantics", "published", "--set", "clock.ghz=0.1234567890123", "--set",
            "psum.enable=true", "--set", "crc32.polynomial=0x82F63B78", "--set", "scan.combine=max")
        first = self.text("config", "--json", *options)
        self.write("c.json", first)
        self.assertEqual(self.text("config", "--json", "--config", "c.json"), first)
        self.assertEqual(self.text("config", "--json", "--config", "-", stdin=first.encode()), first)
        self.write("p.dvs", TWO_INSTRUCTIONS.replace(".gen mariana\n", ""))
        self.assertIn("maverick: 2 instructions", self.text("run", "p.dvs", "--config", "c.json"))

    def test_numbers_and_nested_objects(self):
        self.write(
            "c.json",
            '{"clock.ghz": 1.5, "psum": {"enable": false}, "seq": {"fetch": 2}, // a comment\n'
            ' "crc32.polynomial": "0x1F"}')
        values = self.listing("--config", "c.json")
        self.assertEqual(
            [values[name] for name in ("clock.ghz", "psum.enable", "seq.fetch", "crc32.polynomial")],
            ["1.5", "false", "2", "0x1F"])


if __name__ == "__main__":
    main()
