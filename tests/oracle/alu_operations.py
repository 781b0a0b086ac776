"""What each ALU operation of the DVE computes: in FP32 and on bit vectors
(isa_wire_format 5.2, decisions 3)."""

from fractions import Fraction

import numpy

BYPASS = 0x00


class FloatAlu:
    """The FP32 operations; left and right are float32 arrays, the result is rounded once."""

    def __init__(self, parameters):
        self.nan_propagates = parameters['minmax.nan'] == 'propagate'
        self.symmetric_clamp_takes_larger = parameters['symmetric_clamp'] == 'max'
        self.table = {
            0x04: lambda left, right: left + right,
            0x05: lambda left, right: left - right,
            0x06: lambda left, right: left * right,
            0x08: self.maximum,
            0x09: self.minimum,
            0x0D: lambda left, right: _truth((left != 0) & (right != 0)),
            0x0E: lambda left, right: _truth((left != 0) | (right != 0)),
            0x0F: lambda left, right: _truth((left != 0) ^ (right != 0)),
            0x12: lambda left, right: _truth(left == right),
            0x13: lambda left, right: _truth(left > right),
            0x14: lambda left, right: _truth(left >= right),
            0x15: lambda left, right: _truth(left <= right),
            0x16: lambda left, right: _truth(left < right),
            0x17: lambda left, right: numpy.abs(left - right),
            0x18: lambda left, right: _truth(left != right),
            0x19: lambda left, right: numpy.abs(left),
            0x1A: lambda left, right: numpy.power(left.astype(numpy.float64), right.astype(numpy.float64)).astype(numpy.float32),
            0x1D: lambda left, right: reciprocal_square_root(left),
            0x20: lambda left, right: self.maximum(numpy.abs(left), numpy.abs(right)),
            0x21: lambda left, right: self.minimum(numpy.abs(left), numpy.abs(right)),
            0x22: lambda left, right: self.maximum(left, numpy.float32(0)),
            0x23: lambda left, right: left * left,
            0x24: self.symmetric_clamp,
        }

    def maximum(self, left, right):
        equal = numpy.where(numpy.signbit(left), right, left)  # max(-0, +0) is +0
        return self._with_nan_rule(left, right, numpy.where(left > right, left, numpy.where(right > left, right, equal)))

    def minimum(self, left, right):
        equal = numpy.where(numpy.signbit(left), left, right)  # min(-0, +0) is -0
        return self._with_nan_rule(left, right, numpy.where(left < right, left, numpy.where(right < left, right, equal)))

    def _with_nan_rule(self, left, right, ordered):
        left_nan, right_nan = numpy.isnan(left), numpy.isnan(right)
        if self.nan_propagates:
            return numpy.where(left_nan | right_nan, numpy.float32(numpy.nan), ordered)
        return numpy.where(left_nan, right, numpy.where(right_nan, left, ordered))

    def symmetric_clamp(self, left, right):
        choose = self.maximum if self.symmetric_clamp_takes_larger else self.minimum
        sign_source = numpy.where(numpy.isnan(left), numpy.float32(0), left)  # a NaN has no sign
        return numpy.copysign(choose(numpy.abs(left), numpy.abs(right)), sign_source)

    def stage(self, operation, data, other, swapped):
        """One of the two stages: data is the tensor element or the result of the stage before."""
        if operation == BYPASS:
            return data
        left, right = (other, data) if swapped else (data, other)
        return self.table[operation](left, right)


def _truth(condition):
    return condition.astype(numpy.float32)


def reciprocal_square_root(values):
    """Correctly rounded 1/sqrt(x): float64 first, exact arithmetic where that lies close to a tie."""
    approximate = 1.0 / numpy.sqrt(values.astype(numpy.float64))
    rounded = approximate.astype(numpy.float32)
    result = rounded.copy()
    with_ties = numpy.isfinite(approximate) & (approximate > 0)
    for index in zip(*numpy.nonzero(with_ties)):
        nearest = rounded[index]
        toward = numpy.float32(numpy.inf if approximate[index] > float(nearest) else -numpy.inf)
        neighbour = numpy.nextafter(nearest, toward, dtype=numpy.float32)
        middle = (float(nearest) + float(neighbour)) / 2
        if abs(approximate[index] - middle) <= abs(middle) * 2.0 ** -50:
            above = Fraction(float(values[index])) * Fraction(middle) ** 2 < 1
            result[index] = max(nearest, neighbour) if above else min(nearest, neighbour)
    return result


class BitvecAlu:
    """The bit vector operations on patterns of one width, held in uint64 arrays."""

    def __init__(self, width, parameters):
        self.width = width
        self.mask = numpy.uint64((1 << width) - 1)
        self.shift_wraps = parameters['shift.overflow'] == 'modulo'
        self.polynomial = numpy.uint64(parameters['crc32.polynomial'])
        self.table = {
            0x01: lambda left, right: ~left,
            0x02: self.shift_left,
            0x03: self.arithmetic_shift_right,
            0x0A: lambda left, right: left & right,
            0x0B: lambda left, right: left | right,
            0x0C: lambda left, right: left ^ right,
            0x10: self.shift_left,
            0x11: self.logical_shift_right,
            0x1C: self.crc32,
        }

    def _count(self, right):
        count = right % numpy.uint64(self.width) if self.shift_wraps else right
        return numpy.minimum(count, numpy.uint64(self.width))

    def shift_left(self, left, right):
        return left << self._count(right)

    def logical_shift_right(self, left, right):
        return left >> self._count(right)

    def arithmetic_shift_right(self, left, right):
        signed = left.astype(numpy.int64)
        signed = signed - ((signed >> (self.width - 1)) << self.width)
        return (signed >> self._count(right).astype(numpy.int64)).astype(numpy.uint64)

    def crc32(self, left, right):
        register, right = numpy.broadcast_arrays(left, right)
        for byte in range(self.width // 8):
            register = register ^ ((right >> numpy.uint64(8 * byte)) & numpy.uint64(0xFF))
            for _ in range(8):
                feedback = numpy.where(register & numpy.uint64(1), self.polynomial, numpy.uint64(0))
                register = (register >> numpy.uint64(1)) ^ feedback
        return register

    def stage(self, operation, data, other, swapped):
        if operation == BYPASS:
            return data
        left, right = (other, data) if swapped else (data, other)
        return self.table[operation](left, right) & self.mask
