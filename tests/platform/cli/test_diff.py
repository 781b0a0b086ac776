# `dve-sim diff` on traces written here, as an RTL testbench would write them, and on those of runs.
import json
import struct

import numpy

from dve_sim import DONE, FAULT, FAULT_IN_THIRD, CommandLineTest, main

STAGES = ("READ0", "READ1", "CVT0", "CVT1", "SPLAT0", "ALU0", "SPLAT1", "ALU1", "PASS1", "PASS2", "PASS4", "PASS8",
          "CARRY", "ACCUMULATOR", "CVT_OUT")
FULL = 1


def header(generation="mariana", **more):
    lines = ["dve-lane-trace 1", f"generation {generation}"]
    lines += [f"{name.replace('__', '.')} {value}" for name, value in more.items()]
    return ("\n".join(lines) + "\n\n").encode()


def instruction(index, opcode, channels, elements, issue=0, start=0):
    record = bytes([opcode, 16]) + bytes(62)
    return b"INST" + struct.pack("<I5Q", channels, index, index, elements, issue, start) + record


def values(index, element, stage, words, cycle=0, encoding=FULL, second=()):
    head = struct.pack("<BBBxIIQQ", STAGES.index(stage), encoding, FULL if second else 0, element, len(words), index,
                       cycle)
    return b"VALS" + head + struct.pack(f"<{len(words) + len(second)}I", *words, *second)


def bits(number):
    return struct.unpack("<I", struct.pack("<f", number))[0]


def trace(lanes=4, instructions=2, elements=3, wrong=(), delay=0, stages=("READ0", "ALU0", "CVT_OUT"), channels=4,
          **names):
    """`wrong` holds (instruction, element, stage, lane) whose value is off by one."""
    parts = [header(**names)]
    for index in range(instructions):
        parts.append(instruction(index, 0x43 if index == 0 else 0x41, channels, elements))
    # Stage by stage, which is not the order of execution.
    for stage in stages:
        for index in range(instructions):
            for element in range(elements):
                words = [bits(lane + element + ((index, element, stage, lane) in wrong)) for lane in range(lanes)]
                parts.append(values(index, element, stage, words, cycle=10 * index + element + delay))
    return b"".join(parts)


