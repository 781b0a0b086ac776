"""Golden of fp8_clamp: exact rounding of the clamped value to the nearest FP8_EXP4 number."""
import numpy

from kernel import Expectation
from number_formats import float64_from_fp8_exp4, fp8_exp4_from_float

EXPECTATION = Expectation(
    generations=("mariana",),
    semantics=("reference",),
    allowed_error={"y": 0.0},
    reason="a clamp is exact and the output is rounded once, to nearest and ties to even",
)


def _edge_values():
    """Every finite number of the format, every tie between two, their neighbours, and specials."""
    numbers = float64_from_fp8_exp4(numpy.arange(0x78))
    ties = (numbers[1:] + numbers[:-1]) / 2
    exact = numpy.concatenate([numbers, ties]).astype(numpy.float32)
    above = numpy.nextafter(exact, numpy.float32(numpy.inf))
    below = numpy.nextafter(exact[1:], numpy.float32(0))
    specials = numpy.array([247.9, 248, 256, 1e30, 1e-44, numpy.inf], dtype=numpy.float32)
    positive = numpy.concatenate([exact, above, below, specials])
    return numpy.concatenate([positive, -positive, numpy.float32([numpy.nan])])


def inputs(rng, _tensors):
    scales = 2.0 ** rng.uniform(-11, 9, (128, 1024))
    x = (rng.standard_normal((128, 1024)) * scales).astype(numpy.float32)
    edges = _edge_values()
    x.reshape(-1)[: edges.size] = edges
    return {"x": x}


def golden(tensors, _run):
    # A minimum of a number and NaN is the number, so NaN leaves the clamp as 240.
    upper_bound = numpy.fmin(tensors["x"], numpy.float32(240))
    return {"y": fp8_exp4_from_float(numpy.fmax(upper_bound, numpy.float32(-240)))}
