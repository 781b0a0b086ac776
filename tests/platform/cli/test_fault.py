# After a fault or a deadlock: message, statistics, log and dumps, and what earlier records did.
import json

import numpy

from dve_sim import FAULT, FAULT_IN_THIRD, CommandLineTest, main

X = numpy.array([[1, 2, 3, 4]], "<f4")
Y = (2 * X + 1).tolist()
Z = (3 * X + 2 * X + 1).tolist()  # before the record that is refused

FAULT_LINE = (
    "record 2 at byte 128: opcode 0x43 tensor_scalar_arith: SEQUENCER_FATAL: tensor_scalar_reverse_chk: "
    "reverse_operands = 0x9, legal: none 0, first 1, second 2, both 3")


class Faults(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.write("p.dvs", FAULT_IN_THIRD)
        self.write("y.npy", "old bytes")
        self.save("x.npy", X)

    def run_faulting(self, program, *options):
        result = self.command("run", program, "--load", "sbuf:0:0=x.npy", *options)
        self.assertEqual(result.returncode, FAULT)
        return result.stdout.decode(), result.stderr.decode(errors="replace")

    def test_message_of_text(self):
        self.assertEqual(self.run_faulting("p.dvs"), ("", f"dve-sim: p.dvs:7: {FAULT_LINE}\n"))

    def test_message_of_records(self):
        self.write("p.bin", self.assemble(FAULT_IN_THIRD))
        self.assertEqual(self.run_faulting("p.bin"), ("", f"dve-sim: p.bin: {FAULT_LINE}\n"))

    def test_statistics_up_to_the_fault(self):
        self.run_faulting("p.dvs", "--stats", "s.json")
        statistics = json.loads(self.path("s.json").read_text())
        self.assertEqual(statistics["fault"], f"p.dvs:7: {FAULT_LINE}")
        self.assertEqual([entry["index"] for entry in statistics["instructions"]], [0, 1])
        self.assertEqual(
            [entry["mnemonic"] for entry in statistics["instructions"]],
            ["tensor_scalar_arith", "scalar_tensor_tensor_arith"])
        self.assertEqual(statistics["counters"]["instructions"], 2)
        self.assertEqual(statistics["total_cycles"], statistics["instructions"][1]["end_cycle"])

    def test_statistics_on_standard_output(self):
        out, error = self.run_faulting("p.dvs", "--stats", "-")
        self.assertIn("reverse_operands", json.loads(out)["fault"])
        self.assertEqual(error.count("\n"), 1)

    def test_log_up_to_the_fault(self):
        self.run_faulting("p.dvs", "--log", "l.txt")
        lines = self.path("l.txt").read_text().splitlines()
        self.assertEqual(lines.count("S: Dispatch opcode=0x43"), 1)
        self.assertEqual(lines.count("S: Dispatch opcode=0x9d"), 1)
        self.assertEqual(lines[-2:], [f"S: Assertion failure! {FAULT_LINE}", "S: Entering HALT"])

    def test_log_of_a_bad_opcode(self):
        self.write("p.dvs", " nop\n.raw 0610" + "00" * 62 + "\n")
        self.run_faulting("p.dvs", "--log", "l.txt")
        self.assertEqual(
            self.path("l.txt").read_text().splitlines()[-2:],
            ["S: ErrorHandler : Bad Opcode(0x6)", "S: Entering HALT"])

    def test_dumps_only_on_demand(self):
        dumps = ("--dump", "y=y.npy", "--dump", "z=z.npy", "--dump", "x=after.npy")
        self.run_faulting("p.dvs", *dumps)
        self.assertEqual(self.path("y.npy").read_bytes(), b"old bytes")
        self.assertFalse(self.path("z.npy").exists())
        self.run_faulting("p.dvs", *dumps, "--dump-on-fault")
        self.assertEqual(self.load("y.npy").tolist(), Y)
        self.assertEqual(self.load("z.npy").tolist(), Z)
        self.assertEqual(self.load("after.npy").tolist(), X.tolist())

    def test_memory_error_leaves_no_half_tensor(self):
        line = " tensor_scalar_arith dst=R[5]:4:fp32 src=x op0=mult imm0=5.0\n"
        self.write("p.dvs", ".tensor x sbuf:0:0 1x4 fp32\n" + line)
        _, error = self.run_faulting(
            "p.dvs", "--reg", "5=0x3fff8", "--dump", "sbuf:0:0x3fff8:1x2:fp32=y.npy", "--dump-on-fault")
        self.assertIn("MEMORY_ERROR", error)
        self.assertEqual(self.load("y.npy").tolist(), [[0, 0]])

    def test_file_name_that_is_no_utf8(self):
        name = b"p\xff.dvs".decode("utf-8", "surrogateescape")
        self.path(name).write_text(FAULT_IN_THIRD)
        out, error = self.run_faulting(name, "--stats", "-")
        self.assertIn(FAULT_LINE, json.loads(out)["fault"])
        self.assertEqual(error.count("\n"), 1)

    def test_quiet_fault_is_still_reported(self):
        self.assertIn(FAULT_LINE, self.run_faulting("p.dvs", "--quiet")[1])


class Deadlocks(CommandLineTest):
    SOURCE = ".tensor x sbuf:0:0 1x4 fp32\n tensor_scalar_arith dst=x src=x\n{}\n nop\n nop\n"

    def test_every_kind_of_wait(self):
        cases = (
            ("wait sem[3] >= 1", ("sem_ge_imm", "wait_idx=3", "semaphore_value=1")),
            ("wait sem[255] == 7", ("sem_eq_imm", "wait_idx=255", "semaphore_value=7")),
            ("wait sem[3] > R[2]", ("sem_gt_reg", "wait_idx=3", "semaphore_value=2")),
            ("wait event[9] set", ("evt_set", "wait_idx=9")),
        )
        for wait, says in cases:
            source = self.SOURCE.format(wait)
            self.write("p.dvs", source)
            self.write("p.bin", self.assemble(source))
            place = "record 1 at byte 64"
            for program, where in (("p.dvs", f"p.dvs:4: {place}"), ("p.bin", f"p.bin: {place}")):
                self.refuse(
                    "run", program, "--dump", "sbuf:0:0:1x4:fp32=y.npy", status=FAULT,
                    says=(f"{where}: waits for ever: nop", *says))

    def test_statistics_and_log(self):
        self.write("p.dvs", self.SOURCE.format("wait sem[3] >= 1"))
        result = self.command("run", "p.dvs", "--stats", "s.json", "--log", "l.txt")
        self.assertEqual((result.returncode, result.stdout), (FAULT, b""))
        statistics = json.loads(self.path("s.json").read_text())
        self.assertEqual([entry["index"] for entry in statistics["instructions"]], [0])
        self.assertIn("waits for ever", statistics["fault"])
        self.assertEqual(statistics["total_cycles"], statistics["instructions"][0]["end_cycle"])
        self.assertIn("S: Dispatch opcode=0x43", self.path("l.txt").read_text())

    def test_a_preset_or_an_earlier_update_ends_the_wait(self):
        self.write("p.dvs", self.SOURCE.format("wait sem[3] >= 1"))
        self.assertIn("3 instructions", self.text("run", "p.dvs", "--sem", "3=1"))
        first, rest = self.SOURCE.format("wait sem[3] >= 1").split("\n", 1)
        self.write("p.dvs", f"{first}\nupdate sem[3] += 1\n{rest}")
        self.assertIn("3 instructions", self.text("run", "p.dvs"))


if __name__ == "__main__":
    main()
