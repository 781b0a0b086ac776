# Bad .npy files and bad --load and --dump options.
import io

import numpy

from dve_sim import TWO_INSTRUCTIONS, CommandLineTest, main


def npy_bytes(array):
    buffer = io.BytesIO()
    numpy.save(buffer, array, allow_pickle=True)
    return buffer.getvalue()


def with_header(header, data=b"\0" * 16):
    """A version 1 file with any header text."""
    text = header.encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + data


GOOD = npy_bytes(numpy.arange(4, dtype="<f4").reshape(1, 4))


class BadFiles(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.write("p.dvs", TWO_INSTRUCTIONS)
        self.write("z.npy", "old bytes")

    def load_fails(self, content, *says, where="x"):
        self.write("x.npy", content)
        self.refuse(
            "run", "p.dvs", "--load", f"{where}=x.npy", "--dump", "z=z.npy", "--stats", "s.json", "--log", "l.txt",
            says=(f"--load {where}=x.npy: ", *says))

    def test_inputs_without_end(self):
        self.write("empty.bin", b"")
        for arguments in (("run", "/dev/zero"), ("run", "empty.bin", "--load", "sbuf:0:0=/dev/zero"),
                          ("run", "empty.bin", "--config", "/dev/zero")):
            self.refuse(*arguments, says=("/dev/zero", "too large", "legal"))

    def test_more_dimensions_than_numpy_has(self):
        self.write("empty.bin", b"")
        header = b"{'descr': '|u1', 'fortran_order': True, 'shape': (" + b"1, " * 40 + b"), }"
        header += b" " * (64 - (len(header) + 11) % 64) + b"\n"
        self.write("many.npy", b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + b"x")
        self.refuse("run", "empty.bin", "--load", "sbuf:0:0=many.npy", says=("many.npy", "shape", "legal"))

    def test_cut_off(self):
        for size in (0, 5):
            self.load_fails(GOOD[:size], "x.npy", "no .npy file", "legal")
        for size in (6, 7, 9, 10, 40, 127):
            self.load_fails(GOOD[:size], "x.npy", "cut off inside the header", "legal")
        for size in (128, 143):
            self.load_fails(GOOD[:size], "x.npy", "cut off", f"{size - 128} bytes", "legal: 16")

    def test_trailing_bytes(self):
        self.load_fails(GOOD + b"\0", "x.npy", "trailing bytes", "17", "legal: 16")

    def test_not_npy(self):
        self.load_fails(b"PK\x03\x04" + bytes(100), "x.npy", "no .npy file", "legal")
        self.load_fails(b"\x93NUMPY\x04\x00" + GOOD[8:], "x.npy", "version 4.0", "legal: 1.0, 2.0, 3.0")

    def test_malformed_header(self):
        for header in (
            "", "{", "[]", "{'descr': '<f4'}", "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 4), 'x': 1}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (-1, 4)}",
            "{'descr': '<f4', 'fortran_order': 0, 'shape': (1, 4)}",
            "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1, 4)}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 4)} x",
        ):
            with self.subTest(header=header):
                self.load_fails(with_header(header), "x.npy", "malformed header", "legal")

    def test_sizes_that_overflow(self):
        header = "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}"
        self.load_fails(with_header(header), "x.npy", "shape", "legal")

    def test_element_types(self):
        shape = (1, 4)
        for dtype in ("<f8", "?", "<c8", "<U4", "|S3", "<M8[s]"):
            self.load_fails(npy_bytes(numpy.zeros(shape, dtype)), "x.npy", "element type", "not supported", "legal")
        self.load_fails(
            npy_bytes(numpy.array([[None, 1, 2, 3]], object)), "x.npy", "element type '|O'", "not supported", "legal")
        self.load_fails(
            npy_bytes(numpy.zeros(shape, [("a", "<f4"), ("b", "<f4")])), "x.npy", "structured", "legal")

    def test_endianness(self):
        for dtype in (">f4", ">i2", ">u8", ">f2"):
            self.load_fails(
                npy_bytes(numpy.zeros((1, 4), dtype)), "x.npy", "big-endian", dtype, "legal: little-endian",
                dtype.replace(">", "<"), where="sbuf:0:0")

    def test_shape_without_rows(self):
        for shape in ((), (0, 4), (1, 0), (0,)):
            self.load_fails(npy_bytes(numpy.zeros(shape, "<f4")), "shape", "no rows", "legal", where="sbuf:0:0")

    def test_shape_of_the_tensor(self):
        for shape, text in (((4, 1), "4x1"), ((1, 5), "1x5"), ((4,), "4"), ((1, 2, 2), "1x2x2")):
            self.load_fails(
                npy_bytes(numpy.zeros(shape, "<f4")), f"shape {text} does not fit tensor x", "legal: 1x4")

    def test_dtype_of_the_tensor(self):
        self.load_fails(
            npy_bytes(numpy.zeros((1, 4), "<i4")), "element type <i4 does not fit tensor x of fp32", "legal: <f4")

    def test_missing_and_folder(self):
        self.refuse("run", "p.dvs", "--load", "x=none.npy", says=("none.npy", "cannot be read", "No such file"))
        self.path("sub").mkdir()
        self.refuse("run", "p.dvs", "--load", "x=sub", says=("sub", "cannot be read", "directory"))

    def test_fortran_order_is_read(self):
        array = numpy.arange(12, dtype="<f4").reshape(3, 4)
        self.write("f.npy", npy_bytes(numpy.asfortranarray(array)))
        self.assertIn(b"'fortran_order': True", self.path("f.npy").read_bytes())
        self.write("e.dvs", "")
        self.succeed("run", "e.dvs", "-q", "--load", "sbuf:0:0=f.npy", "--dump", "sbuf:0:0:3x4:fp32=g.npy")
        self.assertEqual(self.load("g.npy").tolist(), array.tolist())


class BadOptions(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.write("p.dvs", TWO_INSTRUCTIONS)
        self.save("row.npy", numpy.zeros((1, 4), "<f4"))
        self.save("two.npy", numpy.zeros((2, 4), "<f4"))
        self.write("y.npy", "old bytes")

    def fails(self, option, value, *says, more=()):
        self.refuse("run", "p.dvs", *more, option, value, says=(option, *says))

    def test_form(self):
        for value in ("x", "=row.npy", "x=", ""):
            self.fails("--load", value, f"'{value}'", "legal: WHERE=FILE.npy")
            self.fails("--dump", value, f"'{value}'", "legal: WHERE=FILE.npy")

    def test_unknown_tensor(self):
        for option in ("--load", "--dump"):
            self.fails(option, "xx=row.npy", "unknown tensor 'xx'", "nearest is 'x'", "legal: x, y, z", "sbuf:0:0x400")

    def test_place(self):
        cases = (
            ("sbuf:0", "legal: space:partition:byte"), ("sbuf:128:0", "'128'", "legal: 0..127"),
            ("sbuf:-1:0", "'-1'", "legal: 0..127"), ("sbuf:0:0x40000", "0x40000", "legal: 0..0x3ffff"),
            ("psum:0:0x4000", "0x4000", "legal: 0..0x3fff"), ("dram:0:0", "'dram'", "legal: sbuf, psum"),
            ("sbuf:a:0", "'a'", "legal"),
        )
        for where, *says in cases:
            self.fails("--load", f"{where}=row.npy", *says)
            if where.count(":") == 2:
                self.fails("--dump", f"{where}:1x4:fp32=y.npy", *says)

    def test_region(self):
        for region, *says in (
            ("sbuf:0:0", "malformed", "legal: space:partition:byte:SHAPE:DTYPE"),
            ("sbuf:0:0:1x0:fp32", "1x0", "legal"), ("sbuf:0:0:1xa:fp32", "1xa", "legal"),
            ("sbuf:0:0:1x4:fp33", "'fp33'", "legal"), ("sbuf:0:0:1x4:fp4_exp2", "fp4_exp2", "legal"),
            ("sbuf:0:0:129x4:fp32", "129 partitions", "legal: up to 128"),
            ("sbuf:1:0:128x4:fp32", "128 partitions", "legal: up to 127"),
            ("sbuf:0:0x3fffc:1x2:fp32", "8 bytes", "legal: up to 4"),
            ("sbuf:0:0:1x16777216x16777216:fp32", "bytes", "legal: up to 262144"),
        ):
            self.fails("--dump", f"{region}=y.npy", *says)

    def test_array_leaves_the_memory(self):
        self.fails("--load", "sbuf:127:0=two.npy", "2 partitions", "legal: up to 1")
        self.fails("--load", "sbuf:0:0x3fff4=row.npy", "16 bytes", "legal: up to 12")
        self.fails("--load", "psum:0:0x3ff4=row.npy", "16 bytes", "legal: up to 12")

    def test_overlapping_loads(self):
        first = ("--load", "sbuf:0:0x10=two.npy")
        for where in ("sbuf:0:0x10", "sbuf:1:0x4", "sbuf:1:0x1c", "sbuf:0:0x1f"):
            self.fails("--load", f"{where}=row.npy", "overlaps --load sbuf:0:0x10=two.npy", more=first)
        self.fails("--load", "x=row.npy", "overlaps --load sbuf:0:0xc=row.npy", more=("--load", "sbuf:0:0xc=row.npy"))
        for where in ("sbuf:0:0x0", "sbuf:0:0x20", "sbuf:2:0x10", "psum:0:0x10"):
            self.succeed("run", "p.dvs", "-q", *first, "--load", f"{where}=row.npy")

    def test_no_psum(self):
        self.write("e.bin", "")
        for option, value in (("--load", "psum:0:0=row.npy"), ("--dump", "psum:0:0:1x4:fp32=y.npy")):
            self.refuse("run", "e.bin", "--gen", "maverick", option, value, says=(option, "no psum", "legal: sbuf"))

    def test_tensor_with_steps(self):
        self.write("p.dvs", ".tensor s sbuf:0:0 1x4 fp32 step=2\n")
        self.fails("--load", "s=row.npy", "tensor s has steps", "legal")
        self.fails("--dump", "s=y.npy", "tensor s has steps", "legal")


class BadOutputs(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.write("p.dvs", TWO_INSTRUCTIONS)
        self.write("y.npy", "old bytes")
        self.path("sub").mkdir()

    def test_unwritable(self):
        for option, prefix in (("--dump", "z="), ("--stats", ""), ("--log", "")):
            for file, reason in (("sub", "folder"), ("none/y.npy", "no folder none"), ("y.npy/z", "no folder y.npy")):
                self.refuse(
                    "run", "p.dvs", "--dump", "y=y.npy", option, prefix + file,
                    says=(option, file, "cannot be written", reason))

    def test_full_device(self):
        for option, value in (("--dump", "z=/dev/full"), ("--stats", "/dev/full"), ("--log", "/dev/full")):
            self.refuse("run", "p.dvs", option, value, says=("/dev/full", "cannot be written", "No space"))

    def test_two_outputs_to_one_file(self):
        link = self.path("link")
        link.symlink_to(self.folder)
        for second in ("y.npy", "./y.npy", "sub/../y.npy", "link/y.npy", str(self.path("y.npy"))):
            for option, value in (("--dump", f"z={second}"), ("--stats", second), ("--log", second)):
                self.refuse(
                    "run", "p.dvs", "--dump", "y=y.npy", option, value, says=(option, second, "same file", "legal"))
        self.refuse("run", "p.dvs", "--stats", "o", "--log", "o", says=("--log o", "same file", "--stats o"))
        for pair in (
            ("--stats", "-", "--log", "-"), ("--stats", "-", "--dump", "y=-"), ("--log", "-", "--dump", "y=-"),
        ):
            self.refuse("run", "p.dvs", *pair, says=("same file", "legal"))

    def test_outputs_to_a_device(self):
        self.succeed("run", "p.dvs", "-q", "--dump", "y=/dev/null", "--dump", "z=/dev/null", "--log", "/dev/null")

    def test_standard_input_twice(self):
        self.refuse("run", "-", "--load", "x=-", says=("--load x=-", "standard input", "PROGRAM", "legal"))
        self.refuse("run", "p.dvs", "--load", "x=-", "--load", "y=-", says=("--load y=-", "--load x=-", "legal"))


if __name__ == "__main__":
    main()
