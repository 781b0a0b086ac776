"""Random legal records of the siblings: 0x41 0x51 0x93 0x9A 0xE6 0x30 0xEA 0x4E 0x5E and the integer band
under 0x43. Part of the generator in random_programs.py; legality by isa_wire_format 6."""

import struct

from record_vocabulary import (
    AREA_BYTES, ARITH_SHIFT_RIGHT, BYPASS, CRC32, FLOAT_DTYPES, FP32, FP32R, GENERAL_BITVEC, GUARD_BYTES, INT32, INT64, INTEGER_DTYPES, LEFT_SHIFTS,
    LOGICAL_SHIFT_RIGHT, RESULT_DTYPES, RIGHT_SHIFTS, RSQRT, SIGNED_DTYPES, SOURCE_DTYPES, UINT8, UINT16, UINT32, UINT64,
    UNSIGNED_DTYPES, WIDTH, WITH_MARIANA_OPERATIONS, Placement, start_partitions)

MOD, POW = 0x1B, 0x1A
INTEGER_OF_EITHER = (0xC4, 0xC5, 0xC6)  # on every generation
INTEGER_FROM_CAYMAN = {
    'either': (0xC7, 0xC8, 0xC9, 0xCA),
    'signed': (0xCB, 0xCC, 0xCD, 0xCF, 0xD0, 0xD1, 0xD2, 0xD3, 0xD4),
    'unsigned': tuple(range(0xD5, 0xDE)),
}
TENSOR_SCALAR_BAND = {'either': (0xC4, 0xC5, 0xC6, 0xC9, 0xCA), 'signed': INTEGER_FROM_CAYMAN['signed']}
CUMULATIVE_BITVEC_DTYPES = (UINT8, UINT16, UINT32, INT32)
REDUCING = (0x04, 0x05, 0x06, 0x08, 0x09)
ACCUMULATE, ZERO_ACCUMULATE, LOAD_ACCUMULATE = 2, 3, 4


