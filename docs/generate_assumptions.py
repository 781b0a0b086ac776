"""Writes docs/assumptions.md from the assumption registry, as `dve-sim assumptions --json` prints it.

usage: generate_assumptions.py DVE_SIM [--check]   (--check: compare instead of writing)
"""
import json
import pathlib
import subprocess
import sys

PAGE = pathlib.Path(__file__).with_name("assumptions.md")

HEAD = """# Assumptions

Every choice that the sources leave open or contradict, as the model makes it. Each row is a
parameter: `--set NAME=VALUE` or a configuration file changes it, and the statistics of a run record
its value. The defaults shown are those of mariana. This page is generated from the registry by
`docs/generate_assumptions.py`; a test holds it to the registry.

| parameter | values | reference | published | what changes | evidence of the default |
|---|---|---|---|---|---|
"""


def cell(text):
    return text.replace("|", "\\|")


def page(dve_sim):
    rows = json.loads(subprocess.run([dve_sim, "assumptions", "--json"], check=True, capture_output=True).stdout)
    lines = [
        f"| `{name}` | {cell(row['legal'])} | {row['reference']} | {row['published']} | {cell(row['effect'])} "
        f"| {cell(row['evidence'])} |\n"
        for name, row in rows.items()]
    return HEAD + "".join(lines)


def main():
    text = page(sys.argv[1])
    if sys.argv[2:] != ["--check"]:
        PAGE.write_text(text)
        return 0
    if PAGE.read_text() == text:
        return 0
    print(f"{PAGE.name} is not what the registry says; run docs/generate_assumptions.py DVE_SIM", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
