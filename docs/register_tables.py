"""Reads what a driver has to know from where it is written: the rows of the .def files, enumerations and the
table of generations of the C++ sources."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
REGISTERS = ROOT / "platform/registers.def"
NOTIFICATION = ROOT / "models/seq/notification.def"
ROW = re.compile(r'^DVE_([A-Z_]+)\((.*)\)$')
ARGUMENT = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[^,]+?)\s*(?:,|$)')
ACCESS = {"RO": "read only", "WO": "write only", "RW": "read and write", "W1C": "write ones to clear"}


def rows(path):
    """(kind, arguments) of every row; texts without their quotes."""
    for line in path.read_text().splitlines():
        match = ROW.match(line)
        if match:
            yield match[1], [argument.strip('"') for argument in ARGUMENT.findall(match[2])]


def found(pattern, path):
    """The one match of a pattern in a source."""
    matches = re.findall(pattern, (ROOT / path).read_text())
    assert len(matches) == 1, f"{path}: {len(matches)} matches of {pattern}"
    return matches[0]


def enumeration(name, path):
    """(enumerator, value) of a C++ enumeration in which every enumerator has its value."""
    body = re.sub(r"//.*", "", found(rf"enum class {name}\b[^{{]*{{([^}}]*)}}", path))
    members = [member.split("=") for member in body.split(",") if member.strip()]
    return [(member.strip().rstrip("_"), int(value, 0)) for member, value in members]


def constant(name, path):
    return int(found(rf"\b{name} = (\d+);", path))


class Memory:
    """A partitioned memory in the byte map of the engine; sizes in bytes."""

    def __init__(self, present, base, stride, bytes_of_partition):
        self.present, self.base, self.stride, self.bytes = present, base, stride, bytes_of_partition


def generations():
    """(name, SBUF, PSUM) of each generation."""
    source = "models/isa/generation.cpp"
    kib = constant("KiB", source)
    sbuf_base = int(found(r"return {true, (\d+), stride_kib \* KiB, active_kib \* KiB, \d+};", source))
    stride, size = map(int, found(r"return {present, base, (\d+) \* KiB, (\d+) \* KiB, \d+};", source))
    table = []
    for name, sbuf, psum in re.findall(
            r'"(\w+)",\s*[\d.]+,\s*sbuf\(([^)]*)\),\s*psum\(([^)]*)\)', (ROOT / source).read_text()):
        sbuf_stride, sbuf_active = map(int, sbuf.split(","))
        present, base = psum.split(",")
        table.append((name, Memory(True, sbuf_base, sbuf_stride * kib, sbuf_active * kib),
                      Memory(present == "true", int(base, 0), stride * kib, size * kib)))
    assert len(table) == constant("generation_count", "models/isa/generation.h")
    return table


class Register:
    def __init__(self, name, offset, access, reset, what):
        self.name, self.access, self.what = name, access, what
        self.offset, self.reset = int(offset, 0), int(reset, 0)
        self.fields, self.values = [], []


class Table:
    """Registers, counters and windows of the csr socket; the entry of the notification ring; the byte map."""

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
                self.windows.append((row[0].upper(), int(row[1], 0), int(row[2]), row[3], row[4]))
        self.register("ERROR_TYPE").values[:0] = [
            (name, value, "") for name, value in enumeration("ErrorType", "models/isa/enums.h")]
        self.entry = [(row[0], int(row[1]), int(row[2]), row[3])
                      for kind, row in rows(NOTIFICATION) if kind == "ENTRY"]
        # (type of the entry, name, first bit of the entry, bits, what)
        self.parts = [(row[0], row[1], int(row[2]), int(row[3]), row[4])
                      for kind, row in rows(NOTIFICATION) if kind == "ENTRY_PART"]
        self.types = enumeration("NotificationType", "models/seq/notification_ring.h")
        self.subtypes = enumeration("FaultSubtype", "models/isa/fault.h")
        self.entry_bytes = constant("notification_bytes", "models/seq/notification_ring.h")
        self.record_bytes = constant("record_bytes", "models/isa/record.h")
        self.partitions = constant("dve_num_channels", "models/isa/generation.h")
        self.generations = generations()
        self.check()

    def register(self, name):
        return next(register for register in self.registers if register.name == name)

    def check(self):
        """No two rows share a word, no two fields a bit; every part lies in one field of the entry."""
        words = [r.offset for r in self.registers]
        words += [offset + half for _, offset, _ in self.counters for half in (0, 4)]
        words += [offset + 4 * i for _, offset, count, _, _ in self.windows for i in range(count)]
        assert len(words) == len(set(words)) and not any(word % 4 for word in words), "rows overlap"
        for fields in [r.fields for r in self.registers] + [self.entry]:
            bits = [first + i for _, first, count, _ in fields for i in range(count)]
            assert len(bits) == len(set(bits)), "fields overlap"
        for kind, name, first, bits, _ in self.parts:
            assert kind in dict(self.types), f"{name}: no type {kind}"
            assert any(start <= first and first + bits <= start + count for _, start, count, _ in self.entry), name


def bit_range(first, count):
    return str(first) if count == 1 else f"{first + count - 1}:{first}"