class Diff(CommandLineTest):
    def compare(self, a, b, *options, status=FAULT):
        self.write("a.trace", a)
        self.write("b.trace", b)
        return self.text("diff", "a.trace", "b.trace", *options, status=status).splitlines()

    def test_equal(self):
        self.assertEqual(self.compare(trace(), trace(), status=DONE), ["equal: 2 instructions, 72 lane values"])
        self.assertEqual(self.compare(trace(instructions=0), trace(instructions=0), status=DONE),
                         ["equal: 0 instructions, 0 lane values"])

    def test_first_difference_in_execution_order(self):
        wrong = [(1, 0, "READ0", 0), (0, 2, "ALU0", 3), (0, 2, "ALU0", 1), (0, 2, "CVT_OUT", 0)]
        self.assertEqual(
            self.compare(trace(), trace(wrong=wrong)),
            ["instruction 0 tensor_scalar_arith, element 2, ALU0: lane 1 is 0x40400000 (3.0) in a.trace, "
             "0x40800000 (4.0) in b.trace"])
        lines = self.compare(trace(), trace(wrong=wrong), "--max", 10)
        self.assertEqual([line.split(" is ")[0] for line in lines], [
            "instruction 0 tensor_scalar_arith, element 2, ALU0: lane 1",
            "instruction 0 tensor_scalar_arith, element 2, ALU0: lane 3",
            "instruction 0 tensor_scalar_arith, element 2, CVT_OUT: lane 0",
            "instruction 1 tensor_tensor_arith, element 0, READ0: lane 0"])
        self.assertEqual(self.compare(trace(), trace(wrong=wrong), "--max", 3), lines[:3])

    def test_headers_come_first(self):
        lines = self.compare(trace(generation="mariana", scan__order="sequential"),
                             trace(generation="cayman", scan__order="rotate_combine", wrong=[(0, 0, "READ0", 0)]))
        self.assertEqual(lines[:2], [
            "header, generation: mariana in a.trace, cayman in b.trace",
            "header, scan.order: sequential in a.trace, rotate_combine in b.trace"])
        self.assertIn("lane 0 is", lines[2])
        self.assertEqual(self.compare(trace(), trace(generation="cayman")),
                         ["header, generation: mariana in a.trace, cayman in b.trace",
                          "otherwise equal: 2 instructions, 72 lane values"])
        # What only one of them says is no difference.
        self.compare(trace(scan__order="sequential"), trace(), status=DONE)

    def test_prefix(self):
        whole = trace(stages=("READ0",))
        size = len(values(0, 0, "READ0", [0] * 4))
        for cut, line in (
            (size, "b.trace ends first: its last value of READ0 is of instruction 1, element 1; a.trace goes on with "
                   "instruction 1 tensor_tensor_arith, element 2, READ0"),
            (4 * size, "b.trace ends first: its last value of READ0 is of instruction 0, element 1; a.trace goes on "
                       "with instruction 0 tensor_scalar_arith, element 2, READ0"),
            (6 * size, "b.trace has no value of READ0; a.trace has, first in instruction 0 tensor_scalar_arith, "
                       "element 0, READ0 (--stages compares a choice)"),
        ):
            self.assertEqual(self.compare(whole, whole[:-cut], "--max", 9), [line])
        self.assertEqual(self.compare(header(), whole, "--max", 9),
                         ["a.trace ends first: it has no instruction; b.trace goes on with instruction 0 "
                          "tensor_scalar_arith"])

    def test_stages_and_lanes_that_rtl_has(self):
        rtl = trace(lanes=2, stages=("READ0", "CVT_OUT"), wrong=[(0, 0, "READ0", 1)])
        model = trace()
        self.compare(model, rtl)
        self.assertEqual(self.compare(model, rtl, "--stages", "CVT_OUT,READ0", "--lanes", "0", status=DONE),
                         ["equal: 2 instructions, 12 lane values"])
        self.assertIn("lane 1 is", self.compare(model, rtl, "--stages", "READ0", "--lanes", "0-1")[0])
        self.assertIn("lanes are 4 in a.trace, 2 in b.trace", self.compare(model, rtl, "--stages", "CVT_OUT")[0])

    def test_a_choice_that_compares_nothing(self):
        self.write("a.trace", trace())
        for option, value in (("--stages", "PASS1"), ("--lanes", "100")):
            self.refuse("diff", "a.trace", "a.trace", option, value, says=("no value", "legal"))

    def test_cycles(self):
        self.compare(trace(), trace(delay=1), status=DONE)
        self.assertEqual(self.compare(trace(), trace(delay=1), "--cycles"),
                         ["instruction 0 tensor_scalar_arith, element 0, READ0: cycle is 0 in a.trace, 1 in b.trace"])
        first = header() + instruction(0, 0x43, 1, 1, issue=3, start=5)
        second = header() + instruction(0, 0x43, 1, 1, issue=3, start=6)
        self.compare(first, second, status=DONE)
        self.assertEqual(self.compare(first, second, "--cycles"),
                         ["instruction 0 tensor_scalar_arith: start cycle is 5 in a.trace, 6 in b.trace"])

    def test_print(self):
        self.write("a.trace", header() + instruction(7, 0x43, 2, 1, 8, 9) +
                   values(7, 0, "ALU0", [1, 0xFFFFFFFF], cycle=11, second=[2, 3]))
        lines = self.text("diff", "--print", "a.trace").splitlines()
        self.assertEqual(lines[0], "generation mariana")
        self.assertTrue(lines[1].startswith("instruction 7, record 7: "), lines)
        self.assertEqual(lines[2:], ["  channels 2, elements 1, issue 8, start 9",
                                     "  element 0 ALU0: 0x00000001 0xffffffff second 0x00000002 0x00000003"])
        self.assertEqual(
            self.text("diff", "--print", "--lanes", "1", "--cycles", "a.trace").splitlines()[3],
            "  element 0 ALU0 cycle 11: 0xffffffff second 0x00000003")
        self.assertEqual(len(self.text("diff", "--print", "--stages", "READ0", "a.trace").splitlines()), 3)

    def test_bad_usage(self):
        self.write("a.trace", trace())
        self.refuse("diff", says=("two files", "not 0", "usage: dve-sim diff"))
        self.refuse("diff", "a.trace", says=("two files", "not 1"))
        self.refuse("diff", "a.trace", "a.trace", "a.trace", says=("two files", "not 3"))
        self.refuse("diff", "--print", "a.trace", "a.trace", says=("one file", "not 2"))
        self.refuse("diff", "-", "-", says=("standard input", "legal"))
        for option, *bad in (("--max", "0", "-1", "x", "4294967296"), ("--lanes", "", "128", "3-1"),
                             ("--stages", "", "ALU", "alu0", "ALU0,")):
            for value in bad:
                self.refuse("diff", "a.trace", "a.trace", option, value, says=(option, "legal"))
        self.refuse("diff", "--print", "--max", "2", "a.trace", says=("--max", "legal"))

    def test_bad_files(self):
        good = trace()
        self.write("a.trace", good)
        self.refuse("diff", "a.trace", "none.trace", says=("none.trace", "cannot be read"))
        self.refuse("diff", "a.trace", ".", says=(".", "cannot be read"))
        for content, *says in (
            (b"", "no lane trace", "legal"), (b"\x93NUMPY", "no lane trace", "legal"),
            (b"dve-lane-trace 1\n\n", "generation", "legal"), (good[:-1], "cut off", "bytes"),
            (good[:-1] + b"xABC", "cut off"), (good + b"WHAT", "tag 0x54414857", "legal: INST, VALS"),
            (header() + values(3, 0, "READ0", [1]), "instruction 3", "not begun", "legal"),
            (header() + instruction(0, 0x43, 200, 1), "200 channels", "legal"),
            # A count that only a file of gibibytes could hold.
            (header() + instruction(0, 0x43, 1, 1) + b"VALS" + struct.pack("<BBBxIIQQ", 0, 1, 0, 0, 1 << 30, 0, 0),
             "1073741824 lanes", "legal: 1..128"),
        ):
            self.write("b.trace", content)
            self.refuse("diff", "a.trace", "b.trace", says=("b.trace: ", *says))

    def test_pipes(self):
        self.write("a.trace", trace())
        self.assertIn("equal", self.text("diff", "-", "a.trace", stdin=trace()))
        self.refuse("diff", "-", "a.trace", stdin=b"", says=("-: ", "no lane trace"))


