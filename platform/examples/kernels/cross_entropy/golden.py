"""Golden of cross_entropy: float64; m and shift to the bit, d with the bound of a rounding analysis.

With u = 2**-24, to first order and relative to its share of d, the term of x[i] carries
- |x[i] - m_k| u + u of its exponential, m_k the maximum when its chunk was summed;
- the number of columns of a chunk less one, times u, of that sum;
- of each later chunk: |m_k - m_k+1| u + u of the correction, u of the product, u of the sum.
The differences add up to |x[i] - m|, because the maximum only rises, so d is off by at most
u * sum of exp(x[i] - m) * (|x[i] - m| + 1 + columns - 1 + 3 * chunks).
Terms that underflow are rounded to a multiple of 2**-149.
"""
import numpy

from kernel import FROM_MARIANA, Expectation
from number_formats import FP32_TINY, FP32_UNIT

CHANNELS, VOCABULARY, COLUMNS = 128, 4096, 1024
SECOND_ORDER = 1.001


def _exponentials(tensors):
    x = tensors["x"].astype(numpy.float64)
    difference = x - x.max(axis=1, keepdims=True)
    return difference, numpy.exp(difference)


def allowed_of_d(tensors, _goldens):
    difference, exponentials = _exponentials(tensors)
    weights = numpy.abs(difference) + COLUMNS + 3 * (VOCABULARY // COLUMNS)
    weighted = (exponentials * weights).sum(axis=1, keepdims=True)
    return SECOND_ORDER * FP32_UNIT * weighted + VOCABULARY * FP32_TINY


EXPECTATION = Expectation(
    generations=FROM_MARIANA,
    semantics=("reference", "published"),
    allowed_error={"m": 0.0, "d": allowed_of_d, "shift": 0.0},
    reason="maximum, copy and one difference are determined to the bit; d: the rounding analysis in "
           "the docstring of cross_entropy/golden.py",
)


def inputs(rng, _tensors):
    x = rng.standard_normal((CHANNELS, VOCABULARY)) * 2.0 ** rng.integers(-1, 5, (CHANNELS, 1))
    x[0] = numpy.sort(x[0])  # the maximum rises in every chunk
    x[1] = numpy.sort(x[1])[::-1]
    target = rng.integers(0, VOCABULARY, (CHANNELS, 1))
    target[0], target[1], target[2] = 0, VOCABULARY - 1, COLUMNS
    position = numpy.arange(COLUMNS, dtype=numpy.uint16)
    return {
        "x": x.astype(numpy.float32),
        "position": numpy.repeat(position[None, :], CHANNELS, axis=0),
        "target": target.astype(numpy.float32),
    }


def golden(tensors, _run):
    x = tensors["x"]
    m = x.max(axis=1, keepdims=True)
    right = numpy.take_along_axis(x, tensors["target"].astype(numpy.int64), axis=1)
    _, exponentials = _exponentials(tensors)
    return {"m": m, "d": exponentials.sum(axis=1, keepdims=True), "shift": -right + m}
