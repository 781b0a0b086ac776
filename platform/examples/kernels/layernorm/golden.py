"""Golden of layernorm: float64, with the bound of a rounding analysis for each element.

With u = 2**-24, to first order, n elements a row (a power of two, so that 1 / n is exact):
- the mean: n - 1 additions, each at most u times a partial sum, which no sum of |x| / n exceeds:
  M = (n - 1) u mean|x|; the same bound holds for the mean of the centred row;
- centred: M and one rounding: C = M + u |x - mean|, an absolute error;
- variance: two roundings a term and n - 1 additions, (n + 1) u relative; that the mean is off by M
  adds M squared; that terms are off by u |x - mean| adds 2 u: V = (n + 3) u variance + M * M;
- root = 1 / sqrt(variance + epsilon): epsilon and the sum round: relative V / (variance + epsilon)
  + 2 u, halved, and the reciprocal square root u: W;
- y: C root |gamma|, and (W + 2 u) of the product, and the last sum u |y|.
"""
import numpy

from kernel import GENERATIONS, Expectation, Variant
from number_formats import FP32_UNIT

EPSILON = 1e-5
SECOND_ORDER = 1.001


def _rows(tensors):
    """Rows of one dimension, the centred rows and their variance."""
    x, gamma, beta = (tensors[name].astype(numpy.float64).reshape(len(tensors[name]), -1)
                      for name in ("x", "gamma", "beta"))
    centred = x - x.mean(axis=1, keepdims=True)
    return x, gamma, beta, centred, (centred * centred).mean(axis=1, keepdims=True)


def allowed_error(tensors, goldens):
    x, gamma, _, centred, variance = _rows(tensors)
    count = x.shape[1]
    of_mean = (count - 1) * FP32_UNIT * numpy.abs(x).mean(axis=1, keepdims=True)
    of_centred = of_mean + FP32_UNIT * numpy.abs(centred)
    of_variance = (count + 3) * FP32_UNIT * variance + of_mean * of_mean
    of_root = (of_variance / (variance + EPSILON) + 2 * FP32_UNIT) / 2 + FP32_UNIT
    factor = numpy.abs(gamma) / numpy.sqrt(variance + EPSILON)
    product = numpy.abs(centred) * factor
    of_products = of_centred * factor + (of_root + 2 * FP32_UNIT) * product
    y = goldens["y"]
    return SECOND_ORDER * (of_products.reshape(y.shape) + FP32_UNIT * numpy.abs(y))


EXPECTATION = Expectation(
    generations=GENERATIONS,
    semantics=("reference", "published"),
    allowed_error={"y": allowed_error},
    reason="the rounding analysis in the docstring of layernorm/golden.py",
    variants=(
        Variant(),
        Variant("64 columns", {"128x1024": "128x64", "imm0=0.0009765625": "imm0=0.015625"}),
        Variant("three free dimensions", {"128x1024": "128x4x8x32"}),
    ),
)


def inputs(rng, tensors):
    shape = tensors["x"].shape
    rows = shape[0]
    row = (1,) * (len(shape) - 1)
    x = rng.standard_normal(shape) * 2.0 ** rng.integers(-6, 7, (rows, *row))
    x += rng.uniform(-4, 4, (rows, *row))
    x[3] = 7.0  # no variance
    parameters = {
        "gamma": rng.uniform(0.5, 1.5, (1, *shape[1:])).astype(numpy.float32),
        "beta": rng.standard_normal((1, *shape[1:])).astype(numpy.float32),
    }
    return {"x": x.astype(numpy.float32),
            **{name: numpy.repeat(one, rows, axis=0) for name, one in parameters.items()}}


def golden(tensors, _run):
    _, gamma, beta, centred, variance = _rows(tensors)
    y = centred / numpy.sqrt(variance + EPSILON) * gamma + beta
    return {"y": y.reshape(tensors["x"].shape)}
