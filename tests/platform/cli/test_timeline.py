# Timelines of real programs, held against the statistics of the same run.
import collections
import json
import pathlib

from dve_sim import DONE, DVE_SIM, FAULT, FAULT_IN_THIRD, TWO_INSTRUCTIONS, CommandLineTest, main

KERNELS = pathlib.Path(__file__).parents[3] / "platform" / "examples" / "kernels"

# A loop, a semaphore that is waited for, a hazard, a drain.
LOOP = """\
.gen cayman
.tensor x sbuf:0:0x0000 128x64 fp32
.tensor y sbuf:0:0x1000 128x64 bf16
        move num_mov=1 dtype=uint32 data_src=immediate dst_registers=1 immediates=5
again:  tensor_scalar_arith dst=y src=x op0=mult imm0=2.0
        update sem[1] += 1
        tensor_tensor_arith dst=x src0=x src1=y op=add
        wait sem[1] >= 1
        nop
        alu_op op=subtract dtype=uint32 dst_dtype=uint32 data_src=immediate src0_lo=1 dst_lo=1 immediate=1
        compare_branch cmp_op=6 dtype=uint32 cmp_reg0=1 cmp_immediate=0 target_mode=3 br_immediate=@again
        drain
        halt
"""

CAUSES = ("port", "bank", "hazard", "semaphore", "fetch")


def replay(text):
    """Reads a Kanata log; per instruction its labels, the cycles of its stages and its retirement."""
    lines = text.split("\n")
    assert lines[0] == "Kanata\t0004" and lines[-1] == ""
    assert lines[1].startswith("C=\t")
    now = int(lines[1].split("\t")[1])
    instructions = []
    for line in lines[2:-1]:
        command, *fields = line.split("\t")
        if command == "C":
            assert int(fields[0]) > 0
            now += int(fields[0])
            continue
        number = int(fields[0])
        if command == "I":
            assert number == len(instructions), "ids are not in sequence"
            instructions.append({"labels": ["", ""], "stages": {}, "open": None, "begin": now, "retired": None})
            continue
        instruction = instructions[number]
        assert instruction["retired"] is None, "command after retirement"
        if command == "L":
            instruction["labels"][int(fields[1])] += fields[2]
        elif command == "S":
            assert fields[1] == "0" and instruction["open"] is None and fields[2] not in instruction["stages"]
            instruction["open"] = (fields[2], now)
        elif command == "E":
            name, begin = instruction["open"]
            assert name == fields[2]
            instruction["stages"][name] = (begin, now)
            instruction["open"] = None
        elif command == "R":
            assert instruction["open"] is None and fields[1:] == [str(number), "0"]
            instruction["retired"] = now
        else:
            raise AssertionError(f"unknown command {command}")
    return instructions


