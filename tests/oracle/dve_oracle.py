"""An independent model of the DVE in numpy: memories, registers and the meaning of each record.

It executes legal straight-line programs of 64-byte records. Sources of the semantics are decisions 1
to 4, isa_wire_format 1 to 6 and published_facts 1 and 3. An element walk that leaves the working
area, an unsatisfied wait or an opcode it does not know raises OracleError.
"""

import struct

import numpy

from alu_operations import BitvecAlu, FloatAlu
from number_formats import ELEMENT_BYTES, FP32, RAW_TYPE, from_fp32, to_fp32
from tensor_family import TensorFamily, transposed_blocks

REFERENCE_PARAMETERS = {
    'scan.recurrence': 'combine_prefix',
    'scan.combine': 'add',
    'scan.order': 'rotate_combine',
    'stt.accumulate': 'replaces_store',
    'accumulator.tap': 'before',
    'indirect.list': 'group',
    'cast.fp_to_int': 'truncate',
    'cast.overflow': 'infinity',
    'cast.nan_to_int': 'zero',
    'fp32r.mantissa_bits': 10,
    'fp8_exp4.variant': 'ieee',
    'minmax.nan': 'number',
    'shift.overflow': 'complete',
    'symmetric_clamp': 'max',
    'crc32.polynomial': 0xEDB88320,
    'psum.narrow_writes': 'false',
}
PUBLISHED_PARAMETERS = dict(REFERENCE_PARAMETERS, **{
    'scan.recurrence': 'carried',
    'scan.order': 'sequential',
    'stt.accumulate': 'adds_to_store',
    'cast.fp_to_int': 'nearest_even',
})
PROFILES = {'reference': REFERENCE_PARAMETERS, 'published': PUBLISHED_PARAMETERS}

PSUM_BASE, PSUM_STRIDE = 0x2000000, 0x8000
SBUF_STRIDE = {'sunda': 0x40000, 'cayman': 0x40000, 'mariana': 0x40000, 'mariana_plus': 0x40000, 'maverick': 0x100000}

ADD, SUBTRACT, MULT, MAX, MIN, ABSOLUTE_DIFF = 0x04, 0x05, 0x06, 0x08, 0x09, 0x17
COMBINE_OPERATION = {'add': ADD, 'mult': MULT, 'max': MAX, 'min': MIN, 'absolute_diff': ABSOLUTE_DIFF}
SCAN_WINDOW = 16
INDIRECT = 0x20000000

COMPARE = {1: lambda value, bound: value == bound, 2: lambda value, bound: value < bound,
           3: lambda value, bound: value <= bound, 4: lambda value, bound: value > bound,
           5: lambda value, bound: value >= bound}
WAIT_NONE, WAIT_UNORDERED = 0x00, 0xFE


def is_indirect(word):
    return word & 0x60000000 == INDIRECT


class OracleError(Exception):
    """The program asks for something outside what the oracle covers."""


class Area:
    """The working area of one memory: the same window of bytes in each of 128 partitions."""

    def __init__(self, image, first_byte):
        self.bytes = image.copy()
        self.first_byte = first_byte
        self.writer = numpy.full(image.shape, -1, numpy.int16)  # record that wrote a byte last


class Synchronisation:
    """Semaphores and events with the wait and update modes of isa_wire_format 1.3."""

    def __init__(self, registers, semaphores):
        self.registers = registers
        self.semaphores = [semaphores.get(index, 0) for index in range(256)]
        self.events = [0] * 256

    def wait_holds(self, mode, index, value):
        if mode in (WAIT_NONE, WAIT_UNORDERED):
            return True
        if mode in (0x06, 0x07):
            return self.events[index] == 1
        if mode in (0x0E, 0x0F):
            return self.events[index] == 0
        bound = self.registers[value] if mode & 0x80 else value
        return COMPARE[mode & 0x7F](self.semaphores[index], bound)

    def wait(self, mode, index, value):
        if not self.wait_holds(mode, index, value):
            raise OracleError(f'wait mode {mode:#x} on {index} does not hold')
        if mode == 0x07:
            self.events[index] = 0
        if mode == 0x0F:
            self.events[index] = 1

    def update(self, mode, index, value):
        operand = self.registers[value] if mode & 0x80 else value
        action = mode & 0x0F
        if action == 1:
            self.events[index] = 1
        elif action == 2:
            self.events[index] = 0
        elif action:
            old = self.semaphores[index]
            new = {3: old + 1, 4: old - 1, 5: old + operand, 7: old - operand, 9: operand}[action]
            if not 0 <= new < 1 << 32:
                raise OracleError(f'semaphore {index} leaves 32 bits')
            self.semaphores[index] = new


