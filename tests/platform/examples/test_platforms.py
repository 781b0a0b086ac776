# The example platforms, end to end.
import os
import re
import unittest

from program_case import ProgramCase


class Platforms(ProgramCase):
    def test_smallest(self):
        self.assertRegex(self.lines(os.environ["DVE_SMALLEST"])[-1],
                         r"^0 of 1024 elements wrong at \d+ ps$")

    def test_two_engines(self):
        lines = self.lines(os.environ["DVE_TWO_ENGINES"])
        moved = [int(time) for time in re.findall(r"tile moved at (\d+) ps", "\n".join(lines))]
        end = int(re.fullmatch(r"0 of 49152 elements wrong at (\d+) ps", lines[-1])[1])
        self.assertEqual(len(moved), 6)
        self.assertEqual(moved, sorted(set(moved)))
        # The second engine begins long before the last tile is there, and ends behind it.
        self.assertLess(moved[-1], end)


if __name__ == "__main__":
    unittest.main()