class Timelines(CommandLineTest):
    def programs(self):
        """Names of programs and options that run to the end."""
        self.write("two.dvs", TWO_INSTRUCTIONS)
        self.write("loop.dvs", LOOP)
        self.write("empty.bin", "")
        for name in ("mamba", "cumsum", "fp8_clamp", "combine_prefix"):
            self.write(f"{name}.dvs", (KERNELS / name / f"{name}.dvs").read_bytes())
            yield f"{name}.dvs", ()
        yield "two.dvs", ()
        for name in ("two", "loop", "cumsum", "combine_prefix"):
            yield f"{name}.dvs", ("--timing", "cycle")
        yield "empty.bin", ()
        yield "loop.dvs", ()
        yield "loop.dvs", ("--set", "seq.fetch=7", "--set", "seq.decode=11", "--set", "seq.queue_depth=2",
                           "--set", "clock.ghz=1.7")
        yield "loop.dvs", ("--set", "seq.dispatch=0", "--set", "seq.fetch=0", "--set", "seq.decode=0")

    kept = []  # every test looks at the same runs

    def runs(self):
        """Statistics, timeline and Kanata log of each program."""
        if not self.kept:
            for program, options in self.programs():
                self.succeed("run", program, "--quiet", "--stats", "s.json", "--timeline", "t.json", "--kanata",
                             "k.log", *options)
                self.kept.append((f"{program} {' '.join(options)}", json.loads(self.path("s.json").read_text()),
                                  json.loads(self.path("t.json").read_text()), self.path("k.log").read_text()))
        for name, *files in self.kept:
            with self.subTest(name):
                yield files

    def slices(self, timeline):
        return [event for event in timeline["traceEvents"] if event["ph"] == "X"]

    def test_form_of_the_timeline(self):
        for statistics, timeline, _ in self.runs():
            self.assertEqual(timeline["otherData"],
                             {"generation": statistics["generation"], "clock_ghz": statistics["clock_ghz"]})
            processes, threads = {}, {}
            for event in timeline["traceEvents"]:
                self.assertIn(event["ph"], "MX")
                if event["name"] == "process_name":
                    processes[event["pid"]] = event["args"]["name"]
                elif event["name"] == "thread_name":
                    self.assertNotIn(event["tid"], threads)
                    threads[event["tid"]] = (event["pid"], event["args"]["name"])
            self.assertEqual(sorted(processes.values()), ["DVE", "SEQ", "stalls"])
            for event in self.slices(timeline):
                process, name = threads[event["tid"]]
                self.assertEqual(process, event["pid"])
                self.assertRegex(name, f"^{event['cat']} [0-9]+$")

    def test_no_partial_overlap(self):
        for _, timeline, _ in self.runs():
            threads = collections.defaultdict(list)
            for event in self.slices(timeline):
                # As Perfetto reads them.
                begin = int(event["ts"] * 1000)
                threads[event["pid"], event["tid"]].append((begin, begin + int(event["dur"] * 1000)))
            for thread in threads.values():
                thread.sort()
                for (_, end), (begin, _) in zip(thread, thread[1:]):
                    self.assertGreaterEqual(begin, end)

    def test_slices_are_those_of_the_statistics(self):
        for statistics, timeline, _ in self.runs():
            found = collections.defaultdict(dict)
            period = 0.001 / statistics["clock_ghz"]  # microseconds
            for event in self.slices(timeline):
                arguments = event["args"]
                begin, cycles = arguments["cycle"], arguments["cycles"]
                self.assertAlmostEqual(event["ts"], begin * period, delta=0.0007)
                self.assertAlmostEqual(event["dur"], cycles * period, delta=0.0011)
                self.assertNotIn(event["cat"], found[arguments["index"]])
                found[arguments["index"]][event["cat"]] = (begin, begin + cycles)
                entry = statistics["instructions"][arguments["index"]]
                self.assertEqual(event["name"], entry["mnemonic"])
                self.assertEqual(int(arguments["opcode"], 16), entry["opcode"])
                self.assertEqual(arguments["channels"], entry["channels"])
                self.assertEqual(arguments["elements"], entry["elements_per_partition"])
                self.assertEqual(arguments["stalls"], entry["stalls"])
            self.assertEqual(set(found), set(range(len(statistics["instructions"]))))
            for entry in statistics["instructions"]:
                slices = found[entry["index"]]
                if entry["channels"] == 0:
                    self.assertEqual(slices["control"], (entry["issue_cycle"], entry["end_cycle"]))
                    continue
                self.assertEqual(slices["read"][0], entry["start_cycle"])
                self.assertEqual(slices["drain"], (slices["read"][1], entry["end_cycle"]))
                if entry["start_cycle"] != entry["issue_cycle"]:
                    self.assertEqual(slices["setup"], (entry["issue_cycle"], entry["start_cycle"]))

    def test_sums_of_stalls(self):
        seen = collections.Counter()
        for statistics, timeline, _ in self.runs():
            sums = dict.fromkeys(CAUSES, 0)
            for event in self.slices(timeline):
                if event["cat"] in sums:
                    sums[event["cat"]] += event["args"]["cycles"]
            self.assertEqual(sums, statistics["counters"]["stalls"])
            seen.update(sums)
        for cause in ("hazard", "semaphore", "fetch"):
            self.assertGreater(seen[cause], 0, cause)

    def test_kanata_recovers_the_cycles(self):
        for statistics, timeline, kanata in self.runs():
            instructions = replay(kanata)
            self.assertEqual(len(instructions), len(statistics["instructions"]))
            details = {event["args"]["index"]: event["args"] for event in self.slices(timeline)}
            for entry, instruction in zip(statistics["instructions"], instructions):
                stages = instruction["stages"]
                self.assertEqual(instruction["retired"], entry["end_cycle"])
                detail = details[entry["index"]]
                self.assertEqual(instruction["begin"], detail["fetch_cycle"])
                # Each stage follows the one before without a gap.
                spans = sorted(stages.values())
                self.assertEqual(spans[0][0], detail["fetch_cycle"])
                self.assertEqual(spans[-1][1], entry["end_cycle"])
                for (_, end), (begin, _) in zip(spans, spans[1:]):
                    self.assertEqual(begin, end)
                if "F" in stages:
                    self.assertEqual(stages["F"][1] - stages["F"][0], int(statistics["assumptions"]["seq.fetch"]))
                if entry["channels"] == 0:
                    self.assertEqual(stages["Ct"], (entry["issue_cycle"], entry["end_cycle"]))
                    self.assertLessEqual(set(stages), {"F", "D", "W", "Ct"})
                else:
                    self.assertEqual(stages["Rd"], (entry["start_cycle"], detail["read_done_cycle"]))
                    self.assertEqual(stages["Ex"], (detail["read_done_cycle"], entry["end_cycle"]))
                    self.assertLessEqual(set(stages), {"F", "D", "W", "Is", "Rd", "Ex"})

    def test_kanata_labels(self):
        self.write("loop.dvs", LOOP)
        instructions = replay(self.text("run", "loop.dvs", "--kanata", "-"))
        records = self.assemble(LOOP)
        # The loop is unrolled in the log; its second instruction is record 1 each time.
        first = [one["labels"][0] for one in instructions if one["labels"][0].startswith("1: ")]
        self.assertEqual(len(first), 5)
        self.assertEqual(len(set(first)), 1)
        # What stands behind the number assembles to the record.
        self.assertEqual(self.assemble(".gen cayman\n" + first[0][3:] + "\n"), records[64:128])
        self.assertIn("opcode 0x43, channels 128, elements 64", instructions[1]["labels"][1])

    def test_standard_output(self):
        self.write("p.dvs", TWO_INSTRUCTIONS)
        for option in ("--timeline", "--kanata"):
            self.assertEqual(self.text("run", "p.dvs", option, "file"), self.text("run", "p.dvs"))
            self.assertEqual(self.text("run", "p.dvs", option, "-"), self.path("file").read_text())
            self.refuse("run", "p.dvs", option, "-", "--stats", "-", says=(option, "same file", "legal"))

    def test_up_to_a_fault(self):
        self.write("p.dvs", FAULT_IN_THIRD)
        result = self.command("run", "p.dvs", "--timeline", "t.json", "--kanata", "k.log")
        self.assertEqual(result.returncode, FAULT)
        slices = self.slices(json.loads(self.path("t.json").read_text()))
        self.assertEqual({event["args"]["index"] for event in slices}, {0, 1})
        self.assertEqual(len(replay(self.path("k.log").read_text())), 2)

    def test_while_a_program_waits_for_ever(self):
        self.write("p.dvs", " nop\n wait sem[3] >= 1\n nop\n")
        result = self.command("run", "p.dvs", "--timeline", "t.json", "--kanata", "k.log")
        self.assertEqual(result.returncode, FAULT)
        self.assertEqual({event["args"]["index"] for event in
                          self.slices(json.loads(self.path("t.json").read_text()))}, {0})
        self.assertEqual(len(replay(self.path("k.log").read_text())), 1)

    def test_files_that_cannot_be_written(self):
        self.write("p.dvs", TWO_INSTRUCTIONS)
        for option in ("--timeline", "--kanata"):
            self.refuse("run", "p.dvs", option, "none/x", says=(option, "none/x", "cannot be written"))
            self.refuse("run", "p.dvs", option, "/dev/full", says=("/dev/full", "cannot be written", "space"))
            self.refuse("run", "p.dvs", option, "p.dvs", says=("would replace an input", "legal"))
            self.refuse("run", "p.dvs", option, "", says=(option, "empty", "legal"))
            self.refuse("run", "p.dvs", option, "x", "--log", "./x", says=(option, "same file", "--log", "legal"))


