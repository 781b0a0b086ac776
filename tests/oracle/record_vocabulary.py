"""What records are made of: codes, types, operation sets, the memories of a generation, operands
(isa_wire_format 2 and 5), and what parameters and data a random program may have."""

from dataclasses import dataclass

GENERATIONS = ('sunda', 'cayman', 'mariana', 'mariana_plus', 'maverick')
WITH_MARIANA_OPERATIONS = ('mariana', 'mariana_plus', 'maverick')
PARTITION_STRIDE = {'sunda': 0x40000, 'cayman': 0x40000, 'mariana': 0x40000, 'mariana_plus': 0x40000, 'maverick': 0x100000}
ACTIVE_BYTES = {'sunda': 0x30000, 'cayman': 0x38000, 'mariana': 0x40000, 'mariana_plus': 0x40000, 'maverick': 0x80000}
PSUM_ADDRESS, PSUM_PARTITION_STRIDE, PSUM_ACTIVE_BYTES = 0x2000000, 0x8000, 0x4000
AREA_BYTES = {'sbuf': 8192, 'psum': 4096}
LIST_BYTES = 2048  # behind the working area of SBUF: lists of indices, which nothing writes to
GUARD_BYTES = 64  # at both ends of the working area, never addressed

UINT64, INT64 = 1, 12
INT8, UINT8, INT16, UINT16, BF16, FP16, INT32, UINT32, FP32, FP32R = 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
FP8_EXP3, FP8_EXP4, FP8_EXP5 = 13, 14, 15
INTEGER_DTYPES = (INT8, UINT8, INT16, UINT16, INT32, UINT32)
SIGNED_DTYPES = (INT8, INT16, INT32, INT64)
UNSIGNED_DTYPES = (UINT8, UINT16, UINT32, UINT64)
FLOAT_DTYPES = (BF16, FP16, FP32)
SOURCE_DTYPES = INTEGER_DTYPES + (BF16, FP16, FP32, FP8_EXP3, FP8_EXP4, FP8_EXP5)
RESULT_DTYPES = SOURCE_DTYPES + (FP32R,)
FLOAT_RESULT_DTYPES = (FP8_EXP3, FP8_EXP4, FP8_EXP5, FP16, BF16, FP32, FP32R)
WIDTH = {INT8: 1, UINT8: 1, FP8_EXP3: 1, FP8_EXP4: 1, FP8_EXP5: 1, INT16: 2, UINT16: 2, BF16: 2, FP16: 2,
         INT32: 4, UINT32: 4, FP32: 4, FP32R: 4, INT64: 8, UINT64: 8}

BYPASS, RSQRT, CRC32, ARITH_SHIFT_RIGHT, LOGICAL_SHIFT_RIGHT = 0x00, 0x1D, 0x1C, 0x03, 0x11
GENERAL_ARITHMETIC = (0x00, 0x04, 0x05, 0x06, 0x08, 0x09, 0x0D, 0x0E, 0x0F) + tuple(range(0x12, 0x1A))
MARIANA_ARITHMETIC = (0x20, 0x21, 0x22, 0x23)
SYMMETRIC_CLAMP = 0x24
GENERAL_BITVEC = (0x00, 0x01, 0x02, 0x03, 0x0A, 0x0B, 0x0C, 0x10, 0x11)
LEFT_SHIFTS, RIGHT_SHIFTS = (0x02, 0x10), (0x03, 0x11)
LIFTED_PAIRS = ((0x06, 0x04), (0x06, 0x05), (0x04, 0x04), (0x06, 0x06), (0x04, 0x08), (0x04, 0x09), (0x08, 0x09), (0x09, 0x08))

