# Tensor-Tensor: the integer band and the 64-bit arms against Python's integers, FP32 beside them.
import json
import random

import numpy

from dve_sim import CommandLineTest, main

NUMPY = {"int8": "i1", "uint8": "u1", "int16": "<i2", "uint16": "<u2", "int32": "<i4", "uint32": "<u4",
         "int64": "<i8", "uint64": "<u8"}


def truncated(a, b):
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def divide(a, b):
    return -1 if b == 0 else truncated(a, b)  # all ones, which wraps to the largest unsigned number


def remainder(a, b):
    return a if b == 0 else a - truncated(a, b) * b


EXACT = {
    "add": lambda a, b: a + b, "subtract": lambda a, b: a - b, "mult": lambda a, b: a * b, "divide": divide,
    "mod": remainder, "is_equal": lambda a, b: a == b, "is_ne": lambda a, b: a != b,
    "abs_max": lambda a, b: max(abs(a), abs(b)), "abs_min": lambda a, b: min(abs(a), abs(b)),
    "abs_diff": lambda a, b: abs(a - b), "max": max, "min": min, "is_gt": lambda a, b: a > b,
    "is_ge": lambda a, b: a >= b, "is_le": lambda a, b: a <= b, "is_lt": lambda a, b: a < b}


def exact(operation, a, b):
    stem = operation.rsplit("_", 1)[0] if operation.endswith(("_int", "_uint")) else operation
    return int(EXACT[stem](a, b))


def wrapped(values, dtype):
    bits = numpy.dtype(NUMPY[dtype]).itemsize * 8
    unsigned = numpy.array([value % (1 << bits) for value in values], dtype=f"<u{bits // 8}")
    return unsigned.view(NUMPY[dtype])