class CycleView(CommandLineTest):
    """Options of the cycle view: their values."""

    def setUp(self):
        super().setUp()
        self.write("p.dvs", TWO_INSTRUCTIONS)

    def test_good_values(self):
        for option, *values in (
            ("--trace-lanes", "all", "0", "127", "0,1,127", "0-3", "5-5,0-127"),
            ("--trace-window", "0:1", ":10", "10:", "0x10:0x20", "0:18446744073709551615"),
            ("--trace-scope", "*", "engine.seq*", "*.lane_[0-7].ALU?"),
        ):
            for value in values:
                result = self.command("run", "p.dvs", "--timing", "cycle", "--vcd", "x.vcd", option, value)
                self.assertEqual((result.returncode, result.stderr), (DONE, b""), (option, value))

    def test_bad_values(self):
        for option, *values in (
            ("--trace-lanes", "", "128", "-1", "3-2", "1,", ",", "all,1", "0-128", "1 ", "x", "1-2-3"),
            ("--trace-window", "", ":", "5", "5:5", "6:5", "a:b", "1:2:3", "-1:2", "0:18446744073709551616"),
            ("--trace-scope", "", "a b", "a/b", "a\n"),
            ("--vcd", ""), ("--fst", ""), ("--lane-trace", ""),
        ):
            for value in values:
                self.refuse("run", "p.dvs", "--timing", "cycle", f"{option}={value}", says=(option, "legal"))
        self.refuse("run", "p.dvs", "--vcd", "a", "--vcd", "b", says=("--vcd", "more than once", "legal"))


if __name__ == "__main__":
    main()
