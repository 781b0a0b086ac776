"""Seeded random legal DVE programs with their memory images, presets and engine parameters.

A program is legal by the predicates of isa_wire_format 6. The encoder is this file's own: offsets
come from isa_wire_format 1 and 4. Semaphores, events and registers are followed while a program
grows, so that every wait holds when it is reached. Updates happen when an instruction has read or
written everything, which may be after the waits of the instructions behind it; so between two
drains nothing depends on the order in which updates of one counter or event arrive.
"""

import random
import struct
from dataclasses import dataclass, field

import numpy

from random_family import FamilyRecords
from record_vocabulary import (
    ACTIVE_BYTES, AREA_BYTES, ARITH_SHIFT_RIGHT, BF16, BYPASS, CRC32, FLOAT_RESULT_DTYPES, FP8_EXP3, FP8_EXP4, FP8_EXP5, FP16, FP32,
    FP32R, GENERAL_ARITHMETIC, GENERAL_BITVEC, GENERATIONS, GUARD_BYTES, INT32, INTEGER_DTYPES, LEFT_SHIFTS, LIFTED_PAIRS,
    LIST_BYTES, MARIANA_ARITHMETIC, OVERRIDES, PARTITION_STRIDE, PSUM_ACTIVE_BYTES, PSUM_ADDRESS, PSUM_PARTITION_STRIDE, RESULT_DTYPES,
    RIGHT_SHIFTS, RSQRT, SOURCE_DTYPES, SPECIAL_PATTERNS, SYMMETRIC_CLAMP, UINT32, UNSIGNED_DTYPES, WIDTH, WITH_MARIANA_OPERATIONS,
    Operand, Placement, start_partitions)

@dataclass
class Program:
    seed: int
    generation: str
    semantics: str
    overrides: dict
    records: bytes
    sbuf: numpy.ndarray
    sbuf_first_byte: int
    psum: object
    psum_first_byte: int
    registers: dict
    semaphores: dict


@dataclass
class SynchronisationState:
    semaphores: dict = field(default_factory=lambda: {index: 0 for index in (0, 1, 3, 17, 128, 255)})
    events: dict = field(default_factory=lambda: {index: 0 for index in (0, 2, 200, 255)})
    # Updates that may still be under way, by ('semaphore' | 'event', index): 'added' or 'replaced'.
    under_way: dict = field(default_factory=dict)


