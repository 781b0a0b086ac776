"""Writes docs/registers.md, docs/registers.rdl and include/dve/dve_registers.h from the tables of the model:
platform/registers.def, models/seq/notification.def, and the enumerations and generations of the C++ sources.

usage: generate_registers.py [--check]   (--check: compare instead of writing)
"""
import sys

from register_header import c_header
from register_page import markdown
from register_rdl import rdl
from register_tables import ROOT, Table


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
