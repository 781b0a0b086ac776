"""How far a result is from its golden."""
import dataclasses

import numpy

import number_formats


@dataclasses.dataclass
class Comparison:
    """How far one output tensor is from its golden."""

    error: float = numpy.inf
    allowed: float = 0.0  # the largest of the tensor
    share: float = numpy.inf  # the largest part of its allowed error that an element uses
    failure: str = ""


def absolute_errors(result, golden):
    """Absolute differences; equal infinities and two NaNs do not differ."""
    same = (result == golden) | (numpy.isnan(result) & numpy.isnan(golden))
    with numpy.errstate(invalid="ignore"):
        difference = numpy.where(same, 0.0, numpy.abs(result - golden))
    difference[numpy.isnan(difference)] = numpy.inf
    return difference


def values_of(array, dtype):
    """Float64 arrays are numbers already; others are patterns of the dtype of their tensor."""
    return array if array.dtype == numpy.float64 else number_formats.to_float64(array, dtype)


def compare(name, result, golden, dtype, allowed):
    """Compares values, and bits as well where no error is allowed. `allowed` is a number or an
    array of the golden's shape."""
    if result.shape != golden.shape:
        return Comparison(failure=f"{name} has shape {result.shape}, its golden {golden.shape}")
    errors = absolute_errors(values_of(result, dtype), values_of(golden, dtype))
    allowed = numpy.broadcast_to(numpy.asarray(allowed, numpy.float64), errors.shape)
    with numpy.errstate(divide="ignore", invalid="ignore"):
        shares = numpy.where(errors == 0, 0.0, errors / allowed)
    found = Comparison(float(errors.max()), float(allowed.max()), float(shares.max()))
    if found.share > 1:
        where = numpy.unravel_index(int(shares.argmax()), shares.shape)
        first = tuple(int(index) for index in where)
        found.failure = (f"{name} at {first} is off by {errors[where]:.3g}, allowed "
                         f"{allowed[where]:.3g}")
    elif found.allowed == 0:
        found.failure = _other_bits(name, result, golden)
    return found


def _other_bits(name, result, golden):
    if result.dtype != golden.dtype:
        return f"{name} is of {result.dtype}, its golden of {golden.dtype}"
    bits = numpy.dtype(f"u{result.dtype.itemsize}")
    different = numpy.argwhere(result.view(bits) != golden.view(bits))
    if not different.size:
        return ""
    first = tuple(int(index) for index in different[0])
    return (f"{name} differs in {len(different)} of {result.size} elements, first at {first}: "
            f"{result[first]}, golden {golden[first]}")
