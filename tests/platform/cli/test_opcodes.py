# Every opcode that a worker executes, on every generation: it runs, or a predicate by name refuses it.
#
# tests/seq/opcode_test.cpp goes through all bytes; here are the records that need more than zeros.
import pathlib
import re

from dve_sim import FAULT, CommandLineTest, main

GENERATIONS = ("sunda", "cayman", "mariana", "mariana_plus", "maverick")
WIRED = {"ALL": GENERATIONS, "FROM_CA": GENERATIONS[1:], "FROM_MA": GENERATIONS[2:]}
OPCODE_ROWS = pathlib.Path(__file__).parents[3] / "models" / "isa" / "opcode.def"
ROW = re.compile(r"^DVE_OPCODE\((0x[0-9A-F]{2}), (\w+), \w+, (\w+), (\w+), \w, (\w+), (\w+)\)", re.MULTILINE)

TENSORS = """\
.tensor a sbuf:0:0x000 32x32 fp32
.tensor b sbuf:0:0x080 32x32 fp32
.tensor y sbuf:0:0x100 32x32 fp32
.tensor i sbuf:0:0x180 32x32 int32
.tensor j sbuf:0:0x200 32x32 int32
.tensor s sbuf:0:0x280 32x1 fp32
.tensor t sbuf:0:0x284 32x1 int32
"""

# By opcode: a legal line, then what to add to make it illegal and the predicate that says so.
LINES = {
    0x30: ("exponential dst=y src=a", "op0=add", "exponential_ops"),
    0x41: ("tensor_tensor_arith dst=y src0=a src1=b op=add", "op=divide", "s3s3d3_tt_valid_op"),
    0x43: ("tensor_scalar_arith dst=y src=a op0=mult imm0=2.0", "op1=mod", "tensor_scalar_valid_ops"),
    0x44: ("tensor_scalar_ptr_arith dst=y src=a op0=mult imm0=@s imm1=@s", "imm0_src=1", "tensor_scalar_ptr_imm_src"),
    0x4E: ("tensor_cumulative_arith dst=y src=a op=add op_dim=x", "negated=1", "tensor_cumulative_zero_fields"),
    0x51: ("tensor_tensor_bitvec dst=j src0=i src1=i op=bitwise_or", "op=add", "s3s3d3_tt_valid_op"),
    0x53: ("tensor_scalar_bitvec dst=j src=i op0=bitwise_not", "out_dtype=int16", "tensor_scalar_valid_types"),
    0x54: ("tensor_scalar_ptr_bitvec dst=j src=i op0=bitwise_or imm0=@t imm1=@t", "op1=add", "tensor_scalar_valid_ops"),
    0x5E: ("tensor_cumulative_bitvec dst=j src=i op=bitwise_xor op_dim=xy", "op=mult", "tensor_cumulative_valid_op"),
    0x93: ("transpose_tensor_scalar_arith dst=y src=a op0=add imm0=1.0", "num_active_channels=31",
           "s3d3_transpose_check"),
    0x9A: ("tensor_scalar_cache_reduce dst=y src=a op1=max accumulator_cmd=3", "reverse=first",
           "tensor_scalar_cache_reduce_reverse"),
    0x9B: ("dve_read_accumulator dst=s", "negated=2", "d1_rd_negated"),
    0x9D: ("scalar_tensor_tensor_arith dst=y src0=a src1=b op0=mult imm0=2.0 op1=add", "accumulator_cmd=4",
           "has_valid_s2s2d2_stt_accum_cmd"),
    0x9E: ("scalar_tensor_tensor_bitvec dst=j src0=i src1=i op0=bitwise_or op1=bitwise_and", "accumulator_cmd=2",
           "has_valid_s2s2d2_stt_accum_cmd"),
    0xE5: ("tensor_tensor_scan_arith dst=y src0=a src1=b op0=mult op1=add", "accumulator_cmd=3", "has_zero_accum_cmd"),
    0xE6: ("tensor_scalar_cache_cumulative dst=y src=a op1=add accumulator_cmd=3", "accumulator_cmd=0",
           "has_valid_tensor_scalar_cache_reduce_accum_cmd"),
    0xEA: ("select_reduce dst=y src0=i src1=a op1=max", "op1=min", "has_valid_select_reduce_op"),
}


def rows():
    """(opcode, name, generations, wired, validator, worker) of each row."""
    for value, *texts in ROW.findall(OPCODE_ROWS.read_text()):
        yield int(value, 16), *texts


def with_field(line, field):
    """The line with one field replaced or added."""
    name = field.split("=")[0]
    kept = [part for part in line.split() if part.split("=")[0] != name]
    return " ".join([*kept, field])


class Opcodes(CommandLineTest):
    def fault_of(self, generation, line):
        """Message and log of a program of one instruction that stops the engine."""
        self.write("program.dvs", f".gen {generation}\n{TENSORS}{line}\n")
        result = self.command("run", "program.dvs", "--quiet", "--log", "log.txt")
        message = result.stderr.decode()
        self.assertEqual(result.returncode, FAULT, f"{generation} {line}: {message}")
        return message, self.path("log.txt").read_text()

    def test_every_worker_has_a_line(self):
        executed = [opcode for opcode, _, _, _, _, worker in rows() if worker not in ("NONE", "SEQUENCER")]
        self.assertEqual(sorted(LINES), executed)

    def test_runs_where_it_is_wired_and_is_bad_elsewhere(self):
        wired = {opcode: WIRED[generations] for opcode, _, _, generations, _, worker in rows() if opcode in LINES}
        for generation in GENERATIONS:
            legal = [opcode for opcode in LINES if generation in wired[opcode]]
            # The read-out comes last: an accumulator is set by then.
            lines = [LINES[opcode][0] for opcode in sorted(legal, key=lambda one: one == 0x9B)]
            self.write("program.dvs", f".gen {generation}\n" + TENSORS + "\n".join(lines) + "\n")
            log = self.text("run", "program.dvs", "--quiet", "--log", "-")
            for opcode in LINES:
                self.assertEqual(f"S: Dispatch opcode=0x{opcode:x}\n" in log, opcode in legal, hex(opcode))
            for opcode in set(LINES) - set(legal):
                message, log = self.fault_of(generation, LINES[opcode][0])
                self.assertIn("bad_opcode", message)
                self.assertIn(f"S: ErrorHandler : Bad Opcode(0x{opcode:x})\n", log)

    def test_refused_by_a_predicate_of_its_own(self):
        for opcode, _, _, generations, _, _ in rows():
            if opcode not in LINES:
                continue
            line, broken, predicate = LINES[opcode]
            for generation in WIRED[generations]:
                message, log = self.fault_of(generation, with_field(line, broken))
                self.assertIn(f": {predicate}: ", message, f"{generation} {line} {broken}")
                self.assertNotIn("Bad Opcode", log)

    def test_neighbours_that_are_not_modelled(self):
        """Opcodes with a layout of the family but without a worker: not modelled is not bad."""
        layouts = {opcode: name for opcode, name, _, _, _, worker in rows() if worker == "NONE" and 0x41 <= opcode <= 0xEA}
        for opcode in (0x42, 0x46, 0x52, 0x65, 0x6B, 0x72, 0x83, 0x99):
            self.assertIn(opcode, layouts)
            for generation in GENERATIONS:
                message, log = self.fault_of(generation, f".raw {opcode:02x}10" + "00" * 62)
                self.assertIn("SEQUENCER_FATAL: not_modelled: opcode", message)
                self.assertNotIn("Bad Opcode", log)


if __name__ == "__main__":
    main()
