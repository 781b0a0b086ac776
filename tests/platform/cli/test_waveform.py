# Waveforms of the cycle view: which slot is busy in which cycle, and with what values.
import json
import signal
import subprocess
import time

import numpy

from dve_sim import DONE, DVE_SIM, FAULT, FAULT_IN_THIRD, TWO_INSTRUCTIONS, CommandLineTest, main
from vcd import Waveform

PERIOD = 833  # picoseconds of a cycle at 1.2 GHz
LANE = 5
# Cycles from the READ of an element to each stage, with the default parameters (timing).
CVT, ALU0, ALU1, PASSES, CARRY = 60, 61, 62, (63, 64, 65, 66), 67
ALU0_CODE = {"mult": 6, "add": 4}


def scan_program(elements):
    return f"""\
.gen mariana
.tensor x sbuf:0:0x0000 8x{elements} fp32
.tensor y sbuf:0:0x4000 8x{elements} fp32
.tensor z sbuf:0:0x8000 8x{elements} fp32
        tensor_tensor_scan_arith dst=z src0=x src1=y imm0=3.0 op0=mult op1=add
"""


def bits(values):
    return numpy.asarray(values, "<f4").view("<u4").astype(int).tolist()


def network_states(c):
    """What each pass of the rotate-combine network gives, then the carry: decisions 1, by hand."""
    states, now = [], c.copy()
    for stride in (1, 2, 4, 8):
        after = now.copy()
        for i in range(len(c)):
            if i % 16 >= stride:
                after[i] = now[i - stride] + now[i]
        states.append(after)
        now = after
    final = now.copy()
    for i in range(16, len(c)):
        final[i] = final[i - i % 16 - 1] + now[i]
    return [*states, final]


class WaveformTest(CommandLineTest):
    def trace(self, program, *arguments, lanes=str(LANE), status=DONE, name="w.vcd"):
        self.write("p.dvs", program)
        result = self.command("run", "p.dvs", "--timing", "cycle", "--vcd", name, "--trace-lanes", lanes,
                              "--stats", "s.json", *arguments)
        self.assertEqual(result.returncode, status, result.stderr)
        self.stats = json.loads(self.path("s.json").read_text())
        return Waveform(self.path(name).read_text())

    def cycles(self, waveform, slot, total=None):
        """Cycles in which a slot is valid, with the element it holds."""
        times = [PERIOD * cycle for cycle in range((total or self.stats["total_cycles"]) + 1)]
        valid = waveform.series(f"engine.dve.{slot}.valid", times)
        element = waveform.series(f"engine.dve.{slot}.element", times)
        return {cycle: element[cycle] for cycle in range(len(times)) if valid[cycle]}

    def values(self, waveform, stage, cycles):
        times = [PERIOD * cycle for cycle in cycles]
        return waveform.series(f"engine.dve.lane_{LANE}.{stage}", times)


