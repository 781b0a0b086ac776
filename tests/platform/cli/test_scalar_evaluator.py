# ALU_OP and COMPARE_BRANCH on R[]: values, trace lines, loops, faults.
from dve_sim import FAULT, CommandLineTest, main


def alu(operation, dtype, destination, source, immediate=None, second=None, result="int32"):
    wide = dtype.endswith("64")
    line = (f"alu_op op={operation} dtype={dtype} dst_dtype={result} src0_lo={source} src0_hi={source + 1} "
            f"dst_lo={destination} dst_hi={destination + 1} ")
    if immediate is not None:
        return line + f"data_src=immediate immediate={immediate}"
    return line + f"data_src=register src1_lo={second} src1_hi={second + 1 if wide else second}"


class ScalarEvaluator(CommandLineTest):
    def log(self, lines, *options):
        self.write("program.dvs", "\n".join(lines) + "\n")
        return self.text("run", "program.dvs", "--quiet", "--log", "-", *options).splitlines()

    def evaluated(self, lines, *options):
        return [line for line in self.log(lines, *options) if line.startswith("S: OP(")]

    def test_trace_lines(self):
        lines = self.log([alu("add", "int32", 5, 3, immediate=7), alu("subtract", "int32", 6, 5, second=3)],
                         "--reg", "3=40")
        trace = [line for line in lines if "OP" in line or "AluOp" in line]
        self.assertEqual(trace, [
            "S: AluOp", "S: OP=4 R[5] = OP(R[3], imm)", "S: OP(28, 7) = 2f",
            "S: AluOp", "S: OP=5 R[6] = OP(R[5], R[3])", "S: OP(2f, 28) = 7"])

    def test_native_integers(self):
        cases = [("add", "int32", 0xFFFFFFFF, 2, 1), ("mult", "uint32", 0x10001, 0x10001, 0x20001),
                 ("divide", "int32", 0xFFFFFFF9, 2, 0xFFFFFFFD), ("mod", "int32", 0xFFFFFFF9, 2, 0xFFFFFFFF),
                 ("max", "int32", 0x80000000, 1, 1), ("max", "uint32", 0x80000000, 1, 0x80000000),
                 ("is_lt", "int32", 0x80000000, 1, 1), ("arith_shift_right", "int32", 0x80000000, 31, 0xFFFFFFFF),
                 ("logical_shift_left", "uint32", 1, 32, 0), ("abs_value_int", "int32", 0xFFFFFFFE, 0, 2)]
        for operation, dtype, left, right, expected in cases:
            line = self.evaluated([alu(operation, dtype, 9, 1, immediate=right)], "--reg", f"1={left}")
            self.assertEqual(line, [f"S: OP({left:x}, {right:x}) = {expected:x}"], operation)

    def test_64_bit_pairs(self):
        lines = self.log([alu("mult", "uint64", 4, 0, second=2, result="uint64")],
                         "--reg", "0=0xffffffff", "--reg", "1=1", "--reg", "2=3")
        product = 0x1FFFFFFFF * 3
        self.assertIn(f"S: 64-bit: src0={0x1FFFFFFFF:016x} src1={3:016x} dst={product:016x} dtype=1", lines)
        lines = self.log([alu("add", "int64", 4, 0, immediate=5)], "--reg", "0=0xffffffff", "--reg", "1=0xffffffff")
        self.assertIn(f"S: 64-bit: src0={(1 << 64) - 1:016x} src1={5:016x} dst={4:016x} src_dtype=12 dst_dtype=8", lines)

    def test_loop_runs_as_often_as_its_register_says(self):
        lines = self.log([
            "loop: nop",
            alu("subtract", "int32", 1, 1, immediate=1),
            "compare_branch cmp_op=6 dtype=int32 target_mode=3 cmp_reg0=1 cmp_immediate=0 br_immediate=@loop"],
            "--reg", "1=4")
        self.assertEqual(lines.count("S: NOP"), 4)
        self.assertEqual([line for line in lines if line.startswith("S: BRTAKEN")],
                         ["S: BRTAKEN: 1"] * 3 + ["S: BRTAKEN: 0"])
        self.assertIn("S: BRCMP: CMPOP=6 OP(3, 0)=1", lines)

    def test_conditions(self):
        truth = {1: lambda a, b: a < b, 2: lambda a, b: a <= b, 3: lambda a, b: a == b, 4: lambda a, b: a != b,
                 5: lambda a, b: a >= b, 6: lambda a, b: a > b}
        for dtype, convert in (("int32", lambda v: v - (1 << 32) if v >> 31 else v), ("uint32", lambda v: v)):
            for condition, function in truth.items():
                for left, right in ((1, 2), (2, 2), (0x80000000, 2), (2, 0x80000000)):
                    taken = int(function(convert(left), convert(right)))
                    for code, operand in ((condition, f"cmp_immediate={right}"), (condition + 8, "cmp_reg1=2")):
                        lines = self.log([f"compare_branch cmp_op={code} dtype={dtype} target_mode=3 cmp_reg0=1 "
                                          f"{operand} br_immediate=1"],
                                         "--reg", f"1={left}", "--reg", f"2={right}")
                        self.assertIn(f"S: BRTAKEN: {taken}", lines, (dtype, code, left, right))

    def test_branch_forms(self):
        skipped = ["nop", "nop", "nop", "halt"]
        for branch, options, nops in (
                ("compare_branch cmp_op=0 target_mode=3 br_immediate=3", (), 1),
                ("compare_branch cmp_op=0 target_mode=4 target_reg_lo=8 target_reg_hi=9", ("--reg", "8=2"), 2),
                ("compare_branch cmp_op=0 target_mode=1 target_reg_lo=8 target_reg_hi=9", ("--reg", "8=192"), 1),
                ("compare_branch cmp_op=0 target_mode=3 br_immediate=5", (), 0)):
            self.assertEqual(self.log([branch, *skipped], *options).count("S: NOP"), nops, branch)

    def test_faults(self):
        cases = [
            (alu("divide", "int32", 1, 2, immediate=0), "int_divide_by_zero"),
            (alu("mod_uint", "uint64", 4, 2, immediate=0), "int_divide_by_zero"),
            (alu("add", "fp32", 1, 2, immediate=1), "not_supported_dtype"),
            (alu("add", "int16", 1, 2, immediate=1), "not_supported_dtype"),
            (alu("amax_int", "int32", 1, 2, immediate=1), "not_supported_op"),
            (alu("pow", "int32", 1, 2, immediate=1), "not_supported_op"),
            (alu("add", "int32", 64, 2, immediate=1), "scalar_register"),
            ("compare_branch cmp_op=7 dtype=int32 target_mode=3", "compare_condition"),
            ("compare_branch cmp_op=0 target_mode=2", "branch_target_mode"),
            ("compare_branch cmp_op=0 target_mode=3 br_immediate=-1", "branch_target"),
            ("compare_branch cmp_op=0 target_mode=3 br_immediate=2", "branch_target"),
            ("compare_branch cmp_op=0 target_mode=1 target_reg_lo=1", "branch_target")]
        for line, predicate in cases:
            self.write("program.dvs", line + "\n")
            self.refuse("run", "program.dvs", "--reg", "1=7", status=FAULT, says=("program.dvs:1:", predicate, "legal"))

    def test_division_by_zero_is_named_in_the_log(self):
        self.write("program.dvs", alu("divide", "int32", 1, 2, immediate=0) + "\n")
        result = self.command("run", "program.dvs", "--log", "-")
        self.assertIn(b"S: ErrorHandler : Int Div Zero Error\n", result.stdout)


if __name__ == "__main__":
    main()
