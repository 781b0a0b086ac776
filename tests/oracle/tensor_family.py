"""The siblings of Tensor-Scalar and Scalar-Tensor-Tensor in numpy: 0x41 0x51 0x93 0x9A 0xE6 0x30 0xEA
0x4E 0x5E (decisions 2, isa_wire_format 4 and 6). Part of the oracle in dve_oracle.py."""

import struct
from decimal import Context, Decimal
from fractions import Fraction

import numpy

import integer_operations as integers
from alu_operations import BYPASS, BitvecAlu
from number_formats import ELEMENT_BYTES, FP32, INT32, RAW_TYPE, WIDE_DTYPES

ADD, SUBTRACT, MULT, MAX, MIN = 0x04, 0x05, 0x06, 0x08, 0x09
ACCUMULATE, ZERO_ACCUMULATE, LOAD_ACCUMULATE = 2, 3, 4
IDENTITY = {ADD: 0.0, SUBTRACT: 0.0, MULT: 1.0, MAX: -numpy.inf, MIN: numpy.inf}
BLOCK = 32  # side of a transposed block


def exponential(values):
    """exp, correctly rounded: float64 first, many digits where that lies close to a tie."""
    approximate = numpy.exp(values.astype(numpy.float64))
    rounded = approximate.astype(numpy.float32)
    toward = numpy.where(approximate > rounded, numpy.float32(numpy.inf), numpy.float32(-numpy.inf))
    neighbour = numpy.nextafter(rounded, toward)
    middle = (rounded.astype(numpy.float64) + neighbour.astype(numpy.float64)) / 2
    close = numpy.isfinite(middle) & (numpy.abs(approximate - middle) <= numpy.abs(middle) * 2.0 ** -50)
    for index in zip(*numpy.nonzero(close & (values != 0))):
        exact = Fraction(Context(prec=60).exp(Decimal(float(values[index]))))
        larger, smaller = sorted((float(rounded[index]), float(neighbour[index])), reverse=True)
        rounded[index] = larger if exact > Fraction(float(middle[index])) else smaller
    return rounded