OVERRIDES = (
    ('scan.recurrence', ('combine_prefix', 'carried')),
    ('scan.order', ('rotate_combine', 'sequential')),
    ('scan.combine', ('add', 'mult', 'max', 'min', 'absolute_diff')),
    ('stt.accumulate', ('replaces_store', 'adds_to_store')),
    ('accumulator.tap', ('before', 'after')),
    ('indirect.list', ('group', 'partition')),
    ('cast.fp_to_int', ('truncate', 'nearest_even')),
    ('cast.overflow', ('infinity', 'saturate')),
    ('cast.nan_to_int', ('zero', 'max')),
    ('fp32r.mantissa_bits', tuple(range(10, 23))),
    ('fp8_exp4.variant', ('ieee', 'fn')),
    ('minmax.nan', ('number', 'propagate')),
    ('shift.overflow', ('complete', 'modulo')),
    ('symmetric_clamp', ('max', 'min')),
    ('crc32.polynomial', (0xEDB88320, 0x82F63B78, 0x1)),
    ('psum.narrow_writes', ('false', 'true')),
)

SPECIAL_PATTERNS = {
    FP32: (0x00000000, 0x80000000, 0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00001, 0x7F800001,
           0x00000001, 0x80000001, 0x007FFFFF, 0x00800000, 0x7F7FFFFF, 0xFF7FFFFF, 0x33800000, 0x477FE000, 0x477FEFFF,
           0x477FF000, 0x43700000, 0x43780000, 0x4377E666, 0x43E80000, 0x43E80001, 0x43E00000, 0x47600000, 0x47700000,
           0x41780000, 0x417C0000, 0x7F7F8000, 0x7F7F7FFF, 0x3F808000, 0x3F818000, 0x3F801000, 0x3F803000, 0x4EFFFFFF,
           0x4F000000, 0xCF000000, 0x4F800000, 0x42FF0000, 0x42FE0000, 0xC3008000, 0x437F8000, 0x46FFFF00, 0x477FFF80,
           0xBF000000, 0x3F000000, 0x3FC00000, 0x40200000, 0xBF19999A, 0x2B800000, 0x33000000, 0x33C00000),
    FP16: (0x0000, 0x8000, 0x3C00, 0x7C00, 0xFC00, 0x7E00, 0x7C01, 0xFE55, 0x0001, 0x83FF, 0x0400, 0x7BFF, 0x5780, 0x5F40),
    BF16: (0x0000, 0x8000, 0x3F80, 0x7F80, 0xFF80, 0x7FC0, 0x7F81, 0xFFC5, 0x0001, 0x807F, 0x0080, 0x7F7F, 0x4378, 0x43E8),
    INT32: (0, 1, 0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, 0x01000001, 0x01000003, 0x7FFFFFC0, 0x7FFFFFBF, 31, 32, 33),
    UINT32: (0, 1, 0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, 0x80000080, 0x80000180, 0xFFFFFF80, 31, 32, 33),
    INT16: (0, 1, 0xFFFF, 0x7FFF, 0x8000, 15, 16, 17),
    UINT16: (0, 1, 0xFFFF, 0x7FFF, 0x8000, 15, 16, 17),
    INT8: (0, 1, 0xFF, 0x7F, 0x80, 7, 8, 9),
    UINT8: (0, 1, 0xFF, 0x7F, 0x80, 7, 8, 9),
}


@dataclass
class Operand:
    """A tensor of an instruction: where it lies and how it is walked."""
    space: str
    partition: int
    first_byte: int  # within the working area
    steps: tuple
    counts: tuple
    dtype: int
    by_register: bool = False
    # Of an indirect operand: partition and byte (within the area of SBUF) of its list, and its length.
    # Steps and counts are those of the elements that the list may name.
    index_list: object = None

    def linear_bounds(self):
        moves = [step * (count - 1) for step, count in zip(self.steps, self.counts)]
        return sum(min(move, 0) for move in moves), sum(max(move, 0) for move in moves)


@dataclass
class Placement:
    """What an operand has to respect: the spaces it may lie in and its start partition, if fixed."""
    spaces: tuple = ('sbuf',)
    partition: object = None
    register_allowed: bool = True
    # Where the list of an indirect operand may start; None: no indirect operand here.
    list_partition: object = None


def start_partitions(channels):
    return (0, 32, 64, 96) if channels <= 32 else (0, 64) if channels <= 64 else (0,)