class ProgramGenerator(FamilyRecords):
    def __init__(self, seed):
        self.seed = seed
        self.random = random.Random(seed)
        self.data_random = numpy.random.default_rng(seed)
        self.generation = self.random.choice(GENERATIONS)
        self.semantics = self.random.choice(('reference', 'published'))
        self.overrides = self._choose_overrides()
        self.with_psum = self.generation != 'maverick'
        room = ACTIVE_BYTES[self.generation] - AREA_BYTES['sbuf'] - LIST_BYTES
        psum_room = PSUM_ACTIVE_BYTES - AREA_BYTES['psum']
        self.area_first_byte = {'sbuf': self.random.choice((0, 0x400, room // 2 & ~63, room)),
                                'psum': self.random.choice((0, 0x400, psum_room))}
        self.images = {'sbuf': numpy.zeros((128, AREA_BYTES['sbuf'] + LIST_BYTES), numpy.uint8)}
        self.next_list_byte = AREA_BYTES['sbuf']
        if self.with_psum:
            self.images['psum'] = numpy.zeros((128, AREA_BYTES['psum']), numpy.uint8)
        self.arithmetic = GENERAL_ARITHMETIC
        if self.generation in WITH_MARIANA_OPERATIONS:
            self.arithmetic += MARIANA_ARITHMETIC
        if self.generation == 'maverick':
            self.arithmetic += (SYMMETRIC_CLAMP,)
        self.records = []
        self.registers = {}  # known values; register_presets are those set before the start
        self.register_presets = {}
        self.state = SynchronisationState()
        for index in self.random.sample(sorted(self.state.semaphores), 3):
            self.state.semaphores[index] = self.random.choice((1, 5, 100, 0x7FFFFFFF, 0x80000005))
        self.semaphore_presets = {index: value for index, value in self.state.semaphores.items() if value}
        self.update_registers = set()  # read by updates, so never written again
        self.accumulator_channels = 0
        self.earlier_operands = []

    def _choose_overrides(self):
        if self.random.random() < 0.45:
            return {}
        name, values = self.random.choices(OVERRIDES, [3 if name.startswith('scan.') else 1 for name, _ in OVERRIDES])[0]
        if name == 'fp8_exp4.variant' and self.generation not in WITH_MARIANA_OPERATIONS:
            return {}
        return {name: self.random.choice(values)}

    def generate(self):
        background = self.random.choice(('zero', 'bits'))
        if background == 'bits':
            for image in self.images.values():
                image[:] = self.data_random.integers(0, 256, image.shape, numpy.uint8)
        wanted = self.random.randint(3, 12)
        while len(self.records) < wanted:
            self._add_instruction()
        del self.records[12:]
        if self.random.random() < 0.15 and len(self.records) > 3:
            at = self.random.randrange(2, len(self.records))
            self.records[at] = self._pack_control(0xA1, struct.pack('<BBBBI', 0, 0, 0, 0, 0), bytes(52))
        return Program(self.seed, self.generation, self.semantics, self.overrides, b''.join(self.records),
                       self.images['sbuf'], self.area_first_byte['sbuf'],
                       self.images.get('psum'), self.area_first_byte['psum'], self.register_presets, self.semaphore_presets)

    def _add_instruction(self):
        makers = [(self._tensor_scalar, 24), (self._scalar_tensor_tensor, 22), (self._scan, 16), (self._tensor_tensor, 20),
                  (self._cache_reduce, 18), (self._cumulative, 14), (self._transposed, 8), (self._select_reduce, 12),
                  (self._control, 8), (self._move, 5)]
        if self.generation in WITH_MARIANA_OPERATIONS:
            makers.append((self._exponential, 12))
        if self.generation == 'maverick':
            makers.append((self._integer_tensor_scalar, 10))
        if self.accumulator_channels:
            makers.append((self._read_accumulator, 30))
        makers, weights = zip(*makers)
        self.random.choices(makers, weights)[0]()

    # Data

    def _patterns(self, dtype, shape):
        """Raw patterns of a dtype: a mixture of two kinds of data."""
        kinds = self.random.choices(('small', 'bits', 'special', 'halves', 'wide'), (40, 15, 15, 20, 10), k=2)
        first, second = (self._patterns_of_kind(kind, dtype, shape) for kind in kinds)
        return numpy.where(self.data_random.random(shape) < 0.8, first, second).astype(f'<u{WIDTH[dtype]}')

    def _patterns_of_kind(self, kind, dtype, shape):
        bits = 8 * WIDTH[dtype]
        draw = self.data_random
        if kind == 'special' and dtype in SPECIAL_PATTERNS:
            return draw.choice(numpy.array(SPECIAL_PATTERNS[dtype], numpy.uint64), shape)
        if kind in ('bits', 'special') or dtype in (FP8_EXP3, FP8_EXP4, FP8_EXP5) and kind == 'wide':
            return draw.integers(0, 1 << bits, shape, numpy.uint64)
        if dtype in INTEGER_DTYPES or bits == 64:
            largest = {'small': 9, 'halves': 40, 'wide': 1 << (bits - 2)}[kind]
            lowest = 0 if dtype in UNSIGNED_DTYPES else -min(largest, 1 << (bits - 1))
            return draw.integers(lowest, min(largest, (1 << (bits - 1)) - 1), shape).astype(numpy.uint64) & numpy.uint64((1 << bits) - 1)
        if kind == 'small':
            values = draw.standard_normal(shape) * self.random.choice((0.5, 1, 4, 100))
        elif kind == 'halves':
            values = draw.integers(-600, 600, shape) / self.random.choice((1, 2, 4, 32, 256))
        else:
            values = draw.standard_normal(shape) * 2.0 ** draw.integers(-149, 128, shape)
        with numpy.errstate(over='ignore'):
            fp32 = values.astype(numpy.float32).view(numpy.uint32).astype(numpy.uint64)
        if dtype == FP32:
            return fp32
        if dtype == BF16:
            return fp32 >> numpy.uint64(16)
        with numpy.errstate(over='ignore'):
            fp16 = values.astype(numpy.float16).view(numpy.uint16).astype(numpy.uint64)
        if dtype == FP16:
            return fp16
        sign, magnitude = fp16 >> numpy.uint64(15) << numpy.uint64(7), fp16 & numpy.uint64(0x7FFF)
        if dtype == FP8_EXP5:
            return sign | magnitude >> numpy.uint64(8)
        # The other 8-bit floats: values near one, by moving the exponent bias of fp16.
        mantissa_bits, bias_gap = (3, 8) if dtype == FP8_EXP4 else (4, 12)
        moved = numpy.maximum(magnitude.astype(numpy.int64) - (bias_gap << 10), 0) >> (10 - mantissa_bits)
        return sign | numpy.minimum(moved, 0x7F).astype(numpy.uint64)

    def _fill(self, operand, channels):
        image = self.images[operand.space]
        low, high = operand.linear_bounds()
        width = WIDTH[operand.dtype]
        start, end = operand.first_byte + low * width, operand.first_byte + (high + 1) * width
        patterns = self._patterns(operand.dtype, (channels, high - low + 1))
        image[operand.partition:operand.partition + channels, start:end] = numpy.ascontiguousarray(patterns).view(numpy.uint8)

    # Operands

    def _channels(self):
        return self.random.choice((1, 2, 3, 8, 31, 32, 32, 33, 48, 64, 65, 100, 128, 128, self.random.randint(1, 128)))

    def _element_count(self, channels):
        if self.random.random() < 0.04 and channels <= 64:
            return self.random.randint(300, 1000 if self.random.random() < 0.7 else 1900)
        return self.random.choice((1, 2, 7, 15, 16, 17, 31, 33, 64, 100, self.random.randint(1, 300), self.random.randint(1, 300)))

    def _counts(self, total, dimensions):
        """Counts whose product is total, innermost first, ones where a dimension is unused."""
        counts, rest = [], total
        for _ in range(self.random.randint(0, dimensions - 1)):
            divisors = [divisor for divisor in range(1, rest + 1) if rest % divisor == 0]
            counts.append(self.random.choice(divisors))
            rest //= counts[-1]
        counts.append(rest)
        self.random.shuffle(counts)
        return tuple(counts + [1] * (dimensions - len(counts)))

    def _walk(self, total, dimensions, width, space, is_destination):
        """Steps and counts that fit into the usable part of the working area."""
        usable = (AREA_BYTES[space] - 2 * GUARD_BYTES) // width
        for _ in range(20):
            counts = self._counts(total, dimensions)
            style = self.random.choices(('packed', 'strided', 'any'), (50, 25, 25))[0]
            steps, packed = [], 1
            for count in counts:
                if style == 'any':
                    lowest = 0 if not is_destination or self.random.random() < 0.1 else 1
                    step = self.random.choice((lowest, 1, 2, 3, 7, count, -1, -2, packed, -packed))
                    if is_destination and step == 0 and self.random.random() < 0.9:
                        step = packed
                else:
                    step = packed * (self.random.choice((1, 2, 3, -1)) if style == 'strided' else 1)
                steps.append(max(-32768, min(32767, step)))
                packed = max(packed, abs(step) * count)
            operand = Operand(space, 0, 0, tuple(steps), counts, 0)
            low, high = operand.linear_bounds()
            if high - low + 1 <= usable:
                return tuple(steps), counts
        return (1,) * dimensions, (total,) + (1,) * (dimensions - 1)

    def _operand(self, dtype, channels, total, dimensions, placement, is_destination=False):
        spaces = [space for space in placement.spaces if space in self.images]
        width = WIDTH[dtype]
        narrow_allowed = self.overrides.get('psum.narrow_writes') == 'true'
        if is_destination and (width > 4 or width < 4 and not narrow_allowed):
            spaces = [space for space in spaces if space != 'psum']
        spaces = [space for space in spaces if total * width <= AREA_BYTES[space] - 2 * GUARD_BYTES] or ['sbuf']
        space = self.random.choice(spaces)
        partition = placement.partition
        if partition is None or space == 'psum':
            partition = self.random.choice(start_partitions(channels))
        if placement.list_partition is not None and self.random.random() < 0.15:
            indirect = self._indirect_operand(dtype, channels, total, space, partition, placement, is_destination)
            if indirect is not None:
                return indirect
        steps, counts = self._walk(total, dimensions, width, space, is_destination)
        operand = Operand(space, partition, 0, steps, counts, dtype)
        low, high = operand.linear_bounds()
        lowest, highest = GUARD_BYTES - low * width, AREA_BYTES[space] - GUARD_BYTES - (high + 1) * width
        first = self.random.randrange(lowest, highest + 1)
        near = [earlier for earlier in self.earlier_operands if earlier.space == space]
        if near and self.random.random() < 0.5:  # overlap with, or read of, something used before
            earlier = self.random.choice(near)
            if earlier.partition in start_partitions(channels) and placement.partition is None:
                operand.partition = earlier.partition
            first = earlier.first_byte + self.random.choice((0, 0, 0, width, -width, 4 * width, 64))
            if (earlier.dtype == dtype and len(earlier.counts) == dimensions and numpy.prod(earlier.counts) == total
                    and self.random.random() < 0.5):
                low_high = earlier.linear_bounds()
                if GUARD_BYTES <= earlier.first_byte + low_high[0] * width:
                    operand.steps, operand.counts, first = earlier.steps, earlier.counts, earlier.first_byte
                    lowest = highest = first
        operand.first_byte = min(max(first, lowest), highest) & ~(width - 1)
        if operand.first_byte < lowest:
            operand.first_byte += width
        operand.by_register = placement.register_allowed and self.random.random() < 0.12
        if not is_destination and self.random.random() < 0.6:
            self._fill(operand, channels)
        self.earlier_operands.append(operand)
        return operand

    def _indirect_operand(self, dtype, channels, total, space, partition, placement, is_destination):
        """An operand with a list of its own; None where the lists have no room for it."""
        members = 16 if self.overrides.get('indirect.list') != 'partition' else 1
        words = -(-total // members)
        first_word = self.next_list_byte
        if first_word + 4 * words > AREA_BYTES['sbuf'] + LIST_BYTES:
            return None
        self.next_list_byte += 4 * words
        width = WIDTH[dtype]
        usable = (AREA_BYTES[space] - 2 * GUARD_BYTES) // width
        named = self.random.choice((1, min(usable, total), min(usable, 300), self.random.randint(1, usable)))
        first = GUARD_BYTES + width * self.random.randint(0, usable - named)
        # The source lies where its list starts, unless it is in PSUM.
        list_partition = placement.list_partition
        if space == 'sbuf' and not is_destination:
            partition = list_partition
        operand = Operand(space, partition, first, (1,), (named,), dtype, index_list=(list_partition, first_word, total))
        lists = -(-channels // members) * members
        numbers = self.data_random.integers(0, named, (lists, words)).astype('<u4')
        self.images['sbuf'][list_partition:list_partition + lists, first_word:first_word + 4 * words] = numbers.view(numpy.uint8)
        operand.by_register = self.random.random() < 0.2
        if not is_destination and self.random.random() < 0.8:
            self._fill(operand, channels)
        self.earlier_operands.append(operand)
        return operand

    def _address(self, space, partition, byte):
        byte += self.area_first_byte[space]
        if space == 'psum':
            return PSUM_ADDRESS + partition * PSUM_PARTITION_STRIDE + byte
        return partition * PARTITION_STRIDE[self.generation] + byte

    def _register_holding(self, value):
        """A register with this value, preset or moved there by a record before the next one."""
        holders = [number for number, known in self.registers.items() if known == value]
        if holders:
            return self.random.choice(holders)
        free = [number for number in range(64) if number not in self.registers]
        number = self.random.choice(free)
        if len(self.records) < 10 and self.random.random() < 0.3:
            self.records.append(self._pack_move(self._events(), [number], immediates=[value]))
        else:
            self.register_presets[number] = value
        self.registers[number] = value
        return number

    def _pack_tensor(self, operand, record_dimensions=3):
        if operand.index_list is not None:
            partition, byte, count = operand.index_list
            word = self._address('sbuf', partition, byte)
            if operand.by_register:
                word = 0x80000000 | self._register_holding(word)
            data = self._address(operand.space, operand.partition, operand.first_byte)
            return struct.pack('<IIH', word | 0x20000000, data, count) + self.random.randbytes(4 * record_dimensions - 6)
        word = self._address(operand.space, operand.partition, operand.first_byte)
        if operand.by_register:
            word = 0x80000000 | self._register_holding(word)
        dimensions = len(operand.steps)
        return struct.pack(f'<I{dimensions}h{dimensions}H', word, *operand.steps, *operand.counts)

    def _pointer(self, dtype, channels):
        placement = Placement(('sbuf', 'psum'), register_allowed=False)
        operand = self._operand(dtype, channels, 1, 1, placement)
        if self.random.random() < 0.5:
            self._fill(operand, channels)
        return self._address(operand.space, operand.partition, operand.first_byte)

    def _immediate(self, dtype, channels, pointer_only=False, wide_inline=False):
        """(source, field) of an immediate whose values have the dtype."""
        source = 1 if pointer_only else self.random.choice((0, 0, 1, 2))
        if source == 0:
            value = int(self._patterns(dtype, (1,))[0])
            if wide_inline and self.random.random() < 0.3:
                value |= self.random.getrandbits(32) >> 8 * WIDTH[dtype] << 8 * WIDTH[dtype]
            return 0, value
        pointer = self._pointer(dtype, channels)
        return (1, pointer) if source == 1 else (2, self._register_holding(pointer))

    # Records

    def _header(self, opcode):
        if self.generation != 'maverick' and self.random.random() < 0.05:
            return struct.pack('<BBBB', opcode, 16, 0, 2)
        return struct.pack('<BBBB', opcode, 16, 0, 0)

    def _pack_control(self, opcode, events, body):
        return self._header(opcode) + events + body

    def _pack_move(self, events, destinations, sources=None, immediates=None):
        moved = sources or immediates
        fields = struct.pack('<BBBx8B8B8I', len(moved), self.random.choice((UINT32, INT32, FP32)), 0 if sources else 1,
                             *((sources or []) + [0] * (8 - len(sources or []))),
                             *(destinations + [0] * (8 - len(destinations))),
                             *((immediates or []) + [0] * (8 - len(immediates or []))))
        return self._header(0xA7) + events + fields

    def _known_values(self):
        return [number for number, value in self.registers.items() if value < 1 << 31]

    def _wait_choices(self, value):
        """(mode, index) pairs of waits that hold now with this value."""
        choices = [(0x00, self.random.randrange(256)), (0xFE, self.random.randrange(256))]
        for flag, bound in ((0, value), (0x80, self.registers.get(value))):
            if bound is None:
                continue
            for index, count in self.state.semaphores.items():
                holds = {1: count == bound, 2: count < bound, 3: count <= bound, 4: count > bound, 5: count >= bound}
                choices += [(flag | mode, index) for mode, true in holds.items() if true]
        for index, is_set in self.state.events.items():
            changing_allowed = ('event', index) not in self.state.under_way
            choices += [(mode, index) for mode in ((0x06, 0x07) if is_set else (0x0E, 0x0F)) if changing_allowed or not mode & 1]
        return choices

    def _pass_wait(self, mode, index):
        if mode == 0x07:
            self.state.events[index] = 0
        if mode == 0x0F:
            self.state.events[index] = 1

    def _apply_update(self, mode, index, value):
        """Follows an update; False, with nothing changed, if a counter would leave 32 bits or the
        outcome could depend on updates that are under way."""
        action, operand = mode & 0x0F, self.registers.get(value) if mode & 0x80 else value
        if operand is None:
            return False
        key = ('event' if action in (1, 2) else 'semaphore', index)
        kind = 'replaced' if action in (1, 2, 9) else 'added'
        if key in self.state.under_way and (kind, self.state.under_way[key]) != ('added', 'added'):
            return False
        if key[0] == 'event':
            self.state.events[index] = action & 1
        else:
            old = self.state.semaphores[index]
            new = {3: old + 1, 4: old - 1, 5: old + operand, 7: old - operand, 9: operand}[action]
            if not 0 <= new < 1 << 32:
                return False
            self.state.semaphores[index] = new
        self.state.under_way[key] = kind
        if mode & 0x80:
            self.update_registers.add(value)
        return True

    def _random_update(self, value):
        """(mode, index) of an update that is applied, or NONE."""
        modes = (0x01, 0x02, 0x03, 0x04, 0x05, 0x07, 0x09, 0x85, 0x87, 0x89)
        for _ in range(4):
            mode = self.random.choice(modes) + self.random.choice((0, 0x10))
            index = self.random.choice(sorted(self.state.events if mode & 0x0F in (1, 2) else self.state.semaphores))
            if self._apply_update(mode, index, value):
                return mode, index
        return 0, self.random.randrange(256)

    def _synchronisation_value(self):
        known = self._known_values()
        counts = list(self.state.semaphores.values())
        return self.random.choice([0, 1, 2, 7, self.random.choice(counts)] + known)

    def _events(self, update_allowed=True):
        """The events field, bytes 4 to 11, and its effect on the followed state."""
        if self.random.random() < 0.6:
            return bytes(8)
        value = self._synchronisation_value()
        wait_mode, wait_index = self.random.choice(self._wait_choices(value)) if self.random.random() < 0.7 else (0, 0)
        self._pass_wait(wait_mode, wait_index)
        update_mode, update_index = self._random_update(value) if update_allowed and self.random.random() < 0.7 else (0, 0)
        return struct.pack('<BBBBI', wait_mode, wait_index, update_mode, update_index, value)

    def _control(self):
        kind = self.random.choice(('nop', 'drain', 'event_semaphore'))
        if kind == 'nop':
            self.records.append(self._pack_control(0xA4, self._events(), bytes(52)))
        elif kind == 'drain':
            self.records.append(self._pack_control(0xA2, self._events(update_allowed=False),
                                                   struct.pack('<28xI20x', self.random.randrange(4))))
            self.state.under_way.clear()
        else:
            events = self._events(update_allowed=False)
            wait_value, update_value = self._synchronisation_value(), self._synchronisation_value()
            wait_mode, wait_index = self.random.choice(self._wait_choices(wait_value))
            self._pass_wait(wait_mode, wait_index)
            update_mode, update_index = self._random_update(update_value)
            body = struct.pack('<20xBBBBII20x', wait_mode, wait_index, update_mode, update_index, wait_value, update_value)
            self.records.append(self._pack_control(0xA0, events, body))

    def _move(self):
        events = self._events()
        writable = [number for number in range(64) if number not in self.update_registers]
        destinations = self.random.sample(writable, self.random.randint(1, 8))
        count = len(destinations)
        unchanged = [number for number in sorted(self.registers) if number not in destinations]  # a source is not also written
        if unchanged and self.random.random() < 0.5:
            sources = [self.random.choice(unchanged) for _ in range(count)]
            self.records.append(self._pack_move(events, destinations, sources=sources))
            values = [self.registers[number] for number in sources]
        else:
            values = [self.random.choice((self.random.randrange(100), self.random.getrandbits(32))) for _ in range(count)]
            self.records.append(self._pack_move(events, destinations, immediates=values))
        self.registers.update(zip(destinations, values))

    def _finish(self, opcode, body_maker):
        """Packs operands first (they may add a MOVE before), then header and events."""
        body = body_maker()
        self.records.append(self._header(opcode) + self._events() + body)

    def _tensor_scalar(self):
        opcodes = (0x43, 0x43, 0x43, 0x53, 0x53) if self.generation == 'sunda' else (0x43, 0x43, 0x43, 0x44, 0x53, 0x54)
        opcode = self.random.choice(opcodes)
        pointer_only = opcode in (0x44, 0x54)
        channels = self._channels()
        total = self._element_count(channels)
        reverse = self.random.randrange(4)
        in_dtype, out_dtype = self.random.choice(SOURCE_DTYPES), self.random.choice(RESULT_DTYPES)
        imm_dtype = FP32
        fixed_immediates = None
        if opcode in (0x53, 0x54):
            in_dtype = out_dtype = imm_dtype = self.random.choice(INTEGER_DTYPES)
            op0, op1 = self._bitvec_pair(in_dtype)
        elif opcode == 0x43 and self.random.random() < 0.04:
            op0, op1 = RSQRT, BYPASS
            in_dtype, out_dtype = self.random.choice((FP16, BF16, FP32)), self.random.choice((FP16, BF16, FP32, FP32R))
            fixed_immediates = ((0, 0), (0, 0))
        else:
            op0 = self.random.choice(self.arithmetic)
            op1 = BYPASS if op0 == BYPASS else self.random.choice((BYPASS,) + self.arithmetic)
        source, destination = self._source_and_destination((in_dtype, out_dtype), channels, total)
        imm0, imm1 = fixed_immediates or (self._immediate(imm_dtype, channels, pointer_only),
                                          self._immediate(imm_dtype, channels, pointer_only))
        sources = (0, 0) if pointer_only else (imm0[0], imm1[0])
        self._finish(opcode, lambda: struct.pack(
            '<B3x16sBBBBBBBBII16s', 0, self._pack_tensor(source), in_dtype, out_dtype, channels, sources[0], op0, op1, reverse,
            sources[1], imm0[1], imm1[1], self._pack_tensor(destination)))

    def _bitvec_pair(self, dtype):
        operations = GENERAL_BITVEC + ((CRC32,) if WIDTH[dtype] > 1 else ())
        while True:
            op0, op1 = self.random.choice(operations), self.random.choice(operations)
            if op0 == BYPASS and op1 != BYPASS:
                continue
            four_bytes_needed = op0 in LEFT_SHIFTS and op1 in RIGHT_SHIFTS or ARITH_SHIFT_RIGHT in (op0, op1)
            if WIDTH[dtype] == 4 or not four_bytes_needed:
                return op0, op1

    def _two_tensor_record(self, opcode, op0, op1, dtypes, imm, command, operands, channels, out_dtype, imm_dtype, reverse=None):
        source0, source1, destination = operands
        reverse = self.random.randrange(4) if reverse is None else reverse
        self._finish(opcode, lambda: struct.pack(
            '<12s12sBBBBBBBBB3x12sI', self._pack_tensor(source0), self._pack_tensor(source1), op0, op1, reverse,
            imm[0], dtypes[0] | dtypes[1] << 4, out_dtype, channels, imm_dtype, command, self._pack_tensor(destination), imm[1]))

    def _sources_for_two_tensors(self, dtypes, channels, total, partition, dimensions=2):
        """Both in SBUF at one start partition, or one of them in PSUM; anywhere if one is addressed by
        a register and SBUF is not held together by the quadrant check (partition is None then)."""
        if partition is None:
            sources = [self._operand(dtype, channels, total, dimensions, Placement(('sbuf', 'psum'))) for dtype in dtypes]
            self.random.choice(sources).by_register = True
            return sources
        spaces = [('sbuf',), ('sbuf',)]
        if self.with_psum and self.random.random() < 0.4:
            spaces[self.random.randrange(2)] = ('psum',)
        if total * 8 > AREA_BYTES['psum'] - 2 * GUARD_BYTES:
            spaces = [('sbuf',), ('sbuf',)]
        return [self._operand(dtype, channels, total, dimensions, Placement(space, partition)) for dtype, space in zip(dtypes, spaces)]

    def _stt_immediate(self, dtype_choices, channels):
        """(immediate, its dtype): inline is FP32 for the arithmetic opcodes."""
        dtype = self.random.choice(dtype_choices)
        imm = self._immediate(dtype, channels)
        if imm[0] == 0 and dtype != FP32:
            dtype, imm = FP32, (0, int(self._patterns(FP32, (1,))[0]))
        return imm, dtype

    def _scalar_tensor_tensor(self):
        opcode = self.random.choice((0x9D, 0x9D, 0x9D, 0x9E))
        channels = self._channels()
        total = self._element_count(channels)
        partition = self.random.choice(start_partitions(channels))
        command = 0
        if opcode == 0x9E:
            dtype = self.random.choice(INTEGER_DTYPES)
            dtypes, out_dtype, imm_dtype = (dtype, dtype), dtype, dtype
            op0, op1 = self.random.choice(GENERAL_BITVEC), self.random.choice(GENERAL_BITVEC)
            imm = self._immediate(dtype, channels, wide_inline=True)
        else:
            dtypes, out_dtype = self.random.choices(SOURCE_DTYPES, k=2), self.random.choice(RESULT_DTYPES)
            op0, op1 = self.random.choice(self.arithmetic), self.random.choice(self.arithmetic)
            imm, imm_dtype = self._stt_immediate((FP32, FP32, *SOURCE_DTYPES), channels)
            if self.random.random() < 0.4:
                command = self.random.choice((2, 2, 3)) if channels <= self.accumulator_channels else 3
                self.accumulator_channels = max(self.accumulator_channels, channels)
        sources = self._sources_for_two_tensors(dtypes, channels, total, partition)
        destination = self._operand(out_dtype, channels, total, 2, Placement(('sbuf', 'sbuf', 'psum'), partition), is_destination=True)
        self._two_tensor_record(opcode, op0, op1, dtypes, imm, command, (*sources, destination), channels, out_dtype, imm_dtype)

    def _scan(self):
        channels = self._channels()
        total = self._element_count(channels)
        partition = None if self.random.random() < 0.1 else self.random.choice(start_partitions(channels))
        dtypes, out_dtype = self.random.choices(SOURCE_DTYPES, k=2), self.random.choice(RESULT_DTYPES)
        if self.random.random() < 0.5:
            op0, op1 = self.random.choice(LIFTED_PAIRS)
        else:
            op0, op1 = self.random.choice(self.arithmetic), self.random.choice(self.arithmetic)
        imm, imm_dtype = self._stt_immediate((FP32, FP32, *SOURCE_DTYPES), channels)
        sources = self._sources_for_two_tensors(dtypes, channels, total, partition)
        destination = self._operand(out_dtype, channels, total, 2, Placement(('sbuf', 'sbuf', 'psum')), is_destination=True)
        self._two_tensor_record(0xE5, op0, op1, dtypes, imm, 0, (*sources, destination), channels, out_dtype, imm_dtype)

    def _read_accumulator(self):
        channels = self.random.choice((self.accumulator_channels, self.random.randint(1, self.accumulator_channels)))
        dtype = self.random.choice(FLOAT_RESULT_DTYPES)
        destination = self._operand(dtype, channels, 1, 1, Placement(('sbuf', 'psum')), is_destination=True)
        self._finish(0x9B, lambda: struct.pack(
            '<16xIBBB9x8s12x', 1, dtype, self.random.randrange(2), channels, self._pack_tensor(destination)))
