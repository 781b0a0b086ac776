# matrix against the operation x dtype table and the opcode gates, cell by cell, for every generation.
import json

from dve_sim import CommandLineTest, main

INT8, INT16, INT32, INT64 = {"int8", "uint8"}, {"int16", "uint16"}, {"int32", "uint32"}, {"int64", "uint64"}
NARROW = INT8 | INT16 | INT32
SIGNED = {"int8", "int16", "int32", "int64"}
UNSIGNED = {"uint8", "uint16", "uint32", "uint64"}
FP16_32 = {"fp16", "bf16", "fp32"}
FP8 = {"fp8_exp3", "fp8_exp4", "fp8_exp5"}
FLOATS = FP16_32 | FP8

BITWISE = {"bitwise_not", "arith_shift_left", "arith_shift_right", "bitwise_and", "bitwise_or", "bitwise_xor",
           "logical_shift_left", "logical_shift_right"}
BASE = {"add", "subtract", "mult", "max", "min", "logical_and", "logical_or", "logical_xor", "is_eq", "is_gt",
        "is_ge", "is_le", "is_lt", "absolute_diff", "is_ne", "absolute_value"}
FROM_MARIANA = {"abs_max", "abs_min", "re_lu", "square"}
EITHER_SIGN = {"add_int", "subtract_int", "is_equal_int", "is_ne_int"}
SIGNED_INT = {"mult_int", "divide_int", "mod_int", "abs_max_int", "abs_min_int", "abs_diff_int", "max_int", "min_int",
              "is_gt_int", "is_ge_int", "is_le_int", "is_lt_int"}
UNSIGNED_INT = {"max_uint", "min_uint", "is_gt_uint", "is_ge_uint", "is_le_uint", "is_lt_uint", "mult_uint",
                "divide_uint", "mod_uint"}

# Table 5.3 of the ALU page (isa_wire_format 8.4): dtypes of an operation, without "result only".
TABLE = {"bypass": NARROW | INT64 | FLOATS, "divide": FLOATS, "pow": FP16_32, "rsqrt": FP16_32, "mod": NARROW,
         "crc32": INT16 | INT32, "symmetric_clamp": NARROW | FLOATS, "abs_value_int": SIGNED,
         "amax_int": SIGNED, "amin_int": SIGNED, "amax_uint": UNSIGNED, "amin_uint": UNSIGNED}
TABLE.update(dict.fromkeys(BITWISE, NARROW | INT64))
TABLE.update(dict.fromkeys(BASE | FROM_MARIANA, NARROW | FLOATS))
TABLE.update(dict.fromkeys(EITHER_SIGN, NARROW | INT64))
TABLE.update(dict.fromkeys(SIGNED_INT, SIGNED))
TABLE.update(dict.fromkeys(UNSIGNED_INT, UNSIGNED))

# Where the page disagrees with the predicate lists, the lists win (D-23).
CONFLICTS = {"mult_int": NARROW | INT64, "divide_int": NARROW | INT64, "mod_int": NARROW | INT64, "mod": NARROW | INT64}

BITVEC = BITWISE | {"bypass"}
INT_DVE = {"add_int", "mult_int", "subtract_int", "is_equal_int", "is_ne_int", "abs_max_int", "abs_min_int",
           "abs_diff_int", "max_int", "min_int", "is_gt_int", "is_ge_int", "is_le_int", "is_lt_int"}
INT_ALUOP = EITHER_SIGN | SIGNED_INT | UNSIGNED_INT | {"mod"}
GENERATIONS = ("sunda", "cayman", "mariana", "mariana_plus", "maverick")


def general_arith(generation):
    operations = BASE | {"bypass"}
    if generation not in ("sunda", "cayman"):
        operations = operations | FROM_MARIANA
    return operations | ({"symmetric_clamp"} if generation == "maverick" else set())


def gates(generation):
    """Opcode -> (operations, dtypes) that its own predicates admit (isa_wire_format 6)."""
    general = general_arith(generation)
    members = {"sunda": {"add_int", "mult_int", "subtract_int"}}.get(generation, INT_ALUOP | {"abs_value_int"})
    scalar = general | {"rsqrt"}
    if generation == "maverick":
        scalar = scalar | INT_DVE
    cumulative = general | {"rsqrt"} | ({"add_int", "mult_int", "subtract_int", "divide_int", "mod_int"} & members)
    any_dtype = NARROW | FLOATS
    return {
        "tensor_scalar_arith": (scalar, any_dtype),
        "transpose_tensor_scalar_arith": (scalar, any_dtype),
        "tensor_scalar_ptr_arith": (scalar, any_dtype),
        "tensor_scalar_bitvec": (BITVEC | {"crc32"}, NARROW),
        "tensor_scalar_ptr_bitvec": (BITVEC | {"crc32"}, NARROW),
        "scalar_tensor_tensor_arith": (general, any_dtype),
        "scalar_tensor_tensor_bitvec": (BITVEC, NARROW),
        "tensor_tensor_scan_arith": (general, any_dtype),
        "tensor_scalar_cache_reduce": (general, any_dtype - INT32),
        "tensor_scalar_cache_cumulative": (general, any_dtype - INT32),
        "tensor_tensor_arith": (general | {"pow", "mod"} | ((INT_ALUOP & members) | {"mod"}), any_dtype | INT64),
        "tensor_tensor_bitvec": (BITVEC, NARROW | INT64),
        "tensor_cumulative_arith": (cumulative, any_dtype),
        "tensor_cumulative_bitvec": (BITVEC | {"crc32"}, {"uint8", "uint16", "uint32", "int32"}),
    }


# Rules that join operation and dtype beyond both lists.
def joined(opcode, operation, dtype):
    if opcode in ("tensor_scalar_bitvec", "tensor_scalar_ptr_bitvec") and operation == "arith_shift_right":
        return dtype in INT32
    if opcode == "tensor_cumulative_bitvec" and operation == "logical_shift_right":
        return dtype == "int32"
    return True


class MatrixTable(CommandLineTest):
    def test_every_cell(self):
        for generation in GENERATIONS:
            matrix = json.loads(self.text("matrix", "--gen", generation, "--json"))
            for opcode, (operations, dtypes) in gates(generation).items():
                for operation, row in matrix[opcode].items():
                    table = CONFLICTS.get(operation, TABLE[operation])
                    for dtype, cell in row.items():
                        if dtype == "fp32r":
                            continue
                        expected = (operation in operations and dtype in dtypes and dtype in table
                                    and joined(opcode, operation, dtype))
                        self.assertEqual(cell == "legal", expected, (generation, opcode, operation, dtype, cell))

    def test_fp32r_is_a_result_only(self):
        matrix = json.loads(self.text("matrix", "--gen", "maverick", "--json"))
        for opcode, table in matrix.items():
            for operation, row in table.items():
                self.assertNotEqual(row["fp32r"], "legal", (opcode, operation))
                floats = {cell for dtype, cell in row.items() if dtype in FP16_32}
                if row["fp32r"] == "legal as result" and opcode != "select_reduce":
                    self.assertIn("legal", floats, (opcode, operation))

    def test_the_conflicts_are_real(self):
        for operation, dtypes in CONFLICTS.items():
            self.assertNotEqual(TABLE[operation], dtypes)


if __name__ == "__main__":
    main()
