# The statistics file of a run.
import json

from dve_sim import TWO_INSTRUCTIONS, CommandLineTest, main

PROGRAM = """\
.gen cayman
.tensor x sbuf:0:0x0000 128x64 fp32
.tensor y sbuf:0:0x1000 128x64 bf16
.tensor n sbuf:32:0x2000 32x8 fp32
        tensor_scalar_arith dst=y src=x op0=mult imm0=2.0
        update sem[1] += 1
        tensor_scalar_arith dst=n src=n op0=add imm0=1.0
        wait sem[1] >= 1
        nop
        scalar_tensor_tensor_arith dst=x src0=x imm0=3.0 op0=mult src1=y op1=add
        halt
"""


class Statistics(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.write("p.dvs", PROGRAM)

    def statistics(self, *options, program="p.dvs"):
        return json.loads(self.text("run", program, "--stats", "-", *options))

    def test_keys_and_types(self):
        statistics = self.statistics()
        types = {
            "generation": str, "semantics": str, "timing": str, "clock_ghz": float, "parameters": dict,
            "assumptions": dict, "total_cycles": int, "simulated_ns": float, "instructions": list, "counters": dict,
        }
        self.assertEqual({key: type(statistics[key]) for key in types}, types)
        self.assertEqual(set(statistics), set(types))
        self.assertEqual(
            (statistics["generation"], statistics["semantics"], statistics["timing"], statistics["clock_ghz"]),
            ("cayman", "reference", "loose", 0.96))
        entry_types = {
            "index": int, "opcode": int, "mnemonic": str, "issue_cycle": int, "start_cycle": int, "end_cycle": int,
            "channels": int, "elements_per_partition": int, "stalls": dict,
        }
        for entry in statistics["instructions"]:
            self.assertEqual({key: type(value) for key, value in entry.items()}, entry_types)
            self.assertTrue(all(type(cycles) is int for cycles in entry["stalls"].values()))

    def test_instructions(self):
        entries = self.statistics()["instructions"]
        self.assertEqual(
            [(entry["index"], entry["opcode"], entry["mnemonic"], entry["channels"], entry["elements_per_partition"])
             for entry in entries],
            [(0, 0x43, "tensor_scalar_arith", 128, 64), (1, 0x43, "tensor_scalar_arith", 32, 8),
             (2, 0xA4, "nop", 0, 0), (3, 0x9D, "scalar_tensor_tensor_arith", 128, 64), (4, 0xA1, "halt", 0, 0)])

    def test_cycles(self):
        for generation in ("sunda", "cayman", "mariana", "mariana_plus", "maverick"):
            self.write("p.dvs", PROGRAM.replace("cayman", generation))
            statistics = self.statistics()
            entries = statistics["instructions"]
            for entry in entries:
                self.assertLessEqual(entry["issue_cycle"], entry["start_cycle"])
                self.assertLessEqual(entry["start_cycle"], entry["end_cycle"])
            issues = [entry["issue_cycle"] for entry in entries]
            self.assertEqual(issues, sorted(issues))
            self.assertEqual(statistics["total_cycles"], max(entry["end_cycle"] for entry in entries))
            self.assertAlmostEqual(
                statistics["simulated_ns"], statistics["total_cycles"] / statistics["clock_ghz"], places=6)
            self.assertGreater(entries[2]["stalls"]["semaphore"], 0)

    def test_counters(self):
        statistics = self.statistics()
        counters = statistics["counters"]
        self.assertEqual(
            (counters["instructions"], counters["datapath_instructions"], counters["control_instructions"]), (5, 3, 2))
        entries = statistics["instructions"]
        self.assertEqual(
            counters["elements"], sum(entry["elements_per_partition"] * entry["channels"] for entry in entries))
        for cause, cycles in counters["stalls"].items():
            self.assertEqual(cycles, sum(entry["stalls"][cause] for entry in entries), cause)

    def test_same_run_same_statistics(self):
        self.assertEqual(self.statistics(), self.statistics())

    def test_parameters_with_overrides(self):
        config = json.loads(self.text("config", "--gen", "cayman", "--json"))
        statistics = self.statistics()
        recorded = {**statistics["parameters"], **statistics["assumptions"]}
        self.assertEqual(
            recorded, {name: value for name, value in config.items() if name not in ("generation", "semantics")})
        self.assertEqual(
            set(statistics["assumptions"]), set(json.loads(self.text("assumptions", "--json"))))
        self.write("c.json", '{"seq.fetch": 3, "cast": {"overflow": "saturate"}}')
        changed = self.statistics(
            "--config", "c.json", "--set", "clock.ghz=1.23456789", "--set", "fp.rounding=up",
            "--semantics", "published")
        self.assertEqual((changed["semantics"], changed["clock_ghz"]), ("published", 1.23456789))
        different = {
            name: value for name, value in {**changed["parameters"], **changed["assumptions"]}.items()
            if value != recorded[name]}
        self.assertEqual(different, {
            "seq.fetch": "3", "cast.overflow": "saturate", "clock.ghz": "1.23456789", "fp.rounding": "up",
            "scan.recurrence": "carried", "scan.order": "sequential", "stt.accumulate": "adds_to_store",
            "cast.fp_to_int": "nearest_even"})

    def test_file_and_standard_output_are_the_same(self):
        printed = self.text("run", "p.dvs", "--stats", "-")
        self.assertIn("cayman: 5 instructions", self.text("run", "p.dvs", "--stats", "s.json"))
        self.assertEqual(self.path("s.json").read_text(), printed)

    def test_empty_program(self):
        statistics = self.statistics(program=self.write("e.bin", ""))
        self.assertEqual((statistics["total_cycles"], statistics["instructions"]), (0, []))

    def test_loose_default_can_be_named(self):
        self.write("q.dvs", TWO_INSTRUCTIONS)
        self.assertEqual(self.statistics(program="q.dvs"), self.statistics("--timing", "loose", program="q.dvs"))


if __name__ == "__main__":
    main()
