# Gather and scatter: elements taken by number, from lists in memory.
import numpy

from dve_sim import FAULT, CommandLineTest, main

F4 = "<f4"
GENERATIONS = {"mariana": 256 << 10, "mariana_plus": 256 << 10, "maverick": 512 << 10}  # partition bytes
BEFORE = ("sunda", "cayman")
GROUP = 16  # partitions that share a list

# Bytes of a partition where the operands lie.
DATA, RESULT, SOURCE_LIST, RESULT_LIST = 0x0000, 0x4000, 0x8000, 0x9000


def listed(numbers, partitions=128):
    """Lists of groups, [groups, count], as the words of each partition: word i of a list lies in
    partition i % 16 of its group, at word i // 16. Words behind the end are out of any range."""
    groups, count = numbers.shape
    words = numpy.full((groups * GROUP, -(-count // GROUP)), 0xFFFFFFFF, "<u4")
    for group in range(groups):
        for i in range(count):
            words[group * GROUP + i % GROUP, i // GROUP] = numbers[group, i]
    return words[:partitions]


def per_channel(numbers, channels):
    """The list of each channel."""
    return numbers[numpy.arange(channels) // GROUP]


def gathered(data, numbers):
    return numpy.take_along_axis(data, per_channel(numbers, len(data)).astype(int), axis=1)


def scattered(before, values, numbers):
    """Element by element, so that of equal numbers the last one stays."""
    after = before.copy()
    for channel, row in enumerate(per_channel(numbers, len(values))):
        for i, number in enumerate(row):
            after[channel, number] = values[channel, i]
    return after


class Indirect(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.random = numpy.random.default_rng(16)

    def lists(self, channels, count, below):
        return self.random.integers(0, below, (-(-channels // GROUP), count), dtype="<u4")

    def floats(self, *shape):
        return self.random.standard_normal(shape).astype(F4)

    def run_one(self, generation, line, loads, dumps, *options, after=()):
        source = "\n".join([f".gen {generation}", line, *after]) + "\n"
        return self.run_arrays(source, loads, dumps, *options)

    def test_gather(self):
        for generation in GENERATIONS:
            for channels, partition, count in ((128, 0, 100), (20, 32, 16), (1, 96, 1), (64, 64, 333)):
                data = self.floats(channels, 500)
                numbers = self.lists(channels, count, 500)
                place = f"sbuf:{partition}:"
                result = self.run_one(
                    generation,
                    f"tensor_scalar_arith dst={place}{RESULT}:{count}:fp32 "
                    f"src=indirect({place}{SOURCE_LIST},{place}{DATA},{count}) in_dtype=fp32 "
                    f"num_active_channels={channels} op0=mult imm0=2.0 op1=add imm1=1.0",
                    {f"{place}{DATA}": data, f"{place}{SOURCE_LIST}": listed(numbers)},
                    [f"{place}{RESULT}:{channels}x{count}:fp32"])[0]
                expected = gathered(data, numbers) * numpy.float32(2) + numpy.float32(1)
                numpy.testing.assert_array_equal(result, expected, f"{generation} {channels}")

    def test_scatter_keeps_the_last_of_equal_numbers(self):
        for generation in GENERATIONS:
            values = self.random.integers(0, 256, (40, 200), dtype="u1")
            before = self.random.integers(0, 256, (40, 64), dtype="u1")
            numbers = self.lists(40, 200, 64)  # most numbers appear several times
            result = self.run_one(
                generation,
                f"tensor_scalar_bitvec dst=indirect(sbuf:0:{RESULT_LIST},sbuf:0:{RESULT},200) "
                f"src=sbuf:0:{DATA}:200:uint8 out_dtype=uint8 num_active_channels=40 op0=bitwise_xor imm0=255",
                {f"sbuf:0:{DATA}": values, f"sbuf:0:{RESULT}": before, f"sbuf:0:{RESULT_LIST}": listed(numbers)},
                [f"sbuf:0:{RESULT}:40x64:uint8"])[0]
            numpy.testing.assert_array_equal(result, scattered(before, values ^ 255, numbers), generation)

    def test_a_list_for_each_partition(self):
        """indirect.list=partition, the other reading of the sources."""
        for generation in GENERATIONS:
            data = self.floats(64, 300)
            numbers = self.random.integers(0, 300, (64, 77), dtype="<u4")
            result = self.run_one(
                generation,
                f"tensor_scalar_arith dst=sbuf:0:{RESULT}:77:fp32 "
                f"src=indirect(sbuf:0:{SOURCE_LIST},sbuf:0:{DATA},77) in_dtype=fp32 num_active_channels=64 "
                "op0=bypass op1=bypass",
                {f"sbuf:0:{DATA}": data, f"sbuf:0:{SOURCE_LIST}": numbers},
                [f"sbuf:0:{RESULT}:64x77:fp32"], "--set", "indirect.list=partition")[0]
            numpy.testing.assert_array_equal(result, numpy.take_along_axis(data, numbers.astype(int), axis=1))

    def test_both_in_one_tensor(self):
        """As if all elements were read before the first is written."""
        data = self.floats(32, 128)
        source, target = self.lists(32, 1500, 128), self.lists(32, 1500, 128)
        result = self.run_one(
            "mariana",
            f"tensor_scalar_arith dst=indirect(sbuf:0:{RESULT_LIST},sbuf:0:{DATA},1500) "
            f"src=indirect(sbuf:0:{SOURCE_LIST},sbuf:0:{DATA},1500) in_dtype=fp32 out_dtype=fp32 "
            "num_active_channels=32 op0=add imm0=1.0 op1=bypass",
            {f"sbuf:0:{DATA}": data, f"sbuf:0:{SOURCE_LIST}": listed(source),
             f"sbuf:0:{RESULT_LIST}": listed(target)},
            [f"sbuf:0:{DATA}:32x128:fp32"])[0]
        expected = scattered(data, gathered(data, source) + numpy.float32(1), target)
        numpy.testing.assert_array_equal(result, expected)

    def test_results_over_the_list(self):
        """The list is read first; that it is overwritten is worth a warning, a far result is not."""
        data, numbers = self.floats(16, 64), self.lists(16, 64, 64)
        line = ("tensor_scalar_arith dst=sbuf:0:{0}:64:fp32 "
                f"src=indirect(sbuf:0:{SOURCE_LIST},sbuf:0:{DATA},64) in_dtype=fp32 num_active_channels=16 "
                "op0=mult imm0=3.0 op1=bypass")
        warning = "W: a source overlaps dst other than exactly in place"
        for where, warned in ((SOURCE_LIST, True), (SOURCE_LIST + 16, False), (RESULT, False), (DATA + 64, True)):
            result = self.run_one(
                "mariana", line.format(where),
                {f"sbuf:0:{DATA}": data, f"sbuf:0:{SOURCE_LIST}": listed(numbers)},
                [f"sbuf:0:{where}:16x64:fp32"], "--log", "log.txt")[0]
            numpy.testing.assert_array_equal(result, gathered(data, numbers) * numpy.float32(3))
            self.assertEqual(warning in self.path("log.txt").read_text(), warned, hex(where))

    def test_every_opcode_that_admits_it(self):
        data, numbers = self.floats(32, 90), self.lists(32, 64, 90)
        taken = gathered(data, numbers)
        running = numpy.add.accumulate(taken, axis=1)
        turned = taken.reshape(32, 2, 32).transpose(2, 1, 0).reshape(32, 64)
        exact = numpy.exp(taken.astype("f8")).astype(F4)
        half = numpy.float32(0.5)
        cases = {
            "tensor_scalar_arith op0=mult imm0=0.5 op1=bypass": taken * half,
            f"tensor_scalar_ptr_arith op0=mult imm0=@sbuf:0:{DATA} imm1=@sbuf:0:{DATA} op1=bypass":
                taken * data[:, :1],
            "transpose_tensor_scalar_arith op0=mult imm0=0.5 op1=bypass": turned * half,
            "tensor_scalar_cache_reduce op0=mult imm0=0.5 op1=max accumulator_cmd=zero_accumulate": taken * half,
            "tensor_scalar_cache_cumulative op0=bypass op1=add accumulator_cmd=zero_accumulate": running,
            "exponential imm0=0.0": exact,
            "tensor_cumulative_arith op=add op_dim=xy": running,  # the list is one dimension
        }
        for text, expected in cases.items():
            mnemonic, _, rest = text.partition(" ")
            for scatters in (False, True):
                order = numpy.argsort(self.random.random((2, 64)), axis=1).astype("<u4")
                target = f"sbuf:0:{RESULT}:64" if not scatters else \
                    f"indirect(sbuf:0:{RESULT_LIST},sbuf:0:{RESULT},64)"
                line = (f"{mnemonic} dst={target} src=indirect(sbuf:0:{SOURCE_LIST},sbuf:0:{DATA},64) in_dtype=fp32 "
                        f"out_dtype=fp32 num_active_channels=32 {rest}")
                result = self.run_one(
                    "mariana", line,
                    {f"sbuf:0:{DATA}": data, f"sbuf:0:{SOURCE_LIST}": listed(numbers),
                     f"sbuf:0:{RESULT_LIST}": listed(order)},
                    [f"sbuf:0:{RESULT}:32x64:fp32"])[0]
                wanted = scattered(expected, expected, order) if scatters else expected
                numpy.testing.assert_array_equal(result, wanted, line)

    def test_reduction_over_gathered_elements(self):
        data, numbers = self.floats(48, 90), self.lists(48, 70, 90)
        largest = self.run_one(
            "maverick",
            f"tensor_scalar_cache_reduce dst=sbuf:0:{RESULT}:70:fp32 "
            f"src=indirect(sbuf:0:{SOURCE_LIST},sbuf:0:{DATA},70) in_dtype=fp32 num_active_channels=48 "
            "op0=absolute_value op1=max accumulator_cmd=zero_accumulate",
            {f"sbuf:0:{DATA}": data, f"sbuf:0:{SOURCE_LIST}": listed(numbers)},
            ["sbuf:0:0xa000:48x1:fp32"],
            after=["dve_read_accumulator dst=sbuf:0:0xa000:1:fp32 num_active_channels=48"])[0]
        numpy.testing.assert_array_equal(largest[:, 0], numpy.abs(gathered(data, numbers)).max(axis=1))

    def test_data_in_psum_and_lists_in_registers(self):
        """Data in PSUM may start elsewhere: lane k of the list serves lane k of the data."""
        data, numbers = self.floats(32, 256), self.lists(32, 40, 256)
        numbers[1] = 255 - numbers[0]
        stride = 0x40000
        for index in ("sbuf:32:0x8000", "R[7]"):
            result = self.run_one(
                "mariana",
                f"tensor_scalar_arith dst=sbuf:64:{RESULT}:40:fp32 src=indirect({index},psum:96:0x100,40) "
                "in_dtype=fp32 num_active_channels=32 op0=bypass op1=bypass",
                {"psum:96:0x100": data, "sbuf:32:0x8000": listed(numbers)},
                [f"sbuf:64:{RESULT}:32x40:fp32"], "--reg", f"7={32 * stride + 0x8000}")[0]
            numpy.testing.assert_array_equal(result, gathered(data, numbers))

    def refuse_run(self, line, says, loads=(), *options):
        """A fault that leaves the result as it was."""
        self.write("program.dvs", line + "\n")
        loaded = []
        for number, (where, array) in enumerate(dict(loads).items()):
            loaded += ["--load", f"{where}={self.save(f'load{number}.npy', array)}"]
        before = numpy.full((128, 256), 77, "u1")
        loaded += ["--load", f"sbuf:0:{RESULT}={self.save('before.npy', before)}"]
        result = self.command("run", "program.dvs", "--quiet", *loaded, *options, "--dump-on-fault",
                              "--dump", f"sbuf:0:{RESULT}:128x256:uint8=after.npy")
        message = result.stderr.decode()
        self.assertEqual(result.returncode, FAULT, message)
        at = 0
        for part in says:
            at = message.find(part, at)
            self.assertGreaterEqual(at, 0, f"{part!r} is not in {message!r}")
        numpy.testing.assert_array_equal(self.load("after.npy"), before)

    def test_numbers_out_of_range(self):
        """Every index is judged before the first write; a negative one is a large one."""
        for generation, partition_bytes in GENERATIONS.items():
            first_outside = (partition_bytes - 4) // 4 - DATA // 4 + 1
            for number in (first_outside, -1, 0x80000000, 0x40000000):
                for operand in ("src", "dst"):
                    numbers = numpy.zeros((2, 50), "<u4")
                    numbers[1, 49] = number & 0xFFFFFFFF
                    other = {"src": "dst", "dst": "src"}[operand]
                    base = DATA if operand == "src" else 0
                    line = (f".gen {generation}\ntensor_scalar_arith "
                            f"{operand}=indirect(sbuf:0:{SOURCE_LIST},sbuf:0:{base},50) "
                            f"{other}=sbuf:0:{RESULT}:50 in_dtype=fp32 out_dtype=fp32 num_active_channels=32 "
                            "op0=add imm0=1.0 op1=bypass")
                    self.refuse_run(line, ("MEMORY_ERROR: walk_inside_partition", f"{operand}_mem_pattern",
                                           "index 49 of channel 16", f"0x{number & 0xFFFFFFFF:x}",
                                           f"elements 0..{first_outside - 1}"),
                                    {f"sbuf:0:{SOURCE_LIST}": listed(numbers)})

    def test_last_element_of_a_partition(self):
        for generation, partition_bytes in GENERATIONS.items():
            data = self.floats(1, 4)
            numbers = numpy.array([[partition_bytes // 4 - 1, 0]], "<u4")
            result = self.run_one(
                generation,
                f"tensor_scalar_arith dst=sbuf:0:{RESULT}:2:fp32 "
                f"src=indirect(sbuf:0:{SOURCE_LIST},sbuf:0:{DATA},2) in_dtype=fp32 num_active_channels=1 "
                "op0=bypass op1=bypass",
                {f"sbuf:0:{partition_bytes - 4}": data[:, :1], f"sbuf:0:{DATA}": data[:, 1:],
                 f"sbuf:0:{SOURCE_LIST}": listed(numbers)},
                [f"sbuf:0:{RESULT}:1x2:fp32"])[0]
            self.assertEqual(result.tolist(), data[:, :2].tolist())

    def test_list_leaves_its_partition(self):
        self.refuse_run(f"tensor_scalar_arith dst=sbuf:0:{RESULT}:64:fp32 src=indirect(sbuf:0:0x3fff4,sbuf:0:0,64) "
                        "in_dtype=fp32 num_active_channels=1 op0=bypass op1=bypass",
                        ("MEMORY_ERROR: walk_inside_partition", "src_mem_pattern.index_addr", "0x40003"))

    def test_places_of_lists_that_come_from_registers(self):
        stride = 0x40000
        line = ("tensor_scalar_arith dst={0} src={1} in_dtype=fp32 out_dtype=fp32 num_active_channels=16 op0=bypass "
                "op1=bypass")
        direct = f"sbuf:0:{RESULT}:16"
        elsewhere = ("--reg", f"3={32 * stride}")
        self.refuse_run(line.format(direct, "indirect(R[3],sbuf:0:0,16)"),
                        ("MEMORY_ERROR: indirect_quadrant_check_src3d", "partition where the data starts"), (),
                        *elsewhere)
        self.refuse_run(line.format(f"indirect(R[3],sbuf:0:{RESULT},16)", "sbuf:0:0:16"),
                        ("MEMORY_ERROR: indirect_quadrant_check_src3d_dst3d", "partition 0, where the source"), (),
                        *elsewhere)
        for value, predicate in ((5 * stride, "start_addr_active_channels"), (2, "tensor_start_addr_valid"),
                                 (0x80000001, "register_address")):
            self.refuse_run(line.format(direct, "indirect(R[3],sbuf:0:0,16)"),
                            ("MEMORY_ERROR: " + predicate, "src_mem_pattern.index_addr R[3]"), (),
                            "--reg", f"3={value}")

    def test_refused_before_mariana(self):
        for generation in BEFORE:
            for mnemonic, fields, predicate in (
                    ("tensor_scalar_arith", "op0=mult imm0=2.0 op1=bypass", "tensor3d_valid"),
                    ("tensor_cumulative_arith", "op=add op_dim=x", "tensor4d_valid")):
                for operands in ("dst=sbuf:0:0x4000:16 src=indirect(sbuf:0:0x8000,sbuf:0:0,16)",
                                 "dst=indirect(sbuf:0:0x8000,sbuf:0:0x4000,16) src=sbuf:0:0:16"):
                    line = (f".gen {generation}\n{mnemonic} {operands} in_dtype=fp32 out_dtype=fp32 "
                            f"num_active_channels=16 {fields}")
                    self.refuse_run(line, (predicate, "start_addr", "no indirect form here"))

    def test_opcodes_without_an_indirect_arm(self):
        self.refuse_run(f"tensor_tensor_arith dst=sbuf:0:{RESULT}:16:fp32 src0=indirect(sbuf:0:0x8000,sbuf:0:0,16) "
                        "src1=sbuf:0:0:16 in0_in1_dtype=fp32,fp32 num_active_channels=16 op=add",
                        ("tensor3d_valid", "src0_mem_pattern.start_addr"))


if __name__ == "__main__":
    main()
