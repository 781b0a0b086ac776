"""One kernel: the program and the golden module of a folder."""
import dataclasses
import importlib.util
import pathlib
import re

_TENSOR = re.compile(r"^\s*\.tensor\s+(\S+)\s+\S+\s+\S+\s+(\S+)", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Expectation:
    """EXPECTATION of golden.py: how to run the program and how close it has to come."""

    generation: str
    semantics: str
    # Largest absolute error by output tensor; 0 asks for the same bits.
    allowed_error: dict
    # Why these errors are the right ones.
    reason: str


class Kernel:
    """A folder that holds NAME.dvs and golden.py."""

    def __init__(self, folder):
        self.name = folder.name
        self.program = folder / f"{folder.name}.dvs"
        self._golden_file = folder / "golden.py"

    def load_golden(self):
        """The module with EXPECTATION, inputs(rng) and golden(inputs)."""
        name = f"{self.name}_golden"
        specification = importlib.util.spec_from_file_location(name, self._golden_file)
        module = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(module)
        return module

    def tensor_dtypes(self):
        """The dtype of each tensor that the program declares."""
        return dict(_TENSOR.findall(self.program.read_text(encoding="utf-8")))


def all_kernels(root):
    """The kernels of a folder, by name: every folder that holds a program of its own name."""
    folders = sorted(path for path in pathlib.Path(root).iterdir() if path.is_dir())
    return [Kernel(path) for path in folders if (path / f"{path.name}.dvs").is_file()]