class Scans(WaveformTest):
    def test_passes(self):
        for elements in (16, 17, 256, 300):
            with self.subTest(elements=elements):
                generator = numpy.random.default_rng(elements)
                x = generator.standard_normal((8, elements)).astype("<f4")
                y = generator.standard_normal((8, elements)).astype("<f4")
                self.save("x.npy", x)
                self.save("y.npy", y)
                waveform = self.trace(scan_program(elements), "--load", "x=x.npy", "--load", "y=y.npy",
                                      "--dump", "z=z.npy")
                (instruction,) = self.stats["instructions"]
                start = instruction["start_cycle"]
                reads = {start + i: i for i in range(elements)}
                self.assertEqual(self.cycles(waveform, "READ"), reads)

                def later(offset, wanted=lambda i: True):
                    return {cycle + offset: i for cycle, i in reads.items() if wanted(i)}

                for number, stride in enumerate((1, 2, 4, 8)):
                    expected = later(PASSES[number], lambda i: i % 16 >= stride)
                    for slot in ("ROTATE", "COMBINE"):
                        self.assertEqual(self.cycles(waveform, f"{slot}{stride}"), expected)
                self.assertEqual(self.cycles(waveform, "CARRY"), later(CARRY, lambda i: i >= 16))

                c = (x[LANE] * numpy.float32(3.0)) + y[LANE]
                self.assertEqual(self.values(waveform, "ALU0", later(ALU0)), bits(x[LANE] * numpy.float32(3.0)))
                self.assertEqual(self.values(waveform, "ALU1", later(ALU1)), bits(c))
                states = network_states(c)
                for number, stride in enumerate((1, 2, 4, 8)):
                    self.assertEqual(self.values(waveform, f"PASS{stride}", later(PASSES[number])),
                                     bits(states[number]))
                self.assertEqual(self.values(waveform, "CARRY", later(CARRY)), bits(states[4]))
                self.assertEqual(bits(self.load("z.npy")[LANE]), bits(states[4]))

    def test_orders_have_their_own_cost(self):
        for order, recurrence, cycles in (("rotate_combine", "combine_prefix", 100), ("rotate_combine", "carried", 100),
                                          ("sequential", "combine_prefix", 100), ("sequential", "carried", 200)):
            waveform = self.trace(scan_program(100), "--set", f"scan.order={order}", "--set",
                                  f"scan.recurrence={recurrence}")
            reads = sorted(self.cycles(waveform, "READ"))
            first_slot = 0 if cycles == 100 else 1  # the second cycle of an element that takes two
            start = self.stats["instructions"][0]["start_cycle"]
            self.assertEqual(reads, [start + first_slot + i * cycles // 100 for i in range(100)])
            passes = sum(len(self.cycles(waveform, f"COMBINE{stride}")) for stride in (1, 2, 4, 8))
            network = order == "rotate_combine"
            # 6 windows of 16 and one of 4
            self.assertEqual(passes, 6 * (15 + 14 + 12 + 8) + (3 + 2) if network else 0)


class Stages(WaveformTest):
    def test_bundles_of_tensor_scalar(self):
        """Splat and operation share a cycle; a packed beat carries four elements of a lane."""
        x = numpy.arange(8 * 10, dtype="<f2").reshape(8, 10)
        self.save("x.npy", x)
        waveform = self.trace("""\
.gen mariana
.tensor x sbuf:0:0x0000 8x10 fp16
.tensor z sbuf:0:0x8000 8x10 fp16
        tensor_scalar_arith dst=z src=x op0=mult imm0=2.0 op1=add imm1=0.5
""", "--load", "x=x.npy")
        start = self.stats["instructions"][0]["start_cycle"]
        for slot, offset in (("READ", 0), ("CVT_IN", CVT), ("SPLAT0", ALU0), ("ALU0", ALU0), ("SPLAT1", ALU1),
                             ("ALU1", ALU1), ("CVT_OUT", 63), ("WRITE", 64)):
            self.assertEqual(self.cycles(waveform, slot), {start + offset: 3, start + offset + 1: 7,
                                                           start + offset + 2: 9}, slot)
        cycle = start + ALU1 + 1
        self.assertEqual([self.values(waveform, name, [cycle])[0] for name in ("ALU1", "ALU1_1", "ALU1_2", "ALU1_3")],
                         bits(x[LANE, 4:8].astype("<f4") * 2 + numpy.float32(0.5)))
        self.assertEqual(self.values(waveform, "SPLAT0", [cycle]), bits([2.0]))
        self.assertEqual(waveform.at("engine.dve.ALU0.operation", PERIOD * (start + ALU0)), ALU0_CODE["mult"])
        self.assertEqual(waveform.at("engine.dve.ALU1.operation", PERIOD * (start + ALU1)), ALU0_CODE["add"])
        self.assertEqual(waveform.at("engine.dve.CVT_IN.dtype", PERIOD * (start + CVT)), 7)  # FP16

    def test_sequencer(self):
        waveform = self.trace(".gen mariana\n nop\n.tensor x sbuf:0:0 1x4 fp32\n"
                              " tensor_scalar_arith dst=x src=x op0=mult imm0=2.0 op1=bypass\n halt\n")
        states = ["IDLE", "FETCH", "DECODE", "WAIT", "DISPATCH", "CONTROL", "DRAIN", "HALTED"]
        seen = [states[int(value, 2)] for _, value in waveform.changes["engine.seq.state"]]
        self.assertEqual([state for state in seen if state in ("CONTROL", "DISPATCH", "DRAIN", "HALTED")],
                         ["CONTROL", "DISPATCH", "CONTROL", "DRAIN", "HALTED"])
        issue = self.stats["instructions"][1]["issue_cycle"]
        self.assertEqual(waveform.at("engine.seq.lookup", PERIOD * issue), 1)
        self.assertEqual(waveform.at("engine.seq.lookup", PERIOD * (issue + 1)), 0)
        self.assertEqual(waveform.at("engine.seq.opcode", PERIOD * issue), 0x43)
        self.assertEqual(waveform.text_at("engine.seq.mnemonic", PERIOD * issue), "tensor_scalar_arith")
        self.assertEqual(waveform.at("engine.seq.program_counter", PERIOD * issue), 64)

    def test_semaphores_and_ports(self):
        waveform = self.trace(""".gen mariana
.tensor p psum:0:0x800 1x100 fp32
.tensor z sbuf:0:0x0 1x100 fp32
 update sem[3] += 2
 tensor_scalar_arith dst=z src=p op0=mult imm0=2.0 op1=bypass
""")
        (record,) = self.stats["instructions"]
        when, value = waveform.changes["engine.seq.semaphores.s3"][-1]
        self.assertEqual((when, int(value, 2)), (PERIOD * record["end_cycle"], 2))
        reading = PERIOD * (record["start_cycle"] + 50)
        self.assertEqual([waveform.at(f"engine.dve.{name}", reading) for name in
                          ("psum_read", "psum_banks", "sbuf_read", "sbuf_write")], [1, 2, 0, 0])
        writing = PERIOD * (record["end_cycle"] - 40)
        self.assertEqual([waveform.at(f"engine.dve.{name}", writing) for name in
                          ("psum_read", "psum_banks", "sbuf_write")], [0, 0, 1])


    def test_stalls(self):
        """As many cycles of a cause in the waveform as in the statistics."""
        waveform = self.trace(""".gen mariana
.tensor x sbuf:0:0 8x100 fp32
.tensor y sbuf:0:0x1000 8x100 fp32
 update sem[3] += 1
 tensor_scalar_arith dst=y src=x op0=mult imm0=2.0 op1=bypass
 tensor_scalar_arith dst=x src=y op0=mult imm0=2.0 op1=bypass
 wait sem[3] >= 1
 nop
""")
        times = [PERIOD * cycle for cycle in range(self.stats["total_cycles"])]
        causes = waveform.series("engine.dve.stall", times)
        self.assertEqual(causes.count(3), self.stats["counters"]["stalls"]["hazard"])
        self.assertEqual(set(causes), {0, 3})
        waits = waveform.series("engine.seq.stall", times).count(4)
        self.assertEqual(waits, self.stats["instructions"][2]["stalls"]["semaphore"])
        self.assertGreater(waits, 100)


class Files(WaveformTest):
    def test_lanes_window_scope(self):
        waveform = self.trace(scan_program(64), "--trace-window", "70:80", "--trace-scope", "engine.dve*",
                              lanes="0,7")
        self.assertEqual((min(waveform.times), max(waveform.times) <= PERIOD * 80), (PERIOD * 70, True))
        lanes = {name.split(".")[2] for name in waveform.changes if ".lane_" in name}
        self.assertEqual(lanes, {"lane_0", "lane_7"})
        self.assertFalse([name for name in waveform.changes if name.startswith("engine.seq")])

    def test_same_run_same_bytes(self):
        for name in ("a.vcd", "b.vcd"):
            self.trace(scan_program(100), lanes="all", name=name)
        self.assertEqual(self.path("a.vcd").read_bytes(), self.path("b.vcd").read_bytes())

    def test_a_traced_run_is_the_same_run(self):
        program = TWO_INSTRUCTIONS
        self.write("p.dvs", program)
        self.assertEqual(self.command("run", "p.dvs", "--timing", "cycle", "--stats", "plain.json").returncode, DONE)
        self.trace(program, lanes="all")
        self.assertEqual(self.path("plain.json").read_text(), self.path("s.json").read_text())

    def test_fault(self):
        waveform = self.trace(FAULT_IN_THIRD, status=FAULT)
        self.assertEqual(waveform.changes["engine.seq.state"][-1][1], "1000")
        self.assertEqual(len(self.cycles(waveform, "READ")), 2 * 4)

    def test_interrupt_leaves_a_whole_file(self):
        self.write("p.dvs", ".gen mariana\n.tensor x sbuf:0:0 128x2048 fp32\n"
                   + " tensor_scalar_arith dst=x src=x op0=mult imm0=1.0 op1=bypass\n" * 20000)
        process = subprocess.Popen([DVE_SIM, "run", "p.dvs", "--timing", "cycle", "--vcd", "w.vcd", "--stats", "s.json"],
                                   cwd=self.folder, stderr=subprocess.PIPE)
        while not self.path("w.vcd").exists() or self.path("w.vcd").stat().st_size < 2_000_000:
            time.sleep(0.02)
            self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertRegex(errors.decode(), r"^dve-sim: interrupted after \d+ instructions\n$")
        waveform = Waveform(self.path("w.vcd").read_text())
        retired = json.loads(self.path("s.json").read_text())["counters"]["instructions"]
        self.assertGreater(max(waveform.times), PERIOD * 2048 * (retired - 1))

    def test_viewer_files(self):
        waveform = self.trace(scan_program(16))
        names = {line.split("[")[0].rsplit(" ", 1)[-1] for line in self.path("w.gtkw").read_text().splitlines()
                 if line.startswith(("engine.", "+{"))}
        self.assertLessEqual(names, set(waveform.changes))
        filters = {path.name.rsplit("_", 1)[0] for path in self.path("w.filters").iterdir()}
        self.assertEqual(filters, {"alu_op", "dtype", "opcode", "sequencer_state", "stall_cause"})

    def test_fst(self):
        self.write("p.dvs", scan_program(16))
        result = self.command("run", "p.dvs", "--timing", "cycle", "--fst", "w.fst")
        if b"without FST" in result.stderr:
            self.skipTest("built without FST")
        self.assertEqual(result.returncode, DONE, result.stderr)
        self.assertGreater(self.path("w.fst").stat().st_size, 1000)

    def test_refusals(self):
        self.write("p.dvs", TWO_INSTRUCTIONS)
        for option in ("--vcd", "--fst", "--lane-trace"):
            self.refuse("run", "p.dvs", option, "x", says=(option, "needs --timing cycle"))
        self.refuse("run", "p.dvs", "--timing", "cycle", "--vcd", "x.vcd", "--trace-scope", "nothing",
                    says=("--trace-scope", "matches no signal", "legal", "engine.dve"))
        self.refuse("run", "p.dvs", "--timing", "cycle", "--trace-lanes", "1", says=("--trace-lanes", "--vcd"))
        cycle = ("run", "p.dvs", "--timing", "cycle")
        self.refuse(*cycle, "--vcd", "none/x.vcd", says=("none/x.vcd", "cannot be"))
        self.refuse(*cycle, "--vcd", "w.vcd", "--stats", "w.gtkw", says=("w.gtkw", "same file", "legal"))
        self.refuse(*cycle, "--vcd", "p.dvs", says=("would replace an input",))
        self.refuse(*cycle, "--vcd", "w.vcd", "--fst", "w.fst", says=("w.gtkw", "legal"))
        self.refuse("run", "p.dvs", "--timing", "approx", "--vcd", "x.vcd", says=("--vcd", "needs --timing cycle"))


if __name__ == "__main__":
    main()