class Oracle(TensorFamily):
    def __init__(self, generation, parameters, sbuf, sbuf_first_byte, psum=None, psum_first_byte=0,
                 registers=None, semaphores=None):
        self.parameters = parameters
        self.sbuf_stride = SBUF_STRIDE[generation]
        self.sbuf = Area(sbuf, sbuf_first_byte)
        self.psum = None if psum is None else Area(psum, psum_first_byte)
        self.registers = [(registers or {}).get(number, 0) for number in range(64)]
        self.synchronisation = Synchronisation(self.registers, semaphores or {})
        self.accumulators = numpy.zeros(128, numpy.float32)
        self.float_alu = FloatAlu(parameters)
        self.record_index = 0

    def run(self, program):
        with numpy.errstate(all='ignore'):
            for start in range(0, len(program), 64):
                self.record_index = start // 64
                if not self.execute(program[start:start + 64]):
                    break

    def execute(self, record):
        """Runs one record; False after HALT."""
        opcode, (wait_mode, wait_index, update_mode, update_index, value) = record[0], struct.unpack_from('<BBBBI', record, 4)
        self.synchronisation.wait(wait_mode, wait_index, value)
        if opcode in (0x43, 0x44, 0x53, 0x54, 0x93):
            self.tensor_scalar(record)
        elif opcode in (0x41, 0x51):
            self.tensor_tensor(record)
        elif opcode in (0x9A, 0xE6):
            self.cache_reduce(record)
        elif opcode == 0x30:
            self.exponential(record)
        elif opcode == 0xEA:
            self.select_reduce(record)
        elif opcode in (0x4E, 0x5E):
            self.cumulative(record)
        elif opcode in (0x9D, 0x9E):
            self.scalar_tensor_tensor(record)
        elif opcode == 0xE5:
            self.tensor_tensor_scan(record)
        elif opcode == 0x9B:
            self.read_accumulator(record)
        elif opcode == 0xA7:
            self.move(record)
        elif opcode == 0xA0:
            self.synchronisation.wait(record[32], record[33], struct.unpack_from('<I', record, 36)[0])
            self.synchronisation.update(record[34], record[35], struct.unpack_from('<I', record, 40)[0])
        elif opcode not in (0xA1, 0xA2, 0xA4):
            raise OracleError(f'opcode {opcode:#x}')
        self.synchronisation.update(update_mode, update_index, value)
        return opcode != 0xA1

    # Operands

    def locate(self, word):
        """Area, partition and byte within the area of an ADDR4 word."""
        if word >> 24 & 0xA0 == 0x80:
            word = self.registers[word & 0xFF]
        if word >> 29:
            raise OracleError(f'address word {word:#010x}')
        if self.psum is not None and word >= PSUM_BASE:
            partition, byte = divmod(word - PSUM_BASE, PSUM_STRIDE)
            return self.psum, partition, byte - self.psum.first_byte
        partition, byte = divmod(word, self.sbuf_stride)
        return self.sbuf, partition, byte - self.sbuf.first_byte

    def element_bytes_of(self, record, at, dimensions, dtype, channels):
        """Area, first partition and the first byte of each element of the pattern at a record offset:
        [1, elements], or a row a channel where the pattern is indirect."""
        word, *fields = struct.unpack_from(f'<I{dimensions}h{dimensions}H', record, at)
        size = ELEMENT_BYTES[dtype]
        if is_indirect(word):
            data_word, count = struct.unpack_from('<IH', record, at + 4)
            area, partition, first = self.locate(data_word)
            linear = self.read_list(word & ~INDIRECT, count, channels)
        else:
            area, partition, first = self.locate(word)
            linear = numpy.zeros(1, numpy.int64)
            for step, count in zip(fields[:dimensions], fields[dimensions:]):
                linear = (numpy.arange(count, dtype=numpy.int64)[:, None] * step + linear[None, :]).ravel()
            linear = linear[None, :]
        starts = first + size * linear
        if starts.min() < 0 or starts.max() + size > area.bytes.shape[1]:
            raise OracleError('a walk leaves the working area')
        return area, partition, starts

    def read_list(self, word, count, channels):
        """Element numbers of each channel. A group of 16 partitions has one list: its word i lies in
        partition i % 16 of the group, at word i // 16."""
        area, partition, first = self.locate(word)
        words = area.bytes[:, first:].copy()
        words = words[:, :words.shape[1] // 4 * 4].view('<u4').astype(numpy.int64)
        members = 16 if self.parameters['indirect.list'] == 'group' else 1
        index = numpy.arange(count)
        rows = partition + numpy.arange(channels)[:, None] // members * members + index % members
        return words[rows, index // members]

    def read_raw(self, operand, dtype, channels):
        area, partition, starts = operand
        size = ELEMENT_BYTES[dtype]
        starts = numpy.broadcast_to(starts, (channels, starts.shape[1]))
        every_byte = (starts[:, :, None] + numpy.arange(size)).reshape(channels, -1)
        block = numpy.take_along_axis(area.bytes[partition:partition + channels], every_byte, axis=1)
        return numpy.ascontiguousarray(block).view(RAW_TYPE[size])

    def read_pattern(self, record, at, dimensions, dtype, channels):
        return self.read_raw(self.element_bytes_of(record, at, dimensions, dtype, channels), dtype, channels)

    def read_pointer(self, word, dtype, channels):
        area, partition, byte = self.locate(word)
        return self.read_raw((area, partition, numpy.array([[byte]])), dtype, channels)

    def immediate_raw(self, source, field, dtype, channels):
        """Raw immediate, [channels, 1] or [1, 1], by IMM_SRC."""
        if source == 0:
            size = ELEMENT_BYTES[dtype]
            return numpy.array([[field & ((1 << 8 * size) - 1)]], numpy.uint64).astype(RAW_TYPE[size])
        if source == 1:
            return self.read_pointer(field, dtype, channels)
        return self.read_pointer(self.registers[field & 0xFF], dtype, channels)

    def write_raw(self, operand, raw, channels):
        area, partition, starts = operand
        raw = numpy.broadcast_to(raw, (channels, starts.shape[1]))
        together = channels if len(starts) == 1 else 1  # channels with the same starts
        for row, channel in enumerate(range(0, channels, together)):
            last_first, first_seen = numpy.unique(starts[row, ::-1], return_index=True)
            kept = starts.shape[1] - 1 - first_seen  # of elements on the same bytes the last one stays
            every_byte = (last_first[:, None] + numpy.arange(raw.dtype.itemsize)).ravel()
            block = numpy.ascontiguousarray(raw[channel:channel + together, kept]).view(numpy.uint8)
            written = slice(partition + channel, partition + channel + together)
            area.bytes[written, every_byte] = block
            area.writer[written, every_byte] = self.record_index

    def to_float(self, raw, dtype):
        return to_fp32(raw, dtype, self.parameters)

    def from_float(self, values, dtype):
        return from_fp32(values, dtype, self.parameters)

    # Instructions

    def tensor_scalar(self, record):
        opcode = record[0]
        in_dtype, out_dtype, channels, imm0_source, op0, op1, reverse, imm1_source = record[32:40]
        imm0, imm1 = struct.unpack_from('<II', record, 40)
        if max(op0, op1) >= 0xC4:
            return self.integer_tensor_scalar(record)
        if opcode in (0x44, 0x54):
            imm0_source = imm1_source = 1
        bitvec = opcode in (0x53, 0x54)
        imm_dtype = in_dtype if bitvec else FP32
        raw = self.read_pattern(record, 16, 3, in_dtype, channels)
        if opcode == 0x93:
            raw = transposed_blocks(raw)
        scalars = [self.immediate_raw(imm0_source, imm0, imm_dtype, channels)]
        scalars.append(self.immediate_raw(imm1_source, imm1, imm_dtype, channels))
        if bitvec:
            alu = BitvecAlu(8 * ELEMENT_BYTES[in_dtype], self.parameters)
            convert_in = lambda pattern, dtype: pattern.astype(numpy.uint64)
            convert_out = lambda result: result.astype(RAW_TYPE[ELEMENT_BYTES[out_dtype]])
        else:
            alu = self.float_alu
            convert_in = self.to_float
            convert_out = lambda result: self.from_float(result, out_dtype)
        data = convert_in(raw, in_dtype)
        scalar0, scalar1 = (convert_in(scalar, imm_dtype) for scalar in scalars)
        result = alu.stage(op0, data, scalar0, reverse & 1)
        result = alu.stage(op1, result, scalar1, reverse & 2)
        result = numpy.broadcast_to(result, data.shape)
        self.write_raw(self.element_bytes_of(record, 48, 3, out_dtype, channels), convert_out(result), channels)

    def _two_tensor_operands(self, record):
        pair, out_dtype, channels, imm_dtype = record[40:44]
        dtype0, dtype1 = pair & 0x0F, pair >> 4
        imm_raw = self.immediate_raw(record[39], struct.unpack_from('<I', record, 60)[0], imm_dtype, channels)
        raw0 = self.read_pattern(record, 12, 2, dtype0, channels)
        raw1 = self.read_pattern(record, 24, 2, dtype1, channels)
        return (raw0, dtype0), (imm_raw, imm_dtype), (raw1, dtype1), out_dtype, channels

    def scalar_tensor_tensor(self, record):
        (raw0, dtype0), (imm_raw, imm_dtype), (raw1, dtype1), out_dtype, channels = self._two_tensor_operands(record)
        op0, op1, reverse = record[36:39]
        if record[0] == 0x9E:
            alu = BitvecAlu(8 * ELEMENT_BYTES[dtype0], self.parameters)
            data, scalar, tensor = (raw.astype(numpy.uint64) for raw in (raw0, imm_raw, raw1))
        else:
            alu = self.float_alu
            data, scalar, tensor = self.to_float(raw0, dtype0), self.to_float(imm_raw, imm_dtype), self.to_float(raw1, dtype1)
        result = alu.stage(op0, data, scalar, reverse & 1)
        result = numpy.broadcast_to(alu.stage(op1, result, tensor, reverse & 2), data.shape)
        if record[0] == 0x9E:
            out = result.astype(RAW_TYPE[ELEMENT_BYTES[out_dtype]])
        else:
            out = self.from_float(result, out_dtype)
        command = record[44]
        if command:
            self.fold(command, ADD, self.tapped(result, out, out_dtype))
        if not command or self.parameters['stt.accumulate'] == 'adds_to_store':
            self.write_raw(self.element_bytes_of(record, 48, 2, out_dtype, channels), out, channels)

    def read_accumulator(self, record):
        dtype, negated, channels = record[32:35]
        values = self.accumulators[:channels, None]
        operand = self.element_bytes_of(record, 44, 1, dtype, channels)
        self.write_raw(operand, self.from_float(-values if negated else values, dtype), channels)

    def tensor_tensor_scan(self, record):
        (raw0, dtype0), (imm_raw, imm_dtype), (raw1, dtype1), out_dtype, channels = self._two_tensor_operands(record)
        op0, op1, reverse = record[36:39]
        # Elements come first in the arrays of a scan: row i is element i of all channels.
        first = numpy.ascontiguousarray(self.to_float(raw0, dtype0).T)
        second = numpy.ascontiguousarray(self.to_float(raw1, dtype1).T)
        initial = numpy.broadcast_to(self.to_float(imm_raw, imm_dtype)[:, 0], (channels,))
        rotating = self.parameters['scan.order'] == 'rotate_combine'
        stage = self.float_alu.stage
        if self.parameters['scan.recurrence'] == 'combine_prefix':
            combined = stage(op1, stage(op0, first, initial, reverse & 1), second, reverse & 2)
            combined = numpy.broadcast_to(combined, first.shape)
            operation = self.float_alu.table[COMBINE_OPERATION[self.parameters['scan.combine']]]
            if rotating:
                result = self._rotating_scan((combined,), lambda earlier, later: (operation(earlier[0], later[0]),),
                                             lambda carry, state: state[0] if carry is None else operation(carry, state[0]))
            else:
                result = self._prefix(combined, operation)
        else:
            lifted = self._lift(op0, op1, reverse, first, second) if rotating else None
            if lifted:
                element_map, compose, apply = lifted
                result = self._rotating_scan(element_map, compose, lambda carry, state: apply(initial if carry is None else carry, *state))
            else:
                result = numpy.empty_like(first)
                state = initial
                for index in range(len(first)):
                    state = stage(op1, stage(op0, first[index], state, reverse & 1), second[index], reverse & 2)
                    result[index] = state
        out = self.from_float(numpy.ascontiguousarray(result.T), out_dtype)
        self.write_raw(self.element_bytes_of(record, 48, 2, out_dtype, channels), out, channels)

    @staticmethod
    def _prefix(combined, operation):
        result = combined.copy()
        for index in range(1, len(result)):
            result[index] = operation(result[index - 1], combined[index])
        return result

    @staticmethod
    def _rotating_scan(element_map, compose, finish):
        """Log-step scan of windows; finish(carry, state) gives the results of a window, whose last
        row is the carry of the next one. The first window has carry None."""
        result = numpy.empty_like(element_map[0])
        carry = None
        for start in range(0, len(result), SCAN_WINDOW):
            state = tuple(component[start:start + SCAN_WINDOW] for component in element_map)
            for stride in (1, 2, 4, 8):
                composed = compose(tuple(component[:-stride] for component in state), tuple(component[stride:] for component in state))
                state = tuple(numpy.concatenate([old[:stride], new]) for old, new in zip(state, composed))
            result[start:start + SCAN_WINDOW] = finish(carry, state)
            carry = result[min(start + SCAN_WINDOW, len(result)) - 1]
        return result

    def _lift(self, op0, op1, reverse, first, second):
        """Element map, composition and application of decisions 1, or None for the sequential pairs."""
        operation = self.float_alu.table
        if (op0, op1) == (MULT, ADD) or ((op0, op1) == (MULT, SUBTRACT) and not reverse & 2):
            return ((first, second if op1 == ADD else -second),
                    lambda earlier, later: (later[0] * earlier[0], (later[0] * earlier[1]) + later[1]),
                    lambda carry, factor, offset: (factor * carry) + offset)
        if (op0, op1) == (ADD, ADD):
            return (first + second,), lambda earlier, later: (earlier[0] + later[0],), lambda carry, offset: carry + offset
        if (op0, op1) == (MULT, MULT):
            return (first * second,), lambda earlier, later: (earlier[0] * later[0],), lambda carry, factor: carry * factor
        if (op0, op1) in ((ADD, MAX), (ADD, MIN)):
            bound = operation[op1]
            return ((first, second),
                    lambda earlier, later: (earlier[0] + later[0], bound(earlier[1] + later[0], later[1])),
                    lambda carry, offset, limit: bound(carry + offset, limit))
        if (op0, op1) in ((MAX, MIN), (MIN, MAX)):
            inner, outer = operation[op0], operation[op1]
            return ((first, second),
                    lambda earlier, later: (inner(earlier[0], later[0]), outer(inner(earlier[1], later[0]), later[1])),
                    lambda carry, near, far: outer(inner(carry, near), far))
        return None

    def move(self, record):
        count, _, source = record[12:15]
        immediates = struct.unpack_from('<8I', record, 32)
        values = [immediates[i] if source else self.registers[record[16 + i]] for i in range(count)]
        for i in range(count):
            self.registers[record[24 + i]] = values[i]
