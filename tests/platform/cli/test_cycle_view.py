# The cycle view against the loose one from the command line: every pair of types, and what runs differ in.
import json
import re

from dve_sim import CommandLineTest, main

DTYPES = ("int8", "uint8", "int16", "uint16", "bf16", "fp16", "int32", "uint32", "fp32", "fp32r", "fp8_exp3",
          "fp8_exp4", "fp8_exp5", "int64", "uint64")


class CycleView(CommandLineTest):
    def outcome(self, timing):
        result = self.command("run", "p.dvs", "--timing", timing, "--stats", "s.json", "--dump", "sbuf:0:0x4000:8x1024:uint8=z.npy",
                              "--dump-on-fault")
        statistics = json.loads(self.path("s.json").read_text())
        del statistics["timing"]
        return result.returncode, result.stdout, result.stderr, statistics, self.path("z.npy").read_bytes()

    def same(self, program):
        self.write("p.dvs", program)
        loose, cycle = self.outcome("loose"), self.outcome("cycle")
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


if __name__ == "__main__":
    main()
