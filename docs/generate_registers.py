"""Writes docs/registers.md, docs/registers.rdl and include/dve/dve_registers.h from the tables of the registers
(platform/registers.def) and of the notification entry (models/seq/notification.def).

usage: generate_registers.py [--check]   (--check: compare instead of writing)
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
REGISTERS = ROOT / "platform/registers.def"
NOTIFICATION = ROOT / "models/seq/notification.def"
ROW = re.compile(r'^([A-Z]+)\((.*)\)$')
ARGUMENT = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[^,]+?)\s*(?:,|$)')
ACCESS = {"RO": "read only", "WO": "write only", "RW": "read and write", "W1C": "write ones to clear"}

MARKDOWN_HEAD = """# Registers

The `csr` socket of `dve::DveEngine`: aligned 32-bit words. Written by `docs/generate_registers.py` from
`platform/registers.def`, like [registers.rdl](registers.rdl) and the C header `include/dve/dve_registers.h`.

An address without a register answers TLM_ADDRESS_ERROR_RESPONSE, an access against its kind
TLM_COMMAND_ERROR_RESPONSE, a value that is not legal now TLM_GENERIC_ERROR_RESPONSE; nothing changes then. While
`reset_n` is low, every write answers TLM_GENERIC_ERROR_RESPONSE. Bits outside of the fields read 0.
"""
RINGS = """
## Instruction ring

The host writes records to the ring at RING_BASE and then moves RING_TAIL behind them: the doorbell. The engine
executes from RING_HEAD on, never fetches behind the tail, and wraps around at RING_BYTES. Head == tail is empty, so one
place always stays free. RING_HEAD moves when a record has been issued: its place is the host's again. When the ring is
empty and the last write is visible, RUN_STATE is PAUSED and INTERRUPT.RING_EMPTY is set; the next doorbell goes on.
HALT ends the run with the head behind it, a fault with the head at the record at fault. A branch goes forward only,
at most to the tail.

## Notification ring

The engine writes entries of 16 bytes through its `fetch` socket at NOTIFICATION_TAIL; the host reads them at
NOTIFICATION_HEAD and moves it. Entries are written by the instruction NOTIFY, in program order and without waiting for
earlier instructions, and by a fault, before INTERRUPT.FAULT is set. If the ring is full, the new entry is dropped, never
one that the host has not read; the same holds if the memory answers an error. NOTIFICATIONS_LOST and
INTERRUPT.NOTIFICATION_LOST count and report it, and the next entry that is written carries an overflow bit.

| bits | field | meaning |
|---|---|---|
"""
COUNTERS = """
## Counters

64 bits in two words. A read of the low word keeps the high word that belongs to it: read low, then high. A debug read
keeps nothing. They count from the start of a run, can be read while it runs, hold after its end, and are 0 after a
reset and at the next start. Instructions, busy cycles, elements and stalls are those of retired instructions. Loosely
timed, the engine runs ahead of SystemC time by up to the global quantum (one microsecond without one), and so do all
counters but CYCLES.

| offset | counter | counts |
|---|---|---|
"""
RESET = """
## Reset