def samples(generator, dtype, count):
    limits = numpy.iinfo(numpy.dtype(NUMPY[dtype]))
    edges = [0, 1, 2, limits.max, limits.min, limits.max - 1, limits.min + 1, limits.max // 3]
    return [generator.choice(edges) if generator.random() < 0.3
            else generator.randint(limits.min, limits.max) >> generator.choice([0, 0, limits.bits // 2])
            for _ in range(count)]


class TensorTensor(CommandLineTest):
    def run_pairs(self, opcode, operation, dtypes, left, right):
        count = len(left)
        first, second, out = dtypes
        source = f"""
            .tensor a sbuf:0:0x0000 1x{count} {first}
            .tensor b sbuf:0:0x2000 1x{count} {second}
            .tensor c sbuf:0:0x4000 1x{count} {out}
            {opcode} dst=c src0=a src1=b op={operation}
        """
        arrays = {"a": wrapped(left, first)[None, :], "b": wrapped(right, second)[None, :]}
        return self.run_arrays(source, arrays, ["c"])[0][0]

    def test_integer_band(self):
        generator = random.Random(41)
        matrix = json.loads(self.text("matrix", "--opcode", "0x41", "--json"))["tensor_tensor_arith"]
        checked = 0
        for operation, row in matrix.items():
            if not operation.endswith(("_int", "_uint")) and operation != "mod":
                continue
            for dtype, cell in row.items():
                if cell != "legal":
                    continue
                left, right = samples(generator, dtype, 300), samples(generator, dtype, 300)
                result = self.run_pairs("tensor_tensor_arith", operation, [dtype] * 3, left, right)
                expected = wrapped([exact(operation, a, b) for a, b in zip(left, right)], dtype)
                numpy.testing.assert_array_equal(result, expected, f"{operation} {dtype}")
                checked += 1
        self.assertGreaterEqual(checked, 8 * 8 + 8 * 4 + 9 * 4)

    def test_mixed_widths(self):
        generator = random.Random(5)
        for dtypes in (("int8", "int32", "int16"), ("int64", "int8", "int64"), ("int16", "int64", "int8")):
            for operation in ("add_int", "mult_int", "max_int", "divide_int", "is_lt_int"):
                left, right = (samples(generator, dtype, 200) for dtype in dtypes[:2])
                result = self.run_pairs("tensor_tensor_arith", operation, dtypes, left, right)
                expected = wrapped([exact(operation, a, b) for a, b in zip(left, right)], dtypes[2])
                numpy.testing.assert_array_equal(result, expected, f"{operation} {dtypes}")

    def test_64_bit_bitvec(self):
        generator = random.Random(9)
        left, right = samples(generator, "uint64", 200), samples(generator, "uint64", 200)
        functions = {"bitwise_and": lambda a, b: a & b, "bitwise_or": lambda a, b: a | b,
                     "bitwise_xor": lambda a, b: a ^ b, "bitwise_not": lambda a, b: ~a, "bypass": lambda a, b: a}
        for operation, function in functions.items():
            result = self.run_pairs("tensor_tensor_bitvec", operation, ["uint64"] * 3, left, right)
            expected = wrapped([function(a, b) for a, b in zip(left, right)], "uint64")
            numpy.testing.assert_array_equal(result, expected, operation)

    def test_64_bit_shifts_count_in_uint32(self):
        generator = random.Random(10)
        counts = [generator.choice([0, 1, 31, 32, 33, 63, 64, 65, 1 << 31]) for _ in range(200)]
        left = samples(generator, "int64", 200)
        for operation in ("logical_shift_left", "logical_shift_right", "arith_shift_right"):
            dtypes = ["int64", "uint32", "int64"]
            result = self.run_pairs("tensor_tensor_bitvec", operation, dtypes, left, counts)
            shifted = [
                a << min(n, 64) if operation == "logical_shift_left"
                else (a % (1 << 64)) >> min(n, 64) if operation == "logical_shift_right" else a >> min(n, 64)
                for a, n in zip(left, counts)]
            numpy.testing.assert_array_equal(result, wrapped(shifted, "int64"), operation)

    def test_integers_beyond_24_bits(self):
        """Vector D9: FP32 loses the last bit, the integer band keeps it."""
        left, right = [16777217], [1]
        self.assertEqual(self.run_pairs("tensor_tensor_arith", "add", ["int32"] * 3, left, right)[0], 16777216)
        self.assertEqual(self.run_pairs("tensor_tensor_arith", "add_int", ["int32"] * 3, left, right)[0], 16777218)

    def test_floats(self):
        generator = numpy.random.default_rng(3)
        a, b = (generator.standard_normal((4, 33)).astype("<f4") for _ in range(2))
        source = """
            .tensor a sbuf:0:0x0000 4x33 fp32
            .tensor b sbuf:0:0x2000 4x33 fp32
            .tensor c sbuf:0:0x4000 4x33 fp32
            tensor_tensor_arith dst=c src0=a src1=b op={}
        """
        for operation, function in (("subtract", numpy.subtract), ("mult", numpy.multiply), ("max", numpy.maximum),
                                    ("is_gt", numpy.greater)):
            result = self.run_arrays(source.format(operation), {"a": a, "b": b}, ["c"])[0]
            numpy.testing.assert_array_equal(result, function(a, b).astype("<f4"), operation)

    def test_maverick_band_of_tensor_scalar(self):
        """INT32 immediates, both stages wrap at 32 bits."""
        source = """
            .gen maverick
            .tensor a sbuf:0:0x0000 1x5 int32
            .tensor b sbuf:0:0x2000 1x5 int32
            tensor_scalar_arith dst=b src=a op0=mult_int imm0=0x10001 op1=subtract_int imm1=0xffffffff reverse=second
        """
        values = [0, 1, -1, 2147483647, 65536]
        array = numpy.array([values], dtype="<i4")
        result = self.run_arrays(source, {"a": array}, ["b"])[0][0]
        expected = wrapped([-1 - value * 0x10001 for value in values], "int32")
        numpy.testing.assert_array_equal(result, expected)


if __name__ == "__main__":
    main()
