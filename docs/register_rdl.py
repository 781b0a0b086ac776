"""The registers in SystemRDL 2.0."""
from register_tables import Table

ACCESS = {"RO": "sw = r; hw = w;", "WO": "sw = w; hw = r;", "RW": "sw = rw; hw = rw;",
          "W1C": "sw = rw; hw = rw; onwrite = woclr;"}


def text_of(what):
    return what.replace("\\", "\\\\").replace('"', '\\"')


def enumeration(name, bits, values):
    """(enumerator, value, what); a text may be empty."""
    text = f"    enum {name} {{\n"
    for member, value, what in values:
        body = f" {{ desc = \"{text_of(what)}\"; }}" if what else ""
        text += f"        {member} = {bits}'h{value:X}{body};\n"
    return text + "    };\n"


def register(name, offset, access, reset, what, fields, encoded="", array=""):
    """encoded: the enumeration of the first field."""
    text = f"    reg {{\n        desc = \"{text_of(what)}\";\n"
    for field, first, bits, meaning in fields:
        value = (reset >> first) & ((1 << bits) - 1)
        encode = f" encode = {encoded};" if encoded else ""
        encoded = ""
        text += (f"        field {{ desc = \"{text_of(meaning)}\"; {ACCESS[access]}{encode} }} "
                 f"{field}[{first + bits - 1}:{first}] = {bits}'h{value:X};\n")
    return text + f"    }} {name}{array} @ 0x{offset:04X};\n"


def rdl(table: Table):
    text = ("// Registers of the DVE engine in SystemRDL 2.0. Written by docs/generate_registers.py from\n"
            "// platform/registers.def.\n"
            "addrmap dve {\n"
            "    name = \"DVE\";\n"
            "    desc = \"The csr socket of the engine: aligned words of 32 bits.\";\n"
            "    default regwidth = 32;\n    default accesswidth = 32;\n    littleendian;\n    lsb0;\n")
    for r in table.registers:
        fields = r.fields or [("VALUE", 0, 32, r.what)]
        encoded = f"{r.name.lower()}_values" if r.values else ""
        if encoded:
            text += enumeration(encoded, fields[0][2], r.values)
        text += register(r.name, r.offset, r.access, r.reset, r.what, fields, encoded)
    for name, offset, what in table.counters:
        for half, word, how in ((0, "LO", "low word; a read keeps the high word that belongs to it"),
                                (4, "HI", "high word, as the last read of the low word kept it")):
            text += register(f"{name}_{word}", offset + half, "RO", 0, f"{what}: {how}",
                             [("VALUE", 0, 32, f"bits {half * 8 + 31}:{half * 8} of the counter")])
    for name, offset, count, access, what in table.windows:
        text += register(name, offset, access, 0, what, [("VALUE", 0, 32, what)], array=f"[{count}]")
    return text + "};\n"
