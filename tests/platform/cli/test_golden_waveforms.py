# The recorded waveforms of traces/golden, compared value by value.
#
# DVE_RECORD_GOLDEN=1 records them anew: look at the difference before it becomes the truth.
import os
import pathlib
import sys

from dve_sim import DONE, CommandLineTest, main
from vcd import Waveform

GOLDEN = pathlib.Path(__file__).resolve().parents[3] / "traces" / "golden"
sys.path.insert(0, str(GOLDEN))
import cases  # noqa: E402


class GoldenWaveforms(CommandLineTest):
    def run_case(self, name):
        self.write("p.dvs", cases.program(name))
        loads = []
        for tensor, array in cases.arrays(name).items():
            self.save(f"{tensor}.npy", array)
            loads += ["--load", f"{tensor}={tensor}.npy"]
        result = self.command("run", "p.dvs", *loads, "--timing", "cycle", "--vcd", f"{name}.vcd", "--trace-lanes", "0,7",
                              "--trace-scope", cases.CASES[name][2])
        self.assertEqual(result.returncode, DONE, result.stderr)
        return self.path(f"{name}.vcd").read_text()

    def test_values(self):
        for name in cases.CASES:
            with self.subTest(name):
                text = self.run_case(name)
                golden = GOLDEN / f"{name}.vcd"
                if os.environ.get("DVE_RECORD_GOLDEN"):
                    golden.write_text(text)
                expected, now = Waveform(golden.read_text()), Waveform(text)
                self.assertEqual(list(expected.widths.items()), list(now.widths.items()))
                for signal, changes in expected.changes.items():
                    self.assertEqual(now.changes[signal], changes, signal)

    def test_the_reader_sees_a_difference(self):
        """One bit of one value, one time stamp, one signal less."""
        text = (GOLDEN / "tensor_scalar.vcd").read_text()
        golden = Waveform(text)
        head, _, body = text.partition("$enddefinitions $end\n")
        lines = body.splitlines(keepends=True)
        place = next(i for i, line in enumerate(lines) if i > len(lines) // 2 and line.startswith("b"))
        changed = lines[place].replace("b0", "b1", 1) if lines[place].startswith("b0") else lines[place].replace("b1", "b0", 1)
        other = Waveform(head + "$enddefinitions $end\n" + "".join([*lines[:place], changed, *lines[place + 1:]]))
        self.assertNotEqual(golden.changes, other.changes)


if __name__ == "__main__":
    main()
