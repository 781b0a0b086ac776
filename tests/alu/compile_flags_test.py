# Checks the compile commands: contraction off everywhere, nothing that relaxes the arithmetic.
import json
import sys

FORBIDDEN = (
    "-ffast-math", "-Ofast", "-funsafe-math-optimizations", "-fassociative-math",
    "-freciprocal-math", "-ffinite-math-only", "-fno-signed-zeros", "-ffp-contract=fast",
    "-ffp-contract=on", "-fcx-limited-range", "-fsingle-precision-constant", "-mfpmath=387",
)


def faults(entry):
    words = entry.get("arguments") or entry["command"].split()
    for word in words:
        if word in FORBIDDEN:
            yield f"{entry['file']}: {word}"
    if "-ffp-contract=off" not in words:
        yield f"{entry['file']}: no -ffp-contract=off"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        commands = json.load(file)
    ours = [entry for entry in commands if entry["file"].startswith(sys.argv[2])]
    found = [fault for entry in ours for fault in faults(entry)]
    print("\n".join(found) or f"{len(ours)} compile commands, contraction off in all")
    return 1 if found or not ours else 0


if __name__ == "__main__":
    sys.exit(main())
