"""The C header for drivers: macros alone, for C89 and later, and C++."""
from register_tables import Table


class Header:
    def __init__(self):
        self.lines, self.names = [], set()

    def section(self, comment):
        self.lines += ["", f"/* {comment} */"]

    def define(self, name, value):
        assert name not in self.names, f"two macros DVE_{name}"
        self.names.add(name)
        self.lines.append(f"#define DVE_{name} {value}")

    def mask(self, name, first, bits):
        """Bits of a word, and the lowest of them."""
        self.define(f"{name}_MASK", f"0x{((1 << bits) - 1) << first:08X}u")
        self.define(f"{name}_SHIFT", first)

    def entry_field(self, name, first, bits):
        """Of a notification; more than 32 bits lie in two words, the low one first."""
        if bits > 32:
            self.define(f"ENTRY_{name}_LO_WORD", first // 32)
            self.define(f"ENTRY_{name}_HI_WORD", first // 32 + 1)
        else:
            self.define(f"ENTRY_{name}_WORD", first // 32)
            self.mask(f"ENTRY_{name}", first % 32, bits)


def registers(header, table):
    header.section("Offsets of words, in bytes.")
    for r in table.registers:
        header.define(f"{r.name}_OFFSET", f"0x{r.offset:04X}u")
    for name, offset, _ in table.counters:
        header.define(f"{name}_LO_OFFSET", f"0x{offset:04X}u")
        header.define(f"{name}_HI_OFFSET", f"0x{offset + 4:04X}u")
    header.section("Windows: word n at offset + 4n.")
    for name, offset, count, _, _ in table.windows:
        header.define(f"{name}_OFFSET", f"0x{offset:04X}u")
        header.define(f"{name}_WORDS", f"{count}u")
    header.section("Values after reset.")
    for r in table.registers:
        if r.access != "WO":
            header.define(f"{r.name}_RESET", f"0x{r.reset:X}u")
    header.section("Fields: bits of the word, and the lowest of them.")
    for r in table.registers:
        for name, first, bits, _ in r.fields:
            header.mask(f"{r.name}_{name}", first, bits)
    header.section("Values, of the first field or of the whole word.")
    for r in table.registers:
        for name, value, _ in r.values:
            header.define(f"{r.name}_{name}", f"{value}u" if value < 256 else f"0x{value:X}u")


def notification(header, table):
    header.section("A notification: little-endian words of 32 bits; a field's word, bits in it, lowest bit.")
    header.define("NOTIFICATION_BYTES", f"{table.entry_bytes}u")
    for name, first, bits, _ in table.entry:
        header.entry_field(name, first, bits)
    header.section("Its TYPE.")
    for name, value in table.types:
        header.define(f"ENTRY_TYPE_{name}", f"0x{value:02X}u")
    header.section("What ID and metadata hold, by TYPE.")
    for kind, name, first, bits, _ in table.parts:
        header.entry_field(f"{kind}_{name}", first, bits)
    header.section("Subtypes of an error.")
    for name, value in table.subtypes:
        header.define(f"SUBTYPE_{name}", f"0x{value:02X}u")


def byte_map(header, table):
    header.section("Records of the instruction stream, and partitions of SBUF and PSUM.")
    header.define("RECORD_BYTES", f"{table.record_bytes}u")
    header.define("PARTITIONS", f"{table.partitions}u")
    header.section("Engine-local byte map: partition p has PARTITION_BYTES from BASE + p * STRIDE on. PRESENT 0: "
                   "only with the parameter psum.enable.")
    for name, sbuf, psum in table.generations:
        header.define(f"{name.upper()}_PSUM_PRESENT", f"{int(psum.present)}u")
        for space, memory in (("SBUF", sbuf), ("PSUM", psum)):
            prefix = f"{name.upper()}_{space}"
            header.define(f"{prefix}_BASE", f"0x{memory.base:08X}u")
            header.define(f"{prefix}_STRIDE", f"0x{memory.stride:X}u")
            header.define(f"{prefix}_PARTITION_BYTES", f"0x{memory.bytes:X}u")


def c_header(table: Table):
    header = Header()
    registers(header, table)
    notification(header, table)
    byte_map(header, table)
    return "\n".join([
        "/* Registers, notifications and byte map of the DVE engine, for drivers in C. Written by",
        "   docs/generate_registers.py from the tables of the model; the meanings are in docs/registers.md. */",
        "#ifndef DVE_REGISTERS_H", "#define DVE_REGISTERS_H", *header.lines, "", "#endif", ""])
