"""Golden of masked_max: numpy.where, a maximum, a sign."""
import numpy

from kernel import GENERATIONS, WITH_PSUM, Expectation, Variant

MASKED = numpy.float32(-9984.0)

EXPECTATION = Expectation(
    generations=WITH_PSUM,
    semantics=("reference", "published"),
    allowed_error={"s": 0.0, "s2": 0.0, "bias": 0.0},
    reason="selecting, comparing and negating round nothing, so that the bits are determined",
    variants=(
        Variant(),
        Variant("scores in SBUF", {"psum:0:0x0": "sbuf:0:0x4"}, generations=GENERATIONS),
        Variant("inverted", {"op1=max": "op1=max reverse=first"}),
        Variant("half the channels", {"128x": "64x"}),
    ),
)


def inputs(rng, tensors):
    shape = tensors["scores"].shape
    lengths = rng.integers(0, 2 * shape[1] + 1, (shape[0], 1))
    lengths[0], lengths[1] = 0, 2 * shape[1]
    mask = (numpy.arange(2 * shape[1]) < lengths) * rng.integers(1, 256, (shape[0], 2 * shape[1]))
    mask = mask.astype(numpy.uint8)  # anything but zero counts
    scores = (rng.standard_normal((shape[0], 2 * shape[1])) * 30).astype(numpy.float32)
    parts = {}
    for name, array in (("mask", mask), ("scores", scores)):
        parts[name], parts[f"{name}2"] = numpy.split(array, 2, axis=1)
    return {name: numpy.ascontiguousarray(part) for name, part in parts.items()}


def golden(tensors, run):
    inverted = run.variant.name == "inverted"
    s, s2 = (numpy.where((tensors[f"mask{part}"] != 0) != inverted, tensors[f"scores{part}"], MASKED)
             for part in ("", "2"))
    largest = numpy.maximum(s.max(axis=1, keepdims=True), s2.max(axis=1, keepdims=True))
    return {"s": s, "s2": s2, "bias": -largest}
