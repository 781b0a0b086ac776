"""Golden of vendor_cases: numpy in FP32, one operation after the other.

numpy's accumulate works element by element in the type of its input, as the instructions do.
"""
import numpy

from kernel import GENERATIONS, Expectation, Variant
from number_formats import bfloat16_from_float32, float32_from_bfloat16

OUTPUTS = ("ts", "tt", "broadcast", "total", "scan", "sums", "products", "maxima", "minima",
           "chained", "loaded", "basic", "reduced", "reversed", "top")
HALF = numpy.float32(0.5)

EXPECTATION = Expectation(
    generations=GENERATIONS,
    semantics=("published",),
    allowed_error={name: 0.0 for name in OUTPUTS},
    reason="every operation is rounded once to FP32 in a given order, so the bits are determined",
    variants=(Variant(), Variant("32 channels from 32 on", {"128x": "32x", "sbuf:0:": "sbuf:32:"})),
)


def inputs(rng, tensors):
    shape = tensors["a"].shape
    column = (shape[0], 1)
    return {
        "a": rng.standard_normal(shape).astype(numpy.float32),
        "b": rng.standard_normal(shape).astype(numpy.float32),
        "mask": rng.integers(0, 2, shape).astype(numpy.uint8),
        "column": rng.standard_normal(column).astype(numpy.float32),
        "start": rng.standard_normal(column).astype(numpy.float32),
        "factors": rng.uniform(0.97, 1.03, shape).astype(numpy.float32),
        "half": bfloat16_from_float32(rng.standard_normal(shape)),
    }


def _scan(factors, addends):
    state = numpy.zeros(len(factors), numpy.float32)
    result = numpy.empty_like(addends)
    for i in range(addends.shape[1]):
        state = factors[:, i] * state + addends[:, i]
        result[:, i] = state
    return result


def _running_difference(values, start):
    """The element stands on the left: acc = value - acc."""
    state = start[:, 0]
    result = numpy.empty_like(values)
    for i in range(values.shape[1]):
        state = values[:, i] - state
        result[:, i] = state
    return result


def golden(tensors, _run):
    a, mask, column = tensors["a"], tensors["mask"] != 0, tensors["column"]
    half = float32_from_bfloat16(tensors["half"])
    ts = numpy.float32(1.5) - a * column
    selected = numpy.where(mask, half, numpy.float32(0.25))
    return {
        "ts": ts,
        "tt": a * half,
        "broadcast": a + column,
        "total": numpy.add.accumulate(ts, axis=1)[:, -1:],
        "scan": _scan(tensors["factors"], tensors["b"]),
        "sums": numpy.add.accumulate(a * numpy.float32(2), axis=1),
        "products": numpy.multiply.accumulate(tensors["factors"], axis=1),
        "maxima": numpy.maximum.accumulate(a + column, axis=1),
        "minima": numpy.minimum.accumulate(a - column, axis=1),
        "chained": numpy.add.accumulate(a, axis=1),
        "loaded": _running_difference(a * HALF, tensors["start"]),
        "basic": numpy.where(mask, a, numpy.float32(-1)),
        "reduced": bfloat16_from_float32(selected),
        "top": selected.max(axis=1, keepdims=True),
        "reversed": numpy.where(mask, column, a),
    }
