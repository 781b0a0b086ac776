"""Number formats of the DVE: raw element patterns to FP32 values and back (decisions 3).

Everything is round-to-nearest-even with kept subnormals. Narrow floats are decoded by tables built
from their field widths; encoding scales to the unit of the last place in float64, where every step
is exact, rounds there and looks the result up in the same table.
"""

import functools

import numpy

UINT64, INT8, UINT8, INT16, UINT16, BF16, FP16 = range(1, 8)
INT32, UINT32, FP32, FP32R, INT64, FP8_EXP3, FP8_EXP4, FP8_EXP5 = range(8, 16)

ELEMENT_BYTES = {INT8: 1, UINT8: 1, FP8_EXP3: 1, FP8_EXP4: 1, FP8_EXP5: 1,
                 INT16: 2, UINT16: 2, BF16: 2, FP16: 2,
                 INT32: 4, UINT32: 4, FP32: 4, FP32R: 4, INT64: 8, UINT64: 8}
RAW_TYPE = {1: numpy.dtype('<u1'), 2: numpy.dtype('<u2'), 4: numpy.dtype('<u4'), 8: numpy.dtype('<u8')}
INTEGER_TYPE = {INT8: numpy.dtype('<i1'), UINT8: numpy.dtype('<u1'),
                INT16: numpy.dtype('<i2'), UINT16: numpy.dtype('<u2'),
                INT32: numpy.dtype('<i4'), UINT32: numpy.dtype('<u4'),
                INT64: numpy.dtype('<i8'), UINT64: numpy.dtype('<u8')}
SIGNED_DTYPES = (INT8, INT16, INT32, INT64)
WIDE_DTYPES = (INT64, UINT64)

CANONICAL_FP32_NAN = 0x7FC00000


class NarrowFloat:
    """A float of at most 16 bits: sign, exponent and mantissa fields with or without infinities."""

    def __init__(self, exponent_bits, mantissa_bits, bias, has_infinity=True):
        self.mantissa_bits = mantissa_bits
        self.minimum_exponent = 1 - bias
        self.sign_bit = 1 << (exponent_bits + mantissa_bits)
        top_exponent = (1 << exponent_bits) - 1
        magnitudes = []
        for code in range(self.sign_bit):
            exponent, mantissa = code >> mantissa_bits, code & ((1 << mantissa_bits) - 1)
            if has_infinity and exponent == top_exponent:
                value = float('nan') if mantissa else float('inf')
            elif not has_infinity and code == self.sign_bit - 1:
                value = float('nan')
            elif exponent == 0:
                value = mantissa * 2.0 ** (self.minimum_exponent - mantissa_bits)
            else:
                value = (1 + mantissa / (1 << mantissa_bits)) * 2.0 ** (exponent - bias)
            magnitudes.append(value)
        magnitudes = numpy.array(magnitudes)
        self.decode_table = numpy.concatenate([magnitudes, -magnitudes]).astype(numpy.float32)
        self.finite = magnitudes[numpy.isfinite(magnitudes)]  # ascending, indexed by the code
        self.largest_code = len(self.finite) - 1
        if has_infinity:
            self.overflow_code = top_exponent << mantissa_bits
            self.nan_code = self.overflow_code | (1 << (mantissa_bits - 1))
        else:
            self.overflow_code = self.nan_code = self.sign_bit - 1

    def encode(self, values, saturate):
        magnitude = numpy.abs(values.astype(numpy.float64))
        not_a_number = numpy.isnan(magnitude)
        finite = numpy.where(numpy.isfinite(magnitude), magnitude, 0.0)
        _, exponent = numpy.frexp(finite)  # finite = m * 2**exponent with 0.5 <= m < 1
        unit = numpy.ldexp(1.0, numpy.maximum(exponent - 1, self.minimum_exponent) - self.mantissa_bits)
        rounded = numpy.rint(finite / unit) * unit
        overflow = (rounded > self.finite[-1]) | numpy.isinf(magnitude)
        code = numpy.searchsorted(self.finite, numpy.where(overflow, 0.0, rounded))
        code = numpy.where(overflow, self.largest_code if saturate else self.overflow_code, code)
        code = numpy.where(numpy.signbit(values), code | self.sign_bit, code)
        if self.overflow_code == self.nan_code and not saturate:
            code = numpy.where(overflow, self.nan_code, code)
        return numpy.where(not_a_number, self.nan_code, code)