def read_trace(content):
    """Header and the words of (instruction, element, stage), by a reader of our own."""
    text, _, rest = content.partition(b"\n\n")
    lines = text.decode().split("\n")
    assert lines[0] == "dve-lane-trace 1"
    at, begun, found = 0, {}, {}
    before = {}
    while at < len(rest):
        if rest[at:at + 4] == b"INST":
            channels, index, _, elements, issue, start = struct.unpack_from("<I5Q", rest, at + 4)
            begun[index] = (channels, elements, issue, start, rest[at + 48:at + 112])
            at += 112
            continue
        assert rest[at:at + 4] == b"VALS"
        stage, encoding, second, element, lanes, index, cycle = struct.unpack_from("<BBBxIIQQ", rest, at + 4)
        at += 32
        words = []
        for number, code in enumerate((encoding, second)):
            if code == 0:
                words.append(None)
            elif code == 3:
                words.append(before[index, stage][number])
            else:
                count = lanes if code == 1 else 1
                values_read = numpy.frombuffer(rest, "<u4", count, at)
                words.append(numpy.resize(values_read, lanes))
                at += 4 * count
        before[index, stage] = words
        assert (index, element, STAGES[stage]) not in found
        found[index, element, STAGES[stage]] = (cycle, *words)
    return dict(line.split(" ", 1) for line in lines[1:]), begun, found


MODEL = """\
.gen mariana
.tensor x sbuf:0:0x0000 128x6 fp32
.tensor h sbuf:0:0x1000 128x6 fp16
.tensor y sbuf:0:0x2000 128x6 fp32
        tensor_scalar_arith dst=h src=x op0=mult imm0=2.0 op1=add imm1=1.0
        nop
        tensor_tensor_arith dst=y src0=x src1=h op=subtract
"""


