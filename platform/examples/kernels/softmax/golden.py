"""Golden of softmax: float64, with the bound of a rounding analysis for each element.

With u = 2**-24, to first order and relative to the exact result:
- the maximum is exact; d = x - m is rounded once, which moves exp(d) by |d| u;
- exp rounds once: u; so each exponential carries (|d| + 1) u;
- the sum of n positive terms adds n - 1 roundings and the mean of the terms' errors, weighted by
  the terms: at most (n - 1) u + sum of softmax * (|d| + 1) u;
- 1 / sum: the reciprocal square root (u, twice because of the square) and the square: 3 u;
- the product: u.
Results near zero are rounded to a multiple of 2**-149, twice.
"""
import numpy

from kernel import FROM_MARIANA, Expectation, Variant
from number_formats import FP32_TINY, FP32_UNIT

SECOND_ORDER = 1.001  # terms in u squared are below a thousandth of those in u


def allowed_error(tensors, goldens):
    x = tensors["x"].astype(numpy.float64)
    y = goldens["y"]
    of_exponentials = x.max(axis=1, keepdims=True) - x + 1
    of_sum = x.shape[1] - 1 + (y * of_exponentials).sum(axis=1, keepdims=True)
    return SECOND_ORDER * FP32_UNIT * y * (of_exponentials + of_sum + 3 + 1) + FP32_TINY


EXPECTATION = Expectation(
    generations=FROM_MARIANA,
    semantics=("reference", "published"),
    allowed_error={"y": allowed_error},
    reason="the rounding analysis in the docstring of softmax/golden.py",
    variants=(
        Variant(),
        Variant("one column", {"128x1024": "128x1"}),
        Variant("odd row", {"128x1024": "128x333"}),
        Variant("32 channels in the last quadrant",
                {"128x": "32x", "sbuf:0:": "sbuf:96:"}),
    ),
)


def inputs(rng, tensors):
    shape = tensors["x"].shape
    x = rng.standard_normal(shape) * 2.0 ** rng.integers(-2, 6, (shape[0], 1))
    x[0] = 0.0  # all alike
    x[1, 0] = 3e38  # everything else underflows
    x[2] -= 1e30  # one rounding step is wider than any difference: rows of one number
    return {"x": x.astype(numpy.float32)}


def golden(tensors, _run):
    x = tensors["x"].astype(numpy.float64)
    exponentials = numpy.exp(x - x.max(axis=1, keepdims=True))
    return {"y": exponentials / exponentials.sum(axis=1, keepdims=True)}
