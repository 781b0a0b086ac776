"""Golden of rmsnorm_fp8: float64, with the bound of a rounding analysis for each element.

With u = 2**-24, relative errors to first order, n elements a row:
- x squared is exact in FP32 (BF16 has 8 bits of mantissa); the sum adds n - 1 roundings, the mean
  one (n is a power of two, the factor exact) and the addition of epsilon, itself rounded, two;
- 1 / root halves that and rounds: ((n - 1 + 2) / 2 + 1) u; two products bring y to
  R u with R = (n + 1) / 2 + 3;
- scale: R u of the largest |y|, the rounded 1 / 240 and the product: (R + 2) u; a scale at its
  lower bound has only the rounding of that bound;
- 1 / scale: 3 u more, the product u: q before its last rounding has (R + R + 2 + 3 + 1) u;
- the last rounding, to FP8_EXP4, moves by at most half the distance of two neighbours there. No
  number gets beyond 248, where infinity begins, so 240 is never left.
"""
import numpy

from kernel import GENERATIONS, Expectation, Variant
from number_formats import (FP32_UNIT, bfloat16_from_float32, float32_from_bfloat16,
                            float64_from_fp8_exp4)

EPSILON, LEAST_SCALE, LARGEST = 1e-6, 1e-5, 240.0
SECOND_ORDER = 1.001


def _of_y(tensors):
    return (tensors["x"].shape[1] + 1) / 2 + 3


def _half_step(values):
    """Half the distance of the FP8_EXP4 neighbours of each value, of the wider side."""
    numbers = float64_from_fp8_exp4(numpy.arange(0x78))
    above = numpy.searchsorted(numbers, numpy.abs(values), side="left").clip(1, len(numbers) - 1)
    wider = numpy.minimum(above + 1, len(numbers) - 1)
    return numpy.maximum(numbers[above] - numbers[above - 1],
                         numbers[wider] - numbers[above]) / 2


def allowed_of_scale(tensors, goldens):
    return SECOND_ORDER * FP32_UNIT * (_of_y(tensors) + 2) * goldens["scale"]


def allowed_of_q(tensors, goldens):
    q = goldens["q"]
    return SECOND_ORDER * FP32_UNIT * (2 * _of_y(tensors) + 6) * numpy.abs(q) + _half_step(q)


EXPECTATION = Expectation(
    generations=GENERATIONS,
    semantics=("reference", "published"),
    allowed_error={"q": allowed_of_q, "scale": allowed_of_scale},
    reason="the rounding analysis in the docstring of rmsnorm_fp8/golden.py",
    variants=(
        Variant(),
        Variant("256 columns", {"128x2048": "128x256", "imm0=0.00048828125": "imm0=0.00390625"}),
        Variant("64 channels from 64 on", {"128x": "64x", "sbuf:0:": "sbuf:64:"}),
    ),
)


def inputs(rng, tensors):
    shape = tensors["x"].shape
    scales = 2.0 ** rng.integers(-10, 11, (shape[0], 1))
    x = (rng.standard_normal(shape) * scales).astype(numpy.float32)
    x[1] = 0.0  # scale at its lower bound
    x[2] *= numpy.float32(1e-6)  # epsilon rules
    gamma = rng.uniform(0.5, 1.5, (1, shape[1])).astype(numpy.float32)
    return {"x": bfloat16_from_float32(x), "gamma": numpy.repeat(gamma, shape[0], axis=0)}


def golden(tensors, _run):
    x = float32_from_bfloat16(tensors["x"]).astype(numpy.float64)
    root = numpy.sqrt((x * x).mean(axis=1, keepdims=True) + EPSILON)
    y = x / root * tensors["gamma"]
    scale = numpy.maximum(numpy.abs(y).max(axis=1, keepdims=True) / LARGEST, LEAST_SCALE)
    return {"q": y / scale, "scale": scale}
