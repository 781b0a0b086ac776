# A strict reader of value change dumps, and what the tests ask of one.
import re


class Waveform:
    """Signals by hierarchical name, each a list of (time, value) with bits as text."""

    def __init__(self, text):
        self.period = None
        self.changes = {}
        self.widths = {}
        self.times = []
        names, scopes = {}, []
        head, _, body = text.partition("$enddefinitions $end\n")
        for words in (line.split() for line in head.splitlines()):
            if words[:1] == ["$scope"]:
                assert words[1] == "module" and words[3] == "$end", words
                scopes.append(words[2])
            elif words[:1] == ["$upscope"]:
                scopes.pop()
            elif words[:1] == ["$var"]:
                name = ".".join([*scopes, words[4]])
                assert name not in self.changes, name
                names.setdefault(words[3], []).append(name)
                self.changes[name] = []
                self.widths[name] = int(words[2])
        assert not scopes
        time = None
        for line in body.splitlines():
            if line.startswith("#"):
                assert time is None or int(line[1:]) > time, "times go up"
                time = int(line[1:])
                self.times.append(time)
            elif line in ("$dumpvars", "$end") or line.startswith("$comment"):
                continue
            else:
                assert time is not None, "a time stamp comes first"
                match = re.fullmatch(r"b([01xz]+) (\S+)|([01xz])(\S+)", line)
                assert match, line
                value, key = (match[1], match[2]) if match[1] else (match[3], match[4])
                for name in names[key]:
                    assert len(value) <= self.widths[name], line
                    self.changes[name].append((time, value))

    def at(self, name, time):
        """The unsigned value at a time, 0 before the first."""
        value = "0"
        for when, changed in self.changes[name]:
            if when > time:
                break
            value = changed
        return int(value, 2)

    def series(self, name, times):
        """The values at ascending times."""
        result, changes, place, value = [], self.changes[name], 0, "0"
        for time in times:
            while place < len(changes) and changes[place][0] <= time:
                value = changes[place][1]
                place += 1
            result.append(int(value, 2))
        return result

    def text_at(self, name, time):
        value = self.at(name, time)
        return value.to_bytes((self.widths[name] + 7) // 8, "big").replace(b"\0", b"").decode()
