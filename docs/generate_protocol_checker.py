"""Writes docs/protocol_checker.md with the rules of tlm/protocol_checker_rules.def.

usage: generate_protocol_checker.py [--check]   (--check: compare instead of writing)
"""
import sys

from register_tables import ROOT, rows

PAGE = ROOT / "docs/protocol_checker.md"
HEAD = """# Protocol checker

`dve::ProtocolChecker` (`#include <dve/tlm/protocol_checker.h>`, target `dve::engine`) watches one arrow of the TLM-2.0
base protocol, of this engine or of anything else. Calls pass unchanged, whether they keep to the rules or not.

```c++
dve::ProtocolChecker checker("checker");
host.csr.bind(checker.target);              // initiator -> checker -> target, in place of one bind
checker.initiator.bind(engine.csr);
checker.set_rule(dve::ProtocolRule::STREAMING_WIDTH, false);   // all rules are on at first
checker.set_report([](const dve::ProtocolViolation& violation) {
    std::cout << violation.line() << std::endl;                // without it: a line on standard error
});
sc_core::sc_start();
if (checker.violations() != 0) { ... }      // or violations(rule); calls() went through
```

`set_all_rules(false)` and one `set_rule` leave a single rule on. `in_flight()` counts non-blocking transactions that
have begun and not ended. A line names checker, rule, clause, call, address and time.

## Rules

Clauses are those of IEEE 1666-2011; "project" where the standard leaves it open and this project does not. Written by
`docs/generate_protocol_checker.py` from `tlm/protocol_checker_rules.def`.

| rule | clause | must hold |
|---|---|---|
"""


def page():
    return HEAD + "".join(f"| {name} | {clause} | {text} |\n"
                          for kind, (name, clause, text) in rows(ROOT / "tlm/protocol_checker_rules.def"))


def main():
    if sys.argv[1:] != ["--check"]:
        PAGE.write_text(page())
    elif not PAGE.exists() or PAGE.read_text() != page():
        print(f"{PAGE.name} is not what the rules say; run docs/generate_protocol_checker.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
