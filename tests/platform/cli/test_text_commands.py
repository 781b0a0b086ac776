# asm, disasm and check: round trips, lists of bad records, standard input and output.
import numpy

from dve_sim import FAULT, RECORD_BYTES, TWO_INSTRUCTIONS, CommandLineTest, main

EVERYTHING = """\
.gen mariana                       ; every kind of line
.tensor x  sbuf:0:0x0000  128x16 bf16
.tensor w  sbuf:0:0x1000  128x4x4 fp32 step=8,1
.tensor i  sbuf:0:0x2000  128x16 int16
.tensor r  psum:0:0x0000  128x16 fp32
start:  wait sem[3] >= 1
        update sem[4] += 1 on read
        tensor_scalar_arith dst=r src=x op0=mult imm0=0.125 op1=add imm1=-1e-3 reverse=both
        tensor_scalar_arith_op dst=x src=w op0=max imm0=@sbuf:0:0x3000 op1=min imm1=@R[5]
        tensor_scalar_bitvec dst=i src=i[::-1] op0=bitwise_xor imm0=255 op1=bypass
        tensor_scalar_ptr_arith dst=x src=x op0=add imm0=@sbuf:0:0x3000 op1=mult imm1=@sbuf:0:0x3004
        tensor_scalar_ptr_bitvec dst=i src=i op0=bitwise_or imm0=@sbuf:0:0x3000 op1=bitwise_and imm1=@sbuf:0:0x3004
        wait event[7] set_then_clear
        scalar_tensor_tensor_arith dst=x src0=x imm0=2.0 op0=mult src1=r op1=subtract reverse=second
        scalar_tensor_tensor_bitvec dst=i src0=i imm0=3 op0=bitwise_and src1=i[5] op1=bitwise_or
        tensor_tensor_scan_arith dst=x src0=x src1=sbuf:0:0x4000:16/0:fp32 imm0=0x3f800000 op0=mult op1=add
        dve_read_accumulator dst=sbuf:0:0x5000:1:fp32 negated=1 num_active_channels=128
        tensor_scalar_arith dst=R[3]:16:fp32 src=word:0x80000004:4x4/4,1:fp32 num_active_channels=32
        tensor_scalar_arith dst=x src=indirect(sbuf:0:0x100,sbuf:0:0x200,16) in_dtype=fp32
        move num_mov=2 dtype=uint32 data_src=immediate dst_registers=1,2 immediates=5,-7
        compare_branch cmp_op=1 dtype=uint32 cmp_immediate=3 cmp_reg0=1 br_immediate=@start
        update event[9] clear
        event_semaphore
        nop debug_cmd=9 debug_hint=2
        drain
        .raw 06 10 {zeros}
        halt
""".format(zeros="00" * 62)


class RoundTrips(CommandLineTest):
    def trip(self, records, *options):
        text = self.succeed("disasm", "-", *options, stdin=records)
        self.assertEqual(self.succeed("asm", "-", "-o", "-", *options, stdin=text), records)
        return text.decode()

    def test_everything(self):
        records = self.assemble(EVERYTHING)
        self.assertEqual(len(records), 18 * RECORD_BYTES)
        text = self.trip(records)
        self.assertEqual(text.count(".raw"), 1)
        for part in ("wait sem[3] >= 1", "update sem[4] += 1 on read", "imm1=@R[5]", "br_immediate=-12", "negated=1"):
            self.assertIn(part, text)

    def test_random_bytes(self):
        generator = numpy.random.default_rng(1)
        records = generator.integers(0, 256, (8000, RECORD_BYTES), numpy.uint8)
        records[::2, 1] = 16  # half of them with a good header
        for generation in ("sunda", "mariana", "maverick"):
            self.trip(records.tobytes(), "--gen", generation)

    def test_legal_records_with_random_flips(self):
        generator = numpy.random.default_rng(2)
        legal = numpy.frombuffer(self.assemble(EVERYTHING), numpy.uint8).reshape(-1, RECORD_BYTES)
        records = legal[generator.integers(0, len(legal), 8000)].copy()
        rows = numpy.arange(len(records))
        for _ in range(3):
            columns = generator.integers(0, RECORD_BYTES, len(records))
            flipped = records[rows, columns] ^ (1 << generator.integers(0, 8, len(records)))
            records[rows, columns] = numpy.where(generator.random(len(records)) < 0.7, flipped, records[rows, columns])
        self.trip(records.tobytes())

    def test_every_opcode(self):
        records = numpy.zeros((256, RECORD_BYTES), numpy.uint8)
        records[:, 0] = numpy.arange(256)
        records[:, 1] = 16
        self.trip(records.tobytes())

    def test_empty(self):
        self.assertEqual(self.trip(b""), ".gen mariana\n")
        self.assertEqual(self.trip(b"", "--gen", "sunda"), ".gen sunda\n")

    def test_files(self):
        self.write("p.dvs", EVERYTHING)
        self.assertEqual(self.succeed("asm", "p.dvs", "-o", "p.bin"), b"")
        self.assertEqual(self.path("p.bin").read_bytes(), self.assemble(EVERYTHING))
        printed = self.succeed("disasm", "p.bin")
        self.assertEqual(self.succeed("disasm", "p.bin", "-o", "q.dvs"), b"")
        self.assertEqual(self.path("q.dvs").read_bytes(), printed)
        self.write("p.bin", b"old bytes")
        self.succeed("asm", "q.dvs", "-o", "p.bin")
        self.assertEqual(self.path("p.bin").read_bytes(), self.assemble(EVERYTHING))
        self.assertEqual(sorted(self.files()), ["p.bin", "p.dvs", "q.dvs"])

    def test_output_may_be_a_device(self):
        self.write("p.dvs", TWO_INSTRUCTIONS)
        self.succeed("asm", "p.dvs", "-o", "/dev/null")

    def test_memory_that_a_parameter_enables(self):
        source = ".gen maverick\n.tensor p psum:0:0x40 32x4 fp32\n tensor_scalar_arith dst=p src=p op0=add\n"
        self.refuse("asm", "-", "-o", "-", stdin=source.encode(), lines=3, says=("-:2", "no psum", "legal: sbuf"))
        records = self.assemble(source, "--set", "psum.enable=true")
        self.assertIn("dst=psum:0:0x40:4", self.trip(records, "--gen", "maverick", "--set", "psum.enable=true"))