class FamilyRecords:
    """Makers of records; state and helpers are those of ProgramGenerator."""

    # 0x41 and 0x51

    def _tensor_tensor(self):
        kind = self.random.choices(('float', 'integer', 'move', 'bitvec'), (40, 30, 5, 25))[0]
        opcode = 0x51 if kind == 'bitvec' else 0x41
        dtypes, out_dtype, operation = getattr(self, f'_tensor_tensor_{kind}')()
        channels = self._channels()
        widest = max(WIDTH[dtype] for dtype in (*dtypes, out_dtype))
        total = min(self._element_count(channels), (AREA_BYTES['sbuf'] - 2 * GUARD_BYTES) // widest)
        partition = None if self.random.random() < 0.1 else self.random.choice(start_partitions(channels))
        sources = self._sources_for_two_tensors(dtypes, channels, total, partition, dimensions=3)
        destination = self._operand(out_dtype, channels, total, 3, Placement(('sbuf', 'sbuf', 'psum')), is_destination=True)
        self._finish(opcode, lambda: struct.pack(
            '<BBBB16s16s16s', dtypes[0] | dtypes[1] << 4, out_dtype, operation, channels, *map(self._pack_tensor, sources),
            self._pack_tensor(destination)))

    def _tensor_tensor_float(self):
        if self.random.random() < 0.06:
            return self.random.choices(FLOAT_DTYPES, k=2), self.random.choice(FLOAT_DTYPES + (FP32R,)), POW
        return self.random.choices(SOURCE_DTYPES, k=2), self.random.choice(RESULT_DTYPES), self.random.choice(self.arithmetic)

    def _integer_kind(self, dtypes):
        """Types of one signedness and an operation that takes them."""
        signed = self.random.random() < 0.5
        operations = INTEGER_OF_EITHER + (MOD,)
        if self.generation != 'sunda':
            operations += INTEGER_FROM_CAYMAN['either'] + INTEGER_FROM_CAYMAN['signed' if signed else 'unsigned']
        return [dtype for dtype in dtypes if (dtype in SIGNED_DTYPES) == signed], self.random.choice(operations)

    def _tensor_tensor_integer(self):
        dtypes, operation = self._integer_kind(INTEGER_DTYPES + (INT64, UINT64))
        *sources, result = self.random.choices(dtypes, k=3)
        return sources, result, operation

    def _tensor_tensor_move(self):
        dtype = self.random.choice((INT64, UINT64))
        return (dtype, self.random.choice(SOURCE_DTYPES + (INT64, UINT64))), dtype, BYPASS

    def _tensor_tensor_bitvec(self):
        dtype, operation = self.random.choice(INTEGER_DTYPES + (INT64, UINT64)), self.random.choice(GENERAL_BITVEC)
        shift = operation in LEFT_SHIFTS + RIGHT_SHIFTS
        count = UINT32 if shift and WIDTH[dtype] == 8 and self.random.random() < 0.5 else dtype
        return (dtype, count), dtype, operation

    # S3D3_TS

    def _tensor_scalar_record(self, opcode, operands, dtypes, operations, immediates, channels, command=0, reverse=0):
        source, destination = operands
        imm0, imm1 = immediates
        self._finish(opcode, lambda: struct.pack(
            '<B3x16sBBBBBBBBII16s', command, self._pack_tensor(source), *dtypes, channels, imm0[0], *operations, reverse, imm1[0],
            imm0[1], imm1[1], self._pack_tensor(destination)))

    def _source_and_destination(self, dtypes, channels, total, dimensions=3):
        """The list of an indirect destination starts where the source or the source's list starts."""
        spaces = ('sbuf', 'sbuf', 'sbuf', 'psum')
        lists = self.random.choice(start_partitions(channels)) if self.generation in WITH_MARIANA_OPERATIONS else None
        source = self._operand(dtypes[0], channels, total, dimensions, Placement(spaces, list_partition=lists))
        if lists is not None and source.space == 'sbuf':
            lists = source.partition
        destination = self._operand(dtypes[1], channels, total, dimensions, Placement(spaces, list_partition=lists), is_destination=True)
        return source, destination

    def _integer_tensor_scalar(self):
        signed = self.random.random() < 0.5
        dtypes = self.random.choices(SIGNED_DTYPES[:3] if signed else UNSIGNED_DTYPES[:3], k=2)
        band = TENSOR_SCALAR_BAND['either'] + (TENSOR_SCALAR_BAND['signed'] if signed else ())
        operations = (self.random.choice(band), self.random.choice((BYPASS,) + band))
        channels = self._channels()
        operands = self._source_and_destination(dtypes, channels, self._element_count(channels))
        immediates = self._immediate(INT32, channels), self._immediate(INT32, channels)
        self._tensor_scalar_record(0x43, operands, dtypes, operations, immediates, channels, reverse=self.random.randrange(4))

    def _transposed(self):
        channels = self.random.choice((32, 32, 64, 96, 128))
        total = 32 * self.random.choice((1, 1, 2, 3, 5, 8))
        if self.random.random() < 0.1:
            dtypes, operations = (self.random.choice((FP32,) + FLOAT_DTYPES), FP32R), (RSQRT, BYPASS)
            immediates = ((0, 0), (0, 0))
        else:
            dtypes = self.random.choice(SOURCE_DTYPES), self.random.choice(RESULT_DTYPES)
            op0 = self.random.choice(self.arithmetic)
            operations = op0, BYPASS if op0 == BYPASS else self.random.choice((BYPASS,) + self.arithmetic)
            immediates = self._immediate(FP32, channels), self._immediate(FP32, channels)
        operands = self._source_and_destination(dtypes, channels, total)
        self._tensor_scalar_record(0x93, operands, dtypes, operations, immediates, channels, reverse=self.random.randrange(4))

    def _command(self, commands, channels):
        """A command that reads no accumulator without a value."""
        if channels > self.accumulator_channels:
            commands = [command for command in commands if command != ACCUMULATE]
        command = self.random.choice(commands)
        if command:
            self.accumulator_channels = max(self.accumulator_channels, channels)
        return command

    def _loaded(self, command, channels):
        return self._immediate(FP32, channels) if command == LOAD_ACCUMULATE else (0, 0)

    def _cache_reduce(self):
        channels = self._channels()
        dtypes = self.random.choice([dtype for dtype in SOURCE_DTYPES if dtype not in (INT32, UINT32)]), self.random.choice(RESULT_DTYPES)
        operands = self._source_and_destination(dtypes, channels, self._element_count(channels))
        command = self._command((ACCUMULATE, ACCUMULATE, ZERO_ACCUMULATE, LOAD_ACCUMULATE), channels)
        immediates = self._immediate(FP32, channels), self._loaded(command, channels)
        operations = self.random.choice(self.arithmetic), self.random.choice(REDUCING)
        self._tensor_scalar_record(self.random.choice((0x9A, 0xE6)), operands, dtypes, operations, immediates, channels, command)

    def _exponential(self):
        channels = self._channels()
        dtypes = self.random.choice(SOURCE_DTYPES), self.random.choice(RESULT_DTYPES)
        operands = self._source_and_destination(dtypes, channels, self._element_count(channels))
        source = operands[0]
        # Elements that share a word are summed in pairs.
        pairs = WIDTH[dtypes[0]] == 4 or source.index_list is not None or ((source.steps[0] != 1 or source.counts[0] % 2 == 0) and all(
            count == 1 or step % 2 == 0 for step, count in zip(source.steps[1:], source.counts[1:])))
        commands = (0, ACCUMULATE, ZERO_ACCUMULATE, LOAD_ACCUMULATE) if pairs else (0,)
        command = self._command(commands, channels)
        immediates = self._immediate(FP32, channels), self._loaded(command, channels)
        self._tensor_scalar_record(0x30, operands, dtypes, (BYPASS, BYPASS), immediates, channels, command)

    # 0xEA

    def _select_reduce(self):
        channels = self._channels()
        total = self._element_count(channels)
        partition = self.random.choice(start_partitions(channels))
        dtypes = self.random.choice(INTEGER_DTYPES), self.random.choice([dtype for dtype in SOURCE_DTYPES if dtype not in (INT32, UINT32)])
        out_dtype = self.random.choice(RESULT_DTYPES)
        imm, imm_dtype = self._stt_immediate((FP32, FP32, *SOURCE_DTYPES), channels)
        command = self._command((0, ACCUMULATE, ZERO_ACCUMULATE), channels)
        sources = self._sources_for_two_tensors(dtypes, channels, total, partition)
        destination = self._operand(out_dtype, channels, total, 2, Placement(('sbuf', 'sbuf', 'psum')), is_destination=True)
        self._two_tensor_record(0xEA, BYPASS, 0x08, dtypes, imm, command, (*sources, destination), channels, out_dtype, imm_dtype,
                                reverse=self.random.randrange(2))

    # 0x4E and 0x5E

    def _cumulative(self):
        kind = self.random.choices(('float', 'integer', 'bitvec'), (50, 25, 25))[0]
        opcode = 0x5E if kind == 'bitvec' else 0x4E
        in_dtype, out_dtype, operation = getattr(self, f'_cumulative_{kind}')()
        channels = self._channels()
        total = self._element_count(channels)
        source, destination = self._source_and_destination((in_dtype, out_dtype), channels, total, dimensions=4)
        op_dim = self.random.choice((2, 2, 3, 4, 5))
        self._finish(opcode, lambda: struct.pack(
            '<20sBBBBBBB5x20s', self._pack_tensor(source, 4), in_dtype, out_dtype, channels, 0, operation, op_dim, 0,
            self._pack_tensor(destination, 4)))

    def _cumulative_float(self):
        if self.random.random() < 0.05:
            return self.random.choice((FP32,) + FLOAT_DTYPES), FP32, RSQRT
        return self.random.choice(SOURCE_DTYPES), self.random.choice(RESULT_DTYPES), self.random.choice(self.arithmetic)

    def _cumulative_integer(self):
        dtypes = self.random.choice((SIGNED_DTYPES, UNSIGNED_DTYPES))[:3]
        operations = INTEGER_OF_EITHER + (() if self.generation == 'sunda' else (0xC7, 0xC8))
        return (*self.random.choices(dtypes, k=2), self.random.choice(operations))

    def _cumulative_bitvec(self):
        dtype = self.random.choice(CUMULATIVE_BITVEC_DTYPES)
        operations = [operation for operation in GENERAL_BITVEC + (CRC32,)
                      if not (operation == LOGICAL_SHIFT_RIGHT and dtype != INT32)
                      and not (operation == CRC32 and WIDTH[dtype] == 1)
                      and not (operation == ARITH_SHIFT_RIGHT and WIDTH[dtype] != 4)]
        return dtype, dtype, self.random.choice(operations)