def transposed_blocks(raw):
    """Every block of 32 channels and 32 elements, turned by itself."""
    channels, elements = raw.shape
    blocks = raw.reshape(channels // BLOCK, BLOCK, elements // BLOCK, BLOCK)
    return numpy.ascontiguousarray(blocks.transpose(0, 3, 2, 1)).reshape(channels, elements)


class TensorFamily:
    """Instructions of the oracle; operands, memories and accumulators are those of Oracle."""

    def tensor_tensor(self, record):
        pair, out_dtype, operation, channels = record[12:16]
        dtype0, dtype1 = pair & 0x0F, pair >> 4
        raw0, raw1 = (self.read_pattern(record, at, 3, dtype, channels) for at, dtype in ((16, dtype0), (32, dtype1)))
        if record[0] == 0x51:
            alu = BitvecAlu(8 * ELEMENT_BYTES[dtype0], self.parameters)
            result = alu.stage(operation, raw0.astype(numpy.uint64), raw1.astype(numpy.uint64), False)
            out = result.astype(RAW_TYPE[ELEMENT_BYTES[out_dtype]])
        elif integers.is_integer_operation(operation):
            left, right = integers.to_integers(raw0, dtype0), integers.to_integers(raw1, dtype1)
            out = integers.from_integers(integers.evaluate(operation, left, right), out_dtype)
        elif operation == BYPASS and dtype0 in WIDE_DTYPES:
            out = raw0
        else:
            result = self.float_alu.stage(operation, self.to_float(raw0, dtype0), self.to_float(raw1, dtype1), False)
            out = self.from_float(result, out_dtype)
        self.write_raw(self.element_bytes_of(record, 48, 3, out_dtype, channels), out, channels)

    def integer_tensor_scalar(self, record):
        """The band under 0x43 on maverick: immediates INT32, a wrap at 32 bits between the stages."""
        in_dtype, out_dtype, channels, imm0_source, op0, op1, reverse, imm1_source = record[32:40]
        imm0, imm1 = struct.unpack_from('<II', record, 40)
        result = integers.to_integers(self.read_pattern(record, 16, 3, in_dtype, channels), in_dtype)
        stages = ((op0, imm0_source, imm0, reverse & 1), (op1, imm1_source, imm1, reverse & 2))
        for number, (operation, source, field, swapped) in enumerate(stages):
            if operation == BYPASS:
                continue
            scalar = integers.to_integers(self.immediate_raw(source, field, INT32, channels), INT32)
            left, right = (scalar, result) if swapped else (result, scalar)
            result = integers.evaluate(operation, left, right)
            if number == 0 and op1 != BYPASS:
                result = integers.wrapped(result, 32, integers.is_signed(in_dtype))
        self.write_raw(self.element_bytes_of(record, 48, 3, out_dtype, channels), integers.from_integers(result, out_dtype), channels)

    def fold(self, command, operation, values, loaded=None):
        """acc = value op acc, element by element; gives the accumulator after each."""
        channels = len(values)
        if command == ACCUMULATE:
            total = self.accumulators[:channels].copy()
        elif command == ZERO_ACCUMULATE:
            total = numpy.full(channels, IDENTITY[operation], numpy.float32)
        else:
            total = numpy.broadcast_to(loaded[:, 0], (channels,))
        running = numpy.empty(values.shape[::-1], numpy.float32)
        for index, column in enumerate(numpy.ascontiguousarray(values.T)):
            total = self.float_alu.table[operation](column, total)
            running[index] = total
        self.accumulators[:channels] = total
        return numpy.ascontiguousarray(running.T)

    def tapped(self, values, out, out_dtype):
        """What an accumulator sees of results."""
        return values if self.parameters['accumulator.tap'] == 'before' else self.to_float(out, out_dtype)

    def _source_and_scalars(self, record):
        in_dtype, channels, imm0_source, imm1_source = record[32], record[34], record[35], record[39]
        imm0, imm1 = struct.unpack_from('<II', record, 40)
        data = self.to_float(self.read_pattern(record, 16, 3, in_dtype, channels), in_dtype)
        scalars = [self.to_float(self.immediate_raw(source, field, FP32, channels), FP32)
                   for source, field in ((imm0_source, imm0), (imm1_source, imm1))]
        return data, scalars, channels

    def cache_reduce(self, record):
        command, out_dtype, op0, op1 = record[12], record[33], record[36], record[37]
        data, (scalar0, scalar1), channels = self._source_and_scalars(record)
        values = numpy.broadcast_to(self.float_alu.stage(op0, data, scalar0, False), data.shape)
        if record[0] == 0xE6:
            out = self.from_float(self.fold(command, op1, values, scalar1), out_dtype)
        else:
            out = self.from_float(values, out_dtype)
            self.fold(command, op1, self.tapped(values, out, out_dtype), scalar1)
        self.write_raw(self.element_bytes_of(record, 48, 3, out_dtype, channels), out, channels)

    def exponential(self, record):
        command, out_dtype = record[12], record[33]
        data, (largest, initial), channels = self._source_and_scalars(record)
        values = exponential(data - largest)
        out = self.from_float(values, out_dtype)
        if command:
            self.fold(command, ADD, self.tapped(values, out, out_dtype), initial)
        self.write_raw(self.element_bytes_of(record, 48, 3, out_dtype, channels), out, channels)

    def select_reduce(self, record):
        (predicate, _), (imm_raw, imm_dtype), (raw1, dtype1), out_dtype, channels = self._two_tensor_operands(record)
        chosen = (predicate != 0) != (record[38] == 1)
        values = numpy.where(chosen, self.to_float(raw1, dtype1), self.to_float(imm_raw, imm_dtype))
        out = self.from_float(values, out_dtype)
        if record[44]:
            self.fold(record[44], MAX, self.tapped(values, out, out_dtype))
        self.write_raw(self.element_bytes_of(record, 48, 2, out_dtype, channels), out, channels)

    def cumulative(self, record):
        in_dtype, out_dtype, channels, _, operation, op_dim = record[32:38]
        raw = self.read_pattern(record, 12, 4, in_dtype, channels)
        counts = struct.unpack_from('<4H', record, 12 + 12)
        indirect = record[15] & 0x60 == 0x20  # its indices are one dimension
        run = raw.shape[1] if indirect else int(numpy.prod(counts[:op_dim - 1]))
        if record[0] == 0x5E:
            alu = BitvecAlu(8 * ELEMENT_BYTES[in_dtype], self.parameters)
            elements, step = raw.astype(numpy.uint64), lambda state, element: alu.stage(operation, state, element, False)
            convert = lambda states: states.astype(RAW_TYPE[ELEMENT_BYTES[out_dtype]])
        elif integers.is_integer_operation(operation):
            bits = 8 * ELEMENT_BYTES[in_dtype]
            elements = integers.to_integers(raw, in_dtype)
            step = lambda state, element: integers.wrapped(integers.evaluate(operation, state, element), bits,
                                                           integers.is_signed(in_dtype))
            convert = lambda states: integers.from_integers(states, out_dtype)
        else:
            elements, step = self.to_float(raw, in_dtype), lambda state, element: self.float_alu.stage(operation, state, element, False)
            convert = lambda states: self.from_float(states, out_dtype)
        states = elements.copy()
        for index in range(1, elements.shape[1]):
            if index % run:
                states[:, index] = step(states[:, index - 1], elements[:, index])
        self.write_raw(self.element_bytes_of(record, 44, 4, out_dtype, channels), convert(states), channels)
