"""Golden of cumsum: one addition after the other in FP32."""
import numpy

from kernel import Expectation

EXPECTATION = Expectation(
    generations=("mariana",),
    semantics=("published",),
    allowed_error={"y": 0.0},
    reason="the scan is sequential and its state FP32, so that the bits are determined",
)


def inputs(rng, _tensors):
    return {"x": rng.standard_normal((128, 4096)).astype(numpy.float32)}


def golden(tensors, _run):
    x = tensors["x"]
    y = numpy.empty_like(x)
    running = numpy.zeros(128, dtype=numpy.float32)
    for column in range(x.shape[1]):
        running = running + x[:, column]
        y[:, column] = running
    return {"y": y}
