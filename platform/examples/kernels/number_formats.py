"""Number formats that numpy has no type for: conversion from and to their bit patterns.

All conversions round to nearest, ties to even, and are written from the definition of the format.
"""
import numpy

# Half the distance of 1 and the next FP32 number: the largest relative error of one rounding.
FP32_UNIT = 2.0**-24
# The smallest positive FP32 number: twice the largest absolute error of a rounding at zero.
FP32_TINY = 2.0**-149


def bfloat16_from_float32(values):
    """Patterns (uint16) of the nearest BF16 numbers; every NaN becomes the canonical quiet NaN."""
    values = numpy.asarray(values, dtype=numpy.float32)
    bits = values.view(numpy.uint32).astype(numpy.uint64)
    upper, lower = bits >> 16, bits & 0xFFFF
    odd = (upper & 1) == 1
    rounded = upper + ((lower > 0x8000) | ((lower == 0x8000) & odd))
    return numpy.where(numpy.isnan(values), 0x7FC0, rounded).astype(numpy.uint16)


def float32_from_bfloat16(patterns):
    """The exact values of BF16 patterns."""
    return (numpy.asarray(patterns).astype(numpy.uint32) << 16).view(numpy.float32)


def _fp8_exp4_magnitudes():
    """The finite magnitudes of FP8_EXP4 (bias 7, three mantissa bits), in order of code."""
    codes = numpy.arange(0x78)
    exponent, mantissa = codes >> 3, codes & 7
    return numpy.where(exponent == 0, mantissa * 2.0**-9, (8 + mantissa) * 2.0 ** (exponent - 10))


def fp8_exp4_from_float(values):
    """Patterns (uint8) of the nearest FP8_EXP4 numbers, IEEE style: infinite beyond 240."""
    values = numpy.asarray(values, dtype=numpy.float64)
    boundaries = _fp8_exp4_magnitudes()
    boundaries = (boundaries + numpy.append(boundaries[1:], 256.0)) / 2
    magnitudes = numpy.abs(values)
    codes = numpy.searchsorted(boundaries, magnitudes, side="left")
    tie = magnitudes == numpy.append(boundaries, numpy.inf)[codes]
    codes += (tie & (codes % 2 == 1) & (codes < 0x78)).astype(codes.dtype)
    patterns = codes | numpy.where(numpy.signbit(values), 0x80, 0)
    return numpy.where(numpy.isnan(values), 0x7C, patterns).astype(numpy.uint8)


def float64_from_fp8_exp4(patterns):
    """The exact values of FP8_EXP4 patterns, IEEE style."""
    patterns = numpy.asarray(patterns)
    specials = [numpy.inf] + [numpy.nan] * 7
    magnitudes = numpy.append(_fp8_exp4_magnitudes(), specials)[patterns & 0x7F]
    return numpy.where(patterns & 0x80, -magnitudes, magnitudes)


_TO_NUMBERS = {"bf16": float32_from_bfloat16, "fp8_exp4": float64_from_fp8_exp4}


def to_float64(array, dtype):
    """The values of an array as it stands in a .npy file, given the dtype of its tensor."""
    convert = _TO_NUMBERS.get(dtype, numpy.asarray)
    return convert(array).astype(numpy.float64)
