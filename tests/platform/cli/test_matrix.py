# matrix: cells checked by hand against the operation x dtype table and the gates of the opcodes.
import json

from dve_sim import CommandLineTest, main

INTEGERS = {"int8", "uint8", "int16", "uint16", "int32", "uint32"}
FLOATS = {"fp16", "bf16", "fp32", "fp8_exp3", "fp8_exp4", "fp8_exp5"}
WIDE = {"int64", "uint64"}

GENERAL_ARITH = {
    "bypass", "add", "subtract", "mult", "max", "min", "logical_and", "logical_or", "logical_xor", "is_eq", "is_gt",
    "is_ge", "is_le", "is_lt", "absolute_diff", "is_ne", "absolute_value"}
FROM_MARIANA = {"abs_max", "abs_min", "re_lu", "square"}
GENERAL_BITVEC = {
    "bypass", "bitwise_not", "arith_shift_left", "arith_shift_right", "bitwise_and", "bitwise_or", "bitwise_xor",
    "logical_shift_left", "logical_shift_right"}
MEMBERS = {"sunda": 33, "cayman": 60, "mariana": 64, "mariana_plus": 64, "maverick": 65}


class Matrix(CommandLineTest):
    def matrix(self, generation, opcode):
        """Rows of an opcode; each maps a dtype to `legal`, `legal as result` or a predicate."""
        table = json.loads(self.text("matrix", "--gen", generation, "--opcode", opcode, "--json"))
        self.assertEqual(len(table), 1)
        return next(iter(table.values()))

    @staticmethod
    def legal(row):
        return {dtype for dtype, cell in row.items() if cell == "legal"}

    def legal_operations(self, table):
        return {operation for operation, row in table.items() if self.legal(row)}

    def test_number_of_operations(self):
        for generation, members in MEMBERS.items():
            self.assertEqual(len(self.matrix(generation, "0x43")), members, generation)

    def test_arithmetic_of_tensor_scalar(self):
        for generation in MEMBERS:
            table = self.matrix(generation, "tensor_scalar_arith")
            expected = GENERAL_ARITH | {"rsqrt"}
            if generation not in ("sunda", "cayman"):
                expected |= FROM_MARIANA
            if generation == "maverick":  # the integer arm, and symmetric clamp behind its switch
                expected |= {"symmetric_clamp", "add_int", "mult_int", "subtract_int", "is_equal_int", "is_ne_int",
                             "abs_max_int", "abs_min_int", "abs_diff_int", "max_int", "min_int", "is_gt_int",
                             "is_ge_int", "is_le_int", "is_lt_int"}
            self.assertEqual(self.legal_operations(table), expected, generation)
            self.assertEqual(self.legal(table["add"]), INTEGERS | FLOATS)
            self.assertEqual(self.legal(table["rsqrt"]), {"fp16", "bf16", "fp32"})
            self.assertEqual(table["add"]["fp32r"], "legal as result")
            self.assertEqual(table["rsqrt"]["fp32r"], "legal as result")
            for dtype in WIDE:
                self.assertEqual(table["add"][dtype], "is_valid_dtype")
            for operation in ("divide", "pow", "mod", "crc32", "bitwise_and"):
                self.assertEqual(table[operation]["fp32"], "tensor_scalar_valid_ops", operation)

    def test_bitvec_of_tensor_scalar(self):
        for generation in MEMBERS:
            table = self.matrix(generation, "0x53")
            self.assertEqual(self.legal_operations(table), GENERAL_BITVEC | {"crc32"}, generation)
            self.assertEqual(self.legal(table["bitwise_xor"]), INTEGERS)
            self.assertEqual(self.legal(table["arith_shift_right"]), {"int32", "uint32"})
            self.assertEqual(self.legal(table["crc32"]), INTEGERS - {"int8", "uint8"})
            self.assertEqual(table["bitwise_and"]["fp32"], "tensor_scalar_valid_types")
            self.assertEqual(table["add"]["int32"], "tensor_scalar_valid_ops")

    def test_scalar_tensor_tensor(self):
        for generation in MEMBERS:
            arithmetic = self.matrix(generation, "0x9D")
            extra = set() if generation in ("sunda", "cayman") else FROM_MARIANA
            extra = extra | ({"symmetric_clamp"} if generation == "maverick" else set())
            self.assertEqual(self.legal_operations(arithmetic), GENERAL_ARITH | extra, generation)
            self.assertEqual(self.legal(arithmetic["mult"]), INTEGERS | FLOATS)
            self.assertEqual(arithmetic["mult"]["fp32r"], "legal as result")
            self.assertEqual(arithmetic["bitwise_and"]["fp32"], "has_valid_scalar_tensor_tensor_op")
            self.assertEqual(arithmetic["bitwise_and"]["int32"], "has_valid_scalar_tensor_tensor_op")
            bitvec = self.matrix(generation, "0x9E")
            self.assertEqual(self.legal_operations(bitvec), GENERAL_BITVEC, generation)
            self.assertEqual(self.legal(bitvec["bitwise_or"]), INTEGERS)

    def test_scan(self):
        for generation in MEMBERS:
            table = self.matrix(generation, "tensor_tensor_scan_arith")
            self.assertEqual(self.legal(table["mult"]), INTEGERS | FLOATS, generation)
            self.assertEqual(table["bitwise_and"]["int8"], "has_valid_tensor_tensor_scan_op")

    def test_cache_reduce_refuses_wide_integers(self):
        for opcode in ("0x9A", "0xE6"):
            self.assertEqual(
                self.legal(self.matrix("mariana", opcode)["add"]), INTEGERS - {"int32", "uint32"} | FLOATS)

    def test_tensor_tensor(self):
        table = self.matrix("mariana", "0x41")
        self.assertEqual(self.legal(table["bypass"]), INTEGERS | FLOATS | WIDE)
        self.assertEqual(self.legal(table["add"]), INTEGERS | FLOATS)
        self.assertEqual(self.legal(table["pow"]), {"fp16", "bf16", "fp32"})
        self.assertEqual(self.legal(table["add_int"]), INTEGERS | WIDE)
        self.assertEqual(self.legal(table["abs_max_int"]), {"int8", "int16", "int32", "int64"})
        self.assertEqual(self.legal(table["mult_uint"]), {"uint8", "uint16", "uint32", "uint64"})
        # In both lists of signedness, so either will do.
        self.assertEqual(self.legal(table["divide_int"]), INTEGERS | WIDE)
        for operation in ("divide", "crc32", "rsqrt", "amax_int", "amin_uint", "abs_value_int"):
            self.assertEqual(self.legal(table[operation]), set(), operation)

    def test_clamp_switch(self):
        arguments = ("matrix", "--gen", "maverick", "--opcode", "0x43", "--json")
        table = json.loads(self.text(*arguments, "--set", "alu.symmetric_clamp_arith=false"))
        self.assertEqual(self.legal(table["tensor_scalar_arith"]["symmetric_clamp"]), set())

    def test_text(self):
        lines = self.text("matrix", "--opcode", "0x43").splitlines()
        self.assertEqual(lines[0], "0x43 tensor_scalar_arith")
        cells = {line.split()[0]: line.split()[1:] for line in lines[2:] if line.startswith("  ") and ":" not in line}
        header = lines[1].split()
        self.assertEqual(dict(zip(header, cells["add"]))["fp32"], "Y")
        self.assertEqual(dict(zip(header, cells["add"]))["fp32r"], "out")
        letter = dict(zip(header, cells["divide"]))["fp32"]
        self.assertIn(f"  {letter}: tensor_scalar_valid_ops", lines)

    def test_all_opcodes(self):
        table = json.loads(self.text("matrix", "--json"))
        text = self.text("matrix")
        executed = {line.split()[1] for line in text.splitlines() if line.startswith("0x") and len(line.split()) == 2}
        listed = {line.split()[1] for line in text.splitlines() if line.startswith("0x")}
        self.assertEqual(listed, set(table))
        self.assertLessEqual(
            {"tensor_scalar_arith", "tensor_scalar_bitvec", "tensor_scalar_ptr_arith", "tensor_scalar_ptr_bitvec",
             "scalar_tensor_tensor_arith", "scalar_tensor_tensor_bitvec", "tensor_tensor_scan_arith"}, executed)


if __name__ == "__main__":
    main()
