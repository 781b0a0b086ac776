"""Golden of moe_rank: counting in Python integers."""
import numpy

from kernel import GENERATIONS, Expectation, Variant

EXPECTATION = Expectation(
    generations=GENERATIONS,
    semantics=("reference", "published"),
    allowed_error={"slot": 0.0},
    reason="whole numbers below 2**24 are exact in FP32, in every order of the scan",
    variants=(Variant(), Variant("16 experts, 300 tokens", {"128x2048": "16x300", "128x1": "16x1"})),
)


def inputs(rng, tensors):
    experts, tokens = tensors["expert"].shape
    # Few experts take most of the tokens.
    expert = numpy.minimum(rng.exponential(experts / 6, tokens), experts - 1).astype(numpy.uint8)
    counts = numpy.bincount(expert, minlength=experts)
    first = numpy.concatenate([[0], numpy.cumsum(counts)[:-1]])
    return {
        "expert": numpy.repeat(expert[None, :], experts, axis=0),
        "number": numpy.arange(experts, dtype=numpy.float32).reshape(-1, 1),
        "first": first.astype(numpy.float32).reshape(-1, 1),
    }


def golden(tensors, _run):
    experts, tokens = tensors["expert"].shape
    following = [int(first) for first in tensors["first"][:, 0]]
    slot = numpy.zeros((experts, tokens), numpy.int32)
    for token, expert in enumerate(tensors["expert"][0]):
        slot[expert, token] = following[expert]
        following[expert] += 1
    return {"slot": slot}
