# --load, --dump, --reg and --sem: places, tensors, element types, PSUM and its absence.
import io

import numpy

from dve_sim import CommandLineTest, main

# dtype of a dump: element type of the file.
ELEMENT_TYPES = {
    "int8": "|i1", "uint8": "|u1", "int16": "<i2", "uint16": "<u2", "int32": "<i4", "uint32": "<u4", "int64": "<i8",
    "uint64": "<u8", "fp32": "<f4", "fp32r": "<f4", "fp16": "<f2", "bf16": "<u2", "fp8_exp3": "|u1", "fp8_exp4": "|u1",
    "fp8_exp5": "|u1",
}
SCALE = """\
.tensor x {}:0:0x40 {shape} fp32
.tensor y {}:0:0x800 {shape} fp32
        tensor_scalar_arith dst=y src=x op0=mult imm0=2.0
"""


def numbers(*shape):
    return numpy.arange(numpy.prod(shape), dtype="<f4").reshape(shape)


class Arrays(CommandLineTest):
    def test_every_element_type_there_and_back(self):
        generator = numpy.random.default_rng(1)
        for dtype, descriptor in ELEMENT_TYPES.items():
            data = generator.integers(0, 256, (128, 3, 5, numpy.dtype(descriptor).itemsize), numpy.uint8)
            array = data.view(descriptor)[..., 0]
            for place in ("sbuf:0:0x3000", "psum:0:0x0"):
                result, = self.run_arrays("", {place: array}, [f"{place}:128x3x5:{dtype}"])
                self.assertEqual((result.dtype.str, result.shape), (descriptor, array.shape), dtype)
                self.assertEqual(result.tobytes(), array.tobytes(), dtype)

    def test_raw_patterns_of_other_tools(self):
        for source, dtype, result_type in (("<V2", "bf16", "<u2"), ("|V1", "fp8_exp4", "|u1")):
            raw = numpy.arange(64, dtype="|u1").view(result_type).reshape(2, -1)
            program = f".tensor t sbuf:0:0 2x{raw.shape[1]} {dtype}\n"
            result, = self.run_arrays(program, {"t": raw.view(source)}, ["t"])
            self.assertEqual((result.dtype.str, result.tolist()), (result_type, raw.tolist()))

    def test_rows_go_to_partitions(self):
        array = numbers(3, 4)
        rows = self.run_arrays("", {"sbuf:5:0x10": array}, [f"sbuf:{p}:0x10:1x4:fp32" for p in range(4, 9)])
        self.assertEqual(
            [row[0].tolist() for row in rows], [[0] * 4, *array.tolist(), [0] * 4])

    def test_tensor_and_place_are_the_same(self):
        array = numbers(32, 8)
        source = SCALE.format("sbuf", "sbuf", shape="32x8")
        by_name = self.run_arrays(source, {"x": array}, ["y", "sbuf:0:0x800:32x8:fp32", "sbuf:0:0x800:32x2x4:fp32"])
        by_place = self.run_arrays(source, {"sbuf:0:0x40": array}, ["y"])
        for result in (*by_name, *by_place):
            self.assertEqual(result.reshape(32, 8).tolist(), (2 * array).tolist())
        self.assertEqual(by_name[2].shape, (32, 2, 4))

    def test_one_dimension_is_one_element_a_partition(self):
        result, = self.run_arrays("", {"sbuf:0:0": numbers(128)}, ["sbuf:0:0:128:fp32"])
        self.assertEqual((result.shape, result.tolist()), ((128,), list(range(128))))

    def test_last_bytes(self):
        for place in ("sbuf:127:0x3fff0", "psum:127:0x3ff0"):
            result, = self.run_arrays("", {place: numbers(1, 4)}, [f"{place}:1x4:fp32"])
            self.assertEqual(result.tolist(), [[0, 1, 2, 3]])
        for generation, last in (("sunda", "0x2fff0"), ("cayman", "0x37ff0"), ("maverick", "0x7fff0")):
            place = f"sbuf:127:{last}"
            self.run_arrays("", {place: numbers(1, 4)}, [f"{place}:1x4:fp32"], "--gen", generation)
            beyond = f"sbuf:127:{int(last, 16) + 4:#x}"
            self.refuse(
                "run", "program.dvs", "--gen", generation, "--load", f"{beyond}=load0.npy",
                says=("16 bytes", "legal: up to 12"))

    def test_streams(self):
        self.save("x.npy", numbers(1, 4))
        self.write("p.dvs", SCALE.format("sbuf", "sbuf", shape="1x4"))
        out = self.succeed("run", "p.dvs", "--load", "x=-", "--dump", "y=-", "--dump", "x=-",
                           stdin=self.path("x.npy").read_bytes())
        stream = io.BytesIO(out)
        self.assertEqual(numpy.load(stream).tolist(), [[0, 2, 4, 6]])
        self.assertEqual(numpy.load(stream).tolist(), [[0, 1, 2, 3]])
        self.assertEqual(stream.read(), b"")

    def test_array_may_be_replaced_by_its_result(self):
        self.save("x.npy", numbers(1, 4))
        self.write("p.dvs", SCALE.format("sbuf", "sbuf", shape="1x4"))
        self.succeed("run", "p.dvs", "-q", "--load", "x=x.npy", "--dump", "y=x.npy")
        self.assertEqual(self.load("x.npy").tolist(), [[0, 2, 4, 6]])

    def test_nothing_loaded_is_zero(self):
        result, = self.run_arrays("", {}, ["sbuf:0:0:128x16:uint8"])
        self.assertFalse(result.any())


