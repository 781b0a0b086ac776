# registers.rdl: its grammar, that everything fits and nothing overlaps, and that it says what the C header says.
import os
import pathlib
import re
import unittest

from rdl_parser import RdlError, parse

SOURCE = pathlib.Path(os.environ["DVE_SOURCE"])
RDL = (SOURCE / "docs/registers.rdl").read_text()
MACROS = {name: int(value.rstrip("u"), 0) for name, value in re.findall(
    r"^#define DVE_(\w+) (\w+)$", (SOURCE / "include/dve/dve_registers.h").read_text(), re.M)}
# Words of the sources that are not made from a table, and one register of each kind, by hand.
BY_HAND = {"START": (0x4, "w"), "RUN_STATE": (0x8, "r"), "INTERRUPT": (0x1C, "rw"), "CYCLES_HI": (0x204, "r"),
           "SEMAPHORE_READ": (0x1000, "r"), "EVENT_CLEAR": (0x2800, "w"), "RING_TAIL": (0x150, "rw")}


def check(text):
    """The address map; RdlError where a rule beyond the grammar is broken."""
    top, = parse(text)
    words, names = set(), set()
    for reg in top.parts:
        width = reg.property("regwidth")
        if width != 32 or reg.property("accesswidth") != 32:
            raise RdlError(f"{reg.name}: no word of 32 bits")
        if reg.name in names or reg.address is None or reg.address % 4:
            raise RdlError(f"{reg.name}: name or address")
        names.add(reg.name)
        for i in range(reg.array or 1):
            if reg.address + 4 * i in words:
                raise RdlError(f"{reg.name}: overlaps")
            words.add(reg.address + 4 * i)
        bits = set()
        if not reg.parts or len({field.name for field in reg.parts}) != len(reg.parts):
            raise RdlError(f"{reg.name}: no fields, or two of a name")
        for field in reg.parts:
            high, low = field.range
            mine = set(range(low, high + 1))
            if not low <= high < width or bits & mine:
                raise RdlError(f"{reg.name}.{field.name}: bits")
            bits |= mine
            if field.reset.width != len(mine):
                raise RdlError(f"{reg.name}.{field.name}: width of the reset value")
            for value in (field.property("encode") or {}).values():
                if value.width != len(mine):
                    raise RdlError(f"{reg.name}.{field.name}: width of an encoding")
            if not field.property("desc") or not field.property("sw") or not field.property("hw"):
                raise RdlError(f"{reg.name}.{field.name}: desc, sw, hw")
    return top


class Rdl(unittest.TestCase):
    def setUp(self):
        self.top = check(RDL)
        self.registers = {reg.name: reg for reg in self.top.parts}

    def test_top(self):
        self.assertEqual(self.top.name, "dve")
        self.assertTrue(self.top.properties["littleendian"])
        self.assertTrue(self.top.properties["lsb0"])

    def test_by_hand(self):
        for name, (address, access) in BY_HAND.items():
            reg = self.registers[name]
            self.assertEqual((reg.address, reg.parts[0].properties["sw"]), (address, access), name)
        self.assertEqual([(f.name, f.range[1], f.properties["onwrite"]) for f in self.registers["INTERRUPT"].parts],
                         [("RUN_ENDED", 0, "woclr"), ("FAULT", 1, "woclr"), ("RING_EMPTY", 2, "woclr"),
                          ("NOTIFICATION", 3, "woclr"), ("NOTIFICATION_LOST", 4, "woclr")])
        encoded = {name: value.value
                   for name, value in self.registers["RUN_STATE"].parts[0].properties["encode"].items()}
        self.assertEqual(encoded, {"IDLE": 0, "RUNNING": 1, "PAUSED": 2, "HALTED": 3, "FAULTED": 4})
        self.assertEqual(self.registers["ERROR_TYPE"].parts[0].reset.value, 0xFFFFFFFF)

    def test_offsets_are_those_of_the_header(self):
        self.assertEqual({name: reg.address for name, reg in self.registers.items()},
                         {name[:-len("_OFFSET")]: value for name, value in MACROS.items() if name.endswith("_OFFSET")})
        for name, reg in self.registers.items():
            self.assertEqual(reg.array, MACROS.get(f"{name}_WORDS"), name)
            self.assertEqual(name, name.upper())

    def test_fields_resets_and_values_are_those_of_the_header(self):
        masks = 0
        for name, reg in self.registers.items():
            reset = 0
            for field in reg.parts:
                high, low = field.range
                reset |= field.reset.value << low
                if field.name != "VALUE":
                    masks += 1
                    self.assertEqual(((2 << high) - 1) >> low << low, MACROS[f"{name}_{field.name}_MASK"])
                for member, value in field.properties.get("encode", {}).items():
                    self.assertEqual(value.value, MACROS[f"{name}_{member}"])
            self.assertEqual(reset, MACROS.get(f"{name}_RESET", 0), name)
        self.assertEqual(masks, sum(name.endswith("_MASK") and not name.startswith("ENTRY_") for name in MACROS))

    def test_counters_say_how_they_are_read(self):
        counters = [name for name in self.registers if name.endswith("_HI") and f"{name[:-3]}_LO" in self.registers
                    and self.registers[name].parts[0].properties["sw"] == "r"]
        self.assertGreater(len(counters), 5)
        for name in counters:
            self.assertIn("as the last read of the low word kept it", self.registers[name].properties["desc"])
            self.assertIn("a read keeps the high word", self.registers[f"{name[:-3]}_LO"].properties["desc"])


class BrokenText(unittest.TestCase):
    """The parser and the checks see what is wrong."""

    def test_broken(self):
        for old, new in (
                ("START @ 0x0004;", "START @ 0x0004"), ("START @ 0x0004", "START @ 0x0008"),
                ("START @ 0x0004", "START @ 0x0006"), ("STATE[2:0] = 3'h0", "STATE[2:0] = 2'h0"),
                ("STATE[2:0] = 3'h0", "STATE[0:2] = 3'h0"), ("FAULT[1:1]", "FAULT[0:0]"),
                ("FAULTED = 3'h4", "FAULTED = 3'h9"), ("FAULTED = 3'h4", "FAULTED = 3'h3"),
                ("FAULTED = 3'h4", "FAULTED = 4'h4"), ("encode = run_state_values", "encode = states"),
                ("enum run_state_values", "enum reg"), ("sw = rw", "sw = ro"), ("onwrite = woclr", "onwrite = clear"),
                ("default regwidth = 32;", ""), ("lsb0;", "lsb;"), ("addrmap dve {", "addrmap {"),
                ("desc = \"what the engine does\"", "desc = \"what \"the engine\" does\"")):
            self.assertIn(old, RDL)
            with self.assertRaises(RdlError, msg=new):
                check(RDL.replace(old, new, 1))


if __name__ == "__main__":
    unittest.main()
