"""Golden of ragged_loop: halves, one rounding to BF16, and the maximum of each sequence."""
import numpy

from kernel import GENERATIONS, Expectation, Variant
from number_formats import bfloat16_from_float32

CHANNELS, COLUMNS, TILE = 128, 4096, 64
FIRST_LENGTH_REGISTER = 8


def _lengths(*tiles):
    return {FIRST_LENGTH_REGISTER + number: count for number, count in enumerate(tiles)}


EXPECTATION = Expectation(
    generations=GENERATIONS,
    semantics=("reference", "published"),
    allowed_error={"y": 0.0, "largest": 0.0},
    reason="halving and comparing are exact and BF16 is rounded once, so the bits are determined",
    variants=(
        Variant("5, 1, 12 tiles", registers=_lengths(5, 1, 12)),
        Variant("0, 64, 0 tiles", registers=_lengths(0, 64, 0)),
        Variant("nothing", registers=_lengths(0, 0, 0)),
    ),
)


def inputs(rng, _tensors):
    return {
        "x": rng.standard_normal((CHANNELS, COLUMNS)).astype(numpy.float32),
        "y": bfloat16_from_float32(rng.standard_normal((CHANNELS, COLUMNS))),
        "lowest": numpy.full((CHANNELS, 1), -numpy.inf, numpy.float32),
    }


def golden(tensors, run):
    halves = tensors["x"] * numpy.float32(0.5)
    y = tensors["y"].copy()  # columns behind the last sequence stay as they are
    maxima, first = [], 0
    for number in sorted(run.variant.registers):
        last = first + TILE * run.variant.registers[number]
        y[:, first:last] = bfloat16_from_float32(halves[:, first:last])
        maxima.append(halves[:, first:last].max(axis=1, initial=-numpy.inf))
        first = last
    return {"y": y, "largest": numpy.stack(maxima, axis=1).astype(numpy.float32)}
