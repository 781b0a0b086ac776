# The siblings of the tensor family: 0x93, 0x9A, 0xE6, 0x30, 0xEA, 0x4E and 0x5E, with the accumulator.
import json
import math

import numpy

from dve_sim import CommandLineTest, main

F4 = "<f4"


def row(*values):
    return numpy.array([values], dtype=F4)


class InstructionFamily(CommandLineTest):
    def run_lines(self, tensors, lines, loads, dumps, *options):
        return self.run_arrays("\n".join([".gen mariana", *tensors, *lines]) + "\n", loads, dumps, *options)

    X = ".tensor x sbuf:0:0x0000 1x{} fp32"
    Y = ".tensor y sbuf:0:0x1000 1x{} fp32"
    Z = ".tensor z sbuf:0:0x2000 1x{} fp32"
    ACC = ".tensor acc sbuf:0:0x3000 1x1 fp32"
    READ = "dve_read_accumulator dst=acc"

    def tensors(self, count):
        return [text.format(count) for text in (self.X, self.Y, self.Z, self.ACC)]

    def test_cache_cumulative_puts_the_element_on_the_left(self):
        """Vector D5; acc - x would give -1, -3, -6."""
        y = self.run_lines(self.tensors(3), [
            "tensor_scalar_cache_cumulative dst=y src=x op0=add imm0=0.0 op1=subtract "
            "accumulator_cmd=zero_accumulate"], {"x": row(1, 2, 3)}, ["y"])[0]
        self.assertEqual(y.tolist(), [[1, 1, 2]])

    def test_cache_cumulative_chains(self):
        x = numpy.arange(1, 9, dtype=F4)[None, :]
        for op, function in (("add", numpy.cumsum), ("mult", numpy.cumprod), ("max", numpy.maximum.accumulate),
                             ("min", numpy.minimum.accumulate)):
            y, acc = self.run_lines(self.tensors(8), [
                f"tensor_scalar_cache_cumulative dst=y[0:4] src=x[0:4] op0=mult imm0=1.0 op1={op} "
                "accumulator_cmd=zero_accumulate",
                f"tensor_scalar_cache_cumulative dst=y[4:8] src=x[4:8] op0=mult imm0=1.0 op1={op} "
                "accumulator_cmd=accumulate", self.READ], {"x": x}, ["y", "acc"])
            numpy.testing.assert_array_equal(y[0], function(x[0]), op)
            self.assertEqual(acc[0, 0], function(x[0])[-1])

    def test_cache_reduce_keeps_every_element(self):
        """Vector D7, then a load of the start value and a negated read-out."""
        y, acc = self.run_lines(self.tensors(3), [
            "tensor_scalar_cache_reduce dst=y src=x op0=absolute_value imm0=0.0 op1=max "
            "accumulator_cmd=zero_accumulate", self.READ], {"x": row(3, -7, 2)}, ["y", "acc"])
        self.assertEqual((y.tolist(), acc.tolist()), ([[3, 7, 2]], [[7]]))
        y, acc = self.run_lines(self.tensors(3), [
            "tensor_scalar_cache_reduce dst=y src=x op0=mult imm0=2.0 op1=add imm1=100.0 "
            "accumulator_cmd=load_accumulate", self.READ + " negated=1"], {"x": row(3, -7, 2)}, ["y", "acc"])
        self.assertEqual((y.tolist(), acc.tolist()), ([[6, -14, 4]], [[-96]]))

    def test_cache_reduce_identities(self):
        for op, identity in (("add", 0.0), ("subtract", 0.0), ("mult", 1.0), ("max", -math.inf), ("min", math.inf)):
            x = row(0.5)
            expected = {"add": 0.5, "subtract": 0.5, "mult": 0.5, "max": 0.5, "min": 0.5}[op]
            acc = self.run_lines(self.tensors(1), [
                f"tensor_scalar_cache_reduce dst=y src=x op0=bypass op1={op} accumulator_cmd=zero_accumulate",
                self.READ], {"x": x}, ["acc"])[0]
            self.assertEqual(acc[0, 0], expected, (op, identity))

    def test_select_reduce(self):
        """Vector D6: the maximum runs over every result, the false ones included."""
        tensors = [".tensor p sbuf:0:0x000 1x3 int8", ".tensor t sbuf:0:0x100 1x3 fp32",
                   ".tensor r sbuf:0:0x200 1x3 fp32", self.ACC]
        predicate = numpy.array([[1, 0, 0]], dtype="i1")
        for reverse, expected, largest in (("none", [1, 4, 4], 4), ("first", [4, 5, 7], 7)):
            r, acc = self.run_lines(tensors, [
                f"select_reduce dst=r src0=p src1=t imm0=4.0 op0=bypass op1=max reverse={reverse} "
                "accumulator_cmd=zero_accumulate", self.READ], {"p": predicate, "t": row(1, 5, 7)}, ["r", "acc"])
            self.assertEqual((r.tolist(), acc.tolist()), ([expected], [[largest]]))

    def test_exponential_and_its_sum(self):
        x = numpy.linspace(-80, 5, 64, dtype=F4)[None, :]
        y, acc = self.run_lines(self.tensors(64), [
            "exponential dst=y src=x imm0=5.0 op0=bypass op1=bypass accumulator_cmd=zero_accumulate", self.READ],
            {"x": x}, ["y", "acc"])
        difference = (x - numpy.float32(5)).astype(F4)
        expected = numpy.exp(difference.astype("f8")).astype(F4)
        numpy.testing.assert_array_equal(y, expected)
        total = numpy.float32(0)
        for value in expected[0]:
            total = numpy.float32(value + total)
        self.assertEqual(acc[0, 0], total)

    def test_exponential_special_values(self):
        x = row(-math.inf, 0.0, -0.0, math.inf, math.nan, -200.0, 100.0, 1.0)
        y = self.run_lines(self.tensors(8), ["exponential dst=y src=x imm0=0.0 op0=bypass op1=bypass"], {"x": x},
                           ["y"])[0]
        numpy.testing.assert_array_equal(
            y, row(0, 1, 1, math.inf, math.nan, 0, math.inf, numpy.float32(math.e)))
        self.assertEqual(y.view("<u4")[0, 4], 0x7FC00000)

    def test_exponential_needs_mariana(self):
        self.write("program.dvs", ".gen cayman\nexponential dst=sbuf:0:0:1 src=sbuf:0:64:1 in_dtype=fp32 "
                                  "out_dtype=fp32 num_active_channels=1 op0=bypass op1=bypass\n")
        self.refuse("run", "program.dvs", status=1, says=("program.dvs:2:", "legal"))

    def test_transpose_by_quadrant_and_block(self):
        generator = numpy.random.default_rng(93)
        x = generator.standard_normal((64, 96)).astype(F4)
        scale = generator.standard_normal((64, 1)).astype(F4)
        y = self.run_lines([".tensor x sbuf:0:0x0000 64x96 fp32", ".tensor y sbuf:0:0x1000 64x96 fp32",
                            ".tensor s sbuf:0:0x2000 64x1 fp32"],
                           ["transpose_tensor_scalar_arith dst=y src=x op0=mult imm0=@s op1=bypass"],
                           {"x": x, "s": scale}, ["y"])[0]
        turned = x.reshape(2, 32, 3, 32).transpose(0, 3, 2, 1).reshape(64, 96)
        numpy.testing.assert_array_equal(y, turned * scale)

    def test_cumulative_restarts_for_each_outer_index(self):
        x = numpy.random.default_rng(78).integers(-9, 9, (5, 3, 4)).astype(F4)
        tensors = [".tensor x sbuf:0:0x0000 5x3x4 fp32", ".tensor y sbuf:0:0x1000 5x3x4 fp32"]
        for op_dim, shape in (("x", (5, 3, 4)), ("xy", (5, 1, 12))):
            for op, function in (("add", numpy.cumsum), ("max", numpy.maximum.accumulate),
                                 ("subtract", numpy.subtract.accumulate)):
                y = self.run_lines(tensors, [f"tensor_cumulative_arith dst=y src=x op={op} op_dim={op_dim}"],
                                   {"x": x}, ["y"])[0]
                expected = function(x.reshape(shape), axis=2).reshape(x.shape)
                numpy.testing.assert_array_equal(y, expected, f"{op} {op_dim}")

    def test_cumulative_on_integers_and_bits(self):
        x = numpy.random.default_rng(94).integers(0, 1 << 32, (4, 9), dtype="<u4")
        tensors = [".tensor x sbuf:0:0x0000 4x9 uint32", ".tensor y sbuf:0:0x1000 4x9 uint32"]
        for line, function in (("tensor_cumulative_bitvec dst=y src=x op=bitwise_xor", numpy.bitwise_xor),
                               ("tensor_cumulative_bitvec dst=y src=x op=bitwise_and", numpy.bitwise_and),
                               ("tensor_cumulative_arith dst=y src=x op=add_int", numpy.add),
                               ("tensor_cumulative_arith dst=y src=x op=mult_int", numpy.multiply)):
            y = self.run_lines(tensors, [line + " op_dim=x"], {"x": x}, ["y"])[0]
            numpy.testing.assert_array_equal(y, function.accumulate(x, axis=1, dtype=x.dtype), line)

    def test_cycles_of_a_reduction_and_its_read_out(self):
        """SUNDA: max(64, N) and 64 for the read-out behind it (timing 2)."""
        source = (".gen sunda\n.tensor x sbuf:0:0 1x512 fp32\n.tensor y sbuf:0:0x1000 1x512 fp32\n" + self.ACC + "\n"
                  + 2 * ("tensor_scalar_cache_reduce dst=y src=x op0=bypass op1=add "
                         "accumulator_cmd=zero_accumulate\n" + self.READ + "\n"))
        self.write("program.dvs", source)
        self.text("run", "program.dvs", "--stats", "stats.json")
        starts = [entry["start_cycle"] for entry in json.loads(self.path("stats.json").read_text())["instructions"]]
        self.assertEqual([b - a for a, b in zip(starts, starts[1:])], [512, 64, 512])

    def test_accumulator_after_idle_is_reported(self):
        self.write("program.dvs", "\n".join([".gen mariana", *self.tensors(2),
                                             "exponential dst=y src=x imm0=0.0 op0=bypass op1=bypass", self.READ]))
        log = self.text("run", "program.dvs", "--quiet", "--log", "-")
        self.assertIn("W: the accumulator was read before the program set it\n", log)


if __name__ == "__main__":
    main()
