# The firmware-style log of a run.
from dve_sim import TWO_INSTRUCTIONS, CommandLineTest, main


class Log(CommandLineTest):
    RUN = [
        "S: enter_run: start",
        "S: Dispatch opcode=0x43",
        "S: Tensor-Scalar",
        "S: OP=6 R[0] = OP(R[0], imm)",
        "S: OP=4 R[0] = OP(R[0], imm)",
        "S: Dispatch opcode=0x9d",
        "S: Scalar-Tensor-Tensor",
        "S: OP=6 R[0] = OP(R[0], imm)",
        "S: OP=4 R[0] = OP(R[0], R[1])",
        "S: Entering HALT",
    ]

    def setUp(self):
        super().setUp()
        self.write("p.dvs", TWO_INSTRUCTIONS)

    def lines(self, *options):
        return self.text("run", "p.dvs", "--log", "-", *options).splitlines()

    def test_two_instructions(self):
        lines = self.lines()
        start = lines.index("S: enter_run: start")
        self.assertTrue(all(line.startswith("R: register opcode=0x") for line in lines[:start]), lines)
        self.assertIn("R: register opcode=0x43 stub=0x2030 worker=0xa040", lines[:start])
        self.assertEqual(lines[start:], self.RUN)

    def test_workers_of_the_generation(self):
        program = TWO_INSTRUCTIONS.replace(".gen mariana\n", "")
        self.write("p.dvs", program)
        self.assertIn("R: register opcode=0x9e stub=0x2386 worker=0xad48", self.lines("--gen", "cayman"))
        self.assertIn("R: register opcode=0x9d stub=0x2076 worker=0xad84", self.lines("--gen", "maverick"))

    def test_file_holds_the_same(self):
        printed = self.text("run", "p.dvs", "--log", "-")
        summary = self.text("run", "p.dvs", "--log", "l.txt")
        self.assertEqual(self.path("l.txt").read_text(), printed)
        self.assertRegex(summary, r"^mariana: 2 instructions, \d+ cycles, \d+\.\d{3} us at 1\.2 GHz\n$")

    def test_no_log_without_the_option(self):
        self.assertNotIn("S: ", self.text("run", "p.dvs"))
        self.assertEqual(self.text("run", "p.dvs", "--quiet"), "")

    def test_control_instructions(self):
        self.write("p.dvs", " nop\n drain\n halt\n nop\n")
        lines = self.lines()
        self.assertEqual(lines[lines.index("S: enter_run: start") + 1], "S: NOP")
        self.assertEqual(lines.count("S: NOP"), 1)
        self.assertEqual([line for line in lines if line.startswith("S: Halt")], ["S: Halt"])

    def test_registers_and_scan_note(self):
        line = "tensor_tensor_scan_arith dst=z src0=x src1=y op0=subtract op1=max"
        self.write("p.dvs", TWO_INSTRUCTIONS + line + "\n")
        note = [text for text in self.lines("--set", "scan.recurrence=carried") if text.startswith("W: ")]
        self.assertEqual(len(note), 1, note)
        self.assertIn("sequentially", note[0])
        self.assertEqual([text for text in self.lines() if text.startswith("W: ")], [])

    def test_accumulator_warning(self):
        self.write("p.dvs", ".tensor a sbuf:0:0 1x1 fp32\n dve_read_accumulator dst=a\n")
        self.assertTrue(any(line.startswith("W: ") and "accumulator" in line for line in self.lines()))


if __name__ == "__main__":
    main()
