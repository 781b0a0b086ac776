# The discriminating vectors D1 to D4, D8, D10 and D11, in both semantics profiles. All expected
# values were computed by hand.
import numpy

from dve_sim import CommandLineTest, main

SCAN = """\
.tensor a sbuf:0:0x000 1x{count} fp32
.tensor b sbuf:0:0x1000 1x{count} fp32
.tensor d sbuf:0:0x2000 1x{count} {dtype}
        tensor_tensor_scan_arith dst=d src0=a src1=b imm0={initial} op0={op0} op1={op1} reverse={reverse}
"""
STT = """\
.tensor a sbuf:0:0x000 1x2 fp32
.tensor b sbuf:0:0x100 1x2 fp32
.tensor d sbuf:0:0x200 1x2 fp32
.tensor first sbuf:0:0x300 1x1 fp32
.tensor second sbuf:0:0x304 1x1 fp32
        scalar_tensor_tensor_arith dst=d src0=a imm0=3.0 op0=mult src1=b op1=add accumulator_cmd=zero_accumulate
        dve_read_accumulator dst=first
        scalar_tensor_tensor_arith dst=d src0=a imm0=3.0 op0=mult src1=b op1=add accumulator_cmd=accumulate
        dve_read_accumulator dst=second
"""
CAST = """\
.tensor a sbuf:0:0x000 1x{count} fp32
.tensor d sbuf:0:0x200 1x{count} {dtype}
        tensor_scalar_arith dst=d src=a op0=mult imm0=1.0 op1=bypass
"""


def row(*values, dtype="<f4"):
    return numpy.array([values], dtype)


class ScanVectors(CommandLineTest):
    def scan(self, profile, src0, src1, initial, op0, op1, reverse="none", dtype="fp32"):
        source = SCAN.format(count=len(src0), initial=initial, op0=op0, op1=op1, reverse=reverse, dtype=dtype)
        loads = {"a": row(*src0), "b": row(*src1)}
        return self.run_arrays(source, loads, ["d"], "--semantics", profile)[0][0].tolist()

    def test_d1_affine_recurrence(self):
        vector = ([0.5] * 4, [1, 2, 3, 4], 8.0, "mult", "add")
        self.assertEqual(self.scan("published", *vector), [5, 4.5, 5.25, 6.625])
        # c = 0.5 * 8 + src1 = 5, 6, 7, 8, then the prefix sum.
        self.assertEqual(self.scan("reference", *vector), [5, 11, 18, 26])

    def test_d2_no_associative_regrouping(self):
        vector = ([3, 1, 4, 1, 5], [0] * 5, 2.0, "subtract", "max")
        self.assertEqual(self.scan("published", *vector), [1, 0, 4, 0, 5])
        self.assertEqual(self.scan("published", *vector, "first"), [0, 0, 0, 0, 0])
        # c = max(src0 - 2, 0) = 1, 0, 2, 0, 3, then the prefix sum.
        self.assertEqual(self.scan("reference", *vector), [1, 1, 3, 3, 6])
        # Reversed: c = max(2 - src0, 0) = 0, 1, 0, 1, 0.
        self.assertEqual(self.scan("reference", *vector, "first"), [0, 1, 1, 2, 2])

    def test_d3_order_of_the_second_operation(self):
        vector = ([1] * 3, [5] * 3, 1.0, "mult", "subtract")
        self.assertEqual(self.scan("published", *vector), [-4, -9, -14])
        self.assertEqual(self.scan("published", *vector, "second"), [4, 1, 4])
        # c = 1 * 1 - 5 = -4 each; reversed 5 - 1 = 4 each.
        self.assertEqual(self.scan("reference", *vector), [-4, -8, -12])
        self.assertEqual(self.scan("reference", *vector, "second"), [4, 8, 12])

    def test_d4_state_is_not_rounded_to_the_destination(self):
        # index i holds i + 1 rounded to bf16: 257 ties to 256, 259 to 260. Published: 1 * s + 1.
        # Reference: c = 1 * 0 + 1 = 1, whose prefix sum is the same count.
        for profile in ("published", "reference"):
            result = self.scan(profile, [1] * 300, [1] * 300, 0.0, "mult", "add", dtype="bf16")
            values = (numpy.array(result).astype("<u4") << 16).astype("<u4").view("<f4")
            self.assertEqual(values[:256].tolist(), list(range(1, 257)))
            self.assertEqual(values[[256, 258, 299]].tolist(), [256, 260, 300])


class OtherVectors(CommandLineTest):
    def test_d8_accumulate_and_store(self):
        loads = {"a": row(1, 2), "b": row(10, 20), "d": row(-1, -1)}
        dumps = ["d", "first", "second"]
        for profile, stored in (("published", [13, 26]), ("reference", [-1, -1])):
            results = self.run_arrays(STT, loads, dumps, "--semantics", profile)
            self.assertEqual([result[0].tolist() for result in results], [stored, [39], [78]], profile)

    def cast(self, dtype, values, *options):
        source = CAST.format(count=len(values), dtype=dtype)
        return self.run_arrays(source, {"a": row(*values)}, ["d"], *options)[0][0].tolist()

    def test_d10_float_to_integer(self):
        values = (1.5, 2.5, -1.5, -0.6, 300, -300)
        self.assertEqual(self.cast("int8", values, "--semantics", "published"), [2, 2, -2, -1, 127, -128])
        self.assertEqual(self.cast("int8", values, "--semantics", "reference"), [1, 2, -1, 0, 127, -128])
        self.assertEqual(
            self.cast("int8", values, "--set", "cast.fp_to_int=nearest_even"), [2, 2, -2, -1, 127, -128])

    def test_d11_float_to_fp8_exp4(self):
        # 240 is 77 in both variants; infinity is 78, which the other variant reads as 256.
        for profile in ("published", "reference"):
            options = ("--semantics", profile)
            self.assertEqual(self.cast("fp8_exp4", (247.9, 248), *options), [0x77, 0x78], profile)
            self.assertEqual(
                self.cast("fp8_exp4", (247.9, 248), *options, "--set", "cast.overflow=saturate"), [0x77, 0x77])
            self.assertEqual(
                self.cast("fp8_exp4", (247.9, 248), *options, "--set", "fp8_exp4.variant=fn"), [0x77, 0x78])
            self.assertEqual(
                self.cast("fp8_exp4", (448, 464.1), *options, "--set", "fp8_exp4.variant=fn"), [0x7E, 0x7F])


if __name__ == "__main__":
    main()