class Check(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.good = self.assemble(TWO_INSTRUCTIONS)

    def test_good(self):
        self.write("p.dvs", TWO_INSTRUCTIONS)
        self.write("p.bin", self.good)
        for program in ("p.dvs", "p.bin"):
            self.assertEqual(self.text("check", program), "2 records, 0 bad, on mariana\n")
        self.assertEqual(self.text("check", "p.bin", "--gen", "sunda"), "2 records, 0 bad, on sunda\n")

    def test_every_bad_record_and_predicate(self):
        bad = bytearray(self.good * 2)
        bad[RECORD_BYTES + 38] = 7  # reverse_operands of record 1
        bad[RECORD_BYTES + 45] = 1  # its reserved bytes
        bad[3 * RECORD_BYTES + 1] = 17  # length word of record 3
        self.write("p.bin", bytes(bad))
        lines = self.text("check", "p.bin", status=FAULT).splitlines()
        first = "p.bin: record 1 at byte 64: opcode 0x9d scalar_tensor_tensor_arith: "
        third = "p.bin: record 3 at byte 192: opcode 0x9d scalar_tensor_tensor_arith: "
        self.assertEqual(lines[-1], "4 records, 2 bad, on mariana")
        self.assertEqual(len(lines), 4, lines)
        self.assertTrue(all(line.startswith(first) for line in lines[:2]), lines)
        self.assertEqual(
            sorted(line[len(first):].split(":")[1].split(" = ")[0] for line in lines[:2]),
            [" reserved[0]", " reverse_operands"])
        self.assertTrue(lines[2].startswith(third + "has_valid_inst_len: inst_word_len = 0x11, legal: "), lines)

    def test_lines_of_text(self):
        self.write("p.dvs", TWO_INSTRUCTIONS + "\n; a comment\n  nop inst_word_len=17\n")
        lines = self.text("check", "p.dvs", status=FAULT).splitlines()
        first = "p.dvs:9: record 2 at byte 128: opcode 0xa4 nop: has_valid_inst_len: "
        self.assertTrue(lines[0].startswith(first), lines)
        self.assertEqual(lines[1], "3 records, 1 bad, on mariana")

    def test_unknown_opcode(self):
        self.write("p.bin", bytes([6, 16]) + bytes(62))
        line = self.text("check", "p.bin", status=FAULT).splitlines()[0]
        self.assertTrue(line.startswith("p.bin: record 0 at byte 0: opcode 0x6 (unknown): has_valid"), line)

    def test_agrees_with_run(self):
        """The first predicate that check lists is the one that stops a run."""
        generator = numpy.random.default_rng(3)
        for _ in range(40):
            record = bytearray(self.good[:RECORD_BYTES])
            record[generator.integers(1, RECORD_BYTES)] ^= 1 << generator.integers(0, 8)
            self.write("p.bin", bytes(record))
            listed = self.command("check", "p.bin")
            if listed.returncode == FAULT:
                message = self.refuse("run", "p.bin", status=FAULT)
                self.assertIn("SEQUENCER_FATAL: " + listed.stdout.decode().splitlines()[0].split(": ", 3)[3], message)

    def test_standard_input(self):
        self.assertEqual(self.text("check", "-", stdin=self.good), "2 records, 0 bad, on mariana\n")
        self.assertEqual(
            self.text("check", "-", stdin=TWO_INSTRUCTIONS.encode()), "2 records, 0 bad, on mariana\n")
        for program in (self.good, TWO_INSTRUCTIONS.encode()):
            self.assertIn("mariana: 2 instructions", self.text("run", "-", stdin=program))
        self.refuse("run", "-", stdin=self.good[:100], says=("-: 100 bytes", "record 1 at byte 64", "legal"))
        self.refuse("run", "-", stdin=b"frob\n", says=("-:1: ", "frob", "legal"))

    def test_name_decides_only_where_it_is_known(self):
        self.write("records.img", self.good)
        self.write("program.asm", TWO_INSTRUCTIONS)
        for name in ("records.img", "program.asm"):
            self.assertEqual(self.text("check", name), "2 records, 0 bad, on mariana\n")


if __name__ == "__main__":
    main()