class Model(CommandLineTest):
    """Traces of the cycle pipeline."""

    def setUp(self):
        super().setUp()
        self.write("p.dvs", MODEL)
        self.x = numpy.arange(128 * 6, dtype="<f4").reshape(128, 6) % 37 - 5
        self.save("x.npy", self.x)

    def run_model(self, name, *options, x="x.npy"):
        self.succeed("run", "p.dvs", "--quiet", "--timing", "cycle", "--load", f"x={x}", "--lane-trace", name, *options)
        return self.path(name).read_bytes()

    def test_values_are_those_of_the_arrays(self):
        content = self.run_model("a.trace", "--dump", "y=y.npy", "--stats", "s.json")
        names, begun, found = read_trace(content)
        self.assertEqual((names["generation"], names["semantics"], names["scan.order"]),
                         ("mariana", "reference", "rotate_combine"))
        self.assertFalse([name for name in names if name.startswith("seq.")])
        entries = json.loads(self.path("s.json").read_text())["instructions"]
        records = self.assemble(MODEL)
        self.assertEqual(set(begun), {0, 2})
        for index, (channels, elements, issue, start, record) in begun.items():
            entry = entries[index]
            self.assertEqual((channels, elements, issue, start),
                             (128, 6, entry["issue_cycle"], entry["start_cycle"]))
            self.assertEqual(record, records[64 * index:64 * index + 64])
        h = (2 * self.x + 1).astype("<f2")
        expected = {
            (0, "READ0"): self.x, (0, "CVT0"): self.x, (0, "ALU0"): 2 * self.x, (0, "ALU1"): 2 * self.x + 1,
            (2, "READ0"): self.x, (2, "CVT1"): h.astype("<f4"), (2, "ALU0"): self.x - h.astype("<f4"),
            (2, "CVT_OUT"): self.load("y.npy"),
        }
        for (index, stage), array in expected.items():
            for element in range(6):
                words = found[index, element, stage][1]
                numpy.testing.assert_array_equal(words, array[:, element].astype("<f4").view("<u4"), f"{index} {stage}")
        for element in range(6):
            for index, stage in ((0, "CVT_OUT"), (2, "READ1")):
                numpy.testing.assert_array_equal(found[index, element, stage][1], h[:, element].view("<u2"))

    def test_same_run_same_trace(self):
        self.assertEqual(self.run_model("a.trace"), self.run_model("b.trace"))
        self.assertTrue(self.text("diff", "a.trace", "b.trace", "--cycles").startswith("equal: 2 instructions, "))
        printed = self.succeed("run", "p.dvs", "--timing", "cycle", "--load", "x=x.npy", "--lane-trace", "-")
        self.assertEqual(printed, self.path("a.trace").read_bytes())

    def test_a_wrong_input_is_found_where_it_enters(self):
        wrong = self.x.copy()
        wrong[77, 4] += 1
        self.save("wrong.npy", wrong)
        self.run_model("a.trace")
        self.run_model("b.trace", x="wrong.npy")
        line = self.text("diff", "a.trace", "b.trace", status=FAULT)
        self.assertTrue(line.startswith("instruction 0 tensor_scalar_arith, element 4, READ0: lane 77 is "), line)

    def test_cycles_are_compared_on_demand(self):
        self.run_model("a.trace")
        self.run_model("b.trace", "--set", "pipeline.alu0=3")
        self.assertIn("equal", self.text("diff", "a.trace", "b.trace"))
        self.assertIn("cycle is ", self.text("diff", "a.trace", "b.trace", "--cycles", status=FAULT))

    def test_up_to_a_fault(self):
        self.write("p.dvs", FAULT_IN_THIRD)
        result = self.command("run", "p.dvs", "--timing", "cycle", "--lane-trace", "a.trace")
        self.assertEqual(result.returncode, FAULT)
        self.assertIn("equal: 2 instructions", self.text("diff", "a.trace", "a.trace"))

    def test_files_that_cannot_be_written(self):
        for file, *says in (("none/x", "cannot be written"), ("/dev/full", "cannot be written", "space"),
                            ("p.dvs", "would replace an input", "legal")):
            self.refuse("run", "p.dvs", "--timing", "cycle", "--lane-trace", file, says=(file, *says))


if __name__ == "__main__":
    main()
