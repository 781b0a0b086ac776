"""Golden of fused_multiply_add: a product and a difference, each rounded to FP32."""
import numpy

from kernel import Expectation
from number_formats import bfloat16_from_float32, float32_from_bfloat16

EXPECTATION = Expectation(
    generations=("mariana",),
    semantics=("reference",),
    allowed_error={"acc": 0.0},
    reason="the product is rounded to FP32 before the subtraction, so that the bits are determined",
)


def inputs(rng, _tensors):
    return {
        "acc": rng.standard_normal((128, 512)).astype(numpy.float32),
        "p": bfloat16_from_float32(rng.standard_normal((128, 512))),
        "s": rng.standard_normal((128, 1)).astype(numpy.float32),
    }


def golden(tensors, _run):
    product = float32_from_bfloat16(tensors["p"]) * tensors["s"]
    return {"acc": tensors["acc"] - product}
