# The cycle view against the loose one from the command line: every pair of types, and what runs differ in.
import json
import re

import numpy

from dve_sim import CommandLineTest, main

DTYPES = ("int8", "uint8", "int16", "uint16", "bf16", "fp16", "int32", "uint32", "fp32", "fp32r", "fp8_exp3",
          "fp8_exp4", "fp8_exp5", "int64", "uint64")


class CycleView(CommandLineTest):
    settings = ()

    def outcome(self, timing, *arguments):
        for name, value in self.settings:
            arguments += ("--set", f"{name}={value}")
        result = self.command("run", "p.dvs", *arguments, "--timing", timing, "--stats", "s.json", "--dump", "sbuf:0:0x4000:8x1024:uint8=z.npy",
                              "--dump-on-fault")
        statistics = json.loads(self.path("s.json").read_text())
        del statistics["timing"]
        return result.returncode, result.stdout, result.stderr, statistics, self.path("z.npy").read_bytes()

    def same(self, program, *arguments):
        self.write("p.dvs", program)
        loose, cycle = self.outcome("loose", *arguments), self.outcome("cycle", *arguments)
        self.assertEqual(loose, cycle, program)
        return loose[0] == 0

    def test_every_pair_of_types(self):
        """Moves and sums from one type to another, the second source in each of the two."""
        ran = 0
        for source in DTYPES:
            head = [".gen mariana", ".tensor b sbuf:0:0 8x64 int16", f".tensor s sbuf:0:0 8x7 {source}",
                    " tensor_scalar_arith dst=b src=b op0=add imm0=3.25 op1=mult imm1=2.0"]
            body = []
            for number, target in enumerate(DTYPES):
                head[-1:-1] = [f".tensor t{number} sbuf:0:{0x1000 + 64 * number} 8x7 {target}",
                               f".tensor z{number} sbuf:0:{0x4000 + 64 * number} 8x7 {target}"]
                body += [f" tensor_tensor_arith dst=z{number} src0=s src1={second} op={op}"
                         for op in ("bypass", "add") for second in ("s", f"t{number}")]
            self.write("all.dvs", "\n".join([*head, *body, ""]))
            self.assertEqual(self.command("asm", "all.dvs", "-o", "all.bin").returncode, 0)
            refused = {int(number) - 1 for number in
                       re.findall(rb"^all.bin: record (\d+) ", self.command("check", "all.bin").stdout, re.M)}
            legal = [line for number, line in enumerate(body) if number not in refused]
            ran += len(legal)
            self.assertTrue(self.same("\n".join([*head, *legal, ""])))
        self.assertGreater(ran, 300)

    def test_dispatch_without_a_cycle(self):
        """READ begins behind DISPATCH in both views, also where the pipeline is awake."""
        program = "".join([".gen mariana\n.tensor x sbuf:0:0 8x64 fp32\n.tensor y sbuf:0:0x1000 8x64 fp32\n",
                           " tensor_scalar_arith dst=y src=x op0=mult imm0=2.0 op1=bypass\n" * 2])
        for settings in ((("seq.dispatch", 0), ("seq.fetch", 100)), (("seq.dispatch", 0), ("seq.control", 5000))):
            self.settings = settings
            self.assertTrue(self.same(program))

    def test_signalling_nan_before_an_accumulator(self):
        self.save("x.npy", numpy.full((8, 16), 0x7F800001, "<u4").view("<f4"))
        for op in ("add", "max", "mult"):
            self.assertTrue(self.same(".gen mariana\n.tensor x sbuf:0:0 8x16 fp32\n.tensor z sbuf:0:0x4000 8x16 fp32\n"
                                      f" tensor_scalar_cache_reduce dst=z src=x op0=bypass op1={op} "
                                      "accumulator_cmd=zero_accumulate\n", "--load", "x=x.npy"))


if __name__ == "__main__":
    main()
