"""Golden of bias_scale: two FP32 operations, each rounded, then one rounding to BF16."""
import numpy

from kernel import Expectation
from number_formats import bfloat16_from_float32

EXPECTATION = Expectation(
    generations=("mariana",),
    semantics=("reference",),
    allowed_error={"y": 0.0},
    reason="each stage rounds to FP32 and the output once to BF16, so that the bits are determined",
)


def inputs(rng, _tensors):
    return {
        "x": (rng.standard_normal((128, 512)) * 8).astype(numpy.float32),
        "bias": rng.standard_normal((128, 1)).astype(numpy.float32),
        "scale": rng.uniform(0.05, 2.0, (128, 1)).astype(numpy.float32),
    }


def golden(tensors, _run):
    biased = tensors["x"] + tensors["bias"]
    return {"y": bfloat16_from_float32(biased * tensors["scale"])}
