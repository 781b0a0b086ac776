"""The integer band C4..DD and MOD in Python's own integers, which have no width
(isa_wire_format 5.2, decisions 3)."""

import numpy

from number_formats import ELEMENT_BYTES, INTEGER_TYPE, RAW_TYPE, SIGNED_DTYPES

MOD = 0x1B


def is_integer_operation(operation):
    return operation == MOD or operation >= 0xC4


def to_integers(raw, dtype):
    """Raw patterns as an array of Python integers."""
    return raw.view(INTEGER_TYPE[dtype]).astype(object)


def wrapped(values, bits, signed):
    """The integer of a width that agrees with each value modulo 2**bits."""
    low = values & ((1 << bits) - 1)
    return low - ((low >> (bits - 1)) << bits) if signed else low


def from_integers(values, dtype):
    """Wrapped to a dtype, as raw patterns."""
    size = ELEMENT_BYTES[dtype]
    return numpy.asarray(values & ((1 << 8 * size) - 1), object).astype(numpy.uint64).astype(RAW_TYPE[size])


def is_signed(dtype):
    return dtype in SIGNED_DTYPES


def _divided(left, right):
    """Toward zero; by zero: all ones, which is -1."""
    divisor = numpy.where(right == 0, 1, right)
    magnitude = abs(left) // abs(divisor)
    quotient = numpy.where((left < 0) == (divisor < 0), magnitude, -magnitude)
    return numpy.where(right == 0, -1, quotient)


def _remainder(left, right):
    """With the sign of the dividend; by zero: the dividend."""
    return numpy.where(right == 0, left, left - right * _divided(left, right))


def _truth(condition):
    return numpy.where(condition, 1, 0)


def _larger(left, right):
    return numpy.where(left < right, right, left)


def _smaller(left, right):
    return numpy.where(right < left, right, left)


OPERATIONS = {
    MOD: _remainder,
    0xC4: lambda left, right: left + right,
    0xC5: lambda left, right: left * right,
    0xC6: lambda left, right: left - right,
    0xC7: _divided,
    0xC8: _remainder,
    0xC9: lambda left, right: _truth(left == right),
    0xCA: lambda left, right: _truth(left != right),
    0xCB: lambda left, right: _larger(abs(left), abs(right)),
    0xCC: lambda left, right: _smaller(abs(left), abs(right)),
    0xCD: lambda left, right: abs(left - right),
    0xCF: _larger,
    0xD0: _smaller,
    0xD1: lambda left, right: _truth(left > right),
    0xD2: lambda left, right: _truth(left >= right),
    0xD3: lambda left, right: _truth(left <= right),
    0xD4: lambda left, right: _truth(left < right),
    0xD5: _larger,
    0xD6: _smaller,
    0xD7: lambda left, right: _truth(left > right),
    0xD8: lambda left, right: _truth(left >= right),
    0xD9: lambda left, right: _truth(left <= right),
    0xDA: lambda left, right: _truth(left < right),
    0xDB: lambda left, right: left * right,
    0xDC: _divided,
    0xDD: _remainder,
}


def evaluate(operation, left, right):
    return OPERATIONS[operation](left, right).astype(object)