RESET and a falling edge of `reset_n` act at any moment, also in the middle of an instruction, a wait or a fetch. All
state is as after power-on, but SBUF and PSUM keep their bytes: those that an unfinished instruction has written
stay written. Direct memory access is withdrawn and can be asked for again. A fetch or notification that the memory
has not answered yet is not broken off; the next run can be started at once and begins when the answer is there.
"""


def rows(path):
    """(kind, arguments) of every row; texts without their quotes."""
    for line in path.read_text().splitlines():
        match = ROW.match(line)
        if match and not line.startswith("#"):
            yield match[1], [argument.strip('"') for argument in ARGUMENT.findall(match[2])]


class Register:
    def __init__(self, name, offset, access, reset, what):
        self.name, self.access, self.what = name, access, what
        self.offset, self.reset = int(offset, 0), int(reset, 0)
        self.fields, self.values = [], []


class Table:
    def __init__(self):
        self.registers, self.counters, self.windows = [], [], []
        for kind, row in rows(REGISTERS):
            if kind == "REGISTER":
                self.registers.append(Register(*row))
            elif kind == "FIELD":
                self.register(row[0]).fields.append((row[1], int(row[2]), int(row[3]), row[4]))
            elif kind == "VALUE":
                self.register(row[0]).values.append((row[1], int(row[2], 0), row[3]))
            elif kind == "COUNTER":
                self.counters.append((row[0], int(row[1], 0), row[2]))
            elif kind == "WINDOW":
                self.windows.append((row[0], int(row[1], 0), int(row[2]), row[3], row[4]))
        self.entry = [(name, int(first), int(bits), what) for kind, (name, first, bits, what) in rows(NOTIFICATION)]
        self.check()

    def register(self, name):
        return next(register for register in self.registers if register.name == name)

    def check(self):
        """No two rows share a word, no two fields a bit."""
        words = [r.offset for r in self.registers]
        words += [offset + half for _, offset, _ in self.counters for half in (0, 4)]
        words += [offset + 4 * i for _, offset, count, _, _ in self.windows for i in range(count)]
        assert len(words) == len(set(words)) and not any(word % 4 for word in words), "rows overlap"
        for fields in [r.fields for r in self.registers] + [self.entry]:
            bits = [first + i for _, first, count, _ in fields for i in range(count)]
            assert len(bits) == len(set(bits)), "fields overlap"


def bit_range(first, count):
    return str(first) if count == 1 else f"{first + count - 1}:{first}"


def markdown(table):
    text = MARKDOWN_HEAD + "\n## Words\n\n| offset | register | access | reset | meaning |\n|---|---|---|---|---|\n"
    for r in table.registers:
        text += f"| 0x{r.offset:04X} | {r.name} | {ACCESS[r.access]} | 0x{r.reset:X} | {r.what} |\n"
    text += "\n## Fields and values\n\n| register | bits | field | meaning |\n|---|---|---|---|\n"
    for r in table.registers:
        for name, first, bits, what in r.fields:
            text += f"| {r.name} | {bit_range(first, bits)} | {name} | {what} |\n"
    text += "\n| register | value | name | meaning |\n|---|---|---|---|\n"
    for r in table.registers:
        for name, value, what in r.values:
            text += f"| {r.name} | {value} | {name} | {what} |\n"
    text += "\n## Windows\n\nWord n at offset + 4n.\n\n| offset | words | window | access | meaning |\n|---|---|---|---|---|\n"
    for name, offset, count, access, what in table.windows:
        text += f"| 0x{offset:04X} | {count} | {name} | {ACCESS[access]} | {what} |\n"
    text += RINGS
    for name, first, bits, what in table.entry:
        text += f"| {bit_range(first, bits)} | {name} | {what} |\n"
    text += COUNTERS
    for name, offset, what in table.counters:
        text += f"| 0x{offset:04X} | {name} | {what} |\n"
    return text + RESET



def c_header(table):
    lines = ["/* Registers of the DVE engine, for drivers in C. Written by docs/generate_registers.py from",
             "   platform/registers.def; the meanings are in docs/registers.md. */",
             "#ifndef DVE_REGISTERS_H", "#define DVE_REGISTERS_H", ""]

    def define(name, value):
        lines.append(f"#define DVE_{name.upper()} {value}")

    lines.append("/* Offsets of words, in bytes. */")
    for r in table.registers:
        define(f"{r.name}_OFFSET", f"0x{r.offset:04X}u")
    for name, offset, _ in table.counters:
        define(f"{name}_LO_OFFSET", f"0x{offset:04X}u")
        define(f"{name}_HI_OFFSET", f"0x{offset + 4:04X}u")
    lines += ["", "/* Windows: word n at offset + 4n. */"]
    for name, offset, count, _, _ in table.windows:
        define(f"{name}_OFFSET", f"0x{offset:04X}u")
        define(f"{name}_WORDS", f"{count}u")
    lines += ["", "/* Values after reset. */"]
    for r in table.registers:
        if r.access != "WO":
            define(f"{r.name}_RESET", f"0x{r.reset:X}u")
    lines += ["", "/* Fields: bits of the word, and the lowest of them. */"]
    for r in table.registers:
        for name, first, bits, _ in r.fields:
            define(f"{r.name}_{name}_MASK", f"0x{((1 << bits) - 1) << first:08X}u")
            define(f"{r.name}_{name}_SHIFT", f"{first}")
    lines += ["", "/* Values. */"]
    for r in table.registers:
        for name, value, _ in r.values:
            define(f"{r.name}_{name}", f"{value}u")
    lines += ["", "/* A notification: little-endian words of 32 bits; a field's word, bits in it, lowest bit. */"]
    define("NOTIFICATION_BYTES", "16u")
    for name, first, bits, _ in table.entry:
        define(f"ENTRY_{name}_WORD", f"{first // 32}")
        if bits <= 32:
            define(f"ENTRY_{name}_MASK", f"0x{((1 << bits) - 1) << first % 32:08X}u")
            define(f"ENTRY_{name}_SHIFT", f"{first % 32}")
    return "\n".join(lines + ["", "#endif", ""])


RDL_ACCESS = {"RO": "sw = r; hw = w;", "WO": "sw = w; hw = r;", "RW": "sw = rw; hw = rw;",
              "W1C": "sw = rw; hw = rw; onwrite = woclr;"}


def rdl_register(name, offset, access, reset, what, fields, array=""):
    text = f"    reg {{\n        desc = \"{what}\";\n"
    for field, first, bits, meaning in fields:
        value = (reset >> first) & ((1 << bits) - 1)
        text += (f"        field {{ desc = \"{meaning}\"; {RDL_ACCESS[access]} }} "
                 f"{field}[{first + bits - 1}:{first}] = {bits}'h{value:x};\n")
    return text + f"    }} {name}{array} @ 0x{offset:04X};\n"


def rdl(table):
    text = ("// Registers of the DVE engine in SystemRDL 2.0. Written by docs/generate_registers.py from\n"
            "// platform/registers.def.\n"
            "addrmap dve {\n    default regwidth = 32;\n    default accesswidth = 32;\n    littleendian;\n    lsb0;\n")
    for r in table.registers:
        fields = r.fields or [("VALUE", 0, 32, r.what)]
        text += rdl_register(r.name, r.offset, r.access, r.reset, r.what, fields)
    for name, offset, what in table.counters:
        for half, word in ((0, "LO"), (4, "HI")):
            text += rdl_register(f"{name}_{word}", offset + half, "RO", 0, what, [("VALUE", 0, 32, what)])
    for name, offset, count, access, what in table.windows:
        text += rdl_register(name, offset, access, 0, what, [("VALUE", 0, 32, what)], f"[{count}]")
    return text + "};\n"


def main():
    table = Table()
    wrong = 0
    for path, text in ((ROOT / "docs/registers.md", markdown(table)), (ROOT / "docs/registers.rdl", rdl(table)),
                       (ROOT / "include/dve/dve_registers.h", c_header(table))):
        if sys.argv[1:] == ["--check"]:
            if not path.exists() or path.read_text() != text:
                print(f"{path.relative_to(ROOT)} is not what the tables say; run docs/generate_registers.py",
                      file=sys.stderr)
                wrong = 1
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    return wrong


if __name__ == "__main__":
    sys.exit(main())
