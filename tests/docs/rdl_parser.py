# A parser of the part of SystemRDL 2.0 that describes registers: named address maps, anonymous registers and
# fields, enumerations, properties. Written from the grammar in annex B of the standard, not from the generator.
import re

TOKEN = re.compile(r"""
    (?P<blank>\s+|//[^\n]*\n|/\*.*?\*/)
  | (?P<string>"(?:[^"\\]|\\["\\])*")
  | (?P<number>\d+'h[0-9a-fA-F_]+|\d+'d[\d_]+|\d+'b[01_]+|0[xX][0-9a-fA-F_]+|\d[\d_]*)
  | (?P<word>\\?[A-Za-z_]\w*)
  | (?P<sign>[{}\[\];:=@,])""", re.X | re.S)
# Words that are no identifiers.
RESERVED = set("""
    abstract accesstype addressingtype addrmap alias all alternate bit boolean bothedge byte compact component
    componentwidth constraint default encode enum external false field fullalign hw inside int internal level
    longint mem na negedge nonsticky number onreadtype onwritetype posedge precedencetype property r rclr real ref
    reg regalign regfile rset ruser rw rw1 shortint shortreal signal signed string struct sw this true type
    unsigned w w1 wclr within with woclr woset wot wr wset wuser wzc wzs wzt""".split())
BOOLEAN, NUMBER, STRING, ENUM = "boolean", "number", "string", "enum"
ACCESS = {"r", "w", "rw", "wr", "rw1", "w1", "na"}
# What each component may say (chapters 5, 9, 10, 13), as far as registers need it.
PROPERTIES = {
    "addrmap": {"name": STRING, "desc": STRING, "littleendian": BOOLEAN, "bigendian": BOOLEAN, "lsb0": BOOLEAN,
                "msb0": BOOLEAN, "alignment": NUMBER, "sharedextbus": BOOLEAN},
    "reg": {"name": STRING, "desc": STRING, "regwidth": NUMBER, "accesswidth": NUMBER, "shared": BOOLEAN},
    "field": {"name": STRING, "desc": STRING, "sw": ACCESS, "hw": ACCESS, "encode": ENUM,
              "onwrite": {"woclr", "woset", "wot", "wzs", "wzc", "wzt", "wclr", "wset", "wuser"},
              "onread": {"rclr", "rset", "ruser"}, "swmod": BOOLEAN, "singlepulse": BOOLEAN},
    "entry": {"name": STRING, "desc": STRING},
}


class RdlError(Exception):
    pass


def tokens(text):
    at = 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise RdlError(f"line {text.count(chr(10), 0, at) + 1}: no token: {text[at:at + 20]!r}")
        at = match.end()
        if match.lastgroup != "blank":
            yield match.lastgroup, match[0], text.count("\n", 0, match.start()) + 1
    yield "end", "", text.count("\n") + 1


class Number:
    """width: None unless it was written."""

    def __init__(self, text):
        size, _, digits = text.replace("_", "").rpartition("'")
        self.width = int(size) if size else None
        if size:
            self.value = int(digits[1:], {"h": 16, "d": 10, "b": 2}[digits[0]])
            if self.value >> self.width:
                raise RdlError(f"{text} has more than {self.width} bits")
        else:
            self.value = int(digits, 0)


class Component:
    def __init__(self, kind, outer=None):
        self.kind, self.outer = kind, outer
        self.name, self.properties, self.defaults, self.enums, self.parts = None, {}, {}, {}, []
        self.range = self.array = self.reset = self.address = None

    def enum(self, name):
        scope = self
        while scope is not None:
            if name in scope.enums:
                return scope.enums[name]
            scope = scope.outer
        raise RdlError(f"enum {name} is not declared")

    def property(self, name):
        """Its own value, or the default of a scope around it."""
        scope = self
        if name in self.properties:
            return self.properties[name]
        while scope is not None:
            if name in scope.defaults:
                return scope.defaults[name]
            scope = scope.outer
        return None


class Parser:
    def __init__(self, text):
        self.tokens = list(tokens(text))
        self.at = 0

    def error(self, message):
        raise RdlError(f"line {self.tokens[self.at][2]}: {message}, found {self.tokens[self.at][1]!r}")

    def take(self, *wanted):
        """The next token if it is one of these texts or kinds, else None."""
        kind, text, _ = self.tokens[self.at]
        if text in wanted or kind in wanted:
            self.at += 1
            return text
        return None

    def need(self, *wanted):
        text = self.take(*wanted)
        if text is None:
            self.error(f"expected {' or '.join(wanted)}")
        return text

    def identifier(self):
        name = self.need("word")
        if name in RESERVED:
            self.error(f"{name} is a reserved word")
        return name

    def number(self):
        return Number(self.need("number"))

    def root(self):
        maps = []
        while self.take("end") is None:
            self.need("addrmap")
            component = Component("addrmap")
            component.name = self.identifier()
            self.body(component)
            self.need(";")
            maps.append(component)
        return maps

    def body(self, component):
        self.need("{")
        while not self.take("}"):
            if self.take("default"):
                self.assignment(component.defaults, {k: v for each in PROPERTIES.values() for k, v in each.items()},
                                component)
            elif self.take("enum"):
                self.enum(component)
            elif (kind := self.take("reg", "field")) is not None:
                if (component.kind, kind) not in (("addrmap", "reg"), ("reg", "field")):
                    self.error(f"a {kind} in a {component.kind}")
                part = Component(kind, component)
                self.body(part)
                self.instance(part)
                component.parts.append(part)
            else:
                self.assignment(component.properties, PROPERTIES[component.kind], component)
            self.need(";")

    def instance(self, part):
        part.name = self.identifier()
        if self.take("["):
            first = self.number().value
            if self.take(":"):
                part.range = (first, self.number().value)
            else:
                part.array = first
            self.need("]")
        if self.take("="):
            part.reset = self.number()
        if self.take("@"):
            part.address = self.number().value

    def enum(self, component):
        name = self.identifier()
        if name in component.enums:
            self.error(f"a second enum {name}")
        members = component.enums[name] = {}
        self.need("{")
        while not self.take("}"):
            member = self.identifier()
            self.need("=")
            value = self.number()
            if member in members or value.value in [each.value for each in members.values()]:
                self.error(f"{name}: {member} or its value a second time")
            members[member] = value
            if self.take("{"):
                texts = {}
                while not self.take("}"):
                    self.assignment(texts, PROPERTIES["entry"], component)
                    self.need(";")
            self.need(";")
        if not members:
            self.error(f"enum {name} is empty")

    def assignment(self, to, legal, component):
        name = self.need("word")
        if name not in legal:
            self.error(f"no property {name} here")
        if name in to:
            self.error(f"{name} a second time")
        kind = legal[name]
        if not self.take("="):
            if kind != BOOLEAN:
                self.error(f"{name} needs a value")
            to[name] = True
        elif kind == STRING:
            to[name] = re.sub(r"\\(.)", r"\1", self.need("string")[1:-1])
        elif kind == NUMBER:
            to[name] = self.number().value
        elif kind == BOOLEAN:
            to[name] = self.need("true", "false") == "true"
        elif kind == ENUM:
            to[name] = component.enum(self.identifier())
        else:
            to[name] = self.need(*sorted(kind))


def parse(text):
    return Parser(text).root()