@functools.lru_cache(maxsize=None)
def narrow_float(dtype, fp8_exp4_variant):
    if dtype == FP16:
        return NarrowFloat(5, 10, 15)
    if dtype == BF16:
        return NarrowFloat(8, 7, 127)
    if dtype == FP8_EXP3:
        return NarrowFloat(3, 4, 3)
    if dtype == FP8_EXP4:
        return NarrowFloat(4, 3, 7, has_infinity=fp8_exp4_variant == 'ieee')
    if dtype == FP8_EXP5:
        return NarrowFloat(5, 2, 15)
    raise KeyError(dtype)


def to_fp32(raw, dtype, parameters):
    """Raw unsigned patterns of a dtype as FP32 values."""
    if dtype in INTEGER_TYPE:
        return raw.view(INTEGER_TYPE[dtype]).astype(numpy.float32)
    if dtype in (FP32, FP32R):
        return raw.view('<f4').astype(numpy.float32)
    return narrow_float(dtype, parameters['fp8_exp4.variant']).decode_table[raw]


def from_fp32(values, dtype, parameters):
    """FP32 values as raw unsigned patterns of a dtype; every NaN becomes the canonical one."""
    raw_type = RAW_TYPE[ELEMENT_BYTES[dtype]]
    if dtype in INTEGER_TYPE:
        return _to_integer(values, INTEGER_TYPE[dtype], parameters).view(raw_type)
    if dtype == FP32:
        bits = numpy.ascontiguousarray(values).view('<u4')
        return numpy.where(numpy.isnan(values), CANONICAL_FP32_NAN, bits).astype(raw_type)
    saturate = parameters['cast.overflow'] == 'saturate'
    if dtype == FP32R:
        return _to_fp32r(values, parameters['fp32r.mantissa_bits'], saturate).astype(raw_type)
    return narrow_float(dtype, parameters['fp8_exp4.variant']).encode(values, saturate).astype(raw_type)


def _to_integer(values, integer_type, parameters):
    limits = numpy.iinfo(integer_type)
    round_off = {'truncate': numpy.trunc, 'nearest_even': numpy.rint}[parameters['cast.fp_to_int']]
    exact = values.astype(numpy.float64)
    of_nan = {'zero': 0, 'max': limits.max}[parameters['cast.nan_to_int']]
    exact = numpy.where(numpy.isnan(exact), of_nan, exact)
    return numpy.clip(round_off(exact), limits.min, limits.max).astype(numpy.int64).astype(integer_type)


def _to_fp32r(values, mantissa_bits, saturate):
    magnitude = numpy.abs(values.astype(numpy.float64))
    finite = numpy.where(numpy.isfinite(magnitude), magnitude, 0.0)
    _, exponent = numpy.frexp(finite)
    unit = numpy.ldexp(1.0, numpy.maximum(exponent - 1, -126) - mantissa_bits)
    rounded = numpy.rint(finite / unit) * unit
    largest = (2.0 - 2.0 ** -mantissa_bits) * 2.0 ** 127
    overflow = (rounded > largest) | numpy.isinf(magnitude)
    result = numpy.where(overflow, largest if saturate else numpy.inf, rounded)
    result = numpy.copysign(result, values).astype(numpy.float32)
    return numpy.where(numpy.isnan(values), CANONICAL_FP32_NAN, result.view('<u4'))