class Psum(CommandLineTest):
    ARRAY = numbers(32, 8)

    def scale(self, source, destination, *options):
        program = SCALE.format(source, destination, shape="32x8")
        return self.run_arrays(program, {"x": self.ARRAY}, ["y"], *options)[0].tolist()

    def test_through_psum(self):
        for generation in ("sunda", "cayman", "mariana", "mariana_plus"):
            for spaces in (("psum", "sbuf"), ("sbuf", "psum"), ("psum", "psum")):
                self.assertEqual(
                    self.scale(*spaces, "--gen", generation), (2 * self.ARRAY).tolist(), (generation, spaces))

    def test_narrow_writes_are_a_parameter(self):
        program = ".tensor x sbuf:0:0 1x4 fp32\n.tensor y psum:0:0 1x4 bf16\n tensor_scalar_arith dst=y src=x\n"
        self.write("p.dvs", program)
        self.refuse("run", "p.dvs", status=1, says=("p.dvs:3", "mem3d_valid", "dst_mem_pattern", "legal"))
        self.assertEqual(
            self.run_arrays(program, {"x": numbers(1, 4)}, ["y"], "--set", "psum.narrow_writes=true")[0].tolist(),
            [[0, 0x3F80, 0x4000, 0x4040]])

    def test_maverick_has_none_by_default(self):
        self.write("p.dvs", SCALE.format("psum", "sbuf", shape="32x8"))
        self.refuse("run", "p.dvs", "--gen", "maverick", lines=3, says=("p.dvs:1", "no psum", "legal: sbuf"))
        self.assertEqual(self.scale("sbuf", "sbuf", "--gen", "maverick"), (2 * self.ARRAY).tolist())
        for spaces in (("psum", "sbuf"), ("sbuf", "psum")):
            self.assertEqual(
                self.scale(*spaces, "--gen", "maverick", "--set", "psum.enable=true"), (2 * self.ARRAY).tolist())

    def test_psum_can_be_taken_away(self):
        self.write("p.dvs", SCALE.format("psum", "sbuf", shape="32x8"))
        self.refuse("run", "p.dvs", "--set", "psum.enable=false", lines=3, says=("p.dvs:1", "no psum", "legal: sbuf"))


class Presets(CommandLineTest):
    def test_register_address_and_pointer(self):
        program = """\
.tensor x sbuf:0:0x40 32x4 fp32
.tensor s sbuf:0:0x100 32x1 fp32
        tensor_scalar_arith dst=R[63]:4:fp32 src=x op0=mult imm0=@R[0]
"""
        array, scale = numbers(32, 4), numbers(32, 1)
        result, = self.run_arrays(
            program, {"x": array, "s": scale}, ["sbuf:0:0x200:32x4:fp32"], "--reg", "63=0x200", "--reg", "0=256")
        self.assertEqual(result.tolist(), (array * scale).tolist())

    def test_signs_and_bounds(self):
        program = """\
        {wait}
        nop
"""
        for index, value, wait in (
            ("255", "0xFFFFFFFF", "wait sem[255] == 4294967295"), ("0", "-1", "wait sem[0] == 0xffffffff"),
            ("0x10", "-2147483648", "wait sem[16] == 0x80000000"), ("1", "7", "wait sem[1] > 6"),
        ):
            self.run_arrays(program.format(wait=wait), {}, [], "--sem", f"{index}={value}")

    def test_threshold_from_a_register(self):
        self.run_arrays("wait sem[4] >= R[9]\n nop\n", {}, [], "--sem", "4=5", "--reg", "9=5")
        self.write("p.dvs", "wait sem[4] >= R[9]\n nop\n")
        self.refuse("run", "p.dvs", "--sem", "4=4", "--reg", "9=5", status=1, says=("p.dvs:2", "waits for ever"))


if __name__ == "__main__":
    main()
