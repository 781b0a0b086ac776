"""One kernel: the program and the golden module of a folder, and the runs it asks for."""
import dataclasses
import importlib.util
import pathlib
import re

GENERATIONS = ("sunda", "cayman", "mariana", "mariana_plus", "maverick")
FROM_MARIANA = GENERATIONS[2:]
WITH_PSUM = GENERATIONS[:4]

_TENSOR = re.compile(r"^\s*\.tensor\s+(\S+)\s+\S+\s+([\dx]+)\s+(\S+)", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Variant:
    """The program with other shapes, places or register values."""

    name: str = ""
    # Text of the program by what stands there instead, for example another shape.
    replace: dict = dataclasses.field(default_factory=dict)
    # R[n] by n, at the start.
    registers: dict = dataclasses.field(default_factory=dict)
    # Empty: all generations of the kernel for the first variant, one for the others.
    generations: tuple = ()


@dataclasses.dataclass(frozen=True)
class Expectation:
    """EXPECTATION of golden.py: how to run the program and how close it has to come."""

    generations: tuple
    semantics: tuple
    # Largest absolute error by output tensor; 0 asks for the same bits. A function of the inputs
    # and goldens gives it for each element.
    allowed_error: dict
    # Why these errors are the right ones.
    reason: str
    variants: tuple = (Variant(),)


@dataclasses.dataclass(frozen=True)
class Tensor:
    """A tensor that a program declares."""

    shape: tuple
    dtype: str


@dataclasses.dataclass(frozen=True)
class Run:
    """One run of a kernel."""

    generation: str
    semantics: str
    variant: Variant

    def name(self):
        return " ".join(filter(None, (self.generation, self.semantics, self.variant.name)))


class Kernel:
    """A folder that holds NAME.dvs and golden.py."""

    def __init__(self, folder):
        self.name = folder.name
        self._program = folder / f"{folder.name}.dvs"
        self._golden_file = folder / "golden.py"

    def load_golden(self):
        """The module with EXPECTATION, inputs(rng, tensors) and golden(inputs)."""
        name = f"{self.name}_golden"
        specification = importlib.util.spec_from_file_location(name, self._golden_file)
        module = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(module)
        return module

    def program_text(self, variant):
        """The program of a variant; a replacement that changes nothing is a mistake."""
        text = self._program.read_text(encoding="utf-8")
        for old, new in variant.replace.items():
            if old not in text:
                raise ValueError(f"variant {variant.name}: no {old!r} in {self._program.name}")
            text = text.replace(old, new)
        return text


def declared_tensors(program_text):
    """The tensors that a program declares, by name."""
    return {
        name: Tensor(tuple(int(count) for count in shape.split("x")), dtype)
        for name, shape, dtype in _TENSOR.findall(program_text)
    }


def runs_of(expectation):
    """The first variant on every generation in every semantics profile; the others differ in shape
    and place only and run once, or once on each generation they name."""
    first, *others = expectation.variants
    runs = [
        Run(generation, semantics, first)
        for generation in first.generations or expectation.generations
        for semantics in expectation.semantics
    ]
    runs += [
        Run(generation, expectation.semantics[0], variant)
        for variant in others
        for generation in variant.generations or expectation.generations[:1]
    ]
    return runs


def all_kernels(root):
    """The kernels of a folder, by name: every folder that holds a program of its own name."""
    folders = sorted(path for path in pathlib.Path(root).iterdir() if path.is_dir())
    return [Kernel(path) for path in folders if (path / f"{path.name}.dvs").is_file()]
