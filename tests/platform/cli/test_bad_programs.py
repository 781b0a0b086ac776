# Bad streams and records: what run and check say about them, and that nothing is written.
import unittest

from dve_sim import FAULT, RECORD_BYTES, TWO_INSTRUCTIONS, CommandLineTest, main

# Field offsets of a tensor_scalar record.
OPCODE, WORD_LENGTH, WAIT_MODE, UPDATE_MODE = 0, 1, 4, 6
ACCUMULATOR, RESERVED, SRC_PATTERN, IN_DTYPE, OUT_DTYPE, CHANNELS = 12, 13, 16, 32, 33, 34
IMM0_SRC, OP0, OP1, REVERSE, DST_PATTERN = 35, 36, 37, 38, 48
INNER_COUNT = 10  # of a pattern: counts follow the address and three steps


class Streams(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.records = self.assemble(TWO_INSTRUCTIONS)
        self.write("y.npy", "old bytes")

    def test_truncated(self):
        cases = ((1, "record 0 at byte 0"), (63, "record 0 at byte 0"), (64 + 36, "record 1 at byte 64"))
        for size, place in cases:
            self.write("cut.bin", self.records[:size])
            for arguments in (
                ("run", "cut.bin", "--dump", "sbuf:0:0:1x4:fp32=y.npy", "--stats", "s.json"),
                ("check", "cut.bin"),
                ("disasm", "cut.bin", "-o", "y.npy"),
            ):
                with self.subTest(size=size, arguments=arguments):
                    self.refuse(*arguments, says=("cut.bin", f"{size} bytes", place, "legal", "64"))

    def test_one_byte_more(self):
        self.write("long.bin", self.records + b"\0")
        self.refuse("run", "long.bin", says=("long.bin", "129 bytes", "record 2 at byte 128", "legal"))

    def test_oversized(self):
        with open(self.path("huge.bin"), "wb") as file:
            file.truncate(1 << 32)  # sparse; the engine counts bytes in 32 bits
        self.addCleanup(self.path("huge.bin").unlink)
        for command in ("run", "check", "disasm"):
            result = self.command(command, "huge.bin")
            self.assertEqual((result.returncode, result.stdout), (2, b""))
            self.assertEqual(
                result.stderr.decode(),
                "dve-sim: huge.bin: 4294967296 bytes are too many; legal: up to 67108863 records of 64 bytes\n")

    def test_empty_stream_is_a_program(self):
        for name in ("empty.bin", "empty.dvs"):
            self.write(name, "")
            self.assertEqual(
                self.text("run", name), "mariana: 0 instructions, 0 cycles, 0.000 us at 1.2 GHz\n")
            self.assertEqual(self.text("check", name), "0 records, 0 bad, on mariana\n")


class Files(CommandLineTest):
    def test_missing(self):
        for command in ("run", "check", "disasm"):
            self.refuse(command, "none.bin", says=("none.bin", "cannot be read", "No such file"))
        self.refuse("asm", "none.dvs", "-o", "out.bin", says=("none.dvs", "cannot be read", "No such file"))

    def test_folder(self):
        self.path("sub.dvs").mkdir()
        for arguments in (("run", "sub.dvs"), ("check", "sub.dvs"), ("asm", "sub.dvs", "-o", "out.bin")):
            self.refuse(*arguments, says=("sub.dvs", "cannot be read", "directory"))


class Assembly(CommandLineTest):
    def test_every_error_has_its_line(self):
        self.write("bad.dvs", ".gen mariana\n nop\n nonsense\n tensor_scalar_arith dst=q\n nop frob=1\n")
        for arguments in (("asm", "bad.dvs", "-o", "out.bin"), ("check", "bad.dvs"), ("run", "bad.dvs")):
            result = self.command(*arguments)
            lines = result.stderr.decode().splitlines()
            self.assertEqual(result.returncode, 2)
            self.assertEqual(result.stdout, b"")
            self.assertTrue(lines[0].startswith("dve-sim: bad.dvs:3: "), lines)
            self.assertIn("nonsense", lines[0])
            self.assertTrue(any(line.startswith("bad.dvs:4: ") for line in lines[1:]), lines)
            self.assertTrue(any(line.startswith("bad.dvs:5: ") for line in lines[1:]), lines)
            self.assertFalse(self.path("out.bin").exists())

    def test_generation_disagrees(self):
        self.write("a.dvs", "; comment\n.gen sunda\n nop\n")
        for command in (("run", "a.dvs"), ("check", "a.dvs"), ("asm", "a.dvs", "-o", "a.bin")):
            self.refuse(*command, "--gen", "cayman", says=("a.dvs:2", "sunda", "cayman", "legal"))
        self.assertIn("on sunda", self.text("check", "a.dvs", "--gen", "sunda"))
        self.assertIn("on sunda", self.text("check", "a.dvs"))

    def test_value_that_does_not_fit(self):
        self.write("good.dvs", ".tensor x sbuf:0:0 1x4 fp32\n tensor_scalar_arith dst=x src=x\n")
        self.succeed("run", "good.dvs", "-q")
        line = ".tensor x sbuf:0:0 1x4 fp32\n tensor_scalar_arith dst=x src=x {}={}\n"
        for field, value in (("num_active_channels", "256"), ("reverse", "256"), ("op0", "0x100"),
                             ("wait_idx", "300"), ("imm0", "1e99"), ("imm0_src", "-1")):
            self.write("a.dvs", line.format(field, value))
            self.refuse("run", "a.dvs", says=("a.dvs:2", field, value, "legal"))

    def test_place_outside_the_memory(self):
        for place in ("sbuf:128:0", "sbuf:0:0x40000", "psum:0:0x4000", "dram:0:0"):
            self.write("a.dvs", f".tensor x {place} 1x1 fp32\n")
            self.refuse("run", "a.dvs", says=("a.dvs:1", "legal"))
            line = f" tensor_scalar_arith dst={place}:4:fp32 src=sbuf:0:0:4:fp32 num_active_channels=1\n"
            self.write("a.dvs", line)
            self.refuse("run", "a.dvs", says=("a.dvs:1", "legal"))


class Records(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.records = self.assemble(TWO_INSTRUCTIONS)
        self.old = {"y.npy": b"old bytes", "s.json": b"old bytes"}

    def reject(self, record, says, *options):
        """The record behind a good one: run and check both refuse it, and no dump is written."""
        self.write("y.npy", self.old["y.npy"])
        self.write("bad.bin", self.records[:RECORD_BYTES] + bytes(record))
        opcode = f"opcode 0x{record[0]:x}"
        place = ("bad.bin: record 1 at byte 64: ", opcode)
        line = self.refuse(
            "run", "bad.bin", "--dump", "sbuf:0:0:1x4:fp32=y.npy", *options, says=(*place, *says), status=FAULT)
        self.assertEqual(line.count("record 1"), 1, line)
        listed = self.text("check", "bad.bin", *options, status=FAULT).splitlines()
        self.assertEqual(listed[-1].split(" on ")[0], "2 records, 1 bad,")
        self.assertTrue(all(entry.startswith("".join(place)) for entry in listed[:-1]), listed)
        return line

    def test_fields_out_of_range(self):
        cases = (
            (WORD_LENGTH, 17, ("has_valid_inst_len", "inst_word_len", "0x11", "legal", "16")),
            (WAIT_MODE, 0x20, ("has_valid_neuron_events", "wait_mode", "0x20", "legal")),
            (UPDATE_MODE, 0x66, ("has_valid_neuron_events", "update_mode", "0x66", "legal")),
            (ACCUMULATOR, 2, ("has_zero_accum_cmd", "accumulator_cmd", "0x2", "legal")),
            (RESERVED, 1, ("s3d3_ts_reserved_zero", "reserved0", "legal")),
            (IN_DTYPE, 0, ("in_dtype", "0x0", "legal")),
            (IN_DTYPE, 1, ("in_dtype", "0x1", "legal")),
            (IN_DTYPE, 0x0B, ("in_dtype", "0xb", "legal")),
            (OUT_DTYPE, 0x77, ("out_dtype", "0x77", "legal")),
            (CHANNELS, 0, ("num_active_channels", "0x0", "legal")),
            (CHANNELS, 129, ("num_active_channels", "0x81", "legal")),
            (IMM0_SRC, 3, ("imm0_src", "0x3", "legal")),
            (OP0, 7, ("tensor_scalar_valid_ops", "op0", "0x7", "legal")),
            (OP0, 0x1E, ("op0", "0x1e", "legal")),
            (OP1, 0x0A, ("tensor_scalar_valid_ops", "op1", "0xa", "legal")),
            (REVERSE, 4, ("reverse_operands", "0x4", "legal", "none", "both")),
            (SRC_PATTERN + INNER_COUNT, 0, ("src", "num_elem", "legal")),
            (SRC_PATTERN + INNER_COUNT, 5, ("same_element_count", "legal")),
            (SRC_PATTERN, 2, ("src", "0x2", "legal")),
        )
        for offset, value, says in cases:
            with self.subTest(offset=offset, value=value):
                record = bytearray(self.records[:RECORD_BYTES])
                record[offset] = value
                self.reject(record, ("tensor_scalar_arith", "SEQUENCER_FATAL", *says))

    def test_opcode_outside_the_generation(self):
        unknown = bytes([0x06, 16]) + bytes(62)
        self.reject(unknown, ("(unknown)", "SEQUENCER_FATAL", "opcode", "0x6", "legal"))
        # DveReadIndices came with cayman, RAND2 with mariana.
        self.reject(bytes([0xE9, 16]) + bytes(62), ("dve_read_indices", "opcode", "legal"), "--gen", "sunda")
        self.reject(bytes([0xE2, 16]) + bytes(62), ("rand2", "opcode", "legal"), "--gen", "cayman")

    def test_operation_outside_the_generation(self):
        record = bytearray(self.records[:RECORD_BYTES])
        record[OP0] = 0x23  # SQUARE, from mariana on
        self.reject(record, ("op0", "0x23", "legal"), "--gen", "cayman")
        self.write("good.bin", bytes(record))
        self.succeed("run", "good.bin", "--gen", "mariana")

    def test_start_partition(self):
        line = " tensor_scalar_arith dst=sbuf:{}:0:4:fp32 src=sbuf:0:0:4:fp32 num_active_channels={}\n"
        for partition, channels in ((1, 1), (32, 33), (64, 65), (96, 64)):
            with self.subTest(partition=partition, channels=channels):
                record = self.assemble(line.format(partition, channels))
                self.reject(record, ("tensor_scalar_arith", "channels", "dst", "legal"))


class Walks(CommandLineTest):
    """Operands that leave the bytes of their partition, at either end."""

    PLACES = (
        # operand, its size, preset of R[5]
        ("sbuf:0:0x3fff8:4:fp32", "0x3fff8"),
        ("sbuf:0:0x8:4/-1:fp32", "0x8"),
        ("psum:0:0x3ff8:4:fp32", "0x2003ff8"),
        ("psum:0:0x8:4/-1:fp32", "0x2000008"),
        ("sbuf:0:0x3fffc:2x2/0,32767:fp32", "0x3fffc"),
    )

    def leave(self, source, field, *options):
        self.write("a.dvs", source)
        self.write("y.npy", "old bytes")
        self.refuse(
            "run", "a.dvs", "--dump", "sbuf:0:0:1x4:fp32=y.npy", *options, status=FAULT,
            says=("a.dvs:1: record 0 at byte 0", "opcode 0x43 tensor_scalar_arith", "MEMORY_ERROR", field, "legal"))

    def test_immediate_and_register_address(self):
        for place, address in self.PLACES:
            shape = place.split(":", 3)[3]
            through_register = f"R[5]:{shape}"
            for operand, options in ((place, ()), (through_register, ("--reg", f"5={address}"))):
                inside = "sbuf:0:0x100:" + shape.split(":")[0].split("/")[0] + ":fp32"
                with self.subTest(operand=operand, address=address):
                    line = " tensor_scalar_arith dst={} src={} op0=bypass op1=bypass num_active_channels=1\n"
                    self.leave(line.format(inside, operand), "src", *options)
                    self.leave(line.format(operand, inside), "dst", *options)

    def test_last_byte_is_inside(self):
        for operand in ("sbuf:0:0x3fff0:4:fp32", "sbuf:0:0xc:4/-1:fp32", "psum:0:0x3ff0:4:fp32"):
            line = f" tensor_scalar_arith dst={operand} src={operand} num_active_channels=1\n"
            self.write("a.dvs", line)
            self.succeed("run", "a.dvs", "-q")

    def test_register_address_is_no_address(self):
        line = " tensor_scalar_arith dst=R[5]:4:fp32 src=sbuf:0:0:4:fp32 num_active_channels=1\n"
        for value in ("0x2", "0x40000000", "0x1FFFFFFC", "0x44000"):
            with self.subTest(value=value):
                self.leave(line, "dst", "--reg", f"5={value}")

    def test_pointer(self):
        line = " tensor_scalar_arith dst=sbuf:0:0:4:fp32 src=sbuf:0:0:4:fp32 imm0={} op0=add num_active_channels=1\n"
        for value in ("0x3fffe", "0x1FFFFFFC"):
            with self.subTest(value=value):
                self.leave(line.format("@R[5]"), "imm0", "--reg", f"5={value}")


if __name__ == "__main__":
    main()
